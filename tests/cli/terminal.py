"""Commands as people see them: at a terminal of their own, of 100 cells."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

CODE = "import sys; from mkdocs_cited.cli import main; sys.argv[0] = 'mkdocs-cited'; main()"
BARS = re.compile(r"\x1b\[(?:\?25[lh]|2K|1A|\d*[GK]|38;5;\d+m)")
"""Rich's own."""
COLOURS = re.compile(r"\x1b\[(?:[0-479]|3[1-79]|9[0-7])(?:;(?:[0-479]|3[1-79]|9[0-7]))*m")


def at_a_terminal(folder: Path, *words: str, keys: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """All that a command writes to its terminal but what moves a bar; colours are in it."""
    out, inner = pty.openpty()
    seen = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **(environment or {})}
    process = subprocess.Popen([sys.executable, "-c", CODE, *words], cwd=folder, stdin=subprocess.PIPE, stdout=inner,
                               stderr=inner, env=seen)  # fmt: skip
    os.close(inner)
    assert process.stdin
    process.stdin.write(keys)
    process.stdin.close()
    data = b""
    while True:
        try:
            part = os.read(out, 65536)
        except OSError:  # Linux's way of saying that the other end is closed
            break
        if not part:
            break
        data += part
    os.close(out)
    process.wait()
    return BARS.sub("", data.decode()).replace("\r", "")
