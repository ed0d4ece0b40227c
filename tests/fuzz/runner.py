"""Throws damaged input at every door, and keeps what breaks one. What the doors are stands in `entries`."""

from __future__ import annotations

import faulthandler
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path

from mkdocs_cited.base.text import slugify
from tests.fuzz.entries import ENTRIES, Entry
from tests.fuzz.mutation import Mutator
from tests.hangs import PATIENCE, guarded

FOUND = Path(__file__).parent / "found"
"""Inputs that broke a door once, `<number of the entry's name>-<digest>.txt`: the suite runs them ever after."""


@dataclass
class Tally:
    """What one door came to."""

    inputs: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    """(input, traceback)."""


def attempt(entry: Entry, text: str) -> str:
    """The traceback of an input that broke the entry point, or that hung."""
    try:
        with guarded():
            entry.run(text)
    except Exception:
        return traceback.format_exc()
    return ""


def attack(entry: Entry, count: int, seed: int, *, seconds: float = float("inf"), most_failures: int = 5) -> Tally:
    """So many inputs for one door; the same ones for the same seed. A native loop without end ends the process.

    Args:
        entry: the door.
        count: of inputs at most.
        seed: of the damage.
        seconds: of processor time at most.
        most_failures: after which the door is left alone.
    """
    tally = Tally()
    until = time.process_time() + seconds
    faulthandler.register(signal.SIGPROF, chain=True)
    for text in islice(inputs(entry, seed), count):
        signal.setitimer(signal.ITIMER_PROF, 2 * PATIENCE)
        problem = attempt(entry, text)
        tally.inputs += 1
        if problem:
            tally.failures.append((text, problem))
        if len(tally.failures) >= most_failures or time.process_time() > until:
            break
    signal.setitimer(signal.ITIMER_PROF, 0)
    faulthandler.unregister(signal.SIGPROF)
    return tally


def inputs(entry: Entry, seed: int) -> Iterator[str]:
    """The seeds themselves, then their mutants for ever."""
    yield from entry.seeds
    mutator = Mutator(seed)
    while True:
        text = mutator.text(entry.seeds)
        yield text if entry.halves else text.encode("utf-8", "replace").decode()


def keep(entry: Entry, text: str) -> Path:
    """Write an input down as a fixture."""
    FOUND.mkdir(exist_ok=True)
    data = text.encode("utf-8", "surrogatepass")
    path = (
        FOUND / f"{entry.name.replace(' ', '-').replace(',', '').replace('.', '-')}-{sha256(data).hexdigest()[:10]}.txt"
    )
    path.write_bytes(data)
    return path


def kept() -> Iterator[tuple[Entry, Path]]:
    """Every fixture with its door."""
    names = {slugify(entry.name): entry for entry in ENTRIES}
    for path in sorted(FOUND.glob("*.txt")):
        yield names[path.stem.rpartition("-")[0]], path
