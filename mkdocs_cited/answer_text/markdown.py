"""Where an answer's prose, code, links and HTML stand: Markdown blocks with offsets into the answer's content.

Tokens come from markdown-it (CommonMark with tables); this module only finds each token's place again. What of it is
a claim, and what is wrong with it, is said elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkTitle
from markdown_it.token import Token

from mkdocs_cited.base.text import MARKER

_NEWLINE = re.compile(r"\r\n|\r|\n")
_MASK = "·"
_GAP = 64
"""How far behind the last token the next one is looked for, in characters."""


class BlockKind(Enum):
    """The role of a block in an answer."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    """The first paragraph of a list item; further ones are paragraphs."""
    HEADER = "header"
    """The head row of a table."""
    ROW = "row"
    CODE = "code"


class RunKind(Enum):
    """What a stretch of a block is."""

    TEXT = "text"
    CODE = "code"
    HTML = "html"
    """A tag or comment: its text is empty, for a reader never sees it."""
    BREAK = "break"
    """The end of a line, or of a table's cell."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a block that is all of one kind."""

    kind: RunKind
    text: str
    """What a reader sees of it; markers still stand in it."""
    origins: tuple[int, ...]
    """Offset in the content of each character of `text`."""
    start: int
    """Offset in the content."""
    end: int
    """Offset behind it."""
    strong: bool = False
    """Whether it is set in bold."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image."""

    href: str
    """Its address as written, escapes resolved; nothing has checked it."""
    start: int
    """Offset in the content of the block that holds it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table row or code block."""

    kind: BlockKind
    start: int
    """Offset of its first line in the content."""
    end: int
    """Offset behind its last line."""
    container: int
    """Number of the list item or quotation that it stands in; 0 for none."""
    runs: tuple[Run, ...] = ()
    links: tuple[Link, ...] = ()
    code: str = ""
    """The text of a code block, without its fences."""
    language: str = ""

    @property
    def text(self) -> str:
        """What a reader sees, markers included."""
        return self.code if self.kind is BlockKind.CODE else "".join(run.text for run in self.runs)


@lru_cache(maxsize=64)
def blocks(content: str) -> tuple[Block, ...]:
    """The blocks of an answer in order. Never raises; linear in the length of any text met in practice."""
    return tuple(_Reader(content).blocks())


def prose(content: str) -> str:
    """The content with everything but prose and HTML blanked out, so that offsets stay: no code, no addresses."""
    shown = [char if char == "\n" else " " for char in content]
    for block in blocks(content):
        for run in block.runs:
            if run.kind in (RunKind.TEXT, RunKind.HTML):
                shown[run.start : run.end] = content[run.start : run.end]
    return "".join(shown)


def markers(content: str) -> tuple[tuple[int, int, int], ...]:
    """Every `[^n]` outside code: its number and its offsets in the content, in order."""
    found = []
    for block in blocks(content):
        for run in block.runs:
            if run.kind is RunKind.TEXT:
                found += [
                    (int(match[1]), run.origins[match.start()], run.origins[match.end() - 1] + 1)
                    for match in MARKER.finditer(run.text)
                ]
    return tuple(found)


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("table")
    # A block of HTML is read as a paragraph with tags, so that nothing hides in it; escapes stay tokens of their own.
    md.disable(["html_block", "text_join"])
    md.validateLink = lambda url: True  # type: ignore[method-assign]  # rules must see the links that are refused
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]  # … as they are written
    return md


_PARSER = _parser()
_KINDS = {"heading_open": BlockKind.HEADING, "list_item_open": BlockKind.ITEM}


class _Reader:
    """Walks the tokens of one answer and finds the place of each."""

    def __init__(self, content: str) -> None:
        self.content = content
        # Markers are masked by punctuation of the same length: `[^1]: x` is no definition, `**a.**[^1]` is emphasis.
        self.masked = MARKER.sub(lambda match: _MASK * len(match[0]), content).replace("\0", "\ufffd")
        newlines = [match.span() for match in _NEWLINE.finditer(content)]
        self.starts = [0, *(end for _, end in newlines)]
        self.stops = [*(start for start, _ in newlines), len(content)]

    def blocks(self) -> Iterator[Block]:
        containers, count = [0], 0
        row: _Row | None = None
        head = False
        before = ""
        for token in _PARSER.parse(self.masked):
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
                    start, end = self._span(token)
                    code = self._code(token)
                    yield Block(BlockKind.CODE, start, end, containers[-1], code=code, language=token.info.strip())
                case "inline" if row:
                    row.add(token, self.masked, self.content)
                case "inline":
                    start, end = self._span(token)
                    runs, links = _inline(token, self._origins(token), self.content)
                    yield Block(_KINDS.get(before, BlockKind.PARAGRAPH), start, end, containers[-1], runs, links)
            if token.type != "paragraph_open" or before != "list_item_open":
                before = token.type

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
        """Where `text`, a line without what its container puts before it, stands in the content."""
        start, stop = self.starts[number], self.stops[number]
        found = self.masked.rfind(text, start, stop) if text else stop
        return found if found >= 0 else start

    def _code(self, token: Token) -> str:
        text = token.content.removesuffix("\n")
        if _MASK not in text:
            return text
        line = (token.map or [0])[0] + (token.type == "fence")
        lines = []
        for number, masked in enumerate(text.split("\n")):
            start = self._in_line(masked, line + number)
            lines.append(self.content[start : start + len(masked)])
        return "\n".join(lines)


class _Row:
    """A table's row as its cells come in."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.position = start
        self.runs: list[Run] = []
        self.links: list[Link] = []

    def add(self, token: Token, masked: str, content: str) -> None:
        source = token.content.replace("|", "\\|")  # a pipe in a cell is written with a backslash
        if not source:
            return
        if self.runs:
            self.runs.append(Run(RunKind.BREAK, " ", (self.position,), self.position, self.position))
        found = masked.find(source, self.position, self.end)
        start = found if found >= 0 else self.position
        origins: list[int] = []
        for char in token.content:
            start += char == "|"
            origins.append(min(start, self.end))
            start += 1
        self.position = min(start, self.end)
        runs, links = _inline(token, [*origins, self.position], content)
        self.runs += runs
        self.links += links


def _inline(token: Token, origins: list[int], content: str) -> tuple[tuple[Run, ...], tuple[Link, ...]]:
    """The runs and links of one inline token; `origins` maps its source into the content."""
    source = token.content
    unbroken = source.replace("\n", " ")
    runs: list[Run] = []
    links: list[Link] = []
    strong = position = 0

    def run(kind: RunKind, text: str, start: int, end: int) -> Run:
        if len(text) != end - start:  # an escape, an entity, a tag
            where = (origins[start],) * len(text)
        else:
            where = tuple(origins[start:end])
            if _MASK in text:
                text = "".join(content[at] if char == _MASK else char for char, at in zip(text, where, strict=True))
        return Run(kind, text, where, origins[start], origins[end], strong > 0)

    children = iter(token.children or ())
    for child in children:
        shown, raw = child.content, child.markup or child.content
        match child.type:
            case "text" | "html_inline":
                start, position = _locate(source, shown, position)
                kind, shown = (RunKind.TEXT, shown) if child.type == "text" else (RunKind.HTML, "")
                runs.append(run(kind, shown, start, position))
            case "text_special":
                start, position = _locate(source, raw, position)
                runs.append(run(RunKind.TEXT, shown, start, position))
            case "code_inline":
                _, opened = _locate(source, raw, position)
                start, end = _locate(unbroken, shown, opened)
                runs.append(run(RunKind.CODE, shown, start, end))
                _, position = _locate(source, raw, end)
            case "softbreak" | "hardbreak":
                start, position = _locate(source, "\n", position)
                runs.append(run(RunKind.BREAK, " ", start, position))
            case "link_open" if child.info == "auto":
                start, _ = _locate(source, "<", position)
                end = source.find(">", start)
                end = end if end >= 0 else len(source)
                runs.append(run(RunKind.TEXT, source[start + 1 : end], start + 1, end))
                links.append(Link(str(child.attrs.get("href", "")), origins[start]))
                position = min(end + 1, len(source))
                next(children, None)  # the address once more, decoded
            case "link_open":
                start, position = _locate(source, "[", position)
                links.append(Link(str(child.attrs.get("href", "")), origins[start]))
            case "link_close" if child.info != "auto":
                position = _behind_link(source, position)
            case "image":
                start, position = _locate(source, "![", position)
                links.append(Link(str(child.attrs.get("src", "")), origins[start]))
                position = _behind_link(source, _locate(source, child.content, position)[1])
            case "strong_open" | "strong_close":
                strong += 1 if child.type == "strong_open" else -1
                _, position = _locate(source, raw, position)
            case "em_open" | "em_close":
                _, position = _locate(source, raw, position)
    return tuple(runs), tuple(links)


def _locate(source: str, text: str, position: int) -> tuple[int, int]:
    """Where `text` stands at or a little behind `position`; an empty range there when it does not."""
    found = source.find(text, position, position + len(text) + _GAP)
    return (found, found + len(text)) if found >= 0 else (position, position)


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
