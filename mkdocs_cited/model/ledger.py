"""What one run spends on model calls, and the sum that it may not pass. It alone changes here."""

from __future__ import annotations

import threading

from msgspec import Struct

from mkdocs_cited.model.answer import Spend


class Ledger:
    """Reservations and spending of one run, shared by all its threads.

    A caller reserves the most that a request can cost before sending it, and settles the real cost afterwards.
    Spent and reserved together never pass the limit, so that the limit holds whatever the replies turn out to be.
    """

    def __init__(self, limit: float | None = None) -> None:
        """`limit` is in US dollars; `None` for no such bound."""
        self.limit = limit
        self._spent = Spend()
        self._lost = 0.0
        self._reserved = 0.0
        self._changed = threading.Condition()

    @property
    def spent(self) -> Spend:
        """What all settled requests have cost so far."""
        with self._changed:
            return self._spent

    def reserve(self, most: float, *, wait: bool = True) -> bool:
        """Set `most` US dollars aside; whether there is room for them.

        While other reservations are open, what they give back may make room: `wait` waits for them.
        """
        with self._changed:
            while self._would_pass(most):
                if not (wait and self._reserved):
                    return False
                self._changed.wait()
            self._reserved += most
            return True

    def settle(self, most: float, spend: Spend, *, uncertain: bool = False) -> None:
        """Say what the request cost for which `most` was reserved, exactly once. When it is `uncertain` (a connection
        that broke), the limit counts the most that it can have cost."""
        with self._changed:
            left = self._reserved - most
            # less is a remainder of adding and taking away fractions
            self._reserved = left if left >= 1e-9 else 0.0
            self._spent += spend
            if uncertain:
                self._lost += max(0.0, most - spend.cost)
            self._changed.notify_all()

    def _would_pass(self, most: float) -> bool:
        taken = self._spent.cost + self._lost + self._reserved
        return self.limit is not None and taken + most > self.limit


class Estimate(Struct, frozen=True):
    """What a run would cost; see `--dry-run`."""

    answers: int
    """Answers that a model would be asked for."""
    each: float | None
    """US dollars an answer, with its review; `None` where nobody knows the price of the model."""
    measured: int = 0
    """Recorded answers of the site of which it is the median; 0 where it was measured on other sites."""
