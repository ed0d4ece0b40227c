"""What git knows: what has changed, what is ignored, when files were committed.

A git that is missing, refuses or takes too long has not said "nothing": its answer is a `Refusal`, a value of its own.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection
from pathlib import Path
from threading import Timer

from msgspec import Struct

PATIENCE = 30.0
"""Seconds that git is waited for; then it is killed."""
DATES = 5.0
"""Seconds that the history is searched for dates; what is older is not known."""
NO = 1
"""The exit code with which git says no: no such commit, nothing ignored, not set."""


class Refusal(Struct, frozen=True):
    """That git has not answered, and why."""

    reason: str


def git(root: Path, *arguments: str, sent: str = "", patience: float = PATIENCE) -> str | Refusal:
    """What git prints in a folder; empty where it says no.

    Args:
        root: the folder.
        sent: what git reads from its standard input.
        patience: seconds.
    """
    command = ["git", *arguments]
    data = sent.encode("utf-8", "surrogateescape")
    try:
        done = subprocess.run(  # noqa: S603 -- no shell
            command, cwd=root, input=data, capture_output=True, check=False, timeout=patience, env=_environment()
        )
    except subprocess.TimeoutExpired:
        return Refusal(f"git {arguments[0]} takes more than {patience:.0f} seconds")
    except OSError as error:
        return Refusal(f"git cannot be run: {error.strerror or error}")
    if done.returncode in (0, NO):
        return done.stdout.decode("utf-8", "surrogateescape")
    said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return Refusal(said.removeprefix("fatal: ") or f"git {arguments[0]} exits with {done.returncode}")


def git_or_nothing(root: Path, *arguments: str) -> str:
    """What git prints, stripped; empty where it refuses, too: for what may as well not be known."""
    said = git(root, *arguments)
    return said.strip() if isinstance(said, str) else ""


def repository_of(folder: Path) -> Path | None:
    """The root of the repository that a folder is in, without asking git, which may not be there or may refuse."""
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            return parent
    return None


def last_changes(root: Path, files: Collection[str]) -> dict[str, str]:
    """Date of the last commit of each file, ISO 8601, as far as it is found in `DATES` seconds.

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
        log = subprocess.Popen(  # noqa: S603 -- no shell
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env=_environment(),
        )  # fmt: skip
    except OSError:
        return dates
    deadline = Timer(DATES, log.kill)  # a git that prints nothing would hold the loop below
    deadline.start()
    with log:
        for line in log.stdout or ():
            text = line.decode("utf-8", "replace").rstrip("\n")
            if text.startswith("\0"):
                date = text[1:].replace("Z", "+00:00")  # as git before 2.45 writes UTC, too
            elif text in wanted:
                dates.setdefault(text, date)
            if len(dates) == len(wanted):
                log.kill()
                break
    deadline.cancel()
    return dates


def _environment() -> dict[str, str]:
    """An environment in which git asks nobody, fetches nothing and takes no lock."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    return {**os.environ, **quiet}
