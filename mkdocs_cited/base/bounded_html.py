"""HTML parsed as browsers do, in time of its length, whatever it holds."""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements that hold nothing, and are not closed."""
_ENDED_BY_THE_NEXT = frozenset("caption colgroup dd dt li optgroup option p rp rt tbody td tfoot th thead tr".split())
"""Elements that authors may leave open: the next of the kind ends them, so they are in each other only where others are
between them, which are counted."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)[^<>]*+>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)([^<>]{4096,}+)>")
_VALUE = re.compile(r""""[^"]*+"|'[^']*+'""")
_MOST_ATTRIBUTES = 1000
"""Of one tag; HTML5 parsing looks at each pair of them. Beyond, a tag is left with none."""
_DEEPEST = 1000
"""Most levels of nesting. HTML5 parsing takes quadratic time in the depth: 200,000 levels take minutes."""
_FEW_TAGS = 10_000
"""Tags that take no such time, however deep they are."""


def parsed(html: str) -> LexborHTMLParser:
    """The tree of some HTML: without the attributes of a tag that has them without number, and without the tags
    beyond the deepest level, but with all text."""
    html = _LONG_TAG.sub(_with_few_attributes, html)
    return LexborHTMLParser(_flattened(html) if html.count("<") > _FEW_TAGS else html)


def _with_few_attributes(tag: re.Match[str]) -> str:
    """A long tag as it is, or alone when it has more attributes than anything that a person or a tool writes."""
    separators = re.findall(r"""["'\s/]""", _VALUE.sub('"', tag[2]))
    return f"<{tag[1]}>" if len(separators) > _MOST_ATTRIBUTES else tag[0]


def _flattened(html: str) -> str:
    """The HTML without the tags beyond the deepest level. A tag that closes nothing changes no level."""
    level, at, pieces = 0, 0, list[str]()
    opened, dropped = Counter[str](), Counter[str]()
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in VOID or name in _ENDED_BY_THE_NEXT or (tag[1] and not (dropped[name] or opened[name])):
            continue
        if not tag[1] and level < _DEEPEST:
            level, opened[name] = level + 1, opened[name] + 1
        elif tag[1] and not dropped[name]:
            level, opened[name] = level - 1, opened[name] - 1
        else:
            dropped[name] += -1 if tag[1] else 1
            pieces.append(html[at : tag.start()])
            at = tag.end()
    return "".join([*pieces, html[at:]])
