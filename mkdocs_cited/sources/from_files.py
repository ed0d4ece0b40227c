"""From the text of a repository file to passages with line ranges: Markdown, plain text, data files, Python.

Which files are read, and what is refused, is decided in `files`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mkdocs_cited.base.text import collapse, slugify
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.sources.passages import Builder, with_sentences

MARKDOWN = frozenset((".md", ".markdown", ".mdown"))
DATA = {".yml": "yaml", ".yaml": "yaml", ".json": "json", ".toml": "toml"}
PYTHON = frozenset((".py", ".pyi"))

_LONGEST_BLOCK = 24
"""Lines of a data file that stay together, as far as its indentation allows."""
_LONGEST_TEXT = 4000
"""Characters of one passage; longer lines (minified data) are cut."""
_STRIKING = re.compile(r"<(?:del|s|strike)\b")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")


def passages_of(page: Page, text: str, suffix: str) -> tuple[Passage, ...]:
    """The passages of a file, in order, each with its lines. Never raises: what does not parse is read as text.

    Args:
        suffix: the file's extension, lower-case with its dot; what is not known is plain text.
    """
    builder = Builder(page)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if suffix in MARKDOWN:
        _markdown(builder, text)
    elif suffix in DATA:
        _data(builder, text.split("\n"), DATA[suffix])
    elif suffix not in PYTHON or not _python(builder, text):
        _plain(builder, text.split("\n"))
    return tuple(with_sentences(passage) for passage in builder.document().passages)


def _markdown(builder: Builder, text: str) -> None:
    # The front matter's lines stay, empty, so that those below keep their numbers.
    if matter := _FRONT_MATTER.match(text):
        text = "\n" * matter[0].count("\n") + text[matter.end() :]
    reader = _MarkdownReader(builder)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        reader.read(token, following)


class _MarkdownReader:
    """Turns markdown-it's tokens into passages, in order."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.lists: list[PassageKind] = []
        self.own = False
        """Whether the first paragraph of a list item is still to come."""
        self.opener = ""
        self.openers: list[str] = []
        """What each list around was opened by."""
        self.header: tuple[str, ...] = ()
        """Cells of the table's first row, once it is read."""
        self.row: list[tuple[str, tuple[tuple[int, int], ...]]] = []
        self.lines = (0, 0)
        """Of the last block that has some: a table's cells have none."""

    def read(self, token: Token, following: Token) -> None:
        if token.map:
            self.lines = (token.map[0] + 1, max(token.map))
        match token.type:
            case "heading_open":
                title, _ = _inline(following)
                self.opener = ""
                self.builder.open_section(title, int(token.tag[1]), slugify(title, fallback="section"))
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(PassageKind.STEP if token.type.startswith("ordered") else PassageKind.ITEM)
                self.openers.append(self.opener)
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
                self.openers.pop()
                self.opener = ""
            case "list_item_open":
                self.own = True
            case "paragraph_open":
                above = (self.opener,) if self.opener.endswith((":", "：")) else ()
                self.opener, struck = _inline(following)
                kind = self.lists[-1] if self.own and self.lists else PassageKind.PARAGRAPH
                self.own = False
                labels = tuple(dict.fromkeys(filter(None, (*self.openers, *above))))
                self.builder.add(kind, self.opener, lines=self.lines, struck=struck, labels=labels)
            case "fence" | "code_block":
                first = self.lines[0] + (token.type == "fence")
                _code(self.builder, token.content.split("\n"), first, token.info.split(" ")[0], self.opener)
            case "th_open" | "td_open":
                self.row.append(_inline(following))
            case "thead_open":
                self.header = ()
            case "tr_close":
                self._end_row()
            case _:
                pass

    def _end_row(self) -> None:
        shown, self.row = self.row, []
        cells = tuple(text for text, _ in shown)
        if not self.header:
            self.header = cells
            return
        self.builder.add(
            PassageKind.ROW,
            " ".join(filter(None, cells)),
            lead=" | ".join(filter(None, self.header)),
            cells=cells,
            header=self.header,
            lines=self.lines,
            struck=tuple(_shifted(shown)),
            labels=(self.opener,) if self.opener else (),
        )


def _shifted(cells: Sequence[tuple[str, tuple[tuple[int, int], ...]]]) -> Iterator[tuple[int, int]]:
    """What is struck out in the cells of a row, by its offsets in the row."""
    at = 0
    for text, struck in cells:
        yield from ((start + at, end + at) for start, end in struck)
        at += len(text) + 1 if text else 0


def _inline(token: Token) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text that a reader sees of an inline token, and the ranges of it that are struck out."""
    text, struck, opened = "", [], -1
    for child in token.children or ():
        tag = child.content.lower() if child.type == "html_inline" else ""
        if child.type in ("text", "code_inline"):
            text += child.content
        elif child.type in ("softbreak", "hardbreak"):
            text += " "
        elif child.type == "image":
            text += _inline(child)[0]
        elif child.type == "s_open" or _STRIKING.match(tag):
            opened = len(collapse(f"{text}|")) - 1
        elif (child.type == "s_close" or _STRIKING.match(tag.replace("/", "", 1))) and opened >= 0:
            struck.append((opened, len(collapse(text))))
            opened = -1
    return collapse(text), tuple(struck)


def _plain(builder: Builder, lines: Sequence[str], first: int = 1) -> None:
    """Paragraphs between empty lines."""
    start = 0
    for end in [*(number for number, line in enumerate(lines) if not line.strip()), len(lines)]:
        if text := collapse("\n".join(lines[start:end])):
            for piece in _cut(text):
                builder.add(PassageKind.PARAGRAPH, piece, lines=(first + start, first + end - 1))
        start = end + 1


def _data(builder: Builder, lines: Sequence[str], language: str) -> None:
    """Blocks of lines under the keys that lead to them, cut where the indentation is least."""
    stack: list[tuple[int, int, tuple[str, ...]]] = [(0, len(lines), ())]
    while stack:
        start, end, path = stack.pop()
        pieces = _pieces(lines, start, end) if end - start > _LONGEST_BLOCK else []
        if len(pieces) > 1:
            below = [(first, last, (*path, key) if last - first > 1 else path) for first, last, key in pieces]
            stack += reversed(_merged(below))
            continue
        if path:
            builder.open_section(path[-1], min(6, len(path)), "")
        _code(builder, lines[start:end], start + 1, language, " › ".join(path))


def _pieces(lines: Sequence[str], start: int, end: int) -> list[tuple[int, int, str]]:
    """Line ranges that each begin with a line of the least indentation, and the key on it."""
    widths = {
        number: len(lines[number]) - len(lines[number].lstrip())
        for number in range(start, end)
        if lines[number].strip() and lines[number].strip()[0] not in "}])#"
    }
    if not widths:
        return []
    # A block's own key is less indented than what it holds; it stays with the first piece.
    first = min(widths)
    least = min((width for number, width in widths.items() if number != first), default=0)
    starts = [number for number, width in widths.items() if width == least and number != first]
    if widths[first] == least or not starts:
        starts = [first, *starts]
    if starts[0] != start:
        starts[0] = start
    return [(a, b, _key(lines[a])) for a, b in pairwise([*starts, end])]


def _merged(pieces: list[tuple[int, int, tuple[str, ...]]]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Short neighbours put together, up to the longest block."""
    out: list[tuple[int, int, tuple[str, ...]]] = []
    for start, end, path in pieces:
        if out and end - out[-1][0] <= _LONGEST_BLOCK:
            out[-1] = (out[-1][0], end, out[-1][2][: len(path) - 1] if len(path) > 1 else ())
        else:
            out.append((start, end, path))
    return out


def _key(line: str) -> str:
    """The key or table that a line of a data file begins with."""
    return line.strip().lstrip("-[ ").partition(":" if ":" in line else "=")[0].strip(" \"'[]{")[:80]


def _python(builder: Builder, text: str) -> bool:
    """Docstrings, comments, signatures and constants, under the names they belong to; False when it does not parse."""
    try:
        tree = ast.parse(text)
        comments = list(_comments(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return False
    lines = text.split("\n")
    todo: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    found: list[tuple[int, int, str, PassageKind, tuple[str, ...]]] = [
        (first, last, words, PassageKind.PARAGRAPH, ()) for first, last, words in comments
    ]
    while todo:
        node, path = todo.pop()
        found += _described(node, path, lines)
        for child in getattr(node, "body", ()):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                todo.append((child, (*path, child.name)))
            elif isinstance(child, (ast.Assign, ast.AnnAssign)) and not isinstance(node, ast.FunctionDef):
                last = child.end_lineno or child.lineno
                found.append((child.lineno, last, _source(lines, child.lineno, last), PassageKind.CODE, path))
    current: tuple[str, ...] = ()
    for first, last, words, kind, path in sorted(found, key=lambda item: item[:2]):
        if path and path != current:
            builder.open_section(".".join(path), min(6, len(path)), "")
            current = path
        if kind is PassageKind.CODE:
            _code(builder, words.split("\n"), first, "python", "")
        else:
            for piece in _cut(words):
                builder.add(kind, piece, lines=(first, last))
    return True


def _described(
    node: ast.AST, path: tuple[str, ...], lines: Sequence[str]
) -> Iterator[tuple[int, int, str, PassageKind, tuple[str, ...]]]:
    """The signature and the paragraphs of the docstring of a module, class or function."""
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if not isinstance(node, ast.Module) and node.body:
        last = max(node.lineno, node.body[0].lineno - 1)
        yield node.lineno, last, _source(lines, node.lineno, last), PassageKind.CODE, path
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        start = first.lineno
        for paragraph in re.split(r"\n[ \t]*\n", first.value.value):
            height = paragraph.count("\n")
            if words := collapse(paragraph):
                yield start, start + height, words, PassageKind.PARAGRAPH, path
            start += height + 2


def _comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Blocks of comments on lines of their own, without their `#`."""
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            if block and token.start[0] != last + 1:
                yield first, last, collapse(" ".join(block))
                block = []
            first, last = (token.start[0] if not block else first), token.start[0]
            block.append(token.string.lstrip("#"))
    if block:
        yield first, last, collapse(" ".join(block))


def _source(lines: Sequence[str], first: int, last: int) -> str:
    return "\n".join(lines[first - 1 : last])


def _code(builder: Builder, lines: Sequence[str], first: int, language: str, lead: str) -> None:
    """A block of lines as it stands, without the empty ones around it."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    for piece in _cut("\n".join(line.rstrip() for line in lines[start:end])):
        builder.add(
            PassageKind.CODE, piece, lead=lead[-240:], language=language, lines=(first + start, first + end - 1)
        )


def _cut(text: str) -> Iterator[str]:
    for start in range(0, len(text), _LONGEST_TEXT):
        if (piece := text[start : start + _LONGEST_TEXT].strip("\n")) and not piece.isspace():
            yield piece
