"""Fetches addresses that a maintainer wrote, within bounds. Only here is `httpx2` imported.

Addresses begin with `https:`, but for hosts that the option `web.private_hosts` names. A redirect is followed on its
own host only. A reply's size and time are bounded. No cookies, proxies or credentials are taken from the environment.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import httpx2
from msgspec import Struct, field

from mkdocs_cited import __version__
from mkdocs_cited.model.options import Web
from mkdocs_cited.sources.web.addresses import normal

MOST_BYTES = 5_000_000
"""Of one reply, unpacked."""
MOST_SECONDS = 30.0
"""One request may take, from the connection to the last byte."""
MOST_REDIRECTS = 5
_ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9"
_REDIRECTS = (301, 302, 303, 307, 308)


class Reply(Struct, frozen=True):
    """What a server sent."""

    url: str
    """The normal address behind all redirects."""
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""


class RefusedError(Exception):
    """There is no reply, or none that can be used; says why."""


class Client:
    """One run's requests, one after the other."""

    def __init__(
        self, options: Web, project: str = "", seconds: float = MOST_SECONDS
    ) -> None:
        """Nothing is asked yet.

        Args:
            options: the block `web`.
            project: address of whose documentation this is, for the user agent; empty when it is not known.
            seconds: that one request may take.
        """
        self._own_hosts = options.private_hosts
        self._seconds = seconds
        agent = f"mkdocs-cited/{__version__}"
        if project:
            agent += f" (+{project})"
        self._http = httpx2.Client(
            headers={"User-Agent": agent, "Accept": _ACCEPT},
            timeout=seconds,
            trust_env=False,
        )

    def close(self) -> None:
        """End all connections."""
        self._http.close()

    def get(self, url: str) -> Reply:
        """Return the reply for a normal address, behind the redirects of its host to itself.

        Raises:
            RefusedError: there is none within the bounds.
        """
        for _ in range(MOST_REDIRECTS + 1):
            reply = self._get(url)
            if reply.status not in _REDIRECTS:
                return reply
            try:
                there = normal(urljoin(url, reply.headers.get("location", "")))
            except ValueError as error:
                raise RefusedError(
                    f"it redirects to an address that cannot be used: {error}"
                ) from None
            if urlsplit(there)[:2] != urlsplit(url)[:2]:
                raise RefusedError(
                    f"it redirects to another host; if it moved, name {there} in the options"
                )
            url = there
        raise RefusedError(f"it redirects more than {MOST_REDIRECTS} times")

    def _get(self, url: str) -> Reply:
        """Return the reply for an address, redirects as they are."""
        parts = urlsplit(url)
        own = parts.hostname in self._own_hosts or parts.netloc in self._own_hosts
        if parts.scheme != "https" and not own:
            raise RefusedError(
                "its address begins with `http:`, and its host is not in the option `web.private_hosts`"
            )
        late = f"it took longer than {self._seconds:g} seconds"
        end = time.monotonic() + self._seconds
        body = bytearray()
        try:
            with self._http.stream("GET", url) as response:
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > MOST_BYTES:
                        raise RefusedError(f"it is larger than {MOST_BYTES:,} bytes")
                    if time.monotonic() > end:
                        raise RefusedError(late)
        except httpx2.TimeoutException:
            raise RefusedError(late) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise RefusedError(f"it cannot be fetched: {reason}") from None
        return Reply(url, response.status_code, dict(response.headers), bytes(body))
