"""Everything that can go wrong on the way to the API and back ends in a fault with a next step: never in a draft."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.model.answer import Draft, Fault
from mkdocs_cited.model.report import Ledger
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome
from mkdocs_cited.settings import parse
from tests.providers.site import request
from tests.servers.messages import KEY, MessagesServer, tokens
from tests.servers.script import (
    Call,
    Other,
    Quote,
    Refused,
    Turn,
    limited,
    overloaded,
    say,
    spent,
)

GOOD = say(Quote("Sixty a minute.", 0))


def write(**options: Any) -> Outcome:
    """The outcome of one request on rates."""
    return Anthropic(parse({"anthropic": options}, {})).write(request())


def fault(**options: Any) -> Fault:
    """The fault of one request that cannot succeed: it names what happened and what to do, and no key."""
    outcome = write(**options)
    assert isinstance(outcome, Fault), outcome
    assert outcome.reason
    assert outcome.tip
    assert KEY not in outcome.reason + outcome.tip
    return outcome


class TestStops:
    """A turn counts only if the model ended it."""

    @pytest.mark.parametrize(
        ("stop", "reason", "tip"),
        [
            ("refusal", "refused", "reword"),
            ("max_tokens", "cut off", "anthropic.max_tokens"),
            ("model_context_window_exceeded", "context window", "context_budget"),
            ("pause_turn", "pause_turn", "again"),
            ("stop_sequence", "stop_sequence", "again"),
            ("something_new", "something_new", "again"),
            (None, "before it was complete", "again"),
        ],
    )
    def test_any_other_stop_reason(self, api: MessagesServer, stop: str | None, reason: str, tip: str) -> None:
        """Whatever text came with it."""
        api.answer_with([Turn(GOOD.parts, stop)])
        found = fault()
        assert reason in found.reason
        assert tip in found.tip
        assert found.spend.output_tokens >= 50

    def test_the_category_of_a_refusal_is_named(self, api: MessagesServer) -> None:
        """So that the author knows what to reword."""
        api.answer_with([Turn(("No.",), "refusal", {"type": "refusal", "category": "cyber", "explanation": None})])
        assert fault().reason == "the model refused to answer (cyber)"

    def test_a_block_of_an_unknown_type_is_named(self, api: MessagesServer) -> None:
        """Whatever text is beside it: a part of the answer may be in it. Another answer has nothing to do with it."""
        api.answer_with([say(Other("hologram"), *GOOD.parts), GOOD])
        assert "`hologram`" in fault().reason
        assert isinstance(write(), Draft)


class TestAnotherModel:
    """A server may let another model answer than was asked."""

    def test_its_name_and_price_are_those_of_the_answer(self, api: MessagesServer) -> None:
        """Those of Opus, where Sonnet was asked."""
        api.answer_with([GOOD, replace(GOOD, model="claude-opus-5-5")])
        asked, other = write(tools=False), write(tools=False)
        assert isinstance(asked, Draft)
        assert isinstance(other, Draft)
        assert (asked.model, other.model) == ("claude-sonnet-5-5", "claude-opus-5-5")
        read = other.spend.cached_tokens
        fresh = other.spend.input_tokens - read
        assert other.spend.cost == pytest.approx((fresh * 4 + read * 0.4 + 50 * 20) / 1e6, abs=1e-6)

    def test_one_without_a_price_counts_as_the_one_that_was_asked(self, api: MessagesServer) -> None:
        provider = Anthropic(parse({}, {}))
        api.answer_with([replace(GOOD, model="claude-sonnet-5-5-20261001"), replace(GOOD, model="claude-next")])
        dated = provider.write(request())
        other = provider.write(request())
        assert isinstance(dated, Draft)
        assert isinstance(other, Draft)
        assert (other.model, dated.model) == ("claude-next", "claude-sonnet-5-5-20261001")
        assert other.spend.cost > 0


class TestConnections:
    """A reply may end anywhere."""

    def test_one_that_breaks_is_tried_again(self, api: MessagesServer) -> None:
        """Until the whole reply is there, nothing counts."""
        api.answer_with([Turn(GOOD.parts, hang_up=True), GOOD])
        assert isinstance(write(), Draft)
        assert len(api.requests) == 2

    def test_one_that_breaks_every_time_is_a_fault(self, api: MessagesServer) -> None:
        """Three times are enough."""
        api.answer_with([Turn(GOOD.parts, hang_up=True)])
        assert "cannot be reached" in fault().reason
        assert len(api.requests) == 3


class TestTime:
    """`anthropic.timeout` is the time of a whole request."""

    def test_a_slow_answer(self, api: MessagesServer) -> None:
        """Nothing comes for too long."""
        api.answer_with([Turn(GOOD.parts, delay=3)])
        assert "in time" in fault(timeout=0.3).reason

    def test_a_wait_that_the_server_asks_for_is_kept(self, api: MessagesServer) -> None:
        """In milliseconds or seconds."""
        for headers in ({"retry_after_ms": "300"}, {"retry_after": "0.3"}):
            api.answer_with([overloaded(**headers), GOOD])
            started = time.monotonic()
            assert isinstance(write(), Draft)
            assert time.monotonic() - started > 0.3

    def test_a_wait_that_is_too_long_ends_in_a_fault(self, api: MessagesServer) -> None:
        """A run does not hang for an hour because a header says so."""
        api.answer_with([limited(retry_after="3600")])
        assert "in time" in fault(timeout=0.5).reason

    def test_all_requests_keep_to_a_wait(self, api: MessagesServer) -> None:
        """While the limit holds, nobody adds to it."""
        answers = iter([limited(retry_after="0.4")])
        api.answer_with(lambda body: next(answers, GOOD))
        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(Anthropic(parse({}, {})).write, [request()] * 4))
        assert all(isinstance(outcome, Draft) for outcome in outcomes)


class TestErrors:
    """Errors of the API."""

    @pytest.mark.parametrize(
        ("answer", "attempts", "words"),
        [
            (overloaded(retry_after_ms="1"), 3, "overloaded"),
            (limited(retry_after_ms="1"), 3, "rate limit"),
            (limited(x_should_retry="false"), 1, "rate limit"),
            (spent(), 3, "spend limit"),
            (Refused(402, "billing_error", "no credit"), 1, "credit"),
            (Refused(500, "api_error", "oops", headers=(("retry-after-ms", "1"),)), 3, "oops"),
            (Refused(401, "authentication_error", f"bad key {KEY}"), 1, "does not accept the key"),
            (Refused(403, "permission_error", "not yours"), 1, "may not be used for this"),
            (Refused(404, "not_found_error", "model: claude-sonet"), 1, "claude-sonet"),
            (Refused(413, "request_too_large", "too large"), 1, "too large"),
            (Refused(400, "invalid_request_error", "prompt is too long"), 1, "prompt is too long"),
            (Refused(502, headers=(("retry-after-ms", "1"),), raw=b"<html>Bad gateway</html>"), 3, "Bad gateway"),
        ],
        ids=lambda value: str(value.status) if isinstance(value, Refused) else "",
    )
    def test_each_is_a_fault(self, api: MessagesServer, answer: Refused, attempts: int, words: str) -> None:
        """Tried again only where that can help."""
        api.answer_with([answer])
        assert words in fault().reason
        assert len(api.requests) == attempts

    def test_a_body_that_is_no_message(self, api: MessagesServer) -> None:
        """A proxy may answer with anything."""
        for raw in (b"", b"<html>", b"{}", b"[]", b'{"type": "message"}', b"data: x\n\n", b"event: message_start\n\n"):
            api.answer_with([Refused(200, raw=raw)])
            fault(timeout=0.4)

    def test_nobody_listens(self, monkeypatch: pytest.MonkeyPatch, api: MessagesServer) -> None:
        """The address is named as what to check."""
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
        told = fault()
        assert "cannot be reached" in told.reason
        assert "base_url" in told.tip

    def test_an_address_in_the_clear_gets_no_key(self, api: MessagesServer) -> None:
        """Anybody on the way could read it."""
        assert "https" in fault(base_url="http://example.org").tip


class TestReplies:
    """Replies that ended well and say what cannot be."""

    @pytest.mark.parametrize(
        "turn",
        [
            say(Quote("Sixty.", 5)),
            say(Quote("Sixty.", 0, 0, 9)),
            say(Quote("Sixty.", 0, 1, 1)),
            say(Quote("Sixty.", 0, cited_text="The limit is 90 requests per minute.")),
            say('Sixty <cite index="1">a minute</cite>.'),
            say("Sixty a minute.[^1]"),
            say("Sixty [[S:1]]."),
            say("Sixty.\n\n[[NOT-DOCUMENTED]] But I do not know."),
            say(""),
            say(" \n"),
            Turn((Call("search_docs", {"query": "x"}),), "end_turn"),
            Turn(GOOD.parts, "tool_use"),
        ],
        ids=[
            "cites a result that was not sent",
            "cites blocks that are not there",
            "cites no block",
            "cites another text",
            "leaks the API's markup",
            "forges a number",
            "forges an author's citation",
            "answers and abstains",
            "is empty",
            "is blank",
            "calls a tool and ends",
            "calls no tool and goes on",
        ],
    )
    def test_each_is_a_fault(self, api: MessagesServer, turn: Turn) -> None:
        """The model, or a page that steers it, must not get anything past the machinery."""
        api.answer_with([turn])
        fault()

    def test_markup_in_code_is_only_code(self, api: MessagesServer) -> None:
        """Documentation may well be about footnotes."""
        api.answer_with([say(Quote("Write `[^1]` in the text.", 0))])
        outcome = write()
        assert isinstance(outcome, Draft)
        assert outcome.content == "Write `[^1]` in the text.[^1]"


class TestKeys:
    """From the environment only, checked before the first request, and in no text."""

    def test_none(self, api: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
        """The message names the variable; nothing is sent."""
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        found = fault()
        assert found.reason == "the environment variable ANTHROPIC_API_KEY is not set"
        assert api.headers == []

    def test_a_token_instead(self, api: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
        """`ANTHROPIC_AUTH_TOKEN` does as well."""
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
        api.answer_with([GOOD])
        assert isinstance(write(), Draft)

    @pytest.mark.parametrize("key", ["sk-ant-\x00secretsecret", "sk-ant-ключ-secretsecret", "sk ant secretsecret"])
    def test_one_that_no_header_can_carry(self, api: MessagesServer, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
        """An HTTP library would print it in its exception."""
        if "\x00" in key:
            key = key.replace("\x00", "\t")
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
        assert "secretsecret" not in str(write())

    def test_a_wrong_one_is_in_no_fault_and_no_log(
        self, api: MessagesServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Not even when everything is logged."""
        wrong = "sk-ant-wrong-0123456789"
        monkeypatch.setenv("ANTHROPIC_API_KEY", wrong)
        with caplog.at_level(logging.DEBUG):
            outcome = write()
        assert isinstance(outcome, Fault)
        assert "ANTHROPIC_API_KEY" in outcome.tip
        assert wrong not in caplog.text + str(outcome)

    def test_a_right_one_is_in_no_draft_and_no_log(self, api: MessagesServer, caplog: pytest.LogCaptureFixture) -> None:
        """The request carries it, and nothing else."""
        api.answer_with([GOOD])
        with caplog.at_level(logging.DEBUG):
            outcome = write()
        assert KEY not in caplog.text + str(outcome)
        assert KEY not in json.dumps(api.requests)


def test_without_the_package() -> None:
    """The message names the command that installs it."""
    code = (
        "import sys; sys.modules['anthropic'] = None\n"
        "from mkdocs_cited.providers.anthropic import Anthropic\n"
        "from mkdocs_cited.settings import parse\n"
        "print(Anthropic(parse({}, {})).client.check())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"ANTHROPIC_API_KEY": KEY}
    )
    assert "pip install 'mkdocs-cited[anthropic]'" in done.stdout


class TestCost:
    """`max_cost` is not passed, whatever the replies turn out to be."""

    def test_nothing_is_sent_that_could_pass_it(self, api: MessagesServer) -> None:
        """The most that a request can cost is set aside before it is sent."""
        found = fault(max_cost=0.01)
        assert "max_cost" in found.reason
        assert api.requests == []

    def test_a_run_stops_before_it(self, api: MessagesServer) -> None:
        """The answers that were written before are kept, and the others say why they were not."""
        api.answer_with([Turn(GOOD.parts, output_tokens=1000)])
        options = {"max_cost": 0.06, "max_tokens": 2000, "tools": False}
        settings = parse({"anthropic": options}, {})
        access = Client(settings.anthropic)
        provider = Anthropic(settings, access)
        with ThreadPoolExecutor(3) as pool:
            outcomes = list(pool.map(provider.write, [request()] * 12))
        written = [outcome for outcome in outcomes if isinstance(outcome, Draft)]
        assert 2 <= len(written) < 12
        assert access.ledger.spent.cost == pytest.approx(sum(item.spend.cost for item in written))
        assert access.ledger.spent.cost <= 0.06
        assert all("max_cost" in item.reason for item in outcomes if isinstance(item, Fault))

    def test_writer_and_reviewer_share_one_limit(self, api: MessagesServer) -> None:
        """What one has spent, the other cannot spend."""
        api.answer_with([GOOD])
        settings = parse({}, {})
        provider = Anthropic(settings, Client(settings.anthropic, Ledger(0.0)))
        assert isinstance(provider.write(request()), Fault)

    def test_a_model_without_a_price_cannot_keep_to_a_limit(self, api: MessagesServer) -> None:
        """The fault names the option that gives it one; with that, it can."""
        assert "anthropic.prices" in fault(model="claude-next", max_cost=1.0).tip
        api.answer_with([GOOD])
        outcome = write(model="claude-next", max_cost=1.0, prices={"claude-next": [1.0, 2.0]})
        assert isinstance(outcome, Draft)
        assert outcome.spend.cost > 0

    def test_what_a_request_cost_is_counted_by_the_table(self, api: MessagesServer) -> None:
        """Sonnet 5.5: 2 and 10 dollars a million; what is written to the cache costs a quarter more."""
        api.answer_with([GOOD])
        outcome = write(tools=False)
        written = len(api.requests[0]["system"][0]["text"]) // 4
        fresh = tokens(api.requests[0]) - written
        assert outcome.spend.input_tokens == fresh + written
        assert outcome.spend.cost == pytest.approx((fresh * 2 + written * 2.5 + 50 * 10) / 1e6, abs=1e-6)

    def test_a_model_without_a_price_is_a_notice(self) -> None:
        (said,) = Anthropic(parse({"anthropic": {"model": "claude-next"}}, {})).notices()
        assert "does not have `claude-next`" in said
        assert Anthropic(parse({}, {})).notices() == ()
