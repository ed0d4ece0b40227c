"""Requests sent through Message Batches: half the price, done within a day, and picked up again after a crash.

Each batch leaves one small file in a folder, so that a process that was killed finds its batch again, and a request
whose result is there is never sent twice.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct

from mkdocs_cited.anthropic_client.client import Client
from mkdocs_cited.anthropic_client.faults import fault_of, scrub
from mkdocs_cited.anthropic_client.parallel import in_parallel
from mkdocs_cited.anthropic_client.reply import OddReplyError, Reply, Tokens, of_form, read_reply
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.ledger import Reservation

if TYPE_CHECKING:
    from anthropic.types.messages.batch_create_params import Request as BatchRequest

    from mkdocs_cited.anthropic_client.wire import Body

MOST_REQUESTS = 10_000
"""Requests of one batch (the API takes 100,000)."""
MOST_BYTES = 100_000_000
"""Bytes of one batch (the API takes 256 MB)."""
KEPT = 24 * 3600
"""Seconds for which the results of a batch are used again. The API keeps them for 29 days."""
SLOWEST_POLL = 60.0
VERSION = 1
_LATER = "run `mkdocs-cited update --batch` again"

Progress = Callable[[int, int], None]
"""Told (requests done, requests in all) whenever either may have changed."""


class _State(Struct, frozen=True):
    """What the file of one batch says."""

    path: Path
    created: float
    """Seconds since 1970 when it was about to be submitted."""
    batch: str
    """The API's id; empty when the process ended before it was known."""
    ids: tuple[str, ...]
    models: dict[str, str]
    """Request → model, for the price."""
    failed: tuple[str, ...] = ()
    """Requests whose result was no message: they are sent again."""

    def save(self) -> None:
        """Write it atomically."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"version": VERSION, "created": self.created, "batch": self.batch, "ids": self.ids}
        data |= {"models": self.models, "failed": self.failed}
        draft = self.path.with_suffix(f".{os.getpid()}.tmp")
        with draft.open("w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)


def request_id(body: Body) -> str:
    """The name of a request in a batch: a digest of everything in it."""
    return f"cited-{digest(json.dumps(body, sort_keys=True, default=str), length=48)}"


def forget_batches(folder: Path) -> None:
    """Remove what is known of finished batches, so that the same requests are sent anew."""
    for state in _states(folder):
        state.path.unlink(missing_ok=True)


class Batches:
    """Sends requests in batches and hands over their replies."""

    def __init__(
        self,
        client: Client,
        folder: Path,
        *,
        poll: float = 5.0,
        progress: Progress | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        """`poll` is the seconds before the first look at a batch; each further wait is longer, up to a minute.

        Once `stopped` is set, nothing is waited for any more.
        """
        self._client = client
        self._folder = folder
        self._poll = poll
        self._progress = progress or (lambda done, total: None)
        self._stopped = stopped or threading.Event()
        self._done = self._total = 0

    def send_all(self, bodies: Sequence[Body]) -> Iterator[tuple[int, Reply | Fault]]:
        """(position, reply or fault) for each request, batch by batch; requests that are equal are sent once."""
        wanted: dict[str, list[int]] = {}
        for position, body in enumerate(bodies):
            wanted.setdefault(request_id(body), []).append(position)
        self._done, self._total = 0, len(wanted)
        for name, outcome in self._outcomes({name: bodies[at[0]] for name, at in wanted.items()}):
            self._done += 1
            self._progress(self._done, self._total)
            for position in wanted.get(name, ()):
                yield position, outcome

    def _outcomes(self, bodies: Mapping[str, Body]) -> Iterator[tuple[str, Reply | Fault]]:
        if (fault := self._client.check()) is not None:
            yield from ((name, fault) for name in bodies)
            return
        if self._client.knows_tools() is not True:
            yield from self._alone(bodies)
            return
        left = dict(bodies)
        for state in _states(self._folder):
            if time.time() - state.created > KEPT:
                state.path.unlink(missing_ok=True)
                continue
            mine = [name for name in state.ids if name in left and name not in state.failed]
            found = self._found(state) if mine else None
            if found is not None:
                for name in mine:
                    del left[name]
                yield from self._collect(found, mine, {})
        for chunk in _chunks(left):
            yield from self._submit(chunk)

    def _alone(self, bodies: Mapping[str, Body]) -> Iterator[tuple[str, Reply | Fault]]:
        """Every request by itself, for a server that knows no batches."""
        names = list(bodies)
        work = in_parallel(self._client.send_alone, list(bodies.values()), self._client.options.concurrency)
        yield from ((names[position], outcome) for position, outcome in work)

    def _submit(self, bodies: Mapping[str, Body]) -> Iterator[tuple[str, Reply | Fault]]:
        """Send a new batch and wait for it. The file is there before the batch is, so that neither gets lost."""
        reserved: dict[str, Reservation] = {}
        for name, body in bodies.items():
            most = self._client.most(body, batch=True)
            reservation = most if isinstance(most, Fault) else self._client.ledger.reserve(most, wait=False)
            if isinstance(reservation, Reservation):
                reserved[name] = reservation
            else:
                yield name, reservation or self._client.over_limit(Spend())
        if not reserved:
            return
        names = tuple(reserved)
        path = self._folder / f"batch-{digest(*names, str(time.time_ns()))}.json"
        state = _State(path, time.time(), "", names, {name: str(bodies[name]["model"]) for name in names})
        state.save()
        requests = [cast("BatchRequest", {"custom_id": name, "params": bodies[name]}) for name in names]
        batch = self._client.call(lambda sdk: _read(sdk.messages.batches.create(requests=requests)), repeatable=False)
        if isinstance(batch, Fault) and self._client.options.own_server:  # it knows no batches, whatever it said
            state.path.unlink(missing_ok=True)
            for reservation in reserved.values():
                reservation.settle(Spend())
            yield from self._alone({name: bodies[name] for name in names})
            return
        if isinstance(batch, Fault):
            # Not removed: a batch whose creation was not confirmed may exist, and is looked for the next time.
            for reservation in reserved.values():
                reservation.settle(Spend())
            yield from ((name, batch) for name in names)
            return
        state = _State(path, state.created, batch.id, names, state.models)
        state.save()
        yield from self._collect(state, names, reserved)

    def _found(self, state: _State) -> _State | None:
        """The state with its batch's id; `None` when there is no such batch (any more)."""
        if state.batch:
            batch = self._client.call(lambda sdk: _read(sdk.messages.batches.retrieve(state.batch)))
            known = not isinstance(batch, Fault) or "does not know" not in batch.reason
            found = state if known else None
        else:
            found = self._adopted(state)
        if found is None:
            state.path.unlink(missing_ok=True)
        return found

    def _adopted(self, state: _State) -> _State | None:
        """A batch that was created before the process could write its id down: the one with these requests."""
        recent = self._client.call(lambda sdk: [_read(batch) for batch in sdk.messages.batches.list(limit=20).data])
        for batch in () if isinstance(recent, Fault) else recent:
            total = sum(batch.request_counts.values())
            late = batch.created_at.timestamp() - state.created
            if total != len(state.ids) or not -60 < late < self._client.options.timeout + 60:
                continue
            ended = self._ended(batch)
            if isinstance(ended, Fault):
                continue
            results = self._results(batch.id)
            if not isinstance(results, Fault) and results.keys() == set(state.ids):
                found = _State(state.path, state.created, batch.id, state.ids, state.models)
                found.save()
                return found
        return None

    def _collect(
        self, state: _State, names: Sequence[str], reserved: Mapping[str, Reservation]
    ) -> Iterator[tuple[str, Reply | Fault]]:
        """Wait for a batch and hand over what became of these requests."""
        open_reservations = dict(reserved)
        try:
            batch = self._client.call(lambda sdk: _read(sdk.messages.batches.retrieve(state.batch)))
            ended = batch if isinstance(batch, Fault) else self._ended(batch)
            results = ended if isinstance(ended, Fault) else self._results(state.batch)
            if isinstance(results, Fault):
                yield from ((name, results) for name in names)
                return
            outcomes = {name: self._outcome(results.get(name), state.models.get(name, "")) for name in names}
            failed = tuple(name for name, outcome in outcomes.items() if isinstance(outcome, Fault))
            if failed:
                again = tuple(dict.fromkeys((*state.failed, *failed)))
                _State(state.path, state.created, state.batch, state.ids, state.models, again).save()
            for name, outcome in outcomes.items():
                if name in open_reservations:
                    open_reservations.pop(name).settle(outcome.spend)
                yield name, outcome
        finally:
            for reservation in open_reservations.values():
                reservation.settle(Spend(), uncertain=True)

    def _ended(self, batch: _Batch) -> _Batch | Fault:
        """The batch once it has ended; it takes a day at most, then the API itself ends it."""
        pause, name = self._poll, batch.id
        while batch.processing_status != "ended":
            self._progress(self._done, self._total)
            if self._stopped.wait(pause):
                return Fault("the run was stopped before its batch was done", _LATER)
            pause = min(pause * 1.5, SLOWEST_POLL)
            looked = self._client.call(lambda sdk: _read(sdk.messages.batches.retrieve(name)))
            if isinstance(looked, Fault):
                return Fault(f"the batch could not be waited for: {looked.reason}", _LATER)
            batch = looked
        return batch

    def _results(self, batch: str) -> dict[str, Any] | Fault:
        """Request → the SDK's result, which may be anything; lines without a name are nobody's."""
        results: dict[str, Any] | Fault = self._client.call(
            lambda sdk: {
                item.custom_id: item.result
                for item in sdk.messages.batches.results(batch)
                if isinstance(getattr(item, "custom_id", None), str)
            }
        )
        return results

    def _outcome(self, result: Any, model: str) -> Reply | Fault:
        if result is None:
            return Fault("the batch has no result for this answer", _LATER)
        try:
            kind = of_form(_Result, result).type
            if kind == "succeeded":
                message: Any = getattr(result, "message", None)
                reply = read_reply(message, self._client.price(model), batch=True)
                return reply if isinstance(reply, Reply) else Fault(scrub(reply.reason), reply.tip, reply.spend)
            if kind == "errored":
                error = of_form(_Errored, result).error.error
                return fault_of(error.type, "", 0, scrub(error.message))
        except OddReplyError as error:
            return Fault(f"the batch's result cannot be read: {scrub(str(error))}", _LATER)
        return Fault(f"the batch {scrub(kind)} before this answer was written", _LATER)


class _Batch(msgspec.Struct):
    """What counts of the API's view of a batch."""

    id: str
    processing_status: str
    created_at: datetime
    request_counts: dict[str, Tokens]


class _Result(msgspec.Struct):
    type: str


class _Error(msgspec.Struct):
    type: str
    message: str


class _ErrorObject(msgspec.Struct):
    error: _Error


class _Errored(msgspec.Struct):
    error: _ErrorObject


def _read(batch: Any) -> _Batch:
    return of_form(_Batch, batch)


class _Saved(msgspec.Struct):
    """What `_State.save` writes."""

    version: int
    created: float
    batch: str
    ids: tuple[str, ...]
    models: dict[str, str]
    failed: tuple[str, ...]


def _states(folder: Path) -> list[_State]:
    """The batches that are known, oldest first; a file that cannot be read is left alone."""
    out = []
    for path in sorted(folder.glob("batch-*.json")):
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
        except (OSError, ValueError, msgspec.MsgspecError):
            continue
        if saved.version == VERSION:
            out.append(_State(path, saved.created, saved.batch, saved.ids, saved.models, saved.failed))
    return sorted(out, key=lambda state: (state.created, state.path))


def _chunks(bodies: Mapping[str, Body]) -> Iterator[dict[str, Body]]:
    """The requests in batches that the API accepts."""
    chunk: dict[str, Body] = {}
    size = 0
    for name, body in bodies.items():
        length = len(json.dumps(body, default=str))
        if chunk and (len(chunk) == MOST_REQUESTS or size + length > MOST_BYTES):
            yield chunk
            chunk, size = {}, 0
        chunk[name] = body
        size += length
    if chunk:
        yield chunk
