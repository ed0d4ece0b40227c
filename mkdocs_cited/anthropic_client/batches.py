"""Requests sent through Message Batches: half the price, done within a day, and picked up again after a crash.

A batch is a list. Every answer is worked on until it needs a reply that is not there; what they all need goes out as
one batch, and they are worked on again from the start: up to there everything is known now. Each batch leaves one small
file in a folder, so that a process that was killed finds it again, and a request whose result is there is never sent
twice.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from mkdocs_cited.anthropic_client.faults import fault_of, scrub
from mkdocs_cited.anthropic_client.reply import OddReplyError, Reply, of_form, read_reply
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.ledger import Reservation

if TYPE_CHECKING:
    from anthropic.types.messages.batch_create_params import Request as BatchRequest

    from mkdocs_cited.anthropic_client.client import Client
    from mkdocs_cited.anthropic_client.wire import Body

MOST_REQUESTS = 2_000
"""Requests of one batch: they have some 60 kB each, and the API takes 256 MB."""
KEPT = 24 * 3600
"""Seconds for which the results of a batch are used again. The API keeps them for 29 days."""
SLOWEST_POLL = 60.0
VERSION = 3
_LATER = "run `mkdocs-cited update --batch` again"

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Told (requests done, requests in all) whenever either may have changed."""
Outcomes = Iterator[tuple[str, Reply | Fault]]
"""Names of requests, each with what became of it."""


class AwaitedError(Exception):
    """A reply is needed that is not there yet: it comes with the next batch."""


class Batches:
    """Gathers the requests of one run, sends them in batches and hands over their replies."""

    def __init__(self, folder: Path, *, poll: float = 5.0, progress: Progress | None = None) -> None:
        """`poll` is the seconds before the first look at a batch; each further wait is longer, up to a minute."""
        self._folder = folder
        self._poll = poll
        self._progress = progress or (lambda done, total: None)
        self._replies: dict[str, Reply | Fault] = {}
        self._open: dict[str, Body] = {}
        self._done = self._total = 0

    def send(self, body: Body) -> Reply | Fault:
        """The reply to a request.

        Raises:
            AwaitedError: it is not there yet.
        """
        name = f"cited-{digest(json.dumps(body, sort_keys=True, default=str), length=48)}"
        if name not in self._replies:
            self._open[name] = body
            raise AwaitedError(name)
        return self._replies[name]

    def each(self, client: Client, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The work's result for each item, in order, and the end of the run: nothing is sent after it."""
        results: dict[int, Result] = {}
        while len(results) < len(items):
            for number, item in enumerate(items):
                if number not in results:
                    try:
                        results[number] = work(item)
                    except AwaitedError:
                        continue
            wanted, self._open = self._open, {}
            self._done, self._total = 0, len(wanted)
            for name, reply in self._outcomes(client, wanted) if wanted else ():
                self._replies[name] = reply
                self._done += 1
                self._progress(self._done, self._total)
        if all(isinstance(reply, Reply) for reply in self._replies.values()):
            for path, _ in _states(self._folder):  # nothing is left that needs to be picked up
                path.unlink(missing_ok=True)
        return [results[number] for number in range(len(items))]

    def _outcomes(self, client: Client, bodies: Mapping[str, Body]) -> Outcomes:
        if (fault := client.check()) is not None:
            yield from ((name, fault) for name in bodies)
            return
        left = dict(bodies)
        for path, state in _states(self._folder):
            mine = [name for name in state.models if name in left]
            if time.time() - state.created > KEPT or (mine and not self._is_there(client, state)):
                path.unlink(missing_ok=True)
            elif mine:
                for name in mine:
                    del left[name]
                yield from self._collect(client, path, state, mine, {})
        waiting = iter(left.items())
        while chunk := dict(islice(waiting, MOST_REQUESTS)):
            yield from self._submit(client, chunk)

    def _submit(self, client: Client, bodies: Mapping[str, Body]) -> Outcomes:
        """Send a new batch and wait for it."""
        reserved: dict[str, Reservation] = {}
        for name, body in bodies.items():
            most = client.most(body, batch=True)
            reservation = most if isinstance(most, Fault) else client.ledger.reserve(most, wait=False)
            if isinstance(reservation, Reservation):
                reserved[name] = reservation
            else:
                yield name, reservation or client.over_limit(Spend())
        if not reserved:
            return
        requests = [cast("BatchRequest", {"custom_id": name, "params": bodies[name]}) for name in reserved]
        batch = client.call(lambda sdk: _read(sdk.messages.batches.create(requests=requests)), repeatable=False)
        if isinstance(batch, Fault):
            for reservation in reserved.values():
                reservation.settle(Spend())
            yield from ((name, batch) for name in reserved)
            return
        state = _State(VERSION, time.time(), batch.id, {name: str(bodies[name]["model"]) for name in reserved})
        path = self._folder / f"batch-{digest(batch.id)}.json"
        state.save(path)
        try:
            yield from self._collect(client, path, state, list(reserved), reserved)
        finally:
            for reservation in reserved.values():
                reservation.settle(Spend(), uncertain=True)

    def _is_there(self, client: Client, state: _State) -> bool:
        """Whether the API still knows a batch, as far as it tells."""
        batch = client.call(lambda sdk: _read(sdk.messages.batches.retrieve(state.batch)))
        return not isinstance(batch, Fault) or "does not know" not in batch.reason

    def _collect(
        self, client: Client, path: Path, state: _State, names: Sequence[str], reserved: dict[str, Reservation]
    ) -> Outcomes:
        """Wait for a batch and hand over what became of these requests; the file forgets those that failed, so that
        they are sent again."""
        results = self._results(client, state.batch)
        if isinstance(results, Fault):
            yield from ((name, results) for name in names)
            return
        outcomes = {name: _outcome(client, results.get(name), state.models[name]) for name in names}
        failed = {name for name, outcome in outcomes.items() if isinstance(outcome, Fault)}
        if failed:
            usable = {name: model for name, model in state.models.items() if name not in failed}
            replace(state, models=usable).save(path)
        for name, outcome in outcomes.items():
            if name in reserved:
                reserved.pop(name).settle(outcome.spend)
            yield name, outcome

    def _results(self, client: Client, name: str) -> dict[str, Any] | Fault:
        """Request → the SDK's result, which may be anything, once the batch has ended: it takes a day at most, then the
        API itself ends it. Lines without a name are nobody's."""
        pause = 0.0
        while True:
            self._progress(self._done, self._total)
            time.sleep(pause)
            batch = client.call(lambda sdk: _read(sdk.messages.batches.retrieve(name)))
            if isinstance(batch, Fault):
                return Fault(f"the batch could not be waited for: {batch.reason}", _LATER)
            if batch.processing_status == "ended":
                break
            pause = min(pause * 1.5 or self._poll, SLOWEST_POLL)
        results: dict[str, Any] | Fault = client.call(
            lambda sdk: {
                item.custom_id: item.result
                for item in sdk.messages.batches.results(name)
                if isinstance(getattr(item, "custom_id", None), str)
            }
        )
        return results


class _State(msgspec.Struct, frozen=True):
    """What the file of one batch says."""

    version: int
    created: float
    """Seconds since 1970."""
    batch: str
    """The API's id."""
    models: dict[str, str]
    """Request whose result may be used → model, for the price."""

    def save(self, path: Path) -> None:
        """Write it atomically."""
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_bytes(msgspec.json.encode(self))
        draft.replace(path)


class _Batch(msgspec.Struct):
    """What counts of the API's view of a batch."""

    id: str
    processing_status: str


class _Error(msgspec.Struct):
    type: str
    message: str


class _ErrorObject(msgspec.Struct):
    error: _Error


class _Result(msgspec.Struct):
    type: str
    error: _ErrorObject | None = None


def _read(batch: Any) -> _Batch:
    return of_form(_Batch, batch)


def _outcome(client: Client, result: Any, model: str) -> Reply | Fault:
    if result is None:
        return Fault("the batch has no result for this answer", _LATER)
    try:
        if getattr(result, "type", None) == "succeeded":
            message: Any = getattr(result, "message", None)
            reply = read_reply(message, client.price(model), batch=True)
            return reply if isinstance(reply, Reply) else replace(reply, reason=scrub(reply.reason))
        read = of_form(_Result, result)
    except OddReplyError as error:
        return Fault(f"the batch's result cannot be read: {scrub(str(error))}", _LATER)
    if read.error is not None:
        return fault_of(read.error.error.type, "", 0, scrub(read.error.error.message))
    return Fault(f"the batch {scrub(read.type)} before this answer was written", _LATER)


def _states(folder: Path) -> list[tuple[Path, _State]]:
    """The batches that are known, oldest first; a file that cannot be read is left alone."""
    out = []
    for path in sorted(folder.glob("batch-*.json")):
        try:
            state = msgspec.json.decode(path.read_bytes(), type=_State)
        except (OSError, ValueError, msgspec.MsgspecError):
            continue
        if state.version == VERSION:
            out.append((path, state))
    return sorted(out, key=lambda item: (item[1].created, item[0]))
