"""Money is spent where `mkdocs.yml` or the command line asks for a model: never on a page's word, never past a cap."""

from __future__ import annotations

from typing import Any

import pytest

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.settings import parse
from tests.pipeline.test_update import reviewed
from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.rules import search_results
from tests.servers.script import Answer, Quote, say

PAGE = """
    ---
    answers:
      - id: keys
        question: How long is a key valid?
        provider: anthropic
    ---
    # FAQ
    """


def honest(body: dict[str, Any]) -> Answer:
    """The sentence that says it, or a reviewer's word that it does."""
    if "format" in body["output_config"]:
        return reviewed(body, "supported")
    for result, block in enumerate(search_results(body)):
        for number, part in enumerate(block["content"]):
            if "valid for 90 days" in part["text"]:
                return say(Quote("A key is valid for 90 days.", result, number, number + 1))
    return say("[[NOT-DOCUMENTED]]")


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which answers like `honest`."""
    api.answer_with(honest)
    return api


def test_a_page_alone_asks_no_model(project: Project, api: MessagesServer) -> None:
    """Neither in a build nor by commands, priced ones included; the finding says what would let it."""
    project.page("faq.md", PAGE)
    built = project.build()
    assert "missing-answer" in built.output
    assert "models: [anthropic]" in built.output
    for command in (["update"], ["update", "--all"], ["update", "faq.md#keys"], ["update", "--dry-run"], ["check"]):
        project.cited(*command)
    assert (api.requests, api.counted, api.headers) == ([], [], [])
    assert not (project.root / "answers").exists()


def test_nor_do_the_defaults_of_a_folder(project: Project, api: MessagesServer) -> None:
    """`.meta.yml` is a page's front matter in another file."""
    project.page("faq.md", PAGE.replace("        provider: anthropic\n", ""))
    project.page(".meta.yml", "provider: anthropic\nanswers:\n  - {question: Why?, provider: anthropic}\n")
    project.build()
    assert api.headers == []


@pytest.mark.parametrize(
    "options",
    [
        {"models": ["anthropic"]},
        {"provider": "anthropic"},
        {"reviewer": "anthropic"},
        {"anthropic": {"max_cost": 5}},
    ],
    ids=["models", "provider", "reviewer", "a block"],
)
def test_the_configuration_asks(project: Project, api: MessagesServer, options: dict[str, Any]) -> None:
    """Whoever may change `mkdocs.yml` may spend."""
    project.configure({"cite_threshold": 0.1, **options})
    project.page("faq.md", PAGE)
    project.cited("update")
    assert api.requests


def test_a_record_needs_no_leave(project: Project, api: MessagesServer) -> None:
    """What was written with leave stands where there is none."""
    project.configure({"cite_threshold": 0.1, "models": ["anthropic"]})
    project.page("faq.md", PAGE)
    assert project.cited("update").code == 0
    project.configure({"cite_threshold": 0.1})
    asked = len(api.headers)
    assert project.build("--strict").code == 0
    assert len(api.headers) == asked


@pytest.mark.parametrize(
    "options",
    [
        {"anthropic": {"max_cost": float("nan")}},
        {"anthropic": {"max_cost": float("inf")}},
        {"anthropic": {"max_cost": -1}},
        {"anthropic": {"timeout": float("nan")}},
        {"anthropic": {"prices": {"my-model": [float("nan"), 1]}}},
        {"cite_threshold": float("nan")},
        {"min_coverage": float("nan")},
        {"lexical": {"passes": float("nan")}},
    ],
    ids=str,
)
def test_what_is_no_number_is_no_limit(options: dict[str, Any]) -> None:
    """Every comparison with NaN is false, so that it would switch off what it is meant to bound."""
    with pytest.raises(UsageError):
        parse(options, {})
