"""Commands as people see them: at a terminal of their own, of 100 cells."""

from __future__ import annotations

import os
import pty
import re
import select
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests import forks

BARS = re.compile(r"\x1b\[(?:\?25[lh]|2K|1A|\d*[GK]|38;5;\d+m)")
"""Rich's own."""
COLOURS = re.compile(r"\x1b\[(?:[0-479]|3[1-79]|9[0-7])(?:;(?:[0-479]|3[1-79]|9[0-7]))*m")


def at_a_terminal(folder: Path, *words: str, keys: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """All that a command writes to its terminal but what moves a bar; colours are in it."""
    screen, inner = pty.openpty()
    seen = {"TERM": "xterm-256color", "COLUMNS": "100", **(environment or {})}
    with NamedTemporaryFile() as typed:
        typed.write(keys)
        typed.flush()
        files = (typed.name, os.ttyname(inner), os.ttyname(inner))
        process = forks.started(forks.CITED, words, folder, files=files, environment=seen)
        data = rest_of(screen, inner, process)
    return BARS.sub("", data.decode()).replace("\r", "")


def rest_of(screen: int, inner: int, process: BaseProcess) -> bytes:
    """What a process still writes to its terminal until it has ended; both sides of the terminal are closed then."""
    data, held = b"", True
    while True:
        ready = select.select([screen, process.sentinel], [], [])[0] if held else [screen]
        if held and process.sentinel in ready:
            os.close(inner)  # not before: a terminal whose inner side nobody holds has no more to tell
            held = False
        elif screen in ready:
            try:
                part = os.read(screen, 65_536)
            except OSError:  # Linux's way of saying that the other side is closed
                part = b""
            if not part:
                break
            data += part
    os.close(screen)
    process.join()
    return data
