"""The package keeps its shape: imports go down the levels only (DESIGN §6)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mkdocs_cited

ROOT = Path(mkdocs_cited.__file__).parent
LEVELS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("model",),
    ("settings",),
    ("language", "anthropic_client"),
    ("code",),
    ("answer_text",),
    ("declarations", "findings", "sources", "records"),
    ("search", "facts"),
    ("providers", "review", "render", "reporters"),  # the families meet only in the pipeline
    ("pipeline",),
    ("mkdocs_host", "extension"),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
HOST = "mkdocs_host"
"""The only package that imports `mkdocs`."""


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT)


def room(path: Path) -> str:
    """The top-level name that a module belongs to: `review/rules.py` → `review`."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Every import of a module, however deep in the code it stands."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every imported module with its line."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        else:
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield node.module or "", node.lineno


def module_of(path: Path) -> str:
    """`mkdocs_cited/base/text.py` → `mkdocs_cited.base.text`."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph() -> dict[str, set[str]]:
    """Every module of the package with those that it imports, wherever in its code."""
    names = {module_of(path): path for path in modules()}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        targets = set()
        for node in import_statements(path):
            if isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
            else:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                targets |= {item if item in names else str(node.module) for item in whole}
        found[name] = (targets & names.keys()) - {name}
    return found


def cycles(imported: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other (Tarjan 1972): each would have to be read at once."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(imported[name]):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for name in sorted(imported):
        if name not in index:
            visit(name)
    return groups


def test_the_root_holds_rooms_only() -> None:
    """At the root of the package there are folders and what Python asks for, and every package has a level."""
    names = {path.name for path in ROOT.iterdir() if path.name != "__pycache__"}
    assert names == {*LEVEL, "__init__.py", "__main__.py", "py.typed"}


def test_no_module_imports_itself_round_a_circle() -> None:
    """No circle of imports, inside rooms either, in functions either."""
    assert cycles(graph()) == []


def test_circles_are_found() -> None:
    """The search for circles finds one."""
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_imports_go_down_the_levels() -> None:
    """A module imports from its own room and from lower levels; rooms of one level do not meet."""
    for path, name, line in ((module, *found) for module in modules() for found in imports(module)):
        here, where = room(path), f"{path}:{line}"
        if name.split(".")[0] == "mkdocs_cited" and "." in name:
            there = name.split(".")[1]
            allowed = there == here or LEVEL[there] < LEVEL[here]
            assert allowed, f"{where}: `{here}` may not import `{there}`"
        if name.split(".")[0] in ("mkdocs", "properdocs"):
            assert here == HOST, f"{where}: mkdocs is imported by {HOST} only"
        if name.split(".")[0] in ("numpy", "fastembed"):
            assert path == ROOT / "search" / "meaning.py", f"{where}: what `[local]` needs is imported in one module"
        if name.split(".")[0] == "anthropic":
            assert here == "anthropic_client", f"{where}: anthropic is imported in anthropic_client only"


@pytest.mark.parametrize(("library", "module"), [("httpx2", "fetching")])
def test_what_fetching_needs_is_imported_in_one_module(library: str, module: str) -> None:
    """Builds do without the extra `web`."""
    paths = [
        path
        for path in modules()
        for name, _ in imports(path)
        if name.split(".")[0] == library and room(path) != "anthropic_client"  # whose SDK brings its own
    ]
    assert {path.relative_to(ROOT).as_posix() for path in paths} == {f"sources/{module}.py"}


def test_it_runs_as_a_module() -> None:
    """It is the command line."""
    command = [sys.executable, "-m", "mkdocs_cited", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, f"mkdocs-cited, version {mkdocs_cited.__version__}")


def test_the_extension_does_without_mkdocs() -> None:
    """Zensical and other hosts need not have it."""
    code = (
        "import sys; sys.modules['mkdocs'] = sys.modules['properdocs'] = None\n"
        "import markdown; print(markdown.markdown('# Hi', extensions=['mkdocs_cited.extension']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "<h1" in done.stdout, done.stderr


def test_production_code_knows_nothing_of_tests() -> None:
    """No variable of the tests, or of pytest, is read."""
    assert [path for path in modules() if re.search(r"PYTEST|CITED_TEST", path.read_text(encoding="utf-8"))] == []


def test_anthropic_is_never_imported_unless_used() -> None:
    """Importing the plugin and the command line leaves the SDK and the local models' runtime on the disk."""
    code = (
        "import sys, mkdocs_cited.mkdocs_host.plugin, mkdocs_cited.cli;"
        "sys.exit(any(name in sys.modules for name in ('anthropic', 'onnxruntime', 'tokenizers', 'huggingface_hub')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
