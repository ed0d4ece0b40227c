"""HTML parsed as browsers do, in time of its length, whatever it holds."""

from __future__ import annotations

import re
from itertools import accumulate
from operator import sub

from selectolax.lexbor import LexborHTMLParser

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements that hold nothing, and are not closed."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)[^<>]*+>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)([^<>]{4096,}+)>")
_VALUE = re.compile(r""""[^"]*+"|'[^']*+'""")
_MOST_ATTRIBUTES = 1000
"""Of one tag; HTML5 parsing looks at each pair of them. Beyond, a tag is left with none."""
_DEEPEST = 1000
"""Most levels of nesting. HTML5 parsing takes quadratic time in the depth: 200,000 levels take minutes."""


def parsed(html: str) -> LexborHTMLParser:
    """The tree of some HTML: without the attributes of a tag that has them without number, and without the tags
    beyond the deepest level, but with all text."""
    html = _LONG_TAG.sub(_with_few_attributes, html)
    return LexborHTMLParser(_flattened(html) if _depth(html) > _DEEPEST else html)


def _with_few_attributes(tag: re.Match[str]) -> str:
    """A long tag as it is, or alone when it has more attributes than anything that a person or a tool writes."""
    separators = re.findall(r"""["'\s/]""", _VALUE.sub('"', tag[2]))
    return f"<{tag[1]}>" if len(separators) > _MOST_ATTRIBUTES else tag[0]


def _depth(html: str) -> int:
    """How deep tags are nested at most: tags that are never closed count as if they held all that follows."""
    levels = list(accumulate(-1 if closing else 1 for closing, _ in _TAG.findall(html)))
    lowest = accumulate(levels, min, initial=0)
    return max(map(sub, levels, lowest), default=0)


def _flattened(html: str) -> str:
    level, dropped = 0, 0

    def within(tag: re.Match[str]) -> str:
        nonlocal level, dropped
        if tag[2].lower() in VOID:
            return tag[0]
        if tag[1]:
            if dropped:
                dropped -= 1
                return ""
            level = max(0, level - 1)
        elif level >= _DEEPEST:
            dropped += 1
            return ""
        else:
            level += 1
        return tag[0]

    return _TAG.sub(within, html)
