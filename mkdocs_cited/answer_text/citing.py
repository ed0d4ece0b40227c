"""What an answer cites: the part of a passage that carries a sentence, and the number of its source.

One passage, one quote, one number, contiguous by first appearance in the text. Whether a quote *supports* a sentence is
review.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.markdown import MARKER, markers
from mkdocs_cited.base.text import collapse
from mkdocs_cited.language import stems
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.source import Passage, PassageKind, Source

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
    def text(self) -> str:
        """The quoted words, verbatim as the passage has them."""
        spans = self.passage.sentences
        if self.passage.kind is PassageKind.CODE or not spans:
            return self.passage.text
        return self.passage.text[spans[self.first][0] : spans[self.last][1]]

    def joined(self, other: Quote) -> Quote:
        """The shortest quote of the same passage that holds both."""
        return Quote(
            self.passage, min(self.first, other.first), max(self.last, other.last)
        )


class Registry:
    """Gives each passage that comes into an answer its number, from 1, and keeps the one quote it stands for."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self.quotes: dict[str, Quote] = {}
        """Id of a passage → what of it is quoted, in order of first use."""

    def cite(self, quote: Quote, source: Source) -> int:
        """The number of a quote. Two quotes of one passage become the shortest that holds both.

        Args:
            quote: what is cited.
            source: how its passage was found. The number that it comes with is dropped.
        """
        name = quote.passage.id
        if name in self.quotes:
            known = self._sources[name]
            context = dict.fromkeys((*known.context, *source.context))
            source = replace(known, context=tuple(context))
            quote = self.quotes[name].joined(quote)
        else:
            source = replace(source, sid=len(self._sources) + 1)
        self.quotes[name] = quote
        self._sources[name] = source
        return source.sid

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes as citations, by number."""
        return tuple(
            Citation(source.sid, name, self.quotes[name].text)
            for name, source in self._sources.items()
        )

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every source, by number."""
        return tuple(self._sources.values())


def sentence_before(text: str, language: str) -> str:
    """The sentence, list item or line that ends where `text` ends, without markers: what a citation there is for."""
    block = re.split(r"\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s", text[-4000:])[-1]
    block = MARKER.sub("", block).strip()
    spans = sentences(block, language)
    if spans:
        return block[spans[-1][0] : spans[-1][1]]
    return block


def best_quotes(
    claim: str, passages: Sequence[Passage], language: str
) -> tuple[Quote, ...]:
    """The parts of passages of one page that share most with a claim, best first; at most `MOST_PASSAGES`.

    A word weighs `1 + ln(n ÷ df)` over the n sentences on offer (inverse document frequency, Spärck Jones 1972),
    so that the section's own subject decides nothing. Of equals, the first that has the claim letter for letter is
    best, else the first. Empty only when there is no passage.
    """
    words = set(stems(claim, language))
    said = collapse(re.sub(r"[`*\\]", "", claim)).rstrip(".")
    offered = _named_rows_first(words, passages, language)
    offered.sort(key=lambda passage: said not in passage.text)
    candidates = {passage.id: _sentences(passage, language) for passage in offered}
    frequency: Counter[str] = Counter()
    count = 0
    for texts in candidates.values():
        count += len(texts)
        for text in texts:
            frequency.update(text)
    wanted = {}
    for word in words:
        if frequency[word]:
            wanted[word] = 1 + math.log(count / frequency[word])
    enough = ENOUGH_NEW * sum(wanted.values())
    quotes: list[Quote] = []
    while offered and len(quotes) < MOST_PASSAGES:
        windows = [
            _best_window(passage, candidates[passage.id], wanted) for passage in offered
        ]
        best = max(windows, key=lambda window: window.gain)
        if quotes and best.gain < enough:
            break
        quotes.append(best.quote)
        for word in best.covered:
            del wanted[word]
        offered.remove(best.quote.passage)
    return tuple(quotes)


def _named_rows_first(
    words: set[str], passages: Sequence[Passage], language: str
) -> list[Passage]:
    """The passages of a page; of a table of which a claim names rows by all words of their first cells, those rows
    alone."""
    named = set()
    tables = set()
    for passage in passages:
        first = stems(passage.cells[0], language) if passage.cells else []
        if first and words.issuperset(first):
            named.add(passage.id)
            tables.add(passage.block)
    return [item for item in passages if item.id in named or item.block not in tables]


def _sentences(passage: Passage, language: str) -> list[frozenset[str]]:
    """The words of each sentence; of code those of each line, so that a long block has no more weight than a sentence
    that says it all."""
    texts: Sequence[str] = passage.sentence_texts() or (passage.text,)
    if passage.kind is PassageKind.CODE:
        texts = passage.text.split("\n")
    return [frozenset(stems(text, language)) for text in texts]


class _Window(Struct, frozen=True):
    """A part of a passage that may be quoted."""

    quote: Quote
    gain: float
    """Weight of the claim's words that it has."""
    covered: frozenset[str]
    """These words."""


def _best_window(
    passage: Passage, sentences: list[frozenset[str]], wanted: dict[str, float]
) -> _Window:
    """The run of sentences with most weight; each further sentence must add at least a tenth of what it has."""
    best = _Window(Quote(passage, 0, 0), -1.0, frozenset())
    for first in range(len(sentences)):
        covered: frozenset[str] = frozenset()
        for last in range(first, min(first + LONGEST_QUOTE, len(sentences))):
            covered |= sentences[last] & wanted.keys()
            gain = sum(wanted[word] for word in covered) * (0.9 ** (last - first))
            if gain > best.gain:
                best = _Window(Quote(passage, first, last), gain, covered)
    return best


def renumber(draft: Draft) -> Draft:
    """The draft with numbers 1…n by first appearance, and without sources and citations that nothing uses.

    Two numbers of one passage become one. A number without a source stays without one: it is put behind the last number
    that has one, for the audit to find.
    """
    passages = {source.sid: source.passage.id for source in draft.sources}
    places = markers(draft.content)
    names = dict.fromkeys(passages.get(number, number) for number, _, _ in places)
    ordered = sorted(names, key=lambda name: isinstance(name, int))
    new = {name: at for at, name in enumerate(ordered, 1)}
    content = draft.content
    for number, start, end in reversed(places):
        name = passages.get(number, number)
        content = f"{content[:start]}[^{new[name]}]{content[end:]}"
    sources: dict[int, Source] = {}
    for source in draft.sources:
        sid = new.get(source.passage.id)
        if sid:
            sources.setdefault(sid, replace(source, sid=sid))
    citations = []
    for citation in draft.citations:
        sid = new.get(passages.get(citation.sid, citation.sid))
        if sid:
            citations.append(replace(citation, sid=sid))
    return replace(
        draft,
        content=content,
        sources=tuple(sources[number] for number in sorted(sources)),
        citations=tuple(sorted(citations, key=lambda citation: citation.sid)),
    )
