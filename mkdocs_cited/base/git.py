"""What git knows, as when pages were last changed. Nothing here fails a build: without git, nothing is known."""

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
    options = ("--relative", "--name-only", "--no-renames", "--format=%x00%cI")
    command = ["git", "-c", "core.quotePath=false", "log", *options, "--", *sorted(wanted)]
    try:
        log = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 -- no shell
    except OSError:
        return dates
    with log:
        deadline = time.monotonic() + PATIENCE
        for line in log.stdout or ():
            text = line.decode("utf-8", "replace").rstrip("\n")
            if text.startswith("\0"):
                date = text[1:].replace("Z", "+00:00")  # as git before 2.45 writes UTC, too
            elif text in wanted:
                dates.setdefault(text, date)
            if len(dates) == len(wanted) or time.monotonic() > deadline:
                log.kill()
                break
    return dates


def git(root: Path, *arguments: str, patience: float | None = None) -> str:
    """What git prints; empty when it fails, takes longer than `patience` seconds, or is not there."""
    try:
        found = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False, timeout=patience)  # noqa: S603, S607 -- no shell
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.decode("utf-8", "replace") if found.returncode == 0 else ""
