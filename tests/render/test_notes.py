"""Passages of a section are one footnote, whose link leads to all of them and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Passage, SitePage
from mkdocs_cited.render import publish
from mkdocs_cited.render.cited import grouped
from tests.corpora import extract
from tests.dom import Dom
from tests.render.values import INSTALL, answer, faq, passage, site

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
    return [sorted(part.source.sid for part in group.parts) for group in grouped(answer(content, *of(*words)))]


def block(item: Answer) -> Dom:
    pages = site(SitePage("guide/install.md", "guide/install/", HTML), faq(item.key))
    return Dom.parse(publish([item], pages, Settings()).pages["faq/"]).one(".cited-answer")


@pytest.mark.parametrize(
    ("content", "words", "expected"),
    [
        ("See:[^1]\n\n- A.[^2]\n- B.[^3]", ["Before you", "a key", "a quiet"], [[1, 2, 3]]),
        ("It tries.[^1]\nIt stops.[^2]", ["It retries", "7 stopped"], [[1, 2]]),
        ("A.[^1][^2]", ["7 stopped", "Use the"], [[1], [2]]),
        ("B.[^1]\nTries.[^2]\nA.[^3]", ["a quiet", "Use the", "a key"], [[1, 3], [2]]),
    ],
    ids=["lead-in and list", "one section", "sections", "order"],
)
def test_what_is_one_section_to_a_reader_is_one_footnote(
    content: str, words: Sequence[str], expected: list[list[int]]
) -> None:
    assert groups(content, *words) == expected


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("Tries.[^2]\nStops.[^1]", ["2", "1"]),
        ("Tries.[^1]\nBoth.[^2][^1]\nA.[^3]", ["0", "0", "1"]),
    ],
    ids=["a sentence each", "a sentence with both"],
)
def test_the_card_of_a_number_shows_the_quotation_of_its_sentence(content: str, shown: list[str]) -> None:
    """Of several quotations in a footnote that one; all of them where a sentence has several."""
    words = ["It retries", "Then it stops", "Use the"][: len(shown)]
    numbers = block(answer(content, *of(*words))).all(".cited-ref")
    assert [number.attr("data-at") for number in numbers] == shown


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("A.[^1] B.[^2] C.[^3]", "A.[1] B.[1] C.[2]"),
        ("A.[^1] B.[^3] C.[^1]", "A.[1] B.[2] C.[1]"),
        ("A.[^1]\n\nB.[^2]", "A.[1] B.[1]"),
        ("1. A.[^1]\n2. B.[^2] [^1]\n3. C.[^3]", "A.[1] B.[1] C.[2]"),
        ("As a reminder:[^1]\n\n- A.[^2]\n- B.[^1]", "As a reminder:[1] A.[1] B.[1]"),
        ("Run it:[^1]\n\n```\nx\n```\n\nB.[^1]", "Run it:[1] x B.[1]"),
        ("| a |\n|---|\n| 1[^1] |\n| 2[^2] |\n\nB.[^3]", "a 1[1] 2[1] B.[2]"),
        ("A[^1][^2], and B.[^9]", "A[1], and B.[^9]"),
    ],
)
def test_each_sentence_has_its_numbers_each_footnote_once(content: str, shown: str) -> None:
    page = block(answer(content, *of("It retries", "Then it", "Use the")))
    text = page.text.partition("Sources (")[0]
    assert " ".join(text.replace("\u2060", "").split()) == shown


def test_each_footnote_leads_back_to_each_of_its_uses() -> None:
    page = block(answer("A.[^1] B.[^2] C.[^1]", *of("It retries", "Use the")))
    first, second = page.all(".cited-notes li")
    back = first.all("a.cited-back")
    assert [link.attr("href") for link in back] == ["#fnref:cited-limits-1", "#fnref:cited-limits-1-2"]
    assert [link.text.replace("\ufe0e", "") for link in back] == ["↩a", "↩b"]
    assert [link.text.replace("\ufe0e", "") for link in second.all("a.cited-back")] == ["↩"]
    assert second.attr("id") == "fn:cited-limits-2"
    assert [link.attr("aria-label") for link in page.all("sup > a")] == [
        "Source 1: Install › With pip",
        "Source 2: Install › With conda",
        "Source 1: Install › With pip",
    ]


def test_its_link_highlights_each_of_its_passages() -> None:
    page = block(answer("Here it is.[^1][^2]", *of("To install", "pip install")))
    anchor, _, text = page.one("a.cited-link").attr("href").partition(":~:text=")
    assert anchor.startswith("../guide/install/#cited-")
    assert unquote(text) == "To install it, run this:&text=pip install thing,thing --version"


def test_a_footnote_quotes_whole_sentences_between_their_neighbours() -> None:
    sentences = ("It begins.", "It retries `5` times a day.", "Then it stops.", "It tells why.", "It ends.")
    text = " ".join(sentences)
    spans = tuple((text.index(item), text.index(item) + len(item)) for item in sentences)
    cited = replace(passage(text), sentences=spans, code_spans=((22, 25),))
    page = block(answer("Five times.[^1]", cited, quotes=("retries `5` times",)))
    quote = page.one("blockquote.cited-quote")
    assert quote.text == "It begins. It retries `5` times a day. Then it stops."
    assert quote.one("mark").text == "It retries `5` times a day."
    assert [part.text for part in quote.all(".cited-aside")] == ["It begins.", "Then it stops."]
    assert quote.one("mark code").text == "`5`"
    ends = block(answer("It begins, and ends.[^1][^2]", cited, cited, quotes=("It begins.", "It ends.")))
    assert ends.one("blockquote").text == "It begins. It retries `5` times a day. Then it stops. It tells why. It ends."


def test_a_row_is_quoted_whole_with_its_cited_cell_marked() -> None:
    page = block(answer("5.[^1]", *of("tries 5"), quotes=("5",)))
    assert [cell.text for cell in page.all(".cited-row th")] == ["option", "default"]
    assert [cell.text for cell in page.all(".cited-row td")] == ["tries", "5"]
    assert page.one(".cited-row mark").text == "5"


def test_programs_find_the_footnote_of_each_source() -> None:
    item = answer("Run this:[^1][^2]\nIt tries.[^3]", *of("To install", "pip install", "It retries"))
    pages = site(SitePage("guide/install.md", "guide/install/", HTML), faq(item.key))
    (data,) = json.loads(publish([item], pages, Settings()).files["cited.json"])["answers"]
    assert [(source["sid"], source["note"]) for source in data["sources"]] == [(1, 1), (2, 1), (3, 1)]


def test_notes_of_an_answer_that_is_named_by_its_question_have_short_ids() -> None:
    """They are repeated; the answer keeps its name."""
    name = "how-often-is-a-failed-request-retried"
    page = block(answer("A.[^1]", *of("It retries"), id=name))
    assert page.attr("id") == f"cited-{name}"
    (link,) = page.all("sup > a")
    assert page.one(".cited-notes > li").attr("id") == link.attr("href")[1:]
    assert len(link.attr("href")) < 20
