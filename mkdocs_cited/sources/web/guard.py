"""Which network addresses may be asked: those of the open internet, and of the hosts that the options name.

A name is looked up once for each request, what it stands for is checked, and the connection goes to the very address
that was checked: a name that stands for another address a moment later (DNS rebinding) changes nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection, Sequence

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a host and a port to its IP addresses."""

_TRANSLATED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""IPv6 addresses that end in the IPv4 address they stand for (RFC 6052, RFC 8215)."""
_NEVER = tuple(
    map(
        ipaddress.ip_network,
        (
            "fec0::/10",  # site-local (RFC 3879)
            "3fff::/20",  # documentation (RFC 9637)
            "5f00::/16",  # segment routing (RFC 9602)
            "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
            "168.63.129.16/32",  # the platform of Azure, from within it
            "100.100.100.200/32",  # metadata of Alibaba Cloud
            "192.0.0.192/32",  # metadata of Oracle Cloud Classic
            "169.254.0.0/16",  # link-local, with the metadata of most clouds
            "fd00:ec2::/32",  # metadata of Amazon and others
        ),
    )
)
"""What Python's tables of the IANA registries call public, or may in one of its releases."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as the system looks them up.

    Raises:
        OSError: there is no such host, or nobody can tell.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(item[4][0]) for item in found))


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


def named(host: str, port: int, private_hosts: Collection[str]) -> bool:
    """Whether the options name a host as one's own, with or without its port."""
    return host in private_hosts or f"{host}:{port}" in private_hosts


def refused(host: str, port: int, found: Sequence[str], private_hosts: Collection[str]) -> str:
    """The first of a host's addresses that may not be asked; empty when all may."""
    if named(host, port, private_hosts):
        return ""
    return next((address for address in found if not is_public(address)), "")
