"""Files: paths that stay inside a folder, reading within bounds, writing whole or not at all, one process at a time;
and what git knows of them: what has changed, and what is ignored.

A git that is missing, refuses or takes too long has not said "nothing": its answer is a `Refusal`, a value of its
own.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import with_plain_ends

LONGEST = 1_000
"""Characters of a path; no system takes many more."""
MOST_READ = 20_000_000
"""Bytes of a file that is read whole."""
PATIENCE = 60.0
"""Seconds to wait for another process."""


def check_inside(
    path: str, *, what: str, where: str = "the project", tip: str = ""
) -> None:
    """Make sure that a relative path does not lead out of its folder, on any system; the disk is not asked.

    Args:
        path: with `/` or `\\`.
        what: what it is the path of, for the message: an option's name.
        where: the folder, for the message.
        tip: what to write instead.

    Raises:
        UsageError: it is empty or absolute, goes up, or holds what no path may hold.
    """
    plain = path.replace("\\", "/")
    pure = PurePosixPath(plain)
    absolute = pure.is_absolute() or PureWindowsPath(plain).drive
    if absolute or not pure.parts or ".." in pure.parts:
        raise UsageError(f"{what}: `{path[:LONGEST]}` leads out of {where}", tip=tip)
    if len(plain) > LONGEST or not plain.isprintable():
        raise UsageError(f"{what}: `{path[:LONGEST]}` is not a path", tip=tip)


def inside(folder: Path, path: str, *, what: str, where: str = "the project") -> Path:
    """The real path below a folder that a relative path names, whether or not it is there yet.

    Args:
        folder: as for `check_inside`, as are the others.

    Raises:
        UsageError: it leads out of the folder.
        CitedError: a link leads it out.
    """
    check_inside(path, what=what, where=where)
    real = real_path(folder / path.replace("\\", "/"))
    if real_path(folder) not in real.parents:
        raise CitedError(
            f"{what}: `{path}` leads out of {where} through a link",
            tip="replace the link by a folder",
        )
    return real


def real_path(path: Path) -> Path:
    """A path without links; the path itself where no file can have its name. Unlike `Path.resolve()` of Python 3.11, it
    does not stop at links that lead in a circle."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # it has a character that no name has
        return path


def through_links(path: Path, root: Path) -> Path:
    """The file that a path names, behind any links, for an author's file that is written at a person's word.

    Args:
        path: of the file or the link to it, which may not be there yet.
        root: the folder that links may not lead out of.

    Raises:
        UsageError: a link leads out of the folder.
    """
    real = real_path(path)
    if not real.is_relative_to(real_path(root)):
        raise UsageError(
            f"`{path.name}` is a link to {real}, outside of {root}",
            tip="write into that file by hand",
        )
    return real


def read_bounded(path: Path, most: int = MOST_READ) -> bytes:
    """The bytes of a file that an option or an argument names. A device or a pipe, which might never end, is none.

    Raises:
        OSError: it cannot be read, is not a file, or has more than `most` bytes; `strerror` says which.
    """
    if path.exists() and not path.is_file():
        raise OSError(
            errno.EINVAL,
            "it is a folder" if path.is_dir() else "it is a device or a pipe",
            str(path),
        )
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def read_text(path: Path, *, tip: str) -> str:
    """The text of a file that an option or an argument names, as `text_of` gives it.

    Raises:
        UsageError: it cannot be read, or is not UTF-8; with this tip.
    """
    try:
        return text_of(path)
    except OSError as error:
        message = f"`{path}` cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        message, tip = f"`{path}` is not UTF-8: byte {error.start}", "save it as UTF-8"
    raise UsageError(message, tip=tip)


def text_of(path: Path, most: int = MOST_READ) -> str:
    """The text of a file in UTF-8 without a byte-order mark, each line ended by `\\n`.

    Raises:
        OSError: as `read_bounded`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return with_plain_ends(read_bounded(path, most).decode("utf-8-sig"))


def text_or_empty(path: Path) -> str:
    """The text of a file as `text_of` gives it; empty where it cannot be read."""
    try:
        return text_of(path)
    except (OSError, ValueError):
        return ""


def make_cache(folder: Path) -> None:
    """Make a folder for what may be deleted at any time, and keep it out of git: a new one has its own `.gitignore`.

    Raises:
        OSError: the folder is not there and cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError:
        return
    with suppress(OSError):  # no more than a courtesy
        (folder / ".gitignore").write_text(
            "# Made by mkdocs-cited; may be deleted.\n*\n", encoding="utf-8"
        )


def write_atomically(
    path: Path, data: bytes | bytearray, *, scratch: Path | None = None
) -> bool:
    """Write a file whole: others find the old bytes or the new, after a crash at any point too. It keeps its mode.

    Whether the bytes are new. Equal bytes leave the file alone, so that nothing that watches it wakes up.

    Args:
        path: a link there is replaced by a file; `through_links` says where it leads.
        data: all that is in the file.
        scratch: the folder of the file that takes its place, where a crash may leave one; by default its own.

    Raises:
        CitedError: the file or its folder cannot be written.
    """
    try:
        if path.is_file() and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _replace(path, data, scratch or path.parent)
        except OSError:
            if scratch is None:
                raise
            _replace(path, data, path.parent)  # the cache is full, or on another disk
    except OSError as error:
        reason = error.strerror or str(error)
        raise CitedError(
            f"{path}: cannot be written: {reason}",
            tip="check the disk and the permissions",
        ) from error
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that a file in a cache represents; other processes and threads wait for it.

    Raises:
        CitedError: the lock cannot be had within `PATIENCE` seconds, or not at all.
    """
    # most builds write nothing, and it brings asyncio
    from filelock import FileLock, Timeout

    try:
        make_cache(path.parent)
        lock = FileLock(path, timeout=PATIENCE, poll_interval=0.01)
        lock.acquire()
    except Timeout as error:
        tip = f"wait for the other mkdocs-cited, or delete {path} if there is none"
        message = (
            f"{path}: another process has held this lock for {PATIENCE:.0f} seconds"
        )
        raise CitedError(message, tip=tip) from error
    except OSError as error:
        tip = "make the folder writable, or delete what is in its place; it may be deleted at any time"
        raise CitedError(
            f"{path}: cannot be locked: {error.strerror or error}", tip=tip
        ) from error
    try:
        yield
    finally:
        lock.release()


def _replace(path: Path, data: bytes | bytearray, folder: Path) -> None:
    """Write a file in a folder, whole, and give it another's place."""
    temporary = folder / f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        with temporary.open("xb") as file:
            if path.is_file():
                temporary.chmod(stat.S_IMODE(path.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


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


def git(root: Path, *arguments: str, patience: float = GIT_PATIENCE) -> str | Refusal:
    """What git prints in a folder; empty where it says no.

    Args:
        root: the folder.
        patience: seconds.
    """
    command = ["git", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 -- no shell
            command,
            cwd=root,
            stdin=subprocess.DEVNULL,
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


def has_whole_history(root: Path) -> bool:
    """True if git has all commits of a folder: a shallow clone lacks the first ones."""
    return git_or_nothing(root, "rev-parse", "--is-shallow-repository") == "false"


def date_added(root: Path, path: str) -> str:
    """The ISO 8601 date on which git first had a file, whatever its name was; empty where it does not know. Where it
    has not the whole history, the date is too late."""
    asked = ("log", "--follow", "--diff-filter=A", "--format=%as", "--", path)
    return git_or_nothing(root, *asked).rpartition("\n")[2]


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
