"""What git knows: what has changed, and what is ignored.

A git that is missing, refuses or takes too long has not said "nothing": its answer is a `Refusal`, a value of its own.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from msgspec import Struct

GIT_PATIENCE = 30.0
"""Seconds that git is waited for; then it is killed."""
NO = 1
"""The exit code with which git says no: no such commit, nothing ignored, not set."""
_ELSEWHERE = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_CEILING_DIRECTORIES",
    "GIT_PREFIX",
)
"""Variables that lead git to another repository, work tree or index than those of the folder."""


class Refusal(Struct, frozen=True):
    """That git has not answered, and why."""

    reason: str


def git(
    root: Path, *arguments: str, sent: str = "", patience: float = GIT_PATIENCE
) -> str | Refusal:
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
            command,
            cwd=root,
            input=data,
            capture_output=True,
            check=False,
            timeout=patience,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        return Refusal(f"git {arguments[0]} takes more than {patience:.0f} seconds")
    except OSError as error:
        return Refusal(f"git cannot be run: {error.strerror or error}")
    if done.returncode in (0, NO):
        return done.stdout.decode("utf-8", "surrogateescape")
    said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return Refusal(
        said.removeprefix("fatal: ")
        or f"git {arguments[0]} exits with {done.returncode}"
    )


def git_or_nothing(root: Path, *arguments: str) -> str:
    """What git prints, stripped; empty where it refuses, too: for what may as well not be known."""
    said = git(root, *arguments)
    if isinstance(said, str):
        return said.strip()
    return ""


def listed(root: Path, *options: str) -> frozenset[str] | Refusal:
    """The files that `git ls-files` lists in a folder, by default those that git tracks."""
    said = git(root, "ls-files", "-z", *options)
    if isinstance(said, Refusal):
        return said
    return frozenset(said.split("\0")) - {""}


def repository_of(folder: Path) -> Path | None:
    """The root of the repository that a folder is in, without asking git, which may not be there or may refuse."""
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            return parent
    return None


def _environment() -> dict[str, str]:
    """An environment in which git asks nobody, fetches nothing, takes no lock, and knows of no repository but the one
    that it is called in: hooks of git name another."""
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    environment = {**os.environ, **quiet}
    for name in _ELSEWHERE:
        environment.pop(name, None)
    return environment
