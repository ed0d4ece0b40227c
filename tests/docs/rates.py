"""The rates of the offline reviewer on the open set of claims, as the page about the gate shows them."""

from __future__ import annotations

from collections import Counter, defaultdict

from benchmarks.overlap import overlaps
from mkdocs_cited.evaluation.labelled import evaluate, figures, read_rows, roc_auc
from tests.docs.roots import ROOT

CLAIMS = ROOT / "benchmarks" / "claims-set" / "claims.jsonl"
COLUMNS = ("passed", "not confirmed", "failed")
_OUTCOMES = {"supported": "passed", "unchecked": "not confirmed"}


def rates() -> str:
    """The figures over all claims, then what became of each kind, right ones and wrong ones apart."""
    rows = list(read_rows(CLAIMS))
    predictions = list(evaluate(rows))
    result = figures(rows, predictions)
    counts: dict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
    for row, prediction in zip(rows, predictions, strict=True):
        for kind in ("all", row.kind):
            counts[bool(row.label), kind][_OUTCOMES.get(prediction.verdict, "failed")] += 1
    right = sum(counts[True, "all"].values())
    return "\n\n".join(
        (
            "| over all claims | |\n|---|---|\n"
            f"| claims | {result.rows}: {right} right, {result.rows - right} wrong |\n"
            f"| a pass is right | {result.pass_precision:.0%} |\n"
            f"| a fail is right | {result.fail_precision:.0%} |\n"
            f"| not confirmed | {result.undecided:.0%} |\n"
            f"| balanced accuracy at a score of 0.5 | {result.balanced_accuracy:.1%} |\n"
            f"| area under the ROC curve | {result.auc:.1%} |\n"
            f"| the same, of word overlap alone | {roc_auc([bool(row.label) for row in rows], overlaps(rows)):.1%} |",
            "What became of the wrong claims, by how they were made wrong:",
            _table({kind: count for (label, kind), count in counts.items() if not label}),
            "What became of the right ones, by how they say it:",
            _table({kind: count for (label, kind), count in counts.items() if label}),
        )
    )


def _table(kinds: dict[str, Counter[str]]) -> str:
    lines = [f"| kind | {' | '.join(COLUMNS)} |", "|---|---|---|---|"]
    for kind, count in sorted(kinds.items(), key=lambda item: (item[0] == "all", item[0])):
        total = sum(count.values())
        name = f"**{kind} {total}**" if kind == "all" else f"{kind} ({total})"
        lines.append(f"| {name} | {' | '.join(f'{count[column] / total:.0%}' for column in COLUMNS)} |")
    return "\n".join(lines)
