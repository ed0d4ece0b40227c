"""Print how long `mkdocs-cited check` takes with 250, 500, 1,000 and 2,000 recorded answers, beside a plain build.

    python -m benchmarks.answers [MOST]

The site has a page for every ten answers; each answer is written once by `mkdocs-cited update` and then checked from
its record. Seconds of processor time, the best of two runs.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = (250, 500, 1_000, 2_000)
SUBJECTS = ("retries", "timeouts", "sessions", "uploads", "exports", "quotas", "mirrors", "tokens", "builds", "queues")


def main(most: int) -> int:
    """Measure each size of site, and print a line for each."""
    print(f"{'answers':>8} {'build s':>9} {'update s':>9} {'check s':>9} {'check ms/answer':>16}")
    for number in (step for step in STEPS if step <= most):
        with tempfile.TemporaryDirectory(prefix="cited-answers-") as folder:
            root = Path(folder)
            write_site(root, number)
            plain = min(seconds(root, "mkdocs", "build", "-q", "-f", "plain.yml", "-d", "plain") for _ in range(2))
            update = seconds(root, "mkdocs_cited", "update")
            check = min(seconds(root, "mkdocs_cited", "check") for _ in range(2))
            records = sum(1 for _ in (root / "answers").rglob("*.md"))
            assert records == number, f"{records} of {number} answers were recorded"
            print(f"{number:>8} {plain:>9.1f} {update:>9.1f} {check:>9.1f} {1000 * (check - plain) / number:>16.1f}")
    return 0


def write_site(root: Path, number: int) -> None:
    """A site with `number` questions, each answered by one sentence of the site and by no other."""
    (root / "mkdocs.yml").write_text("site_name: Many\ntheme: mkdocs\nplugins: [cited]\n", encoding="utf-8")
    (root / "plain.yml").write_text("site_name: Many\ntheme: mkdocs\nplugins: []\n", encoding="utf-8")
    (root / "docs").mkdir()
    (root / "docs" / "index.md").write_text("# Many\n", encoding="utf-8")
    for page in range(0, number, len(SUBJECTS)):
        names = [(f"{subject}-{page + at}", f"{subject} of region {page + at}") for at, subject in enumerate(SUBJECTS)]
        entries = "".join(f"  - {{id: {slug}, question: How many {name} are allowed?}}\n" for slug, name in names)
        prose = "".join(
            f"## About {slug}\n\nThere are {page + at + 2} {name} allowed in all.\n\nNobody has asked for more.\n\n"
            for at, (slug, name) in enumerate(names)
        )
        text = f"---\nanswers:\n{entries}---\n# Page {page}\n\n{prose}"
        (root / "docs" / f"page-{page}.md").write_text(text, encoding="utf-8")


def seconds(root: Path, module: str, *arguments: str) -> float:
    """Processor time of one command in a process of its own.

    Raises:
        SystemExit: it failed; says how.
    """
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", module]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*command, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{module} {' '.join(arguments)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS[-1]))
