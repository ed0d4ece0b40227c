"""Several threads work at once; results are handed over as they come, and nothing outlives its caller."""

from __future__ import annotations

import threading
import time

import pytest

from mkdocs_cited.anthropic_client import in_parallel


def test_results_come_as_they_are_done_with_their_positions() -> None:
    """The slow one last, whatever its place."""

    def work(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    assert list(in_parallel(work, [0.2, 0.0, 0.1], 3)) == [(1, 0.0), (2, 0.1), (0, 0.2)]


def test_no_more_at_once_than_allowed() -> None:
    """However many there are to do."""
    lock, at_once, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.01)
        with lock:
            at_once -= 1

    assert len(list(in_parallel(work, range(20), 4))) == 20
    assert most == 4


def test_what_a_thread_raises_is_raised_to_the_caller() -> None:
    """Nothing is swallowed."""

    def work(_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(in_parallel(work, [1, 2], 2))


def test_once_it_is_closed_nothing_more_is_begun() -> None:
    """An interrupted run does not go on in the background."""
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.02)
        return number

    results = in_parallel(work, range(100), 2)
    next(results)
    results.close()  # type: ignore[attr-defined]  # it is a generator
    time.sleep(0.1)
    assert len(begun) < 10


def test_nothing_to_do() -> None:
    """No thread, no result."""
    assert list(in_parallel(str, [], 4)) == []
