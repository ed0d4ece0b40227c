"""Print every reason of the offline reader that is not true of its claim and passages; ends with 1 if there is one.

    python -m benchmarks.reasons benchmarks/claims-set/claims.jsonl ../shared/data/docs-claims-dev/*.jsonl
    python -m benchmarks.reasons --sites ../shared/sites ../shared/data/authored-dev/*.jsonl

Rows are those of `benchmarks.claims`, or, with `--sites`, of `benchmarks.authored`: then pages are rendered by MkDocs
once and kept, and a reason is held against the cited section.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import benchmarks.finding
from mkdocs_cited.evaluation.labelled import read_rows
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.review.lexical.reviewer import LexicalResult, judge, read
from mkdocs_cited.search.index import Index

_QUOTED = r"[“`](.+?)[”`]"


def untrue(result: LexicalResult, claim: str, passage: str) -> str:
    """What is wrong with a result's reasons, seen by the texts alone; empty when they are true."""
    reason, said = result.reason, passage.casefold()
    if reason.startswith("no cited passage has"):
        words = [one or other for one, other in re.findall(r"“([^”]*)”|`([^`]*)`", reason)]
        strange = [word for word in words if re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", said)]
        return f"{strange} stand in the passage" if strange else ""
    if match := re.match(f"the claim says {_QUOTED}, the closest passage has no such word", reason):
        return "" if match[1] in claim else "the claim does not say it"
    if match := re.match(f"the closest passage says {_QUOTED}", reason):
        return "" if match[1] in passage else "the passage does not say it"
    for proof in result.proofs:
        if not all(cell in said for cell in proof.passage.casefold().split()):
            return f"the passage does not say {proof.passage}"
        if not 0 <= proof.claim[0] <= proof.claim[1] <= len(claim):
            return "the claim has no such range"
        if match := re.match(f"the claim says {_QUOTED}, (?:its passage says {_QUOTED})?", proof.message):
            if match[1] not in claim:
                return f"the claim does not say {match[1]}"
            if match[2] and not all(word in passage for word in match[2].split()):
                return f"the passage does not say {match[2]}"
    return ""


def _plain(path: Path) -> Iterator[tuple[str, str, LexicalResult]]:
    for row in read_rows(path):
        yield row.claim, "\n".join(row.evidence), judge(row.claim, row.evidence)


def _cited(path: Path, sites: Path) -> Iterator[tuple[str, str, LexicalResult]]:
    index = Index.open(None)
    index.sync(benchmarks.finding.rendered(sites / path.stem))
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        evidence = tuple(Evidence(each, each.text) for each in index.section(row["page"], row["anchor"]))
        said = "\n".join(f"{item.passage.text}\n{item.heading}" for item in evidence)
        if evidence:
            yield row["claim"], said, read(row["claim"], evidence, "en", row["question"])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sites", type=Path, help="the rows cite sections of these sites")
    options = parser.parse_args()
    reasons = faults = 0
    for path in options.files:
        for claim, said, result in _cited(path, options.sites) if options.sites else _plain(path):
            reasons += bool(result.reason)
            if fault := untrue(result, claim, said):
                faults += 1
                print(f"- {claim}\n    {result.reason}\n    {fault}")
    print(f"{reasons} reasons, {faults} of them untrue")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
