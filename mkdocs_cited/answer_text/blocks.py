"""The blocks of an answer's Markdown as values: prose, code, links and HTML, with offsets into the answer's content.

How they are found is told in `markdown`; what of them is a claim, and what is wrong with them, is said elsewhere.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


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
    MARKER = "marker"
    """A citation's number, `[^1]`."""
    IMAGE = "image"
    """What an image is called: shown where it cannot be."""
    HTML = "html"
    """A tag or comment, which is shown as it is written."""
    BREAK = "break"
    """The end of a line, or of a table's cell."""


class Run(Struct, frozen=True):
    """A stretch of a block that is all of one kind."""

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
    """Number of the list item or quotation that it stands in; 0 for none."""
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
        return self.code if self.kind is BlockKind.CODE else "".join(run.text for run in self.runs)


class Code(Struct, frozen=True):
    """A code block or a stretch of inline code, with what encloses it."""

    start: int
    """Offset of its fence or its backticks in the content; of an indented block, of its text."""
    end: int
    """Offset behind the fence or the backticks that close it."""
    block: bool
    """Whether it is a block; otherwise it stands in a line."""
    open: str = ""
    """The fence that would close it, if none does."""
