"""What one run spends on model calls, and the sum it may not pass. The one value here that changes as a run goes on."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from mkdocs_cited.model.answer import Spend


class Ledger:
    """Reservations and spending of one run, shared by all its threads.

    A caller reserves the most that a request can cost before sending it, and settles what it did cost afterwards.
    Spent and reserved together never pass the limit, so that the limit holds whatever the replies turn out to be.
    """

    def __init__(self, limit: float | None = None) -> None:
        """`limit` is in US dollars; `None` for none."""
        self.limit = limit
        self._spent = Spend()
        self._lost = 0.0
        self._reserved = 0.0
        self._changed = threading.Condition()

    @property
    def spent(self) -> Spend:
        """What was settled so far."""
        with self._changed:
            return self._spent

    @property
    def remaining(self) -> float | None:
        """US dollars that may still be reserved; `None` without a limit."""
        with self._changed:
            return None if self.limit is None else max(0.0, self.limit - self._taken())

    def reserve(self, most: float, *, wait: bool = True) -> Reservation | None:
        """Set `most` US dollars aside; `None` when they could pass the limit whatever happens.

        While other reservations are open, what they give back may make room: `wait` waits for them.
        """
        with self._changed:
            while self.limit is not None and self._taken() + most > self.limit:
                if not wait or not self._reserved:
                    return None
                self._changed.wait()
            self._reserved += most
            return Reservation(self, most)

    def settle(self, reservation: Reservation, spend: Spend, *, uncertain: bool) -> None:
        """Give a reservation back for what was spent; see `Reservation.settle`."""
        with self._changed:
            self._reserved = max(0.0, self._reserved - reservation.most)
            if self._reserved < 1e-9:  # a remainder of adding and taking away fractions
                self._reserved = 0.0
            self._spent += spend
            self._lost += max(0.0, reservation.most - spend.cost) if uncertain else 0.0
            self._changed.notify_all()

    def _taken(self) -> float:
        return self._spent.cost + self._lost + self._reserved


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money set aside for one request; settle it exactly once."""

    ledger: Ledger
    most: float
    """US dollars."""

    def settle(self, spend: Spend, *, uncertain: bool = False) -> None:
        """Say what the request cost. When it is `uncertain` (a connection that broke), the limit counts `most`."""
        self.ledger.settle(self, spend, uncertain=uncertain)
