"""What other plugins make of a page's Markdown, once its answers are known: excerpts of a blog's posts.

Material's blog renders the Markdown of each post again, for every page that lists it; footnotes, links and ids of an
answer belong to its own page, so that a list shows the words alone.
"""

from __future__ import annotations

import nh3
from mkdocs.structure.pages import Page
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.declarations.markers import replace_markers
from mkdocs_cited.render.searchable import searchable

_TAGS = set("p br em strong s code pre sub ul ol li blockquote table thead tbody tr th td h3 h4 h5 h6".split())


def show_in_excerpts(page: Page) -> None:
    """Put the words of a post's answers, which stand in its content by now, into the Markdown of its excerpts."""
    if page.markdown:
        page.markdown = replace_markers(page.markdown, _words(page.content or ""))


def _words(content: str) -> dict[str, str]:
    """Id of each answer in a page's content → its words as HTML that holds nothing but text."""
    out = {}
    for node in LexborHTMLParser(searchable(content)).css(".cited-answer[data-cited-answer]"):
        for mark in node.css("sup:has(> a.footnote-ref), sup:has(> a.cited-ref)"):
            mark.decompose()
        words = nh3.clean(node.html or "", tags=_TAGS, attributes={}).strip()
        name = (node.attributes["data-cited-answer"] or "").rpartition("#")[2]
        out[name] = f"<div>\n{words}\n</div>"
    return out
