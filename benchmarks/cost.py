"""What the plugin costs a build: `python -m benchmarks.cost SITES_DIR --pages 2000 --questions 30`.

A site of as many pages as are asked for is made of real pages: those of the given sites in turn, and where these run
out, copies of them with other words. It is built without the plugin, then with it: cold (no index, no records), as a
fresh clone has it (records, no index), warm (nothing changed), and with one page, one question and one option changed.
Each build is a process of its own. It prints medians of CPU seconds, the median of their ratios to the plain build of
the same round, the peak of memory, the size of the cache, and the seconds of each stage.

Every module is byte-compiled before, ours too, as it is where pip has installed it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import yaml

ORDER = ("kopia", "wsl", "redux", "juicefs", "influxdb-v1", "kedro", "rclone", "apisix", "argo-cd", "ruff")
"""Sites in the order in which their pages are taken; any others follow."""
PER_PAGE = 10
"""Questions that one page asks."""
THEME = {"name": "material", "font": False, "features": ["navigation.prune"]}
"""With the feature that Material recommends for large sites: without it, plain builds take quadratic time."""
COMPILED_FIRST = 500
"""Pages up to which a build is made for nothing first; in a longer one, two seconds of compiling make no difference."""
_WORD = re.compile(r"(?<![\w/.#(\[`<&-])[a-z]{6,}(?![\w/.\])`>-])")
_STAGE = re.compile(r"cited: (.+) took ([\d.]+) s")


@dataclass(frozen=True, slots=True)
class Site:
    """A project made for measuring."""

    folder: Path
    pages: int
    questions: int

    def plugins(self, options: dict[str, Any] | None) -> None:
        """Write `mkdocs.yml`: with these options of ours, or without the plugin."""
        ours: list[Any] = [] if options is None else [{"cited": options}]
        config = yaml.safe_load((self.folder / "base.yml").read_text(encoding="utf-8"))
        config["plugins"] = ["search", *ours]
        (self.folder / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")

    def forget(self, *names: str) -> None:
        """Delete folders."""
        for name in names:
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def cache(self) -> float:
        """Size of the cache, in MB."""
        files = (path for path in (self.folder / ".cache").rglob("*") if path.is_file())
        return sum(path.stat().st_size for path in files) / 1e6


@dataclass(frozen=True, slots=True)
class Cost:
    """What one build took."""

    cpu: float
    """User and system time in seconds: what a busy machine distorts least."""
    memory: float
    """Most memory held, in MB."""


def made(sites: Path, folder: Path, pages: int, questions: int) -> Site:
    """A site of this size."""
    names = [name for name in ORDER if (sites / name).is_dir()]
    names += sorted(path.parent.name for path in sites.glob("*/mkdocs.yml") if path.parent.name not in names)
    docs, used = folder / "docs", dict[tuple[int, str], None]()
    for number, name, source in islice(_sources(sites, names), pages):
        target = docs / f"{name}-{number}" / source.relative_to(sites / name / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(altered(source.read_text(encoding="utf-8", errors="replace"), number), encoding="utf-8")
        used[number, name] = None
    asked = list(islice(_asked(sites, list(used)), questions))
    for start in range(0, len(asked), PER_PAGE):
        front = yaml.safe_dump({"title": f"Questions {start}", "answers": asked[start : start + PER_PAGE]}, width=1000)
        (docs / f"questions-{start}.md").write_text(f"---\n{front}---\n# Questions {start}\n", encoding="utf-8")
    (docs / "index.md").write_text("# Start\n\nA site that is only measured.\n", encoding="utf-8")
    base = yaml.safe_load(re.sub(r"!!python\S*", "", (sites / names[0] / "mkdocs.yml").read_text(encoding="utf-8")))
    base |= {"site_name": "Measured", "theme": THEME}
    (folder / "base.yml").write_text(yaml.safe_dump(base, sort_keys=False), encoding="utf-8")
    return Site(folder, pages, len(asked))


def _sources(sites: Path, names: Sequence[str]) -> Iterator[tuple[int, str, Path]]:
    """Number of the copy, site, and file of each page, without end."""
    files = [(name, path) for name in names for path in sorted((sites / name / "docs").rglob("*.md"))]
    for number in count():
        yield from ((number, name, path) for name, path in files)


def _asked(sites: Path, used: Sequence[tuple[int, str]]) -> Iterator[dict[str, str]]:
    """The questions of the sites whose pages are there, in turn: each site's first, then each one's second."""
    rows = {
        (number, name): [json.loads(line)["question"] for line in (sites / name / "qa.jsonl").open(encoding="utf-8")]
        for number, name in used
    }
    for position in range(max(map(len, rows.values()), default=0)):
        for (number, name), questions in rows.items():
            if position < len(questions):
                text = altered(questions[position], number)
                yield {"id": f"{name}-{number}-{position}", "question": text}


def altered(text: str, number: int) -> str:
    """A text with every fourth of its longer words replaced by another; the same words at each place of a copy."""
    if not number:
        return text
    ending = "".join("aeiou"[int(digit) % 5] + "lnrstmdkvb"[int(digit)] for digit in str(number))

    def other(word: re.Match[str]) -> str:
        return word[0][:-2] + ending if sum(map(ord, word[0])) % 4 == number % 4 else word[0]

    return _WORD.sub(other, text)


def build(site: Site, bytecode: Path, *flags: str) -> tuple[Cost, str]:
    """Build a site; what it took, and its log."""
    command = [sys.executable, "-m", "mkdocs", "build", *(flags or ("-q",)), "-f", str(site.folder / "mkdocs.yml")]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(bytecode), "CI": "", "NO_MKDOCS_2_WARNING": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()
    if process.returncode and "errors in the answers" not in text and "error in the answers" not in text:
        raise SystemExit(f"the build failed:\n{text[-2000:]}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), text


def variants(site: Site) -> dict[str, Callable[[int], None]]:
    """Name of each build → what is done before it, in this order, by the number of the round."""
    docs = site.folder / "docs"
    page = next(path for path in sorted(docs.rglob("*.md")) if path.parent != docs)
    asking = docs / "questions-0.md"

    def cold(_: int) -> None:
        site.plugins({})
        site.forget(".cache", "answers")

    def page_changed(number: int) -> None:
        page.write_text(f"{page.read_text(encoding='utf-8')}\n\nThis is change {number} of it.\n", encoding="utf-8")

    def question_changed(number: int) -> None:
        text = asking.read_text(encoding="utf-8")
        asking.write_text(text.replace("?", " now?" if number % 2 == 0 else " today?", 1), encoding="utf-8")

    return {
        "plain": lambda _: site.plugins(None),
        "cold": cold,
        "fresh clone": lambda _: site.forget(".cache"),
        "warm": lambda _: None,
        "one page changed": page_changed,
        "one question changed": question_changed,
        "one option changed": lambda number: site.plugins({"max_sources": 7 - number % 3}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites, each with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=(), help="names of builds; plain and cold are always among them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        site = made(arguments.sites, Path(temporary) / "site", arguments.pages, arguments.questions)
        print(f"{site.pages} pages, {site.questions} questions, {arguments.rounds} rounds")
        measure(site, Path(temporary) / "bytecode", arguments.rounds, {"plain", "cold", *arguments.only})


def measure(site: Site, bytecode: Path, rounds: int, only: set[str]) -> None:
    """Build and print."""
    steps = {name: step for name, step in variants(site).items() if name in only or only == {"plain", "cold"}}
    costs: dict[str, list[Cost]] = {name: [] for name in steps}
    if site.pages <= COMPILED_FIRST:
        site.plugins({})
        build(site, bytecode)  # for nothing, so that every file is compiled and in the system's cache
    for number in range(rounds):
        for name, step in steps.items():
            step(number)
            costs[name].append(build(site, bytecode)[0])
    print("| build | CPU s | over plain | plugin s | peak MB | over plain |\n|---|---|---|---|---|---|")
    for name, values in costs.items():
        pairs = list(zip(values, costs["plain"], strict=True))
        over = 100 * (statistics.median(value.cpu / plain.cpu for value, plain in pairs) - 1)
        added = statistics.median(value.cpu - plain.cpu for value, plain in pairs)
        memory = statistics.median(value.memory - plain.memory for value, plain in pairs)
        cpu, peak = (statistics.median(getattr(value, field) for value in values) for field in ("cpu", "memory"))
        print(f"| {name} | {cpu:.2f} | {over:+.1f}% | {added:+.2f} | {peak:.0f} | {memory:+.0f} |")
    site.plugins({})
    site.forget(".cache", "answers")
    _, log = build(site, bytecode, "-v")
    stages = ", ".join(f"{stage} {seconds} s" for stage, seconds in _STAGE.findall(" ".join(log.split())))
    print(f"\ncache {site.cache():.1f} MB; stages of a cold build: {stages}")


if __name__ == "__main__":
    main()
