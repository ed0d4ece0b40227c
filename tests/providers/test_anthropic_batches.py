"""Message Batches: half the price, picked up again after a crash, and a fault for exactly the answers that failed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.anthropic_client import Batches
from mkdocs_cited.model.answer import Claim, Draft, Evidence, Fault
from mkdocs_cited.model.report import Ledger
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome, Request
from mkdocs_cited.review.anthropic import Anthropic as Reviewer
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import parse
from tests.providers.site import KEYS, RATE, SITE, request
from tests.servers.messages import KEY, MessagesServer
from tests.servers.script import Answer, Call, Quote, Refused, Turn, overloaded, say, say_json

GOOD = say(Quote("Sixty a minute.", 0))


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which always gives the same answer."""
    api.answer_with([GOOD])
    return api


def questions(count: int) -> list[Request]:
    """So many different questions."""
    return [request(question=f"Question {number}?") for number in range(count)]


def number_of(body: dict[str, Any]) -> int:
    """Which of them a request asks."""
    text: str = body["messages"][0]["content"][-1]["text"]
    return int(text.split("Question ")[1].split("?")[0])


def run(requests: list[Request], folder: Path, *, killed_at: int | None = None, **options: Any) -> list[Outcome]:
    """The outcomes of requests that are written in batches, as the pipeline does it."""
    settings = parse({"anthropic": {"tools": False, **options}}, {})
    batches = Batches(settings.anthropic, Ledger(settings.anthropic.max_cost), folder, poll=0.01)
    provider = Anthropic(settings, batches)
    written: list[Outcome] = []

    def work(asked: Request) -> Outcome:
        written.append(provider.write(asked))
        if len(written) == killed_at:
            raise Killed
        return written[-1]

    return batches.each(work, requests)


class Killed(BaseException):
    """The process ends here."""


def killed(requests: list[Request], folder: Path, at: int) -> None:
    """A run that ends when so many answers are there."""
    with pytest.raises(Killed):
        run(requests, folder, killed_at=at)


def test_every_answer_comes_back_to_its_question(api: MessagesServer, tmp_path: Path) -> None:
    """Results are unordered, and matched by the digest of their request; equal requests are sent once."""
    api.answer_with(lambda body: say(Quote(f"Answer {number_of(body)}.", 0)))
    outcomes = run([*questions(3), *questions(1)], tmp_path)
    texts = [outcome.content for outcome in outcomes if isinstance(outcome, Draft)]
    assert texts == ["Answer 0.[^1]", "Answer 1.[^1]", "Answer 2.[^1]", "Answer 0.[^1]"]
    assert len(api.requests) == 3
    assert all("tools" not in body and "stream" not in body for body in api.requests)


def test_it_costs_half(api: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request, sent both ways."""
    (batched,) = run(questions(1), tmp_path)
    api.answer_with([GOOD])
    with MessagesServer([GOOD]) as other:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", other.url)
        alone = Anthropic(parse({"anthropic": {"tools": False}}, {})).write(questions(1)[0])
    assert batched.spend.cost == pytest.approx(alone.spend.cost / 2, abs=1e-6)


def test_failures_are_told_answer_by_answer(api: MessagesServer, tmp_path: Path) -> None:
    """Errored, expired, cut off: each its own fault; the next run, which has the others recorded, sends them again."""
    failures: dict[int, Answer] = {
        1: overloaded(),
        2: Refused(0, "expired"),
        3: Refused(0, "canceled"),
        4: Turn(GOOD.parts, "max_tokens"),
        5: Refused(0, "invalid_request_error", f"bad {KEY}"),
    }
    api.answer_with(lambda body: failures.get(number_of(body), GOOD))
    outcomes = run(questions(7), tmp_path)
    faults = {at: outcome for at, outcome in enumerate(outcomes) if isinstance(outcome, Fault)}
    assert sorted(faults) == [1, 2, 3, 4, 5]
    assert "overloaded" in faults[1].reason
    assert "expired" in faults[2].reason
    assert "max_tokens" in faults[4].tip
    assert all(fault.tip and KEY not in str(fault) for fault in faults.values())
    api.answer_with([GOOD])
    api.requests.clear()
    assert all(isinstance(outcome, Draft) for outcome in run([questions(7)[at] for at in faults], tmp_path))
    assert sorted(map(number_of, api.requests)) == [1, 2, 3, 4, 5]


def test_the_batch_of_another_run_is_left_alone(api: MessagesServer, tmp_path: Path) -> None:
    """It may still be waited for."""
    killed(questions(2), tmp_path, at=1)
    run([request(question="Question 7?")], tmp_path)
    assert len(list(tmp_path.glob("batch-*.json"))) == 1


class TestCrash:
    """The process is killed at any point."""

    def test_while_it_waits(self, api: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The next run waits for the same batch."""
        api.polls = 10**9

        def die(seconds: float) -> None:
            if seconds:
                raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(time, "sleep", die)
            with pytest.raises(Killed):
                run(questions(3), tmp_path)
        for batch in api.batches.values():
            batch["polls"] = 1
        assert all(isinstance(outcome, Draft) for outcome in run(questions(3), tmp_path))
        assert len(api.batches) == 1
        assert len(api.requests) == 3

    def test_when_some_answers_are_recorded(self, api: MessagesServer, tmp_path: Path) -> None:
        """The others are handed over again; nothing is sent twice."""
        killed(questions(3), tmp_path, at=2)
        assert len(run(questions(3)[1:], tmp_path)) == 2
        assert len(api.requests) == 3

    def test_while_it_wrote_the_file(self, api: MessagesServer, tmp_path: Path) -> None:
        """A file that cannot be read is left alone, and stops nobody."""
        (tmp_path / "batch-broken.json").write_text('{"version": 1, "ba')
        assert isinstance(run(questions(1), tmp_path)[0], Draft)
        assert (tmp_path / "batch-broken.json").exists()


def test_a_batch_that_is_gone_is_sent_again(api: MessagesServer, tmp_path: Path) -> None:
    """The API forgets them in time. A young one that it does not find is asked for later, and is not paid twice."""
    killed(questions(2), tmp_path, at=1)
    kept = dict(api.batches)
    api.batches.clear()
    assert all(isinstance(outcome, Fault) for outcome in run(questions(2), tmp_path))
    assert len(api.requests) == 2
    api.batches.update(kept)
    assert all(isinstance(outcome, Draft) for outcome in run(questions(2), tmp_path))
    assert len(api.requests) == 2
    killed(questions(2), tmp_path, at=1)
    api.batches.clear()
    for path in tmp_path.glob("batch-*.json"):
        os.utime(path, (0, 0))
    assert all(isinstance(outcome, Draft) for outcome in run(questions(2), tmp_path))
    assert len(api.requests) == 6


def test_a_run_that_came_to_its_end_leaves_nothing_to_pick_up(api: MessagesServer, tmp_path: Path) -> None:
    """Whoever asks again wants new texts."""
    run(questions(2), tmp_path)
    assert list(tmp_path.iterdir()) == []
    run(questions(2), tmp_path)
    assert len(api.requests) == 4


def test_the_writer_reads_on_in_further_batches(api: MessagesServer, tmp_path: Path) -> None:
    """With the same tools as ever; an answer that needs nothing more has its reply from the first batch."""

    def script(body: dict[str, Any]) -> Answer:
        if "Question 0?" in json.dumps(body["messages"][0]):
            return GOOD
        if len(body["messages"]) == 1:
            return Turn((Call("read_section", {"addresses": ["guide/keys.md#rotation"]}),), "tool_use")
        return say(Quote("Keys change every 90 days.", 1))

    api.answer_with(script)
    first, second = run(questions(2), tmp_path, tools=True)
    assert isinstance(first, Draft), first
    assert isinstance(second, Draft), second
    assert second.content == "Keys change every 90 days.[^1]"
    assert second.spend.calls == 2
    assert [len(batch["results"]) for batch in api.batches.values()] == [2, 1]


def test_a_changed_question_is_a_request_of_its_own(api: MessagesServer, tmp_path: Path) -> None:
    """And so is a correction."""
    first = run(questions(1), tmp_path)[0]
    assert isinstance(first, Draft)
    run([request(question="Question 0?", previous=first)], tmp_path)
    run([request(KEYS, question="Question 0?")], tmp_path)
    assert len(api.requests) == 3


def test_max_cost_leaves_out_what_does_not_fit(api: MessagesServer, tmp_path: Path) -> None:
    """At the batch's price, and before anything is sent."""
    outcomes = run(questions(6), tmp_path, max_cost=0.04, max_tokens=2000)
    sent = len(api.requests)
    assert 1 < sent < 6
    assert sum(isinstance(outcome, Draft) for outcome in outcomes) == sent
    assert all("max_cost" in outcome.reason for outcome in outcomes if isinstance(outcome, Fault))


def test_without_a_key(api: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent, and every answer says why."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    outcomes = run(questions(2), tmp_path)
    assert all(isinstance(outcome, Fault) for outcome in outcomes)
    assert list(tmp_path.iterdir()) == []


def test_writing_reviewing_and_correcting_go_in_three_batches(api: MessagesServer, tmp_path: Path) -> None:
    """Whatever the answers need next goes out together; one that needs nothing more holds nobody up."""

    def script(body: dict[str, Any]) -> Answer:
        if "format" not in body["output_config"]:
            return GOOD
        line: dict[str, Any] = {
            "id": "c1",
            "verdict": "supported",
            "evidence_quotes": [RATE.text],
            "reason": "",
            "better_passages": [],
            "not_stated": "",
        }
        line |= {"missing_condition": "", "reverses": False}
        whole = {"missing": "", "answers": "yes"}
        return say_json({"claims": [line], "conflicts": [], "answers_question": whole})

    api.answer_with(script)
    settings = parse({"anthropic": {"tools": False}}, {})
    batches = Batches(settings.anthropic, Ledger(), tmp_path, poll=0.01)
    writer, reader = Anthropic(settings, batches), Reviewer(settings, batches)
    case = Case(Claim("The limit is 60.", (1,)), (Evidence(RATE, RATE.text),))

    def work(asked: Request) -> bool:
        draft = writer.write(asked)
        if asked.declaration.question == "Question 0?":
            return isinstance(draft, Draft)
        review = reader.review([case], SITE)
        again = writer.write(replace(asked, previous=draft)) if isinstance(draft, Draft) else draft
        return isinstance(review, Review) and isinstance(again, Draft)

    assert batches.each(work, questions(3)) == [True, True, True]
    assert [len(batch["results"]) for batch in api.batches.values()] == [3, 1, 2]


def test_within_a_batch_a_writer_looks_further_twice(api: MessagesServer, tmp_path: Path) -> None:
    """Each look is a batch of its own, which may take an hour: longer than the API caches what it was sent."""
    look = Turn((Call("search_docs", {"query": "limits"}),), "tool_use")
    api.answer_with(lambda body: GOOD if body.get("tool_choice") == {"type": "none"} else look)
    (outcome,) = run(questions(1), tmp_path, tools=True)
    assert isinstance(outcome, Draft), outcome
    assert len(api.batches) == 3
    assert all("cache_control" not in body["messages"][0]["content"][-1] for body in api.requests)
