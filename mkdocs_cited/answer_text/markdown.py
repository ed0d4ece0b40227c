"""The Markdown of answers: its only parser, and its prose, markers and code as blocks, each found in the content.

What is reviewed and shown is one tree: CommonMark 0.31 with tables, and `[^1]` for a citation's number. Nothing
vanishes from it: HTML is text with tags in it, and there are no link definitions, so that `[^1]: text` and
`[1]: text` are words like all others. How citations and addresses are written is said here, too; what is a claim, and
what is wrong with it, elsewhere, and how a token looks in a page in `render.markdown`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from markdown_it import MarkdownIt, rules_inline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from msgspec import Struct

Rule = Callable[[StateInline, bool], bool]
_RULES: dict[str, Rule] = {
    "newline": rules_inline.newline,
    "escape": rules_inline.escape,
    "backticks": rules_inline.backtick,
    "link": rules_inline.link,
    "image": rules_inline.image,
    "autolink": rules_inline.autolink,
}
"""Inline rules of markdown-it whose tokens do not tell how long their source is."""
END = "end"
"""Key of a token's `meta`: offset behind its source in that of its inline token, or of the image that holds it."""
LONGEST = 200_000
"""Characters of one answer that are read as Markdown or data; a longer one is shown as code."""
MARK = "cited_mark"
"""Type of the token of a citation's number; its content is the number."""

MARKER = re.compile(r"\[\^(\d{1,4})\]")
"""A citation's number: `[^1]`."""
TARGET = r"\[@(?P<target>[^\[\]\n]{1,500})\]"
"""Pattern of an author's citation by target: `[@guide/keys.md#rotate]`."""

ANYBODYS = rf"(?:{TARGET}|\[\^[^\[\]\s]{{1,100}}\](?!:)|\[\d{{1,3}}(?:[,–-] ?\d{{1,3}}){{0,20}}\](?![(\[:]))"
"""Pattern of a citation in a text of anybody's: an author's, `[^note]`, `[1]` and `[2, 3]`."""
_WITH_SPACE = re.compile(rf"[ \t]?{MARKER.pattern}")

_DROPPED = re.compile(r"[\t\n\r]|^[\x00-\x20]+|[\x00-\x20]+$")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""What an address that is whole starts with."""


_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


def tokens(content: str) -> list[Token]:
    """The block tokens of an answer, in order; the caller may change them. Addresses are as written: nothing has
    checked them."""
    if len(content) > LONGEST:
        lines = [0, len(content.splitlines())]
        return [Token("code_block", "code", 0, map=lines, content=content)]
    return PARSER.parse(content)


def words(inline: Iterable[Token]) -> str:
    """The text of inline tokens, without any markup: what an image is called."""
    said = ""
    for token in inline:
        if token.type in ("softbreak", "hardbreak"):
            said += " "
        elif token.type == "image":
            said += words(token.children or ())
        else:
            said += token.content
    return said


def _mark(state: StateInline, silent: bool) -> bool:
    """`[^1]` in running text; code never comes here."""
    match = MARKER.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        token = state.push(MARK, "sup", 0)
        token.content = match[0]
        token.meta["number"] = int(match[1])
    state.pos = match.end()
    return True


def _placed(rule: Rule) -> Rule:
    """Return an inline rule that notes in the last token that it makes where the source of that token ends."""

    def run(state: StateInline, silent: bool) -> bool:
        count = len(state.tokens)
        matches = rule(state, silent)
        if len(state.tokens) > count:
            state.tokens[-1].meta[END] = state.pos
        return matches

    return run


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("table")
    for name, rule in _RULES.items():
        md.inline.ruler.at(name, _placed(rule))
    # A block of HTML is read as a paragraph with tags, so that nothing hides in it; escapes stay tokens of their own.
    md.disable(["html_block", "reference", "text_join"])
    md.inline.ruler.before("link", MARK, _mark)
    md.validateLink = lambda url: True  # type: ignore[method-assign]  # rules must see the links that are refused
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]  # … as they are written
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return md


PARSER = _parser()


def strip_markers(text: str) -> str:
    """The text without its `[^1]` markers, and without the space before each."""
    return _WITH_SPACE.sub("", text)


def seen_by_browsers(address: str) -> str:
    """An address as browsers read it: without what they drop, `\\` as `/` (https://url.spec.whatwg.org/#url-parsing)."""
    return _DROPPED.sub("", html.unescape(address)).replace("\\", "/")


def is_whole(address: str) -> bool:
    """True if an address is the same on every page."""
    return address.startswith("/") or SCHEME.match(address) is not None


def passable(target: str) -> str | None:
    """A link's target if it is an address of the web or of this site, else `None`."""
    address = seen_by_browsers(target)
    scheme = SCHEME.match(address)
    if scheme:
        if scheme[0].lower() in ("http:", "https:", "mailto:"):
            return target
        return None
    if address.startswith("//") or not address:
        return None
    return target


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
    """What a piece of a block is."""

    TEXT = "text"
    CODE = "code"
    MARKER = "marker"
    """A citation's number, `[^1]`."""
    IMAGE = "image"
    """What an image is called: shown where it cannot be."""
    HTML = "html"
    """A tag or comment, which is shown as it is written."""
    BREAK = "break"
    """The end of a line, or of a table's cell."""


_KINDS = {"heading_open": BlockKind.HEADING, "list_item_open": BlockKind.ITEM}
_RUNS = {
    "text": RunKind.TEXT,
    "text_special": RunKind.TEXT,
    "html_inline": RunKind.HTML,
    MARK: RunKind.MARKER,
}
"""Types of tokens that are shown as they are written."""


class Run(Struct, frozen=True):
    """A piece of a block that is all of one kind."""

    kind: RunKind
    text: str
    """What a reader sees of it; a marker as it is written."""
    origins: tuple[int, ...]
    """Offset in the content of each character of `text`; none of a code block."""
    start: int
    """Offset in the content; of code, that of its backticks."""
    end: int
    """Offset behind it."""
    strong: bool = False
    """Whether it is set in bold."""

    @property
    def number(self) -> int:
        """The number that a marker holds."""
        return int(self.text[2:-1])


class Link(Struct, frozen=True):
    """A link or an image."""

    href: str
    """Its address as written, escapes resolved; nothing has checked it."""
    start: int
    """Offset in the content."""


class Block(Struct, frozen=True):
    """A paragraph, heading, list item, table row or code block."""

    kind: BlockKind
    start: int
    """Offset of its first line in the content; of code, that of its fence."""
    end: int
    """Offset behind its last line."""
    container: int
    """Number of the list item or quotation that it is in; 0 for none."""
    runs: tuple[Run, ...] = ()
    """Of a code block one, without its fences; with them, in the content."""
    links: tuple[Link, ...] = ()

    @property
    def text(self) -> str:
        """What a reader sees, markers included."""
        return "".join(run.text for run in self.runs)


@lru_cache(maxsize=1024)  # every file that answers go into asks for all of them in turn
def blocks(content: str) -> tuple[Block, ...]:
    """The blocks of an answer in order. Never raises; linear in the length of any text met in practice."""
    return tuple(_Blocks(content).blocks())


def parts(content: str) -> Iterator[tuple[str, bool]]:
    """The content in pieces, in order, and whether each is code with what encloses it."""
    at = 0
    for code in code_in(content):
        yield content[at : code.start], False
        yield content[code.start : code.end], True
        at = code.end
    yield content[at:], False


def prose(content: str) -> str:
    """The content with everything but prose and HTML blanked out, so that offsets stay: no code, no addresses."""
    shown = list(re.sub(r"[^\n]", " ", content))
    for block in blocks(content):
        for run in block.runs:
            if run.kind not in (RunKind.CODE, RunKind.BREAK):
                shown[run.start : run.end] = content[run.start : run.end]
    return "".join(shown)


def markers(content: str) -> list[tuple[int, int, int]]:
    """Every `[^n]` that is a citation: its number and its offsets in the content, in order."""
    found = []
    for block in blocks(content):
        for run in block.runs:
            if run.kind is RunKind.MARKER:
                found.append((run.number, run.start, run.end))
    return found


def code_in(content: str) -> list[Run]:
    """All code of an answer, blocks and pieces of lines, in order."""
    found = []
    for block in blocks(content):
        for run in block.runs:
            if run.kind is RunKind.CODE:
                found.append(run)
    return found


class _Blocks:
    """Walks the tokens of one answer and finds the place of each."""

    def __init__(self, content: str) -> None:
        self.content = content.replace("\0", "\ufffd")  # as the parser does
        self.lines = [line.span(1) for line in _LINE.finditer(content)]
        """Offsets of each line, and behind its text."""

    def blocks(self) -> Iterator[Block]:
        containers, count = [0], 0
        row: _Inline | None = None
        before = head = ""
        for token in tokens(self.content):
            match token.type:
                case "list_item_open" | "blockquote_open":
                    count += 1
                    containers.append(count)
                case "list_item_close" | "blockquote_close":
                    containers.pop()
                case "thead_open" | "tbody_open":
                    head = token.type
                case "tr_open":
                    row = _Inline(self.content, self._lines(token))
                case "tr_close" if row:
                    kind = BlockKind.ROW
                    if head == "thead_open":
                        kind = BlockKind.HEADER
                    yield row.block(kind, containers[-1])
                    row = None
                case "fence" | "code_block":
                    yield self._code(token, containers[-1])
                case "inline" if row:
                    row.read_cell(token)
                case "inline":
                    inline = _Inline(self.content, self._lines(token))
                    inline.read_lines(token)
                    kind = _KINDS.get(before, BlockKind.PARAGRAPH)
                    yield inline.block(kind, containers[-1])
            if token.type != "paragraph_open" or before != "list_item_open":
                before = token.type

    def _code(self, token: Token, container: int) -> Block:
        lines = self._lines(token)
        start, end = lines[0][0], lines[-1][1]
        text = token.content.removesuffix("\n")
        start = self.content.find(token.markup, start, end)
        return Block(
            BlockKind.CODE,
            start,
            end,
            container,
            runs=(Run(RunKind.CODE, text, (), start, end),),
        )

    def _lines(self, token: Token) -> Sequence[tuple[int, int]]:
        """The lines of a token. The blank lines that markdown-it counts to a list are not ours."""
        first, stop = token.map or [0, 1]
        return self.lines[first:stop] or self.lines[-1:]


class _Inline:
    """The runs and links of lines of text, or of the cells of a row."""

    def __init__(self, content: str, lines: Sequence[tuple[int, int]]) -> None:
        self.content, self.lines = content, lines
        self.runs: list[Run] = []
        self.links: list[Link] = []
        self.origins: Sequence[int] = (lines[0][0],)
        """Offset in the content of each character of the source that is read, and of its end."""
        self.position = 0
        """Offset in that source behind what was read."""
        self.strong = self.images = 0
        """How many of these it is in."""

    def block(self, kind: BlockKind, container: int) -> Block:
        """What was read as a block."""
        start, end = self.lines[0][0], self.lines[-1][1]
        runs, links = tuple(self.runs), tuple(self.links)
        return Block(kind, start, end, container, runs, links)

    def read_lines(self, token: Token) -> None:
        """Read an inline token, each line of which ends a line of the content."""
        origins = []
        texts = token.content.split("\n")
        for text, (first, stop) in zip(texts, self.lines, strict=False):
            shown = text.lstrip(" \t")  # a tab before it may have become spaces
            # a line is the end of its own, behind what its container puts before it
            start = max(self.content.rfind(shown, first, stop), first)
            origins += [start] * (len(text) - len(shown))
            places = range(start, start + len(shown) + 1)
            origins += (min(at, stop) for at in places)
        self._read_all(token, origins)

    def read_cell(self, token: Token) -> None:
        """Read the next cell of a row."""
        behind, stop = self.origins[-1], self.lines[-1][1]
        # a pipe in a cell is written with a backslash
        source = token.content.replace("|", "\\|")
        if not source:
            return
        if self.runs:
            self.runs.append(Run(RunKind.BREAK, " ", (behind,), behind, behind))
        start = max(self.content.find(source, behind, stop), behind)
        origins = []
        for char in token.content:
            if char == "|":
                start += 1
            origins.append(min(start, stop))
            start += 1
        self._read_all(token, [*origins, min(start, stop)])

    def _read_all(self, token: Token, origins: Sequence[int]) -> None:
        self.origins, self.position = origins, 0
        self._read(token.children or (), 0)

    def _read(self, children: Sequence[Token], base: int) -> None:
        """Read tokens. An image holds others, so this calls itself.

        Args:
            base: offset in the source that those of the tokens are relative to.
        """
        for child in children:
            end = base + child.meta.get(END, 0)
            match child.type:
                case "text" | "html_inline" | "text_special" | "cited_mark":
                    end = self.position + len(child.markup or child.content)
                    self._run(_RUNS[child.type], child.content, end)
                case "softbreak" | "hardbreak":
                    self._run(RunKind.BREAK, " ", end)
                case "code_inline":
                    self._code(child, end)
                case "link_open":
                    self._link(child.attrs.get("href"))
                    self.position += 1
                case "link_close":
                    self.position = end
                case "image":
                    self._link(child.attrs.get("src"))
                    self.images += 1
                    self.position += len("![")
                    self._read(child.children or (), self.position)
                    self.images -= 1
                    self.position = end
                case _:  # what opens or closes bold and italic text
                    if child.tag == "strong":
                        self.strong += child.nesting
                    self.position += len(child.markup)

    def _link(self, href: object) -> None:
        self.links.append(Link(str(href), self.origins[self.position]))

    def _code(self, token: Token, end: int) -> None:
        """Read inline code, within its backticks and the space that may be inside of them."""
        ticks, length = len(token.markup), len(token.content)
        inside = self.position + ticks
        if end - ticks - inside > length:
            inside += 1
        where = tuple(self.origins[inside : inside + length])
        self._add(RunKind.CODE, token.content, where, end)

    def _run(self, kind: RunKind, text: str, end: int) -> None:
        where = tuple(self.origins[self.position : end])
        if len(text) != len(where):  # an escape, an entity or the end of a line
            where = (self.origins[self.position],) * len(text)
        self._add(kind, text, where, end)

    def _add(self, kind: RunKind, text: str, where: tuple[int, ...], end: int) -> None:
        start = self.origins[self.position]
        self.position = end
        if self.images and kind is not RunKind.BREAK:
            kind = RunKind.IMAGE
        run = Run(kind, text, where, start, self.origins[end], self.strong > 0)
        self.runs.append(run)
