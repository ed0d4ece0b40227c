"""When pages were last changed, as git knows it. Nothing here fails a build: without git, nothing is known."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Collection
from pathlib import Path

PATIENCE = 5.0
"""Seconds that the history is searched for; what is older is not known."""


def last_changes(root: Path, files: Collection[str]) -> dict[str, str]:
    """Date of the last commit of each file, ISO 8601, as far as it is found in `PATIENCE` seconds.

    Args:
        root: a folder of the repository.
        files: paths relative to `root`, with `/`.
    """
    wanted, dates, date = set(files), dict[str, str](), ""
    if not wanted:
        return dates
    command = ["git", "log", "--relative", "--name-only", "--no-renames", "--format=%x00%cI", "--", *sorted(wanted)]
    try:
        log = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 -- no shell
    except OSError:
        return dates
    with log:
        deadline = time.monotonic() + PATIENCE
        for line in log.stdout or ():
            text = line.decode("utf-8", "replace").rstrip("\n")
            if text.startswith("\0"):
                date = text[1:]
            elif text in wanted:
                dates.setdefault(text, date)
            if len(dates) == len(wanted) or time.monotonic() > deadline:
                log.kill()
                break
    return dates


def head(root: Path) -> bytes:
    """What names the commit that is checked out: changes when one is made. Empty without git."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        try:
            if git.is_file():  # a work tree or submodule
                git = (folder / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()).resolve()
            name = (git / "HEAD").read_bytes()
        except OSError:
            continue
        reference = name.removeprefix(b"ref:").strip().decode("utf-8", "replace")
        for place in (git / reference, git / "../.." / reference, git / "packed-refs", git / "../../packed-refs"):
            if name.startswith(b"ref:") and place.is_file():
                name += place.read_bytes()
                break
        return name
    return b""
