"""Print what local models cost: passages made into vectors, and a question; cold and again.

    python -m benchmarks.local SITE --encoder MODEL [--passages 5000]

`SITE` is rendered by MkDocs once and kept. Vectors go to a cache of their own, empty at first. `1% changed`
is one run with every hundredth passage reworded. `wall` is what a clock says, `processor` the time of all cores
together, both in seconds; on a busy machine the latter tells more. Memory is the most that the process has had.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.sites import rendered
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.encoder import Cache, Encoder
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.meaning import described

QUESTIONS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("site", type=Path, help="folder with mkdocs.yml and docs/")
    parser.add_argument("--encoder", required=True, help="name of a local model that makes vectors")
    parser.add_argument("--passages", type=int, default=5_000)
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':32}{'wall':>9}{'processor':>11}{'a second':>10}")
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder) / "kept.sqlite")
        passages(arguments.site, arguments.encoder, arguments.passages, cache)


def passages(site: Path, name: str, count: int, cache: Cache) -> None:
    """Vectors of a site's first passages, and of questions."""
    index = Index.open(None)
    index.sync(rendered(site))
    texts = [described(item) for page in index.pages() for item in index.section(page.src, "")][:count]
    folder = store.find(name)
    encoder = Encoder(read_layout(folder), store.identity(read_layout(folder)), cache)
    encoder.questions(["Loading is not measured?"])
    before = memory()
    timed(f"{len(texts):,} passages", len(texts), lambda: encoder.passages(texts))
    print(f"{'memory, MB: before, at most':32}{before:>9}{memory():>11}")
    timed("again", len(texts), lambda: encoder.passages(texts))
    changed = [f"{text} Changed." if number % 100 == 0 else text for number, text in enumerate(texts)]
    timed("1% changed", len(texts), lambda: encoder.passages(changed))
    matrix, times = encoder.passages(texts), []
    for number in range(QUESTIONS):
        start = time.process_time(), time.perf_counter()
        (matrix @ encoder.questions([f"How do I change option {number} of this?"])[0]).argsort()
        times.append((time.perf_counter() - start[1], time.process_time() - start[0]))
    wall, own = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{'a question (median)':32}{wall:>9.3f}{own:>11.3f}")


def timed(name: str, count: int, work: Callable[[], object]) -> None:
    """A line for some work on so many things."""
    wall, own = time.perf_counter(), time.process_time()
    work()
    wall, own = time.perf_counter() - wall, time.process_time() - own
    print(f"{name:32}{wall:>9.1f}{own:>11.1f}{count / wall:>10.0f}", flush=True)


def memory() -> int:
    """The most megabytes that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
