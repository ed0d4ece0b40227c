"""From a request to an outcome: one conversation for each answer, several at a time, or all in a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from mkdocs_cited.anthropic_client import Batches, Client, Estimate, Reply, in_parallel
from mkdocs_cited.anthropic_client.batches import Progress
from mkdocs_cited.model.answer import Abstention, Draft, Fault, Spend
from mkdocs_cited.providers.anthropic import prompt
from mkdocs_cited.providers.anthropic.conversation import Conversation
from mkdocs_cited.providers.interface import Outcome, Provider, Request


class Anthropic(Provider):
    """Claude writes, with the API's own citations."""

    id = "anthropic"
    version = prompt.VERSION
    calls_model = True
    corrects = True

    @cached_property
    def client(self) -> Client:
        """The connection, made on first use, after the pipeline has set the ledger."""
        return Client(self.settings.anthropic, self.ledger)

    def notices(self) -> tuple[str, ...]:
        """That the model is about to be withdrawn, or has no price."""
        return self.client.notices(self.settings.anthropic.model)

    def check(self) -> Fault | None:
        """Whether requests can be sent at all; sends nothing."""
        return self.client.check()

    def write(self, request: Request) -> Outcome:
        """One answer: with tools, up to `max_rounds` rounds of looking further before the last word."""
        if (fault := self.check()) is not None:
            return fault
        return self._write(Conversation(request, self.settings, tools=self.settings.anthropic.tools))

    def write_all(self, requests: Sequence[Request]) -> Iterator[tuple[int, Outcome]]:
        """Many answers, `anthropic.concurrency` at a time, each handed over as it is done."""
        if (fault := self.check()) is not None:
            return iter([(position, fault) for position in range(len(requests))])
        return in_parallel(self.write, requests, self.settings.anthropic.concurrency)

    def write_batch(
        self, requests: Sequence[Request], folder: Path, *, progress: Progress | None = None, poll: float = 5.0
    ) -> Iterator[tuple[int, Outcome]]:
        """Many answers through Message Batches, at half the price; without tools, since a batch cannot converse.

        `folder` keeps what is needed to pick a batch up again. Corrections go the same way: a request with
        `previous` is a batch request like any other.
        """
        if (fault := self.check()) is not None:
            yield from ((position, fault) for position in range(len(requests)))
            return
        talks = [Conversation(request, self.settings, tools=False) for request in requests]
        sent = [position for position, talk in enumerate(talks) if talk.fault is None]
        yield from ((position, talk.fault) for position, talk in enumerate(talks) if talk.fault is not None)
        batches = Batches(self.client, folder, poll=poll, progress=progress)
        for number, reply in batches.send_all([talks[position].body() for position in sent]):
            yield sent[number], self._read(talks[sent[number]], reply, Spend())

    def estimate(self, requests: Sequence[Request]) -> Estimate:
        """What the first request of each answer would cost; rounds of tool use and corrections come on top."""
        total = Estimate()
        bodies = [Conversation(r, self.settings, tools=self.settings.anthropic.tools).body() for r in requests]
        for _, one in in_parallel(self.client.estimate, bodies, self.settings.anthropic.concurrency):
            total += one
        return total

    def _write(self, talk: Conversation) -> Outcome:
        spend = Spend()
        while talk.fault is None:
            reply = self.client.send(talk.body())
            if isinstance(reply, Fault) or not reply.calls:
                return self._read(talk, reply, spend)
            spend += reply.spend
            if talk.last_round:
                return Fault(
                    "the model went on calling tools after the last round", "raise `anthropic.max_rounds`", spend
                )
            talk.look_further(reply)
        return talk.fault

    def _read(self, talk: Conversation, reply: Reply | Fault, before: Spend) -> Outcome:
        """The outcome of the last reply, with everything the conversation has cost."""
        spend = before + reply.spend
        if isinstance(reply, Fault):
            return replace(reply, spend=spend)
        outcome = talk.outcome(reply)
        match outcome:
            case Fault():
                return replace(outcome, spend=spend)
            case Abstention():
                return replace(outcome, provider=self.id, model=reply.model, spend=spend)
            case Draft():
                return replace(outcome, provider=self.id, model=reply.model, prompt_version=prompt.VERSION, spend=spend)
