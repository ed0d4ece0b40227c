"""What a person accepted, edited or approved stands until a person accepts something else, whatever a provider says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mkdocs_cited.model.answer import Status
from mkdocs_cited.records import Record, Store
from tests.pipeline.test_update import TOPICS, Project, answer, honest
from tests.projects import Project as Site
from tests.servers.messages import MessagesServer
from tests.servers.script import say

LIMITS = "faq.md#limits"
ABSTAINS = say("[[NOT-DOCUMENTED]] There is no number.")


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which answers like `honest`."""
    api.answer_with(honest)
    return api


def text(root: Path) -> str:
    record = Store(root).read(LIMITS)
    assert isinstance(record, Record)
    return record.content


@pytest.mark.parametrize(
    ("approval", "word", "update"),
    [("auto", "accepted", "always"), ("auto", "edited", "stale"), ("required", "accepted", "stale"),
     ("required", "accepted", "always")],
)  # fmt: skip
def test_an_abstention_is_a_proposal(
    tmp_path: Path, api: MessagesServer, approval: str, word: str, update: str
) -> None:
    """The text goes on rendering, the abstention waits beside it, and no later run takes it for resolved."""
    project = Project(tmp_path, api)
    project.update()
    store = Store(tmp_path)
    for topic in TOPICS:
        assert isinstance(store.accept(f"faq.md#{topic}", "Ann", "2026-11-21"), Record)
    if word == "edited":
        path = tmp_path / store.path(LIMITS)
        path.write_text(path.read_text("utf-8").replace("for every project.[", "for all projects.["), "utf-8")
    before = text(tmp_path)
    assert before
    project.options["approval"] = approval
    if update == "stale":
        project.pages = {topic: html.replace("every", "each") for topic, html in project.pages.items()}
    api.answer_with(lambda body: ABSTAINS)
    for run in (update, "stale"):
        shown = answer(project.update(run), "limits")
        assert text(tmp_path) == before
        assert shown.content == before
        assert shown.proposal == "No answer: There is no number."
        assert shown.status is not Status.ABSTAINED
    waiting = store.proposal(LIMITS)
    assert isinstance(waiting, Record)
    assert waiting.abstained
    assert isinstance(store.accept(LIMITS, "Ann", "2026-11-22"), Record)
    assert text(tmp_path) == ""


def test_a_new_text_waits_beside_an_accepted_one(tmp_path: Path, api: MessagesServer) -> None:
    """Approval is bound to a text: another one does not take its place unasked."""
    project = Project(tmp_path, api)
    project.update()
    Store(tmp_path).accept(LIMITS, "Ann", "2026-11-21")
    before = text(tmp_path)
    project.pages["limits"] = project.pages["limits"].replace("10", "12")
    for _ in range(2):
        shown = answer(project.update(), "limits")
        assert text(tmp_path) == before
        assert "12" in shown.proposal


def test_an_abstention_waits_for_a_person(tmp_path: Path, api: MessagesServer) -> None:
    """What a program wrote and a team committed, no program takes back."""
    project = Project(tmp_path, api)
    project.update()
    api.answer_with(lambda body: ABSTAINS)
    before = text(tmp_path)
    found = answer(project.update("always"), "limits")
    assert (found.status, [item.slug for item in found.findings]) == (Status.STALE, ["stale-answer"])
    assert "would be left without its answer" in found.findings[0].message
    assert text(tmp_path) == before != ""


def test_an_offline_provider_takes_no_word_back(project: Site) -> None:
    """Its answer goes on rendering when the docs no longer give it, and the build says that it is out of date."""
    project.page("faq.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: keys}\n---\n# FAQ\n")
    assert project.build().code == 0
    assert project.cited("accept", "keys", "--by", "Ann").code == 0
    project.page("guide/install.md", "# Install\n\nNothing stands here any more.\n")
    result = project.build()
    assert "Restart the client" in project.html("faq/index.html")
    assert result.code == 1
    assert project.answers()["keys"]["content"]
