"""What is written into a page that a generator has built, between comments that say what was there: it can be taken out
again, so that what is read of the page, and written anew, is always what its generator wrote.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

OPEN, CLOSE = r"<!--cited(?: ([^\s<>]*))?-->", "<!--/cited-->"
"""Patterns of the comments; the group is what was there."""
_ADDED = re.compile(f"{OPEN}.*?{CLOSE}", re.DOTALL)
_IDS = re.compile(r'(<[a-zA-Z][^\s<>/]*) id="cited-(?:block-)?[a-z2-7]{10}"')


def added(html: str, was: str = "") -> str:
    """A piece of HTML that can be taken out again, in place of what was there."""
    told = f" {quote(was, safe='').replace('-', '%2D')}" if was else ""
    return f"<!--cited{told}-->{html}<!--/cited-->"


def restored(match: re.Match[str]) -> str:
    """What was there before the piece that a pattern which begins with `OPEN` has found."""
    return unquote(match[1] or "")


def original(html: str) -> str:
    """A page as its generator wrote it, without our pieces and the ids of cited elements."""
    return _IDS.sub(r"\1", _ADDED.sub(restored, html))
