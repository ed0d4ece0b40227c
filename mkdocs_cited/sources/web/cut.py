"""The main text of an external page as passages, and what the page states of itself.

Only here is `readability` imported.
"""

from __future__ import annotations

import datetime
import logging
import re

from msgspec import Struct
from readability import Document as Readable
from readability.readability import Unparseable
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.dom import bounded
from mkdocs_cited.sources.from_files import document_of
from mkdocs_cited.sources.passages import Document, with_sentences
from mkdocs_cited.sources.web.blocks import visible
from mkdocs_cited.sources.web.content import Content

_AROUND = (
    "nav, dialog, script, style, noscript, template, svg, iframe, [hidden], [role=navigation], [role=banner],"
    "[role=contentinfo], [role=search], [role=dialog], [role=complementary]"
)
"""What is never main text: navigation, and the landmarks around it (WAI-ARIA 1.2 §5.3.4)."""
_MAIN = "main, [role=main]"
_MARK = "data-cited-n"
_MOST = 0.9
"""Share of the text that readability found which the place must hold: it may find a line somewhere else."""
_LEAST = 0.5
"""Share of a marked main part below which readability has missed it, and the whole part is taken."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")

logging.getLogger("readability").setLevel(logging.CRITICAL)  # it logs what it drops


class Stated(Struct, frozen=True):
    """What a page states of itself; empty where it does not."""

    title: str = ""
    language: str = ""
    """BCP 47."""
    published: str = ""
    """ISO 8601 date."""
    modified: str = ""
    """ISO 8601 date."""


def cut(page: Page, content: Content) -> tuple[Document, Stated]:
    """The sections and passages of a page's main text, and what the page states of itself."""
    if content.kind != "html":
        document = document_of(page, content.text, ".md" if content.kind == "markdown" else ".txt")
        return document, Stated(next((item.title for item in document.sections if item.level), ""))
    tree = LexborHTMLParser(bounded(content.text))
    said = _stated(tree)
    document = from_html.read(page, _main_html(tree))
    return replace(document, passages=tuple(map(with_sentences, document.passages))), said


def _stated(tree: LexborHTMLParser) -> Stated:
    metas = {
        str(node.attributes.get("property") or node.attributes.get("name")).lower(): node.attributes.get("content")
        or ""
        for node in reversed(tree.css("meta[content]"))
    }
    headings, title, html = tree.css("h1"), tree.css_first("head > title"), tree.css_first("html")
    named = metas.get("og:title", "") or (title.text() if title is not None else "")
    if len(headings) == 1:
        named = headings[0].text().strip().removesuffix("¶").removesuffix("#") or named
    language = (html.attributes.get("lang") or "" if html is not None else "").strip()
    return Stated(
        title=shorten(collapse(visible(named)), 200),
        language=language if _LANGUAGE.fullmatch(language) else "",
        published=_date(metas.get("article:published_time", "")),
        modified=_date(metas.get("article:modified_time", "")),
    )


def _date(value: str) -> str:
    try:
        return datetime.date.fromisoformat(value.strip()[:10]).isoformat()
    except ValueError:
        return ""


def _main_html(tree: LexborHTMLParser) -> str:
    """The HTML of the element that holds a page's main text, which may be the whole body. The tree is used up."""
    for node in reversed(tree.css(_AROUND)):  # inner ones first: dropping the outer frees them
        node.decompose()
    landmarks = tree.css(_MAIN)
    root = landmarks[0] if len(landmarks) == 1 else tree.body
    if root is None:
        return ""
    found = _place(root)
    if found is None or (landmarks and len(found.text()) < _LEAST * len(root.text())):
        found = root
    return found.html or ""


def _place(root: LexborNode) -> LexborNode | None:
    """The innermost element that holds nearly all the text that readability finds."""
    nodes = [node for node in root.traverse(include_text=False) if node.tag and node.tag[0] not in "-!"]
    for number, node in enumerate(nodes):
        node.attrs[_MARK] = str(number)
    try:
        main = LexborHTMLParser(Readable(root.html or "").summary(html_partial=True))
    except Unparseable:
        return None
    weights = dict.fromkeys(map(str, range(len(nodes))), 0)
    for node in main.css(f"[{_MARK}]"):
        texts = (child.text_content or "" for child in node.iter(include_text=True) if child.tag == "-text")
        weights[_number(node)] += len("".join(texts).strip())
    for node in reversed(nodes[1:]):  # inner ones first: what an element holds counts for all around it
        if node.parent is not None and _number(node.parent) in weights:
            weights[_number(node.parent)] += weights[_number(node)]
    node, least = root, _MOST * weights[_number(root)]
    while least and (inner := next((n for n in node.iter() if weights.get(_number(n), 0) >= least), None)):
        node = inner
    return node if least else None


def _number(node: LexborNode) -> str:
    return node.attributes.get(_MARK) or ""
