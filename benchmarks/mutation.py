"""Mutation testing of the gate on real sites: what share of wrong claims it stops, and of right ones it passes.

    python -m benchmarks.mutation SITE… [--limit 200] [--seed 0] [--survivors 5]

SITE is a folder with `mkdocs.yml`. Claims are sentences of its pages that cite themselves. `mkdocs-cited eval` does the
same for the answers of a site.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from benchmarks.sites import rendered
from mkdocs_cited.evaluation import LIMIT
from mkdocs_cited.evaluation.mutation import MutationReport, lines, run
from mkdocs_cited.model.answer import Judgement
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.review.lexical.reviewer import Lexical
from mkdocs_cited.search.index import Index


def main() -> None:
    """Print a table for each site, and one for all of them together."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sites", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=int, default=5, help="how many of each kind to show")
    options = parser.parse_args()
    reports = []
    for site in options.sites:
        index = Index.open(None)
        index.sync(rendered(site))
        reports.append(
            run(index, (), partial(judge, Lexical(Settings()), index), seed=options.seed, limit=options.limit)
        )
        show(site.name, reports[-1], options.survivors)
    wrong = tuple(trial for report in reports for trial in report.wrong)
    right = tuple(trial for report in reports for trial in report.right)
    show("all", MutationReport(options.seed, sum(report.claims for report in reports), wrong, right), 0)


def judge(reviewer: Lexical, corpus: Corpus, case: Case) -> Judgement:
    review = reviewer.review([case], corpus)
    assert isinstance(review, Review)
    return review.judgements[0]


def show(name: str, report: MutationReport, most: int) -> None:
    """Print the rates, then survivors of each kind and right claims that did not pass."""
    print(f"\n== {name}: {report.claims} claims")
    for line in lines(report, most):
        print(line)


if __name__ == "__main__":
    main()
