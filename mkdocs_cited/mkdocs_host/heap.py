"""How often Python looks for garbage while a site is built.

Nearly all that a build makes is held until its pages are written, and Python walks through it again and again: that is
some 6% of a build without this plugin. Looked for seldom, garbage costs 2%, and some 10 MB of memory at any size
(`benchmarks.cost` prints what that gives).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (50_000, 10, 10)
"""In place of Python's 700, 10, 10: objects made until the new ones are looked at, and how often that is done until
older ones are."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom, and not among what is there already: modules, and what earlier builds have left."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
