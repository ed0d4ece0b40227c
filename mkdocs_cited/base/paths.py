"""Checks paths made from content or options: they stay inside a folder, or are refused with a next step."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from mkdocs_cited.base.errors import CitedError, UsageError

LONGEST = 1_000
"""Characters of a path; no system takes many more."""


def check_inside(path: str, *, what: str, where: str = "the project", tip: str = "") -> None:
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
    absolute = PurePosixPath(plain).is_absolute() or bool(PureWindowsPath(plain).drive)
    parts = PurePosixPath(plain).parts
    if absolute or not parts or ".." in parts:
        raise UsageError(f"{what}: `{path[:LONGEST]}` leads out of {where}", tip=tip)
    if len(plain) > LONGEST or not plain.isprintable():
        raise UsageError(f"{what}: `{path[:LONGEST]}` is no path", tip=tip)


def inside(folder: Path, path: str, *, what: str, where: str = "the project", tip: str = "") -> Path:
    """The real path below a folder that a relative path names, whether or not it is there yet.

    Args:
        folder: as for `check_inside`, as are the others.

    Raises:
        UsageError: it leads out of the folder.
        CitedError: a link leads it out, or it cannot be followed.
    """
    check_inside(path, what=what, where=where, tip=tip)
    try:
        real, root = (folder / path.replace("\\", "/")).resolve(), folder.resolve()
    except (OSError, RuntimeError) as error:  # a circle of links
        raise CitedError(f"{what}: `{path}` cannot be followed: {error}", tip=tip) from error
    if root not in real.parents:
        raise CitedError(f"{what}: `{path}` leads out of {where} through a link", tip="replace the link by a folder")
    return real
