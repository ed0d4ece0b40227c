"""The package keeps its shape: imports go down the levels only (DESIGN §6)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mkdocs_cited

ROOT = Path(mkdocs_cited.__file__).parent
LEVELS = {
    0: (
        "bounded_yaml",
        "errors",
        "memo",
        "files",
        "languages",
        "history",
        "text",
        "settings",
        "option_errors",
        "extensions",
        "model",
    ),
    1: ("sources", "declarations", "records", "suppressions", "anthropic_client", "explanations"),
    2: ("retrieval", "providers", "review", "reporters", "render", "triage"),
    3: ("pipeline",),
    4: (
        "plugin",
        "build",
        "answering",
        "config",
        "host",
        "markdown_extension",
        "site",
        "reporting",
        "asking",
        "preview",
        "cli",
    ),
}
LEVEL = {name: level for level, names in LEVELS.items() for name in names}
FAMILIES = (*LEVELS[1], *LEVELS[2])


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def room(path: Path) -> str:
    """The top-level name that a module belongs to: `review/rules/x.py` → `review`."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every imported module with its line, however deep in the code the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            yield node.module or "", node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_down_the_levels(path: Path) -> None:
    """A module imports from its own room and from lower levels; rooms of levels 1 and 2 do not meet."""
    here = room(path)
    assert here in LEVEL, f"{path.name} has no level: add its room to DESIGN §6 and to this test"
    for name, line in imports(path):
        where = f"{path}:{line}"
        if name.split(".")[0] == "mkdocs_cited":
            there = name.split(".")[1] if "." in name else here
            allowed = there == here or LEVEL[there] < LEVEL[here] or LEVEL[here] == LEVEL[there] == 0
            allowed = allowed or (LEVEL[here] == LEVEL[there] == 4)
            assert allowed, f"{where}: `{here}` (L{LEVEL[here]}) may not import `{there}` (L{LEVEL[there]})"
        if name.split(".")[0] in ("mkdocs", "properdocs"):
            assert LEVEL[here] == 4, f"{where}: mkdocs is imported on level 4 only"
        if name.split(".")[0] == "anthropic":
            assert here == "anthropic_client", f"{where}: anthropic is imported in anthropic_client.py only"


def test_anthropic_is_never_imported_unless_used() -> None:
    """Importing the plugin and the command line leaves the SDK on the disk."""
    code = "import sys, mkdocs_cited.plugin; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
