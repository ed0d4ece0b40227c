"""`sources:` that name nothing are told, with what would match."""

from __future__ import annotations

import pytest

from tests.projects import Project


@pytest.mark.parametrize(
    ("glob", "tip"),
    [
        ("docs/guide/install.md", "did you mean `guide/install.md`?"),
        ("guide/instal.md", "did you mean `guide/install.md`? (paths are relative to the docs folder)"),
        ("zzz/", "known: `"),
    ],
)
def test_what_would_match(project: Project, glob: str, tip: str) -> None:
    """On the line of the declaration, and the build fails."""
    entry = f"{{question: For how many days is a key valid?, id: valid, sources: ['{glob}']}}"
    project.page("faq.md", f"---\nanswers:\n  - {entry}\n---\n# FAQ\n")
    result = project.cited("check")
    assert (result.code, "docs/faq.md:3:5  error  unknown-source" in result.output) == (1, True), result.output
    assert tip in " ".join(result.output.split())
    project.page("faq.md", f"---\nanswers:\n  - {entry.replace(glob, '!' + glob)}\n---\n# FAQ\n")
    assert "unknown-source" not in project.cited("check").output
