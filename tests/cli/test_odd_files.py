"""What is named in place of a file is met with a line that says so: nothing waits without end, nothing is a trace."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import Project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and devices")
ODD: dict[str, Callable[[Path], object]] = {
    "it is a folder": Path.mkdir,
    "it is a device or a pipe": lambda path: os.mkfifo(path),
    "it has more than": lambda path: path.write_bytes(b" " * 20_000_001),
}
DEVICE = "/dev/zero"


@pytest.mark.parametrize("said", ODD)
def test_a_baseline_in_no_file(project: Project, said: str) -> None:
    """With the command that writes it."""
    ODD[said](project.root / "cited-baseline.yml")
    result = project.cited("check")
    assert (result.code, f"the baseline cannot be read: {said}" in result.output) == (3, True), result.output
    assert "→ delete it, then write it again: `mkdocs-cited check --write-baseline`" in result.output


def test_a_configuration_or_a_text_on_a_device(project: Project) -> None:
    """Neither is waited for; a folder is no statement."""
    result = project.cited("check", "-f", DEVICE)
    assert (result.code, f"`{DEVICE}` cannot be read: it is a device" in result.output) == (2, True), result.output
    for name, said in ((DEVICE, "it is a device or a pipe"), (str(project.root), "it is a folder")):
        result = project.cited("verify", name)
        assert (result.code, f"cannot be read: {said}" in result.output) == (2, True), result.output
    assert "undocumented" in project.cited("verify", "Word " * 200).output


def test_a_report_that_cannot_be_written(project: Project) -> None:
    """Its file is named."""
    result = project.cited("check", "--format", "json", "--output", str(project.root / "docs"))
    assert result.code == 3
    assert f"{project.root}/docs: the report cannot be written: Is a directory" in result.output


def test_a_configuration_of_another_generator_needs_its_site(project: Project) -> None:
    """The command that reads it is told, in place of a page of MkDocs' errors."""
    project.write("cited.yml", "site_name: Try\n")
    result = project.cited("check", "-f", str(project.root / "cited.yml"))
    assert (result.code, "name the folder of the built site, `--site FOLDER`" in result.output) == (2, True)


@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to(path.name)])
def test_a_pipe_or_a_circle_in_the_place_of_a_file_of_the_repository(
    project: Project, make: Callable[[Path], object]
) -> None:
    """Neither code, nor Markdown of the option `files`, nor the folder of records is waited for."""
    project.configure({"facts": True, "files": ["README.md"]})
    for name in ("README.md", "app.py"):
        project.write(name, "")
    project.page("keys.md", "# Keys\n\nA key is valid for 90 days.\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.git("commit", "-qm", "All")
    for name in ("README.md", "app.py"):
        (project.root / name).unlink()
        make(project.root / name)
    (project.root / "answers").symlink_to("answers")
    assert "`README.md` names no file" in project.build().output
    for options in ((), ("--since", "HEAD")):
        result = project.cited("check", *options)
        assert (result.code, "`README.md` names no file" in result.output) == (1, True), result.output


def test_a_page_that_is_not_utf_8_is_not_corrected(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named."""
    names = ["cache_ttl", "max_depth", "page_size", "retry_wait"]
    rows = "".join(f"| `{name}` | {number} |\n" for number, name in enumerate(names))
    page = f"# Größen\n\n## Options\n\n| Name | Default |\n|---|---|\n{rows}"
    project.page("conf.md", page.encode("latin-1"))
    fields = "".join(f"    {name}: int = {number or 60}\n" for number, name in enumerate(names))
    project.write("app.py", f"class Config:\n{fields}")
    project.belongs_to_ann()
    project.git("add", "-A")
    monkeypatch.chdir(project.root)
    result = project.cited_here("facts", "--fix", "--yes")
    assert (result.code, "docs/conf.md:1: the file is not UTF-8" in result.output) == (2, True), result.output
