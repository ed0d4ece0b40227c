"""Sites of any size, made of real pages for measuring, and builds of them; `benchmarks.cost` and others ask for them.

The pages are those of the given sites in turn, and where these run out, copies of them with other words. The questions
are those of the sites, and where these run out, one for each heading above a plain sentence, every second of
which has an answer of its author's: that sentence.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import yaml
from markdown.extensions.toc import slugify

ORDER = ("kopia", "wsl", "redux", "juicefs", "influxdb-v1", "kedro", "rclone", "apisix", "argo-cd", "ruff")
"""Sites in the order in which their pages are taken; any others follow."""
PER_PAGE = 10
"""Questions that one page asks."""
LAIN = 60
"""Seconds ago that options are said to be written: a build keeps no pages for commands where one has just changed."""
THEME = {"name": "material", "font": False, "features": ["navigation.prune"]}
"""With the feature that Material recommends for large sites: without it, plain builds take quadratic time."""
_COUNTING = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
_SAYING = re.compile(r"^##+ ([A-Z][\w ]+)\n\n([A-Z][\w ,;:()'’-]{40,200})\.(?:\n| [A-Z])", re.MULTILINE)
"""A heading in plain words, and the sentence in plain words that follows it."""
_WORD = re.compile(r"(?<![\w/.#(\[`<&-])[a-z]{6,}(?![\w/.\])`>-])")


def options(doc: str | None, *, pages: int, questions: int) -> argparse.ArgumentParser:
    """The command line of a benchmark that `measured` makes a site for."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites, each with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("--pages", type=int, default=pages)
    parser.add_argument("--questions", type=int, default=questions)
    parser.add_argument("--marks", type=int, default=0, help="sentences of ordinary pages with a citation")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--instructions", action="store_true", help="count instructions (valgrind), some 30 times slower"
    )
    return parser


@contextmanager
def measured(arguments: argparse.Namespace) -> Iterator[Site]:
    """A site as large as the command line says, with the plugin."""
    with tempfile.TemporaryDirectory() as temporary:
        site = made(arguments.sites, Path(temporary) / "site", arguments.pages, arguments.questions, arguments.marks)
        site.plugins({})
        print(f"{site.pages} pages, {site.questions} questions, {arguments.marks} marks, {arguments.rounds} rounds")
        yield site


@dataclass(frozen=True, slots=True)
class Site:
    """A project made for measuring."""

    folder: Path
    pages: int
    questions: int

    @property
    def bytecode(self) -> Path:
        """Where modules are compiled to."""
        return self.folder.parent / "bytecode"

    @property
    def environment(self) -> dict[str, str]:
        """Variables of a person who builds it."""
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(self.bytecode), "CI": "", "NO_MKDOCS_2_WARNING": "1"}
        environment["PYTHONHASHSEED"] = "0"  # sets are walked through in one order
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return environment

    def plugins(self, options: dict[str, Any] | None) -> None:
        """Write `mkdocs.yml`: with these options of ours, or without the plugin."""
        ours: list[Any] = [] if options is None else [{"cited": options}]
        config = yaml.safe_load((self.folder / "base.yml").read_text(encoding="utf-8"))
        config["plugins"] = ["search", *ours]
        file, written = self.folder / "mkdocs.yml", time.time() - LAIN
        file.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
        os.utime(file, (written, written))

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
    """User and system time in seconds, or billions of instructions: what no busy machine distorts."""
    memory: float
    """Most memory held, in MB."""


def made(sites: Path, folder: Path, pages: int, questions: int, marks: int = 0) -> Site:
    """A site of this size, with this many marked sentences at the ends of its pages."""
    names = [name for name in ORDER if (sites / name).is_dir()]
    names += sorted(path.parent.name for path in sites.glob("*/mkdocs.yml") if path.parent.name not in names)
    docs, used = folder / "docs", dict[tuple[int, str], None]()
    for number, name, source in islice(_sources(sites, names), pages):
        target = docs / f"{name}-{number}" / source.relative_to(sites / name / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(altered(source.read_text(encoding="utf-8", errors="replace"), number), encoding="utf-8")
        used[number, name] = None
    _mark(docs, marks)
    asked = list(islice(chain(_asked(sites, list(used)), _of_headings(docs)), questions))
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


def _mark(docs: Path, marks: int) -> None:
    """Add sentences with citations to pages: each states what another page says, word for word."""
    pages = sorted(docs.rglob("*.md"))
    for (_, sentence, place), page in zip(list(islice(_said(docs), marks)), reversed(pages * marks), strict=False):
        with page.open("a", encoding="utf-8") as file:
            file.write(f"\n\n{sentence} [@{place}].\n")


def _of_headings(docs: Path) -> Iterator[dict[str, str]]:
    """A question for each heading above a plain sentence; every second has an answer of its author's."""
    for number, (heading, sentence, place) in enumerate(_said(docs)):
        entry = {"id": f"heading-{number}", "question": f"What is “{heading}” about?"}
        yield entry | ({"text": f"{sentence} [@{place}]."} if number % 2 else {})


def _said(docs: Path) -> Iterator[tuple[str, str, str]]:
    """Each heading above a plain sentence, the sentence, and the address of both."""
    for path in sorted(docs.rglob("*.md")):
        for heading, sentence in _SAYING.findall(path.read_text(encoding="utf-8")):
            yield heading, sentence, f"{path.relative_to(docs).as_posix()}#{slugify(heading, '-')}"


def altered(text: str, number: int) -> str:
    """A text with every fourth of its longer words replaced by another; the same words at each place of a copy."""
    if not number:
        return text
    ending = "".join("aeiou"[int(digit) % 5] + "lnrstmdkvb"[int(digit)] for digit in str(number))

    def other(word: re.Match[str]) -> str:
        return word[0][:-2] + ending if sum(map(ord, word[0])) % 4 == number % 4 else word[0]

    return _WORD.sub(other, text)


def build(site: Site, *flags: str, counted: bool = False) -> tuple[Cost, str]:
    """Build a site; what it took, and its log. With `counted`, instructions are counted in place of seconds."""
    command = [sys.executable, "-m", "mkdocs", "build", *(flags or ("-q",)), "-f", str(site.folder / "mkdocs.yml")]
    counts = site.folder.parent / "instructions.txt"
    if counted:
        command = [*_COUNTING, f"--log-file={counts}", *command]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=site.environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()
    if process.returncode and "errors in the answers" not in text and "error in the answers" not in text:
        raise SystemExit(f"the build failed:\n{text[-2000:]}")
    executed = re.search(r"I\s+refs:\s+([\d,]+)", counts.read_text(encoding="utf-8")) if counted else None
    cpu = int(executed[1].replace(",", "")) / 1e9 if executed else used.ru_utime + used.ru_stime
    return Cost(cpu, used.ru_maxrss / 1024), text
