"""The question about rows of tables: is a cell's content claimed of its own column?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.negation import is_negation
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement, cut, passage_span, twins

_NONE_CELLS = frozenset({"no", "none", "-", "–", "nein", "✗", "false", "off", "never"})
_SOME_CELLS = frozenset({"yes", "ja", "✓", "true", "x", "on", "always"})


def columns(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of a table row whether a cell's content is claimed of the column that it stands in."""
    claim, passage = alignment.claim, alignment.passage
    lines = passage.text.split("\n")
    if len(lines) < 2 or "\t" not in lines[0] or lines[0].count("\t") != lines[1].count("\t"):
        return
    column, line = {}, {}
    row = cell = at = 0
    for offset, character in enumerate(passage.text):
        while at < len(passage.tokens) and passage.tokens[at].start <= offset:
            column[at], line[at] = cell, row
            at += 1
        if character == "\t":
            cell += 1
        elif character == "\n":
            row, cell = row + 1, 0
    heads: dict[int, int] = {}
    for k, link in enumerate(alignment.links):
        if link and claim.weights[k] and link.strength >= 0.8 and line.get(link.to) == 0 and column.get(link.to, 0) > 0:
            heads[k] = column[link.to]
    if not heads:
        return
    cells = lines[1].split("\t")
    for k, link in enumerate(alignment.links):
        if (
            not link
            or not claim.weights[k]
            or line.get(link.to) != 1
            or column.get(link.to, 0) == 0
            or link.strength < 0.8
        ):
            continue
        nearest = min(heads, key=lambda head: abs(head - k))
        places = {column[p] for p in twins(alignment, link.to) if line.get(p) == 1}
        if (
            heads[nearest] not in places
            and heads[nearest] < len(cells)
            and len(set(cells)) > 2 - (len(cells) < 3)
            and _comparable(cells[heads[nearest]], cells[column[link.to]])
        ):
            span = (claim.tokens[nearest].start, claim.tokens[nearest].end)
            yield Disagreement(
                "column",
                1.0,
                span,
                passage_span(alignment, link.to),
                f"the table has '{cells[heads[nearest]].strip()}' under '{cut(claim.text, span)}'",
            )
    for k, index in heads.items():
        said = cells[index].strip().lower() if index < len(cells) else ""
        token = claim.tokens[k]
        denies = any(is_negation(other) for other in claim.tokens)
        if (said in _NONE_CELLS and not denies) or (said in _SOME_CELLS and claim.negated[k]):
            yield Disagreement(
                "column", 1.0, (token.start, token.end), None, f"the table has '{said}' under '{token.text}'"
            )


def _comparable(left: str, right: str) -> bool:
    """Tell whether two cells of a row may hold values of one kind, not a value and a sentence."""
    sizes = sorted((len(left.split()), len(right.split())))
    return sizes[1] <= 3 or sizes[1] < 3 * sizes[0]
