"""Work done by several threads at once, each result handed over as soon as it is there."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_parallel(work: Callable[[T], R], items: Sequence[T], limit: int) -> Iterator[tuple[int, R]]:
    """Call a function on many items, at most `limit` at a time; yields (position, result) as each is done.

    The threads are daemons: a run that is interrupted ends at once, and does not wait for slow replies. Once the
    iterator is closed, no further item is begun. What `work` raises is raised here.
    """
    todo = iter(enumerate(items))
    lock = threading.Lock()
    stopped = threading.Event()
    done: queue.SimpleQueue[tuple[int, R | None, BaseException | None]] = queue.SimpleQueue()

    def worker() -> None:
        while not stopped.is_set():
            with lock:
                turn = next(todo, None)
            if turn is None:
                return
            position, item = turn
            try:
                done.put((position, work(item), None))
            except BaseException as error:  # handed to the caller, whatever it is
                done.put((position, None, error))

    for _ in range(min(limit, len(items))):
        threading.Thread(target=worker, daemon=True, name="mkdocs-cited").start()
    try:
        for _ in range(len(items)):
            position, result, error = done.get()
            if error is not None:
                raise error
            yield position, result  # type: ignore[misc]  # a result is there whenever no error is
    finally:
        stopped.set()
