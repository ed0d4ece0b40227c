"""What a process reads while it renders pages. CPython tells of it by audit events (PEP 578), whichever plugin, hook or
extension it is that reads; what other programs and the network say is not seen, and is noted as that."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_PROGRAMS = frozenset(
    ("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn")
)
_LISTINGS = frozenset(("os.listdir", "os.scandir"))
_MADE = frozenset(("os.mkdir", "tempfile.mkdtemp", "tempfile.mkstemp"))


@dataclass
class Opened:
    """What was read while it listened. Paths are absolute, with links."""

    page: str = ""
    """The file of the page that is being rendered; MkDocs renders one after another."""
    files: dict[str, bool] = field(default_factory=dict)
    """Each file → whether anything but the page that it is has read it. It need not be there."""
    times: dict[str, int] = field(default_factory=dict)
    """Each file → when it may have been read first, in ns."""
    folders: set[str] = field(default_factory=set)
    """Those that were listed."""
    made: set[str] = field(default_factory=set)
    """Files and folders that the process wrote itself, before it read them."""
    asked_git: bool = False
    unseen: str = ""
    """Who else was asked, in words; empty for nobody."""
    began: int = field(default_factory=time.time_ns)
    """When, in ns."""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """The variables at first: plugins set some."""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take what the process reads meanwhile. It listens for one at a time."""
        global _listening
        if not _hooked:
            _hooked.append(True)
            sys.addaudithook(_hear)
        _listening = self
        try:
            yield
        finally:
            _listening = None

    def also(self, earlier: Opened) -> None:
        """Add what was read for an earlier rendering of the same site: caches of this process may hold it."""
        for path, shared in earlier.files.items():
            self.files.setdefault(path, shared)
            self.times.setdefault(path, earlier.times[path])
        self.folders |= earlier.folders
        self.made |= earlier.made

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take one event."""
        if event in _PROGRAMS:
            self._note_program(event, arguments)
        elif event == "socket.connect":
            self.unseen = self.unseen or "the network"
        elif isinstance(arguments[0], int):  # what is open already
            return
        elif event in _MADE:
            self.made.add(_absolute(arguments[0]))
        elif event in _LISTINGS:
            self.folders.add(_absolute(arguments[0] or "."))
        elif event == "open" and arguments[2] & _WRITING:
            self.made.add(_absolute(arguments[0]))
        elif event in ("open", "sqlite3.connect"):
            self._note_file(_absolute(arguments[0]))

    def _note_file(self, path: str) -> None:
        if path.endswith(".pyc"):
            path = importlib.util.source_from_cache(path)
        if path not in self.made:
            self.files[path] = self.files.get(path, False) or path != self.page
            self.times[path] = self.began

    def _note_program(self, event: str, arguments: tuple[Any, ...]) -> None:
        program = "another process"
        if event == "subprocess.Popen":
            program = os.fsdecode(arguments[0])
        if Path(program).stem == "git":
            self.asked_git = True
        else:
            self.unseen = self.unseen or f"`{program}`"


_listening: Opened | None = None
_hooked: list[bool] = []


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Take any event of the process; most are not ours."""
    if _listening is not None and (event == "open" or event in _HEARD):
        with suppress(Exception):  # which would break what others do
            _listening.note(event, arguments)


_HEARD = _PROGRAMS | _LISTINGS | _MADE | {"socket.connect", "sqlite3.connect"}


def _absolute(path: Any) -> str:
    return os.path.normpath(Path.cwd() / os.fsdecode(path))
