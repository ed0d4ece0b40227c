"""The version of the lexical reviewer, made of what its verdicts hang on: its code without comments, and its data."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from mkdocs_cited.base.text import digest
from tests.docs.roots import ROOT

FILE = ROOT / "mkdocs_cited" / "review" / "lexical" / "__init__.py"
_LINE = re.compile(r'^VERSION = "[^"]*"$', re.MULTILINE)


def version_file() -> str:
    """The package's `__init__.py` with the version that it should have."""
    rooms = (FILE.parent, ROOT / "mkdocs_cited" / "language")
    paths = sorted(
        path for room in rooms for path in room.rglob("*") if path.suffix in (".py", ".txt") and path != FILE
    )
    made = digest(*map(_content, paths), length=8)
    return _LINE.sub(f'VERSION = "2.{made}"', FILE.read_text(encoding="utf-8"))


def _content(path: Path) -> str:
    """A file without what cannot change a verdict: comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [item for item in body if not _is_docstring(item)]  # type: ignore[attr-defined]
    return repr(_plain(tree))


def _plain(value: object) -> object:
    """A tree without what only some versions of Python put into it: fields that hold nothing."""
    if isinstance(value, ast.AST):
        fields = [(name, _plain(item)) for name, item in ast.iter_fields(value) if item not in (None, [])]
        return type(value).__name__, fields
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
