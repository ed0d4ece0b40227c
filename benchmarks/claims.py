"""Print how good the lexical reviewer is on labelled claims, the processor time of a pair (median), and plain overlap.

python -m benchmarks.claims ../shared/data
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.overlap import CUT, overlaps
from mkdocs_cited.evaluation.labelled import Prediction, Row, balanced_accuracy, evaluate, figures, read_rows, roc_auc
from mkdocs_cited.review.lexical.reviewer import judge

TARGETS = ("wice_claim_dev", "ab_gensearch_dev", "ab_lfqa_dev", "begin_wow_dev")
WIDTHS = (6, 7, 9, 12, 12, 11, 9, 16)


def main(folder: Path) -> None:
    files = sorted(folder.glob("claims-dev/*.jsonl")) + sorted(folder.glob("docs-claims-dev/*.jsonl"))
    judge("warm up the word lists", ["so that reading them is not measured"])
    heads = ("rows", "AUC", "bal.acc", "pass right", "fail right", "undecided", "ms/pair", "overlap alone")
    print(f"{'set':20}" + "".join(f"{head:>{width}}" for head, width in zip(heads, WIDTHS, strict=True)))
    means = []
    for file in files:
        rows = list(read_rows(file))
        guesses: list[Prediction] = []
        times = []
        for row in rows:
            start = time.process_time()
            guesses += evaluate([row])
            times.append((time.process_time() - start) * 1000)
        found = figures(rows, guesses)
        shares = (found.auc, found.balanced_accuracy, found.pass_precision, found.fail_precision, found.undecided)
        cells = "".join(f"{100 * share:>{width}.1f}" for share, width in zip(shares, WIDTHS[1:-2], strict=True))
        plain = plain_overlap(rows)
        yardstick = "{:.1f} / {:.1f}".format(*(100 * share for share in plain))
        print(f"{file.stem:20}{found.rows:>6}{cells}{statistics.median(times):>9.2f}{yardstick:>16}")
        if file.stem in TARGETS:
            means.append((found.auc, found.balanced_accuracy, *plain))
        if any(row.kind for row in rows):
            by_kind(rows, guesses)
    if means:
        print(
            "mean of the four: AUC {:.1f}, balanced accuracy {:.1f}; of overlap alone {:.1f} and {:.1f}".format(
                *(100 * statistics.mean(each) for each in zip(*means, strict=True))
            )
        )


def plain_overlap(rows: list[Row]) -> tuple[float, float]:
    """Return AUC and balanced accuracy of word overlap."""
    labels, shares = [bool(row.label) for row in rows], overlaps(rows)
    return roc_auc(labels, shares), balanced_accuracy(labels, [share >= CUT for share in shares])


def by_kind(rows: list[Row], guesses: list[Prediction]) -> None:
    """Print, by kind of claim, how often the score is on the right side of 0.5, and the sure verdicts."""
    kinds: dict[tuple[bool, str], list[tuple[Row, Prediction]]] = defaultdict(list)
    for row, guess in zip(rows, guesses, strict=True):
        kinds[bool(row.label), row.kind].append((row, guess))
    for (label, kind), pairs in sorted(kinds.items()):
        right = sum((guess.score >= 0.5) == label for _, guess in pairs)
        passed = sum(guess.verdict == "supported" for _, guess in pairs)
        open_ = sum(guess.verdict == "unchecked" for _, guess in pairs)
        title = f"{'right' if label else 'wrong'}  {kind}"
        print(f"    {title:35}{len(pairs):>4}  on its side {right:>3}  passed {passed:>3}  undecided {open_:>3}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
