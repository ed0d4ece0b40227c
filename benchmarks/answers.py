"""Print where the passage that answers a question stands among those that a person is offered.

python -m benchmarks.answers ../shared/sites ../shared/data/questions-dev [SITE …]

Each site is rendered once, and each question is searched as `mkdocs-cited review` does. A passage is right when its
page is a gold page of the question; `first`, `three` and `nine` are the shares of questions with a right one among so
many. `quoted` is the share of answerable questions that are answered by a quotation, `facts` the share of those that
hold every key fact, compared without case, emphasis, backticks and differences of white space.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sites import CACHE, declared, rendered
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.options import Settings
from mkdocs_cited.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import nearest

OFFERED = 9
"""Passages that a review offers."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one answerable question."""

    row: dict[str, Any]
    answer: Answer
    pages: tuple[str, ...]
    """Page of each passage that is offered, in order."""

    def right_among(self, count: int) -> bool:
        """Whether one of the first so many passages is on a gold page."""
        gold = {place["page"] for place in self.row["gold"]}
        return bool(gold.intersection(self.pages[:count]))

    @property
    def quoted(self) -> bool:
        return self.answer.status is Status.QUOTED

    @property
    def holds_facts(self) -> bool:
        return outcome_of(self.row["must"], flat(self.answer.content)) == "all"


def main() -> None:
    arguments = labelled(__doc__).parse_intermixed_args()
    results: list[Result] = []
    for path in files(arguments):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found = ask(arguments.sites / path.stem, [row for row in rows if row["answerable"]])
        print(f"{path.stem:16}{figures(found)}", flush=True)
        results += found
    print(f"{'all':16}{figures(results)}")


def ask(site: Path, rows: Sequence[dict[str, Any]]) -> list[Result]:
    """Ask the questions of one site, all on one page."""
    index = Index.open(CACHE / "index", site.name)
    index.sync(rendered(site))
    questions = declared([row["question"] for row in rows])
    settings = Settings()
    with tempfile.TemporaryDirectory() as root:
        run = Run("always", writes=False, calls_models=False)
        pipeline = Pipeline(settings, index, Store(Path(root), "answers"), run)
        answers = {answer.id: answer for answer in pipeline.resolve_all(questions)}
    results = []
    for number, (row, question) in enumerate(zip(rows, questions, strict=True)):
        sources = nearest(question, index, OFFERED)
        pages = tuple(source.passage.page.src for source in sources)
        results.append(Result(row, answers[f"q{number}"], pages))
    index.close()
    return results


def figures(results: Sequence[Result]) -> str:
    """The shares of some questions."""
    places = [share([item.right_among(count) for item in results]) for count in (1, 3, OFFERED)]
    quoted = [item for item in results if item.quoted]
    return (
        f"first {places[0]}, three {places[1]}, nine {places[2]}, "
        f"quoted {share([item.quoted for item in results])}, facts {share([item.holds_facts for item in quoted])}"
    )


def share(held: Sequence[bool]) -> str:
    return f"{100 * sum(held) / len(held):.0f}% ({sum(held)} of {len(held)})" if held else "—"


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


def outcome_of(must: Sequence[Sequence[str]], text: str) -> str:
    """`all`, `some` or `none` of the facts are in a flat text."""
    held = [any(flat(alternative) in text for alternative in fact) for fact in must]
    return "all" if held and all(held) else "some" if any(held) else "none"


def flat(text: str) -> str:
    """A text without numbers, emphasis, backticks and case, its white space collapsed."""
    text = re.sub(r"[`*_]", "", re.sub(r"\[\^[\w-]+\]", "", text).replace("\\", ""))
    return re.sub(r"\s+", " ", text).lower()


if __name__ == "__main__":
    main()
