"""A file of the repository is linked on the branch that its host edits pages on."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

import pytest

from mkdocs_cited.mkdocs_host.project import Project, repository_link
from mkdocs_cited.model.source import SitePage


@pytest.mark.parametrize(
    ("repository", "edit_uri", "expected"),
    [
        ("https://github.com/x/y/", "edit/main/docs/", "https://github.com/x/y/blob/main/"),
        ("https://github.com/x/y/", "edit/release/1.0/docs/", "https://github.com/x/y/blob/release/1.0/"),
        ("https://github.com/x/y/", "blob/feature/a/docs/", "https://github.com/x/y/blob/feature/a/"),
        ("https://gitlab.com/x/y/", "-/edit/release/1.0/docs/", "https://gitlab.com/x/y/-/blob/release/1.0/"),
        ("https://git.example.org/x/y/", "edit/main/docs/", "https://git.example.org/x/y/blob/main/"),
        ("https://bitbucket.org/x/y/", "src/default/docs/", "https://bitbucket.org/x/y/src/default/"),
        ("https://codeberg.org/x/y/", "_edit/release/1.0/docs/", "https://codeberg.org/x/y/src/branch/release/1.0/"),
        ("https://codeberg.org/x/y/", "_edit/branch/main/docs/", "https://codeberg.org/x/y/src/branch/main/"),
        ("https://github.com/x/y/", "edit/main/elsewhere/", ""),
        ("https://github.com/x/y/", "?query=root/docs/", "https://github.com/x/y/?query=root/"),
    ],
)
def test_the_branch_is_that_of_the_edit_links(tmp_path: Path, repository: str, edit_uri: str, expected: str) -> None:
    """Whatever its name; nothing is guessed where pages are edited elsewhere, or nowhere."""
    project = Project(str(tmp_path / "mkdocs.yml"), str(tmp_path / "docs"))
    nowhere = SitePage("a.md", "a/", "", "en")
    page = SitePage("b.md", "b/", "", "en", edit_url=urljoin(repository, f"{edit_uri}b.md"))
    assert repository_link([nowhere, page], project) == (f"{expected}{{path}}" if expected else "")
