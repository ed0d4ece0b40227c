"""Fetches addresses as a good citizen: politely, within bounds, and only where it may. Only here is `httpx2` imported.

What a reply means is not asked here. No cookies, no proxies, no credentials are taken from the environment.
"""

from __future__ import annotations

import asyncio
import email.utils
import ssl
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx2

from mkdocs_cited import __version__
from mkdocs_cited.settings import Web
from mkdocs_cited.sources.web import guard, robots
from mkdocs_cited.sources.web.addresses import host_of, normal
from mkdocs_cited.sources.web.replies import Refused, Reply
from mkdocs_cited.sources.web.robots import AGENT

MOST_BYTES = 5_000_000
"""Of one reply, unpacked."""
MOST_SECONDS = 30.0
"""One request may take, from the look-up of the host to the last byte."""
MOST_REDIRECTS = 5
PAUSE = 1.0
"""Seconds between two requests to a host that is not one's own."""
LONGEST_WAIT = 60.0
"""Seconds of `Retry-After` that are waited."""
MOST_RETRIES = 2
"""Times that a site that asks for patience is asked again."""
HOSTS_AT_ONCE = 8

_MOVES = {301: True, 302: False, 303: False, 307: False, 308: True}
"""Status of a redirect → whether it is meant to last (RFC 9110 §15.4)."""
_ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9"


class Client:
    """One run's requests. A host is asked one thing at a time, with a pause before the next."""

    def __init__(
        self,
        options: Web,
        project: str = "",
        resolve: guard.Resolve = guard.resolve,
        seconds: float = MOST_SECONDS,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Nothing is asked yet.

        Args:
            options: the block `web`.
            project: address of whose documentation this is, for the user agent; empty when it is not known.
            resolve: looks up the addresses of hosts.
            seconds: that one request may take.
            trust: whose certificates are believed; by default, as the system does.
        """
        self._options = options
        self._resolve = resolve
        self._seconds = seconds
        self._agent = f"{AGENT}/{__version__} (+{project})" if project else f"{AGENT}/{__version__}"
        # Connections are never shared: they go to numbers, and two hosts may have the same one.
        limits = httpx2.Limits(max_connections=HOSTS_AT_ONCE, max_keepalive_connections=0)
        transport = httpx2.AsyncHTTPTransport(verify=trust or True, trust_env=False, limits=limits)
        timeout = httpx2.Timeout(seconds, pool=None)
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._http = httpx2.AsyncClient(transport=transport, trust_env=False, timeout=timeout, cookies=no_cookies)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._asked: dict[str, float] = {}
        """Host → when it was last asked, on the monotonic clock."""
        self._delays: dict[str, float] = {}
        self._rules: dict[str, asyncio.Task[robots.Rules | Refused]] = {}
        self._places = asyncio.Semaphore(HOSTS_AT_ONCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Reply | Refused:
        """What stands at a normal address. Redirects are followed, each checked as the first address is.

        Args:
            url: what is asked for.
            headers: further ones, for conditional requests.
        """
        return await self._follow(url, {"Accept": _ACCEPT, **(headers or {})}, MOST_BYTES, obeys=True)

    async def _follow(self, url: str, headers: Mapping[str, str], most: int, *, obeys: bool) -> Reply | Refused:
        seen, permanent = [url], True
        while True:
            refusal = await self._refusal(url) if obeys else None
            reply = refusal or await self._patiently(url, headers, most)
            if isinstance(reply, Refused) or reply.status not in _MOVES or "location" not in reply.headers:
                return _with(reply, permanent)
            permanent = permanent and _MOVES[reply.status]
            try:
                url = normal(urljoin(url, reply.headers["location"]))
            except ValueError as error:
                return Refused(f"it redirects to what is no address: {error}")
            if url in seen:
                return Refused(f"it redirects in a circle, to {url}")
            if len(seen) > MOST_REDIRECTS:
                return Refused(f"it redirects more than {MOST_REDIRECTS} times")
            seen.append(url)

    async def _refusal(self, url: str) -> Refused | None:
        """Why `robots.txt` forbids an address, which is read once for each site."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._rules:
            self._rules[site] = asyncio.create_task(self._read_rules(site))
        rules = await self._rules[site]
        if isinstance(rules, Refused):
            return rules
        self._delays[parts.netloc] = rules.delay
        return rules.refusal(url)

    async def _read_rules(self, site: str) -> robots.Rules | Refused:
        url = f"{site}/robots.txt"
        return robots.rules_of(await self._follow(url, {"Accept": "text/plain"}, robots.MOST_BYTES, obeys=False))

    async def _patiently(self, url: str, headers: Mapping[str, str], most: int) -> Reply | Refused:
        """A reply, after the waits that the site asks for."""
        for tries in range(MOST_RETRIES + 1):
            reply = await self._in_turn(url, headers, most)
            if isinstance(reply, Refused) or reply.status not in (429, 503):
                return reply
            wait = _seconds(reply.headers.get("retry-after", ""))
            if wait is None:
                return Refused(f"it has no time now: status {reply.status}", passing=True)
            if wait > LONGEST_WAIT:
                return Refused(f"it asks to be left alone for {wait:.0f} seconds", passing=True)
            if tries < MOST_RETRIES:
                await asyncio.sleep(wait)
        return Refused(f"it still has no time when asked {MOST_RETRIES + 1} times", passing=True)

    async def _in_turn(self, url: str, headers: Mapping[str, str], most: int) -> Reply | Refused:
        """Ask when it is this request's turn, and the pause is over."""
        host = host_of(url)
        async with self._turns[host]:
            pause = max(0.0 if self._is_own(url) else PAUSE, self._delays.get(host, 0.0))
            await asyncio.sleep(max(0.0, self._asked.get(host, -pause) + pause - time.monotonic()))
            async with self._places:
                try:
                    async with asyncio.timeout(self._seconds):
                        return await self._ask(url, headers, most)
                except (TimeoutError, httpx2.TimeoutException):
                    return Refused(f"it took longer than {self._seconds:g} seconds", passing=True)
                except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                    return Refused(f"the connection failed: {_one_line(error)}", passing=True)
                except OSError as error:
                    return Refused(f"its host is not found: {_one_line(error)}", passing=True)
                finally:
                    self._asked[host] = time.monotonic()

    async def _ask(self, url: str, headers: Mapping[str, str], most: int) -> Reply | Refused:
        parts = urlsplit(url)
        host, port = _host_and_port(url)
        found = await self._resolve(host, port)
        private = guard.refused(host, port, found, self._options.private_hosts)
        if private:
            return Refused(
                f"{host} has the address {private}, which is not public, and is not in the option `web.private_hosts`"
            )
        if parts.scheme != "https" and not self._is_own(url):
            return Refused("its address begins with `http:`, and its host is not in the option `web.private_hosts`")
        own = {"Host": parts.netloc, "User-Agent": self._agent, "Accept-Encoding": "gzip, identity"}
        response = await self._connected(url, host, found, {**headers, **own})
        try:
            return await _read(url, response, most)
        finally:
            await response.aclose()

    def _is_own(self, url: str) -> bool:
        return guard.named(*_host_and_port(url), self._options.private_hosts)

    async def _connected(
        self, url: str, host: str, addresses: Sequence[str], headers: Mapping[str, str]
    ) -> httpx2.Response:
        """The reply of the first address that answers, its body still to come. The certificate must be the host's."""
        failure: Exception = OSError("it has no address")
        for address in addresses:
            there = httpx2.URL(url).copy_with(host=address)
            request = self._http.build_request("GET", there, headers=headers, extensions={"sni_hostname": host})
            try:
                return await self._http.send(request, stream=True)
            except httpx2.ConnectError as error:
                failure = error
        raise failure


def _host_and_port(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


async def _read(url: str, response: httpx2.Response, most: int) -> Reply | Refused:
    """The whole of a reply, as far as its size allows."""
    too_large = Refused(f"it is larger than {most:,} bytes")
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip"):
        return Refused(f"it is packed as `{coding[:40]}`, which was not asked for")
    length = response.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        return too_large
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > most:
            return too_large
    return Reply(url, response.status_code, dict(response.headers), bytes(body))


def _with(reply: Reply | Refused, permanent: bool) -> Reply | Refused:
    if isinstance(reply, Refused):
        return reply
    return Reply(reply.url, reply.status, reply.headers, reply.body, permanent)


def _seconds(value: str) -> float | None:
    """`Retry-After` in seconds from now: a number, or a date (RFC 9110 §10.2.3)."""
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
