"""What a rendering was seen to read, so that it can be told later whether another one would come to the same.

Which files plugins, extensions, hooks and macros read is known by no configuration. Python tells of every file that is
opened, every folder that is listed and every program that is run (audit events, PEP 578). What a rendering asks of the
network or of programs other than git has no hash: such a rendering is not kept.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any

from mkdocs_cited.base import own_key
from mkdocs_cited.mkdocs_host.seen import MOST_FILES, Seen, Stamp, commit_of, names_in, stamp_of, surroundings, tree_of

GRAIN = 20_000_000
"""Nanoseconds by which a file's time may lag behind the clock."""
_IN_MEMORY = "/dev/shm/"  # noqa: S108 -- nothing is written there
"""Files among the devices, which hold what any folder may: a project, too."""


class Observation:
    """What this process reads from `begin` to `end`."""

    def __init__(self) -> None:
        self._read: set[str] = set()
        self._listed: set[str] = set()
        self._written: set[str] = set()
        self._doubt, self._git, self._began, self._surroundings = "", False, 0, ""

    def begin(self) -> None:
        """Observe from now on, with nothing seen yet."""
        _told_to_python()
        self.__init__()  # type: ignore[misc]
        self._began, self._surroundings = time.time_ns(), surroundings()
        _WATCHING.append(self)

    def stop(self) -> None:
        """See nothing more."""
        if self.begun:
            _WATCHING.remove(self)

    @property
    def begun(self) -> bool:
        """Whether it has begun and not ended."""
        return self in _WATCHING

    def end(
        self, root: Path, *, outputs: Iterable[str], more: Iterable[Path] = (), known: Mapping[str, Stamp | None]
    ) -> Seen | str:
        """What was read, or why that cannot be told.

        Args:
            root: of the project.
            outputs: folders and files that hold only output; those of the project relative to it.
            more: files that were read before it began.
            known: files as they were the last time; what looks as it did then is not read again.
        """
        self.stop()
        if self._doubt or not self._began:
            return self._doubt or "it was not observed"
        read = {_source(path) for path in self._read | {os.path.abspath(path) for path in more}}
        made = made_in(root, outputs)
        if both := sorted(path for path in read & self._written if not is_beside_the_point(path, made)):
            return f"`{both[0]}` is read and written"
        git = str(root) if self._git else ""
        return looked_at(root, read, self._listed, outputs, self._began, self._surroundings, known=known, git=git)

    def opened(self, path: Any, mode: Any, flags: Any) -> None:
        """A file is opened."""
        if isinstance(path, int) or not isinstance(path, (str, bytes, os.PathLike)):
            return
        text = os.path.abspath(os.fsdecode(path))
        writes = bool(set(mode or "") & set("wax+")) or bool(
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
        )
        (self._written if writes else self._read).add(text)

    def listed(self, path: Any = ".", *_: Any) -> None:
        """A folder is listed."""
        if path is None or isinstance(path, (str, bytes, os.PathLike)):
            self._listed.add(os.path.abspath(os.fsdecode(path or ".")))
        elif isinstance(path, int):  # as `shutil.rmtree` does in the site that was there before
            name = _name_of(path)
            self._listed.add(name)
            self._doubt = self._doubt or ("" if name else "a folder is listed that has no name")

    def ran(self, program: Any = "", *_: Any) -> None:
        """A program is run."""
        name = os.path.basename(os.fsdecode(program)) if isinstance(program, (str, bytes, os.PathLike)) else "another"
        if name.removesuffix(".exe") == "git":
            self._git = True
        else:
            self._doubt = self._doubt or f"the program `{name}` is run"

    def forked(self, *_: Any) -> None:
        """Another process goes on, unseen."""
        self._doubt = self._doubt or "another process is started"

    def asked(self, *_: Any) -> None:
        """The network is asked for something."""
        self._doubt = self._doubt or "the network is asked"


def looked_at(
    root: Path,
    read: Iterable[str],
    listed: Iterable[str],
    outputs: Iterable[str],
    began: int,
    surroundings: str,
    *,
    known: Mapping[str, Stamp | None],
    unread: Collection[str] = (),
    git: str = "",
) -> Seen | str:
    """These files and folders as they are, with every module that was imported; or why nothing can be told by them.

    Args:
        root: of the project.
        read: absolute paths of files.
        listed: absolute paths of folders.
        outputs: folders and files that hold only output; those of the project relative to it.
        began: when the first of them may have been read, in nanoseconds.
        surroundings: as they were then.
        known: files as they were the last time.
        unread: those of the files that are told by their looks alone.
        git: root of the project, where git was asked.
    """
    made = made_in(root, outputs)
    outputs = tuple(sorted({os.path.relpath(os.path.join(root, path), root) for path in outputs}))
    seen: dict[str, Stamp | None] = {}
    for path in sorted({_source(path) for path in {*read, *_modules()}}):
        if is_beside_the_point(path, made):
            continue
        stamp = stamp_of(Path(path), known.get(path), unread=path in unread)
        if stamp and max(stamp[1], stamp[2]) > began - GRAIN:
            return f"`{path}` has just changed"
        seen[path] = stamp
    folders = {path: names_in(path) for path in sorted(listed) if not is_beside_the_point(path, made)}
    tree = tree_of(root, outputs)
    if not tree:
        return f"`{root}` holds more than {MOST_FILES:,} files"
    return Seen(seen, folders, git, commit_of(git) if git else "", (str(root), outputs, tree), surroundings)


def made_in(root: Path, outputs: Iterable[str]) -> tuple[str, ...]:
    """What paths of made files start with: caches, the user's key and git's own files are among them."""
    key = own_key.place()
    made = (".cache", ".git", *([str(key.parent)] if key else ()), *outputs)
    return tuple(f"{os.path.normpath(os.path.join(root, path))}{os.sep}" for path in made)


_WATCHING: list[Observation] = []
_EVENTS: Mapping[str, Callable[..., None]] = {
    "open": Observation.opened, "sqlite3.connect": lambda seen, path, *_: Observation.opened(seen, path, "r", 0),
    "os.listdir": Observation.listed, "os.scandir": Observation.listed,
    "subprocess.Popen": Observation.ran, "os.system": Observation.forked, "os.fork": Observation.forked,
    "os.forkpty": Observation.forked, "os.exec": Observation.forked, "os.posix_spawn": Observation.forked,
    "os.spawn": Observation.forked, "pty.spawn": Observation.forked,
    "socket.connect": Observation.asked, "socket.getaddrinfo": Observation.asked,
}  # fmt: skip
"""Audit event → what it means (the table of audit events in Python's documentation)."""


@cache
def _told_to_python() -> None:
    """Be told of what happens, from now to the end of this process: Python forgets no such wish."""
    sys.addaudithook(_told)


def _told(event: str, arguments: tuple[Any, ...]) -> None:
    if _WATCHING and (meaning := _EVENTS.get(event)):
        for seen in tuple(_WATCHING):
            try:
                meaning(seen, *arguments)
            except Exception:  # whatever this is, it is not for us to stop it
                seen.forked()


def _name_of(descriptor: int) -> str:
    """The path of an open folder; empty where the system does not tell."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        pass
    try:
        import fcntl

        found = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))  # type: ignore[attr-defined, unused-ignore]
        return os.fsdecode(found.rstrip(b"\0"))
    except (ImportError, AttributeError, OSError):
        return ""


def _source(path: str) -> str:
    """The file that a compiled one was made of: that one is looked at before."""
    if path.endswith(".pyc"):
        try:
            return source_from_cache(path)
        except (ValueError, NotImplementedError):
            return path
    return path


def _modules() -> set[str]:
    """The files of everything that was imported, a hook's and a project's own plugins among them."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return {os.path.abspath(file) for file in files if file}


@cache
def _installed() -> tuple[str, ...]:
    """Folders of Python and of packages: their versions are part of every key."""
    places = {sys.prefix, sys.base_prefix, *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))}
    site = {path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")}
    return tuple(f"{os.path.abspath(place)}{os.sep}" for place in places | site if place)


def is_beside_the_point(path: str, made: tuple[str, ...]) -> bool:
    """Whether a page cannot depend on what a path holds, or something else tells of it."""
    if path.startswith(("/dev/", "/proc/", "/sys/")) and not path.startswith(_IN_MEMORY):
        return True
    if path.startswith((os.path.dirname(os.path.dirname(__file__)), *_installed())):
        return True
    if f"{path}{os.sep}".startswith(made):
        return True
    return path.startswith(tempfile.gettempdir()) and not os.path.exists(path)
