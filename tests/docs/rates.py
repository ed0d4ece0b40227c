"""The rates of the offline reviewer on the open set of claims, as the page about the gate shows them."""

from __future__ import annotations

from mkdocs_cited.evaluation.labelled import Prediction, Row, evaluate, figures, read_rows
from tests.docs.roots import ROOT

CLAIMS = ROOT / "benchmarks" / "claims-set" / "claims.jsonl"


def rates() -> str:
    """What a team would see of all claims, then what became of each kind, wrong ones and right ones apart."""
    rows = list(read_rows(CLAIMS))
    predictions = list(evaluate(rows))
    pairs = list(zip(rows, predictions, strict=True))
    return "\n\n".join(
        (
            "| of 100 | pass | wait for a person | fail a build |\n|---|---|---|---|\n"
            + "\n".join(_line(name, pairs, label) for name, label in (("right claims", True), ("wrong claims", False))),
            "What became of the wrong claims, by how they were made wrong:",
            _table(pairs, False),
            "What became of the right ones, by how they say it:",
            _table(pairs, True),
        )
    )


def _table(pairs: list[tuple[Row, Prediction]], label: bool) -> str:
    kinds = sorted({row.kind for row, _ in pairs if row.label is label})
    lines = ["| kind | pass | wait for a person | fail a build |", "|---|---|---|---|"]
    for kind in kinds:
        some = [pair for pair in pairs if pair[0].kind == kind and pair[0].label is label]
        lines.append(_line(f"{kind} ({len(some)})", some, label))
    return "\n".join(lines)


def _line(name: str, pairs: list[tuple[Row, Prediction]], label: bool) -> str:
    result = figures([row for row, _ in pairs], [guess for _, guess in pairs])
    shares = (result.right if label else result.wrong).shares().values()
    return f"| {name} | {' | '.join(f'{100 * share:.0f}' for share in shares)} |"
