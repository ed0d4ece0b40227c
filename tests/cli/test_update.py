"""`mkdocs-cited update` with a model: what it writes, what it would cost, and in batches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.test_update import honest
from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.script import overloaded

PAGE = """
    # Keys

    The number of keys is 11 for every project. Nobody has asked for more of them yet.
    """
FAQ = """
    ---
    answers:
      - id: keys
        question: What is the number of keys?
    ---
    # FAQ
    """


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which answers like `honest`."""
    api.answer_with(honest)
    return api


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, api: MessagesServer) -> Project:
    """A site whose one question a model shall answer."""
    project = Project(tmp_path, monkeypatch)
    project.configure({"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1})
    project.page("keys.md", PAGE)
    project.page("faq.md", FAQ)
    project.page("index.md", "# Start")
    return project


def test_an_update_writes_and_a_build_needs_no_key(
    project: Project, api: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is committed; whoever builds afterwards asks nobody."""
    result = project.cited("update")
    assert result.code == 0, result.output
    assert "accepted" in result.output
    asked = len(api.requests)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    built = project.build("--strict")
    assert built.code == 0, built.output
    assert "The number of keys is 11 for every project." in project.html("faq/index.html")
    assert len(api.requests) == asked == 2


def test_a_batch_is_kept_beside_the_index_until_its_run_has_ended(project: Project, api: MessagesServer) -> None:
    """So that a run that was killed finds it again, and one that was not leaves nothing behind."""
    api.polls = 0
    folder = project.root / ".cache/plugin/cited/batches"
    api.answer_with(lambda body: overloaded() if "format" in body["output_config"] else honest(body))
    assert project.cited("update", "--batch").code == 1
    assert (list(folder.iterdir()), len(api.batches)) == ([], 2), "writing, reviewing"
    api.answer_with(honest)
    assert project.cited("update", "--batch").code == 0
    assert list(folder.iterdir()) == []
    assert [path.name for path in (project.root / "answers").rglob("*.md")] == ["keys.md"]


def test_a_dry_run_prices_what_a_run_would_ask(project: Project, api: MessagesServer) -> None:
    """And asks and writes nothing; once everything is written there is nothing to price."""
    priced = project.cited("update", "--dry-run")
    assert "1 answer from a model: about $0.0" in priced.output
    assert "in the median of answers on other sites" in priced.output
    assert api.requests == []
    assert not (project.root / "answers").exists()
    written = project.cited("update").output
    told, cost = written.index("1 answer from a model: about $0.0"), written.index("2 model calls, ")
    assert told < cost
    assert "No model would be asked." in project.cited("update", "--dry-run").output
    assert "in the median of 1 recorded answer)" in project.cited("update", "--dry-run", "--all").output


def test_without_a_key_no_price_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked, so that nothing can cost."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    said = project.cited("update").output
    assert ("export ANTHROPIC_API_KEY" in said, "about $" in said) == (True, False)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("ask", "What is the number of keys?"), "1 answer from a model: about $0.0"),
        (
            ("verify", "The number of keys is 11 for every project, they say."),
            "a model reads 1 claim, once each",
        ),
    ],
    ids=["ask", "verify"],
)
def test_a_question_at_once_says_its_price_before_and_what_it_cost_after(
    project: Project, api: MessagesServer, command: tuple[str, ...], told: str
) -> None:
    """And stores nothing."""
    output = project.cited(*command).output
    assert output.index(told) < output.index("It cost ")
    assert api.requests
    assert not (project.root / "answers").exists()


def test_without_a_key_an_update_says_which_variable_to_set(
    project: Project, api: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And fails with the code of findings."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    result = project.cited("update")
    assert result.code == 1
    assert "ANTHROPIC_API_KEY" in result.output
    assert api.headers == []
