"""`eval`: how good the gate is."""

from __future__ import annotations

import math
from pathlib import Path

import click

from mkdocs_cited.cli import json_option, main
from mkdocs_cited.cli.output import emit_json
from mkdocs_cited.review.evaluate import Figures, evaluate, figures, read_rows


@main.command("eval")
@click.option(
    "--claims",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Labelled claims, a JSON object a line: id, claim, evidence, and label (1 = supported) if known.",
)
@click.option(
    "--predictions",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write id, verdict and score of each claim.",
)
@json_option
def evaluate_gate(claims: Path, predictions: Path | None, as_json: bool) -> None:
    """Measure the gate on labelled claims. Always exits 0."""
    rows = list(read_rows(claims))
    guesses = list(evaluate(rows))
    if predictions is not None:
        predictions.parent.mkdir(parents=True, exist_ok=True)
        predictions.write_text("".join(f"{guess.as_json()}\n" for guess in guesses), encoding="utf-8")
    result = figures(rows, guesses)
    if as_json:
        emit_json({"rows": result.rows, **_shares(result)})
        return
    click.echo(f"{len(rows)} claims, {result.rows} of them labelled")
    if result.rows:
        for name, share in _shares(result).items():
            click.echo(f"{name.replace('_', ' ')}: {'–' if share is None else f'{100 * share:.1f}%'}")


def _shares(result: Figures) -> dict[str, float | None]:
    """The figures as shares 0…1; none where nothing could be counted."""
    shares = {
        "auc": result.auc,
        "balanced_accuracy": result.balanced_accuracy,
        "pass_is_right": result.pass_precision,
        "fail_is_right": result.fail_precision,
        "undecided": result.undecided,
    }
    return {name: None if math.isnan(share) else share for name, share in shares.items()}
