"""Elements of HTML that a parser has read, found again in the HTML as it was written: no other byte of it may change.

No parser tells where an element was. So before it is parsed, each start tag is given its own offset as an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from selectolax.lexbor import LexborNode

AT = "data-cited-at"
"""The attribute."""
_INSIDE = r"""(?:[^<>"'=]|=\s{0,9}+(?:"[^"]{0,20000}"|'[^']{0,20000}')?|["'])"""
TAG = rf"</?[a-zA-Z][^\s<>/]{{0,60}}+{_INSIDE}{{0,2000}}+>"
"""A pattern of any tag."""
_START = re.compile(TAG.replace("/?", "", 1))
"""A start tag. A quotation mark opens a value behind an equals sign alone, as in browsers."""
_HOLDERS = re.compile(
    r"<(?:p|li|dt|dd|tr|td|th|pre|div|blockquote|figcaption|summary|section|article|details|main|table|h[1-6])[\s>]",
    re.IGNORECASE,
)
"""How start tags of the elements begin that hold a text of their own."""
_ID = re.compile(r"""\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def placed(html: str) -> str:
    """HTML in which each element that can hold a text knows its offset; one that knows another one already keeps it."""
    return _START.sub(_with_offset, html)


def _with_offset(tag: re.Match[str]) -> str:
    text = tag[0]
    if not _HOLDERS.match(text):
        return text
    end = -2 if text.endswith("/>") else -1
    return f'{text[:end]} {AT}="{tag.start()}"{text[end:]}'


def offset(node: LexborNode | None) -> int:
    """Offset of the start tag of a node, or of the nearest around it that has one; -1 for none."""
    while node is not None:
        at = node.attributes.get(AT)
        if at is not None:
            return int(at)
        node = node.parent
    return -1


def id_at(html: str, at: int) -> str | None:
    """The id of the element whose start tag is at an offset; empty where it has none, `None` where no tag starts."""
    tag = _START.match(html, at)
    if tag is None:
        return None
    found = _ID.search(tag[0])
    return unescape(found[1] or found[2] or found[3] or "") if found else ""


def end_of(html: str, at: int) -> int:
    """Offset of the end tag of the element whose start tag is at an offset; the end of the HTML where it has none."""
    name = re.compile(r"<([a-zA-Z][^\s<>/]*)").match(html, at)
    depth = 0
    for tag in re.compile(rf"<(/?){re.escape(name[1])}(?=[\s>/])", re.IGNORECASE).finditer(html, at) if name else ():
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start()
    return len(html)


def with_ids(html: str, ids: Mapping[int, str]) -> str:
    """HTML in which the elements at these offsets have these ids; no other byte changes."""
    pieces, last = [], 0
    for at, name in sorted(ids.items()):
        tag = re.compile(r"<[a-zA-Z][^\s<>/]*").match(html, at)
        if tag is None:
            continue
        pieces += [html[last : tag.end()], f' id="{name}"']
        last = tag.end()
    return "".join([*pieces, html[last:]])
