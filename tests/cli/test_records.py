"""People keep answers: they approve, reject, decide, move and prune, through the real commands."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from mkdocs_cited.cli import main
from mkdocs_cited.records import Record, Store
from tests.projects import Project

KEY = "faq.md#retries"
TWO = """
    ---
    answers:
      - id: retries
        question: Retries?
        text: A failed request is tried 5 times again, whoever sent it [@guide/install.md#with-pip].
      - id: keys
        question: Keys?
        text: Whoever administers it should think of the end of keys in time [@guide/install.md#keys].
    ---
"""
FILE = "answers/faq/retries.md"
PROPOSAL = "answers/faq/retries.new.md"
FAQ = "---\nanswers:\n  - {question: How often does the client retry a failed request?, id: retries}\n---\n# FAQ\n"


@pytest.fixture
def faq(project: Project) -> Project:
    """A project with one question, and a person whose name git knows."""
    project.page("faq.md", FAQ)
    project.belongs_to_ann()
    return project


@pytest.fixture
def edited(faq: Project) -> Project:
    """The same with a record that a person edited, and a proposal that waits next to it."""
    faq.taken(KEY)
    change(faq, FILE, "before it gives up", "and then gives up")
    kept = record(faq)
    proposed = kept.content.replace("5 times and then gives up", "7 times before it gives up")
    Store(faq.root).propose(replace(kept, content=proposed, approval=None))
    assert (faq.root / PROPOSAL).is_file()
    return faq


def change(project: Project, path: str, old: str, new: str) -> None:
    """Change a file where it says something last: in a record, its prose."""
    before, found, behind = (project.root / path).read_text(encoding="utf-8").rpartition(old)
    assert found
    (project.root / path).write_text(before + new + behind, encoding="utf-8")


def record(project: Project, key: str = KEY) -> Record:
    found = Store(project.root).read(key)
    assert isinstance(found, Record), found
    return found


def test_an_approval_is_required_for_each_text(faq: Project) -> None:
    """It holds a name, a date and the hash of the text, and lapses when the text changes; until then nothing of it is
    published, in CI and on a desk."""
    faq.configure({"approval": "required"})
    result = faq.build()
    assert "unreviewed-quote" in result.output
    assert "5 times" not in faq.html("faq/index.html")
    assert [path for path in faq.tree() if path.startswith("answers/")] == []
    assert "the quotation is taken by Ann Lee" not in faq.cited("check").output
    assert "a question" in faq.cited("review", KEY).output
    assert f"mkdocs-cited review {KEY}" in " ".join(faq.cited("accept", KEY).output.split())
    result = faq.cited("answer", KEY, "--take", "guide/install.md#with-pip")
    assert result.code == 0, result.output
    assert record(faq).approval.by == "Ann Lee"  # type: ignore[union-attr]
    assert faq.build("--strict").code == 0
    assert "5 times" in faq.html("faq/index.html")
    change(faq, FILE, "before it gives up", "and then gives up")
    for environment in ({}, {"CI": "1"}):
        for name, value in environment.items():
            faq.monkeypatch.setenv(name, value)
        result = faq.cited("check")
        assert (result.code, "unapproved-answer" in result.output) == (1, True)
        assert faq.build().code == 1
        assert "5 times" not in faq.html("faq/index.html")
    assert faq.cited("accept", KEY, "--by", "Bob").code == 0
    assert record(faq).approval.by == "Bob"  # type: ignore[union-attr]
    assert faq.cited("check").code == 0


def test_a_section_is_taken_with_all_of_its_list(project: Project) -> None:
    """One step of three would be half an answer."""
    project.page("keys.md", "# Keys\n\n## Rotate a key\n\n1. Open it.\n2. Press **Rotate**.\n3. Copy the new key.\n")
    project.page("faq.md", "---\nanswers:\n  - id: rotate\n    question: How do I rotate a key?\n---\n")
    result = project.cited("answer", "rotate", "--take", "keys.md#rotate-a-key", "--by", "Ann")
    assert result.code == 0, result.output
    assert record(project, "faq.md#rotate").content.count("\n") == 2


def test_a_proposal_is_compared_and_accepted(edited: Project) -> None:
    """`review` shows the prose of both; `accept` puts the new text in its place."""
    result = edited.cited("review")
    assert "-The client retries a failed request 5 times and then gives up.[^1]" in result.output
    assert "+The client retries a failed request 7 times before it gives up.[^1]" in result.output
    assert edited.cited("accept", "retries").code == 0
    assert not (edited.root / PROPOSAL).exists()
    assert "7 times" in record(edited).content
    assert record(edited).approved


def test_a_rejected_proposal_is_gone(edited: Project) -> None:
    """The accepted text stays as it is."""
    assert "rejected" in edited.cited("reject", "retries").output
    assert not (edited.root / PROPOSAL).exists()
    assert "5 times and then gives up" in record(edited).content
    assert "no proposal waits" in edited.cited("reject", "retries").output


@pytest.mark.parametrize(("key", "wanted"), [("y", "7 times"), ("n", "5 times"), ("s", "5 times"), ("q", "5 times")])
def test_walking_through_proposals(edited: Project, key: str, wanted: str) -> None:
    """Each is shown with its question, its difference and its evidence, and waits for one letter."""
    result = CliRunner().invoke(main, ["review", "-f", str(edited.root / "mkdocs.yml")], input=f"{key}\n")
    assert result.exit_code == 0, result.output
    assert "How often does the client retry a failed request?" in result.output
    assert "+The client retries a failed request 7 times before it gives up." in result.output
    assert wanted in record(edited).content
    assert (edited.root / PROPOSAL).exists() is (key in "sq")


def test_a_person_decides_a_claim(faq: Project) -> None:
    """The verdict goes into the record with name and date, outranks programs, and lapses with the passage; a refusal
    lapses into no pass."""
    faq.taken(KEY)
    result = faq.cited("reject", KEY, "--claims", "1", "--reason", "It is 7 by now.")
    assert result.code == 0, result.output
    assert f"{KEY}: claim 1 rejected by Ann Lee" in result.output
    (person,) = (item for item in record(faq).claims if item.by)
    assert (person.by, person.verdict, person.reason) == ("Ann Lee", "unsupported", "It is 7 by now.")
    result = faq.cited("check")
    assert (result.code, "unsupported-claim" in result.output) == (1, True)
    change(faq, "docs/guide/install.md", "a failed request 5 times", "a failed request just 5 times")
    result = faq.cited("check")
    assert "changed-evidence" in result.output
    change(faq, "docs/guide/install.md", "a failed request just 5 times", "a failed request 5 times")
    assert faq.cited("accept", KEY, "--claims", "1", "--by", "Bob").code == 0
    assert [item.by for item in record(faq).claims if item.by] == ["Bob"]
    assert faq.cited("check").code == 0
    change(faq, "docs/guide/install.md", "5 times", "7 times")
    assert faq.build().code == 1
    assert [item.by for item in record(faq).claims if item.by] == ["Bob"]


def test_a_person_decides_a_claim_of_an_authored_text(faq: Project) -> None:
    """The text stays in the page; the record holds the verdict."""
    text = "The client retries a failed request 5 times before it gives up [@guide/install.md#with-pip]."
    faq.page("faq.md", f"---\nanswers:\n  - {{question: Retries?, id: retries, text: '{text}'}}\n---\n# FAQ\n")
    assert faq.cited("reject", KEY, "--claims", "1").code == 0
    assert "unsupported-claim" in faq.cited("check").output
    assert faq.cited("accept", KEY, "--claims", "1").code == 0
    result = faq.cited("check", "--strict")
    assert result.code == 0, result.output
    change(faq, "docs/faq.md", "5 times", "5 times in all")
    assert "unsupported-claim" not in faq.cited("check").output


def test_a_decision_bears_a_name(faq: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of git's user, else of the login, unless another is given."""
    faq.taken(KEY)
    monkeypatch.setenv("LOGNAME", "alee")
    faq.git("config", "user.name", "")
    assert "claim 1 confirmed by alee" in faq.cited("accept", KEY, "--claims", "1").output
    assert "claim 1 confirmed by Bob" in faq.cited("accept", KEY, "--claims", "1", "--by", "Bob").output


def test_usage(faq: Project) -> None:
    """What is named must be there; a name must be known; exit code 2 says that nothing was done."""
    faq.taken(KEY)
    result = faq.cited("accept", "retry")
    assert (result.code, "did you mean `retries`?" in result.output) == (2, True)
    result = faq.cited("accept", KEY, "--claims", "9")
    assert (result.code, "its claims are:" in result.output) == (2, True)
    result = faq.cited("accept", KEY, "--claims", "one")
    assert (result.code, "write `--claims 1,3-5`" in result.output) == (2, True)


def test_pruning(faq: Project) -> None:
    """A record without a declaration is a warning until it is deleted."""
    faq.taken(KEY)
    faq.page("faq.md", "# FAQ\n")
    result = faq.cited("check")
    assert (result.code, "orphan-record" in result.output) == (0, True)
    assert faq.cited("prune").output == f"{KEY}\ndeleted 1\n  → commit answers/\n"
    assert Store(faq.root).read(KEY) is None
    assert not (faq.root / "answers/faq").exists()
    assert faq.cited("prune").output == "all records belong to a question\n"


def moved(project: Project, page: str) -> None:
    """Move the FAQ, as people do."""
    target = project.root / "docs" / page
    target.parent.mkdir(parents=True, exist_ok=True)
    (project.root / "docs/faq.md").rename(target)


def test_the_records_of_a_page_that_has_moved_follow_it(faq: Project) -> None:
    """With proposals and decisions; the tip of what is wrong meanwhile names the command, and prune deletes nothing."""
    faq.page("faq.md", TWO)
    assert faq.cited("accept", KEY, "--claims", "1").code == 0
    faq.write("answers/faq/retries.new.md", (faq.root / FILE).read_bytes())
    before, checked = faq.tree(), faq.cited("check").output
    moved(faq, "help/ask.md")
    listed = faq.cited("status").output
    assert "faq.md asks no question `retries` any more" in listed
    assert "run `mkdocs-cited update`, which keeps what people decided" in listed
    assert "mkdocs-cited review" not in listed
    kept = faq.cited("prune").output
    assert kept == f"left {KEY}: it is that of help/ask.md#retries now\n  → mkdocs-cited update\n"
    planned = faq.cited("update", "--dry-run").output
    assert f"the record of {KEY} is that of help/ask.md#retries now\n" in planned
    assert (faq.root / FILE).is_file()
    assert f"the record of {KEY} is that of help/ask.md#retries now\n" in faq.cited("update").output
    tree = faq.tree()
    assert {path.replace("help/ask", "faq"): data for path, data in tree.items()} == before
    assert faq.cited("check").output == checked.replace("faq.md", "help/ask.md")


def test_the_record_of_a_question_with_another_id_follows_it(faq: Project) -> None:
    faq.page("faq.md", TWO)
    assert faq.cited("accept", KEY, "--claims", "1").code == 0
    faq.page("faq.md", TWO.replace("id: retries", "id: again"))
    assert f"the record of {KEY} is that of faq.md#again now\n" in faq.cited("update").output
    assert len(record(faq, "faq.md#again").claims) == 1


def test_the_decisions_on_marked_sentences_follow_their_page(faq: Project) -> None:
    """To the page that has the sentences, and to no other."""
    faq.page("a.md", "# A\n\nA key lasts for ninety days [@guide/install.md#keys].\n")
    assert faq.cited("accept", "a.md#claims", "--claims", "1").code == 0
    (faq.root / "docs/a.md").rename(faq.root / "docs/c.md")
    faq.page("b.md", "# B\n\nKeys are not for ever [@guide/install.md#keys].\n")
    assert "the record of a.md#claims is that of c.md#claims now\n" in faq.cited("update").output
    assert len(record(faq, "c.md#claims").claims) == 1


def test_no_record_is_written_over_when_a_page_moves(faq: Project) -> None:
    """What stands under the new page stays; the others move."""
    faq.page("faq.md", TWO)
    for name in ("retries", "keys"):
        assert faq.cited("accept", f"faq.md#{name}", "--claims", "1").code == 0
    moved(faq, "ask.md")
    assert faq.cited("accept", "ask.md#keys", "--claims", "1", "--by", "Bob").code == 0
    before = (faq.root / "answers/ask/keys.md").read_bytes()
    result = faq.cited("update")
    assert (faq.root / "answers/ask/keys.md").read_bytes() == before
    assert "the record of faq.md#retries is that of ask.md#retries now" in result.output
    assert (faq.root / "answers/faq/keys.md").is_file()


def test_what_seems_to_have_moved_is_deleted_on_request(faq: Project) -> None:
    """Its decisions with it."""
    faq.page("faq.md", TWO)
    assert faq.cited("accept", KEY, "--claims", "1").code == 0
    moved(faq, "ask.md")
    assert f"left {KEY}" in faq.cited("prune").output
    assert "deleted 1" in faq.cited("prune", "--moved").output
    assert not (faq.root / FILE).exists()


def test_status(edited: Project) -> None:
    """A line for each answer: what it is, where it stands, what it rests on."""
    line = edited.cited("status").output.partition("\n")[0]
    assert line.split("\t") == [KEY, "waiting", "1 waiting", "guide/install.md", ""]


def test_a_proposal_without_a_text_is_accepted_and_rejected(faq: Project) -> None:
    """It says that the docs do not answer any more: what the finding tells to run does what it says."""
    assert faq.cited("answer", KEY, "--take", "guide/install.md#with-pip", "--by", "Ann").code == 0
    store = Store(faq.root)
    nothing = replace(record(faq), content="", citations=(), claims=(), abstained=True, reason="no page says it")
    store.propose(nothing)
    assert "rejected 1" in faq.cited("reject", KEY).output
    store.propose(nothing)
    accepted = faq.cited("accept", KEY, "--by", "Ann")
    assert (accepted.code, "accepted 1" in accepted.output) == (0, True), accepted.output
    assert record(faq).abstained
