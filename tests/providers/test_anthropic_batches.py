"""Message Batches: half the price, picked up again after a crash, and a fault for exactly the answers that failed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import Access, PendingRequests, forget_batches
from mkdocs_cited.anthropic_client.batches import Progress
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Claim, Draft, Evidence, Fault
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome, Request
from mkdocs_cited.review.anthropic import Anthropic as Reviewer
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import parse
from tests.providers.site import KEYS, RATE, SITE, request
from tests.servers.messages import KEY, MessagesServer
from tests.servers.script import Answer, Quote, Refused, Turn, overloaded, say, say_json

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


def run(requests: list[Request], folder: Path, *, progress: Progress | None = None, **options: Any) -> list[Outcome]:
    """The outcomes of requests that were written by a thread each, as the pipeline does it."""
    settings = parse({"anthropic": options}, {})
    pending = PendingRequests(folder, poll=0.01, progress=progress)
    provider = Anthropic(settings, Access(settings.anthropic, Ledger(settings.anthropic.max_cost), pending))
    pending.expect(len(requests))

    def work(asked: Request) -> Outcome:
        with pending.worker():
            return provider.write(asked)

    with ThreadPoolExecutor(len(requests)) as pool:
        try:
            return list(pool.map(work, requests))
        except KeyboardInterrupt:
            pending.stop()
            raise


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
    """Errored, expired, cut off: each its own fault; the next run sends only those again."""
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
    assert all(isinstance(outcome, Draft) for outcome in run(questions(7), tmp_path))
    assert sorted(map(number_of, api.requests)) == [1, 2, 3, 4, 5]


class TestCrash:
    """The process is killed at any point."""

    def test_while_it_waits(self, api: MessagesServer, tmp_path: Path) -> None:
        """The next run waits for the same batch."""
        api.polls = 10**9
        requests = questions(3)
        pending = PendingRequests(tmp_path, poll=0.01, progress=lambda *_: pending.stop())
        settings = parse({}, {})
        provider = Anthropic(settings, Access(settings.anthropic, Ledger(), pending))
        pending.expect(3)
        with ThreadPoolExecutor(3) as pool:
            assert all(isinstance(outcome, Fault) for outcome in pool.map(provider.write, requests))
        for batch in api.batches.values():
            batch["polls"] = 1
        assert all(isinstance(outcome, Draft) for outcome in run(requests, tmp_path))
        assert len(api.batches) == 1
        assert len(api.requests) == 3

    def test_when_some_answers_are_recorded(self, api: MessagesServer, tmp_path: Path) -> None:
        """The others are handed over again; nothing is sent twice."""
        run(questions(3), tmp_path)
        assert len(run(questions(3)[1:], tmp_path)) == 2
        assert len(api.requests) == 3

    def test_before_it_knew_the_batch_s_name(self, api: MessagesServer, tmp_path: Path) -> None:
        """The batch is found among the recent ones by what it holds."""
        api.drop_batch_reply = True
        lost = run(questions(3), tmp_path, timeout=0.5)
        assert all(isinstance(outcome, Fault) for outcome in lost)
        api.drop_batch_reply = False
        assert len(api.batches) == 1
        assert all(isinstance(outcome, Draft) for outcome in run(questions(3), tmp_path))
        assert len(api.batches) == 1

    def test_before_it_was_sent(self, api: MessagesServer, tmp_path: Path) -> None:
        """Only the file is there: the requests are sent now."""
        run(questions(2), tmp_path)
        (state,) = tmp_path.iterdir()
        state.write_text(json.dumps({**json.loads(state.read_text()), "batch": ""}))
        api.batches.clear()
        api.requests.clear()
        assert all(isinstance(outcome, Draft) for outcome in run(questions(2), tmp_path))
        assert len(api.requests) == 2

    def test_while_it_wrote_the_file(self, api: MessagesServer, tmp_path: Path) -> None:
        """A file that cannot be read is left alone, and stops nobody."""
        (tmp_path / "batch-broken.json").write_text('{"version": 1, "ba')
        assert isinstance(run(questions(1), tmp_path)[0], Draft)
        assert (tmp_path / "batch-broken.json").exists()


def test_a_batch_that_is_gone_is_sent_again(api: MessagesServer, tmp_path: Path) -> None:
    """The API forgets them in time."""
    run(questions(2), tmp_path)
    api.batches.clear()
    assert all(isinstance(outcome, Draft) for outcome in run(questions(2), tmp_path))
    assert len(api.requests) == 4


def test_forgetting_sends_everything_again(api: MessagesServer, tmp_path: Path) -> None:
    """For a run that wants new texts."""
    run(questions(2), tmp_path)
    forget_batches(tmp_path)
    run(questions(2), tmp_path)
    assert len(api.requests) == 4


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


def test_progress_is_told(api: MessagesServer, tmp_path: Path) -> None:
    """Done and in all, from the first wait to the last answer."""
    api.polls = 3
    told: list[tuple[int, int]] = []
    run(questions(2), tmp_path, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 2)
    assert told[-1] == (2, 2)


def test_writing_reviewing_and_correcting_go_in_three_batches(api: MessagesServer, tmp_path: Path) -> None:
    """Whatever the threads ask for next goes out together; one that needs nothing more holds nobody up."""

    def script(body: dict[str, Any]) -> Answer:
        if "format" not in body["output_config"]:
            return GOOD
        line: dict[str, Any] = {
            "id": "c1",
            "verdict": "supported",
            "evidence_quotes": [RATE.text],
            "reason": "",
            "better_passage": "",
        }
        line |= {"missing_condition": "", "reverses": False}
        whole = {"missing": "", "answers": "yes"}
        return say_json({"claims": [line], "conflicts": [], "answers_question": whole})

    api.answer_with(script)
    settings = parse({}, {})
    pending = PendingRequests(tmp_path, poll=0.01)
    access = Access(settings.anthropic, Ledger(), pending)
    writer, reader = Anthropic(settings, access), Reviewer(settings, access)
    pending.expect(3)
    case = Case(Claim("The limit is 60.", (1,)), (Evidence(RATE, RATE.text),))

    def work(asked: Request) -> bool:
        with pending.worker():
            draft = writer.write(asked)
            if asked.declaration.question == "Question 0?":
                return isinstance(draft, Draft)
            review = reader.review([case], SITE)
            again = writer.write(replace(asked, previous=draft)) if isinstance(draft, Draft) else draft
            return isinstance(review, Review) and isinstance(again, Draft)

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, questions(3))) == [True, True, True]
    assert [len(batch["results"]) for batch in api.batches.values()] == [3, 1, 2]
