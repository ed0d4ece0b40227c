"""Answers as an HTML fragment: where their numbers go, and nothing active left in it.

A number is `[^1]` as in Markdown; what readers and programs see in its place is the renderer's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import nh3

from mkdocs_cited.answer_text.marks import MARKER
from mkdocs_cited.providers.anthropic.markup import Links
from mkdocs_cited.providers.anthropic.placing import gathered

TAGS = frozenset(
    (
        *("a", "b", "blockquote", "br", "code", "dd", "dl", "dt", "em", "i", "kbd", "li", "ol", "p", "pre", "strong"),
        *("sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
    )
)
_CLOSING = re.compile(r"</[A-Za-z][A-Za-z0-9]{0,20}\s{0,5}>\Z")
_CODE = re.compile(r"<(?P<tag>pre|code|kbd)\b[^>]{0,200}>", re.IGNORECASE)


def placed(pieces: Sequence[tuple[str, tuple[int, ...]]], links: Links) -> str:
    """The fragment with a number behind each cited piece: inside the element that ends there, never inside code.

    Raises:
        ValueError: the fragment is such that a number would not be read as one, or would be taken out with an element.
    """
    text = "".join(piece for piece, _ in pieces)
    code = _code_in(text)
    places = gathered(pieces, lambda end: _place(text, end, code))
    out, at = [], 0
    for place, sids in places:
        out += [text[at:place], "".join(f"[^{sid}]" for sid in sids)]
        at = place
    fragment = clean("".join([*out, text[at:]]), links)
    numbers = sum(len(sids) for _, sids in places)
    if len(MARKER.findall(fragment)) != numbers:
        raise ValueError("the HTML is not well formed where it cites")
    return fragment


def clean(fragment: str, links: Links) -> str:
    """The fragment with known elements only, and links only to where links may lead."""

    def attribute(tag: str, name: str, value: str) -> str | None:
        return value if tag != "a" or name != "href" or links.allow(value) else None

    return nh3.clean(
        fragment,
        tags=set(TAGS),
        clean_content_tags={"script", "style"},
        attributes={"a": {"href"}, "code": {"class"}},
        attribute_filter=attribute,
        link_rel=None,
    ).strip()


def _code_in(text: str) -> list[tuple[int, int]]:
    """(start, end) of outermost code elements, their tags included."""
    out: list[tuple[int, int]] = []
    for match in _CODE.finditer(text):
        if out and match.start() < out[-1][1]:
            continue
        closing = f"</{match['tag'].lower()}>"
        end = text.lower().find(closing, match.end())
        out.append((match.start(), end + len(closing) if end >= 0 else len(text)))
    return out


def _place(text: str, end: int, code: Sequence[tuple[int, int]]) -> int:
    place = len(text[:end].rstrip())
    opened = text.rfind("<", 0, place)
    if opened > text.rfind(">", 0, place):  # within a tag
        closed = text.find(">", place)
        place = closed + 1 if closed >= 0 else len(text)
    for start, stop in code:
        if start < place <= stop:
            return stop
    while (closing := _CLOSING.search(text, max(0, place - 30), place)) is not None:
        if any(start < closing.start() < stop for start, stop in code):
            return place
        place = len(text[: closing.start()].rstrip())
    return place
