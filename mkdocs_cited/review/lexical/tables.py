"""What the rows of a table prove: a value that stands in another row of the column, or in another column of the row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.language.quantities import same
from mkdocs_cited.review.lexical.evidence import CitedTexts, Text
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText, parse
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind

_VALUES = (ItemKind.FIGURE, ItemKind.IDENTIFIER, ItemKind.NAME)
_NO = frozenset({"no", "nein", "✗", "✘", "❌", "✖"})
LONGEST_VALUE = 4
"""Items of a cell that is a value, and not a sentence about one."""


def misplaced(claim: ParsedText, cited: CitedTexts) -> Iterator[Proof]:
    """Values of the claim that its row does not have where the claim puts them, and another cell of the table does."""
    for rows in _tables(cited):
        row = _named(claim, rows, cited.language)
        if row is None:
            continue
        for item in claim.items:
            if item.kind in _VALUES and not _about_row(item, row, cited.language):
                yield from _elsewhere(item, claim, row, rows, cited)


def refused(claim: ParsedText, cited: CitedTexts) -> Iterator[Proof]:
    """The proof that the claim grants what the table refuses: the row says no in a column that the claim names."""
    if "not" in claim.key_set:
        return
    for rows in _tables(cited):
        row = _named(claim, rows, cited.language)
        for at in range(1, len(row.cells)) if row else ():
            if row and row.cells[at].strip(" *_`").lower() in _NO and _column(row, at, claim, cited.language):
                head = next(item for item in claim.items if item.key in parse(row.header[at], cited.language).key_set)
                message = f"the table has “{row.cells[at]}” for “{row.cells[0]}” under “{row.header[at]}”"
                yield Proof(ProofKind.CELL, (head.start, head.end), row.cells[at], message, row.text)


def _tables(cited: CitedTexts) -> list[list[Text]]:
    tables: dict[tuple[str, tuple[str, ...]], list[Text]] = {}
    for text in cited.texts:
        if text.cells:
            tables.setdefault((text.table, text.header), []).append(text)
    return list(tables.values())


def _named(claim: ParsedText, rows: Sequence[Text], language: str) -> Text | None:
    """The row whose first cell the claim names, the longest name counting; None if there are several or none."""
    heads = [(parse(row.cells[0], language), row) for row in rows]
    named = [(len(head.key_set), row) for head, row in heads if head.items and head.key_set <= claim.key_set]
    longest = [row for size, row in named if size == max(each for each, _ in named)]
    return longest[0] if len(longest) == 1 else None


def _about_row(item: Item, row: Text, language: str) -> bool:
    """Whether an item is of the row's name or of its table's header."""
    return any(item.key in parse(part, language).key_set for part in (row.cells[0], *row.header))


def _elsewhere(item: Item, claim: ParsedText, row: Text, rows: Sequence[Text], cited: CitedTexts) -> Iterator[Proof]:
    language = cited.language
    own = [at for at in range(1, len(row.cells)) if _has(row.cells[at], item, language)]
    columns = [
        at for at in range(1, len(row.header))
        if _column(row, at, claim, language)
        and (at in own or not any(_has(row.cells[at], other, language) for other in claim.items))
    ]  # fmt: skip
    if len(columns) == 1 and columns[0] not in own and (own or _only_value(item, claim, row, language)):
        if not any(_has(row.cells[columns[0]], other, language) for other in claim.items):
            yield from _proof(item, row, columns[0], language, bool(own))
    elif not own:
        found = {at for other in rows for at in range(1, len(other.cells)) if _is(other.cells[at], item, language)}
        if len(found) == 1 and (not columns or columns == list(found)):
            yield from _proof(item, row, found.pop(), language, False)


def _only_value(item: Item, claim: ParsedText, row: Text, language: str) -> bool:
    """Whether an item is the only value that the claim gives."""
    return all(other is item or other.kind not in _VALUES or _about_row(other, row, language) for other in claim.items)


def _proof(item: Item, row: Text, column: int, language: str, own: bool) -> Iterator[Proof]:
    """What a row has in a column instead; of any kind, where the value stands in the row under another head."""
    cell = row.cells[column] if column < len(row.cells) else ""
    values = parse(cell, language).items
    alike = any(_comparable(item, value) for value in values) or (
        own and any(value.kind in _VALUES for value in values)
    )
    if not 0 < len(values) <= LONGEST_VALUE or not alike:
        return
    where = f"“{row.cells[0]}” under “{row.header[column]}”"
    message = f"the claim says “{item.text}”, the table has “{cell}” for {where}"
    yield Proof(ProofKind.CELL, (item.start, item.end), cell, message, row.text)


def _comparable(item: Item, value: Item) -> bool:
    if item.figure and value.figure:
        return item.figure.dimension == value.figure.dimension
    return not item.figure and not value.figure and value.kind in _VALUES


def _column(row: Text, at: int, claim: ParsedText, language: str) -> bool:
    """Whether the claim names a column, by words that no other column has."""
    mine = parse(row.header[at], language).key_set
    others = {key for number, head in enumerate(row.header) if number != at for key in parse(head, language).key_set}
    return bool(mine - others) and mine - others <= claim.key_set


def _has(cell: str, item: Item, language: str) -> bool:
    parsed = parse(cell, language)
    return item.key in parsed.key_set or (
        item.figure is not None and any(same(item.figure, other) for other in parsed.figures)
    )


def _is(cell: str, item: Item, language: str) -> bool:
    """Whether a cell is a value, and this one."""
    return len(parse(cell, language).items) <= LONGEST_VALUE and _has(cell, item, language)
