"""The markers that say where on a page an answer goes, as they are in its HTML: `<!-- answer: limits -->`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.declarations.front_matter import SourceText
from mkdocs_cited.model.finding import Finding, found

MARKER = re.compile(r"<!--[ \t]{0,20}answer:[ \t]{0,20}([^\s<>]{1,200}?)[ \t]{0,20}-->")
"""Where an answer goes; the group is the answer's id."""
SLOT = re.compile(rf"<p>\s{{0,20}}{MARKER.pattern}\s{{0,20}}</p>|{MARKER.pattern}")
"""Where it goes in HTML: the comment, with the paragraph that holds nothing else; the id is in one of two groups. Code
cannot match, since there `<` is escaped."""
_MISSPELT = re.compile(
    r"<!--[ \t]{0,20}answers?[ \t]{0,20}[:=]?[ \t]{0,20}([^\s<>]{1,200}?)[ \t]{0,20}-->"
)
"""A marker, right or misspelt."""


def check_markers(
    html: str, source: SourceText, page: str, ids: Collection[str]
) -> Iterator[Finding]:
    """What is wrong with the markers of a rendered page.

    Args:
        html: of the page.
        source: its file, for places.
        page: path of the page, for the answers' keys.
        ids: every id that the page declares, those of unusable entries included.
    """
    seen: set[str] = set()
    for match in _MISSPELT.finditer(html):
        name, right = match[1], MARKER.fullmatch(match[0]) is not None
        write = f"write `<!-- answer: {name} -->` on a line of its own"
        place = source.place_of(match[0], number=2 if name in seen else 1)
        if not right:
            if ids:
                yield found(
                    "invalid-declaration",
                    place,
                    "this marker is misspelt",
                    tip=write,
                    answer=f"{page}#{name}",
                )
        elif name not in ids:
            tip = "declare it: `answers: [{question: …}]`"
            if ids:
                tip = did_you_mean(name, tuple(ids))
            yield found(
                "invalid-declaration",
                place,
                f"no answer of this page has the id `{name}`",
                tip=tip,
            )
        elif name in seen:
            message = f"the answer `{name}` has a marker already"
            yield found(
                "invalid-declaration",
                place,
                message,
                tip="delete one of the two",
                answer=f"{page}#{name}",
            )
        else:
            seen.add(name)
