"""How sure it is that a stretch answers its question: a calibrated share of right answers, not a verdict on one.

The weights are a logistic regression over 150 questions of ten sites; `benchmarks.certainty` prints what it learns, and
what it does on each site that was left out. What an answer leaves open is for `search.answer_check`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mkdocs_cited.model.answer import AnswerCheck
from mkdocs_cited.model.source import Source

_CHECK = 2.6
"""What the score of the check weighs: how much of the question it speaks of, in the form that is asked for."""
_WORDS = 0.32
"""What each word of the question weighs that it speaks of: two of two words may be chance, six of eight are not."""
_LEAD = 1.1
"""What the lead over the best source of another page weighs: where several are as good, none is what was asked for."""
_WORTH = -1.05
"""What the source's own worth weighs: the check counts the same words, so that a rank without them is a doubt."""
_BIAS = -2.6
ENOUGH = 0.31
"""Certainty from which a stretch is given as the answer: about a third of the questions that docs answer fall short."""
ENOUGH_BY_MEANING = 1.4
"""Score of the check, lead over the next best section and nearness of the source, added, from which a stretch is given
as the answer where an encoder is at work."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a stretch answers."""

    check: float
    """Score of the answer check."""
    words: float
    """Words of the question that it speaks of, each by its weight: share times count."""
    lead: float
    """How much more its source is worth than the best of another page."""
    worth: float
    ahead: float = 0.0
    """How much more it is worth than the best of another section."""
    nearness: float | None = None
    """How near in meaning its source is to the question, 0…1, where an encoder is at work."""
    defines: bool = False
    """Whether it says what just that is that is asked about."""

    @property
    def certainty(self) -> float:
        """0…1: the share of answers with such signs that hold what was asked."""
        evidence = _CHECK * self.check + _WORDS * self.words + _LEAD * self.lead + _WORTH * self.worth + _BIAS
        return 1 / (1 + math.exp(-evidence))

    @property
    def sure(self) -> bool:
        """Whether the stretch is given as the answer."""
        if self.defines:
            return True
        if self.nearness is None:
            return self.certainty >= ENOUGH
        return self.check + self.ahead + self.nearness >= ENOUGH_BY_MEANING


def signs(judged: AnswerCheck, words: float, sources: Sequence[Source], *, defines: bool = False) -> Signs:
    """The signs of a stretch around the first of these sources, which may define what is asked about."""
    first = sources[0]
    elsewhere = (source.worth for source in sources[1:] if source.passage.page.src != first.passage.page.src)
    beside = (source.worth for source in sources[1:] if source.passage.section != first.passage.section)
    lead, ahead = (first.worth - max(others, default=0.0) for others in (elsewhere, beside))
    near = first.nearness.passage if first.nearness else None
    return Signs(judged.score, words, lead, first.worth, ahead, near, defines)
