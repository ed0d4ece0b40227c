"""Settles many answers in several processes, each with a share of them; whoever calls sees no difference but the time.

Only for a run that writes nothing and asks no model: an answer is then a function of values that every process has.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from pathlib import Path

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration

SHARE = 16
"""Answers that a process is given at once: no more than it is worth waiting for at Ctrl-C."""
MOST = 8
"""Processes: each holds what an index needs, some 100 MB."""

Settle = Callable[[Declaration], Answer]
_settle: Settle | None = None
"""Of a process that settles."""


def settled(declarations: Sequence[Declaration], begin: Callable[[], Settle]) -> Iterator[Answer]:
    """The answers, in order.

    Args:
        declarations: what is asked.
        begin: gives what settles one; it is sent to each process, which calls it once.

    Raises:
        CitedError: a process died: nothing is known of its answers.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if usable < 2 or multiprocessing.current_process().daemon:  # one that may have no others
        yield from map(begin(), declarations)
        return
    shares = [tuple(declarations[start : start + SHARE]) for start in range(0, len(declarations), SHARE)]
    context = multiprocessing.get_context("spawn")  # the only way that is safe beside threads, and that Windows has
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as folder:
        # In a file: one that dies at its start would leave us waiting until somebody reads the pipe to it.
        sent = Path(folder, "begin")
        sent.write_bytes(pickle.dumps(begin))
        try:
            executor = ProcessPoolExecutor(min(usable, MOST), context, _begin, (sent,))
        except (ImportError, NotImplementedError, OSError):  # a system that lacks what processes are coordinated by
            yield from map(begin(), declarations)
            return
        try:
            with executor as pool:
                yield from chain.from_iterable(pool.map(_share, shares))
        except BrokenProcessPool as error:
            raise CitedError(
                "a process that settled answers has died: it may have been out of memory",
                tip="run it again; `--shard 1/4` … `--shard 4/4` check one part after the other",
            ) from error


def _begin(sent: Path) -> None:
    global _settle
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits for this one
    _settle = pickle.loads(sent.read_bytes())()  # noqa: S301 -- which the process that waits has just written


def _share(declarations: tuple[Declaration, ...]) -> list[Answer]:
    assert _settle is not None  # noqa: S101 -- `_begin` has set it
    return [_settle(declaration) for declaration in declarations]
