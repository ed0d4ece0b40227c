"""`verify` holds what a page would show against the docs, and reads the nearest passage before it says undocumented."""

from __future__ import annotations

import pytest

from mkdocs_cited.pipeline.examination import uncited
from tests.projects import Project


def test_a_changed_figure_is_no_missing_topic(project: Project) -> None:
    """The docs lack the figure, and speak of the matter: the two are put side by side."""
    result = project.cited("verify", "A key is valid for 60 days.")
    assert result.code == 1
    page = (project.root / "docs/guide/install.md").read_text(encoding="utf-8")
    line = page[: page.index("A key is valid for 90 days.")].count("\n") + 1
    told = f"contradicted: A key is valid for 60 days.\n  docs/guide/install.md:{line}: A key is valid for 90 days."
    assert result.output.startswith(told)
    assert project.cited("verify", "The moon is made of cheese.").output.startswith("undocumented: ")


def test_a_file_is_read_as_its_page_shows_it(project: Project) -> None:
    """Front matter and comments are no claims; a file without any is told."""
    text = "---\ntitle: A key is valid for 1 day\nanswers: []\n---\n\n<!-- A key is valid for 2 days. -->\n\n"
    draft = project.write("draft.md", f"{text}A key is valid for 90 days.\n")
    result = project.cited("verify", str(draft))
    assert (result.code, result.output.count("supported: ")) == (0, 1), result.output
    draft.write_text(text, encoding="utf-8")
    result = project.cited("verify", str(draft))
    assert (result.code, "the text has no claim" in result.output) == (2, True)


@pytest.mark.parametrize(
    "cited",
    [
        "A key is valid for 90 days [@guide/install.md#keys].",
        "A key is valid for 90 days [1].",
        "A key is valid for 90 days.[2, 3]",
        "A key is valid for 90 days[^note].",
    ],
)
def test_citations_are_no_words_of_a_claim(project: Project, cited: str) -> None:
    """However a draft writes them."""
    draft = project.write("draft.md", cited)
    result = project.cited("verify", str(draft))
    assert (result.code, result.output.splitlines()[0]) == (0, "supported: A key is valid for 90 days.")
    assert result.output.count(": A key") == 2


def test_no_page_proves_itself(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no other page says is undocumented, however the page is named."""
    project.page("moon.md", "# Moon\n\nThe moon is made of cheese.\n")
    result = project.cited("verify", str(project.root / "docs/moon.md"))
    assert (result.code, result.output.startswith("undocumented: ")) == (1, True), result.output
    monkeypatch.chdir(project.root / "docs")
    assert project.cited("verify", "moon.md").code == 1
    assert project.cited("verify", "The moon is made of cheese.").code == 0


def test_a_footnote_claims_what_any_paragraph_does(project: Project) -> None:
    """Nothing of a draft is left unread."""
    draft = project.write("draft.md", "A key is valid for 90 days[^note].\n\n[^note]: The moon is made of cheese.\n")
    result = project.cited("verify", str(draft))
    assert (result.code, ": The moon is made of cheese." in result.output) == (1, True), result.output


def test_code_that_looks_like_a_citation_stays(project: Project) -> None:
    """An index, a link and a footnote within code are words."""
    assert (
        uncited("See `keys[1]` and [1](a.md).\n\n```\n[^1]\n```\n")
        == "See `keys[1]` and [1](a.md).\n\n```\n[^1]\n```\n"
    )
