"""Print what the lexical reviewer makes of labelled claims: of 100 right and 100 wrong ones, how many pass, wait, fail.

    python -m benchmarks.claims ../shared/data/docs-claims-dev/*.jsonl benchmarks/claims-set/claims.jsonl
        [--entailment MODEL]

With a local model, the AUC of its score, too.
Below each set, its kinds of claims. Processor time is the median of a claim, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from mkdocs_cited.evaluation.labelled import Fates, Prediction, Row, evaluate, figures, read_rows, roc_auc
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.classifier import Classifier
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.review.entailment import pair_of_texts
from mkdocs_cited.review.lexical.reviewer import judge


def main(files: list[Path], entailment: str) -> None:
    """Print a table for each file."""
    judge("warm up the word lists", ["so that reading them is not measured"])
    for file in files:
        rows, guesses, times = list(read_rows(file)), list[Prediction](), []
        for row in rows:
            start = time.process_time()
            guesses += evaluate([row])
            times.append((time.process_time() - start) * 1000)
        print(f"{file.stem}, {statistics.median(times):.1f} ms a claim")
        print(f"{'':32}{'claims':>7}{'passed':>9}{'waiting':>9}{'failed':>9}")
        _show("all", rows, guesses)
        for kind in sorted({row.kind for row in rows} - {""}):
            pairs = [(row, guess) for row, guess in zip(rows, guesses, strict=True) if row.kind == kind]
            _show(kind, [row for row, _ in pairs], [guess for _, guess in pairs])
        if entailment:
            print(auc([row for row in rows if row.label is not None], entailment))


def auc(rows: list[Row], name: str) -> str:
    """How well a local model's score tells right claims from wrong ones."""
    folder = store.find(name)
    model = Classifier(read_layout(folder), store.identity(folder), store.cache())
    read = [(row, pair) for row in rows for pair in [pair_of_texts(row.claim, row.evidence, model)] if pair]
    scores = model.scores([pair for _, pair in read])
    labels = [bool(row.label) for row, _ in read]
    right = sum(labels)
    return f"{folder.name}: AUC {roc_auc(labels, scores):.3f} on {right} right and {len(labels) - right} wrong claims"


def _show(name: str, rows: list[Row], guesses: list[Prediction]) -> None:
    result = figures(rows, guesses)
    for label, fates in (("right", result.right), ("wrong", result.wrong)):
        if fates.claims:
            print(_line(f"{label} {name}", fates))


def _line(name: str, fates: Fates) -> str:
    return f"{name:32}{fates.claims:>7}" + "".join(f"{share:>9.1%}" for share in fates.shares().values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="labelled claims, a JSON object a line")
    parser.add_argument("--entailment", default="", help="name of a local model that reads the claims, too")
    options = parser.parse_args()
    main(options.files, options.entailment)
