"""`robots.txt` (RFC 9309): which addresses of a site may be fetched, and how slowly."""

from __future__ import annotations

from msgspec import Struct
from protego import Protego

from mkdocs_cited.sources.web.replies import Refused, Reply

AGENT = "mkdocs-cited"
"""The name under which sites can speak to us."""
MOST_BYTES = 512_000
"""Of `robots.txt` that are read: RFC 9309 §2.5 asks for 500 KiB at least."""
LONGEST_DELAY = 30.0
"""Seconds of `Crawl-delay` that are waited; a site that asks for more is not asked."""


class Rules(Struct, frozen=True):
    """What a site allows."""

    parsed: Protego

    def refusal(self, url: str) -> Refused | None:
        """Why an address is not to be fetched; None when it may be."""
        if not self.parsed.can_fetch(url, AGENT):
            return Refused("its robots.txt disallows it")
        if self.delay > LONGEST_DELAY:
            return Refused(f"its robots.txt asks for {self.delay:.0f} seconds between requests")
        return None

    @property
    def delay(self) -> float:
        """Seconds that the site wants between two requests."""
        return float(self.parsed.crawl_delay(AGENT) or 0.0)


def rules_of(reply: Reply | Refused) -> Rules | Refused:
    """The rules that a site's `robots.txt` holds. There are none where it has no such file (§2.3.1.3); where that
    cannot be told, nothing is fetched (§2.3.1.4)."""
    if isinstance(reply, Refused):
        return Refused(f"its robots.txt cannot be had: {reply.reason}", reply.passing)
    if reply.status == 429 or reply.status >= 500:
        return Refused(f"its robots.txt cannot be had: status {reply.status}", passing=True)
    text = reply.body.decode("utf-8", "replace") if 200 <= reply.status < 300 else ""
    return Rules(Protego.parse(text))
