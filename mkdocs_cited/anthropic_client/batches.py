"""Requests sent through Message Batches: half the price, done within a day, and picked up again after a crash.

A batch is a list. Every answer is worked on until it needs a reply that is not there; what they all need goes out as
one batch, and they are worked on again from the start: up to there everything is known now. Each batch has one small
file in a folder until the run has ended, so that a process that was killed finds it again and sends nothing twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct

from mkdocs_cited.anthropic_client.client import Client, Item, Result
from mkdocs_cited.anthropic_client.faults import UNKNOWN, fault_of, scrub
from mkdocs_cited.anthropic_client.reply import OddReplyError, Reply, of_form
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.options import Anthropic as Options
from mkdocs_cited.model.report import Ledger

if TYPE_CHECKING:
    from anthropic.types.messages.batch_create_params import Request as BatchRequest

    from mkdocs_cited.anthropic_client.reply import Body

SLOWEST_POLL = 60.0
_DAY = 86_400
"""Seconds in which a batch ends: one that is not found earlier may still be paid for, and is not sent again."""
_LATER = "run it again"

Replies = dict[str, Reply | Fault]
"""Names of requests, each with what became of it."""


class AwaitedError(Exception):
    """A reply is needed that is not there yet: it comes with the next batch."""


class Batches(Client):
    """Gathers the requests of one run, sends them in batches and hands over their replies."""

    def __init__(
        self, options: Options, ledger: Ledger, folder: Path, *, poll: float = 5.0
    ) -> None:
        """`poll` is the seconds before the first look at a batch; each further wait is longer, up to a minute."""
        super().__init__(options, ledger)
        self._folder = folder
        self._poll = poll
        self._replies: Replies = {}
        self._open: dict[str, Body] = {}
        self._read: list[Path] = []
        """Files of batches whose replies are handed over."""

    def send(self, body: Body) -> Reply | Fault:
        """The reply to a request.

        Raises:
            AwaitedError: it is not there yet.
        """
        fault = self.check()
        if fault is not None:
            return fault
        name = (
            f"cited-{digest(json.dumps(body, sort_keys=True, default=str), length=48)}"
        )
        if name not in self._replies:
            self._open[name] = body
            raise AwaitedError(name)
        return self._replies[name]

    def each(
        self, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> list[Result]:
        """The work's result for each item, in order, and the end of the run: nothing is sent after it."""
        results: dict[int, Result] = {}
        while len(results) < len(items):
            for number, item in enumerate(items):
                if number not in results:
                    with suppress(AwaitedError):
                        results[number] = work(item)
            wanted, self._open = self._open, {}
            self._replies |= self._fetched(wanted)
        for path in self._read:
            path.unlink(missing_ok=True)
        return [results[number] for number in range(len(items))]

    def _fetched(self, bodies: Mapping[str, Body]) -> Replies:
        """The replies to requests: those of an earlier batch are waited for, the others are sent."""
        replies: Replies = {}
        for path, state in _states(self._folder):
            mine = []
            for name in state.requests:
                if name in bodies and name not in replies:
                    mine.append(name)
            if mine:
                replies |= self._collected(path, state.batch, mine, bodies)
        left = {name: body for name, body in bodies.items() if name not in replies}
        return replies | self._sent(left)

    def _sent(self, bodies: Mapping[str, Body]) -> Replies:
        """Send a new batch and wait for it; what the limit has no room for stays out."""
        reserved: dict[str, float] = {}
        replies: Replies = {}
        requests = []
        for name, body in bodies.items():
            most = self.most(body, batch=True)
            if isinstance(most, Fault):
                replies[name] = most
            elif self.ledger.reserve(most, wait=False):
                reserved[name] = most
                entry = {"custom_id": name, "params": body}
                requests.append(cast("BatchRequest", entry))
            else:
                replies[name] = self.over_limit()
        if not reserved:
            return replies
        batch = self.call(
            lambda sdk: of_form(_Batch, sdk.messages.batches.create(requests=requests)),
            retries=0,
        )
        if isinstance(batch, Fault):
            replies |= dict.fromkeys(reserved, batch)
        else:
            path = self._folder / f"batch-{digest(batch.id)}.json"
            state = _State(batch.id, list(reserved))
            write_atomically(path, msgspec.json.encode(state))
            replies |= self._collected(path, batch.id, state.requests, bodies)
        for name, most in reserved.items():
            spend = Spend()
            if name in replies:
                spend = replies[name].spend
            self.ledger.settle(most, spend, uncertain=not spend.calls)
        return replies

    def _collected(
        self, path: Path, batch: str, names: Sequence[str], bodies: Mapping[str, Body]
    ) -> Replies:
        """Wait for a batch and hand over what became of these requests. Nothing for an old batch that the API does not
        know any more."""
        results = self._results(batch)
        if isinstance(results, Fault):
            age = time.time() - path.stat().st_mtime
            if UNKNOWN in results.reason and age > _DAY:
                path.unlink(missing_ok=True)
                return {}
            return dict.fromkeys(names, results)
        self._read.append(path)
        replies = {}
        for name in names:
            model = str(bodies[name]["model"])
            replies[name] = self._reply(results.get(name), model)
        return replies

    def _results(self, name: str) -> dict[str, Any] | Fault:
        """Request → the SDK's result, which may be anything, once the batch has ended: it takes a day at most, then the
        API itself ends it. Lines without a name are nobody's."""
        pause = self._poll
        while True:
            time.sleep(pause)  # a batch that was made this moment may not be found
            batch = self.call(
                lambda sdk: of_form(_Batch, sdk.messages.batches.retrieve(name))
            )
            if isinstance(batch, Fault):
                return Fault(f"waiting for the batch failed: {batch.reason}", _LATER)
            if batch.processing_status == "ended":
                break
            pause = min(pause * 1.5, SLOWEST_POLL)
        results: dict[str, Any] | Fault = self.call(
            lambda sdk: {
                item.custom_id: item.result
                for item in sdk.messages.batches.results(name)
                if isinstance(getattr(item, "custom_id", None), str)
            }
        )
        return results

    def _reply(self, result: Any, model: str) -> Reply | Fault:
        if result is None:
            return Fault("the batch has no result for this answer", _LATER)
        try:
            if getattr(result, "type", None) == "succeeded":
                return self.read(result.message, model, batch=True)
            read = of_form(_Result, result)
        except (OddReplyError, AttributeError) as error:
            reason = f"the batch's result cannot be read: {scrub(str(error))}"
            return Fault(reason, _LATER)
        if read.error is not None and read.error.error is not None:
            said = read.error.error
            return fault_of(said.type, "", 0, scrub(said.message))
        return Fault(
            f"the batch {scrub(read.type)} before this answer was written", _LATER
        )


class _State(Struct, frozen=True):
    """What the file of one batch says."""

    batch: str
    """The API's id."""
    requests: list[str]
    """Their names."""


class _Batch(Struct):
    """What counts of the API's view of a batch."""

    id: str
    processing_status: str


class _Result(Struct):
    """A result without a message: of an error, its error object, which holds another."""

    type: str
    message: str = ""
    error: _Result | None = None


def _states(folder: Path) -> list[tuple[Path, _State]]:
    """The batches that are known; a file that cannot be read is left alone. The API keeps results for 29 days."""
    out = []
    for path in sorted(folder.glob("batch-*.json")):
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            out.append((path, msgspec.json.decode(path.read_bytes(), type=_State)))
    return out
