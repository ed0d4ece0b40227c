"""What one run spends on model calls. It alone changes here."""

from __future__ import annotations

import threading

from msgspec import Struct

from mkdocs_cited.model.answer import Spend


class Ledger:
    """The spending of one run, shared by all its threads."""

    def __init__(self, limit: float | None = None) -> None:
        """`limit` is in US dollars: no request is sent once it is spent; `None` for no limit."""
        self.limit = limit
        self._spent = Spend()
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spend:
        """The cost of all requests so far."""
        with self._lock:
            return self._spent

    def add(self, spend: Spend) -> None:
        """Count a request."""
        with self._lock:
            self._spent += spend


class Estimate(Struct, frozen=True):
    """What a run would cost; see `--dry-run`."""

    answers: int
    """Answers that a model would be asked for."""
    each: float | None
    """US dollars an answer, with its review; `None` where nobody knows the price of the model."""
    measured: int = 0
    """Recorded answers of the site of which it is the median; 0 where it was measured on other sites."""
