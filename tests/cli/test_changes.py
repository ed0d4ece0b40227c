"""`check --since` reports what depends on a change alone."""

from __future__ import annotations

import subprocess

import pytest

from tests.projects import Project

PAGE = """
    ---
    answers:
      - id: {name}
        question: For how many days is a key valid?
        text: A key is valid for {days} days [@{cited}].
    ---
    # FAQ
"""
KEYS = "# Keys\n\n## Validity\n\nA key is valid for 90 days.\n"


@pytest.fixture
def wrong(project: Project) -> Project:
    """A repository with a wrong answer on each of two pages, which rest on pages of their own."""
    for name in ("one", "two"):
        project.page(f"{name}.md", PAGE.format(name=name, days=60, cited=f"{name}-keys.md#validity"))
        project.page(f"{name}-keys.md", KEYS)
    for arguments in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *arguments], cwd=project.root, check=True)
    return project


def test_since_a_commit(wrong: Project) -> None:
    """Nothing changed, nothing is told; a changed page, a changed source and a new file are."""
    assert wrong.cited("check", "--since", "HEAD").code == 0
    wrong.page("one-keys.md", KEYS + "\nIt can be rotated.\n")
    output = wrong.cited("check", "--since", "HEAD").output
    assert ("docs/one.md" in output, "docs/two.md" in output) == (True, False), output
    wrong.page("two.md", PAGE.format(name="two", days=61, cited="two-keys.md#validity"))
    assert "docs/two.md" in wrong.cited("check", "--since", "HEAD").output
    assert "git knows no commit `nope` here" in wrong.cited("check", "--since", "nope").output
