"""The Markdown that answers are written in, its only parser and its blocks: what is reviewed and shown is one tree.

CommonMark 0.31 with tables, and `[^1]` for a citation's number. Nothing vanishes from it: HTML is text with tags in it,
and there are no link definitions, so that `[^1]: text` and `[1]: text` are words like all others. How citations and
addresses are written is said here, too; what they lead to, and whether they may, is found elsewhere. Where a token
is in the content is found in `markdown`, how it looks in a page is decided in `render.markdown`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from enum import Enum

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
"""Characters of one answer that are read as Markdown or data; a longer one is a single paragraph of plain text."""
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


def tokens(content: str) -> list[Token]:
    """The block tokens of an answer, in order; the caller may change them. Addresses are as written: nothing has
    checked them."""
    if len(content) > LONGEST:
        inline = Token(
            "inline",
            "",
            0,
            map=[0, 1],
            content=content,
            children=[Token("text", "", 0, content=content)],
        )
        return [
            Token("paragraph_open", "p", 1, map=[0, 1]),
            inline,
            Token("paragraph_close", "p", -1),
        ]
    return PARSER.parse(content)


def words(inline: Iterable[Token]) -> str:
    """The text of inline tokens, without any markup: what an image is called."""
    return "".join(
        words(token.children or ()) if token.type == "image" else _text(token)
        for token in inline
        if token.nesting == 0
    )


def _text(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == MARK:
        return token.markup
    return token.content


def _mark(state: StateInline, silent: bool) -> bool:
    """`[^1]` in running text; code never comes here."""
    match = MARKER.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        token = state.push(MARK, "sup", 0)
        token.content, token.markup = match[1], match[0]
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


class Run(Struct, frozen=True):
    """A piece of a block that is all of one kind."""

    kind: RunKind
    text: str
    """What a reader sees of it; a marker as it is written."""
    origins: tuple[int, ...]
    """Offset in the content of each character of `text`."""
    start: int
    """Offset in the content."""
    end: int
    """Offset behind it."""
    strong: bool = False
    """Whether it is set in bold."""
    ticks: str = ""
    """The backticks around code."""

    @property
    def number(self) -> int:
        """The number that a marker holds."""
        return int(self.text[2:-1])


class Link(Struct, frozen=True):
    """A link or an image."""

    href: str
    """Its address as written, escapes resolved; nothing has checked it."""
    start: int
    """Offset in the content of the block that holds it."""


class Block(Struct, frozen=True):
    """A paragraph, heading, list item, table row or code block."""

    kind: BlockKind
    start: int
    """Offset of its first line in the content."""
    end: int
    """Offset behind its last line."""
    container: int
    """Number of the list item or quotation that it is in; 0 for none."""
    runs: tuple[Run, ...] = ()
    links: tuple[Link, ...] = ()
    code: str = ""
    """The text of a code block, without its fences."""
    language: str = ""
    fence: str = ""
    """What opens a code block; empty for one that is only indented."""
    closed: bool = True
    """Whether its fence is closed."""

    @property
    def text(self) -> str:
        """What a reader sees, markers included."""
        if self.kind is BlockKind.CODE:
            return self.code
        return "".join(run.text for run in self.runs)


class Code(Struct, frozen=True):
    """A code block or a piece of inline code, with what encloses it."""

    start: int
    """Offset of its fence or its backticks in the content; of an indented block, of its text."""
    end: int
    """Offset behind the fence or the backticks that close it."""
    block: bool
    """Whether it is a block; otherwise it is in a line."""
    open: str = ""
    """The fence that would close it, if none does."""
