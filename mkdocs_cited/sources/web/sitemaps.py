"""The addresses that a sitemap lists (sitemaps.org, protocol 0.9), those of the sitemaps that it lists too.

Only here is `lxml` imported.
"""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable

from lxml import etree
from msgspec import Struct

from mkdocs_cited.sources.web.addresses import normal
from mkdocs_cited.sources.web.replies import Refused, Reply

MOST_SITEMAPS = 20
"""Files of an index that are read."""
MOST_BYTES = 10_000_000
"""Of one file, unpacked."""
MOST_ADDRESSES = 50_000
"""Of one file: the most that the protocol allows."""

Get = Callable[[str], Awaitable[Reply | Refused]]


class Listed(Struct, frozen=True):
    """What a sitemap lists."""

    pages: tuple[str, ...] = ()
    """Normal addresses, in its order."""
    sitemaps: tuple[str, ...] = ()
    """Of an index: those that it lists."""


async def addresses_of(url: str, get: Get) -> tuple[str, ...] | Refused:
    """The addresses that the sitemap at a normal address lists, in its order, each once.

    One level of indexes is followed; a part of an index that cannot be read makes the whole unreadable, since what
    it lists would seem to be gone.
    """
    first = await _listed(url, get)
    if isinstance(first, Refused):
        return first
    if len(first.sitemaps) > MOST_SITEMAPS:
        return Refused(f"its sitemap lists {len(first.sitemaps)} others; {MOST_SITEMAPS} are read at most")
    pages = list(first.pages)
    for inner in first.sitemaps:
        listed = await _listed(inner, get)
        if isinstance(listed, Refused):
            return Refused(f"{inner}: {listed.reason}", listed.passing)
        pages += listed.pages
    return tuple(dict.fromkeys(pages))


async def _listed(url: str, get: Get) -> Listed | Refused:
    reply = await get(url)
    if isinstance(reply, Refused):
        return reply
    if reply.status != 200:
        return Refused(f"its sitemap cannot be had: status {reply.status}", passing=reply.status >= 500)
    try:
        return parse(_unpacked(reply.body))
    except ValueError as error:
        return Refused(f"its sitemap cannot be read: {error}")


def parse(data: bytes) -> Listed:
    """The addresses that a sitemap or an index of sitemaps lists; what is no address is left out.

    Raises:
        ValueError: it is no sitemap, or is beyond the bounds.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"it is not XML: {str(error)[:200]}") from None
    kind = etree.QName(root).localname
    if kind not in ("urlset", "sitemapindex"):
        raise ValueError(f"it is no sitemap but `{kind[:80]}`")
    found = []
    for location in root.iterfind("*/{*}loc"):
        try:
            found.append(normal((location.text or "").strip()))
        except ValueError:
            continue
        if len(found) > MOST_ADDRESSES:
            raise ValueError(f"it lists more than {MOST_ADDRESSES:,} addresses")
    return Listed(tuple(found)) if kind == "urlset" else Listed(sitemaps=tuple(found))


def _unpacked(data: bytes) -> bytes:
    """A file that may be packed with gzip.

    Raises:
        ValueError: it is damaged, or larger than it may be.
    """
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MOST_BYTES)
    except zlib.error:
        raise ValueError("it is not what it is packed as") from None
    if unpacker.unconsumed_tail:
        raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
    return unpacked
