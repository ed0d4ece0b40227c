"""A few hundred damaged inputs for every door, the same ones in each run, and every input that broke one before.

The same at any length is `make fuzz`, which keeps what it finds in `found/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import bombs
from tests.fuzz.entries import ENTRIES, Entry
from tests.fuzz.mutation import Mutator
from tests.fuzz.runner import attack, attempt, kept

COUNT = 40
"""Inputs of each door."""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # Python's own word on the Python that is read
def test_no_input_breaks_a_door(entry: Entry) -> None:
    """No traceback but those that the door documents, nothing active or unwritable, and no hang."""
    tally = attack(entry, COUNT, seed=7)
    assert not tally.failures, tally.failures[0][1]
    assert tally.inputs == COUNT


@pytest.mark.parametrize(("entry", "path"), [pytest.param(*item, id=item[1].stem) for item in kept()])
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_what_broke_one_no_longer_does(entry: Entry, path: Path) -> None:
    """Fixtures of earlier runs."""
    assert not attempt(entry, path.read_bytes().decode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("entry", bombs.DOORS, ids=lambda entry: entry.name)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_bombs_are_defused(entry: Entry) -> None:
    """Long and deep texts of one thing: `make fuzz` throws larger ones."""
    text, problem = bombs.broken_by(entry, 200)
    assert not problem, f"{text[:40]}: {problem}"


def test_the_attack_can_break_something() -> None:
    """A door that raises on one letter is found out, and so is one that hangs."""

    def fragile(text: str) -> None:
        assert "limit" in text

    tally = attack(Entry("fragile", ("the limit",), fragile), 500, seed=1)
    assert tally.failures


def test_damage_is_the_same_for_the_same_seed() -> None:
    """A failure in CI is a failure at home."""
    seeds = ("one two three", "four")
    first, second = Mutator(3), Mutator(3)
    assert [first.text(seeds) for _ in range(50)] == [second.text(seeds) for _ in range(50)]
    assert len({Mutator(n).text(seeds) for n in range(50)}) > 20
