"""A page's content as a search index should see it: without footnotes, panels and whatever else asks to be left out.

Material's search leaves out what carries `data-search-exclude`; MkDocs' own does not know it.
"""

from __future__ import annotations

import re

_OPEN = re.compile(r"<(section|details|div|ul|form|sup)\b[^<>]{0,2000}\sdata-search-exclude(?=[\s=>/])[^<>]{0,2000}>")


def searchable(html: str) -> str:
    """The HTML without the elements that carry `data-search-exclude`. One that is never closed is kept."""
    if "data-search-exclude" not in html:
        return html
    pieces, at = [], 0
    while match := _OPEN.search(html, at):
        end = _close(html, match[1], match.end())
        pieces.append(html[at : match.start()])
        at = end if end else match.end()
        if not end:
            pieces.append(match[0])
    return "".join(pieces) + html[at:]


def _close(html: str, tag: str, at: int) -> int:
    """Where an element ends whose content starts at `at`; 0 if nowhere."""
    depth = 1
    for match in re.compile(rf"<(/?){tag}\b").finditer(html, at):
        depth += -1 if match[1] else 1
        if not depth:
            return html.find(">", match.end()) + 1
    return 0
