"""Print what a docs team sees of the gate: claims that people wrote, each an authored answer, through the pipeline.

    python -m benchmarks.authored SITES_DIR CLAIMS_DIR [--only SITE …] [--list]

`CLAIMS_DIR/<site>.jsonl` holds a row for each claim: `id`, `page`, `anchor`, `question`, `claim`, `label` (1 right,
0 wrong), `kind`. Each becomes an answer that cites the section. A claim passes, is left to a person (a warning, which
fails `--strict`), or fails any build (an error). Intervals are 95%, from a bootstrap over sites. Pages are rendered by
MkDocs once and kept.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sites import rendered
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, Severity
from mkdocs_cited.model.options import Settings
from mkdocs_cited.pipeline import Pipeline
from mkdocs_cited.pipeline.resolution import Resolution
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index

OUTCOMES = ("pass", "warning", "error")
_ORDER = {Severity.ERROR: 2, Severity.WARNING: 1}
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a build makes of one claim."""

    site: str
    row: dict[str, Any]
    findings: tuple[Finding, ...]

    @property
    def fate(self) -> str:
        """One of `OUTCOMES`: the worst finding decides."""
        return OUTCOMES[max((_ORDER.get(finding.severity, 0) for finding in self.findings), default=0)]

    @property
    def right(self) -> bool:
        return bool(self.row["label"])


def outcomes(site: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Outcome]:
    """What becomes of each row, in order: resolved by the pipeline as `mkdocs-cited check` does it."""
    corpus = Index.open(None)
    corpus.sync(rendered(site))
    with tempfile.TemporaryDirectory() as folder:
        run = Run("never", writes=False, calls_models=False)
        pipeline = Pipeline(Settings(), corpus, Store(Path(folder), "answers"), run)
        for number, row in enumerate(rows):
            declaration = Declaration(
                "authored.md", f"c{number}", row["question"], Place("docs/authored.md"), text=cited(row)
            )
            answer = Resolution(pipeline, declaration).answer()
            report = pipeline.triage.sort(answer.findings, whole=False)
            yield Outcome(site.name, row, report.shown)


def cited(row: dict[str, Any]) -> str:
    """A row's claim with a citation of its section before the full stop."""
    claim = row["claim"].strip()
    cite = f"[@{row['page']}{'#' + row['anchor'] if row['anchor'] else ''}]"
    return f"{claim[:-1]} {cite}{claim[-1]}" if claim[-1] in ".!?" else f"{claim} {cite}"


def table(results: Sequence[Outcome]) -> Iterator[str]:
    """The shares of right and wrong claims, with intervals, and what became of each kind."""
    yield f"{'':24}{'claims':>7}" + "".join(f"{name:>20}" for name in OUTCOMES)
    for right in (True, False):
        yield _line("right" if right else "WRONG", [item for item in results if item.right is right])
    for right in (True, False):
        kinds = sorted({item.row["kind"] for item in results if item.right is right})
        for kind in kinds:
            some = [item for item in results if item.right is right and item.row["kind"] == kind]
            counts = Counter(item.fate for item in some)
            mark = " " if right else "*"
            yield f"{mark} {kind:22}{len(some):>7}" + "".join(f"{counts[name]:>20}" for name in OUTCOMES)
    slugs = Counter((finding.slug, item.right) for item in results for finding in _errors(item))
    for slug in sorted({slug for slug, _ in slugs}):
        yield f"errors by `{slug}`: right {slugs[slug, True]}, wrong {slugs[slug, False]}"


def _errors(outcome: Outcome) -> set[Finding]:
    return {finding for finding in outcome.findings if finding.severity is Severity.ERROR}


def _line(name: str, results: Sequence[Outcome]) -> str:
    cells = []
    for fate in OUTCOMES:
        low, high = interval(results, fate)
        share = sum(item.fate == fate for item in results) / max(len(results), 1)
        cells.append(f"{share:6.1%} ({low:.0%}–{high:.0%})")
    return f"{name:24}{len(results):>7}" + "".join(f"{cell:>20}" for cell in cells)


def interval(results: Sequence[Outcome], fate: str) -> tuple[float, float]:
    """The share of one fate, 95%, from a bootstrap over sites."""
    sites: dict[str, list[bool]] = {}
    for item in results:
        sites.setdefault(item.site, []).append(item.fate == fate)
    groups, dice, shares = list(sites.values()), random.Random(0), []  # noqa: S311
    for _ in range(RESAMPLES if groups else 0):
        drawn = [one for group in dice.choices(groups, k=len(groups)) for one in group]
        shares.append(sum(drawn) / len(drawn))
    shares.sort()
    return (shares[RESAMPLES // 40], shares[-RESAMPLES // 40]) if shares else (0.0, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sites", type=Path)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--only", nargs="*", help="only these sites")
    parser.add_argument("--list", action="store_true", help="show right claims that fail, and wrong ones that pass")
    options = parser.parse_args()
    results: list[Outcome] = []
    for path in sorted(options.claims.glob("*.jsonl")):
        if options.only and path.stem not in options.only:
            continue
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        results += outcomes(options.sites / path.stem, rows)
    if options.list:
        for item in results:
            if (item.right, item.fate) in ((True, "error"), (False, "pass")):
                print(f"- {'FALSE ALARM' if item.right else 'WRONG PASS'} {item.row['id']} {item.row['kind']}")
                print(f"    {item.row['claim']}\n    {item.row['passage'][:300]!r}")
                for finding in item.findings:
                    print(f"    {finding.severity} {finding.slug}: {finding.message}")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
