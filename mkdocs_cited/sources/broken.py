"""What is wrong with the HTML that pages bring along, told with the line of the Markdown that holds it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.model.source import Page
from mkdocs_cited.sources.swallowing import Swallowing


def broken_pages(
    documents: Iterable[tuple[Page, str | None]],
    root: Path,
    asking: Collection[str],
    swallowing: Callable[[str, str], Sequence[Swallowing]],
) -> Iterator[Finding]:
    """A finding for each tag that swallows what follows it.

    Args:
        documents: pages with their HTML.
        root: folder that `Page.file` is relative to.
        asking: paths of the pages that declare answers; of others it is told for information only.
        swallowing: finds such tags in the content at an address.
    """
    for page, html in documents:
        for item in swallowing(page.url, html or ""):
            written = (html or "")[item.start : item.end]
            place = _place(page, root, written, item.tag)
            name = f"<{item.tag}>"
            tip = f"write `</{item.tag}>` before the next heading, or `{name}` in backticks if it is to be read"
            finding = found("broken-page", place, f"`{name}` {_what(item)}", tip=tip)
            yield finding if page.src in asking else replace(finding, severity=Severity.INFO)


def _what(item: Swallowing) -> str:
    if item.closed:
        return "holds a heading, which browsers then show as a part of it"
    return "is not closed, so that browsers read all that follows as a part of it"


def _place(page: Page, root: Path, written: str, tag: str) -> Place:
    """Where the tag stands in the page's file; the file alone where something else has written it."""
    file = page.file or page.src
    try:
        lines = (root / file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return Place(file)
    for words in (written, f"<{tag}"):
        for number, line in enumerate(lines, start=1):
            at = line.lower().find(words.lower())
            if at >= 0 and not line.count("`", 0, at) % 2:
                return Place(file, number, at + 1)
    return Place(file)
