"""What is done about an answer, as tables: by what is stored and what the run may do, and by what was written."""

from __future__ import annotations

from itertools import product

import pytest

from mkdocs_cited.model.options import UpdateMode
from mkdocs_cited.pipeline.resolution import End, Step, Stored, Written, end_of, next_step

NEXT: dict[tuple[Stored, bool], tuple[Step, Step, Step, Step]] = {
    # stored, whether a proposal waits: `never`, `missing`, `stale`, `always`
    (Stored.NOTHING, False): (Step.REPORT, Step.WRITE, Step.WRITE, Step.WRITE),
    (Stored.NOTHING, True): (Step.PROPOSE, Step.PROPOSE, Step.PROPOSE, Step.WRITE),
    (Stored.HOLDS, False): (Step.KEEP, Step.KEEP, Step.KEEP, Step.WRITE),
    (Stored.HOLDS, True): (Step.KEEP, Step.KEEP, Step.KEEP, Step.WRITE),
    (Stored.CHANGED, False): (Step.KEEP, Step.KEEP, Step.WRITE, Step.WRITE),
    (Stored.CHANGED, True): (Step.KEEP, Step.KEEP, Step.PROPOSE, Step.WRITE),
    (Stored.STALE, False): (Step.REPORT, Step.REPORT, Step.WRITE, Step.WRITE),
    (Stored.STALE, True): (Step.PROPOSE, Step.PROPOSE, Step.PROPOSE, Step.WRITE),
}
MODES: tuple[UpdateMode, ...] = ("never", "missing", "stale", "always")
ENDS: dict[tuple[Written, bool], tuple[End, End]] = {
    # what was written, whether it would replace a text: approved where it must be, or not
    (Written.TEXT, False): (End.RECORD, End.PROPOSE),
    (Written.TEXT, True): (End.RECORD, End.PROPOSE),
    (Written.ABSTENTION, False): (End.RECORD, End.RECORD),
    (Written.ABSTENTION, True): (End.PROPOSE, End.PROPOSE),
    (Written.FAILING, False): (End.PROPOSE, End.PROPOSE),
    (Written.FAILING, True): (End.PROPOSE, End.PROPOSE),
}


def test_the_tables_are_whole() -> None:
    """No state is left to chance."""
    assert set(NEXT) == set(product(Stored, (False, True)))
    assert set(ENDS) == set(product(Written, (False, True)))


@pytest.mark.parametrize(("stored", "waits"), list(NEXT), ids=str)
def test_what_is_done_about_an_answer(stored: Stored, waits: bool) -> None:
    """A model is asked only where `update` allows it, and never again for what waits for a person."""
    steps = tuple(next_step(stored, mode, has_proposal=waits) for mode in MODES)
    assert steps == NEXT[stored, waits]


@pytest.mark.parametrize(("written", "has_text"), list(ENDS), ids=str)
def test_what_is_done_with_what_was_written(written: Written, has_text: bool) -> None:
    """What was accepted is replaced by a sound text only, and where approval is required by a person only."""
    ends = tuple(end_of(written, has_text=has_text, may_store=True, approved=approved) for approved in (True, False))
    assert ends == ENDS[written, has_text]


@pytest.mark.parametrize(("written", "has_text", "approved"), list(product(Written, (False, True), (False, True))))
def test_a_run_that_may_not_store_stores_nothing(written: Written, has_text: bool, approved: bool) -> None:
    """A text with an error is not shown, either."""
    end = end_of(written, has_text=has_text, may_store=False, approved=approved)
    assert end is (End.HOLD_BACK if written is Written.FAILING else End.SHOW)
