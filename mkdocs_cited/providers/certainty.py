"""How sure it is that a stretch answers its question: a calibrated share of right answers, not a verdict on one.

The weights by words are a logistic regression over 150 questions of ten sites; `benchmarks.certainty` prints what it
learns, and what it does on each site that was left out. What an answer leaves open is for `search.answer_check`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from mkdocs_cited.model.answer import AnswerCheck
from mkdocs_cited.model.source import Source


class Weights(Struct, frozen=True):
    """What a logistic regression has learned."""

    of: Mapping[str, float]
    """Sign → what it weighs."""
    bias: float
    enough: float
    """Certainty from which a stretch is given as the answer."""


BY_WORDS = Weights({"check": 2.9, "words": 0.42, "lead": 1.45, "relevance": -2.4}, bias=-3.1, enough=0.33)
"""Two words of a question that an answer speaks of may be chance, six of eight are not; where the sources of several
pages are worth as much, none is what was asked for; and the check counts the words that a source's relevance counts,
so that a section which has them without the answer is a doubt. Two fifths of the questions that docs answer fall short
of the bound."""
BY_MEANING = Weights({"check": 4.1, "lead": 1.0, "strength": -3.3, "likeness": 4.2}, bias=-3.5, enough=0.38)
"""Where an encoder is at work; words that full text finds somewhere, and that the answer does not speak of, are a doubt
against it. Learned on 105 questions of seven sites."""


class Signs(Struct, frozen=True):
    """What tells whether a stretch answers."""

    check: float
    """Score of the answer check."""
    words: float
    """Words of the question that it speaks of, each by its weight: share times count."""
    lead: float
    """How much more its source is worth than the best of another page."""
    relevance: float
    """Of its source, 0…1."""
    likeness: float | None = None
    """How near in meaning the whole stretch lies to the question, 0…1, where an encoder is at work."""
    strength: float = 0.0
    """How well full text matches the question at its best, where an encoder is at work."""
    direct: bool = False
    """Whether it says what just that is that is asked about, or shows how under the task's own name: no sum is needed
    then."""

    @property
    def weights(self) -> Weights:
        """What they weigh."""
        return BY_WORDS if self.likeness is None else BY_MEANING

    @property
    def values(self) -> tuple[float, ...]:
        """Those that weigh something, in the order of their weights."""
        return tuple(getattr(self, name) for name in self.weights.of)

    @property
    def certainty(self) -> float:
        """0…1: the share of answers with such signs that hold what was asked."""
        evidence = sum(weight * value for weight, value in zip(self.weights.of.values(), self.values, strict=True))
        return 1 / (1 + math.exp(-evidence - self.weights.bias))

    @property
    def sure(self) -> bool:
        """Whether the stretch is given as the answer."""
        return self.direct or self.certainty >= self.weights.enough


def signs(judged: AnswerCheck, words: float, sources: Sequence[Source], likeness: float | None = None) -> Signs:
    """The signs of a stretch around the first of these sources."""
    first = sources[0]
    others = (source.worth for source in sources[1:] if source.passage.page.src != first.passage.page.src)
    lead = first.worth - max(others, default=0.0)
    strength = first.nearness.strength if first.nearness else 0.0
    return Signs(judged.score, words, lead, first.query_relevance, likeness, strength)
