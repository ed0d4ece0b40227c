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

from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.sources.from_markdown import add_code, parts_of, read_markdown
from mkdocs_cited.sources.passages import Builder, Document, with_sentences

MARKDOWN = frozenset((".md", ".markdown", ".mdown"))
DATA = {".yml": "yaml", ".yaml": "yaml", ".json": "json", ".toml": "toml"}
PYTHON = frozenset((".py", ".pyi"))

_LONGEST_BLOCK = 24
"""Lines of a data file that stay together, as far as its indentation allows."""
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")


def passages_of(page: Page, text: str, suffix: str) -> tuple[Passage, ...]:
    """The passages of a file: see `document_of`."""
    return document_of(page, text, suffix).passages


def document_of(page: Page, text: str, suffix: str) -> Document:
    """The sections and passages of a file, in order, each with its lines. Never raises: what does not parse is read as
    text.

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
    document = builder.document()
    return replace(document, passages=tuple(map(with_sentences, document.passages)))


def _markdown(builder: Builder, text: str) -> None:
    # The front matter's lines stay, empty, so that those below keep their numbers.
    if matter := _FRONT_MATTER.match(text):
        text = "\n" * matter[0].count("\n") + text[matter.end() :]
    read_markdown(builder, text)


def _plain(builder: Builder, lines: Sequence[str], first: int = 1) -> None:
    """Paragraphs between empty lines."""
    start = 0
    for end in [*(number for number, line in enumerate(lines) if not line.strip()), len(lines)]:
        if text := collapse("\n".join(lines[start:end])):
            for piece in parts_of(text):
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
        add_code(builder, lines[start:end], start + 1, language, " › ".join(path))


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
            add_code(builder, words.split("\n"), first, "python", "")
        else:
            for piece in parts_of(words):
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
