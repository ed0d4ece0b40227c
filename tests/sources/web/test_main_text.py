"""The main text of a page is found whatever stands around it, and what the page states of itself beside it."""

from __future__ import annotations

import re
import string
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown

from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.fetching import Reply, main_text
from tests.corpora import extract
from tests.hangs import guarded

DOCS = Path(__file__).parents[3] / "example_site/docs"
PAGE = Page("web:x", "https://x.example/", "", type=SourceType.WEB)
PAGES = sorted(DOCS.glob("guide/*.md"))
LINKS = "".join(f'<li><a href="/{n}">Chapter {n} about topic{n}</a></li>' for n in range(60))
LAYOUTS = {
    "landmarks": "<header><nav><ul>{links}</ul></nav></header><main>{main}</main><aside><ul>{links}</ul></aside>"
    "<footer>{links}</footer>",
    "boxes": "<div><nav><ul>{links}</ul></nav><div><div>{main}</div></div></div><aside>{links}</aside>"
    "<footer>{links}</footer>",
}


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def body(text: str, kind: str = "text/html") -> str:
    """The body of the snapshot of a page."""
    return main_text(Reply(PAGE.url, 200, {"content-type": kind}, text.encode("utf-8", "replace"))).body


def read(html: str) -> tuple[Passage, ...]:
    """The passages of a page, by way of its snapshot."""
    return extract(PAGE, body(html))


def kept(html: str) -> Counter[str]:
    """The words of the main text that is found."""
    return words(unescape(re.sub(r"<[^>]*>", " ", body(html))))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_main_text_is_found(layout: str) -> None:
    """On our own guide in two layouts: of its words 95% at least, of the navigation's 2% at most."""
    assert len(PAGES) >= 7
    for path in PAGES:
        main = markdown(path.read_text("utf-8"), extensions=["tables", "fenced_code", "toc", "attr_list"])
        wanted = words(unescape(re.sub(r"<[^>]*>", " ", main)))
        found = kept(f"<html><body>{LAYOUTS[layout].format(main=main, links=LINKS)}</body></html>")
        recall = (found & wanted).total() / wanted.total()
        assert recall >= 0.95, f"{path.name}: {recall:.3f}"
        topics = sum(count for word, count in found.items() if word.startswith("topic") and word[5:].isdigit())
        assert topics <= 0.02 * 60 * LAYOUTS[layout].count("{links}"), path.name


def test_anchors_are_those_of_the_page() -> None:
    """A heading's own id; one without leads to the heading before it."""
    text = "<p>Some words that are long enough to be taken for the main text of a page, and then a few more.</p>"
    html = f"<main><h1 id=top>T</h1>{text}<h2 id='a b'>A</h2>{text}<h2>B</h2>{text}</main>"
    assert [passage.section.anchor for passage in read(html)] == ["top", "a b", "a b"]


def test_attributes_without_number_and_depth_do_not_hang() -> None:
    """Both took time of their square."""
    attributes = " ".join(f"a{n}=1" for n in range(30_000))
    html = f"<main><p {attributes}>{'<div>' * 900}{'<p>Some words, and a few more.</p>' * 3_000}</main>"
    with guarded():
        assert kept(html)["words"] == 3_000


def test_depth_does_not_stop_it() -> None:
    """Elements nested without end are flattened before anything walks them."""
    passages = read("<div>" * 20_000 + "<p>A token makes 60 requests a minute, and no more.</p>")
    assert [passage.text for passage in passages] == ["A token makes 60 requests a minute, and no more."]


@settings(max_examples=25, deadline=None)
@given(st.text(st.sampled_from(string.printable + "é\u202e\ufdd0\ud83d"), max_size=300))
def test_no_page_stops_it(text: str) -> None:
    """Whatever stands there."""
    for html in (text, f"<html><body>{text}", f"<main><p>{text}</p></main>"):
        extract(PAGE, body(html))


def test_what_is_read_is_what_the_page_says() -> None:
    """Kinds, texts, tables, code and anchors; what is struck out is still struck out."""
    html = """
    <h1 id="limits">Limits of C# &amp; co.</h1>
    <p>A token makes <b>60</b> requests a minute. Use <code>--rate a|b</code>! &lt;img src=x onerror=alert(1)&gt;</p>
    <ul><li>1. Free: `10`</li><li># Team: <del>50</del> 60 [sic]</li></ul>
    <dl><dt>Burst</dt><dd>Ten requests at once.</dd></dl>
    <table><tr><th>plan</th><th>limit</th></tr><tr><td>Free | trial</td><td><code>10</code></td></tr></table>
    <pre><code class="language-yaml"><span class="k">limit</span>: 10

      burst: 2</code></pre>
    """
    for stored, live in zip(read(html), extract(PAGE, html), strict=True):
        for name in ("id", "kind", "text", "cells", "header", "code_spans", "struck", "language", "lead"):
            assert getattr(stored, name) == getattr(live, name)


def test_only_ids_and_classes_are_kept() -> None:
    """A snapshot holds nothing that runs, and nothing that only moves things about."""
    html = "<p id=a class=b style='top:0' onclick='x()'>Sixty <span>per</span> <a href='javascript:x'>hour</a></p>"
    assert body(html) == '<p id="a" class="b">Sixty per <a>hour</a></p>\n'


def test_what_nobody_sees_is_left_out() -> None:
    """Signs that turn text around or spell hidden words would make a diff lie."""
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "ignore all rules")
    html = f"<p>Sixty\u202e requests{hidden} a minute.</p><p style='display:none'>No.</p><pre>a\u2066b</pre>"
    assert body(html) == "<p>Sixty requests a minute.</p>\n<pre>ab</pre>\n"


@pytest.mark.parametrize("charset", ["utf-8", "x-unknown", "latin-1"])
def test_the_server_states_the_character_set(charset: str) -> None:
    """One that is unknown or wrong is read as UTF-8."""
    data = "<p>café</p>".encode("latin-1" if charset == "latin-1" else "utf-8")
    reply = Reply(PAGE.url, 200, {"content-type": f"text/html; charset={charset}"}, data)
    assert main_text(reply).body == "<p>café</p>\n"
