"""Print what each ingredient of finding and answering by meaning gains: with it, and without.

python -m benchmarks.ingredients ../shared/sites ../shared/data/questions-dev --encoder MODEL [SITE …]

`words` is full text alone, `meaning` the encoder alone, `both` what is shipped; `text alone` gives the encoder passages
without what stands over them and leads into them, `headings`, `lead-ins` with the one or the other (a vector for each
passage of a site, made once and kept). Of the labelled questions: answers with all facts and with none, unanswerable
ones declined, all facts within the first three sections that are found, a gold page among the first five. `R@5` is the
mean share of gold pages among the first five sources for the questions that maintainers answered (`qa.jsonl`). `exact`
is the share of identifiers, error messages and rare words, each standing on one page of the site and asked for as it
is, whose page is among the first five sources: what meaning must not lose. `--seed` draws others.
"""

from __future__ import annotations

import json
import random
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.finding import CACHE, FIRST, declared, rendered
from benchmarks.questions import Result, files, labelled, result
from mkdocs_cited.base.values import replace
from mkdocs_cited.local_models.encoder import Encoder
from mkdocs_cited.model.answer import Abstention, Answer, Draft, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Hit, Passage, Scope, pages_of
from mkdocs_cited.providers.extractive import Extractive
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.search.evidence import IDENTIFIER
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.meaning import ByMeaning, described
from mkdocs_cited.search.overlay import Overlay
from mkdocs_cited.search.select_passages import select
from mkdocs_cited.settings import Settings

EXACT = 20
"""Things asked for letter by letter, of each kind and site."""
_ERROR = re.compile(r"^.{0,40}\b(?:error|failed|cannot|denied|refused|invalid|fatal|unable)\b.{0,80}$", re.IGNORECASE)
_RARE = re.compile(r"\b[a-z]{6,14}\b")


class NoWords(Overlay):
    """A corpus whose full text finds nothing."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        return ()


@dataclass(frozen=True, slots=True)
class Exact:
    """Something that stands on one page of a site only, asked for as it is."""

    kind: str
    """`identifier`, `message` or `rare word`."""
    query: str
    page: str


@dataclass(frozen=True, slots=True)
class Site:
    """One site with all that is asked of it."""

    index: Index
    rows: list[dict[str, Any]]
    maintainers: list[dict[str, Any]]
    exact: list[Exact]


@dataclass(frozen=True, slots=True)
class Row:
    """What one way of finding comes to on all sites."""

    labelled: list[Result]
    recall: list[float]
    exact: dict[str, list[float]]

    def __str__(self) -> str:
        own = [item for item in self.labelled if item.answerable]
        strange = [item for item in self.labelled if not item.answerable]
        cells = [share(item.outcome == "all" for item in own), share(item.outcome == "none" for item in own)]
        cells.append(f"{sum(item.outcome == 'declined' for item in strange)}/{len(strange)}")
        cells += [share(item.three for item in own), share(item.page for item in own)]
        cells.append(f"{statistics.mean(self.recall):.3f}" if self.recall else "—")
        cells += [share(self.exact[kind]) for kind in KINDS]
        return "".join(f"{cell:>12}" for cell in cells)


KINDS = ("identifier", "message", "rare word")
COLUMNS = ("all facts", "none", "declined", "first three", "page@5", "R@5", *KINDS)


def main() -> None:
    parser = labelled(__doc__)
    parser.add_argument("--encoder", required=True, help="name or folder of a local model that finds by meaning")
    parser.add_argument("--seed", type=int, default=0, help="of the draw of what is asked for letter by letter")
    parser.add_argument("--shapes", action="store_true", help="also the encoder's texts with parts left out")
    arguments = parser.parse_intermixed_args()
    sites = [read(arguments.sites / path.stem, path, arguments.seed) for path in files(arguments)]
    encoder = Encoder.named(arguments.encoder, Path.cwd())
    print(" " * 16 + "".join(f"{column:>12}" for column in COLUMNS))
    for name, way in ways(encoder, shapes=arguments.shapes).items():
        print(f"{name:16}{measured(sites, way)}", flush=True)


def ways(encoder: Encoder, *, shapes: bool) -> dict[str, Callable[[Index], Corpus]]:
    """Name → how a site is asked."""

    def shaped(headings: bool, lead: bool) -> Callable[[Index], Corpus]:
        def text(passage: Passage) -> str:
            return described(passage, headings=headings, lead=lead)

        return lambda index: ByMeaning(index, encoder, across=False, text=text)

    found: dict[str, Callable[[Index], Corpus]] = {
        "words": lambda index: index,
        "meaning": lambda index: ByMeaning(NoWords(index), encoder, across=False),
        "both": lambda index: ByMeaning(index, encoder, across=False),
    }
    if shapes:
        found |= {"text alone": shaped(False, False), "headings": shaped(True, False), "lead-ins": shaped(False, True)}
    return found


def read(site: Path, questions: Path, seed: int) -> Site:
    """A site with its questions."""
    index = Index.open(CACHE / "index", site.name)
    index.sync(rendered(site))
    rows = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    asked = site / "qa.jsonl"
    lines = asked.read_text(encoding="utf-8").splitlines() if asked.is_file() else []
    strong = [row for row in map(json.loads, lines) if row["quality"] == "strong"]
    return Site(index, rows, strong, drawn(index, random.Random(seed)))  # noqa: S311


def measured(sites: Sequence[Site], way: Callable[[Index], Corpus]) -> Row:
    """Everything that is asked of some sites, asked in one way."""
    labelled: list[Result] = []
    recall: list[float] = []
    exact: dict[str, list[float]] = defaultdict(list)
    for site in sites:
        corpus = way(site.index)
        declarations = declared([row["question"] for row in site.rows])
        answers = [answered(item, corpus) for item in declarations]
        labelled += [result(row, answer, site.index) for row, answer in zip(site.rows, answers, strict=True)]
        for row in site.maintainers:
            found, gold = first_pages(row["question"], corpus), set(row["gold_pages"])
            recall.append(len(found & gold) / len(gold))
        for item in site.exact:
            exact[item.kind].append(float(item.page in first_pages(item.query, corpus)))
    return Row(labelled, recall, exact)


def answered(declaration: Declaration, corpus: Corpus) -> Answer:
    """What the default provider makes of a question, as far as the figures need it."""
    settings = Settings()
    selection = select(declaration, corpus, settings)
    outcome = Extractive(settings).write(Request(declaration, selection.sources, corpus))
    draft = outcome if isinstance(outcome, Draft) else None
    status = Status.ACCEPTED if draft else Status.ABSTAINED
    answer = Answer.of(declaration, status, draft, reason=outcome.reason if isinstance(outcome, Abstention) else "")
    return replace(answer, consulted=selection.sources or selection.nearest)


def first_pages(query: str, corpus: Corpus) -> set[str]:
    """Pages of the first five sources for a question."""
    selection = select(declared([query])[0], corpus, Settings())
    return set(pages_of(source.passage for source in (selection.sources or selection.nearest)[:FIRST]))


def drawn(index: Index, draw: random.Random) -> list[Exact]:
    """`EXACT` of each kind that stand on one page only, drawn by lot."""
    places: dict[str, dict[str, set[str]]] = {kind: defaultdict(set) for kind in KINDS}
    words: dict[str, set[str]] = defaultdict(set)
    for page in index.pages():
        for passage in index.section(page.src, ""):
            for kind, text in candidates(passage):
                places[kind][text].add(page.src)
            for word in _RARE.findall(passage.text.lower()):
                words[word].add(page.src)
    places["rare word"] = words
    found: list[Exact] = []
    for kind, texts in places.items():
        single = sorted(text for text, pages in texts.items() if len(pages) == 1)
        chosen = draw.sample(single, min(EXACT, len(single)))
        found += [Exact(kind, text, next(iter(texts[text]))) for text in chosen]
    return found


def candidates(passage: Passage) -> Iterator[tuple[str, str]]:
    """What of a passage a user may ask for letter by letter, with its kind."""
    for name in IDENTIFIER.findall(passage.text):
        if len(name) >= 6:
            yield "identifier", name
    for line in passage.text.splitlines():
        if 20 <= len(line) <= 140 and _ERROR.match(line.strip()):
            yield "message", line.strip()


def share(held: Iterable[float]) -> str:
    """A mean of 0 and 1, in percent."""
    values = list(held)
    return f"{100 * statistics.mean(values):.1f}%" if values else "—"


if __name__ == "__main__":
    main()
