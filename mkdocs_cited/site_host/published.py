"""Where answers go in a page of a built site, and what the page loads for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from html import escape

from mkdocs_cited.base.html import added, end_of, instead, restored
from mkdocs_cited.base.text import code_apart
from mkdocs_cited.declarations.markers import MARKER, SLOT
from mkdocs_cited.sources.dom import MARK
from mkdocs_cited.sources.marks import with_marks

CLAIMS = "claims"
"""The id under which the claims of a page are declared."""

_WRITTEN = r"(?P<open><p\b[^<>]{0,500}>)\s{0,20}\[answer:\s{0,20}(?P<written>[^\s<>\[\]]{1,200})\s{0,20}\]\s{0,20}</p>"
_BELOW = re.compile(
    rf'(</(?:p|li|td|th)>)\s*(<!--cited [^\s<>]*--><span {MARK}="![^"<>]*"></span>)'
)
"""A block, and a mark that nobody sees on a line of its own below it."""
_SHOWN = re.compile(
    r'<div\b[^<>]*\bdata-cited-answer="[^"<>]*#(?P<id>[^"#<>]+)"[^<>]*>'
)
"""How an answer begins that the plugin shows."""
_PLACE = re.compile(f"{SLOT.pattern}|{_WRITTEN}")
"""Where an answer goes: a comment, or a paragraph that says `[answer: ID]`, which every generator leaves as it is."""


def with_places(html: str, known: Collection[str]) -> str:
    """A page, as its generator wrote it, in which each place of an answer is `<!-- answer: ID -->`, and tells what it
    replaces. Where the plugin has built the page, answers with a known id are in their places already."""
    pieces, last = [], 0
    for shown in _SHOWN.finditer(html):
        if shown.start() >= last and shown["id"] in known:
            end = html.find(">", end_of(html, shown.start())) + 1
            pieces += [html[last : shown.start()], f"<!-- answer: {shown['id']} -->"]
            last = end or len(html)
    return _PLACE.sub(_place, "".join([*pieces, html[last:]]))


def _place(match: re.Match[str]) -> str:
    name = match["written"]
    if name:
        return instead(f"<!-- answer: {name} -->", was=match[0])
    return added(f"<!-- answer: {match[1] or match[2]} -->", was=match[0])


def with_elements(html: str, start: int, end: int) -> str:
    """A page, as `with_places` gives it, in which each mark between two offsets is an element, which tells what it
    replaces."""
    return html[:start] + with_marks(html[start:end], _element) + html[end:]


def in_their_blocks(content: str) -> str:
    """The content of a page, in which marks that nobody sees are in the block above them, which they cite."""
    return _BELOW.sub(r"\2\1", content)


def with_notes(html: str, at: int) -> str:
    """A page with the place of the footnotes of its claims at an offset."""
    return html[:at] + added(f"<!-- answer: {CLAIMS} -->") + html[at:]


def _element(said: str, was: str) -> str:
    return added(f'<span {MARK}="{escape(said)}"></span>', was=was)


def with_missing(
    html: str, at: int, asked: Iterable[tuple[str, str]], *, level: int
) -> str:
    """A page with a place at an offset for each answer that has none, below its question.

    Args:
        html: as `with_places` gives it.
        at: the end of its content.
        asked: id and question of each answer; what has no question gets a place alone.
        level: of the headings.
    """
    there, missing = set(MARKER.findall(html)), ""
    for name, question in asked:
        if name not in there:
            heading = ""
            if question:
                text = _as_html(question)
                heading = f'<h{level} id="{escape(name)}">{text}</h{level}>\n'
            missing += f"{heading}<!-- answer: {name} -->\n"
    if missing:
        return html[:at] + added(missing) + html[at:]
    return html


def _as_html(question: str) -> str:
    pieces = [(escape(piece), code) for piece, code in code_apart(question)]
    return "".join(f"<code>{piece}</code>" if code else piece for piece, code in pieces)


def without_empty(html: str) -> str:
    """A page without the places that no answer or citation came to: with what was there."""
    return restored(
        html, rf'(?:<!-- answer: [^<>]{{1,200}} -->|<span {MARK}="[^"<>]*"></span>)'
    )


def with_assets(html: str, addresses: Iterable[str]) -> str:
    """A whole page that loads these style sheets and scripts."""
    tags = []
    for address in addresses:
        if address.endswith(".css"):
            tags.append(f'<link rel="stylesheet" href="{address}">')
        else:
            tags.append(f'<script src="{address}" defer></script>')
    head = re.search("</head>|<body|$", html, re.IGNORECASE)
    at = 0
    if head:
        at = head.start()
    return html[:at] + added("".join(tags)) + html[at:]
