"""Requests of many threads, gathered until every thread waits for one, and sent as one batch.

So the stages need not know of batches: each answer is worked on by a thread of its own as ever, and its requests, the
writer's, the reviewer's and those of corrections, go out with everybody else's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mkdocs_cited.anthropic_client.batches import Batches, Progress, forget_batches
from mkdocs_cited.anthropic_client.reply import Reply
from mkdocs_cited.model.answer import Fault

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.client import Client
    from mkdocs_cited.anthropic_client.wire import Body

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_AT_ONCE = 500
"""Answers that are worked on together, each by a thread that mostly waits."""

_STOPPED = Fault("the run was stopped before its batch was done", "run `mkdocs-cited update --batch` to pick it up")


@dataclass(eq=False)
class _Pending:
    """One request, and its reply once it is there."""

    client: Client
    body: Body
    arrived: threading.Event = field(default_factory=threading.Event)
    reply: Reply | Fault = _STOPPED

    def deliver(self, reply: Reply | Fault) -> None:
        self.reply = reply
        self.arrived.set()


class PendingRequests:
    """Sends the requests of its workers together: whenever all that are still at work wait for a reply."""

    def __init__(self, folder: Path, *, poll: float = 5.0, progress: Progress | None = None) -> None:
        """`folder` keeps what is needed to pick a batch up after a crash; `progress` is told of each batch."""
        self._at_work = 0
        self._folder = folder
        self._poll = poll
        self._progress = progress
        self._open: list[_Pending] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._complete = True

    def send(self, client: Client, body: Body) -> Reply | Fault:
        """Hand in a request and wait for its reply."""
        request = _Pending(client, body)
        with self._lock:
            if self._stopped.is_set():
                return _STOPPED
            self._open.append(request)
            self._send_if_all_wait()
        request.arrived.wait()
        return request.reply

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The work's result for each item, in order, and the end of the run: nothing is sent after it."""
        parts = (items[at : at + MOST_AT_ONCE] for at in range(0, len(items), MOST_AT_ONCE))
        results = [result for part in parts for result in self._together(work, part)]
        self.finish()
        return results

    def _together(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """A thread for each item, since a batch waits for all of them."""

        def at_work(item: Item) -> Result:
            with self.worker():
                return work(item)

        self.expect(len(items))
        with ThreadPoolExecutor(len(items)) as pool:
            try:
                return list(pool.map(at_work, items))
            except BaseException:
                self.stop()  # otherwise the pool would wait for the batch
                raise

    def expect(self, workers: int) -> None:
        """So many threads are about to start: nothing is sent before each of them waits or is done."""
        with self._lock:
            self._at_work += workers

    @contextmanager
    def worker(self) -> Iterator[None]:
        """One of the expected threads, from its start to its end; each enters exactly once."""
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                self._send_if_all_wait()

    def finish(self) -> None:
        """The run has come to its end: unless a request got no reply, nothing needs to be picked up any more."""
        if self._complete:
            forget_batches(self._folder)

    def stop(self) -> None:
        """Wait no longer: every thread that waits, or hands in a request from now on, gets a fault.

        The batch itself goes on, and the next run picks it up.
        """
        with self._lock:
            self._stopped.set()
            for request in self._open:
                request.deliver(_STOPPED)
            self._open = []

    def _send_if_all_wait(self) -> None:
        if self._open and len(self._open) == self._at_work:
            requests, self._open = self._open, []
            threading.Thread(target=self._send, args=(requests,), daemon=True, name="mkdocs-cited-batch").start()

    def _send(self, requests: list[_Pending]) -> None:
        batches = Batches(
            requests[0].client, self._folder, poll=self._poll, progress=self._progress, stopped=self._stopped
        )
        try:
            for position, reply in batches.send_all([request.body for request in requests]):
                self._complete = self._complete and isinstance(reply, Reply)
                requests[position].deliver(reply)
        finally:
            for request in requests:
                if not request.arrived.is_set():
                    request.deliver(_STOPPED)
