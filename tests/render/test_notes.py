"""Neighbouring passages that belong together are one footnote, whose link leads to all of them and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from urllib.parse import unquote

import pytest

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage
from mkdocs_cited.render.notes import grouped
from mkdocs_cited.render.publish import PageHtml, publish
from mkdocs_cited.settings import Settings
from mkdocs_cited.sources.from_html import extract
from tests.dom import Dom
from tests.render.values import INSTALL, answer, faq, site

HTML = """<h1 id="install">Install</h1>
<h2 id="pip">With pip</h2>
<p>Before you begin, look at these:</p>
<ul><li>a key of your own</li><li>a quiet place</li></ul>
<p>To install it, run this:</p>
<div class="highlight"><pre><code>pip install thing
thing --version
</code></pre></div>
<p>It retries 5 times.</p>
<p>Then it stops, and says why.</p>
<table><tr><th>option</th><th>default</th></tr>
<tr><td>tries</td><td>5</td></tr><tr><td>wait</td><td>30 s</td></tr></table>
<table><tr><th>code</th><th>meaning</th></tr><tr><td>7</td><td>stopped</td></tr></table>
<h2 id="conda">With conda</h2>
<p>Use the channel.</p>
"""
PASSAGES = extract(INSTALL, HTML)


def of(*words: str) -> list[Passage]:
    return [next(passage for passage in PASSAGES if passage.text.startswith(word)) for word in words]


def groups(content: str, *words: str) -> list[list[int]]:
    return [sorted(group.sids) for group in grouped(answer(content, *of(*words)))]


def block(item: Answer) -> Dom:
    pages = site(PageHtml("guide/install.md", "guide/install/", HTML), faq(item.key))
    return Dom.parse(publish([item], pages, Settings()).pages["faq/"]).one(".cited-answer")


@pytest.mark.parametrize(
    ("content", "words", "expected"),
    [
        ("See:[^1]\n\n- A.[^2]\n- B.[^3]", ["Before you", "a key", "a quiet"], [[1, 2, 3]]),
        ("Run it.[^1][^2]", ["To install", "pip install"], [[1, 2]]),
        ("5.[^1]\nAnd 30 s.[^2]", ["tries 5", "wait 30"], [[1, 2]]),
        ("It tries 5 times, then it stops.[^1][^2]", ["It retries", "Then it"], [[1, 2]]),
        ("It tries.[^1]\nIt stops.[^2]", ["It retries", "Then it"], [[1], [2]]),
        ("A.[^1]\nStopped.[^2]", ["wait 30", "7 stopped"], [[1], [2]]),
        ("A.[^1][^2]", ["a quiet", "pip install"], [[1], [2]]),
        ("A.[^1][^2]", ["7 stopped", "Use the"], [[1], [2]]),
        ("B.[^1]\nTries.[^2]\nA.[^3]", ["a quiet", "It retries", "a key"], [[1, 3], [2]]),
    ],
    ids=[
        "lead-in and list",
        "sentence and code",
        "rows",
        "one claim",
        "two claims",
        "two tables",
        "gap",
        "sections",
        "order",
    ],
)
def test_what_is_one_place_to_a_reader_is_one_footnote(
    content: str, words: Sequence[str], expected: list[list[int]]
) -> None:
    assert groups(content, *words) == expected


def test_its_number_stands_once_behind_each_claim_and_leads_back_to_each() -> None:
    page = block(
        answer(
            "Run this:[^1][^2]\nIt is quick. [^2] [^1]\nIt tries.[^3]", *of("To install", "pip install", "It retries")
        )
    )
    assert re.findall(r"\[\d\]", page.text) == ["[1]", "[1]", "[2]"]
    first, second = page.all(".footnote li")
    assert [link.attr("href") for link in first.all("a.footnote-backref")] == [
        "#fnref:cited-limits-1",
        "#fnref2:cited-limits-1",
    ]
    assert second.attr("id") == "fn:cited-limits-2"
    assert [link.attr("aria-label") for link in page.all("sup > a")] == [
        "Source 1: Install › With pip",
        "Source 1",
        "Source 2: Install › With pip",
    ]


def test_its_link_highlights_from_the_first_passage_to_the_last() -> None:
    page = block(answer("Here it is.[^1][^2]", *of("To install", "pip install")))
    anchor, _, text = page.one("a.cited-link").attr("href").partition(":~:text=")
    start, end = (unquote(term) for term in text.split(","))
    assert anchor.startswith("../guide/install/#cited-")
    assert (start, end) == ("To install it, run this", "thing --version")


def test_each_passage_is_quoted_unless_the_answer_repeats_it() -> None:
    told = block(answer("Here it is.[^1][^2]", *of("To install", "pip install")))
    assert [quote.text.strip() for quote in told.all(".cited-quote")] == [
        "To install it, run this:",
        "pip install thing\nthing --version",
    ]
    text = "To install it, run this:[^1][^2]\n\n```\npip install thing\nthing --version\n```"
    repeated = block(answer(text, *of("To install", "pip install")))
    assert [quote.text for quote in repeated.all(".cited-quote")] == ["To install it, run this: …"]


def test_of_what_the_answer_repeats_a_footnote_shows_where_it_begins_and_ends() -> None:
    listed = "Before you begin, look at these:[^1]\n- a key of your own[^2]\n- a quiet place[^3]"
    page = block(answer(listed, *of("Before you", "a key", "a quiet")))
    assert [quote.text.strip() for quote in page.all(".cited-quote")] == [
        "Before you begin, look at these: … a quiet place"
    ]
    table = "| tries | 5[^1] |\n|---|---|\n| wait | 30 s[^2] |"
    rows = block(answer(table, *of("tries 5", "wait 30")))
    assert rows.one(".cited-quote").text.strip() == "tries 5 … 30 s"


def test_programs_find_the_footnote_of_each_source() -> None:
    item = answer("Run this:[^1][^2]\nIt tries.[^3]", *of("To install", "pip install", "It retries"))
    pages = site(PageHtml("guide/install.md", "guide/install/", HTML), faq(item.key))
    (data,) = json.loads(publish([item], pages, Settings()).files["cited.json"])["answers"]
    assert [(source["sid"], source["note"]) for source in data["sources"]] == [(1, 1), (2, 1), (3, 2)]


def test_a_page_that_the_footnote_above_names_is_not_named_again() -> None:
    """In the list; a footnote that is shown by itself still names it."""
    page = block(answer("It tries.[^1]\nOn a channel.[^2]", *of("It retries", "Use the")))
    first, second = page.all(".footnote li")
    assert (first.attr("class"), second.attr("class")) == ("", "cited-again")
    assert [note.one("a.cited-link").text for note in (first, second)] == [
        "Install › With pip",
        "Install › With conda",
    ]
    assert second.one(".cited-page").text == "Install › "


def test_an_address_that_the_footnote_above_prints_is_not_printed_again() -> None:
    words = ("It retries", "Then it", "Use the")
    page = block(answer("It tries.[^1]\nIt stops.[^2]\nOn a channel.[^3]", *of(*words)))
    assert [link.has("data-print") for link in page.all("li a.cited-link")] == [True, False, True]
