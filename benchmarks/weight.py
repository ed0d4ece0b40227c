"""Prints what answers add to built sites: `python -m benchmarks.weight SITE_DIR ...`.

For each folder with a built site (`cited.json` and its pages): answers, footnotes, bytes of the answers' blocks in the
pages, bytes that are footnotes, and bytes of `cited.json`. To compare versions, build the sites with each (`python -m
benchmarks.landing SITES_DIR --keep DIR` builds them) and run this on both.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

_ANSWER = re.compile(r'<div class="cited-answer ')
_DIV = re.compile(r"<(/?)div\b")
_NOTES = re.compile(r'<section class="cited-notes".*?</section>', re.DOTALL)


def weigh(site: Path) -> Counter[str]:
    """Counts of one built site."""
    counts = Counter({"cited.json": (site / "cited.json").stat().st_size})
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        for block in blocks(html):
            notes = "".join(_NOTES.findall(block))
            counts["answers"] += 1
            counts["footnotes"] += notes.count('<li id="fn:')
            counts["bytes"] += len(block.encode())
            counts["of which footnotes"] += len(notes.encode())
    return counts


def blocks(html: str) -> list[str]:
    """The HTML of each answer of a page."""
    found = []
    for match in _ANSWER.finditer(html):
        depth, end = 0, len(html)
        for tag in _DIV.finditer(html, match.start()):
            depth += -1 if tag[1] else 1
            if not depth:
                end = tag.end()
                break
        found.append(html[match.start() : end])
    return found


def main(folders: list[str]) -> None:
    total: Counter[str] = Counter()
    for folder in folders:
        counts = weigh(Path(folder))
        total.update(counts)
        print(f"{folder}: {dict(counts)}")
    print(f"all: {dict(total)}")


if __name__ == "__main__":
    main(sys.argv[1:])
