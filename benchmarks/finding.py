"""Print how often the pages that maintainers point to are among the first five that an answer's writer is given.

python -m benchmarks.finding ../shared/sites [SITE …]

Each site is rendered by MkDocs once and cached under the system's temporary folder; questions are declared in front
matter and go through the pipeline, offline. `R@5` is the mean share of a question's gold pages among the pages of the
first five of `consulted`, `MRR` the mean of 1 ÷ the rank of the first gold page, `cites` the share of answers with a
citation of a gold page, `none` the share without an answer. Intervals are 95%, from a bootstrap over sites.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites import declared, rendered
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import pages_of
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select_passages import select
from mkdocs_cited.settings import Settings

FIRST = 5
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4)
OUT_OF_SCOPE = """How do I bake bread?
What is the capital of France?
Who won the world cup in 2018?
How tall is Mount Everest?
What is the best pizza in Naples?
How do I renew my passport?
When was Mozart born?
Can dogs eat chocolate?
How do I change a bicycle tire?
What time does the museum open?
How much does a house in Berlin cost?
Is it going to rain tomorrow?
How do I train for a marathon?
What are the side effects of aspirin?
How do I grow tomatoes on a balcony?
Which shares should I buy?
How do I learn to play the guitar?
How far away is the moon?
How do I file my tax return?
Who painted the Mona Lisa?""".splitlines()


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one question."""

    site: str
    question: str
    recall: float
    reciprocal_rank: float
    cites_gold: bool
    answered: bool
    relevance: float
    """Of the best that was found, whatever the threshold."""


def main(folder: Path, names: Sequence[str]) -> None:
    sites = sorted(path.parent for path in folder.glob("*/qa.jsonl") if not names or path.parent.name in names)
    results: list[Result] = []
    strays: list[float] = []
    print(f"{'site':14}{'pages':>6}{'asked':>7}{'R@5':>7}{'MRR':>7}{'cites':>7}{'none':>7}{'s':>7}")
    for site in sites:
        pages = rendered(site)
        index = Index.open(None)
        index.sync(pages)
        start = time.perf_counter()
        mine = ask(site, index)
        elapsed = time.perf_counter() - start
        strays += [best_relevance(declared([question])[0], index) for question in OUT_OF_SCOPE]
        print(f"{site.name:14}{len(pages):>6}{line(mine)}{elapsed:>7.1f}")
        results += mine
    for name, kept in (("all", results), ("without kedro", [item for item in results if item.site != "kedro"])):
        print(f"{name:20}{line(kept)}   R@5 {interval(kept)}")
    print("\nthreshold   questions of the site kept   made-up questions kept")
    for threshold in THRESHOLDS:
        inside = statistics.mean(item.relevance >= threshold for item in results)
        outside = statistics.mean(value >= threshold for value in strays)
        print(f"{threshold:>9}{100 * inside:>28.1f}%{100 * outside:>23.1f}%")


def ask(site: Path, index: Index) -> list[Result]:
    """Ask the strong questions of a site, all on one page."""
    rows = [json.loads(text) for text in (site / "qa.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["quality"] == "strong"]
    declarations = declared([row["question"] for row in rows])
    with tempfile.TemporaryDirectory() as root:
        run = Run("never", writes=False, calls_models=False)
        pipeline = Pipeline(Settings(), index, Store(Path(root), "answers"), run)
        answers = {answer.id: answer for answer in pipeline.settle_all(declarations)}
    return [
        result(site.name, row["gold_pages"], answers[item.id], best_relevance(item, index))
        for row, item in zip(rows, declarations, strict=True)
    ]


def result(site: str, gold: Sequence[str], answer: Answer, relevance: float) -> Result:
    """Compare an answer with the pages that the maintainers' own answer leads to."""
    first = pages_of(source.passage for source in answer.consulted[:FIRST])
    ranked = pages_of(source.passage for source in answer.consulted)
    rank = next((place for place, page in enumerate(ranked, start=1) if page in gold), 0)
    cited = pages_of(source.passage for source in answer.sources)
    return Result(
        site,
        answer.question,
        len(set(first) & set(gold)) / len(gold),
        1 / rank if rank else 0.0,
        bool(set(cited) & set(gold)),
        bool(answer.content),
        relevance,
    )


def best_relevance(declaration: Declaration, index: Index) -> float:
    """How relevant the best source of a question is, 0…1."""
    selection = select(declaration, index, replace(Settings(), cite_threshold=0.0))
    return max((source.query_relevance for source in selection.sources), default=0.0)


def line(results: Sequence[Result]) -> str:
    """The figures of some questions, in a table's columns."""

    def mean(of: Callable[[Result], float]) -> str:
        return f"{statistics.mean(map(of, results)):>7.3f}"

    return "".join(
        (
            f"{len(results):>7}" if len(results) < 100 else f"{len(results):>6} ",
            mean(lambda item: item.recall),
            mean(lambda item: item.reciprocal_rank),
            mean(lambda item: item.cites_gold),
            mean(lambda item: not item.answered),
        )
    )


def interval(results: Sequence[Result]) -> str:
    """The 95% interval of R@5, with sites drawn anew a thousand times."""
    by_site: dict[str, list[float]] = {}
    for item in results:
        by_site.setdefault(item.site, []).append(item.recall)
    draw = random.Random(0)  # noqa: S311
    names = sorted(by_site)
    means = sorted(
        statistics.mean(recall for name in draw.choices(names, k=len(names)) for recall in by_site[name])
        for _ in range(1000)
    )
    return f"{means[25]:.3f} … {means[974]:.3f}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
