"""From a reply to the body of a snapshot: the main text of an external page as passages, and these as plain HTML that a
person can read in a diff, and that is read as pages are.

Each sentence has a line of its own. Headings carry the anchors of the external page.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from itertools import groupby, pairwise
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.base.bounded_html import parsed
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.from_files import document_of
from mkdocs_cited.sources.passages import Document
from mkdocs_cited.sources.web.client import Refused, Reply

Kind = Literal["html", "markdown", "text"]
_KINDS: dict[str, Kind] = {
    "text/html": "html", "application/xhtml+xml": "html", "text/markdown": "markdown", "text/x-markdown": "markdown",
    "text/plain": "text",
}  # fmt: skip
_CHARSET = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
MOST_TAGS = 150_000
"""Tags of a page: finding its main text takes up to 50 µs for each, seven seconds in all."""
MOST_MARKDOWN = 1_000_000
"""Characters of Markdown or plain text: parsing the worst of it takes 10 µs for each, ten seconds in all."""
_MOST_BAD = 0.01
"""Share of characters that may be unreadable, as browsers show them: `�`."""
_AROUND = (
    "nav, dialog, script, style, noscript, template, svg, iframe, [hidden], [role=navigation], [role=banner],"
    "[role=contentinfo], [role=search], [role=dialog], [role=complementary]"
)
"""What is never main text: navigation, and the landmarks around it (WAI-ARIA 1.2 §5.3.4)."""
_MAIN = "main, [role=main]"
"""Where a page has one of them, it is the main text."""
_MOST = 0.85
"""Share of a page's paragraphs and code, in characters, that an element must hold to be its main text."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")

_UNSEEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]")
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""
_LISTS = {PassageKind.ITEM: "ul", PassageKind.STEP: "ol", PassageKind.ROW: "table"}
_Span = tuple[int, int, str]


class Content(Struct, frozen=True):
    """The text of a page."""

    kind: Kind
    text: str


def content_of(reply: Reply) -> Content | Refused:
    """The text of a reply, or why it cannot be read."""
    declared = reply.headers.get("content-type", "").lower()
    media = declared.partition(";")[0].strip()
    if media not in _KINDS:
        named = f"`{media[:80]}`" if media else "of no stated type"
        return Refused(f"it is {named}; HTML, Markdown and plain text are read")
    kind = _KINDS[media]
    if kind == "text" and urlsplit(reply.url).path.lower().endswith((".md", ".markdown")):
        kind = "markdown"  # as code hosts serve it
    text = _decoded(reply.body, declared.partition("charset=")[2])
    if "\0" in text or text.count("\ufffd") > _MOST_BAD * len(text):
        return Refused("its bytes are not text in the character set that it states")
    if kind == "html" and text.count("<") > MOST_TAGS:
        return Refused(f"it has more than {MOST_TAGS:,} tags")
    if kind != "html" and len(text) > MOST_MARKDOWN:
        return Refused(f"it has more than {MOST_MARKDOWN:,} characters")
    return Content(kind, text)


def _decoded(body: bytes, declared: str) -> str:
    """The text in the first character set that explains every byte; else as a browser shows it."""
    stated = _CHARSET.search(body[:4096])
    for name in (declared.strip("\"' ;"), stated[1].decode("ascii", "replace") if stated else "", "utf-8"):
        # Whoever says Latin-1 means windows-1252 (Encoding Standard §4.2).
        latin = re.fullmatch(r"iso-?8859-1|ascii", name.lower())
        with suppress(UnicodeError, LookupError, ValueError):
            return body.removeprefix(codecs.BOM_UTF8).decode("cp1252" if latin else name or "utf-8")
    return body.decode("utf-8", "replace")


def cut(page: Page, content: Content) -> tuple[Document, str, str]:
    """The sections and passages of a page's main text, and the title and the language (BCP 47) that it states; empty
    where it does not."""
    if content.kind != "html":
        document = document_of(page, content.text, ".md" if content.kind == "markdown" else ".txt")
        return document, next((item.title for item in document.sections if item.level), ""), ""
    tree = parsed(content.text)
    title, language = _stated(tree)
    return from_html.read(page, _main_html(tree)), title, language


def _stated(tree: LexborHTMLParser) -> tuple[str, str]:
    headings, title, html = tree.css("h1"), tree.css_first("head > title"), tree.css_first("html")
    named = title.text() if title is not None else ""
    if len(headings) == 1:
        named = headings[0].text().strip().removesuffix("¶").removesuffix("#") or named
    language = (html.attributes.get("lang") or "" if html is not None else "").strip()
    return shorten(collapse(visible(named)), 200), language if _LANGUAGE.fullmatch(language) else ""


def _main_html(tree: LexborHTMLParser) -> str:
    """The HTML of a page's main text: what it marks as such, else the innermost element that holds nearly all of its
    paragraphs and code. The tree is used up."""
    for node in reversed(tree.css(_AROUND)):  # inner ones first: dropping the outer frees them
        node.decompose()
    landmarks = tree.css(_MAIN)
    main = landmarks[0] if len(landmarks) == 1 else tree.body
    if main is None:
        return ""
    if len(landmarks) != 1:
        weights: Counter[int] = Counter()
        for inner in main.css("p, pre, dd"):
            around, weight = inner.parent, len(inner.text())
            while around is not None:
                weights[around.mem_id] += weight
                around = around.parent
        least = max(1.0, _MOST * weights[main.mem_id])
        while found := next((inner for inner in main.iter() if weights[inner.mem_id] >= least), None):
            main = found
    return main.html or ""


def visible(text: str) -> str:
    """The text without characters that nobody sees: they could hide words from who reads the diff."""
    return _UNSEEN.sub("", text)


def body_of(document: Document) -> str:
    """The sections and passages of a document as the body of a snapshot."""
    blocks: list[str] = []
    written = -1
    shown = (passage for passage in document.passages if visible(passage.text).strip())
    ordered = sorted(shown, key=lambda passage: passage.section.position)  # footnotes are at the end
    for (position, kind, block), group in groupby(
        ordered, key=lambda item: (item.section.position, item.kind, item.block)
    ):
        headings = (item for item in document.sections[written + 1 : position + 1] if visible(item.title).strip())
        blocks += [_heading(section) for section in headings if section.level]
        written = position
        passages = list(group)
        if kind in _LISTS and (block or kind is not PassageKind.ROW):
            head = "".join(f"<th>{_escaped(cell)}</th>" for cell in passages[0].header)
            lines = ([f"<tr>{head}</tr>"] if head else []) + [*map(_block, passages)]
            blocks.append("\n".join((f"<{_LISTS[kind]}>", *lines, f"</{_LISTS[kind]}>")))
        else:
            blocks += [f"<table>{row}</table>" if kind is PassageKind.ROW else row for row in map(_block, passages)]
    return visible("\n\n".join(blocks) + "\n")


def _heading(section: Section) -> str:
    name = f' id="{escape(section.anchor)}"' if section.anchor else ""
    return f"<h{section.level}{name}>{_escaped(section.title)}</h{section.level}>"


def _block(passage: Passage) -> str:
    """A passage as an element, one sentence on a line."""
    text = passage.text
    if passage.kind is PassageKind.CODE:
        language = re.sub(r"[^\w+#.-]", "", passage.language)
        name = f' class="language-{language}"' if language else ""
        return f"<pre><code{name}>\n{_escaped(text)}\n</code></pre>"
    marked = (("code", passage.code_spans), ("del", passage.struck))
    spans = sorted((*span, tag) for tag, spans in marked for span in spans)
    if passage.kind is PassageKind.ROW:
        return f"<tr>{''.join(_cells(text, spans, passage.cells))}</tr>"
    is_term = passage.kind is PassageKind.DEFINITION and passage.lead and text.startswith(f"{passage.lead} ")
    term = len(passage.lead) if is_term else 0
    starts = [term and term + 1]
    for start, _ in passage.sentences[1:]:
        if start > starts[-1] and text[start - 1] == " " and not any(a < start < b for a, b, _ in spans):
            starts.append(start)
    lines = "\n".join(_prose(text, spans, a, b).rstrip(" ") for a, b in pairwise([*starts, len(text)]))
    if passage.kind is PassageKind.DEFINITION:
        named = f"<dt>{_prose(text, spans, 0, term)}</dt>\n" if term else ""
        return f"<dl>{named}<dd>{lines}</dd></dl>"
    tag = "li" if passage.kind in _LISTS else "p"
    return f"<{tag}>{lines}</{tag}>"


def _cells(text: str, spans: Sequence[_Span], cells: Sequence[str]) -> Iterator[str]:
    at = 0
    for cell in cells or (text,):
        at = max(text.find(cell, at), 0)
        yield f"<td>{_prose(text, spans, at, at + len(cell))}</td>"
        at += len(cell)


def _prose(text: str, spans: Sequence[_Span], first: int, last: int) -> str:
    """A part of a text, with its inline code and what is struck out."""
    out, at = [], first
    for start, end, tag in spans:
        if at <= start and end <= last:
            out += [_escaped(text[at:start]), f"<{tag}>{_escaped(text[start:end])}</{tag}>"]
            at = end
    return "".join([*out, _escaped(text[at:last])])


def _escaped(text: str) -> str:
    return escape(text, quote=False)
