"""The package stays small and open: its size in nodes of the syntax tree has numbers that only go down.

Nodes are counted rather than lines, so that folding code saves nothing. `python -m tests.test_size` prints the numbers
of today. A feature that needs more nodes takes them out somewhere else first.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from tests.test_levels import ROOT, graph

MOST: dict[str, float] = {
    "nodes": 145_615,
    "nodes a line": 5.8,
    "p90 of a statement": 13,
    "comprehensions in 1,000 lines": 24,
    "conditionals in 1,000 lines": 6.4,
    "modules": 150,
    "imports between packages": 83,
}
"""What the package may measure at most. Lower a number whenever the package allows it."""

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.Delete)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CONTEXTS = (ast.Load, ast.Store, ast.Del)
_BLANK = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


@dataclass
class Size:
    """What is counted, added up over all modules."""

    lines: int = 0
    nodes: int = 0
    comprehensions: int = 0
    conditionals: int = 0


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but `Load`, `Store` and `Del`, which every name has."""
    for node in ast.walk(tree):
        if not isinstance(node, _CONTEXTS):
            yield node


def _docstring_lines(tree: ast.Module) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, _DOCUMENTED) or not node.body:
            continue
        first = node.body[0]
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            continue
        if isinstance(first.value.value, str):
            lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def _code_lines(source: str, tree: ast.Module) -> int:
    """Lines with something other than a comment, a docstring or white space."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _BLANK:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _docstring_lines(tree))


@cache
def measured() -> dict[str, float]:
    """Today's numbers, by their names in `MOST`."""
    size = Size()
    statements: list[int] = []
    paths = sorted(ROOT.rglob("*.py"))
    for path in paths:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        size.lines += _code_lines(source, tree)
        for node in _nodes(tree):
            size.nodes += 1
            size.comprehensions += isinstance(node, _COMPREHENSIONS)
            size.conditionals += isinstance(node, ast.IfExp)
            if isinstance(node, _SIMPLE):
                statements.append(sum(1 for _ in _nodes(node)))
    statements.sort()
    return {
        "nodes": size.nodes,
        "nodes a line": size.nodes / size.lines,
        "p90 of a statement": statements[len(statements) * 9 // 10],
        "comprehensions in 1,000 lines": 1000 * size.comprehensions / size.lines,
        "conditionals in 1,000 lines": 1000 * size.conditionals / size.lines,
        "modules": len(paths),
        "imports between packages": len(_imported()),
    }


def _imported() -> set[tuple[str, str]]:
    """(package, another that it imports), for all of them."""
    pairs = set()
    for name, targets in graph().items():
        for target in targets:
            here, there = name.split(".")[1], target.split(".")[1]
            if here != there:
                pairs.add((here, there))
    return pairs


@pytest.mark.parametrize("name", MOST)
def test_size(name: str) -> None:
    """Nodes, density and modules stay below the numbers written here."""
    assert measured()[name] <= MOST[name]


if __name__ == "__main__":
    for name, number in measured().items():
        print(f"{name:32}{number:>12,.1f}")
