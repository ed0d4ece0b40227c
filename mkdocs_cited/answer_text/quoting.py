"""Which part of a passage carries a sentence: the choice of passages and quotes. Whether it *supports* it is review."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from mkdocs_cited.base.text import collapse
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.source import Passage, PassageKind

LONGEST_QUOTE = 3
"""Sentences in a row that one quote may span."""
ENOUGH_NEW = 0.2
"""Share of a claim's weight that a further passage must add to be cited next to the first."""
MOST_PASSAGES = 2
"""Passages that one citation of a whole section may come to."""


class Quote(Struct, frozen=True):
    """A part of a passage: whole sentences, or a whole code block."""

    passage: Passage
    first: int
    """Number of its first sentence."""
    last: int
    """Number of its last sentence."""

    @classmethod
    def whole(cls, passage: Passage) -> Quote:
        """All of a passage."""
        return cls(passage, 0, max(len(passage.sentences) - 1, 0))

    @property
    def range(self) -> tuple[int, int]:
        """Start and end of the quote, as offsets in the passage's text."""
        if self.passage.kind is PassageKind.CODE or not self.passage.sentences:
            return 0, len(self.passage.text)
        return self.passage.sentences[self.first][0], self.passage.sentences[self.last][1]

    @property
    def text(self) -> str:
        """The quoted words, verbatim as the passage has them."""
        start, end = self.range
        return self.passage.text[start:end]

    def joined(self, other: Quote) -> Quote:
        """The shortest quote of the same passage that holds both."""
        return Quote(self.passage, min(self.first, other.first), max(self.last, other.last))


def best_quotes(claim: str, passages: Sequence[Passage], language: str) -> tuple[Quote, ...]:
    """The parts of `passages` that share most with a claim, best first; at most `MOST_PASSAGES`.

    A word weighs `1 + ln(n ÷ df)` over the n sentences on offer (inverse document frequency, Spärck Jones 1972),
    so that the section's own subject decides nothing. Of equals, the first that has the claim letter for letter is
    best, else the first. Empty only when there is no passage.
    """
    candidates = [(passage, _sentences(passage, language)) for passage in passages]
    frequency = Counter(word for _, sentences in candidates for words in sentences for word in words)
    count = sum(len(sentences) for _, sentences in candidates) or 1
    wanted = {word: 1 + math.log(count / frequency[word]) for word in stems(claim, language) if frequency[word]}
    said = collapse(re.sub(r"[`*\\]", "", claim)).rstrip(".")
    ranks = {passage.id: (said in passage.text, -order) for order, passage in enumerate(passages)}
    quotes: list[Quote] = []
    total = sum(wanted.values())
    while candidates and len(quotes) < MOST_PASSAGES:
        gain, _, quote, covered = max(
            (_best_window(passage, cut, wanted, ranks[passage.id]) for passage, cut in candidates),
            key=lambda item: item[:2],
        )
        if quotes and gain < ENOUGH_NEW * total:
            break
        quotes.append(quote)
        wanted = {word: weight for word, weight in wanted.items() if word not in covered}
        candidates = [item for item in candidates if item[0] is not quote.passage]
    return tuple(quotes)


def _sentences(passage: Passage, language: str) -> list[frozenset[str]]:
    if passage.kind is PassageKind.CODE or not passage.sentences:
        return [frozenset(stems(passage.text, language))]
    return [frozenset(stems(text, language)) for text in passage.sentence_texts()]


def _best_window(
    passage: Passage, sentences: list[frozenset[str]], wanted: dict[str, float], rank: tuple[bool, int]
) -> tuple[float, tuple[bool, int], Quote, frozenset[str]]:
    """The run of sentences with most weight; each further sentence must add at least a tenth of what it has."""
    best = (-1.0, rank, Quote(passage, 0, 0), frozenset[str]())
    for first in range(len(sentences)):
        covered: frozenset[str] = frozenset()
        for last in range(first, min(first + LONGEST_QUOTE, len(sentences))):
            covered |= sentences[last] & wanted.keys()
            gain = sum(wanted[word] for word in covered) * (0.9 ** (last - first))
            if gain > best[0]:
                best = (gain, rank, Quote(passage, first, last), covered)
    return best
