"""Text fragments: exact encoding, the plainest form that is unique, and none when none would surely match."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.render.page_text import read
from mkdocs_cited.render.text_fragment import Directive, directive, encode, search

LONG = "The server keeps every key for ninety days, counted from the day on which it was first used by a client"


def fragment(html: str, wanted: str, anchor: str = "") -> str:
    """The fragment for a text of a page, decoded for reading; empty for none."""
    page = read(html)
    place = page.find(wanted, anchor)
    assert place is not None, page.text
    found = directive(page, *place)
    return unquote(str(found)).removeprefix(":~:text=") if found else ""


@pytest.mark.parametrize(
    ("term", "encoded"),
    [
        ("a-b", "a%2Db"),
        ("a, b", "a%2C%20b"),
        ("a&b", "a%26b"),
        ("--x=1", "%2D%2Dx%3D1"),
        ("東京", "%E6%9D%B1%E4%BA%AC"),
    ],
)
def test_signs_with_a_meaning_are_encoded(term: str, encoded: str) -> None:
    assert encode(term) == encoded


def test_the_four_terms_stand_in_the_order_of_the_specification() -> None:
    assert str(Directive("a b", "c", "p", "s")) == ":~:text=p-,a%20b,c,-s"


@pytest.mark.parametrize(
    ("html", "wanted", "expected"),
    [
        pytest.param("<p>Use <b>pip</b>.</p>", "Use pip.", "Use pip.", id="a short text in full"),
        pytest.param("<p>Use\n   pip.</p>", "Use pip.", "Use pip.", id="white space collapsed"),
        pytest.param(
            f"<p>{LONG}.</p>",
            f"{LONG}.",
            "The server keeps every,first used by a client.",
            id="a long text by its ends",
        ),
        pytest.param(
            "<table><tr><td>retries</td><td>5 times</td></tr></table>", "retries 5 times", "retries,5 times", id="a row"
        ),
        pytest.param(
            "<pre><code>pip install x\nmkdocs build\n</code></pre>",
            "pip install x\nmkdocs build",
            "pip install x,mkdocs build",
            id="lines of code",
        ),
        pytest.param(
            "<p>Wait. It stops.</p><p>Run. It stops.</p>",
            "Run. It stops.",
            "Run. It stops.",
            id="unique as it is",
        ),
        pytest.param("<p>It stops</p><p>It stops</p>", "It stops", "It stops", id="the first of two"),
        pytest.param("<p>Wordy. Word one</p>", "Word one", "Word one", id="whole words only"),
        pytest.param("<p>Use<sup><a class='footnote-ref'>1</a></sup> it</p>", "Use it", "Use1 it", id="as shown"),
        pytest.param(
            "<p>人口は一四〇〇万人です。次。</p>", "人口は一四〇〇万人です。", "人口は一四〇〇万人です。", id="CJK"
        ),
        pytest.param("<p>שלום עולם.</p>", "שלום עולם.", "שלום עולם.", id="RTL"),
        pytest.param(
            "<p>Press <kbd>Ctrl</kbd> now please do it</p>",
            "Press Ctrl now please do it",
            "Press,now please do it",
            id="around what themes draw otherwise",
        ),
    ],
)
def test_a_passage_is_named_as_plainly_as_it_can_be(html: str, wanted: str, expected: str) -> None:
    assert fragment(html, wanted) == expected


def test_words_around_a_passage_tell_it_from_an_earlier_one() -> None:
    html = "<h2 id=a>A</h2><p>First. It stops at five.</p><h2 id=b>B</h2><p>Second. It stops at five.</p>"
    assert fragment(html, "It stops at five.", "b") == "Second.-,It stops at five."


def test_labels_of_tabs_are_no_words_around_a_passage() -> None:
    """A theme may show them as one line or as several, and then the browser reads other words."""
    code = "<pre>[tool]\nx = 1</pre>"
    tabs = f"<div><label>a.toml</label><label>b.toml</label></div><div id=t>{code}</div>"
    page = read(f"{code}{tabs}")
    assert directive(page, page.ids["t"], len(page.text.rstrip())) is None


def test_words_behind_a_passage_tell_it_too() -> None:
    """Right behind a heading with a permalink no prefix is sure: themes show its sign, or do not."""
    link = '<a class="headerlink">¶</a>'
    html = f"<h2 id=a>A{link}</h2><p>Run:</p><p>one</p><h2 id=b>B{link}</h2><p>Run:</p><p>two</p>"
    assert fragment(html, "Run:", "b") == "Run:,-two"


def test_a_row_is_told_from_the_row_before() -> None:
    html = "<table><tr><td>retry</td><td>5</td></tr><tr><td>retry</td><td>6</td></tr></table>"
    assert fragment(html, "retry 6") == "5-,retry,6"


def test_no_fragment_for_what_the_browser_does_not_find() -> None:
    """A content tab that is closed at first is not searched by browsers."""
    tabs = (
        '<div class="tabbed-content"><div class="tabbed-block">one</div><div class="tabbed-block">Use pip.</div></div>'
    )
    assert fragment(tabs, "Use pip.") == ""


def test_nothing_is_found_across_blocks_or_within_words() -> None:
    page = read("<p>one two</p><p>three fourth</p>")
    assert search(page, Directive("two three")) is None
    assert search(page, Directive("four")) is None
    assert search(page, Directive("THREE")) == page.text.index("three")


WORDS = st.lists(st.sampled_from(["use", "pip", "--x", "5.1", "it's", "a&b", "人口。", "now,", "naïve"]), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=6), st.data())
def test_a_fragment_always_leads_to_its_own_passage(paragraphs: list[list[str]], data: st.DataObject) -> None:
    """On any page, what is handed out finds the passage and nothing before it."""
    html = "".join(f"<p>{' '.join(words)}</p>".replace("&", "&amp;") for words in paragraphs)
    page = read(html)
    number = data.draw(st.integers(0, len(paragraphs) - 1))
    start = sum(len(" ".join(words)) + 1 for words in paragraphs[:number])
    end = start + len(" ".join(paragraphs[number]))
    found = directive(page, start, end)
    if found is not None:
        assert search(page, found) == start
        assert len(str(found)) < 3000
