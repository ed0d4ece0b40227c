"""A mutation report for people: a table of shares by kind, and under it what a person should look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.evaluation.labelled import evaluate, figures, open_claims
from mkdocs_cited.evaluation.mutation import MutationReport, Rate, Trial


def lines(report: MutationReport, examples: int) -> Iterator[str]:
    """The lines of the table, then at most `examples` survivors and held-up right claims of each kind."""
    yield f"{'':20}{'made':>6}{'failed':>9}{'unconfirmed':>13}{'passed':>9}"
    yield "wrong claims, made from right ones"
    yield from map(_row, report.rates)
    yield "right claims, in the words of their passages"
    yield from map(_row, report.right_rates)
    yield "right and wrong claims in words of their own, of the open set that comes with this package"
    yield from map(_row, free_wording())
    yield from _shown("Wrong, and passed", report.survivors, examples)
    yield from _shown("Right, and not passed", report.wronged, examples)


def free_wording() -> tuple[Rate, Rate]:
    """What becomes of right and of wrong claims that somebody put in other words, as people do: the other half of the
    truth beside claims that a program made."""
    rows = list(open_claims())
    result = figures(rows, list(evaluate(rows)))
    right, wrong = (
        Rate(name, fates.claims, fates.failed, fates.waiting, fates.passed)
        for name, fates in (("right", result.right), ("wrong", result.wrong))
    )
    return right, wrong


def _row(rate: Rate) -> str:
    parts = (rate.failed, rate.unconfirmed, rate.passed)
    shares = [f"{part / rate.made:.1%}" if rate.made else "–" for part in parts]
    return f"  {rate.kind:18}{rate.made:>6}{shares[0]:>9}{shares[1]:>13}{shares[2]:>9}"


def _shown(title: str, trials: Sequence[Trial], most: int) -> Iterator[str]:
    kinds: dict[str, list[Trial]] = {}
    for trial in trials:
        kinds.setdefault(trial.kind, []).append(trial)
    for kind, some in kinds.items():
        for trial in some[:most]:
            yield ""
            yield f"{title} ({kind}): {trial.text}"
            if trial.text != trial.original:
                yield f"  made from: {trial.original}"
            yield f"  cited: {', '.join(trial.passages) or 'nothing'}"
            yield f"  the gate: {trial.reason}"
        if most and len(some) > most:
            yield f"… and {len(some) - most} more of this kind"
