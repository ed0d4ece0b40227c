"""Stable ids on cited blocks, so that a link leads to its passage in every browser. No other byte is changed."""

from __future__ import annotations

from collections.abc import Mapping

from mkdocs_cited.base.text import digest
from mkdocs_cited.render.pagetext import Element

_HOLDERS = frozenset("p li tr pre dt dd blockquote h1 h2 h3 h4 h5 h6 div td th figcaption summary section".split())


def block_id(passage: str) -> str:
    """The id for the block of a passage: `cited-` and a digest of the passage's id."""
    return f"cited-{digest('anchor', passage, length=10)}"


def holder(element: Element | None) -> Element | None:
    """The element that takes the id for text in `element`: the row of a cell, the frame of a code block.

    `pre` itself is passed over where it can be, as themes' scripts give it ids of their own.
    """
    while element is not None:
        parent = element.parent
        if element.tag in ("td", "th") and parent is not None and parent.tag == "tr":
            return parent
        if element.tag == "pre" and parent is not None and "highlight" in parent.classes:
            return parent
        if element.tag in _HOLDERS:
            return element
        element = parent
    return None


def insert(html: str, ids: Mapping[int, str], blocks: Mapping[int, str]) -> str:
    """The HTML with `id` attributes, and with blocks between its elements, put in.

    Args:
        html: the page's content.
        ids: `Element.name_end` of a start tag without an id → the id that it gets.
        blocks: offset of a `<`, or the end → HTML that goes in before it.
    """
    pieces = {**{at: f' id="{name}"' for at, name in ids.items()}, **blocks}
    out, last = [], 0
    for at in sorted(pieces):
        out += [html[last:at], pieces[at]]
        last = at
    return "".join(out) + html[last:]
