"""A verdict holds for a claim and all that was shown of its passages: an edit of that asks again, no other does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Claim, Evidence, Judgement, ReviewedClaim, Verdict, verdict_key
from mkdocs_cited.model.source import Page, Passage
from mkdocs_cited.records.verdicts import RecordedVerdict, decided, holding, merged_verdicts, recorded
from mkdocs_cited.sources.from_html import extract

CLAIM = "The key ends after 90 days."
EXTENSIONS = ["admonition", "tables", "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tilde"]
TABBED = {"pymdownx.tabbed": {"alternate_style": True}}
WORDS = SimpleNamespace(
    page="Keys", heading="Rotation", elsewhere="Ann writes this page.", tab="Cloud", kind="warning", box="Wrong",
    lead="The following is true:", first="Press it.", target="The key ends after 90 days.", below="Ask us.",
    heads=("Plan", "Days"), cells=("Free", "90"), title="keys.yml", code="days: 90",
)  # fmt: skip

PAGE = """
# {0.page}

## {0.heading}

{0.elsewhere}

=== "{0.tab}"

    !!! {0.kind} "{0.box}"

        {0.lead}

        1. {0.first}
        2. {0.target}

    {0.lead}

    | {0.heads[0]} | {0.heads[1]} |
    |---|---|
    | {0.cells[0]} | {0.cells[1]} |

    {0.lead}

    ``` yaml title="{0.title}"
    {0.code}
    ```

{0.below}
"""


@cache
def passages(title: str, text: str) -> tuple[Passage, ...]:
    """Those of a page: of its step, its row and its code, the second step and the row before the code last."""
    html = Markdown(extensions=EXTENSIONS, extension_configs=TABBED).convert(text)
    return tuple(extract(Page("keys.md", "keys/", title), html))


def cited(words: SimpleNamespace, kind: str) -> tuple[Evidence, ...]:
    """What the claim cites of the page: its last passage of a kind that says 90."""
    found = [item for item in passages(words.page, PAGE.format(words)) if item.kind == kind and "90" in item.text]
    return (Evidence(found[-1], found[-1].text),) if found else ()


def said(evidence: tuple[Evidence, ...], reviewer: str) -> RecordedVerdict:
    """A verdict as a record holds it."""
    judgement = Judgement(Verdict.SUPPORTED, 1.0, "", reviewer, "2026-11-23")
    (verdict,) = merged_verdicts((), [ReviewedClaim(Claim(CLAIM, (1,)), evidence, judgement)])
    return verdict


def changed(**words: Any) -> SimpleNamespace:
    return SimpleNamespace(**{**vars(WORDS), **words})


def swapped(name: str) -> Callable[[str], dict[str, Any]]:
    return lambda _: {name: getattr(WORDS, name)[::-1]}


def new(name: str, form: str = "{} {}") -> Callable[[str], dict[str, Any]]:
    """An edit that puts a word into what stands somewhere."""
    return lambda word: {name: form.format(word, getattr(WORDS, name))}


SHOWN: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "the passage": ("step", new("target", "{1} {0}")),
    "the page's title": ("step", new("page")),
    "a heading over it": ("step", new("heading")),
    "the lead-in of a list": ("step", new("lead")),
    "the kind of an admonition": ("step", lambda word: {"kind": word}),
    "the title of an admonition": ("step", new("box")),
    "the label of a tab": ("step", new("tab")),
    "the order of steps": ("step", lambda _: {"first": WORDS.target, "target": WORDS.first}),
    "a word that is struck out": ("step", lambda _: {"target": "The key ~~ends~~ after 90 days."}),
    "a table's heads": ("row", lambda word: {"heads": ("Plan", word)}),
    "the order of heads": ("row", swapped("heads")),
    "the order of columns": ("row", swapped("cells")),
    "the lead-in of a table": ("row", new("lead")),
    "the label of a table's tab": ("row", new("tab")),
    "the title of code": ("code", new("title")),
    "the lead-in of code": ("code", new("lead")),
    "code": ("code", new("code", "{1} # {0}")),
}
HARMLESS: dict[str, tuple[str, Callable[[str], dict[str, Any]]]] = {
    "a paragraph above": ("step", new("elsewhere")),
    "a paragraph below": ("step", new("below", "{1} {0}")),
    "another step's words": ("step", new("first")),
    "another table": ("step", lambda word: {"heads": (word, word), "cells": (word, word)}),
    "emphasis": ("step", lambda _: {"target": "The *key* ends after **90 days**."}),
    "a link": ("step", lambda word: {"target": f"The [key]({word}.md) ends after 90 days."}),
    "white space": ("step", lambda _: {"target": "The  key   ends\n           after 90 days."}),
    "another list": ("row", new("first")),
    "a row's paragraph above": ("row", new("elsewhere")),
    "code below a table": ("row", new("code", "{1} # {0}")),
    "a list above code": ("code", new("first")),
}
REVIEWERS = ("person:Ann", "model-1")
word = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12)


@pytest.mark.parametrize("edit", SHOWN)
@settings(max_examples=10)
@given(word=word)
def test_an_edit_of_what_is_shown_asks_again(edit: str, word: str) -> None:
    """The passage itself, and what stands over it."""
    kind, change = SHOWN[edit]
    evidence = cited(changed(**change(word)), kind)
    for verdict in (said(cited(WORDS, kind), reviewer) for reviewer in REVIEWERS):
        assert verdict.holds(Claim(CLAIM, (1,)), cited(WORDS, kind))
        assert not evidence or not verdict.holds(Claim(CLAIM, (1,)), evidence)


@pytest.mark.parametrize("edit", HARMLESS)
@settings(max_examples=10)
@given(word=word)
def test_any_other_edit_asks_nobody(edit: str, word: str) -> None:
    """What stands elsewhere in the section, and how words look."""
    kind, change = HARMLESS[edit]
    evidence = cited(changed(**change(word)), kind)
    assert evidence
    assert all(said(cited(WORDS, kind), reviewer).holds(Claim(CLAIM, (1,)), evidence) for reviewer in REVIEWERS)


@pytest.mark.parametrize("reviewer", REVIEWERS)
def test_a_verdict_of_an_older_release_is_bound_anew_when_it_is_next_written(reviewer: str) -> None:
    """It was bound to the passage's text: it holds as it did, and then for all that is shown."""
    evidence, judgement = cited(WORDS, "step"), Judgement(Verdict.SUPPORTED, 1.0, "", reviewer, "2026-11-23")
    text, person = evidence[0].passage.hash, reviewer.startswith("person:")
    old = recorded(CLAIM, verdict_key(CLAIM, (text,), "" if person else reviewer, scheme="verdict-1"), judgement)
    old = replace(old, passages=text[:8]) if person else old
    claim = ReviewedClaim(Claim(CLAIM, (1,)), evidence, judgement)
    assert old.holds(Claim(CLAIM, (1,)), evidence)
    assert old.holds(Claim(CLAIM, (1,)), cited(changed(lead="On no account:"), "step"))
    (bound,) = holding((old,), [claim])
    assert bound == said(evidence, reviewer) == merged_verdicts((old,), [claim])[0]
    assert not bound.holds(Claim(CLAIM, (1,)), cited(changed(lead="On no account:"), "step"))


def test_a_persons_word_outlives_a_passage_that_comes_to_its_section() -> None:
    """Which of a section's passages carries a claim, only that person knows: all that were there must be the same."""
    evidence = cited(WORDS, "step")
    verdict = decided(
        ReviewedClaim(Claim(CLAIM, (1,)), evidence, Judgement(Verdict.UNCHECKED)), said(evidence, "person:A").judgement
    )
    more = (*evidence, *cited(WORDS, "row"))
    assert verdict.holds(Claim(CLAIM, (1,)), more)
    assert verdict.news(more) == {more[1].passage.id}
    assert not verdict.holds(Claim(CLAIM, (1,)), more[1:])
