"""Print how many answers hold the facts that a right answer must hold, and what is said where the docs have none.

python -m benchmarks.questions ../shared/sites ../shared/data/questions-dev [--list] [--encoder MODEL] [SITE …]

Each site is rendered once (see `benchmarks.finding`); its questions are declared in front matter and go through the
pipeline, offline, with the options as they are shipped. An answer is `all` when every key fact of the question stands
in it, `some` or `none` when a part or none does, `declined` when there is no answer: a fact is a list of alternatives,
compared without case, emphasis, backticks and differences of white space, as in `key_facts.py` of the shared tools.
`1st` and `3` are the shares of questions whose facts all stand in the first section, or the first three, that the
writer was given; `page@5` and `section@5` say whether a gold page or section is among the first five found. Intervals
are 95%, from a bootstrap over sites.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from benchmarks.finding import FIRST
from benchmarks.sites import CACHE, declared, rendered
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Section
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import Local, Settings

OUTCOMES = ("all", "some", "none", "declined")


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one question."""

    row: dict[str, Any]
    answer: Answer
    outcome: str
    words: int
    first: bool
    three: bool
    page: bool
    section: bool
    cited: bool

    @property
    def answerable(self) -> bool:
        return bool(self.row["answerable"])


def main() -> None:
    parser = labelled(__doc__)
    parser.add_argument("--encoder", default="", help="name or folder of a local model that finds by meaning")
    parser.add_argument("--list", action="store_true", help="print every question with its answer")
    arguments = parser.parse_intermixed_args()
    results: list[Result] = []
    print(f"{'site':14}{''.join(f'{outcome:>9}' for outcome in OUTCOMES)}   unanswerable declined")
    for path in files(arguments):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        mine = ask(arguments.sites / path.stem, rows, arguments.encoder)
        print(f"{path.stem:14}{counted(mine)}", flush=True)
        results += mine
    for kind in sorted({item.row["kind"] for item in results}):
        print(f"  {kind:18}{counted([item for item in results if item.row['kind'] == kind])}")
    print(summary(results))
    if arguments.list:
        for item in results:
            print(f"\n## [{item.row['id']}] {item.row['question']} → {item.outcome}, {item.words} words")
            print(f"must hold {item.row['must']}; first {item.first}, three {item.three}\n")
            print(item.answer.content or f"({item.answer.reason})")


def labelled(doc: str | None) -> argparse.ArgumentParser:
    """The command line of a benchmark of labelled questions; `parse_intermixed_args` reads it."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites")
    parser.add_argument("questions", type=Path, help="folder of questions, a file of JSON lines for each site")
    parser.add_argument("names", nargs="*", help="only these sites")
    return parser


def files(arguments: argparse.Namespace) -> list[Path]:
    """The questions that the command line names: a file for each site."""
    return [path for path in sorted(arguments.questions.glob("*.jsonl")) if path.stem in (arguments.names or path.stem)]


def ask(site: Path, rows: Sequence[dict[str, Any]], encoder: str = "") -> list[Result]:
    """Ask the questions of one site, all on one page. Records are neither there nor written."""
    index = Index.open(CACHE / "index", site.name)
    index.sync(rendered(site))
    with tempfile.TemporaryDirectory() as root:
        run = Run("always", writes=False, calls_models=False)
        pipeline = Pipeline(Settings(local=Local(encoder=encoder)), index, Store(Path(root), "answers"), run)
        answers = {answer.id: answer for answer in pipeline.settle_all(declared([row["question"] for row in rows]))}
    results = [result(row, answers[f"q{number}"], index) for number, row in enumerate(rows)]
    index.close()
    return results


def result(row: dict[str, Any], answer: Answer, index: Index) -> Result:
    """What an answer comes to, held against the facts and places of a question."""
    sections: dict[tuple[str, int], Section] = {}
    # The writer is given different pages first; what was found is told in the order of its worth.
    for source in sorted(answer.consulted, key=lambda source: -source.worth):
        sections.setdefault((source.passage.page.src, source.passage.section.position), source.passage.section)
    found = list(sections.values())
    texts = [text_of(section, index) for section in found[:3]]
    gold = {(place["page"], place["anchor"]) for place in row["gold"]}
    pages = {page for page, _ in gold}
    text = flat(answer.content) if answer.ok else ""
    return Result(
        row,
        answer,
        outcome_of(row["must"], text) if answer.ok else "declined",
        len(text.split()),
        outcome_of(row["must"], flat(" ".join(texts[:1]))) == "all",
        outcome_of(row["must"], flat(" ".join(texts))) == "all",
        any(section.page.src in pages for section in found[:FIRST]),
        any((section.page.src, section.anchor) in gold for section in found[:FIRST]),
        answer.ok and any(source.passage.page.src in pages for source in answer.sources),
    )


def outcome_of(must: Sequence[Sequence[str]], text: str) -> str:
    """`all`, `some` or `none` of the facts stand in a flat text."""
    held = [any(flat(alternative) in text for alternative in fact) for fact in must]
    return "all" if held and all(held) else "some" if any(held) else "none"


def flat(text: str) -> str:
    """A text without numbers, emphasis, backticks and case, its white space collapsed."""
    text = re.sub(r"[`*_]", "", re.sub(r"\[\^[\w-]+\]", "", text).replace("\\", ""))
    return re.sub(r"\s+", " ", text).lower()


def text_of(section: Section, index: Index) -> str:
    """The heading and the text of one section, without those below it."""
    passages = [
        item for item in index.section(section.page.src, section.anchor) if item.section.position == section.position
    ]
    return " ".join([section.title, *(passage.text for passage in passages)])


def counted(results: Sequence[Result]) -> str:
    """The outcomes of some questions, in a table's columns."""
    own = Counter(item.outcome for item in results if item.answerable)
    strange = [item.outcome == "declined" for item in results if not item.answerable]
    counts = "".join(f"{own[outcome]:>9}" for outcome in OUTCOMES)
    return f"{counts}   {sum(strange)} of {len(strange)}" if strange else counts


def summary(results: Sequence[Result]) -> str:
    """All figures with their intervals."""
    own, strange = [r for r in results if r.answerable], [r for r in results if not r.answerable]
    words = sorted(item.words for item in own if item.answer.ok) or [0]
    lines = [f"\n{len(own)} that the docs answer, {len(strange)} that they do not"]
    lines += [f"{outcome:>20} {share(own, partial(came_to, outcome))}" for outcome in OUTCOMES]
    lines.append(f"{'unanswerable declined':>20} {share(strange, partial(came_to, 'declined'))}")
    lines += [f"{title:>20} {share(own, attrgetter(name))}" for name, title in NAMES.items()]
    return "\n".join([*lines, f"{'words':>20} median {words[len(words) // 2]}, p90 {words[len(words) * 9 // 10]}"])


NAMES = {"first": "1st", "three": "3", "page": "page@5", "section": "section@5", "cited": "gold page cited"}


def came_to(outcome: str, item: Result) -> bool:
    return item.outcome == outcome


def share(results: Sequence[Result], of: Callable[[Result], bool]) -> str:
    """How many of some questions, with the 95% interval that sites drawn anew a thousand times give."""
    if not results:
        return "—"
    by_site: dict[str, list[bool]] = defaultdict(list)
    for item in results:
        by_site[item.row["site"]].append(of(item))
    draw, names = random.Random(0), sorted(by_site)  # noqa: S311
    means = sorted(
        statistics.mean(held for name in draw.choices(names, k=len(names)) for held in by_site[name])
        for _ in range(1000)
    )
    mean = statistics.mean(held for group in by_site.values() for held in group)
    return f"{100 * mean:5.1f}%   {100 * means[25]:.1f} … {100 * means[974]:.1f}"


if __name__ == "__main__":
    main()
