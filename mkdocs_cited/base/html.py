"""HTML as text: parsed as browsers do in time of its length, elements found again in it as it was written, and pieces
that are added to it and can be taken out again.

No parser tells where an element was. So before it is parsed, each start tag is given its own offset as an attribute.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html import unescape
from urllib.parse import quote, unquote

from markupsafe import Markup, escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

_BACKTICKS = re.compile(r"`([^`]+)`")
VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)
"""Elements that hold nothing, and are not closed."""
_ENDED_BY_THE_NEXT = frozenset(
    "caption colgroup dd dt li optgroup option p rp rt tbody td tfoot th thead tr".split()
)
"""Elements that authors may leave open: the next of the kind ends them, so they are in each other only where others are
between them, which are counted."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)[^<>]*+>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)([^<>]{4096,}+)>")
_VALUE = re.compile(r""""[^"]*+"|'[^']*+'""")
_DEEPEST = 1000
"""Most levels of nesting. HTML5 parsing takes quadratic time in the depth: 200,000 levels take minutes."""
_FEW_TAGS = 30_000
"""Tags that take no such time, however deep they are."""


def parsed(html: str) -> LexborHTMLParser:
    """The tree of some HTML: without the attributes of a tag that has thousands, of which each pair is compared, and
    without the tags beyond the deepest level, but with all text."""
    html = _LONG_TAG.sub(_with_few_attributes, html)
    if html.count("<") > _FEW_TAGS:
        html = _flattened(html)
    return LexborHTMLParser(html)


def _with_few_attributes(tag: re.Match[str]) -> str:
    if len(_VALUE.sub("", tag[2])) > _FEW_TAGS:
        return f"<{tag[1]}>"
    return tag[0]


def _flattened(html: str) -> str:
    """The HTML without the tags beyond the deepest level. A tag that closes nothing changes no level."""
    opened, dropped = Counter[str](), Counter[str]()

    def counted(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if name in VOID or name in _ENDED_BY_THE_NEXT:
            return tag[0]
        if tag[1]:
            level = dropped if dropped[name] else opened
            level[name] = max(0, level[name] - 1)
        else:
            level = opened if opened.total() < _DEEPEST else dropped
            level[name] += 1
        if level is opened:
            return tag[0]
        return ""

    return _TAG.sub(counted, html)


AT = "data-cited-at"
"""The attribute."""
_INSIDE = r"""(?:[^<>"'=]|=\s{0,9}+(?:"[^"]{0,20000}"|'[^']{0,20000}')?|["'])"""
TAG = rf"</?[a-zA-Z][^\s<>/]{{0,60}}+{_INSIDE}{{0,2000}}+>"
"""A pattern of any tag."""
_START = re.compile(rf"<([a-zA-Z][^\s<>/]{{0,60}}+){_INSIDE}{{0,2000}}+>")
"""A start tag, and its name. A quotation mark opens a value behind an equals sign alone, as in browsers."""
_HOLDERS = frozenset(
    "p li dt dd tr td th pre div blockquote figcaption summary section article details main table h1 h2 h3 h4 h5 "
    "h6".split()
)
"""Elements that hold a text of their own."""
_ID = re.compile(r"""\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def placed(html: str) -> str:
    """HTML in which each element that can hold a text knows its offset; one that knows another one already keeps it."""
    return _START.sub(_with_offset, html)


def _with_offset(tag: re.Match[str]) -> str:
    text = tag[0]
    if tag[1].lower() not in _HOLDERS:
        return text
    return f'{text[:-1]} {AT}="{tag.start()}">'


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
    if found:
        return unescape(found[1] or found[2] or found[3] or "")
    return ""


def end_of(html: str, at: int) -> int:
    """Offset of the end tag of the element whose start tag is at an offset; the end of the HTML where it has none."""
    start = _START.match(html, at)
    if start is None:
        return len(html)
    tags = re.compile(rf"<(/?){re.escape(start[1])}(?=[\s>/])", re.IGNORECASE)
    depth = 0
    for tag in tags.finditer(html, at):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start()
    return len(html)


def with_ids(html: str, ids: Mapping[int, str]) -> str:
    """HTML in which the elements at these offsets have these ids; no other byte changes."""
    pieces, last = [], 0
    for at, name in sorted(ids.items()):
        tag = _START.match(html, at)
        if tag:
            pieces += [html[last : tag.end(1)], f' id="{name}"']
            last = tag.end(1)
    return "".join([*pieces, html[last:]])


_IDS = re.compile(r'(<[a-zA-Z][^\s<>/]*) id="cited-(?:block-)?[a-z2-7]{10}"')


def added(html: str, was: str = "") -> str:
    """A piece of HTML that can be taken out again, in place of what was there, between two comments."""
    told = ""
    if was:
        told = f" {_encoded(was)}"
    return f"<!--cited{told}-->{html}<!--/cited-->"


def instead(html: str, was: str) -> str:
    """The same in place of one element, as one element: scripts that take over a page count what is in it."""
    return f'<div data-cited-was="{_encoded(was)}">{html}<!--/cited--></div>'


def restored(html: str, inside: str = ".*?") -> str:
    """HTML with what was there before each of our pieces that holds `inside`, a pattern without groups."""
    pieces = (
        rf"<!--cited(?: ([^\s<>]*))?-->{inside}<!--/cited-->"
        rf'|<div data-cited-was="([^"<>]*)">{inside}<!--/cited--></div>'
    )
    return re.sub(
        pieces, lambda match: unquote(match[1] or match[2] or ""), html, flags=re.DOTALL
    )


def original(html: str) -> str:
    """A page as its generator wrote it, without our pieces and the ids of cited elements."""
    return _IDS.sub(r"\1", restored(html))


def _encoded(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")


def with_code(text: str) -> Markup:
    """A line such as a question as HTML, what is between backticks as code."""
    marked = _BACKTICKS.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(marked)  # noqa: S704 -- it is escaped
