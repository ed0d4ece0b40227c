"""Mutation testing of the gate on real sites: what share of wrong claims it stops, and of right ones it passes.

    python benchmarks/mutation.py SITE... [--limit 200] [--seed 0] [--survivors 5]

SITE is a folder with `mkdocs.yml`. Its pages are rendered by MkDocs in a folder for the moment; claims are sentences
of the pages that cite themselves. `mkdocs-cited eval` does the same for the answers of one's own site.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.plugins import BasePlugin

from mkdocs_cited.evaluation import LIMIT
from mkdocs_cited.evaluation.mutation import MutationReport, run
from mkdocs_cited.evaluation.mutation_table import lines
from mkdocs_cited.model.answer import Judgement
from mkdocs_cited.model.source import Page
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.review.lexical.reviewer import Lexical
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import Settings


class Capture(BasePlugin):  # type: ignore[type-arg]  # it has no options
    """Keeps the rendered pages."""

    def __init__(self) -> None:
        self.pages: list[tuple[Page, str]] = []

    def on_page_content(self, html: str, *, page: Any, **_: Any) -> None:
        self.pages.append((Page(page.file.src_uri, page.file.url, str(page.title)), html))


def index_of(folder: Path) -> Index:
    """The passages of a site, as its pages render."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as site:
        config = load_config(str(folder / "mkdocs.yml"), site_dir=site)
        for name in [name for name in config.plugins if "search" in name]:
            del config.plugins[name]
        capture = Capture()
        config.plugins["capture"] = capture
        build(config)
    index = Index.open(None)
    index.sync(capture.pages)
    return index


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each site, and one for all of them together."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sites", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=int, default=5, help="how many of each kind to show")
    options = parser.parse_args(arguments)
    reviewer = Lexical(Settings())
    reports = []
    for site in options.sites:
        corpus = index_of(site)
        calls = [0, 0.0]

        def judge(case: Case, corpus: Index = corpus, calls: list[float] = calls) -> Judgement:
            start = time.perf_counter()
            review = reviewer.review([case], corpus)
            calls[0], calls[1] = calls[0] + 1, calls[1] + time.perf_counter() - start
            assert isinstance(review, Review)
            return review.judgements[0]

        report = run(corpus, (), judge, seed=options.seed, limit=options.limit)
        reports.append(report)
        print(f"\n== {site.name}: {report.claims} claims, {calls[1] / max(calls[0], 1) * 1000:.1f} ms a verdict")
        show(report, options.survivors)
    if len(reports) > 1:
        wrong = tuple(trial for report in reports for trial in report.wrong)
        right = tuple(trial for report in reports for trial in report.right)
        print(f"\n== all: {sum(report.claims for report in reports)} claims")
        show(MutationReport(options.seed, 0, wrong, right), 0)
    return 0


def show(report: MutationReport, most: int) -> None:
    """Print the rates, then survivors of each kind and right claims that did not pass."""
    for line in lines(report, most):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
