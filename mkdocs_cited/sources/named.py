"""Which files of a project a glob of `extra_sources` names. None is opened here, and none outside the project named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mkdocs_cited.base.text import glob_matches

LEFT_OUT = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))
"""Folders that a glob does not enter unless it names them; nor those whose name begins with a dot."""


def files_named(root: Path, glob: str) -> tuple[str, ...] | None:
    """Paths relative to the root that a glob names, with `/`, sorted; `None` for a glob that leads out of the root."""
    pattern = glob.strip().replace("\\", "/").removeprefix("./")
    pattern += "**" if pattern.endswith("/") else ""
    if not pattern or pattern.startswith(("/", "~")) or ":" in pattern[:2] or ".." in pattern.split("/"):
        return None
    return tuple(sorted(path for path in _walk(root, pattern) if glob_matches(path, (pattern,))))


def _walk(root: Path, pattern: str) -> Iterator[str]:
    """Every file that a pattern could name, without entering folders that it does not ask for."""
    parts = pattern.split("/")
    fixed = next((n for n, part in enumerate(parts[:-1]) if set(part) & set("*?")), len(parts) - 1)
    start = root.joinpath(*parts[:fixed])
    for folder, folders, files in os.walk(start):  # links to folders are not followed
        inside = Path(folder).relative_to(root).as_posix()
        depth = 0 if inside == "." else inside.count("/") + 1
        deeper = "**" in pattern or depth < len(parts) - 1
        folders[:] = sorted(n for n in folders if deeper and not n.startswith(".") and n not in LEFT_OUT)
        for name in files:
            yield name if inside == "." else f"{inside}/{name}"
