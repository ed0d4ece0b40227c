"""What is written into a page that a generator has built, marked with what was there: it can be taken out again, so
that what is read of the page, and written anew, is always what its generator wrote.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

_IDS = re.compile(r'(<[a-zA-Z][^\s<>/]*) id="cited-(?:block-)?[a-z2-7]{10}"')


def added(html: str, was: str = "") -> str:
    """A piece of HTML that can be taken out again, in place of what was there, between two comments."""
    told = f" {_encoded(was)}" if was else ""
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
    return re.sub(pieces, lambda match: unquote(match[1] or match[2] or ""), html, flags=re.DOTALL)


def original(html: str) -> str:
    """A page as its generator wrote it, without our pieces and the ids of cited elements."""
    return _IDS.sub(r"\1", restored(html))


def _encoded(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")
