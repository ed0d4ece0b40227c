"""The main text of a page is found whatever stands around it, and what the page states of itself beside it."""

from __future__ import annotations

import re
import string
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown

from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.sources.web.client import Refused, Reply
from mkdocs_cited.sources.web.cut import Content, content_of, cut
from tests.hangs import guarded

DOCS = Path(__file__).parents[3] / "example_site/docs"
PAGE = Page("web:x", "https://x.example/", "", type=SourceType.WEB)
PAGES = sorted(DOCS.glob("guide/*.md"))
LINKS = "".join(f'<li><a href="/{n}">Chapter {n} about topic{n}</a></li>' for n in range(60))
LAYOUTS = {
    "landmarks": "<header><nav><ul>{links}</ul></nav></header><main>{main}</main><aside><ul>{links}</ul></aside>"
    "<footer>{links}</footer>",
    "boxes": "<div><div><ul>{links}</ul></div><div><div><ul>{links}</ul></div><div><div>{main}</div></div></div>"
    "<div><ul>{links}</ul></div></div>",
    "table": "<table><tr><td><ul>{links}</ul></td><td>{main}</td><td>{links}</td></tr></table>",
}


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def kept(html: str) -> Counter[str]:
    """The words of the main text that is found."""
    document, *_ = cut(PAGE, Content("html", html))
    parts = [*(section.title for section in document.sections if section.level), *(p.text for p in document.passages)]
    headers = {passage.header for passage in document.passages}
    return words(" ".join([*parts, *(" ".join(header) for header in headers)]))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_main_text_is_found(layout: str) -> None:
    """On our own guide in three layouts: of its words 95% at least, of the navigation's 2% at most."""
    assert len(PAGES) >= 7
    for path in PAGES:
        main = markdown(path.read_text("utf-8"), extensions=["tables", "fenced_code", "toc", "attr_list"])
        wanted = words(
            re.sub(r"<[^>]*>", " ", main)
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", '"')
            .replace("&amp;", "&")
        )
        found = kept(f"<html><body>{LAYOUTS[layout].format(main=main, links=LINKS)}</body></html>")
        recall = (found & wanted).total() / wanted.total()
        assert recall >= 0.95, f"{path.name}: {recall:.3f}"
        topics = sum(count for word, count in found.items() if word.startswith("topic") and word[5:].isdigit())
        assert topics <= 0.02 * 60 * LAYOUTS[layout].count("{links}"), path.name


def test_anchors_are_those_of_the_page() -> None:
    """A heading's own id; one without leads to the heading before it."""
    text = "<p>Some words that are long enough to be taken for the main text of a page, and then a few more.</p>"
    html = f"<main><h1 id=top>T</h1>{text}<h2 id='a b'>A</h2>{text}<h2>B</h2>{text}</main>"
    document, *_ = cut(PAGE, Content("html", html))
    assert [passage.section.anchor for passage in document.passages] == ["top", "a b", "a b"]


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("text/html", "<p>" * 150_001, "more than 150,000 tags"),
        ("text/markdown", "a " * 500_001, "more than 1,000,000 characters"),
        ("text/plain", "a " * 500_001, "more than 1,000,000 characters"),
    ],
)
def test_what_would_take_long_is_refused(kind: str, text: str, why: str) -> None:
    """The time that a page of strangers may take has a bound: tags of HTML, characters of all else."""
    refused = content_of(Reply("https://x.example/", 200, {"content-type": kind}, text.encode()))
    assert isinstance(refused, Refused)
    assert why in refused.reason


def test_attributes_without_number_and_depth_do_not_hang() -> None:
    """Both took time of their square."""
    attributes = " ".join(f"a{n}=1" for n in range(30_000))
    html = f"<main><p {attributes}>{'<div>' * 900}{'<p>Some words, and a few more.</p>' * 3_000}</main>"
    with guarded():
        assert kept(html)["words"] == 3_000


def test_depth_does_not_stop_it() -> None:
    """Elements nested without end are flattened before anything walks them."""
    document, *_ = cut(
        PAGE, Content("html", "<div>" * 20_000 + "<p>A token makes 60 requests a minute, and no more.</p>")
    )
    assert [passage.text for passage in document.passages] == ["A token makes 60 requests a minute, and no more."]


@settings(max_examples=25, deadline=None)
@given(st.text(st.sampled_from(string.printable + "é\u202e\ufdd0\ud83d"), max_size=300))
def test_no_page_stops_it(text: str) -> None:
    """Whatever stands there."""
    for html in (text, f"<html><body>{text}", f"<main><p>{text}</p></main>"):
        cut(PAGE, Content("html", html.encode("utf-8", "replace").decode()))
