"""How citations are written in an answer: the number that records hold, and the two forms that authors write.

What a citation leads to is found by the providers; whether it may stand where it does is said by the rules.
"""

from __future__ import annotations

import re

MARKER = re.compile(r"\[\^(\d{1,4})\]")
"""A citation's number: `[^1]`."""
TARGET = r"\[@(?P<target>[^\[\]\n]{1,500})\]"
"""Pattern of an author's citation by target: `[@guide/keys.md#rotate]`."""
LISTED = r"\[\[S:(?P<numbers>[\d,\s–-]{1,200})\]\]"
"""Pattern of an author's citation by number of the list `cite`: `[[S:1,3]]`, `[[S:2-4]]`."""

ANYBODYS = rf"(?:{TARGET}|{LISTED}|\[\^[^\[\]\s]{{1,100}}\](?!:)|\[\d{{1,3}}(?:[,–-] ?\d{{1,3}}){{0,20}}\](?![(\[:]))"
"""Pattern of a citation in a text of anybody's: an author's, `[^note]`, `[1]` and `[2, 3]`."""
_WITH_SPACE = re.compile(rf"[ \t]?{MARKER.pattern}")


def strip_markers(text: str) -> str:
    """The text without its `[^1]` markers, and without the space before each."""
    return _WITH_SPACE.sub("", text)
