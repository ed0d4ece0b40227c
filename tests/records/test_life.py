"""The life of a record, through real builds and commands."""

from __future__ import annotations

import socket

import pytest

from mkdocs_cited.records import Record, Store, edited
from tests.projects import Project

KEY = "faq.md#retries"
FILE = "answers/faq/retries.md"
FAQ = "---\nanswers:\n  - {question: How often does the client retry a failed request?, id: retries}\n---\n# FAQ\n"
RETRIES = "The client retries a failed request 5 times before it gives up."


@pytest.fixture
def kept(project: Project) -> Project:
    """A project with a record of one answer."""
    project.page("faq.md", FAQ)
    project.taken(KEY)
    assert record(project).content.startswith(f"{RETRIES}[^1]")
    return project


def record(project: Project) -> Record:
    found = Store(project.root).read(KEY)
    assert isinstance(found, Record), found
    return found


def edit(project: Project, path: str, old: str, new: str) -> None:
    """Change a file as a person would: in a record, its prose and not the evidence above it."""
    file = project.root / path
    before, found, behind = file.read_text(encoding="utf-8").rpartition(old)
    assert found
    file.write_text(before + new + behind, encoding="utf-8")


def records(project: Project) -> dict[str, bytes]:
    return {path: data for path, data in project.tree().items() if path.startswith("answers/")}


def test_a_second_build_leaves_it_alone(kept: Project) -> None:
    """Not a byte of it changes."""
    before = records(kept)
    assert kept.build().code == 0
    assert records(kept) == before


def test_ci_needs_no_network_and_writes_nothing(kept: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """With valid records, `check` and `build` open no socket, and change no file but the site."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(socket.socket, "__init__", refuse)
    before = kept.tree()
    assert kept.cited("check").code == 0
    assert kept.tree() == before
    assert kept.build().code == 0
    after = kept.tree()
    assert {path: data for path, data in after.items() if not path.startswith("site/")} == {
        path: data for path, data in before.items() if not path.startswith("site/")
    }


def test_an_edit_elsewhere_changes_nothing(kept: Project) -> None:
    """A typo on the cited page, and the cited paragraph in another place on it."""
    before = records(kept)
    edit(kept, "docs/guide/install.md", "A key is valid for 90 days.", "A key is valid for ninety days.")
    edit(kept, "docs/guide/install.md", "Install the client with pip:", "Install it with pip, as follows:")
    assert kept.cited("check").code == 0
    assert kept.build().code == 0
    assert records(kept) == before


def test_a_passage_that_moved_to_another_page_is_followed(kept: Project) -> None:
    """The record names the new place once its heading has gone, and the link in the page leads there."""
    page = (kept.root / "docs/guide/install.md").read_text(encoding="utf-8")
    moved = next(line for line in page.splitlines() if line.startswith(RETRIES))
    edit(kept, "docs/guide/install.md", moved, "See there.")
    edit(kept, "docs/guide/install.md", "# With pip", "# By pip")
    kept.page("guide/retries.md", f"# Retries\n\n{moved}\n")
    assert kept.cited("check").code == 0
    assert kept.build().code == 0
    assert record(kept).citations[0].at == "guide/retries.md#retries"
    assert 'href="../guide/retries/' in kept.html("faq/index.html")


def test_a_value_that_changed_is_told_with_both(kept: Project) -> None:
    """The person's text stays as it is, and the build fails."""
    kept.cited("accept", KEY, "--claims", "1", "--by", "Ann")
    before = records(kept)
    edit(kept, "docs/guide/install.md", "5 times", "7 times")
    result = kept.build()
    assert (result.code, "outdated-claim" in result.output) == (1, True)
    assert "it was “5”, it is “7”" in " ".join(result.output.split())
    assert records(kept) == before


def test_prose_that_a_person_edited_stays(kept: Project) -> None:
    """It is reviewed and rendered, and waits where it is in other words."""
    edit(kept, FILE, RETRIES, "A failed request is retried 5 times.")
    result = kept.build()
    assert result.code == 0, result.output
    assert "A failed request is retried 5 times." in kept.html("faq/index.html")
    assert edited(record(kept))
    assert "unconfirmed-claim" in kept.cited("check").output


def test_a_fault_in_edited_prose_is_found_on_its_line(kept: Project) -> None:
    """A sentence that nobody cites anything for fails the build, at its line of the record."""
    edit(kept, FILE, "[^1]", "[^1]\n\nNobody has ever measured it.")
    result = kept.build()
    assert result.code == 1
    assert f"{FILE}:{record(kept).place.line + 2}" in result.output
    assert "missing-citation" in result.output


@pytest.mark.parametrize("path", [FILE, FILE.replace(".md", ".new.md")], ids=["record", "proposal"])
def test_an_unreadable_file_is_a_finding_and_stays(kept: Project, path: str) -> None:
    """Neither the record nor a proposal is repaired, replaced or passed over."""
    broken = "---\nversion: 1\nquestion: [\n---\n"
    kept.write(path, broken)
    result = kept.build()
    assert result.code == 1
    assert "broken-record" in result.output
    if path == FILE:
        assert kept.cited("accept", "faq.md", "--all").code == 3
    assert (kept.root / path).read_text(encoding="utf-8") == broken


def test_a_baseline_lets_an_old_site_begin(project: Project) -> None:
    """Today's findings are silent, tomorrow's are not; written anew, the baseline keeps what is still there."""
    text = "A key is valid for 90 days [@guide/install.md#keys]. {0} is uncited."
    entry = "  - {{question: {0}?, id: {0}, text: '" + text + "'}}\n"
    for entries in (entry.format("a"), entry.format("a") + entry.format("b")):
        project.page("faq.md", f"---\nanswers:\n{entries}---\n# FAQ\n")
        assert project.cited("check").code == 1
        assert project.cited("check", "--write-baseline").code == 0
        result = project.cited("check")
        assert result.code == 0, result.output
    project.page("faq.md", f"---\nanswers:\n{entry.format('b')}---\n# FAQ\n")
    result = project.cited("check")
    assert (result.code, "unused-suppression" in result.output) == (0, True)


def test_a_check_needs_no_record_and_leaves_no_trace(project: Project) -> None:
    """The first check of a site makes its answers in memory."""
    project.page("faq.md", FAQ)
    before = project.tree()
    assert project.cited("check").code == 0
    assert project.tree() == before


def test_a_decision_depends_on_the_names_in_code_that_its_claim_states(project: Project) -> None:
    """Though the words that are nearest to the claim are elsewhere in the section."""
    page = (
        "# Keys\n\n## Types\n\n```yaml\ntype: str # an answer can be of that type\n"
        "type: yaml # the default, the last type of an answer\n```\n\n"
        "Options are: `bool`, `int`, `yaml`.\n"
    )
    project.page("keys.md", page)
    project.authored("keys.md#types", types=["An answer can be of type bool, int or yaml, the last being the default."])
    assert project.cited("accept", "faq.md#types", "--all").code == 0
    assert "changed-evidence" not in project.cited("check").output
    project.page("keys.md", page.replace("`int`, ", "`int`, `path`, "))
    assert "changed-evidence" in project.cited("check").output
