"""What comes of asking for an address: a reply, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class Reply(Struct, frozen=True):
    """What a server sent."""

    url: str
    """The normal address that it was found under."""
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""
    permanent: bool = True
    """Whether every redirect on the way was meant to last."""


class Refused(Struct, frozen=True):
    """There is no reply that could be used."""

    reason: str
    passing: bool = False
    """Whether it may go better another time."""
