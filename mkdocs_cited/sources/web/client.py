"""Fetches addresses politely, within bounds, and only where it may. Only here are `httpx2` and `protego` imported.

What a reply means is not asked here. No cookies, no proxies, no credentials are taken from the environment. A redirect
is followed on its own host, port and scheme only. Asked are addresses of the open internet, and hosts that the options
name: a name is looked up once for each request, what it stands for is checked, and the connection goes to the very
address that was checked, so that a name that stands for another a moment later (DNS rebinding) changes nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit

import httpx2
from msgspec import Struct, field
from protego import Protego

from mkdocs_cited import __version__
from mkdocs_cited.model.options import Web
from mkdocs_cited.sources.web.addresses import normal

AGENT = "mkdocs-cited"
"""The name under which `robots.txt` can speak to us."""
MOST_BYTES = 5_000_000
"""Of one reply, unpacked."""
MOST_ROBOTS = 512_000
"""Bytes of `robots.txt`: RFC 9309 §2.5 asks for 500 KiB at least."""
MOST_SECONDS = 30.0
"""One request may take, from the look-up of the host to the last byte."""
MOST_REDIRECTS = 5
PAUSE = 1.0
"""Seconds between two requests to a host that is not one's own."""
LONGEST_DELAY = 30.0
"""Seconds of `Crawl-delay` that are waited."""
_ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9"


Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a host and a port to its IP addresses."""
_TRANSLATED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""IPv6 addresses that end in the IPv4 address they stand for (RFC 6052, RFC 8215)."""
_NEVER = tuple(map(ipaddress.ip_network, (
    "fec0::/10",  # site-local (RFC 3879)
    "3fff::/20",  # documentation (RFC 9637)
    "5f00::/16",  # segment routing (RFC 9602)
    "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
    "168.63.129.16/32",  # the platform of Azure, from within it
    "100.100.100.200/32",  # metadata of Alibaba Cloud
    "192.0.0.192/32",  # metadata of Oracle Cloud Classic
    "169.254.0.0/16",  # link-local, with the metadata of most clouds
    "fd00:ec2::/32",  # metadata of Amazon and others
)))  # fmt: skip
"""What Python's tables of the IANA registries call public, or may in one of its releases."""


class Reply(Struct, frozen=True):
    """What a server sent."""

    url: str
    """The normal address that it was found under."""
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""


class Refused(Struct, frozen=True):
    """There is no reply that could be used."""

    reason: str
    passing: bool = False
    """Whether it may go better another time."""


async def resolve_host(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as the system looks them up.

    Raises:
        OSError: there is no such host, or nobody can tell.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(item[4][0]) for item in found))


class Client:
    """One run's requests, one after the other, with a pause before the next to the same host."""

    def __init__(
        self,
        options: Web,
        project: str = "",
        resolve: Resolve = resolve_host,
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
        limits = httpx2.Limits(max_keepalive_connections=0)
        transport = httpx2.AsyncHTTPTransport(verify=trust or True, trust_env=False, limits=limits)
        timeout = httpx2.Timeout(seconds, pool=None)
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._http = httpx2.AsyncClient(transport=transport, trust_env=False, timeout=timeout, cookies=no_cookies)
        self._asked: dict[str, float] = {}
        """Host → when it was last asked, on the monotonic clock."""
        self._pauses: dict[str, float] = {}
        """Host → what its `Crawl-delay` asks for."""
        self._robots: dict[str, Protego | Refused] = {}

    async def aclose(self) -> None:
        """Free what it holds."""
        await self._http.aclose()

    async def get(self, url: str) -> Reply | Refused:
        """The reply for a normal address."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            self._robots[site] = await self._read_robots(site)
        rules = self._robots[site]
        if isinstance(rules, Refused):
            return rules
        self._pauses[parts.netloc] = min(float(rules.crawl_delay(AGENT) or 0.0), LONGEST_DELAY)
        return await self._follow(url, _ACCEPT, MOST_BYTES, rules)

    async def _read_robots(self, site: str) -> Protego | Refused:
        """The rules of a site (RFC 9309): none where it has no such file (§2.3.1.3); where that cannot be told, nothing
        is fetched (§2.3.1.4)."""
        reply = await self._follow(f"{site}/robots.txt", "text/plain", MOST_ROBOTS, None)
        if isinstance(reply, Refused):
            return Refused(f"its robots.txt cannot be had: {reply.reason}", reply.passing)
        if reply.status == 429 or reply.status >= 500:
            return Refused(f"its robots.txt cannot be had: status {reply.status}", passing=True)
        return Protego.parse(reply.body.decode("utf-8", "replace") if 200 <= reply.status < 300 else "")

    async def _follow(self, url: str, accept: str, most: int, rules: Protego | None) -> Reply | Refused:
        """The reply behind the redirects of a host to itself."""
        for _ in range(MOST_REDIRECTS + 1):
            if rules is not None and not rules.can_fetch(url, AGENT):
                return Refused("its robots.txt disallows it")
            reply = await self._after_pause(url, accept, most)
            if isinstance(reply, Refused) or reply.status not in (301, 302, 303, 307, 308):
                return reply
            try:
                there = normal(urljoin(url, reply.headers.get("location", "")))
            except ValueError as error:
                return Refused(f"it redirects to what is no address: {error}")
            if urlsplit(there)[:2] != urlsplit(url)[:2]:
                return Refused(
                    f"it redirects to another host, port or scheme; if it moved, name {there} in the options"
                )
            url = there
        return Refused(f"it redirects more than {MOST_REDIRECTS} times")

    async def _after_pause(self, url: str, accept: str, most: int) -> Reply | Refused:
        """Ask once the host has had its pause."""
        host = urlsplit(url).netloc
        pause = max(0.0 if self._is_own(url) else PAUSE, self._pauses.get(host, 0.0))
        await asyncio.sleep(max(0.0, self._asked.get(host, -pause) + pause - time.monotonic()))
        try:
            async with asyncio.timeout(self._seconds):
                return await self._ask(url, accept, most)
        except (TimeoutError, httpx2.TimeoutException):
            return Refused(f"it took longer than {self._seconds:g} seconds", passing=True)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            return Refused(f"the connection failed: {_one_line(error)}", passing=True)
        except OSError as error:
            return Refused(f"its host is not found: {_one_line(error)}", passing=True)
        finally:
            self._asked[host] = time.monotonic()

    async def _ask(self, url: str, accept: str, most: int) -> Reply | Refused:
        parts = urlsplit(url)
        host, port = _host_and_port(url)
        found = await self._resolve(host, port)
        own = self._is_own(url)
        private = "" if own else next((address for address in found if not is_public(address)), "")
        if private:
            return Refused(
                f"{host} has the address {private}, which is not public, and is not in the option `web.private_hosts`"
            )
        if parts.scheme != "https" and not own:
            return Refused("its address begins with `http:`, and its host is not in the option `web.private_hosts`")
        headers = {
            "Host": parts.netloc,
            "User-Agent": self._agent,
            "Accept": accept,
            "Accept-Encoding": "gzip, identity",
        }
        response = await self._connected(url, host, found, headers)
        try:
            return await _read(url, response, most)
        finally:
            await response.aclose()

    def _is_own(self, url: str) -> bool:
        """Whether the options name its host, with or without its port."""
        host, port = _host_and_port(url)
        return not {host, f"{host}:{port}"}.isdisjoint(self._options.private_hosts)

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
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip"):
        return Refused(f"it is packed as `{coding[:40]}`, which was not asked for")
    length = response.headers.get("content-length", "")
    body = bytearray()
    if not (length.isdigit() and int(length) > most):
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > most:
                break
        else:
            return Reply(url, response.status_code, dict(response.headers), bytes(body))
    return Refused(f"it is larger than {most:,} bytes")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet, whatever it is wrapped in."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id:
            return False
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and any(ip in network for network in _TRANSLATED):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(str(inner))
    if any(ip in network for network in _NEVER):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)
