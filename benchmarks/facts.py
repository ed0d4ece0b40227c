"""Facts of real repositories: how many statements are read, agree and differ, and what it costs.

python -m benchmarks.facts FOLDER [NAME …]    a row for each repository in FOLDER (whose folder's name has a NAME), and
                                              each difference, to be judged by eye
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from mkdocs_cited.facts import facts_of
from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import Fact, Status
from mkdocs_cited.facts.results import shown_value


def main(folder: Path, names: list[str]) -> None:
    """Print a row for each repository, its differences, and the totals."""
    totals = Counter[str]()
    for root in sorted(folder.iterdir()):
        if not root.is_dir() or (names and not any(name in root.name for name in names)):
            continue
        started = time.process_time()
        facts = facts_of(root, project_files(root))
        seconds = time.process_time() - started
        counts = Counter(fact.status.value for fact in facts)
        counts["read"] = len(facts)
        totals += counts
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True)
        print(f"{root.name} {commit.stdout.strip()}: {_row(counts)}; {seconds:.1f} CPU s")
        for fact in facts:
            if fact.status is Status.DIFFERS:
                _show(fact)
    print(f"all: {_row(totals)}")


def _row(counts: Counter[str]) -> str:
    return f"{counts['read']} read, {counts['agrees']} agree, {counts['differs']} differ, {counts['unknown']} unknown"


def _show(fact: Fact) -> None:
    statement, definition = fact.statement, fact.definition
    if definition:
        code = f"{shown_value(fact)} ({definition.file}:{definition.line})"
        print(f"  {statement.names[0]}: {statement.text} ({statement.file}:{statement.line}); {code}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
