"""How long each reporter takes for 25,000 findings, and whether it stays within its reader's limits.

    python benchmarks/reporters.py [FINDINGS]

Prints a line for each format: seconds of CPU, megabytes, and what it takes of its reader's limit.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mkdocs_cited import reporters
from mkdocs_cited.model.answer import Answer, Claim, Judgement, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, Related, Severity, found
from mkdocs_cited.reporters.console import Console
from mkdocs_cited.reporters.interface import Report, Reporter
from mkdocs_cited.reporters.layout import Layout
from mkdocs_cited.reporters.markdown import SUMMARY_BYTES, Markdown

CLAIM = "The client waits for 60 seconds after the {n}th request — 等待 60 秒 — then sends it again, up to `{n}` times."
PASSAGE = "After request {n}, wait for the 600 seconds that `Retry-After` names, then send it again. " * 2
CLAIMS_PER_ANSWER = 5


def report_of(number: int) -> Report:
    """A report of `number` findings, a fifth of them without a claim, on a page for every fifty."""
    slugs = [slug for slug, kind in CATALOGUE.items() if kind.severity is not Severity.OFF]
    shown = tuple(_finding(n, slugs[n % len(slugs)]) for n in range(number))
    return Report(shown=shown, answers=tuple(_answers(number)))


def _finding(n: int, slug: str) -> Finding:
    page = f"guide/page-{n // 50}.md"
    key = f"{page}#answer-{n // CLAIMS_PER_ANSWER}"
    passage = f"api/limits-{n % 500}.md#retry~{n % 1000:06d}"
    place = Place(f"docs/api/limits-{n % 500}.md", 1 + n % 90, 1, 1 + n % 90, 80) if n % 2 else None
    return found(
        slug,
        Place(f"answers/{key.replace('#', '/')}.md", 10 + n % 40, 1, 10 + n % 40, 90),
        f"`60` and `{n}` do not stand in the cited passage, which says `600`.",
        tip="Write the figure of the passage, or cite the passage that says it.",
        answer=key,
        claim=CLAIM.format(n=n) if n % 5 else "",
        marks=((21, 23),),
        related=(Related("the cited passage", place, passage, PASSAGE.format(n=n)),),
    )


def _answers(number: int) -> Iterator[Answer]:
    for n in range(0, number, CLAIMS_PER_ANSWER):
        page = f"guide/page-{n // 50}.md"
        claims = tuple(
            ReviewedClaim(Claim(CLAIM.format(n=i), (1,)), (), Judgement(Verdict.UNSUPPORTED))
            for i in range(n, min(n + CLAIMS_PER_ANSWER, number))
        )
        name = f"answer-{n // CLAIMS_PER_ANSWER}"
        yield Answer(f"{page}#{name}", page, name, f"Question {n}?", Status.PENDING, claims=claims)


def limit_of(name: str, text: str) -> str:
    """What the reader of a format takes, and what this text has of it."""
    data = text.encode("utf-8")
    match name:
        case "sarif":
            results = len(json.loads(text)["runs"][0]["results"])
            return f"{results:,} of 25,000 results, {len(gzip.compress(data)) / 1e6:.1f} of 10 MB compressed"
        case "github":
            return f"{sum(line.startswith('::error') for line in text.splitlines())} of 10 errors"
        case "markdown":
            return f"{len(text):,} of 65,536 characters"
        case "summary":
            return f"{len(data):,} of {SUMMARY_BYTES:,} bytes"
    return ""


def main(number: int) -> None:
    report = report_of(number)
    kinds: list[tuple[str, Reporter]] = [(name, reporters.get(name)) for name in reporters.available()]
    kinds += [("console, in colour", Console(Layout(color=True))), ("summary", Markdown(SUMMARY_BYTES))]
    print(f"{number:,} findings, {len(report.answers):,} answers")
    for name, reporter in kinds:
        start = time.process_time()
        text = reporter.render(report)
        seconds = time.process_time() - start
        print(f"{name:20} {seconds:6.2f} s {len(text.encode('utf-8')) / 1e6:8.2f} MB  {limit_of(name, text)}")


if __name__ == "__main__":
    main(int(sys.argv[1].replace(",", "")) if len(sys.argv) > 1 else 25_000)
