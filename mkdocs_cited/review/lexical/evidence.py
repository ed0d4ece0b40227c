"""The cited passages as places to hold a claim against: sentences in a row, table rows, blocks of code.

A place has what a reader has read before it (title, heading, lead-in, a table's header): that explains the words of a
claim, and states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from mkdocs_cited.language.quantities import Quantity, Stated, unit_of
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.review.lexical.parsed import ItemKind, ParsedText, parse

LONGEST = 3
"""Sentences in a row that one claim may rest on."""
MOST = 1000
"""Items of a place that a claim is laid over; a longer one only states figures and names."""
CLOSEST = 6
"""Places that a claim is laid over."""
_SIGNS = str.maketrans(dict.fromkeys("=~(),;:", " "))
"""What may stand right before a figure or behind it."""
_BARE = re.compile(r"[-+~≈<>≤≥=\s]*[0-9][0-9.,'\s]*")
_UNIT = re.compile(
    r"(?:[(\[,]\s*(?:in\s+)?|\bin\s+)([A-Za-zµ%]+)[)\]]*\s*$|^\s*(?!min$|second$)([A-Za-zµ%]{2,})\s*$", re.IGNORECASE
)
"""The unit that a column's head gives: `Timeout (ms)`, `Size in MB`, `ms`; not the head `Min`, nor `Second`."""


class Text(Struct, frozen=True):
    """One cited text, as plain as a reader sees it."""

    text: str
    context: str = ""
    """What stands above it: titles and headings, then what leads into it."""
    spans: tuple[tuple[int, int], ...] = ()
    """Offsets of its sentences."""
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    """The header cells of its table, where it is a row."""
    table: str = ""
    """What the rows of one table, or the items of one list, share."""
    step: int = 0
    """Where it stands on its page, from 1, if it is an item of a numbered list."""
    code: bool = False
    """Whether it is a block of code."""


class Place(Struct, frozen=True, dict=True):
    """Some sentences of a text in a row, or the whole of a row or a block of code."""

    body: ParsedText
    context: ParsedText
    source: Text


class CitedTexts(Struct, frozen=True, dict=True):
    """Everything that a claim cites."""

    texts: tuple[Text, ...]
    language: str

    @cached_property
    def stated(self) -> Stated:
        """The figures that stand in any text or above it, those of settings included: `COLUMNS=80`, `--every=8h`."""
        return Stated(self._figures(part for text in self.texts for part in (text.text, text.context)))

    def _figures(self, parts: Iterable[str]) -> Iterator[Quantity]:
        for part in parts:
            yield from parse(part, self.language).figures
            if not _SIGNS.keys().isdisjoint(map(ord, part)):
                yield from parse(part.translate(_SIGNS), self.language).figures

    @cached_property
    def passages(self) -> Stated:
        """The figures that stand in a text itself."""
        return Stated(self._figures(text.text for text in self.texts))

    @cached_property
    def said(self) -> str:
        """All of it as one text, headings included."""
        return "\n".join(f"{text.text}\n{text.context}" for text in self.texts)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of everything that is said."""
        parts = {part for text in self.texts for part in (text.text, text.context)}
        return frozenset().union(*(parse(part, self.language).key_set for part in parts))

    def places(self, claim: ParsedText) -> list[Place]:
        """The places that share most with a claim, best first."""
        scored = []
        for order, (text, start, end) in enumerate(self._windows()):
            body = parse(text.text[start:end], self.language)
            shared = len(claim.key_set & body.key_set)
            about = len(claim.key_set & parse(text.context, self.language).key_set - body.key_set)
            if (shared or about > 1) and len(body.items) <= MOST:
                scored.append((-shared - about / 4 + len(body.keys) / 100, order, body, text))
        scored.sort(key=lambda item: item[:2])
        return [Place(body, parse(text.context, self.language), text) for _, _, body, text in scored[:CLOSEST]]

    @cached_property
    def sayings(self) -> tuple[tuple[ParsedText, bool], ...]:
        """Each sentence, row and block of code that is cited, and whether it is a row."""
        return tuple(
            (body, bool(text.cells))
            for text in self.texts
            for start, end in text.spans or ((0, len(text.text)),)
            if len((body := parse(text.text[start:end], self.language)).items) <= MOST
        )

    def _windows(self) -> Iterator[tuple[Text, int, int]]:
        for text in self.texts:
            spans = text.spans or ((0, len(text.text)),)
            for first in range(len(spans)):
                for last in range(first, min(first + LONGEST, len(spans))):
                    yield text, spans[first][0], spans[last][1]

    def identifiers(self) -> dict[str, str]:
        """Key → text of each identifier and name that is said, in order."""
        found: dict[str, str] = {}
        for text in self.texts:
            for item in parse(text.text, self.language).items:
                if item.kind is ItemKind.IDENTIFIER:
                    found.setdefault(item.key, item.text)
        return found

    def states(self, figure: Quantity) -> bool:
        """Whether a figure stands in some form in any text, or above it."""
        return figure in self.stated


def of_evidence(evidence: Sequence[Evidence], language: str) -> CitedTexts:
    """The passages that a claim cites, with all that stands above each."""
    texts = []
    for item in evidence:
        passage = item.passage
        header = passage.header if len(passage.header) == len(passage.cells) else ()
        spans = () if passage.kind is PassageKind.CODE else passage.sentences
        table = f"{passage.page.src}:{passage.block}" if passage.block else ""
        step = passage.position + 1 if passage.kind is PassageKind.STEP else 0
        code = passage.kind is PassageKind.CODE
        cells = _measured(passage.cells, header) if header else ()
        text, spans = (
            (passage.text, spans) if cells == passage.cells or not cells else (" ".join(filter(None, cells)), ())
        )
        texts.append(Text(text, item.heading, spans, cells, header, table, step, code))
    return CitedTexts(tuple(texts), language)


def of_plain(passages: Sequence[str], contexts: Sequence[str], language: str) -> CitedTexts:
    """Plain texts, as data sets hold them: lines with tabs or bars are rows under the first of them."""
    context, texts = "\n".join(contexts), []
    for number, passage in enumerate(passages):
        rows = [_cells(line) for line in passage.splitlines() if line.strip()]
        width = len(rows[0]) if rows else 0
        if width > 1 and len(rows) > 1 and all(len(row) == width for row in rows):
            filled = [row for row in rows[1:] if not all(set(cell) <= set(":- ") for cell in row)]
            above = f"{context}\n{' '.join(rows[0])}"
            measured = [_measured(row, rows[0]) for row in filled]
            texts += [Text(" ".join(row), above, (), row, rows[0], str(number)) for row in measured]
        else:
            texts.append(Text(passage, context, sentences(passage, language)))
    return CitedTexts(tuple(texts), language)


def _cells(line: str) -> tuple[str, ...]:
    mark = "\t" if "\t" in line else "|"
    return tuple(cell.strip() for cell in line.strip().strip("|").split(mark))


def _measured(cells: tuple[str, ...], header: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a row, bare numbers with the unit that their column's head gives: 60000 under `Timeout (ms)`."""
    units = [_UNIT.search(head) if _BARE.fullmatch(cell) else None for cell, head in zip(cells, header, strict=True)]
    names = [match[1] or match[2] if match else "" for match in units]
    return tuple(f"{cell} {name}" if unit_of(name) else cell for cell, name in zip(cells, names, strict=True))
