"""Addresses and lines of an answer that do something when a page shows them. Who may lead where is asked elsewhere."""

from __future__ import annotations

import html
import re

_DROPPED = re.compile(r"[\t\n\r]|^[\x00-\x20]+|[\x00-\x20]+$")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""What an address that is whole starts with."""


def seen_by_browsers(address: str) -> str:
    """An address as browsers read it: without what they drop, `\\` as `/` (https://url.spec.whatwg.org/#url-parsing)."""
    return _DROPPED.sub("", html.unescape(address)).replace("\\", "/")


def is_whole(address: str) -> bool:
    """Whether an address is the same on every page."""
    return address.startswith("/") or SCHEME.match(address) is not None


def passable(target: str) -> str | None:
    """A link's target if it is an address of the web or of this site, else `None`."""
    address = seen_by_browsers(target)
    scheme = SCHEME.match(address)
    if scheme:
        return target if scheme[0].lower() in ("http:", "https:", "mailto:") else None
    return None if address.startswith("//") or not address else target
