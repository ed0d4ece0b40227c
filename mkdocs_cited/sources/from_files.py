"""From the text of a repository file to passages with line ranges: Markdown, plain text, data files, Python.

Markdown is rendered and read as pages are. Which files are read is decided in `files`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mkdocs_cited.base.text import blank_front_matter, collapse, with_plain_ends
from mkdocs_cited.code import PythonText
from mkdocs_cited.model.declaration import MARKDOWN
from mkdocs_cited.model.source import Page, PassageKind
from mkdocs_cited.sources import Builder, Document
from mkdocs_cited.sources.from_html import LINES, read

DATA = {".yml": "yaml", ".yaml": "yaml", ".json": "json", ".toml": "toml"}
PYTHON = frozenset((".py", ".pyi"))

LONGEST_TEXT = 4000
"""Characters of one passage; longer lines (minified data) are cut."""
_FILES = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LONGEST_BLOCK = 24
"""Lines of a data file that stay together, as far as its indentation allows."""
_AROUND_KEY = " \t-:=,[]{}\"'"
"""What stands around a key that a line of a data file has alone."""


def document_of(page: Page, text: str, suffix: str) -> Document:
    """The sections and passages of a file, in order, each with its lines. Never raises: what does not parse is read as
    text.

    Args:
        suffix: the file's extension, lower-case with its dot; what is not known is plain text.
    """
    text = with_plain_ends(text)
    if suffix in MARKDOWN:
        return read(page, html_of(text), lined=True)
    builder = Builder(page)
    if suffix in DATA:
        _data(builder, text.split("\n"), DATA[suffix])
    elif suffix not in PYTHON or not _python(builder, text):
        _plain(builder, text.split("\n"))
    return builder.document()


def html_of(text: str) -> str:
    """Markdown as HTML whose elements name their lines, without its front matter and links within the repository."""
    tokens = _FILES.parse(blank_front_matter(text))
    item: Token | None = None
    """The list item whose first paragraph is still to come."""
    for token in tokens:
        shown = token
        if token.hidden and item:  # a tight item's paragraph has no tag
            shown = item
        if token.map:
            shown.attrSet(LINES, _lines_of(token, token.map))
        is_html = token.type == "html_block" and not token.content.startswith("<!--")
        if token.map and is_html:
            token.content = f'<hr {LINES}="{token.attrs[LINES]}">{token.content}'
        if token.type == "list_item_open":
            item = token
        elif token.type == "paragraph_open":
            item = None
        for child in token.children or ():
            for name in ("href", "src"):  # what is relative leads nowhere on the site
                address = urlsplit(str(child.attrs.get(name, "")))
                if not address.scheme:
                    child.attrs.pop(name, None)
    return str(_FILES.renderer.render(tokens, _FILES.options, {}))


def _lines_of(token: Token, span: Sequence[int]) -> str:
    """The first and last line of a block, from 1; of code without its fences."""
    first, last = span[0], max(span)
    if token.type == "fence":
        first += 1
    if token.type in ("fence", "code_block"):
        last = first + token.content.count("\n")
    return f"{first + 1} {last}"


def _add_code(
    builder: Builder, lines: Sequence[str], first: int, language: str, lead: str = ""
) -> None:
    """A block of lines as it is, without the empty ones around it."""
    text = "\n".join(line.rstrip() for line in lines)
    block = text.lstrip("\n")
    first += len(text) - len(block)
    block = block.rstrip("\n")
    for piece in _parts_of(block):
        builder.add(
            PassageKind.CODE,
            piece,
            lead=lead[-240:],
            language=language,
            lines=(first, first + block.count("\n")),
        )


def _add_text(builder: Builder, text: str, lines: tuple[int, int]) -> None:
    """A paragraph."""
    for piece in _parts_of(text):
        builder.add(PassageKind.PARAGRAPH, piece, lines=lines)


def _parts_of(text: str) -> Iterator[str]:
    """A text in parts that are no longer than a passage may be."""
    for start in range(0, len(text), LONGEST_TEXT):
        piece = text[start : start + LONGEST_TEXT].strip("\n")
        if piece and not piece.isspace():
            yield piece


def _plain(builder: Builder, lines: Sequence[str]) -> None:
    """Paragraphs between empty lines."""
    start = 0
    for end, line in enumerate([*lines, ""]):
        if not line.strip():
            _add_text(builder, collapse("\n".join(lines[start:end])), (start + 1, end))
            start = end + 1


def _data(builder: Builder, lines: Sequence[str], language: str) -> None:
    """Blocks of lines, cut where the indentation is least, under the keys that lead to them."""
    widths = [_width(line) for line in lines]
    above: list[tuple[int, str]] = []
    """Width and key of each line that the next one is in, the outermost first."""
    start = 0
    while start < len(lines):
        end = start + _LONGEST_BLOCK
        if end < len(lines):  # at the last line of the least indentation
            end = min(
                range(start + 1, end + 1), key=lambda number: (widths[number], -number)
            )
        least = min(widths[start:end])
        path = [key for width, key in above if width < least]
        for width, line in zip(widths[start:end], lines[start:end], strict=True):
            while above and above[-1][0] >= width:
                above.pop()
            above.append((width, line.strip(_AROUND_KEY)[:80]))
        if path:
            builder.open_section(path[-1], min(6, len(path)), "")
        _add_code(builder, lines[start:end], start + 1, language, " › ".join(path))
        start = end


def _width(line: str) -> int:
    """The indentation of a line that may begin a block; more than any for others."""
    text = line.lstrip()
    if text and text[0] not in "}])#":
        return len(line) - len(text)
    return sys.maxsize


def _python(builder: Builder, text: str) -> bool:
    """Docstrings, signatures and constants, under the names they belong to; False when it does not parse."""
    python = PythonText(text)
    lines = text.split("\n")
    below = 0
    for path, blocks in python.blocks.items():
        first, last = blocks[0].head
        if path and last <= below:  # on one line with what it lies in
            continue
        notes = [words for other in blocks for words in paragraphs(other.note)]
        if path and (notes or len(path) > 1):
            builder.open_section(".".join(path), min(6, len(path)), "")
        if path:
            below = last
            _add_code(builder, lines[first - 1 : last], first, "python")
        for words in notes:
            _add_text(builder, words, (first, last))
    return bool(python.blocks)


def paragraphs(note: str) -> Iterator[str]:
    """The paragraphs of a docstring or help text."""
    return filter(None, map(collapse, re.split(r"\n[ \t]*\n", note)))
