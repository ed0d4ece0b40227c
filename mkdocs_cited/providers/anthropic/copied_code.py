"""Code that an answer copies from the docs is cited by us: to the passage that holds it, character by character."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from textwrap import dedent

from mkdocs_cited.answer_text.markdown import BlockKind, blocks
from mkdocs_cited.model.source import Passage, PassageKind

Piece = tuple[str, tuple[int, ...]]
"""A part of an answer's text, and the numbers of what it cites."""


def with_copied_code(pieces: Sequence[Piece], numbers: Callable[[str], tuple[int, ...]]) -> list[Piece]:
    """The pieces of an answer, with the numbers of its passage at the end of each code block that was copied.

    Args:
        numbers: those of the passage that holds a code; none where no passage does.
    """
    text = "".join(piece for piece, _ in pieces)
    ends = {block.end: numbers(block.code) for block in blocks(text) if block.kind is BlockKind.CODE}
    out: list[Piece] = []
    at = 0
    for piece, cited in pieces:
        start = at
        for end in sorted(end for end, sids in ends.items() if sids and start < end < start + len(piece)):
            out.append((text[at:end], ends[end]))
            at = end
        out.append((text[at : start + len(piece)], cited))
        at = start + len(piece)
        if sids := ends.get(at, ()):
            out.append(("", sids))
    return out


def holder(code: str, shown: Sequence[Passage], cited: Container[str]) -> Passage | None:
    """The passage that holds all lines of a code in a row, however they are indented as a whole: one that is cited
    already, else a code block, else any other."""
    wanted = list(_lines(code))
    holding = [passage for passage in shown if wanted and _holds(passage, wanted)]
    holding.sort(key=lambda passage: (passage.id not in cited, passage.kind is not PassageKind.CODE))
    return holding[0] if holding else None


def _holds(passage: Passage, wanted: list[str]) -> bool:
    if passage.kind is not PassageKind.CODE:
        return len(wanted) == 1 and wanted[0] in [passage.text[start:end] for start, end in passage.code_spans]
    lines = [line.rstrip() for line in passage.text.split("\n")]
    for at in range(len(lines) - len(wanted) + 1):
        if lines[at].strip() == wanted[0].strip() and list(_lines("\n".join(lines[at : at + len(wanted)]))) == wanted:
            return True
    return False


def _lines(code: str) -> Iterator[str]:
    """The lines of a code, without what indents all of them and without blank ones around it."""
    return (line.rstrip() for line in dedent(code).strip("\n").split("\n") if code.strip())
