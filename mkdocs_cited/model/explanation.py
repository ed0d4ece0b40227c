"""Why a question was answered from where it was, or not at all: candidates, what each scored for, and their fate."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.model.source import Passage


class Fate(StrEnum):
    """What became of a candidate."""

    CITED = "cited"
    """The answer cites its section."""
    GIVEN = "given"
    """The writer was given it, and does not cite it."""
    RELEVANT = "relevant"
    """Relevant enough; of an answer: but thin, said by another already, or one too many."""
    BELOW = "below"
    """Not relevant enough."""


class Candidate(Struct, frozen=True):
    """A passage that a question's words found."""

    passage: Passage
    relevance: float
    """0…1, of its best phrasing."""
    reason: str
    """The search's own words: which were found where."""
    says: tuple[str, ...]
    """The question's words that appear in it, in its headings or its page's title."""
    lacks: tuple[str, ...]
    """Those that do not."""
    fate: Fate

    @property
    def where(self) -> str:
        """Its section, `guide/keys.md#rotate`."""
        return self.passage.section.where


class Explanation(Struct, frozen=True):
    """Why a question found what it found."""

    question: str
    words: tuple[str, ...]
    """The words of the question that are searched for, in its order."""
    unknown: tuple[str, ...]
    """Those that appear nowhere in the pages it may be answered from."""
    threshold: float
    """Least relevance of a source, 0…1."""
    candidates: tuple[Candidate, ...]
    """In rank order."""

    @property
    def conclusion(self) -> str:
        """What was answered from or ranks first, and whether it is relevant enough, in a sentence."""
        if not self.candidates:
            return "Nothing in the docs has these words."
        best = max(self.candidates, key=lambda item: item.relevance)
        if best.fate is Fate.BELOW:
            return f"Nothing reaches cite_threshold {self.threshold:.2f}: the best is {_scored(best)}."
        cited = next((item for item in self.candidates if item.fate is Fate.CITED), None)
        return f"Answered from {_scored(cited)}." if cited else f"First is {_scored(self.candidates[0])}."


def _scored(item: Candidate) -> str:
    """`guide/keys.md#rotate (0.82), which says “key” and lacks “long”`."""
    parts = [
        (verb, ", ".join(f"“{word}”" for word in words)) for verb, words in (("says", item.says), ("lacks", item.lacks))
    ]
    return f"{item.where} ({item.relevance:.2f}), which " + " and ".join(
        f"{verb} {words}" for verb, words in parts if words
    )
