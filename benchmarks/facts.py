"""Facts of real repositories: how many statements are read, agree and differ, and what it costs.

python -m benchmarks.facts FOLDER [NAME …]    a row for each repository in FOLDER (whose folder's name has a NAME), and
                                              each difference, to be judged by eye

No difference was shown for the repositories of `HELD_OUT` when they were first read; what is read there was looked at
once since.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from mkdocs_cited.facts.files import project_files
from mkdocs_cited.facts.matching import Fact, Status
from mkdocs_cited.facts.results import shown_value
from mkdocs_cited.facts.run import facts_of

HELD_OUT = frozenset(
    (
        "alacritty+alacritty binwiederhier+ntfy bitnami-labs+sealed-secrets BurntSushi+ripgrep cilium+tetragon"
        " gitlabform+gitlabform jupyter-server+jupyter_server kyverno+kyverno locustio+locust meilisearch+meilisearch"
        " navidrome+navidrome pgbouncer+pgbouncer postgresml+postgresml projectdiscovery+nuclei rook+rook"
        " sequelize+sequelize testcontainers+testcontainers-node unjs+nitro Unleash+unleash"
    ).split()
)
"""Repositories, as OWNER+NAME, that nothing was tuned on."""


def main(folder: Path, names: list[str]) -> None:
    """Print a row for each repository, its differences, and the totals of both groups."""
    totals = {True: Counter[str](), False: Counter[str]()}
    for root in sorted(folder.iterdir()):
        if not root.is_dir() or (names and not any(name in root.name for name in names)):
            continue
        started = time.process_time()
        facts = facts_of(root, project_files(root))
        seconds = time.process_time() - started
        counts = Counter(fact.status.value for fact in facts)
        counts["read"] = len(facts)
        totals[root.name in HELD_OUT] += counts
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True)
        print(f"{root.name} {commit.stdout.strip()}: {_row(counts)}; {seconds:.1f} CPU s")
        for fact in facts:
            if fact.status is Status.DIFFERS:
                _show(fact)
    for is_held_out, counts in totals.items():
        print(f"{'held out' if is_held_out else 'others'}: {_row(counts)}")


def _row(counts: Counter[str]) -> str:
    return f"{counts['read']} read, {counts['agrees']} agree, {counts['differs']} differ, {counts['unknown']} unknown"


def _show(fact: Fact) -> None:
    statement, definition = fact.statement, fact.definition
    if definition:
        code = f"{shown_value(fact)} ({definition.file}:{definition.line})"
        print(f"  {statement.names[0]}: {statement.text} ({statement.file}:{statement.line}); {code}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
