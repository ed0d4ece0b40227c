"""From a reply to the main text of an external page: plain HTML that people can compare, and that is read as pages are.

Headings keep the anchors of the external page.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from html import escape
from urllib.parse import urlsplit

from msgspec import Struct
from selectolax.lexbor import LexborNode

from mkdocs_cited.base.text import collapse, shorten, slugify
from mkdocs_cited.sources.dom import parse
from mkdocs_cited.sources.from_files import html_of
from mkdocs_cited.sources.web.client import Refused, Reply

_HTML = ("text/html", "application/xhtml+xml")
_MARKDOWN = ("text/markdown", "text/x-markdown")
_CHARSET = re.compile(
    rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE
)
_AROUND = ", ".join(
    f"[role={role}]"
    for role in ("banner", "contentinfo", "search", "dialog", "complementary")
)
"""Landmarks that are never main text (WAI-ARIA 1.2 §5.3.4)."""
_MAIN = "main, [role=main]"
"""Where a page has one of them, it is the main text."""
_MOST = 0.85
"""Share of a page's paragraphs and code, in characters, that an element must hold to be its main text."""
_KEPT = ("id", "class")
"""Attributes: anchors, and what says that a box is an admonition or a code block."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_BLOCK_END = re.compile(r"(</(?:p|h[1-6]|li|tr|dd|dl|ol|ul|table)>)(?!\n)")
_UNSEEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]"
)
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""


class MainText(Struct, frozen=True):
    """The main text of a page, and what the page states about itself; empty where it does not."""

    html: str
    title: str = ""
    language: str = ""
    """BCP 47."""


def main_text(reply: Reply) -> MainText | Refused:
    """Return the main text of a reply, or why it cannot be read."""
    declared = reply.headers.get("content-type", "").lower()
    media = declared.partition(";")[0].strip()
    text = _decoded(reply.body, declared.partition("charset=")[2])
    if media in _HTML:
        return _of_html(text)
    # code hosts call it plain text
    is_markdown = urlsplit(reply.url).path.lower().endswith((".md", ".markdown"))
    if media in _MARKDOWN or (media == "text/plain" and is_markdown):
        return _of_html(f"<main>{html_of(text)}</main>", anchors=True)
    if media == "text/plain":
        paragraphs = re.split(r"\n\s*\n", escape(text, quote=False))
        return _of_html("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))
    # `application/json`, `application/openapi+yaml`, `text/x-yaml`
    if media.endswith(("json", "yaml")):
        return _of_html(f"<pre><code>{escape(text, quote=False)}</code></pre>")
    return Refused(
        f"it is of the type `{media[:80]}`; HTML, Markdown, JSON, YAML and plain text are read"
    )


def visible(text: str) -> str:
    """Return the text without invisible characters: they could hide words from who reads the diff."""
    return _UNSEEN.sub("", text)


def _decoded(body: bytes, declared: str) -> str:
    """Return the text in the first character set that explains every byte; else as a browser shows it."""
    stated = _CHARSET.search(body[:4096])
    names = [declared.strip("\"' ;"), "utf-8-sig"]
    if stated:
        names.insert(1, stated[1].decode("ascii", "replace"))
    for name in filter(None, names):
        with suppress(UnicodeError, LookupError):
            return body.decode(name)
    return body.decode("utf-8", "replace")


def _of_html(html: str, *, anchors: bool = False) -> MainText:
    """Return the main text of a page.

    Args:
        anchors: whether headings without an id get one that is made of their words.
    """
    body = parse(html, whole=True)
    if body is None:
        return MainText("")
    title, language = _stated(body)
    # inner ones first: dropping the outer frees them
    for node in reversed(body.css(_AROUND)):
        node.decompose()
    main = _main(body)
    main.unwrap_tags(["span"])
    for node in main.traverse():
        for name in list(node.attributes):
            if name not in _KEPT:
                del node.attrs[name]
        if anchors and re.fullmatch("h[1-6]", node.tag or ""):
            node.attrs["id"] = slugify(node.text(), fallback="section")
    lines = _BLOCK_END.sub(r"\1\n", (main.inner_html or "").strip())
    return MainText(visible(lines).rstrip("\n") + "\n", title, language)


def _stated(body: LexborNode) -> tuple[str, str]:
    """Return the title and the language that a page states."""
    whole = body.parent or body
    title = whole.css_first("head > title")
    named = ""
    if title is not None:
        named = title.text()
    headings = whole.css("h1")
    if len(headings) == 1:
        named = headings[0].text().strip().removesuffix("¶").removesuffix("#") or named
    language = (whole.attributes.get("lang") or "").strip()
    if not _LANGUAGE.fullmatch(language):
        language = ""
    return shorten(collapse(visible(named)), 200), language


def _main(body: LexborNode) -> LexborNode:
    """Return what a page marks as its main text, else the innermost element that holds nearly all of its paragraphs
    and code."""
    landmarks = body.css(_MAIN)
    if len(landmarks) == 1:
        return landmarks[0]
    weights: Counter[int] = Counter()
    for inner in body.css("p, pre, dd"):
        weight = len(inner.text())
        around = inner.parent
        while around is not None:
            weights[around.mem_id] += weight
            around = around.parent
    least = max(1.0, _MOST * weights[body.mem_id])
    main = body
    for node in body.traverse():
        if weights[node.mem_id] >= least:  # each is inside the one before it
            main = node
    return main
