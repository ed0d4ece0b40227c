"""What the plugin costs a build: `python -m benchmarks.cost SITE_DIR`.

Builds a real site in turn without the plugin, with it cold (no index, no records), and with it warm (nothing changed),
each in a process of its own, and prints medians and the median of the ratios of neighbouring builds. Every module is
byte-compiled before, ours too, as it is where pip has installed it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.sites import prepare


def build(folder: Path, config: str, bytecode: Path) -> float:
    """User and system time of one build, in seconds: what a busy machine distorts least."""
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(folder / config)]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(bytecode)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.times()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="folder with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / arguments.site.name
        count = len(prepare(arguments.site, folder, arguments.questions))
        plain = (folder / "mkdocs.yml").read_text(encoding="utf-8").replace("  - cited\n", "")
        (folder / "plain.yml").write_text(plain, encoding="utf-8")
        times: dict[str, list[float]] = {"plain": [], "cold": [], "warm": []}
        started = time.monotonic()
        bytecode = Path(temporary) / "bytecode"
        for config in ("plain.yml", "mkdocs.yml", "mkdocs.yml"):
            build(folder, config, bytecode)  # for nothing, so that every file is compiled and in the system's cache
        for _ in range(arguments.rounds):
            times["plain"].append(build(folder, "plain.yml", bytecode))
            for name in (".cache", "answers"):
                shutil.rmtree(folder / name, ignore_errors=True)
            times["cold"].append(build(folder, "mkdocs.yml", bytecode))
            times["warm"].append(build(folder, "mkdocs.yml", bytecode))
        print(
            f"{arguments.site.name}: {count} questions, {arguments.rounds} rounds, {time.monotonic() - started:.0f} s"
        )
        for name, values in times.items():
            ratios = [value / plain for value, plain in zip(values, times["plain"], strict=True)]
            over = 100 * (statistics.median(ratios) - 1)
            print(f"  {name:5}  median {statistics.median(values):6.2f} s CPU   over plain {over:+5.1f}%")


if __name__ == "__main__":
    main()
