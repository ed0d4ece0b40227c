"""What pages were made from, as it was then, and whether it still is: files, names in folders, commit, surroundings.

Only bytes and names are looked at. How it becomes known what pages are made from is said in `observing`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from mkdocs_cited.base import git_dates

MOST_FILES = 50_000
"""In the folder of a project whose names are looked through; of a larger one, nothing is kept."""
_SKIPPED = frozenset(("node_modules", "__pycache__"))
_OF_THE_TERMINAL = re.compile(
    r"_|PWD|OLDPWD|SHLVL|TERM.*|COLUMNS|LINES|COLORTERM|NO_COLOR|(FORCE|CLI)_?COLOR.*|WINDOWID|SSH_.*|XDG_.*|TMUX.*|STY|"
    r"PS\d|LESS.*|LS_COLORS|EDITOR|VISUAL|PAGER|DISPLAY|WAYLAND_.*|VTE_.*|DBUS_.*|MAKE.*|MFLAGS|PYTEST_.*|"
    r"_?MKDOCS_CITED_.*|NO_MKDOCS_2_WARNING"
)
"""Variables on which no page depends: a terminal's and a shell's, those of ours that the options hold, and one that
Material sets itself."""

Stamp = tuple[int, int, int, int, str]
"""Size, time of change of content and of inode in ns, number of the inode, digest of the content."""


class Seen(Struct, frozen=True):
    """What a rendering read, and how it was then."""

    files: dict[str, Stamp | None] = field(default_factory=dict)
    """Absolute path → how it was; nothing for a file that was not there."""
    folders: dict[str, str] = field(default_factory=dict)
    """Absolute path of a listed folder → digest of the names in it."""
    git: str = ""
    """Root of the project, where git was asked; else empty."""
    commit: str = ""
    tree: tuple[str, tuple[str, ...], str] = ("", (), "")
    """Root of the project, folders and files in it that hold only output, digest of the names of all other files:
    whether a file is there can be asked without opening it."""
    surroundings: str = ""

    def still(self) -> bool:
        """Whether all of it is today as it was."""
        return (
            self.surroundings == surroundings()
            and all(_same(path, stamp) for path, stamp in self.files.items())
            and all(names_in(path) == names for path, names in self.folders.items())
            and (not self.git or self.commit == commit_of(self.git))
            and self.tree[2] == tree_of(Path(self.tree[0]), self.tree[1])
        )


def surroundings() -> str:
    """Digest of what is around a rendering: the folder it is started in, and the variables that plugins may read."""
    variables = sorted((name, value) for name, value in os.environ.items() if not _OF_THE_TERMINAL.fullmatch(name))
    return _digest(repr((os.getcwd(), variables)).encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def stamp_of(path: Path, known: Stamp | None, *, unread: bool = False) -> Stamp | None:
    """How a file is now, with the digest that it had when it looked the same; nothing for none. Left `unread`, it has
    no digest: whenever it is touched, it counts as changed."""
    try:
        status = path.stat()
        if known and _measures(status) == known[:4]:
            return known
        return (*_measures(status), "" if unread else _digest(path.read_bytes()))
    except OSError:
        return None


def _measures(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _same(path: str, stamp: Stamp | None) -> bool:
    """Whether a file holds what it held; it is read only where it may have been touched."""
    try:
        status = os.stat(path)
        if stamp is None or status.st_size != stamp[0]:
            return False
        return _measures(status) == stamp[:4] or _digest(Path(path).read_bytes()) == stamp[4]
    except OSError:
        return stamp is None


def names_in(folder: str) -> str:
    """Digest of the names in a folder; empty for one that cannot be listed."""
    try:
        return _digest(
            "\0".join(sorted(name for name in os.listdir(folder) if name != "__pycache__")).encode(
                "utf-8", "surrogatepass"
            )
        )
    except OSError:
        return ""


def tree_of(root: Path, outputs: tuple[str, ...]) -> str:
    """Digest of the names of all files of a project but hidden and made ones; empty when there are too many."""
    names: list[str] = []
    for name in _below(str(root), "", outputs):
        names.append(name)
        if len(names) > MOST_FILES:
            return ""
    return _digest("\0".join(sorted(names)).encode("utf-8", "surrogatepass"))


def _below(folder: str, prefix: str, outputs: tuple[str, ...]) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    if any(entry.name == "pyvenv.cfg" for entry in entries):
        return
    for entry in entries:
        name = f"{prefix}{entry.name}"
        if entry.name.startswith(".") or entry.name in _SKIPPED or name in outputs:
            continue
        yield name
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, f"{name}/", outputs)


def commit_of(root: str) -> str:
    """Digest of what git has checked out."""
    return _digest(git_dates.head(Path(root)))
