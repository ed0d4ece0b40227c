"""How many of a site's passages are found again in their Markdown files, and how long that takes.

    python benchmarks/locate.py path/to/mkdocs.yml

The plugin `cited` has to be installed and in `plugins:`. Prints the share of passages that get a place, the share
whose place holds every letter of the passage, and milliseconds a passage.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from mkdocs_cited.mkdocs_host.site import load
from mkdocs_cited.model.source import Passage
from mkdocs_cited.sources.locate import Letters, Locator, SourceText


def main(config: Path) -> None:
    site = load(config)
    passages = [passage for page in site.corpus.pages() for passage in site.corpus.section(page.src, "")]
    locator = Locator(site.root)
    start = time.perf_counter()
    places = [locator.place(passage) for passage in passages]
    each = (time.perf_counter() - start) / len(passages)
    found = sum(place is not None for place in places)
    exact = sum(_holds(passage, site.root) for passage in passages)
    print(
        f"{len(passages):,} passages: {found / len(passages):.1%} found, {exact / len(passages):.1%} letter by letter, "
        f"{1000 * each:.2f} ms each"
    )


def _holds(passage: Passage, root: Path) -> bool:
    """Whether the lines at the passage's place hold all its letters, in order."""
    place = Locator(root).place(passage)
    if place is None:
        return False
    prose = SourceText.of((root / place.file).read_bytes().decode("utf-8-sig")).prose.split("\n")
    lines = "\n".join(prose[place.line - 1 : place.end_line])
    return Letters.of(passage.text).text in Letters.of(lines).text


if __name__ == "__main__":
    main(Path(sys.argv[1]))
