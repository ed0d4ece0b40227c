"""The folder of the cache as a whole: what of it may be deleted, and how. What its files hold is said elsewhere.

Everything in it may be deleted at any time, also while a build runs: on systems that do not let go of open files, those
stay. What is not deleted here: the locks, for whoever waits at one that is gone waits for nobody, and batches of
requests, which are paid for.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from mkdocs_cited.mkdocs_host.build import CACHE

_STAYS = (".gitignore", "records.lock")
_BATCHES = "batches"


def emptied(root: Path, *, dry_run: bool = False) -> list[tuple[str, int]]:
    """Delete what builds and commands keep of a project; path and size of each file.

    Args:
        root: of the project.
        dry_run: only name them.

    Raises:
        OSError: a file cannot be deleted.
    """
    folder = root / CACHE
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and _goes(path.relative_to(folder))]
    deleted = []
    for path in files:
        with suppress(FileNotFoundError):  # another process was quicker
            deleted.append((path.relative_to(root).as_posix(), path.stat().st_size))
            if not dry_run:
                path.unlink()
    return deleted


def _goes(path: Path) -> bool:
    return path.parts[0] != _BATCHES and path.name not in _STAYS
