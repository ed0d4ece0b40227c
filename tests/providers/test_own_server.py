"""A model server of one's own: no key, no citations, no forms, no batches; and the same contract as ever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.anthropic_client.own_server import is_private
from mkdocs_cited.model.answer import Abstention, Claim, Draft, Evidence, Fault, Verdict
from mkdocs_cited.model.options import Settings
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome, Request
from mkdocs_cited.review.anthropic import Anthropic as Reviewer
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import parse
from tests.providers.site import COMMAND, KEYS, RATE, SITE, request
from tests.servers.messages import KEY, MessagesServer
from tests.servers.script import Refused, say


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    """A server that knows nothing new, and refuses it; there is no key."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    with MessagesServer(knows="text") as made:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", made.url)
        yield made


def settings(**options: Any) -> Settings:
    """Options of a team with a server of its own."""
    return parse({"anthropic": {"own_server": True, "model": "small", "review_model": "small"} | options}, {})


def write(asked: Request, **options: Any) -> Outcome:
    """The outcome of one request."""
    return Anthropic(settings(**options)).write(asked)


def answers(server: MessagesServer, *replies: str | dict[str, Any]) -> None:
    """What the model says to requests, in order, the last of it for ever."""
    server.answer_with([say(reply if isinstance(reply, str) else json.dumps(reply)) for reply in replies])


def test_named_blocks_become_citations_of_our_own_text(server: MessagesServer) -> None:
    """Without a key; what leads nowhere but text is all that is sent, and what counts is what we sent."""
    answers(server, "60 a minute. [[1.0]] Bursts may have 10. [[1.1]]")
    outcome = write(request())
    assert isinstance(outcome, Draft), outcome
    assert outcome.content == "60 a minute.[^1] Bursts may have 10.[^1]"
    assert [item.quote for item in outcome.citations] == [RATE.text]
    (body,) = server.requests
    assert RATE.sentence_texts()[0] in body["messages"][0]["content"]
    assert body.keys() == {"model", "max_tokens", "system", "messages"}


def test_offline_asks_no_model(server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one's own: nobody is sent anything, and the fault names the variable."""
    monkeypatch.setenv("MKDOCS_CITED_OFFLINE", "1")
    outcome = write(request())
    assert isinstance(outcome, Fault)
    assert (outcome.reason, server.requests) == ("MKDOCS_CITED_OFFLINE is set, so no model is asked", [])


@pytest.mark.parametrize("name", ["1.9", "7.0", "0.0"])
def test_a_block_that_was_not_sent_is_a_fault(server: MessagesServer, name: str) -> None:
    """It is told so once, and then the answer does not count."""
    answers(server, f"90 a minute. [[1.0, {name}]]")
    outcome = write(request())
    assert isinstance(outcome, Fault)
    assert f"it names block {name}, which does not exist" in outcome.reason
    first, second = server.requests
    assert name in second["messages"][-1]["content"]
    assert second["messages"][: len(first["messages"])] == first["messages"]


def test_a_reply_is_put_right_when_it_is_told_what_was_wrong(server: MessagesServer) -> None:
    """A second reply in the form counts as the first."""
    answers(server, "The limit is 60.", "60. [[1.0]]")
    outcome = write(request())
    assert isinstance(outcome, Draft)
    assert outcome.content == "60.[^1]"
    assert outcome.spend.calls == 2


@pytest.mark.parametrize("reply", ["", "Sixty.", "Sixty. [1.0]", "Sixty. [[1]]", "[[1.0]]", "{" * 5000])
def test_what_cannot_be_read_is_never_an_answer(server: MessagesServer, reply: str) -> None:
    """Nor a crash."""
    answers(server, reply)
    assert isinstance(write(request()), Fault)


def test_an_abstention(server: MessagesServer) -> None:
    """The sections that it names come first."""
    answers(server, "[[NOT-DOCUMENTED]] No price is named.\n[[NEAREST:guide/keys.md#rotation]]")
    outcome = write(request(RATE, KEYS))
    assert isinstance(outcome, Abstention), outcome
    assert outcome.reason == "No price is named."
    assert outcome.nearest[0].passage == KEYS


def test_lists_and_code_keep_their_lines(server: MessagesServer) -> None:
    """What names a block is taken out, and nothing else."""
    answers(server, "Run it: [[1.0]]\n\n```\napictl\n```\n\n- one [[1.0]]\n- two [[1.0]]")
    outcome = write(request(COMMAND))
    assert isinstance(outcome, Draft)
    assert outcome.content == "Run it:[^1]\n\n```\napictl\n```\n\n- one[^1]\n- two[^1]"


def case() -> Case:
    """A claim with its passage."""
    return Case(Claim("The limit is 60 requests per minute.", (1,)), (Evidence(RATE, RATE.text),))


def verdict(quote: str) -> dict[str, Any]:
    """A form of the reviewer that says `supported`."""
    claim: dict[str, Any] = {
        "id": "c1",
        "evidence_quotes": [quote],
        "reason": "",
        "verdict": "supported",
        "better_passages": [],
        "not_stated": "",
    }
    claim |= {"missing_condition": "", "reverses": False}
    return {"claims": [claim], "conflicts": [], "answers_question": {"missing": "", "answers": "yes"}}


@pytest.mark.parametrize(("quote", "counts"), [("The limit is 60 requests", True), ("The limit is 90 requests", False)])
def test_a_reviewer_s_support_counts_with_a_quotation_only(server: MessagesServer, quote: str, counts: bool) -> None:
    """The same rule as for every model."""
    answers(server, verdict(quote))
    review = Reviewer(settings()).review([case()], SITE)
    assert isinstance(review, Review), review
    assert (review.judgements[0].verdict is Verdict.SUPPORTED) is counts


@pytest.mark.parametrize("reply", ["supported", "{}", '{"claims": [], "conflicts": []}', "{'claims': 1}"])
def test_a_review_that_cannot_be_read_is_never_a_pass(server: MessagesServer, reply: str) -> None:
    """It is a fault, so the build says `review-incomplete`."""
    answers(server, reply)
    assert isinstance(Reviewer(settings()).review([case()], SITE), Fault)


def test_without_passages_nobody_is_asked(server: MessagesServer) -> None:
    """A model without tools could only invent."""
    answers(server, "I know it all.")
    assert isinstance(write(replace(request(), sources=())), Abstention)
    assert server.requests == []


def test_it_costs_nothing_unless_the_options_say_so(server: MessagesServer) -> None:
    """`max_cost` holds all the same."""
    answers(server, "60 a minute. [[1.0]]")
    free = write(request(), max_cost=0.0)
    assert isinstance(free, Draft), free
    assert free.spend.cost == 0
    priced = write(request(), prices={"small": [1_000_000, 0]}, max_cost=1)
    assert isinstance(priced, Fault)
    assert Anthropic(settings()).notices() == ()


def test_the_key_of_anthropic_stays_here(server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to Anthropic's own address, never in the clear; a server that wants a token gets its own."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    answers(server, "60 a minute. [[1.0]]")
    write(request())
    assert KEY not in str(server.headers)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-house")
    write(request())
    assert server.headers[-1]["Authorization"] == "Bearer token-of-the-house"


def test_a_server_that_is_not_there_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is what to check."""
    fault = write(request(), base_url="http://127.0.0.1:9")
    assert isinstance(fault, Fault)
    assert "base_url" in fault.tip


@pytest.mark.parametrize(
    ("address", "own", "said"),
    [
        ("http://127.0.0.1:9", False, "own_server: true"),
        ("http://10.0.0.7:8000", False, "own_server: true"),
        ("http://8.8.8.8", True, "not on this machine"),
        ("http://169.254.169.254", True, "not on this machine"),
        ("http://[::ffff:8.8.8.8]", True, "not on this machine"),
        ("ftp://127.0.0.1", True, "not an address"),
        ("http://[", True, "not an address"),
        ("http://127.0.0.1:99999999", True, "not an address"),
        ("", True, "base_url"),
    ],
)
def test_where_it_may_be(monkeypatch: pytest.MonkeyPatch, address: str, own: bool, said: str) -> None:
    """In the clear to this machine and private networks only, and there with one explicit option; nothing is sent."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    fault = Anthropic(settings(base_url=address, own_server=own)).client.check()
    assert fault is not None
    assert said in fault.reason + fault.tip


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_leads_to_another_server(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """Another port is another server: question, passages and key stay where the options say."""
    with MessagesServer([say("I am the wrong one.")], knows="text") as other:
        elsewhere = Refused(status, headers=(("location", f"{other.url}/v1/messages"),))
        with MessagesServer([elsewhere], knows="text") as server:
            fault = write(request(), base_url=server.url)
        assert other.requests == other.headers == []
    assert isinstance(fault, Fault)
    assert fault.reason == "the server leads on to another address"


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "localhost", "10.1.2.3", "192.168.0.9", "172.20.0.1", "fd00::1", "::1", "100.64.0.7"]
)
def test_private_addresses(address: str) -> None:
    """This machine, the networks of RFC 1918 and RFC 4193, and the shared ones of RFC 6598, which overlays use."""
    assert is_private(address)


def test_a_refusal_that_is_none_of_these_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that the server does not have."""
    with MessagesServer(lambda body: Refused(404, "not_found_error", "model not found"), knows="text") as server:
        fault = write(request(), base_url=server.url)
    assert isinstance(fault, Fault)
    assert "model" in fault.reason


def test_the_instructions_do_not_forbid_the_marks_that_they_ask_for(server: MessagesServer) -> None:
    """A small model follows the one or the other."""
    answers(server, "60 a minute. [[1.0]]")
    write(request())
    (body,) = server.requests
    assert "name the ids of the blocks" in body["system"]
    assert "no citation marks" not in body["system"]
