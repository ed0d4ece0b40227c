"""Text fragments: of the beginning and end of a quote, and of words alone that are on the page once."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.text import letters
from mkdocs_cited.model.source import Page
from mkdocs_cited.render.links import FRAGMENT, fragment, letters_of
from tests.corpora import extract

PAGE = Page("a.md", "a/", "A")
LONG = "The server keeps every key for ninety days, counted from the day on which it was first used by a client"
LABELS = '<div class="tabbed-labels"><label>a</label><label>b</label></div>'
TABS = '<div class="tabbed-content"><div class="tabbed-block"><p>one</p></div><div class="tabbed-block">{}</div></div>'


def made(html: str, quoted: str = "") -> str:
    """The fragment for a quote of the last passage of a page, by default for all of it."""
    passage = extract(PAGE, html)[-1]
    return fragment(passage, quoted or passage.text, letters_of(html)).removeprefix(FRAGMENT)


@pytest.mark.parametrize(
    ("said", "encoded"),
    [
        ("a-b is well known", "a%2Db%20is%20well%20known"),
        ("first, second", "first%2C%20second"),
        ("mine &amp; yours too", "mine%20%26%20yours%20too"),
        ("--x=1 is the default", "%2D%2Dx%3D1%20is%20the%20default"),
        ("東京の人口は", "%E6%9D%B1%E4%BA%AC%E3%81%AE%E4%BA%BA%E5%8F%A3%E3%81%AF"),
    ],
)
def test_signs_with_a_meaning_are_encoded(said: str, encoded: str) -> None:
    assert made(f"<p>{said}</p>") == encoded


@pytest.mark.parametrize(
    ("html", "quoted", "expected"),
    [
        pytest.param("<p>Always use <b>pip</b>.</p>", "", "Always use pip.", id="a short text in full"),
        pytest.param("<p>Always use\n   pip.</p>", "", "Always use pip.", id="white space collapsed"),
        pytest.param(
            f"<p>{LONG}.</p>",
            "",
            "The server keeps every key for ninety,on which it was first used by a client.",
            id="a long text by its ends",
        ),
        pytest.param(
            "<table><tr><td>most retries</td><td>5 times</td></tr></table>", "", "most retries,5 times", id="a row"
        ),
        pytest.param(
            "<pre><code>pip install x\n\nrun  mkdocs build\n</code></pre>",
            "",
            "pip install x,mkdocs build",
            id="lines of code",
        ),
        pytest.param("<p>Wait. It stops at noon.</p>", "It stops at noon.", "It stops at noon.", id="a sentence"),
        pytest.param("<p>It stops at noon</p><p>It stops at noon</p>", "", "", id="twice on the page"),
        pytest.param("<p>Run it.</p>", "", "", id="few letters"),
        pytest.param("<p>It stops at noon</p><script>It stops at noon</script>", "", "It stops at noon", id="unseen"),
        pytest.param(
            "<p>Use one of these<sup><a class='footnote-ref' href='#x'>1</a></sup> or none</p>",
            "",
            "Use one of these,or none",
            id="around a footnote",
        ),
        pytest.param(
            "<p>It is what it was,<br>and no more</p>", "", "It is what it was,,and no more", id="a line break"
        ),
        pytest.param("<p>人口は千万人です。次。</p>", "人口は千万人です。", "人口は千万人です。", id="CJK"),
        pytest.param("<p>שלום עולם טוב.</p>", "", "שלום עולם טוב.", id="RTL"),
        pytest.param(
            "<p>Always press <kbd>Ctrl</kbd> now please</p>", "", "Always press,now please", id="around what is drawn"
        ),
    ],
)
def test_a_quote_is_named_by_its_beginning_and_end(html: str, quoted: str, expected: str) -> None:
    terms = (unquote(term) for term in made(html, quoted).split(","))
    assert ",".join(terms) == expected


def test_a_passage_in_a_closed_tab_is_known() -> None:
    """Browsers do not search what is not shown: its link names the element alone."""
    passages = extract(PAGE, f'<div class="tabbed-set">{LABELS}{TABS.format("<p>Use pip in this one.</p>")}</div>')
    assert [item.element is not None and item.element.closed for item in passages] == [False, True]


WORDS = st.lists(st.sampled_from(["use", "pip", "--x", "5.1", "it's", "a&b", "人口。", "now,", "naïve"]), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_a_fragment_begins_with_words_that_are_on_the_page_once(paragraphs: list[list[str]]) -> None:
    html = "".join(f"<p>{' '.join(words)}</p>".replace("&", "&amp;") for words in paragraphs)
    for passage in extract(PAGE, html):
        found = fragment(passage, passage.text, letters_of(html)).removeprefix(FRAGMENT)
        if found:
            assert letters_of(html).count(letters(unquote(found.partition(",")[0]))) == 1
            assert len(found) < 3000
