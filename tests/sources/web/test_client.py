"""Requests go where they may, politely and within bounds; each ends in a reply or in a stated reason."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from itertools import pairwise

import pytest
import trustme

from mkdocs_cited.model.options import Web as Options
from mkdocs_cited.sources.web.client import MOST_BYTES, PAUSE, Client, Refused, Reply, Resolve, is_public, resolve_host
from tests.servers.web import Answer, Web, small_web

LOCAL = Options(private_hosts=("127.0.0.1",))


@pytest.fixture
def web() -> Iterator[Web]:
    with small_web() as running:
        yield running


def ask(
    *urls: str, options: Options = LOCAL, seconds: float = 5.0, look_up: Resolve = resolve_host
) -> list[Reply | Refused]:
    """The replies to some addresses."""

    async def run() -> list[Reply | Refused]:
        async with aclosing(Client(options, "https://docs.example.org", look_up, seconds)) as client:
            return [await client.get(url) for url in urls]

    return asyncio.run(run())


def reason(url: str, **options: object) -> str:
    """Why an address is refused."""
    (refused,) = ask(url, **options)  # type: ignore[arg-type]
    assert isinstance(refused, Refused), refused
    return refused.reason


def test_who_asks_is_told(web: Web) -> None:
    """An honest user agent with the project's address; no cookies."""
    web.answers["/a"] = Answer("A", headers={"Set-Cookie": "a=1"})
    replies = ask(f"{web.url}/a", f"{web.url}/a")
    assert [(reply.status, reply.body) for reply in replies if isinstance(reply, Reply)] == [(200, b"A")] * 2
    sent = web.requests[-1].headers
    assert sent["User-Agent"].startswith("mkdocs-cited/")
    assert "(+https://docs.example.org)" in sent["User-Agent"]
    assert sent["Host"] == f"127.0.0.1:{web.port}"
    assert "Cookie" not in sent


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "::1", "fe80::1",
     "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "255.255.255.255", "::", "fec0::1", "3fff::1", "192.88.99.1", "168.63.129.16", "::ffff:168.63.129.16",
     "100.100.100.200", "fd00:ec2::254", "192.0.0.192"],
)  # fmt: skip
def test_private_addresses_are_not_public(address: str) -> None:
    """However they are written."""
    assert not is_public(address)


def test_public_addresses_are() -> None:
    assert all(map(is_public, ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e")))


def test_no_private_address_is_asked(web: Web) -> None:
    """Not by number, not by name, not behind a redirect: what counts is the address that the name stands for."""
    web.answers["/in"] = Answer(status=302, headers={"Location": f"http://localhost:{web.port}/secret"})
    assert "127.0.0.1, which is not public" in reason(f"{web.url}/a", options=Options())
    assert "is not in the option `web.private_hosts`" in reason(f"http://localhost:{web.port}/secret")
    assert "another host" in reason(f"{web.url}/in")
    assert web.paths() == ["/in"]


def test_a_host_may_be_named_with_its_port(web: Web) -> None:
    """Then its other ports stay closed."""
    web.answers["/a"] = Answer("A")
    assert isinstance(ask(f"{web.url}/a", options=Options(private_hosts=(f"127.0.0.1:{web.port}",)))[0], Reply)
    closed = Options(private_hosts=("127.0.0.1:1",))
    assert "is not public" in reason(f"{web.url}/a", options=closed)


def test_the_address_that_was_checked_is_asked(web: Web) -> None:
    """A name is looked up once for a request, and the connection goes to that very address: rebinding is in vain."""
    web.answers["/a"] = Answer("A")
    asked: list[str] = []

    async def look_up(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ("127.0.0.1",)

    options = Options(private_hosts=("docs.example",))
    (reply,) = ask(f"http://docs.example:{web.port}/a", options=options, look_up=look_up)
    assert isinstance(reply, Reply)
    assert (reply.url, reply.body) == (f"http://docs.example:{web.port}/a", b"A")
    assert [request.headers["Host"] for request in web.requests] == [f"docs.example:{web.port}"] * 2
    assert len(asked) == len(web.requests)


def test_the_certificate_must_be_the_hosts() -> None:
    """The connection goes to a number, and what it must prove is the name."""
    authority = trustme.CA()
    server, trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("docs.example").configure_cert(server)
    authority.configure_trust(trust)

    async def look_up(host: str, port: int) -> Sequence[str]:
        return ("127.0.0.1",)

    async def get(url: str) -> Reply | Refused:
        options = Options(private_hosts=("docs.example", "other.example"))
        async with aclosing(Client(options, resolve=look_up, trust=trust)) as client:
            return await client.get(url)

    with small_web(server) as web:
        web.answers["/a"] = Answer("A")
        own = asyncio.run(get(f"https://docs.example:{web.port}/a"))
        others = asyncio.run(get(f"https://other.example:{web.port}/a"))
    assert isinstance(own, Reply)
    assert own.body == b"A"
    assert isinstance(others, Refused)
    assert "certificate" in others.reason.lower()


def test_one_bad_address_of_a_name_is_enough(web: Web) -> None:
    """A host that stands for a public and a private address is not asked."""

    async def look_up(host: str, port: int) -> Sequence[str]:
        return ("93.184.215.14", "127.0.0.1")

    assert "127.0.0.1" in reason(f"http://docs.example:{web.port}/a", options=Options(), look_up=look_up)
    assert web.requests == []


def test_plain_http_is_for_hosts_of_ones_own(web: Web) -> None:
    """A public one is not asked, nor one that is named with another port."""

    async def look_up(host: str, port: int) -> Sequence[str]:
        return ("93.184.215.14",)

    for options in (Options(), Options(private_hosts=("docs.example:1",))):
        assert "begins with `http:`" in reason(f"http://docs.example:{web.port}/a", options=options, look_up=look_up)
    assert web.requests == []


def test_a_host_elsewhere_is_asked_with_a_pause() -> None:
    """One's own is not, as all other tests show."""

    async def look_up(host: str, port: int) -> Sequence[str]:
        asked.append(time.monotonic())
        return ("127.0.0.1",)

    asked: list[float] = []
    refused = ask("https://docs.example/a", "http://docs.example/b", options=Options(), look_up=look_up)
    assert all(isinstance(item, Refused) for item in refused)
    first, second = asked
    assert second - first > PAUSE / 2


def test_redirects_are_followed_and_counted(web: Web) -> None:
    """Five at most; never to another host, port or scheme, whoever may be asked there."""
    for n in range(9):
        web.answers[f"/{n}"] = Answer(status=301 if n else 302, headers={"Location": f"/{n + 1}"})
    web.answers["/5"] = Answer("There.")
    web.answers["/file"] = Answer(status=302, headers={"Location": "file:///etc/passwd"})
    (far,) = ask(f"{web.url}/0")
    assert isinstance(far, Reply)
    assert far.url == f"{web.url}/5"
    web.answers["/5"] = Answer(status=301, headers={"Location": "/6"})
    assert reason(f"{web.url}/0") == "it redirects more than 5 times"
    assert "what is no address" in reason(f"{web.url}/file")
    open_to_all = Options(private_hosts=("127.0.0.1", "localhost"))
    for there in (f"http://localhost:{web.port}/5", "http://127.0.0.1:1/5", f"https://127.0.0.1:{web.port}/5"):
        web.answers["/away"] = Answer(status=308, headers={"Location": there})
        asked = len(web.requests)
        why = reason(f"{web.url}/away", options=open_to_all)
        assert why == f"it redirects to another host, port or scheme; if it moved, name {there} in the options"
        assert len(web.requests) == asked + 2  # robots.txt and the page: nothing else is asked


def test_robots_are_obeyed(web: Web) -> None:
    """For each address, redirects too; the file is read once."""
    web.answers["/robots.txt"] = Answer(
        "User-agent: mkdocs-cited\nDisallow: /private\nAllow: /private/open", type="text/plain"
    )
    web.answers["/a"] = Answer(status=301, headers={"Location": "/private/x"})
    web.answers["/private/open"] = Answer("Open.")
    one, other, third = ask(f"{web.url}/a", f"{web.url}/private", f"{web.url}/private/open")
    assert one == other == Refused("its robots.txt disallows it")
    assert isinstance(third, Reply)
    assert sorted(web.paths()) == ["/a", "/private/open"]
    assert len(web.requests) == 3


def test_robots_that_cannot_be_had_allow_nothing(web: Web) -> None:
    """RFC 9309 §2.3.1.4."""
    web.answers["/robots.txt"] = Answer(status=500)
    assert reason(f"{web.url}/a") == "its robots.txt cannot be had: status 500"
    assert web.paths() == []


def test_a_host_is_asked_one_thing_at_a_time(web: Web) -> None:
    """With the pause of the options, or the longer one that its robots.txt asks for."""
    web.answers["/robots.txt"] = Answer("User-agent: *\nCrawl-delay: 0.1", type="text/plain")
    for name in "abc":
        web.answers[f"/{name}"] = Answer(name, wait=0.05)
    assert all(isinstance(reply, Reply) for reply in ask(*(f"{web.url}/{name}" for name in "abc")))
    times = [request.at for request in web.requests]
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(times))


def test_what_does_not_end_is_cut_off(web: Web) -> None:
    """Slow and endless bodies, large ones, and those that are packed to be large."""
    web.answers["/slow"] = Answer("x", pieces=1000, wait=0.05)
    web.answers["/endless"] = Answer("x" * 100_000, pieces=1_000_000)
    web.answers["/large"] = Answer("x" * (MOST_BYTES + 1))
    bomb = gzip.compress(b"\0" * (MOST_BYTES * 4))
    web.answers["/bomb"] = Answer(bomb, headers={"Content-Encoding": "gzip"})
    web.answers["/bombs"] = Answer(gzip.compress(bomb), headers={"Content-Encoding": "gzip, gzip"})
    web.answers["/broken"] = Answer("no gzip", headers={"Content-Encoding": "gzip"})
    assert reason(f"{web.url}/slow", seconds=0.5) == "it took longer than 0.5 seconds"
    for path in ("endless", "large", "bomb"):
        assert reason(f"{web.url}/{path}") == "it is larger than 5,000,000 bytes"
    assert "packed as `gzip, gzip`" in reason(f"{web.url}/bombs")
    assert "the connection failed" in reason(f"{web.url}/broken")


def test_what_cannot_be_reached_is_told(web: Web) -> None:
    """An unknown host, a closed port: another time, perhaps."""

    async def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError("Name or service not known")

    (refused,) = ask("https://docs.example/a", look_up=unknown)
    assert refused == Refused(
        "its robots.txt cannot be had: its host is not found: Name or service not known", passing=True
    )
    (closed,) = ask("http://127.0.0.1:1/a")
    assert isinstance(closed, Refused)
    assert closed.passing
