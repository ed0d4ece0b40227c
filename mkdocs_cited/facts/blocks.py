"""The blocks of a Markdown file with what stands over and before them: headings, leads of items, rows. Code stays in
backquotes, other markup goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import blank_front_matter

_CONTAINER = re.compile(r"(?:\A|\n)(?:!!!|\?\?\?\+?|===\+?|///|:)[ \t]")
"""Begins a block whose indented lines are Markdown (admonitions, details, tabs, definitions)."""
_TERM = re.compile(r"\A([^\n]+)\n:[ \t]+", re.DOTALL)
_DEFINITION = re.compile(r"\A:[ \t]+")
_DEEPEST = 4

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_HTML_CODE = re.compile(r"<(code|kbd)\b[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_AUTOLINK = re.compile(r"<(\w+:[^<>\s]*)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"
)
_NOT_SHOWN = re.compile(r"<!--.*?-->|\[@!?[^\[\]]+\]|\{(?::| ?[#.])[^{}]*\}", re.DOTALL)
"""Comments, marks of ours and attributes."""
_STRONG = re.compile(r"(\*\*\*|\*\*|__|\*|(?<!\w)_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_NAME = re.compile(r"(?:--?)?[A-Za-z_$][\w.$-]*|[A-Za-z_$][\w$-]*\.[\w.$-]+/[\w.$-]+")
_WRITTEN_NAME = re.compile(
    r"""
    (?P<name> (?P<flag> - )? [\w.$/-]+? )
    (?(flag) (?: = [\w.-]+ )? )  # `--color=auto`
    (?! \[ \d )  # an element
    (?: [=:]? [<\[({] (?: (?!\]\.) \S )* | [=:] | \(\) )?  # `--port=<n>`, `run()`, not `a[x].b`
    (?(flag) (?: [ ]+ (?: [<\[({A-Z] .* | [a-z]\w* ) )? )  # `--port <n>`
    """,
    re.VERBOSE,
)
_NO_NAME = re.compile("true|false|null|none", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,|\||\bor\b|\s/)\s*(?=-|\w)|/(?=-)")
"""Between several names of one thing."""
_SHAPED = re.compile(r"^-|[_.]|\w-\w|[a-z][A-Z]|^[A-Z][A-Z0-9]{2,}$")
"""How a name looks that is no word: a flag, `a_b`, `a.b`, `a-b`, `aB`, `TTL`."""


class Block(Struct, frozen=True):
    """A paragraph, item, or row."""

    text: str
    """As `plain()` returns it; empty for a row."""
    line: int
    end_line: int
    headings: tuple[str, ...]
    """Of the sections it lies in, outermost first, as `plain()` returns them."""
    leads: tuple[str, ...] = ()
    """First paragraphs of the list items it lies in, and the term it defines, outermost first; its own included."""
    header: tuple[str, ...] = ()
    """Of the table that it is a row of."""
    cells: tuple[str, ...] = ()
    links: tuple[bool, ...] = ()
    """Of each cell whether it is a link in words."""
    section: int = 0
    """Number of its section in the file."""


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a file, in its order. Code is none."""
    yield from _Walk().blocks(blank_front_matter(markdown), 0, (), 0)


@cache  # built once
def _parser() -> MarkdownIt:
    """CommonMark with tables; what is inside a block is read by `plain()`."""
    return MarkdownIt("commonmark").enable("table").disable(["inline", "html_block"])


class _Walk:
    """One file, from top to bottom."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        """Their levels and texts, outermost first."""
        self._section = 0

    def blocks(
        self, markdown: str, above: int, leads: tuple[str, ...], depth: int
    ) -> Iterator[Block]:
        """The blocks of a text.

        Args:
            above: lines of the file above it.
            leads: of the items that it lies in.
            depth: how many containers it lies in; they nest, so this calls itself.
        """
        tree = SyntaxTreeNode(_parser().parse(markdown))
        yield from self._within(tree, above, leads, depth)

    def _within(
        self, parent: SyntaxTreeNode, above: int, leads: tuple[str, ...], depth: int
    ) -> Iterator[Block]:
        """The blocks in a list, an item, a quotation; they nest, so this calls itself.

        The first paragraph of an item is its lead, and a term is the lead of its definition.
        """
        is_lead = parent.type == "list_item"
        term = before = ""
        for node in parent.children:
            if node.type == "heading":
                self._heading(int(node.tag[1:]), _text(node))
                term = ""
            elif node.type == "paragraph":
                text = before = _text(node)
                own = leads
                with_term = _TERM.match(text)
                if is_lead:
                    leads = own = (*leads, text)
                    is_lead = False
                elif with_term:
                    own = (*leads, with_term[1])
                elif _DEFINITION.match(text):
                    own = (*leads, term)
                else:
                    term = text
                yield self._block(node, above, own, text)
            elif node.type == "table":
                yield from self._rows(node, above, leads)
            elif node.type != "code_block":
                yield from self._within(node, above, leads, depth)
            elif _CONTAINER.search(before) and depth < _DEEPEST:
                start = above + _lines(node)[0]
                yield from self.blocks(node.content, start, leads, depth + 1)

    def _rows(
        self, table: SyntaxTreeNode, above: int, leads: tuple[str, ...]
    ) -> Iterator[Block]:
        header: tuple[str, ...] = ()
        for part in table.children:
            for row in part.children:
                cells = tuple(_text(cell) for cell in row.children)
                links = tuple(map(_is_link, row.children))
                if part.type == "thead":
                    header = cells
                else:
                    block = self._block(row, above, leads, "")
                    yield replace(block, header=header, cells=cells, links=links)

    def _heading(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, text))
        self._section += 1

    def _block(
        self, node: SyntaxTreeNode, above: int, leads: tuple[str, ...], text: str
    ) -> Block:
        first, end = _lines(node)
        headings = tuple(text for _, text in self._headings)
        return Block(
            text, above + first + 1, above + end, headings, leads, section=self._section
        )


def _text(node: SyntaxTreeNode) -> str:
    """The text of a paragraph, heading or cell."""
    return plain(node.children[0].content)


def _is_link(cell: SyntaxTreeNode) -> bool:
    """True if a cell is a link and no code: its text says where it leads."""
    markdown = cell.children[0].content.strip()
    return "`" not in markdown and _LINK.fullmatch(markdown) is not None


def _lines(node: SyntaxTreeNode) -> tuple[int, int]:
    """The first line of a block, from 0, and the one behind its last."""
    return node.map or (0, 1)


def plain(markdown: str) -> str:
    """The text of a block's inline Markdown; code in single backquotes, lines kept."""
    codes: list[str] = []

    def cut_out(match: re.Match[str]) -> str:
        codes.append(" ".join(match[2].split()))
        return f"\0{len(codes) - 1}\0"

    def put_back(match: re.Match[str]) -> str:
        return f"`{codes[int(match[1])]}`"

    text = _CODE.sub(cut_out, _HTML_CODE.sub(r"`\2`", markdown))
    text = _NOT_SHOWN.sub("", _LINK.sub(r"\1", text))
    text = _BREAK.sub("\n", _AUTOLINK.sub(r"\1", text))
    text = _TAG.sub("", text)
    for _ in range(2):  # `***x***` and emphasis within strong
        text = _STRONG.sub(_emphasised, text)
    text = re.sub("\0(\\d+)\0", put_back, _ESCAPE.sub(r"\1", text))
    return re.sub(r"[ \t\u00a0]+", " ", unescape(text)).strip()


def _emphasised(match: re.Match[str]) -> str:
    """Strong text without its marks; a name that is set in it counts as code."""
    inner = match[2]
    name, colon, rest = inner.partition(":")
    if match[1] in ("**", "__") and not rest and is_shaped(name):
        return f"`{name}`{colon}"
    return inner


def code_spans(text: str) -> list[str]:
    """The code in a text that `plain()` made."""
    return re.findall(r"`([^`]*)`", text)


def without_code(text: str) -> str:
    """What is around the code in a text that `plain()` made."""
    return re.sub(r"`[^`]*`", "", text)


def names_in(code: str) -> tuple[str, ...]:
    """The names that a piece of code is: `--port <n>` and `-p, --port` are, `port = 80` and `run --port` are not."""
    names = []
    for part in _BETWEEN.split(code.strip()):
        written = _WRITTEN_NAME.fullmatch(part.strip())
        if not written or not _NAME.fullmatch(written["name"]):
            return ()
        if _NO_NAME.fullmatch(written["name"]):
            return ()
        names.append(written["name"].rstrip("."))
    return tuple(names)


def is_shaped(text: str) -> bool:
    """True if a word looks like a name of code, and not like a word of a language."""
    return bool(_NAME.fullmatch(text) and _SHAPED.search(text))
