"""An answer's Markdown as blocks: its prose, markers and code, each found again in the content.

The values and the parser are in `dialect`; what is a claim, and what is wrong with it, is said elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it.token import Token

from mkdocs_cited.answer_text.dialect import (
    END,
    Block,
    BlockKind,
    Code,
    Link,
    Run,
    RunKind,
    tokens,
)

__all__ = [
    "Block",
    "BlockKind",
    "Code",
    "Link",
    "Run",
    "RunKind",
    "blocks",
    "code_in",
    "markers",
    "prose",
]

_NEWLINE = re.compile(r"\r\n|\r|\n")
_KINDS = {"heading_open": BlockKind.HEADING, "list_item_open": BlockKind.ITEM}


@lru_cache(maxsize=1024)  # every file that answers go into asks for all of them in turn
def blocks(content: str) -> tuple[Block, ...]:
    """The blocks of an answer in order. Never raises; linear in the length of any text met in practice."""
    return tuple(_Blocks(content).blocks())


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
    runs = (
        run
        for block in blocks(content)
        for run in block.runs
        if run.kind is RunKind.MARKER
    )
    return tuple((run.number, run.start, run.end) for run in runs)


def code_in(content: str) -> tuple[Code, ...]:
    """All code of an answer, in order."""
    return tuple(
        piece for block in blocks(content) for piece in _code_of(block, content)
    )


def _code_of(block: Block, content: str) -> Iterator[Code]:
    if block.kind is BlockKind.CODE:
        start = content.find(block.fence, block.start, block.end)
        yield Code(start, block.end, True, "" if block.closed else block.fence)
    for run in block.runs:
        if run.kind is RunKind.CODE:
            start = content.rfind(run.ticks, 0, run.start)
            yield Code(start, content.find(run.ticks, run.end) + len(run.ticks), False)


class _Blocks:
    """Walks the tokens of one answer and finds the place of each."""

    def __init__(self, content: str) -> None:
        self.content = content.replace("\0", "\ufffd")  # as the parser does
        newlines = [match.span() for match in _NEWLINE.finditer(content)]
        self.starts = [0, *(end for _, end in newlines)]
        self.stops = [*(start for start, _ in newlines), len(content)]

    def blocks(self) -> Iterator[Block]:
        containers, count = [0], 0
        row: _Row | None = None
        head = False
        before = ""
        for token in tokens(self.content):
            match token.type:
                case "list_item_open" | "blockquote_open":
                    count += 1
                    containers.append(count)
                case "list_item_close" | "blockquote_close":
                    containers.pop()
                case "thead_open" | "thead_close":
                    head = token.type == "thead_open"
                case "tr_open":
                    row = _Row(*self._span(token))
                case "tr_close" if row:
                    kind = BlockKind.HEADER if head else BlockKind.ROW
                    yield Block(
                        kind,
                        row.start,
                        row.end,
                        containers[-1],
                        tuple(row.runs),
                        tuple(row.links),
                    )
                    row = None
                case "fence" | "code_block":
                    yield self._code(token, containers[-1])
                case "inline" if row:
                    row.add(token, self.content)
                case "inline":
                    start, end = self._span(token)
                    kind, inline = (
                        _KINDS.get(before, BlockKind.PARAGRAPH),
                        _Inline(token, self._origins(token)),
                    )
                    yield Block(
                        kind,
                        start,
                        end,
                        containers[-1],
                        tuple(inline.runs),
                        tuple(inline.links),
                    )
            if token.type != "paragraph_open" or before != "list_item_open":
                before = token.type

    def _code(self, token: Token, container: int) -> Block:
        start, end = self._span(token)
        text = token.content.removesuffix("\n")
        first, stop = token.map or [0, 0]
        lines = 0
        if token.content:
            lines = text.count("\n") + 1
        return Block(
            BlockKind.CODE,
            start,
            end,
            container,
            code=text,
            language=token.info.strip(),
            fence=token.markup,
            closed=not token.markup or stop - first > lines + 1,
        )

    def _span(self, token: Token) -> tuple[int, int]:
        """Offsets of the lines of a token. The blank lines that markdown-it counts to a list are not ours."""
        first, stop = token.map or [0, 1]
        last = max(min(stop, len(self.starts)) - 1, first)
        return self.starts[first], self.stops[last]

    def _origins(self, token: Token) -> list[int]:
        """The offset of each character of an inline token's source, and of the end behind it."""
        origins: list[int] = []
        line = (token.map or [0])[0]
        for number, text in enumerate(token.content.split("\n")):
            if number:
                origins.append(self.stops[line + number - 1])
            shown = text.lstrip(" \t")  # a tab before it may have become spaces
            start, stop = self._in_line(shown, line + number), self.stops[line + number]
            origins += [start] * (len(text) - len(shown))
            origins += (min(at, stop) for at in range(start, start + len(shown)))
        return [*origins, origins[-1] + 1 if origins else self.starts[line]]

    def _in_line(self, text: str, number: int) -> int:
        """Where `text`, a line without what its container puts before it, is in the content."""
        start, stop = self.starts[number], self.stops[number]
        found = stop
        if text:
            found = self.content.rfind(text, start, stop)
        if found >= 0:
            return found
        return start


class _Row:
    """The runs and links of one table row, gathered cell by cell."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.position = start
        self.runs: list[Run] = []
        self.links: list[Link] = []

    def add(self, token: Token, content: str) -> None:
        # a pipe in a cell is written with a backslash
        source = token.content.replace("|", "\\|")
        if not source:
            return
        if self.runs:
            self.runs.append(
                Run(RunKind.BREAK, " ", (self.position,), self.position, self.position)
            )
        found = content.find(source, self.position, self.end)
        start = found if found >= 0 else self.position
        origins: list[int] = []
        for char in token.content:
            start += char == "|"
            origins.append(min(start, self.end))
            start += 1
        self.position = min(start, self.end)
        inline = _Inline(token, [*origins, self.position])
        self.runs += inline.runs
        self.links += inline.links


class _Inline:
    """The runs and links of one inline token; `origins` maps offsets in its source into the content."""

    def __init__(self, token: Token, origins: Sequence[int]) -> None:
        self.source = token.content
        self.origins = origins
        self.runs: list[Run] = []
        self.links: list[Link] = []
        self.position = 0
        """Offset in the source behind what was read."""
        self.strong = 0
        self.images = 0
        self.read(token.children or (), 0)

    def read(self, children: Sequence[Token], base: int) -> None:
        """Read tokens. An image holds others, so this calls itself.

        Args:
            base: offset in the source that those of the tokens are relative to.
        """
        for child in children:
            end = base + child.meta.get(END, 0)
            match child.type:
                case "text":
                    self._run(
                        RunKind.TEXT, child.content, self.position + len(child.content)
                    )
                case "html_inline":
                    self._run(
                        RunKind.HTML, child.content, self.position + len(child.content)
                    )
                case "text_special":
                    self._run(
                        RunKind.TEXT, child.content, self.position + len(child.markup)
                    )
                case "cited_mark":
                    self._run(
                        RunKind.MARKER, child.markup, self.position + len(child.markup)
                    )
                case "softbreak" | "hardbreak":
                    self._run(RunKind.BREAK, " ", end)
                case "code_inline":
                    self._code(child, end)
                case "link_open":
                    self._link(child, "href")
                    self.position += 1
                case "link_close":
                    self.position = end
                case "image":
                    self._link(child, "src")
                    self.images += 1
                    self.position += len("![")
                    self.read(child.children or (), self.position)
                    self.images -= 1
                    self.position = end
                case _:  # what opens or closes bold and italic text
                    if child.tag == "strong":
                        self.strong += child.nesting
                    self.position += len(child.markup)

    def _link(self, token: Token, attribute: str) -> None:
        self.links.append(
            Link(str(token.attrs.get(attribute, "")), self.origins[self.position])
        )

    def _code(self, token: Token, end: int) -> None:
        """Read inline code, within its backticks and the space that may be inside of them."""
        ticks = len(token.markup)
        self.position += ticks
        if end - ticks - self.position > len(token.content):
            self.position += 1
        self._run(
            RunKind.CODE,
            token.content,
            self.position + len(token.content),
            token.markup,
        )
        self.position = end

    def _run(self, kind: RunKind, text: str, end: int, ticks: str = "") -> None:
        start = self.position
        self.position = end
        where = tuple(self.origins[start:end])
        if len(text) != end - start:  # an escape, an entity or the end of a line
            where = (self.origins[start],) * len(text)
        if self.images and kind is not RunKind.BREAK:
            kind, ticks = RunKind.IMAGE, ""
        self.runs.append(
            Run(
                kind,
                text,
                where,
                self.origins[start],
                self.origins[end],
                self.strong > 0,
                ticks,
            )
        )
