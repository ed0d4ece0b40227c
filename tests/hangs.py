"""A guard against hangs, for texts that are built to be slow: nothing is measured, but what hangs fails the test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 30.0
"""Seconds of processor time, hundreds of times what such a text takes: a busy or slow machine makes no difference."""


class HangError(Exception):
    """The work takes far longer than its text allows."""


@contextmanager
def guarded() -> Iterator[None]:
    """End what hangs with `HangError`; where the system has no timers of processor time, nothing is guarded."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _hang)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _hang(signum: int, frame: FrameType | None) -> None:
    raise HangError(f"more than {PATIENCE:.0f} seconds of processor time")
