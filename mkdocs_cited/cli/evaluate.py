"""`eval`: how good the gate is, on one's own site or on labelled claims."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.cli.group import config_option, json_option, main, site_option
from mkdocs_cited.cli.output import echo, emit_json
from mkdocs_cited.cli.sites import checked, opened
from mkdocs_cited.evaluation import LIMIT
from mkdocs_cited.model.answer import Judgement, Verdict

if TYPE_CHECKING:
    from mkdocs_cited.evaluation.mutation import MutationReport, Trial
    from mkdocs_cited.review.interface import Case


@main.command("eval")
@config_option
@site_option
@click.option("--limit", type=click.IntRange(1, 100_000), default=LIMIT, show_default=True,
              help="How many claims of the site are made wrong.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed draws other claims.")
@click.option("--examples", type=click.IntRange(0), default=5, show_default=True,
              help="How many survivors of each kind are shown.")  # fmt: skip
@click.option(
    "--claims",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Labelled claims, a JSON object a line: id, claim, evidence, and label (1 = supported) if known.",
)
@click.option(
    "--predictions",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write id, verdict and score of each claim of `--claims`.",
)
@json_option
def evaluate_gate(
    config_file: Path | None,
    folder: Path | None,
    limit: int,
    seed: int,
    examples: int,
    claims: Path | None,
    predictions: Path | None,
    as_json: bool,
) -> None:
    """Measure the gate, offline: on this site by mutation testing, or on labelled claims.

    Claims of the site's answers, and where those are few, sentences of its pages, are made wrong in eight ways: how
    many does the gate stop? How many right ones does it let through? Always exits 0.
    """
    from mkdocs_cited.evaluation.mutation import lines, run
    from mkdocs_cited.review.interface import Review
    from mkdocs_cited.review.lexical.reviewer import Lexical

    if claims is not None:
        _on_claims(claims, predictions, as_json)
        return
    if predictions is not None:
        raise UsageError("--predictions needs --claims", tip="mkdocs-cited eval --claims FILE --predictions FILE")
    site = opened(config_file, folder=folder)
    answers = checked(site).answers
    reviewer, corpus = Lexical(site.settings), site.corpus

    def judge(case: Case) -> Judgement:
        review = reviewer.review([case], corpus)
        return review.judgements[0] if isinstance(review, Review) else Judgement(Verdict.UNCHECKED)

    report = run(corpus, answers, judge, seed=seed, limit=limit, settings=site.settings)
    if as_json:
        emit_json(_site_object(report))
        return
    for line in _first(report):
        echo(line)
    echo(f"\n{report.claims} claims, seed {report.seed}")
    for line in lines(report, examples):
        echo(line)


def _first(report: MutationReport) -> Iterator[str]:
    """What a team asks first: how much noise there is, and how much is caught."""
    right, alarms = report.right_rate.claims, report.right_rate.failed
    wrong, caught = sum(rate.claims for rate in report.rates), sum(rate.failed for rate in report.rates)
    passed = sum(rate.passed for rate in report.rates)
    yield f"false alarms: {alarms} of {right} right claims failed ({_share(alarms, right)})"
    yield f"catches: {caught} of {wrong} wrong claims failed ({_share(caught, wrong)}), and {passed} passed unseen"
    yield f"the other {wrong - caught - passed} wrong claims wait for a person"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def _site_object(report: MutationReport) -> dict[str, Any]:
    """What `--json` prints of a site."""
    from mkdocs_cited.evaluation.mutation import free_wording

    return {
        "seed": report.seed,
        "claims": report.claims,
        "wrong": [{**asdict(rate), "caught": rate.caught} for rate in report.rates],
        "right": [asdict(report.right_rate)],
        "free_wording": [asdict(rate) for rate in free_wording()],
        "survivors": list(map(_trial_object, report.survivors)),
        "not_passed": list(map(_trial_object, report.wronged)),
    }


def _trial_object(trial: Trial) -> dict[str, Any]:
    return {**asdict(trial), "passages": list(trial.passages)}


def _on_claims(claims: Path, predictions: Path | None, as_json: bool) -> None:
    from mkdocs_cited.evaluation.labelled import evaluate, rates, read_rows

    rows = list(read_rows(claims))
    guesses = list(evaluate(rows))
    if predictions is not None:
        predictions.parent.mkdir(parents=True, exist_ok=True)
        predictions.write_text("".join(f"{guess.as_json()}\n" for guess in guesses), encoding="utf-8")
    result = rates(rows, guesses)
    if as_json:
        emit_json({"rows": len(rows), **{rate.kind: asdict(rate) for rate in result}})
        return
    echo(f"{len(rows)} claims")
    for rate in result:
        for fate in ("passed", "unconfirmed", "failed"):
            echo(f"{rate.kind} claims, {fate}: {_share(getattr(rate, fate), rate.claims)} of {rate.claims}")
