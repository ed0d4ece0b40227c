"""Print what the first request for each question holds: the facts that a right answer needs, and its size.

python -m benchmarks.requests ../shared/sites ../shared/data/questions-dev [--encoder MODEL] [--list] [SITE …]

The requests are built as `update` builds them and sent nowhere. `facts` is the share of answerable questions of which
every key fact is in the sections of the first request, their headings and paths included (a fact is a list of
alternatives, compared as in `benchmarks.answers`), `there` the share with all of them in sections of gold pages (a gold
`page` may be the beginning of a path: a version's folder), `section` the share with a gold section among them, `far`
how many questions have nothing close, `empty` how many got no section. `size` is the median of the characters of the
whole request as JSON.
`fresh` and `cached` are input tokens, in the median, at four characters a token: what each question sends for itself,
and what all questions of a site share (instructions, tools and table of contents), which is read from the cache at a
tenth of the price. `paid` is what both come to, in fresh tokens.
Intervals are 95%, from a bootstrap over sites.
"""

from __future__ import annotations

import json
import random
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.answers import files, flat, labelled, outcome_of
from benchmarks.sites import CACHE, declared, rendered
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.options import Local, Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import is_far, select


@dataclass(frozen=True, slots=True)
class Sent:
    """What one question is sent."""

    row: dict[str, Any]
    facts: bool
    there: bool
    section: bool
    far: bool
    empty: bool
    fresh: int
    cached: int
    size: int


def main() -> None:
    parser = labelled(__doc__)
    parser.add_argument("--encoder", default="", help="name of an encoder that finds by meaning")
    parser.add_argument("--budget", type=int, default=Settings().context_budget, help="characters of sections")
    parser.add_argument("--list", action="store_true", help="print the questions whose facts were not sent")
    arguments = parser.parse_intermixed_args()
    settings = Settings(local=Local(encoder=arguments.encoder), context_budget=arguments.budget)
    results: list[Sent] = []
    for path in files(arguments):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        mine = ask(arguments.sites / path.stem, rows, settings)
        print(f"{path.stem:14}{line(mine)}", flush=True)
        results += mine
    print(f"{'all':14}{line(results)}   facts {interval(results)}")
    if arguments.list:
        for item in results:
            if item.row["answerable"] and not (item.facts and item.there):
                print(f"- {item.row['id']}: {item.row['question']} {item.row['must']} {item.row['gold']}")


def ask(site: Path, rows: Sequence[dict[str, Any]], settings: Settings) -> list[Sent]:
    """Build the first request of each question of one site."""
    index = Index.open(CACHE / "index", site.name)
    index.sync(rendered(site))
    corpus = searched(index, settings)
    provider = Anthropic(settings)
    asked = declared([row["question"] for row in rows])
    sent = [measured(row, item, corpus, provider, settings) for row, item in zip(rows, asked, strict=True)]
    index.close()
    return sent


def searched(index: Index, settings: Settings) -> Corpus:
    """The corpus as writers search it."""
    if not settings.local.encoder:
        return index
    from mkdocs_cited.search.meaning import ByMeaning, Encoder

    return ByMeaning(index, Encoder(settings.local, Path.cwd()))


def measured(
    row: dict[str, Any], declaration: Declaration, corpus: Corpus, provider: Anthropic, settings: Settings
) -> Sent:
    """What one question is sent."""
    sources = select(declaration, corpus, settings)
    body: Any = provider.conversation(Request(declaration, sources, corpus)).body()
    content = body["messages"][0]["content"]
    shared = [block for block in (*body["system"], *content) if "cache_control" in block]
    results = [block for block in content if block["type"] == "search_result"]
    text = flat(" ".join(map(shown, results)))
    section = any(holds(block, place) for block in results for place in row["gold"])
    cached = sum(map(characters, shared)) + len(json.dumps(body.get("tools", "")))
    fresh = sum(characters(block) for block in content if block not in shared)
    facts = outcome_of(row["must"], text) == "all"
    right = [block for block in results if block["source"].startswith(tuple(place["page"] for place in row["gold"]))]
    there = outcome_of(row["must"], flat(" ".join(map(shown, right)))) == "all"
    size = len(json.dumps(body, ensure_ascii=False))
    far = all(is_far(source, settings) for source in sources)
    return Sent(row, facts, there, section, far, not results, fresh // 4, cached // 4, size)


def holds(block: dict[str, Any], place: dict[str, str]) -> bool:
    """Whether a result has something of the section at a place."""
    anchored = not place["anchor"] or f"(#{place['anchor']})" in shown(block)
    return bool(block["source"] == place["page"] and anchored)


def shown(block: dict[str, Any]) -> str:
    """What a model reads of a page."""
    return " ".join((block["source"], block["title"], *(part["text"] for part in block["content"])))


def characters(block: dict[str, Any]) -> int:
    """Characters of a content block that the model reads."""
    if block["type"] == "text":
        return len(block["text"])
    return len(block["source"]) + len(block["title"]) + sum(len(part["text"]) for part in block["content"])


def line(results: Sequence[Sent]) -> str:
    """The figures of some questions, in one line."""
    own = [item for item in results if item.row["answerable"]]
    shares = {
        name: 100 * statistics.mean(getattr(item, name) for item in own) for name in ("facts", "there", "section")
    }
    far, empty = (sum(getattr(item, name) for item in results) for name in ("far", "empty"))
    fresh, cached, size = (
        statistics.median(getattr(item, name) for item in results) for name in ("fresh", "cached", "size")
    )
    paid = statistics.median(item.fresh + item.cached / 10 for item in results)
    return (
        f"facts {shares['facts']:5.1f}%  there {shares['there']:5.1f}%  section {shares['section']:5.1f}%  "
        f"far {far:3}  empty {empty}  fresh {fresh:7,.0f}  cached {cached:7,.0f}  paid {paid:7,.0f}  size {size:7,.0f}"
    )


def interval(results: Sequence[Sent]) -> str:
    """The 95% interval of the share of questions with all facts, with sites drawn a thousand times."""
    by_site: dict[str, list[bool]] = defaultdict(list)
    for item in results:
        if item.row["answerable"]:
            by_site[item.row["site"]].append(item.facts)
    draw, names = random.Random(0), sorted(by_site)  # noqa: S311
    means = sorted(
        statistics.mean(held for name in draw.choices(names, k=len(names)) for held in by_site[name])
        for _ in range(1000)
    )
    return f"{100 * means[25]:.1f} … {100 * means[974]:.1f}"


if __name__ == "__main__":
    main()
