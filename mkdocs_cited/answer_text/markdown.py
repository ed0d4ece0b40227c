"""The doors to an answer's Markdown: its blocks, and its prose, markers and code, with offsets into its content.

What of it is a claim, and what is wrong with it, is said elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mkdocs_cited.answer_text.blocks import Block, BlockKind, Code, Link, Run, RunKind
from mkdocs_cited.answer_text.places import Reader

__all__ = ["Block", "BlockKind", "Code", "Link", "Run", "RunKind", "blocks", "code_in", "markers", "prose"]


@lru_cache(maxsize=1024)  # every file that answers go into asks for all of them in turn
def blocks(content: str) -> tuple[Block, ...]:
    """The blocks of an answer in order. Never raises; linear in the length of any text met in practice."""
    return tuple(Reader(content).blocks())


def prose(content: str) -> str:
    """The content with everything but prose and HTML blanked out, so that offsets stay: no code, no addresses."""
    shown = [char if char == "\n" else " " for char in content]
    for block in blocks(content):
        for run in block.runs:
            if run.kind not in (RunKind.CODE, RunKind.BREAK):
                shown[run.start : run.end] = content[run.start : run.end]
    return "".join(shown)


def markers(content: str) -> tuple[tuple[int, int, int], ...]:
    """Every `[^n]` that is a citation: its number and its offsets in the content, in order."""
    runs = (run for block in blocks(content) for run in block.runs if run.kind is RunKind.MARKER)
    return tuple((run.number, run.start, run.end) for run in runs)


def code_in(content: str) -> tuple[Code, ...]:
    """All code of an answer, in order."""
    return tuple(piece for block in blocks(content) for piece in _code_of(block, content))


def _code_of(block: Block, content: str) -> Iterator[Code]:
    if block.kind is BlockKind.CODE:
        start = content.find(block.fence, block.start, block.end)
        yield Code(start, block.end, True, "" if block.closed else block.fence)
    for run in block.runs:
        if run.kind is RunKind.CODE:
            start = content.rfind(run.ticks, 0, run.start)
            yield Code(start, content.find(run.ticks, run.end) + len(run.ticks), False)
