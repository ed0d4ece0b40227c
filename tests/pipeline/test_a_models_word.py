"""What a model said of a claim costs nothing while the words that it quoted are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.script import Turn, say_json

KEYS = """
# Keys

## Rotation

A new key is valid after 24 hours. Old keys are deleted by a nightly job.

Keys are shown once.

| Plan | Keys |
|---|---|
| Free | 3 |
| Team | 40 |

- Web
- Command line
"""
MARKED = "Wait a whole day (24 hours) for a new key"
BEARS_IT = "A new key is valid after 24 hours."
PAGES = {
    "a marked sentence": f"# Help\n\n{MARKED} [@keys.md#rotation].\n",
    "an answer by hand": (
        "---\nanswers:\n  - id: wait\n    question: How long do I wait for a new key?\n"
        f"    text: {MARKED} [@keys.md#rotation].\n---\n# Help\n"
    ),
}


def supported(body: dict[str, Any]) -> Turn:
    """The reviewer's form, which quotes one sentence; a verdict that the docs do not bear it out where that is gone."""
    sent = json.loads(body["messages"][0]["content"][0]["text"])
    lines = [passage for section in sent["sections"] for passage in section["passages"]]
    said = "\n".join(line.partition(": ")[2] for line in lines)
    is_there = "24 hours" in said
    line = {
        "id": sent["claims"][0]["id"],
        "verdict": "supported" if is_there else "contradicted",
        "evidence_quotes": [next(line for line in said.replace(". ", ".\n").split("\n") if "new key" in line)],
        "missing_condition": "",
        "reverses": False,
        "reason": "" if is_there else "it says something else",
        "better_passages": [],
        "not_stated": "",
    }
    return say_json(
        {"claims": [line], "conflicts": [], "answers_question": {"missing": "", "answers": "yes"}},
    )


@pytest.fixture(params=list(PAGES))
def site(request: pytest.FixtureRequest, project: Project, api: MessagesServer) -> Project:
    """A site with one claim, which a model has read once."""
    api.answer_with(supported)
    project.configure({"reviewer": "anthropic"})
    project.page("keys.md", KEYS)
    project.page("help.md", PAGES[request.param])
    built = project.build("--strict")
    assert built.code == 0, built.output
    assert len(api.requests) == 1
    return project


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Old keys are deleted by a nightly job.", "Old keys stay."),
        ("Keys are shown once.", "Keys are shown twice, and never again."),
        ("| Free | 3 |", "| Free | 24 |"),
        ("- Web\n- Command line", "- Command line"),
        ("# Keys\n", "# All about keys\n"),
        ("A new key", "A *new* key"),
        ("24 hours.", "24 hours!"),
    ],
)
def test_an_edit_elsewhere_costs_nothing(site: Project, api: MessagesServer, old: str, new: str) -> None:
    """Other sentences of its paragraph, rows, items, titles, emphasis, punctuation."""
    assert old in KEYS
    site.page("keys.md", KEYS.replace(old, new, 1))
    result = site.build("--strict")
    assert result.code == 0, result.output
    assert site.cited("update", "--all").code == 0
    assert len(api.requests) == 1


def test_an_edit_of_what_it_quoted_is_read_once(site: Project, api: MessagesServer) -> None:
    """One request, however often the site is built, and none of a check; what it says is stored."""
    site.page("keys.md", KEYS.replace(BEARS_IT, "After 24 hours, a new key can be used."))
    assert site.cited("check", "--strict").code == 1
    assert len(api.requests) == 1
    for _ in range(2):
        result = site.build("--strict")
        assert result.code == 0, result.output
    assert len(api.requests) == 2


def test_a_value_that_has_gone_is_told_without_a_model(
    site: Project, api: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key the stored words are enough."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    site.page("keys.md", KEYS.replace("24 hours", "48 hours"))
    result = site.build()
    assert result.code == 1
    assert "it was “24 hours”, it is “48 hours”" in " ".join(result.output.split())
    assert len(api.requests) == 1
