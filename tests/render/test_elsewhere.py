"""Citations of pages elsewhere: linked to the live page, dated, marked in the report; nothing of them but quotes."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from mkdocs_cited.model.source import Page, PassageKind, Source, SourceType, Via
from mkdocs_cited.render.links import Links
from tests.corpora import extract

PAGE = Page(
    "web:limits", "https://docs.example.com/limits?v=2", "Rate limits",
    type=SourceType.WEB, fetched="2026-11-22",
)  # fmt: skip
HTML = """<h1 id="limits">Rate limits</h1><h2 id="bursts">Bursts</h2>
<p>A burst of ten is let through. Then it is not.</p>
<table><tr><th>plan</th><th>limit</th></tr><tr><td>Free plan</td><td>60 requests</td></tr></table>
<pre>limit: 60
burst: 10</pre>"""
PASSAGES = {passage.kind: passage for passage in extract(PAGE, HTML)}


def no_page(url: str) -> str | None:
    raise AssertionError(f"a page elsewhere was read: {url}")


@pytest.mark.parametrize(
    ("kind", "quote", "fragment"),
    [
        (PassageKind.PARAGRAPH, "A burst of ten is let through.", "A burst of ten is let through."),
        (PassageKind.ROW, "Free plan 60 requests", "Free plan,60 requests"),
        (PassageKind.CODE, "limit: 60\nburst: 10", "limit: 60"),
    ],
)
def test_links_lead_to_the_live_page(kind: PassageKind, quote: str, fragment: str) -> None:
    """To the heading and, by a text fragment, to the words; the page itself is not read."""
    link = Links(no_page)(PASSAGES[kind], quote)
    address, _, text = link.href("faq/").partition(":~:text=")
    assert address == "https://docs.example.com/limits?v=2#bursts"
    assert unquote(text).startswith(fragment)
    assert link.exact


def test_a_source_says_where_and_when() -> None:
    """Host and date stand in label and detail."""
    source = Source(1, PASSAGES[PassageKind.PARAGRAPH], Via.RETRIEVAL)
    assert source.label == "Rate limits › Bursts (docs.example.com)"
    assert source.detail == "docs.example.com, 2026-11-22"
