"""The rates of the offline reviewer on the open set of claims, as the page about the gate shows them."""

from __future__ import annotations

import re

from benchmarks.labelled import Prediction, Row, evaluate, read_rows
from benchmarks.labelled import rates as rates_of
from tests.docs.roots import ROOT

CLAIMS = ROOT / "benchmarks" / "claims-set" / "claims.jsonl"

OUTCOMES = ("pass", "wait", "fail")
WANTED = (("right claims", 0, 1), ("right claims", 2, -1), ("wrong claims", 0, -1), ("wrong claims", 2, 1))
"""What should be more (1) or less (-1): which claims, and at which of the outcomes."""
_ALL = re.compile(r"^\| (right claims|wrong claims) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def rates() -> str:
    """What a team would see of all claims, right and wrong ones apart."""
    rows = list(read_rows(CLAIMS))
    pairs = list(zip(rows, evaluate(rows), strict=True))
    lines = ["| of 100 | pass | wait for a person | fail a build |", "|---|---|---|---|"]
    for name, label in (("right claims", True), ("wrong claims", False)):
        lines.append(_line(name, pairs, label))
    return "\n".join(lines)


def worse(before: str, after: str) -> tuple[str, ...]:
    """How the rates of one text are worse than those of another, which has the same tables; empty if they are not."""
    old, new = _all_claims(before), _all_claims(after)
    return tuple(
        f"{claims}: {OUTCOMES[at]} {old[claims][at]} of 100 → {new[claims][at]} of 100"
        for claims, at, sign in WANTED
        if claims in old and claims in new and (new[claims][at] - old[claims][at]) * sign < 0
    )


def _all_claims(text: str) -> dict[str, tuple[int, ...]]:
    """Right and wrong claims → their shares of 100, in the order of `OUTCOMES`."""
    return {match[1]: tuple(map(int, match.groups()[1:])) for match in _ALL.finditer(text)}


def _line(name: str, pairs: list[tuple[Row, Prediction]], label: bool) -> str:
    right, wrong = rates_of([row for row, _ in pairs], [guess for _, guess in pairs])
    rate = right if label else wrong
    counts = (rate.passed, rate.unconfirmed, rate.failed)
    return f"| {name} | {' | '.join(f'{100 * count / rate.claims:.0f}' for count in counts)} |"
