"""Print what the lexical reviewer makes of labelled claims: of 100 right and 100 wrong ones, how many pass, wait, fail.

    python -m benchmarks.claims ../shared/data/docs-claims-dev/*.jsonl benchmarks/claims-set/claims.jsonl

Below each set, its kinds of claims. Processor time is the median of a claim, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from mkdocs_cited.evaluation.labelled import Fates, Prediction, Row, evaluate, figures, read_rows
from mkdocs_cited.review.lexical.reviewer import judge


def main(files: list[Path]) -> None:
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
    options = parser.parse_args()
    main(options.files)
