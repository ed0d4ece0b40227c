"""Requests sent through Message Batches: half the price, done within a day, and picked up again after a crash.

Every answer is worked on until it needs a reply that is not there; what they all need goes out as one batch, and they
are worked on again from the start: up to there everything is known now. Each batch leaves one small file in a folder,
so that a process that was killed finds it again, and a request is never paid for twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from mkdocs_cited.anthropic_client.client import Client, Item, Result
from mkdocs_cited.anthropic_client.faults import UNKNOWN, fault_of, scrub
from mkdocs_cited.anthropic_client.own_server import PUBLIC
from mkdocs_cited.anthropic_client.reply import OddReplyError, Reply, of_form, read_reply
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.model.options import Anthropic as Options

if TYPE_CHECKING:
    import anthropic
    from anthropic.types.messages.batch_create_params import Request as BatchRequest

    from mkdocs_cited.anthropic_client.reply import Body

MOST_REQUESTS = 2_000
"""Requests of one batch: they have some 60 kB each, and the API takes 256 MB."""
OVERHEAD = 1_000
"""Input tokens that the API may add to a request of ours: tool use, citations, structured output."""
SLOWEST_POLL = 60.0
"""Seconds between two looks at a batch, at most."""
MISSES = 10
"""Looks in a row that may not find a batch: the API may answer 404 for a while after it was made."""
KEPT = 29 * 86_400
"""Seconds for which the API keeps the results of a batch."""
_LATER = "run `mkdocs-cited update --batch` again"

Replies = dict[str, Reply | Fault]
"""Names of requests, each with its reply or fault."""


class AwaitedError(Exception):
    """A reply is needed that is not there yet: it comes with the next batch."""


class Batches(Client):
    """Gathers the requests of one run, sends them in batches and hands over their replies."""

    def __init__(self, options: Options, ledger: Ledger, folder: Path, *, poll: float = 5.0) -> None:
        """`poll` is the seconds before the second look at a batch; each further wait is longer, up to a minute."""
        super().__init__(options, ledger)
        self._folder = folder
        self._poll = poll
        self._replies: Replies = {}
        self._needed: dict[str, Body] = {}

    def send(self, body: Body) -> Reply | Fault:
        """The reply to a request.

        Raises:
            AwaitedError: it is not there yet.
        """
        fault = self.check()
        if fault:
            return fault
        name = f"cited-{digest(json.dumps(body, sort_keys=True, default=str), length=48)}"
        if name not in self._replies:
            self._needed[name] = body
            raise AwaitedError(name)
        return self._replies[name]

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The work's result for each item, in order, and the end of the run: nothing is sent after it."""
        results: dict[int, Result] = {}
        while len(results) < len(items):
            for number, item in enumerate(items):
                if number not in results:
                    with suppress(AwaitedError):
                        results[number] = work(item)
            needed, self._needed = self._needed, {}
            self._replies.update(self._fetched(needed))
        self._forget()
        return [results[number] for number in range(len(items))]

    def _forget(self) -> None:
        """Delete the files of batches whose replies this run has used to the end: nothing of them is needed again.

        While a request failed, the next run needs the others again to come to the same point.
        """
        if any(isinstance(reply, Fault) for reply in self._replies.values()):
            return
        for path, state in _states(self._folder):
            if state.models.keys() <= self._replies.keys():
                path.unlink(missing_ok=True)

    def _fetched(self, bodies: Mapping[str, Body]) -> Replies:
        """The replies to requests: those of an earlier batch are waited for, the others are sent."""
        replies: Replies = {}
        for path, state in _states(self._folder):
            mine = [name for name in state.models if name in bodies and name not in replies]
            if mine:
                replies.update(self._collected(path, state, mine))
        left = {name: body for name, body in bodies.items() if name not in replies}
        while left:
            names = list(left)[:MOST_REQUESTS]
            replies.update(self._sent({name: left.pop(name) for name in names}))
        return replies

    def _sent(self, bodies: Mapping[str, Body]) -> Replies:
        """Send a new batch and wait for it. Requests that `max_cost` has no room for are left out."""
        replies: Replies = {}
        affordable: dict[str, Body] = {}
        most = self.ledger.spent.cost
        for name, body in bodies.items():
            model = str(body["model"])
            fault = self.refusal(model)
            most += self._most(body)
            if fault is None and self.ledger.limit is not None and most > self.ledger.limit:
                tip = "raise `anthropic.max_cost`, or run `mkdocs-cited update --batch` again"
                fault = Fault(f"the batch could cost more than `max_cost` (${self.ledger.limit:.2f})", tip)
            if fault:
                replies[name] = fault
            else:
                affordable[name] = body
        if not affordable:
            return replies
        requests = [cast("BatchRequest", {"custom_id": name, "params": body}) for name, body in affordable.items()]
        batch = self.call(lambda sdk: _created(sdk, requests))
        if isinstance(batch, Fault):
            return {**replies, **dict.fromkeys(affordable, batch)}
        state = _State(batch.id, {name: str(body["model"]) for name, body in affordable.items()}, time.time())
        path = self._folder / f"batch-{digest(batch.id)}.json"
        write_atomically(path, msgspec.json.encode(state))
        collected = self._collected(path, state, list(affordable))
        for reply in collected.values():
            self.ledger.add(reply.spend)
        return {**replies, **collected}

    def _most(self, body: Body) -> float:
        """US dollars that a request can cost at most in a batch: a token has at least one byte."""
        price = self.price(str(body["model"]))
        if price is None:
            return 0.0
        size = len(json.dumps(body, ensure_ascii=False, default=str).encode("utf-8", "replace"))
        return price.most(size + OVERHEAD, body["max_tokens"], batch=True)

    def _collected(self, path: Path, state: _State, names: Sequence[str]) -> Replies:
        """Wait for a batch and hand over the replies to these requests; its file forgets those that failed, so that
        they are sent again. Empty for a batch that is so old that the API has deleted it."""
        results = self._results(state.batch)
        if isinstance(results, Fault):
            if UNKNOWN in results.reason and time.time() - state.made > KEPT:
                path.unlink(missing_ok=True)
                return {}
            tip = f"{_LATER}; delete {path} to send its requests again, and pay for them again"
            return dict.fromkeys(names, Fault(f"the batch could not be waited for: {results.reason}", tip))
        replies = {name: self._reply(results.get(name), state.models[name]) for name in names}
        usable = {name: model for name, model in state.models.items() if not isinstance(replies.get(name), Fault)}
        write_atomically(path, msgspec.json.encode(replace(state, models=usable)))
        return replies

    def _results(self, name: str) -> dict[str, Any] | Fault:
        """Request → the SDK's result, once the batch has ended: it takes a day at most, then the API itself ends it."""
        pause = self._poll
        misses = 0
        while True:
            results = self.call(lambda sdk: _results_of(sdk, name, self.address or PUBLIC))
            if isinstance(results, dict):
                return results
            if isinstance(results, Fault):
                misses += 1
                if UNKNOWN not in results.reason or misses == MISSES:
                    return results
            else:
                misses = 0
            time.sleep(pause)
            pause = min(pause * 1.5, SLOWEST_POLL)

    def _reply(self, result: Any, model: str) -> Reply | Fault:
        if result is None:
            return Fault("the batch has no result for this answer", _LATER)
        try:
            if getattr(result, "type", None) == "succeeded":
                message: Any = getattr(result, "message", None)
                reply = read_reply(message, self.price(model), batch=True)
                return reply if isinstance(reply, Reply) else replace(reply, reason=scrub(reply.reason))
            read = of_form(_Result, result)
        except OddReplyError as error:
            return Fault(f"the batch's result cannot be read: {scrub(str(error))}", _LATER)
        if read.error is not None and read.error.error is not None:
            return fault_of(read.error.error.type, "", 0, scrub(read.error.error.message))
        return Fault(f"the batch {scrub(read.type)} before this answer was written", _LATER)


def _created(sdk: anthropic.Anthropic, requests: list[BatchRequest]) -> _Batch:
    """A new batch. A second attempt could make, and pay for, a second one."""
    return of_form(_Batch, sdk.with_options(max_retries=0).messages.batches.create(requests=requests))


def _results_of(sdk: anthropic.Anthropic, name: str, address: str) -> dict[str, Any] | None:
    """Request → result of a batch; `None` while it is being processed. Lines without a name are ignored.

    Raises:
        OddReplyError: the results are at another host, which must not get the key.
    """
    batch = of_form(_Batch, sdk.messages.batches.retrieve(name))
    if batch.processing_status != "ended":
        return None
    host = urlsplit(batch.results_url or address).netloc
    if host != urlsplit(address).netloc:
        raise OddReplyError(f"the results are at another host ({host})")
    results = {}
    for item in sdk.messages.batches.results(name):
        custom_id = getattr(item, "custom_id", None)
        if isinstance(custom_id, str):
            results[custom_id] = item.result
    return results


class _State(Struct, frozen=True):
    """The file of one batch."""

    batch: str
    """The API's id."""
    models: dict[str, str]
    """Request whose result may be used → model, for the price."""
    made: float = 0.0
    """When it was sent, in seconds since 1970."""


class _Batch(Struct):
    """The parts of the API's batch object that are read."""

    id: str
    processing_status: str
    results_url: str | None = None


class _Result(Struct):
    """A result without a message: of an error, its error object, which holds another."""

    type: str
    message: str = ""
    error: _Result | None = None


def _states(folder: Path) -> list[tuple[Path, _State]]:
    """The batches that are known, with their files; a file that cannot be read is left alone."""
    states = []
    for path in sorted(folder.glob("batch-*.json")):
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            states.append((path, msgspec.json.decode(path.read_bytes(), type=_State)))
    return states
