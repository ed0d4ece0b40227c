"""Requests go where they may, within bounds; each ends in a reply or in a stated reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from mkdocs_cited.model.options import Web as Options
from mkdocs_cited.sources.fetching import MOST_FETCHED, Client, RefusedError, Reply
from tests.servers.web import Answer, Web, small_web

LOCAL = Options(private_hosts=("127.0.0.1",))


@pytest.fixture
def web() -> Iterator[Web]:
    with small_web() as running:
        yield running


def ask(url: str, *, options: Options = LOCAL, seconds: float = 5.0) -> Reply:
    """The reply to an address."""
    with closing(Client(options, "https://docs.example.org", seconds)) as client:
        return client.get(url)


def reason(url: str, *, options: Options = LOCAL, seconds: float = 5.0) -> str:
    """Why an address is refused."""
    with pytest.raises(RefusedError) as refused:
        ask(url, options=options, seconds=seconds)
    return str(refused.value)


def test_who_asks_is_told(web: Web) -> None:
    """An honest user agent with the project's address."""
    web.answers["/a"] = Answer("A")
    reply = ask(f"{web.url}/a")
    assert (reply.status, reply.body) == (200, b"A")
    assert web.requests[-1].headers["User-Agent"].startswith("mkdocs-cited/")
    assert "(+https://docs.example.org)" in web.requests[-1].headers["User-Agent"]


def test_addresses_in_the_clear_are_those_of_named_hosts(web: Web) -> None:
    """With or without their port."""
    web.answers["/a"] = Answer("A")
    assert "begins with `http:`" in reason(f"{web.url}/a", options=Options())
    assert "begins with `http:`" in reason(f"{web.url}/a", options=Options(private_hosts=("127.0.0.1:1",)))
    assert ask(f"{web.url}/a", options=Options(private_hosts=(f"127.0.0.1:{web.port}",))).status == 200


def test_redirects_of_a_host_to_itself_are_followed(web: Web) -> None:
    """Up to a number, and the address at their end is told."""
    web.answers["/a"] = Answer(status=301, headers={"Location": "/b#c"})
    web.answers["/b"] = Answer("B")
    reply = ask(f"{web.url}/a")
    assert reply.url == f"{web.url}/b"
    web.answers["/round"] = Answer(status=302, headers={"Location": "/round"})
    assert "maximum allowed redirects" in reason(f"{web.url}/round")


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ("http://localhost:{port}/b", "redirects to another host; if it moved, name http://localhost"),
        ("https://127.0.0.1:{port}/b", "redirects to another host"),
        ("ftp://127.0.0.1/b", "redirects to another host"),
        ("//127.0.0.1:1/b", "redirects to another host"),
        ("http://[", "redirects to another host"),
    ],
)
def test_others_are_not(web: Web, there: str, why: str) -> None:
    """The new address is named, for the options."""
    web.answers["/a"] = Answer(status=302, headers={"Location": there.format(port=web.port)})
    assert why in reason(f"{web.url}/a")
    assert web.paths() == ["/a"]


def test_size_and_time_are_bounded(web: Web) -> None:
    """However a reply is sent."""
    web.answers["/large"] = Answer("x" * (MOST_FETCHED + 1))
    web.answers["/slow"] = Answer("x", pieces=100, wait=0.05)
    web.answers["/silent"] = Answer("x", wait=2.0)
    assert "larger than 5,000,000 bytes" in reason(f"{web.url}/large")
    assert "took longer than 0.3 seconds" in reason(f"{web.url}/slow", seconds=0.3)
    assert "took longer than 0.3 seconds" in reason(f"{web.url}/silent", seconds=0.3)


def test_a_host_that_does_not_answer_is_told() -> None:
    """Nobody listens there."""
    assert "cannot be fetched" in reason("http://127.0.0.1:9/a")
