"""Whoever does what the tip of a finding says, gets rid of the finding."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from tests.projects import Project

FACTS = "# Facts\n\n{} [@guide/install.md#keys].\n"
ASKED = "---\nanswers:\n  - id: a\n    question: How long is a key valid?\n    text: {}\n---\n# FAQ\n"
RIGHT = '"A key is valid for 90 days [@guide/install.md#keys]."'


def facts(text: str) -> Callable[[Project], object]:
    """A page of one sentence."""
    return lambda project: project.page("facts.md", text)


def orphan(project: Project) -> None:
    """A decided answer whose question is gone."""
    project.page("faq.md", ASKED.format('"Keys live for three months or so [@guide/install.md#keys]."'))
    assert project.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
    project.page("faq.md", "# FAQ\n")


def moved(project: Project) -> None:
    """One whose question is on another page now."""
    orphan(project)
    project.page("questions.md", ASKED.format('"Keys live for three months or so [@guide/install.md#keys]."'))


def untracked(project: Project) -> None:
    """A mark of a file that is not in git yet."""
    project.write("src/cache.py", "TTL = 30\n")
    project.page("facts.md", "# Facts\n\nThe `TTL` is 30 [@../src/cache.py#TTL].\n")


def unused(project: Project) -> None:
    """A suppression of nothing."""
    project.configure({"suppress": [{"slug": "altered-number", "reason": "Known."}]})


TREES: dict[str, tuple[str, Callable[[Project], object]]] = {
    "another figure": ("altered-number", facts(FACTS.format("A key is valid for 30 days"))),
    "other words": ("unconfirmed-claim", facts(FACTS.format("Keys live for three months or so"))),
    "a misspelt heading": (
        "unknown-source", facts("# Facts\n\nKeys live for three months or so [@guide/install.md#kesy].\n"),
    ),
    "a misspelt page": (
        "unknown-source", facts("# Facts\n\nKeys live for three months or so [@guide/instal.md#keys].\n"),
    ),
    "a misspelt option": ("unknown-option", lambda project: project.page("faq.md", ASKED.replace("id:", "idd:"))),
    "a question that is gone": ("orphan-record", orphan),
    "a question that moved": ("orphan-record", moved),
    "a file that git does not track": ("unknown-source", untracked),
    "a suppression of nothing": ("unused-suppression", unused),
}  # fmt: skip


@pytest.mark.parametrize("tree", TREES)
def test_a_tip_leads_out(project: Project, tree: str) -> None:
    """A command that it names is run; what it names in place of something is put there."""
    project.belongs_to_ann()
    slug, make = TREES[tree]
    make(project)
    if tree == "a file that git does not track":
        project.git("add", "mkdocs.yml", "docs")
    found = findings(project)
    item = next(each for each in found if each["slug"] == slug)
    follow(project, item)
    left = findings(project)
    assert [each for each in left if each["slug"] == item["slug"]] == [], item["tip"]


def follow(project: Project, item: dict[str, Any]) -> None:
    """Do what a tip says, as somebody would who knows no more."""
    tip = item["tip"]
    if named := re.search(r"`mkdocs-cited ([^`]+)`", f"{tip} {item['message']}"):
        words = shlex.split(named[1].replace("…", "Because."))
        extra = {"accept": ["--by", "Ann"], "review": []}.get(words[0], [])
        if words[0] == "review":
            words, extra = ["accept", *words[1:]], ["--all", "--by", "Ann"]
        assert project.cited(words[0], *words[1:], *extra).code == 0, tip
    elif named := re.search(r"`git ([^`]+)`", tip):
        project.git(*shlex.split(named[1]))
    elif named := re.search(r"did you mean `([^`]+)`", tip):
        wrong = re.findall(r"`([^`]+)`", item["message"])
        file = project.root / item["place"]["file"]
        text = file.read_text()
        target = next(word for word in reversed(wrong) if word.strip("#") in text and not word.startswith("[@"))
        old, new = target.strip("#").rpartition("#")[2], named[1].strip("#").rpartition("#")[2]
        file.write_text(text.replace(old, new))
    elif "delete" in tip or "take" in tip:
        project.configure({})
    else:
        pytest.fail(f"nothing that can be done: {item}")


def findings(project: Project) -> list[dict[str, Any]]:
    """What `check` finds."""
    output = project.cited("check", "--json").output
    return [item for item in json.loads(output)["findings"] if item["severity"] != "info"]
