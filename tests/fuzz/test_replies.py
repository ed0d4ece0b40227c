"""A reply that the API never gives is the fault of one answer: the rest of the run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.model.answer import Draft, Fault, Status
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.settings import parse
from tests.fuzz.mutation import ODD_VALUES, Mutator
from tests.fuzz.replies import Api, encoded, mutated_messages, odd_messages
from tests.pipeline.test_update import Project, api, honest, statuses, topic_of  # noqa: F401 -- a fixture
from tests.providers.site import request
from tests.servers.messages import MessagesServer
from tests.servers.script import Quote, Refused, say


@pytest.fixture(scope="module")
def attack() -> Iterator[Api]:
    """A server that says what it is told."""
    with Api() as running:
        yield running


@pytest.mark.parametrize("part", range(2))
def test_each_field_may_hold_anything(attack: Api, part: int) -> None:
    """Nulls, fractions, halves of characters, lists: a draft or a fault comes of it."""
    messages = islice(odd_messages(), part * 8, None, 16)
    assert {attack.outcome("write", encoded(message)) for message in messages} <= {"Draft", "Fault"}


def test_replies_of_every_kind_may_be_damaged(attack: Api) -> None:
    """Those of writers, of reviewers, and calls of tools."""
    for who, message in islice(mutated_messages(Mutator(1)), 60):
        attack.outcome(who, encoded(message))


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": "many"}, {"input_tokens": 5, "output_tokens": -1}])
def test_a_reply_that_does_not_say_what_it_cost_counts_as_the_most(attack: Api, usage: Any) -> None:
    """Otherwise replies without a price would let a run go past `max_cost`."""
    message = next(odd_messages()) | {"content": [{"type": "text", "text": "Sixty."}], "usage": usage}
    attack.server.answer_with([Refused(200, raw=encoded(message))])
    settings = parse({"anthropic": {"max_cost": 5}}, {})
    access = Client(settings.anthropic)
    assert isinstance(Anthropic(settings, access).write(request()), Fault)
    assert not access.ledger.reserve(4.95, wait=False)


class TestRuns:
    """One odd reply among good ones."""

    @pytest.mark.parametrize("number", [2, 76, 240, 420])
    def test_the_other_answers_are_kept(self, tmp_path: Path, api: MessagesServer, number: int) -> None:  # noqa: F811
        """Each has its record, and the odd one has a finding."""
        odd = encoded(list(odd_messages())[number])

        def script(body: dict[str, Any]) -> Any:
            return Refused(200, raw=odd) if topic_of(body) == "keys" else honest(body)

        api.answer_with(script)
        report = Project(tmp_path, api, anthropic={"timeout": 2.0}).update()
        said = statuses(report)
        assert said.pop("keys") in (Status.FAILED, Status.WAITING, Status.ABSTAINED)
        assert set(said.values()) == {Status.ACCEPTED}

    @pytest.mark.parametrize("odd", ODD_VALUES[:3], ids=repr)
    @pytest.mark.parametrize("where", ["result", "message", "content", "custom_id", "type"])
    def test_a_batch_has_an_odd_result(self, tmp_path: Path, api: MessagesServer, where: str, odd: Any) -> None:  # noqa: F811
        """It is that answer's; the others are there."""
        create = api.create_batch

        def broken(body: dict[str, Any]) -> dict[str, Any]:
            batch = create(body)
            item = batch["results"][0]
            holder = {"result": item, "custom_id": item, "message": item["result"], "type": item["result"]}
            holder.get(where, item["result"]["message"])[where] = odd
            return batch

        served: Any = api
        served.create_batch = broken
        report = Project(tmp_path, api, reviewer="lexical").update(batches=True)
        counts = sorted(statuses(report).values())
        assert counts.count(Status.ACCEPTED) >= 4, report.shown


def test_a_good_reply_is_still_good(attack: Api) -> None:
    """The strictness is for what the API never sends."""
    attack.server.answer_with([say(Quote("Sixty a minute.", 0))])
    assert isinstance(Anthropic(parse({}, {})).write(request()), Draft)
