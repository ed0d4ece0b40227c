"""An answer's Markdown as blocks: its prose, markers and code, each found again in the content.

The values and the parser are in `dialect`; what is a claim, and what is wrong with it, is said elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it.helpers import parseLinkDestination, parseLinkTitle
from markdown_it.token import Token

from mkdocs_cited.answer_text.dialect import MARK, Block, BlockKind, Code, Link, Run, RunKind, tokens

__all__ = ["Block", "BlockKind", "Code", "Link", "Run", "RunKind", "blocks", "code_in", "markers", "prose"]

_NEWLINE = re.compile(r"\r\n|\r|\n")
_GAP = 64
"""How far behind the last token the next one is looked for, in characters."""
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
                    yield Block(kind, row.start, row.end, containers[-1], tuple(row.runs), tuple(row.links))
                    row = None
                case "fence" | "code_block":
                    yield self._code(token, containers[-1])
                case "inline" if row:
                    row.add(token, self.content)
                case "inline":
                    start, end = self._span(token)
                    kind, inline = _KINDS.get(before, BlockKind.PARAGRAPH), _Inline(token, self._origins(token))
                    yield Block(kind, start, end, containers[-1], tuple(inline.runs), tuple(inline.links))
            if token.type != "paragraph_open" or before != "list_item_open":
                before = token.type

    def _code(self, token: Token, container: int) -> Block:
        start, end = self._span(token)
        text = token.content.removesuffix("\n")
        first, stop = token.map or [0, 0]
        lines = text.count("\n") + 1 if token.content else 0
        return Block(
            BlockKind.CODE, start, end, container, code=text, language=token.info.strip(),
            fence=token.markup, closed=not token.markup or stop - first > lines + 1,
        )  # fmt: skip

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
        found = self.content.rfind(text, start, stop) if text else stop
        return found if found >= 0 else start


class _Row:
    """The runs and links of one table row, gathered cell by cell."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.position = start
        self.runs: list[Run] = []
        self.links: list[Link] = []

    def add(self, token: Token, content: str) -> None:
        source = token.content.replace("|", "\\|")  # a pipe in a cell is written with a backslash
        if not source:
            return
        if self.runs:
            self.runs.append(Run(RunKind.BREAK, " ", (self.position,), self.position, self.position))
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
    """The runs and links of one inline token, found again in its source, one behind the other; `origins` maps that
    into the content."""

    def __init__(self, token: Token, origins: Sequence[int]) -> None:
        self.source = token.content
        self.unbroken = self.source.replace("\n", " ")
        self.origins = origins
        self.runs: list[Run] = []
        self.links: list[Link] = []
        self.position = 0
        self.strong = 0
        self.images = 0
        self.read(token.children or ())

    def read(self, children: Sequence[Token]) -> None:
        skipped = 0
        for child in children:
            if skipped:
                skipped -= 1
                continue
            raw = child.markup or child.content
            match child.type:
                case "text" | "text_special":
                    self._run(RunKind.TEXT, child.content, *self._next(raw))
                case "html_inline":
                    self._run(RunKind.HTML, child.content, *self._next(raw))
                case _ if child.type == MARK:
                    self._run(RunKind.MARKER, raw, *self._next(raw))
                case "code_inline":
                    self._next(raw)
                    start, end = self._next(child.content, self.unbroken)
                    self._run(RunKind.CODE, child.content, start, end, raw)
                    self._next(raw)
                case "softbreak" | "hardbreak":
                    self._run(RunKind.BREAK, " ", *self._next("\n"))
                case "link_open" if child.info == "auto":
                    self._address(child)
                    skipped = 2  # the address once more, and its end
                case "link_open":
                    start, _ = self._next("[")
                    self.links.append(Link(str(child.attrs.get("href", "")), self.origins[start]))
                case "link_close":
                    self.position = _behind_link(self.source, self.position)
                case "image":
                    self._image(child)
                case "strong_open" | "strong_close":
                    self.strong += 1 if child.type == "strong_open" else -1
                    self._next(raw)
                case "em_open" | "em_close" | "s_open" | "s_close":
                    self._next(raw)

    def _address(self, token: Token) -> None:
        """Read an address between `<` and `>`, which is its own text."""
        start, _ = self._next("<")
        end = self.source.find(">", start)
        end = end if end >= 0 else len(self.source)
        self._run(RunKind.TEXT, self.source[start + 1 : end], start + 1, end)
        self.links.append(Link(str(token.attrs.get("href", "")), self.origins[start]))
        self.position = min(end + 1, len(self.source))

    def _image(self, token: Token) -> None:
        start, _ = self._next("![")
        self.links.append(Link(str(token.attrs.get("src", "")), self.origins[start]))
        self.images += 1
        self.read(token.children or ())
        self.images -= 1
        self.position = _behind_link(self.source, self.position)

    def _next(self, text: str, source: str = "") -> tuple[int, int]:
        """Where `text` is at or a little behind the position, which goes behind it; an empty range there when it
        does not."""
        found = (source or self.source).find(text, self.position, self.position + len(text) + _GAP)
        start = found if found >= 0 else self.position
        self.position = start + len(text) if found >= 0 else start
        return start, self.position

    def _run(self, kind: RunKind, text: str, start: int, end: int, ticks: str = "") -> None:
        same = len(text) == end - start  # not so for escapes and entities
        where = tuple(self.origins[start:end]) if same else (self.origins[start],) * len(text)
        if self.images and kind is not RunKind.BREAK:
            kind, ticks = RunKind.IMAGE, ""
        self.runs.append(Run(kind, text, where, self.origins[start], self.origins[end], self.strong > 0, ticks))


def _behind_link(source: str, position: int) -> int:
    """The offset behind `](address "title")` or `][label]`, which a reader does not see."""
    if not source.startswith("]", position):
        return position
    position += 1
    if source.startswith("[", position):
        return max(source.find("]", position) + 1, position)
    if not source.startswith("(", position):
        return position
    inside = _skip_space(source, position + 1)
    address = parseLinkDestination(source, inside, len(source))
    inside = _skip_space(source, address.pos if address.ok else inside)
    title = parseLinkTitle(source, inside, len(source))
    inside = _skip_space(source, title.pos if title.ok else inside)
    return inside + 1 if source.startswith(")", inside) else position


def _skip_space(source: str, position: int) -> int:
    while position < len(source) and source[position].isspace():
        position += 1
    return position
