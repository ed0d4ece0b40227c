"""When a table's row or a line of code plainly says what a claim says. Sentences are for `support`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.language.lexicon import interchangeable, word_class
from mkdocs_cited.language.quantities import same
from mkdocs_cited.review.lexical.evidence import Text
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText, parse
from mkdocs_cited.review.lexical.support import FROM_CONTEXT

_COMMENT = re.compile(r"\s*(?:#+|//+|--|;+|REM\b)\s+(?P<text>.*)|(?P<line>.*?\S)\s+(?:#|//)\s+(?P<behind>.*)")
_PROMPT = re.compile(r"^\s*(?:[$>]\s+)?")
_JOINTS = re.compile(r"[^\w.]+|_+|(?<=[a-z])(?=[A-Z])")


def row_says(claim: ParsedText, text: Text, language: str) -> bool:
    """Whether cells of a row, under their heads, with the row's name and what stands above, are all that it claims."""
    if not text.cells or not claim.language:
        return False
    cells = [parse(cell, language) for cell in text.cells]
    heads = [parse(head, language) for head in text.header]
    told = [at for at in range(1, len(cells)) if cells[at].items and _tells(claim, cells[at])]
    if not cells[0].items or not _tells(claim, cells[0]) or not told:
        return False
    if any(_like_another(cells, at) and not (heads[at].items and _tells(claim, heads[at])) for at in told):
        return False  # 8 stands in more columns than one: which is meant?
    several = [cells[0], *(cells[at] for at in told)]
    if any(_like_another(several, at) for at in range(1, len(several))):
        return False  # two values that may have changed places
    known = [item for at in (0, *told) for part in (cells[at], heads[at]) for item in part.items]
    others = {key for at, head in enumerate(heads[1:], 1) if at not in told for key in head.keys}
    above = [item for item in parse(text.context, language).items if item.key not in others]
    rest = [item for item in claim.items if not _known(item, known) and item.key != "[permission]"]
    named = any(heads[at].key_set & claim.key_set for at in told)
    explained = (
        item.kind is ItemKind.WORD and (_known(item, above) or (named and item.text.lower() in word_class("cell")))
        for item in rest
    )
    return len(rest) <= FROM_CONTEXT and all(explained)


def _tells(claim: ParsedText, part: ParsedText) -> bool:
    """Whether a claim has all that a cell or head says."""
    return all(any(_alike(item, other) for other in claim.items) for item in part.items)


def _like_another(cells: Sequence[ParsedText], at: int) -> bool:
    """Whether another cell of a row, its name aside, holds a value of the same kind."""

    def kind(cell: ParsedText) -> tuple[str, ...]:
        return tuple(item.figure.dimension if item.figure else str(item.kind) for item in cell.items)

    return any(kind(cell) == kind(cells[at]) for other, cell in enumerate(cells) if other not in (0, at))


def code_says(claim: ParsedText, text: Text, language: str, asked: ParsedText) -> bool:
    """Whether a claim quotes a line of code whole, and says of it only what stands in it, beside it or above it.

    Words that another line has, and this one has not, say nothing about it.
    """
    if not text.code or not claim.language or any(item.kind in _LIMITS for item in claim.items):
        return False
    lines = [(line, _read(line, note, language)) for line, note in _lines(text.text)]
    above = parse(text.context, language).items + asked.items
    for line, said in lines:
        quoted = parse(line, language).key_set
        others = {item.key for other, items in lines if other != line for item in items} - {item.key for item in said}
        known = (*said, *(item for item in above if item.key not in others))
        values = any(item.kind in (ItemKind.IDENTIFIER, ItemKind.FIGURE) for item in parse(line, language).items)
        if values and quoted <= claim.key_set and all(_known(item, known) for item in claim.items):
            return True
    return False


_LIMITS = (ItemKind.NEGATION, ItemKind.LIMIT)


def _lines(code: str) -> Iterator[tuple[str, str]]:
    """The lines of some code, each with the comment above or behind it."""
    note = ""
    for line in code.splitlines():
        match = _COMMENT.fullmatch(line)
        if match and match["text"] is not None:
            note = f"{note} {match['text']}"
            continue
        bare = _PROMPT.sub("", match["line"] if match else line)
        if bare.strip():
            yield bare, f"{note} {match['behind'] if match else ''}"
        note = ""


def _read(line: str, note: str, language: str) -> tuple[Item, ...]:
    """What a line and its comment say, names taken apart: `--full-interval=8h` says full, interval and 8h."""
    apart = _JOINTS.sub(" ", line)
    return tuple(item for part in (line, apart, note) for item in parse(part, language).items)


def _known(item: Item, known: Sequence[Item]) -> bool:
    if item.kind is ItemKind.WORD and item.text.lower() in word_class("light"):
        return True
    return any(_alike(item, other) for other in known)


def _alike(mine: Item, theirs: Item) -> bool:
    if mine.figure is not None and theirs.figure is not None:
        return same(mine.figure, theirs.figure)
    return mine.key == theirs.key or (
        mine.kind is theirs.kind is ItemKind.WORD and interchangeable(mine.key, theirs.key)
    )
