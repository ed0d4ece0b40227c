"""Everything that one run has to say, and what it spends on models. How it is written down is a reporter's business."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from mkdocs_cited.model.answer import Answer, Spend
from mkdocs_cited.model.finding import Finding, Place, Severity, Suppressed, in_order


class Report(Struct, frozen=True):
    """Everything one run has to say. Shown, ignored and suppressed findings are apart."""

    shown: tuple[Finding, ...] = ()
    """Sorted by `Finding.sort_key`; severities as configured."""
    suppressed: tuple[Suppressed, ...] = ()
    ignored: tuple[Finding, ...] = ()
    """Those whose slug is set to `off`."""
    answers: tuple[Answer, ...] = ()
    """Sorted by key."""
    notices: tuple[str, ...] = ()
    """What every output must say: that the review was off, for one."""
    prefix: str = ""
    """Path from the repository's root to the folder of the configuration file (`website/`), for tools that want
    paths of the repository; empty when they are the same."""

    places: Mapping[str, Place] = field(default_factory=dict)
    """Key of each answer → where its question is asked."""
    strict: bool = False
    """Whether warnings fail the run."""
    spent: Spend = Spend()
    """What the run itself spent on models; records hold what earlier ones did."""

    def joined(self, other: Report) -> Report:
        """What both have to say of one site, each finding once."""
        return replace(
            self,
            shown=in_order({*self.shown, *other.shown}),
            suppressed=tuple(dict.fromkeys((*self.suppressed, *other.suppressed))),
            ignored=tuple(dict.fromkeys((*self.ignored, *other.ignored))),
            answers=tuple(
                sorted((*self.answers, *other.answers), key=lambda answer: answer.key)
            ),
            notices=tuple(dict.fromkeys((*self.notices, *other.notices))),
            places={**self.places, **other.places},
            spent=self.spent + other.spent,
        )

    @property
    def by_key(self) -> dict[str, Answer]:
        """The answers by their keys."""
        return {answer.key: answer for answer in self.answers}

    @property
    def claims(self) -> int:
        """How many claims all answers make."""
        return sum(len(answer.claims) for answer in self.answers)

    def count(self, severity: Severity) -> int:
        """How many of the shown findings have this severity."""
        return sum(finding.severity is severity for finding in self.shown)

    def failed(self) -> bool:
        """True if the run fails: an error was found, or where it is `strict` a warning, or a notice: that nothing was
        read is no pass."""
        if self.strict and self.notices:
            return True
        return any(map(self.fails, self.shown))

    def fails(self, finding: Finding) -> bool:
        """True if this finding alone would fail the run."""
        return (
            finding.severity.rank
            >= (Severity.WARNING if self.strict else Severity.ERROR).rank
        )


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
    reviews: int = 0
    """Answers that are kept as they are, of which a model would read claims."""
    review: float | None = None
    """US dollars a review; `None` where nobody knows the price of the model."""

    @property
    def cost(self) -> float:
        """US dollars in all; what has no price counts as 0."""
        return self.answers * (self.each or 0.0) + self.reviews * (self.review or 0.0)
