"""Disks that are full or may not be written to, for real: a finding or a message with a next step, and no half record.

Root may write whatever a mode says, so that file systems are mounted; where that is not allowed, these are skipped.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.projects import Project

FAQ = "---\nanswers:\n  - {question: How long is a key valid?, id: valid}\n---\n# FAQ\n"


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system of its own in the place of a folder."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with suppress(OSError):  # it is full from the start
            (folder / "filling").write_bytes(bytes(100_000))
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("options", ["size=16k", "ro"])
def test_a_cache_that_cannot_be_written(project: Project, options: str) -> None:
    """Checks and questions do without it; where records are to be written, their lock has no place, which is said."""
    project.page("faq.md", FAQ)
    with mounted(project.root / ".cache", options):
        for command in (("check",), ("find", "key")):
            assert project.cited(*command).code == 0
        result = project.cited("accept", "valid", "--by", "Ann")
    assert (result.code, "cannot be locked" in result.output) in ((3, True), (0, False))
    assert (project.root / "answers/faq/valid.md").is_file() == (result.code == 0)


@pytest.mark.parametrize("options", ["size=16k", "ro"])
def test_records_that_cannot_be_written(project: Project, options: str) -> None:
    """The file is named, with what the system says of it; nothing is left of it."""
    project.page("faq.md", FAQ)
    with mounted(project.root / "answers", options):
        result = project.cited("accept", "valid", "--by", "Ann")
        assert result.code == 3
        assert "answers/faq/valid.md: cannot be written" in result.output
        assert "check the disk and the permissions" in result.output
        assert project.cited("check").code == 0
        assert not [path for path in (project.root / "answers").rglob("*") if path.is_file() and path.suffix == ".md"]
