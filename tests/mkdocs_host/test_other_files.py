"""Marks that no reader sees, and those of Markdown that is no page of the site."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.projects import Project

PAGE = """# Home

The `TTL` is 30 <!-- cite: ../src/app.py#TTL -->.

- The `TTL` is 60. <!-- cite: ../src/app.py#TTL -->

The `TTL` is 30.
<!-- cite: ../src/app.py#TTL -->

`<!-- cite: nowhere.py#TTL -->`
"""
README = """# Read me

The `TTL` is 90 [@src/app.py#TTL].

The `TTL` is 30. <!-- cite: src/app.py#TTL -->

The `TTL` is 90 by default.
<!-- cite: src/app.py#TTL -->
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A page, a README and a record of a decision that cite a constant."""
    made = Project(tmp_path / "project", monkeypatch)
    made.configure({"files": ["README.md", "adr/*.md"]})
    made.write("src/app.py", "TTL = 30\n")
    made.write("docs/index.md", PAGE)
    made.write("README.md", README)
    made.write("adr/1.md", "# One\n\nThe `TTL` is 30 [@../src/app.py#TTL].\n")
    subprocess.run(["git", "init", "-q"], cwd=made.root, check=True)
    subprocess.run(["git", "add", "."], cwd=made.root, check=True)
    return made


def test_comments_and_other_files_are_checked(site: Project) -> None:
    """Each at its line."""
    output = site.cited("check", "--json").output
    found = json.loads(output[output.index("{") :])["findings"]
    places = {(item["place"]["file"], item["place"]["line"], item["slug"]) for item in found}
    assert places == {
        ("docs/index.md", 5, "contradicted-claim"),
        ("README.md", 3, "contradicted-claim"),
        ("README.md", 8, "contradicted-claim"),
    }


def test_nothing_is_published_of_marks_that_nobody_sees(site: Project) -> None:
    """No comment, no citation, no style sheet, and no answer for machines."""
    site.write("docs/index.md", PAGE.replace("60", "30"))
    site.write("README.md", README.replace("90", "30"))
    done = site.build("--strict")
    assert done.code == 0, done.output
    html = site.html("index.html")
    assert "cite: ../src" not in html
    assert "footnote" not in html
    assert "nowhere.py" in html
    assert [path for path in site.tree() if path.startswith("site/") and "cited" in path] == ["site/cited.json"]
    assert site.answers() == {}


def test_a_glob_that_names_no_file_is_told(site: Project) -> None:
    site.configure({"files": ["READ.md"]})
    assert "option `files`: `READ.md` names no file of the repository" in site.cited("check").output
