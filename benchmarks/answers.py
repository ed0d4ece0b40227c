"""Print how often the offline writer answers, how many of its answers are right, and where it points otherwise.

python -m benchmarks.answers ../shared/sites ../shared/data/questions-dev [--encoder MODEL] [--list FILE] [SITE …]

Each site is rendered once; its questions go through the pipeline, offline. An answer is right when every key fact of
the question is in it: a fact is a list of alternatives, compared without case, emphasis, backticks and differences of
white space, as `key_facts.py` of the shared tools does. `left out` answers each site's questions with the bound that
the other sites choose: the least from which four of five answers are right. `points right` is the share of declined
questions that the docs do answer with a right page among the first three that are pointed to.
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
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.options import Local, Settings
from mkdocs_cited.model.source import pages_of
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.providers.extractive import Extractive
from mkdocs_cited.records import Store
from mkdocs_cited.search.answering import SURE
from mkdocs_cited.search.index import Index

GRID = [number / 50 for number in range(10, 51)]
WANTED = 0.8
POINTERS = 3


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one question."""

    row: dict[str, Any]
    answer: Answer
    """With nothing declined for want of certainty."""
    certainty: float

    @property
    def right(self) -> bool:
        return bool(self.row["answerable"]) and outcome_of(self.row["must"], flat(self.answer.content)) == "all"

    @property
    def points_right(self) -> bool:
        pages = pages_of(source.passage for source in self.answer.consulted)
        return bool({place["page"] for place in self.row["gold"]} & set(pages[:POINTERS]))

    def given(self, bound: float) -> bool:
        """Whether it is answered where this certainty is asked for."""
        return bool(self.answer.content) and self.certainty >= bound


def main() -> None:
    parser = labelled(__doc__)
    parser.add_argument("--encoder", default="", help="name of an encoder that finds by meaning")
    parser.add_argument(
        "--list", type=Path, help="file for the questions that the left-out bounds answer, with answers"
    )
    arguments = parser.parse_intermixed_args()
    results: list[Result] = []
    for path in files(arguments):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        results += ask(arguments.sites / path.stem, rows, arguments.encoder)
    for bound in GRID:
        print(f"{bound:>12.2f}  {figures([(item, item.given(bound)) for item in results])}")
    print(f"{f'shipped {SURE:.2f}':>12}  {figures([(item, item.given(SURE)) for item in results])}")
    sites = sorted({item.row["site"] for item in results})
    bounds = {site: least([item for item in results if item.row["site"] != site]) for site in sites}
    left_out = [(item, item.given(bounds[item.row["site"]])) for item in results]
    print(f"{'left out':>12}  {figures(left_out)}; bounds {sorted(set(bounds.values()))}")
    if arguments.list:
        told = [f"## {item.row['question']}\n\n{item.answer.content}\n" for item, given in left_out if given]
        arguments.list.write_text("\n".join(told), encoding="utf-8")


def ask(site: Path, rows: Sequence[dict[str, Any]], encoder: str = "") -> list[Result]:
    """Ask the questions of one site, all on one page, and let the writer give whatever comes nearest."""
    index = Index.open(CACHE / "index", site.name)
    index.sync(rendered(site))
    Extractive.sure = 0.0
    with tempfile.TemporaryDirectory() as root:
        run = Run("always", writes=False, calls_models=False)
        pipeline = Pipeline(Settings(local=Local(encoder=encoder)), index, Store(Path(root), "answers"), run)
        answers = {answer.id: answer for answer in pipeline.resolve_all(declared([row["question"] for row in rows]))}
    index.close()
    return [Result(row, answer := answers[f"q{number}"], certainty_of(answer)) for number, row in enumerate(rows)]


def certainty_of(answer: Answer) -> float:
    """As the writer says it of what it quotes; 0 where it quotes nothing."""
    found = re.search(r"certainty ([\d.]+)", answer.sources[0].reasoning) if answer.sources else None
    return float(found[1]) if found else 0.0


def least(results: Sequence[Result]) -> float:
    """The least bound from which four of five answers are right."""
    for bound in GRID:
        given = [item.right for item in results if item.given(bound)]
        if given and sum(given) >= WANTED * len(given):
            return bound
    return 1.0


def figures(results: Sequence[tuple[Result, bool]]) -> str:
    """What comes of questions, each with whether it is answered."""
    own = [(item, given) for item, given in results if item.row["answerable"]]
    strange = [not given for item, given in results if not item.row["answerable"]]
    given = [item.right for item, given in results if given]
    pointers = [item.points_right for item, given in own if not given]
    return (
        f"answered {share([given for _, given in own])}, right {share(given)}, "
        f"unanswerable declined {share(strange)}, points right {share(pointers)}"
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
