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

from mkdocs_cited.answer_text.dialect import MARKER
from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.language.stems import stems
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
    def range(self) -> tuple[int, int]:
        """Start and end of the quote, as offsets in the passage's text."""
        if self.passage.kind is PassageKind.CODE or not self.passage.sentences:
            return 0, len(self.passage.text)
        return self.passage.sentences[self.first][0], self.passage.sentences[self.last][
            1
        ]

    @property
    def text(self) -> str:
        """The quoted words, verbatim as the passage has them."""
        start, end = self.range
        return self.passage.text[start:end]

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

    def add(self, source: Source) -> Source:
        """The source that stands for a passage: the one it already has, with more context, or this one under the next
        number; the number it came with is dropped."""
        known = self._sources.get(source.passage.id)
        if known is None:
            numbered = replace(source, sid=len(self._sources) + 1)
        else:
            context = {
                passage.id: passage for passage in (*known.context, *source.context)
            }
            numbered = replace(known, context=tuple(context.values()))
        self._sources[source.passage.id] = numbered
        return numbered

    def cite(self, quote: Quote, source: Source) -> int:
        """The number of a quote. Two quotes of one passage become the shortest that holds both.

        Args:
            quote: what is cited.
            source: what its passage is registered as, if it has no number yet.
        """
        name = quote.passage.id
        known = self.quotes.get(name, quote)
        self.quotes[name] = known.joined(quote)
        return self.add(source).sid

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes as citations, by number."""
        cited = (
            Citation(self._sources[name].sid, name, quote.text)
            for name, quote in self.quotes.items()
        )
        return tuple(sorted(cited, key=lambda citation: citation.sid))

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
    """The parts of `passages` that share most with a claim, best first; at most `MOST_PASSAGES`.

    A word weighs `1 + ln(n ÷ df)` over the n sentences on offer (inverse document frequency, Spärck Jones 1972),
    so that the section's own subject decides nothing. Of equals, the first that has the claim letter for letter is
    best, else the first. Empty only when there is no passage.
    """
    passages = _named_rows_first(claim, passages, language)
    candidates = [(passage, _sentences(passage, language)) for passage in passages]
    frequency = Counter(
        word for _, sentences in candidates for words in sentences for word in words
    )
    count = sum(len(sentences) for _, sentences in candidates) or 1
    wanted = {
        word: 1 + math.log(count / frequency[word])
        for word in stems(claim, language)
        if frequency[word]
    }
    said = collapse(re.sub(r"[`*\\]", "", claim)).rstrip(".")
    ranks = {
        passage.id: (said in passage.text, -order)
        for order, passage in enumerate(passages)
    }
    quotes: list[Quote] = []
    total = sum(wanted.values())
    while candidates and len(quotes) < MOST_PASSAGES:
        gain, _, quote, covered = max(
            (
                _best_window(passage, cut, wanted, ranks[passage.id])
                for passage, cut in candidates
            ),
            key=lambda item: item[:2],
        )
        if quotes and gain < ENOUGH_NEW * total:
            break
        quotes.append(quote)
        wanted = {
            word: weight for word, weight in wanted.items() if word not in covered
        }
        candidates = [item for item in candidates if item[0] is not quote.passage]
    return tuple(quotes)


def _named_rows_first(
    claim: str, passages: Sequence[Passage], language: str
) -> list[Passage]:
    """The passages; of a table of which a claim names rows by all words of their first cells, those rows alone."""
    words = set(stems(claim, language))
    named: list[Passage] = []
    for passage in passages:
        first = stems(passage.cells[0], language) if passage.cells else []
        if first and words.issuperset(first):
            named.append(passage)
    tables = {(passage.page.src, passage.block) for passage in named}
    return [
        item
        for item in passages
        if item in named or (item.page.src, item.block) not in tables
    ]


def _sentences(passage: Passage, language: str) -> list[frozenset[str]]:
    """The words of each sentence; of code those of each line, so that a long block has no more weight than a sentence
    that says it all."""
    if passage.kind is PassageKind.CODE:
        texts: Sequence[str] = passage.text.split("\n")
    else:
        texts = passage.sentence_texts() or (passage.text,)
    return [frozenset(stems(text, language)) for text in texts]


def _best_window(
    passage: Passage,
    sentences: list[frozenset[str]],
    wanted: dict[str, float],
    rank: tuple[bool, int],
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


def renumber(draft: Draft, markers: Sequence[tuple[int, int, int]]) -> Draft:
    """The draft with numbers 1…n by first appearance, and without sources and citations that nothing uses.

    Args:
        markers: (number, start, end) of each `[^n]` outside code, in order: `markdown.markers`.

    What has no marker (`used`, `pointers`) is numbered after what has one. Two numbers of one passage become one. A
    number without a source stays without one: it is put behind the last number that has one, for the audit to find.
    """
    passages: dict[int, str] = {}
    sources: dict[str, Source] = {}
    for source in draft.sources:
        passages[source.sid] = source.passage.id
        sources.setdefault(source.passage.id, source)
    wanted = [number for number, _, _ in markers]
    for _, numbers in draft.pointers:
        wanted += numbers
    cited = dict.fromkeys(passages[number] for number in wanted if number in passages)
    new = {passage: number for number, passage in enumerate(cited, start=1)}
    to = {
        number: new[passage] for number, passage in passages.items() if passage in new
    }
    for number in wanted:
        if number not in to:
            to[number] = max(to.values(), default=0) + 1
    citations: list[Citation] = []
    for citation in draft.citations:
        if citation.sid in to:
            citations.append(replace(citation, sid=to[citation.sid]))
    pointers: list[tuple[str, tuple[int, ...]]] = []
    for path, numbers in draft.pointers:
        pointers.append((path, tuple(dict.fromkeys(to[number] for number in numbers))))
    return replace(
        draft,
        content=_rewritten(draft.content, markers, to),
        sources=tuple(
            replace(sources[passage], sid=number) for passage, number in new.items()
        ),
        citations=tuple(sorted(citations, key=lambda citation: citation.sid)),
        pointers=tuple(pointers),
    )


def _rewritten(
    content: str, markers: Sequence[tuple[int, int, int]], to: dict[int, int]
) -> str:
    out, done = [], 0
    for number, start, end in markers:
        out += [content[done:start], f"[^{to[number]}]"]
        done = end
    return "".join([*out, content[done:]])
