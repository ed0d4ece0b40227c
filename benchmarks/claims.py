"""Print what the lexical reviewer makes of labelled claims: of 100 right and 100 wrong ones, how many pass, wait, fail.

    python -m benchmarks.claims ../shared/data/docs-claims-dev/*.jsonl benchmarks/claims-set/claims.jsonl

Below each set, its kinds of claims.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.labelled import Prediction, Row, evaluate, rates, read_rows


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="labelled claims, a JSON object a line")
    for file in parser.parse_args().files:
        rows = list(read_rows(file))
        pairs = list(zip(rows, evaluate(rows), strict=True))
        print(f"{file.stem:32}{'claims':>7}{'passed':>9}{'waiting':>9}{'failed':>9}")
        show("all", pairs)
        for kind in sorted({row.kind for row in rows} - {""}):
            show(kind, [pair for pair in pairs if pair[0].kind == kind])


def show(name: str, pairs: list[tuple[Row, Prediction]]) -> None:
    for rate in rates([row for row, _ in pairs], [guess for _, guess in pairs]):
        if rate.claims:
            shares = (count / rate.claims for count in (rate.passed, rate.unconfirmed, rate.failed))
            print(f"{rate.kind + ' ' + name:32}{rate.claims:>7}" + "".join(f"{share:>9.1%}" for share in shares))


if __name__ == "__main__":
    main()
