"""`mkdocs build --strict` and `mkdocs-cited check --strict` say the same of the same tree, whatever the environment."""

from __future__ import annotations

import json

import pytest

from tests.projects import Project

TREES = {
    "nothing asked": {},
    "a proven claim": {"facts.md": "# Facts\n\nA key is valid for 90 days [@guide/install.md#keys].\n"},
    "another figure": {"facts.md": "# Facts\n\nA key is valid for 30 days [@guide/install.md#keys].\n"},
    "other words": {"facts.md": "# Facts\n\nKeys live for three months or so [@guide/install.md#keys].\n"},
    "a page that is gone": {"facts.md": "# Facts\n\nA key is valid for 90 days [@gone.md].\n"},
    "a heading that is gone": {"facts.md": "# Facts\n\nA key is valid for 90 days [@guide/install.md#gone].\n"},
    "a mark in code": {"facts.md": "# Facts\n\nWrite `[@guide/install.md#keys]` behind it.\n"},
    "a mark in a title": {"facts.md": "# Keys are valid [@guide/install.md#keys]\n\nWords.\n"},
    "a question": {"faq.md": "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n"},
    "a question nobody can answer": {"faq.md": "---\nanswers:\n  - question: Who invented zebras?\n---\n# FAQ\n"},
    "a question of a model": {
        "faq.md": "---\nanswers:\n  - {question: How long is a key valid?, provider: anthropic}\n---\n# FAQ\n"
    },
    "an entry that is none": {"faq.md": "---\nanswers:\n  - {qestion: How long?}\n---\n# FAQ\n"},
    "an author's answer": {
        "faq.md": '---\nanswers:\n  - {id: a, question: How long?, text: "60 days [@guide/install.md#keys]."}\n---\n'
    },
}
ENVIRONMENTS = {
    "plain": {},
    "with a key": {"ANTHROPIC_API_KEY": "sk-ant-none", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"},
    "on a server": {"CI": "true"},
}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("tree", TREES)
def test_the_same_is_said(project: Project, tree: str, environment: str) -> None:
    """The exit code, and each finding by its name and file."""
    project.configure({"reports": {"json": "report.json"}, "models": ["anthropic"]})
    for name, text in TREES[tree].items():
        project.page(name, text)
    for name, value in ENVIRONMENTS[environment].items():
        project.monkeypatch.setenv(name, value)
    project.attended(False)
    built = project.build("--strict")
    said = json.loads((project.root / "report.json").read_text())
    checked = project.cited("check", "--strict", "--json")
    assert built.code == checked.code, built.output
    assert (built.code, slugs(said)) == (checked.code, slugs(json.loads(checked.output)))


def slugs(report: dict) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    """Name and file of each finding."""
    return sorted((item["slug"], item["place"]["file"]) for item in report["findings"])
