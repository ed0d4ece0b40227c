"""Tags in a page's own HTML that swallow what follows: found, and taken out before the page is read.

An author who writes `<button>` in a sentence, without backticks, opens an element that nothing closes; to a parser all
the rest of the page stands in it, and buttons, fields and pictures are no sources. Here the tag goes and the rest of
the page stays, character by character where it was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.model.page import Page

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_RAW = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements whose content is no HTML (https://html.spec.whatwg.org/multipage/parsing.html §13.2.5, RAWTEXT, RCDATA)."""
_BOXES = ("audio", "button", "canvas", "nav", "noscript", "object", "select", "svg", "template", "video")
"""Elements that are never sources, whatever stands in them."""
_SHOWN = ("button", "object")
"""Of these, what browsers show the content of: a heading in one is a heading of the page."""
_ATTRIBUTES = r"""(?:[^<>"']++|"[^"]{0,8000}+"|'[^']{0,8000}+'){0,200}+"""
_TOKEN = re.compile(
    rf"<!--(?:.*?-->|.*)|<(?P<close>/?)(?P<name>[a-z][^\s/<>]{{0,60}})(?P<rest>{_ATTRIBUTES})>",
    re.IGNORECASE | re.DOTALL,
)
NAMES = (*_RAW, *_BOXES)
"""All that may swallow."""
_FIRST, _SECOND = ("".join(sorted({name[place] for name in NAMES})) for place in (0, 1))
_MAY_SWALLOW = re.compile(rf"<(?=[{_FIRST}][{_SECOND}])(?:{'|'.join(NAMES)})[\s/>]", re.IGNORECASE)
"""With a look at two letters before all names are tried: three times as fast, and every page is searched."""


class UnclosedTag(Struct, frozen=True):
    """A start tag that takes the rest of a page, or a heading of it, into an element that is no source."""

    tag: str
    """Its name, in lower case."""
    start: int
    """Offset of its `<` in the HTML."""
    end: int
    """Offset behind its `>`."""
    closed: tuple[int, int] | None = None
    """Offsets of its end tag, if it has one: then headings stand between."""


def may_have_unclosed(html: str) -> bool:
    """Whether a page has any element of `NAMES`."""
    return _MAY_SWALLOW.search(html) is not None


def unclosed_tags(html: str) -> tuple[UnclosedTag, ...]:
    """The tags of a page that swallow what follows, in order. Time grows with the page, whatever stands in it."""
    if not may_have_unclosed(html):
        return ()
    return tuple(sorted(_found(html), key=lambda item: item.start))


def without_unclosed(html: str) -> str:
    """The same HTML with spaces in place of those tags, so that all offsets stay."""
    found = unclosed_tags(html)
    if not found:
        return html
    spans = sorted([*((item.start, item.end) for item in found), *(item.closed for item in found if item.closed)])
    pieces, at = [], 0
    for start, end in spans:
        pieces += [html[at:start], " " * (end - start)]
        at = end
    return "".join([*pieces, html[at:]])


def broken_pages(
    documents: Iterable[tuple[Page, str | None]],
    root: Path,
    asking: Collection[str],
) -> Iterator[Finding]:
    """A finding for each tag that swallows what follows it.

    Args:
        documents: pages with their HTML.
        root: folder that `Page.file` is relative to.
        asking: paths of the pages that declare answers; of others it is told for information only.
    """
    for page, html in documents:
        for item in unclosed_tags(html or ""):
            written = (html or "")[item.start : item.end]
            place = _place(page, root, written, item.tag)
            name = f"<{item.tag}>"
            tip = f"write `</{item.tag}>` before the next heading, or `{name}` in backticks if it is to be read"
            finding = found("broken-page", place, f"`{name}` {_what(item)}", tip=tip)
            yield finding if page.src in asking else replace(finding, severity=Severity.INFO)


def _what(item: UnclosedTag) -> str:
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


def _found(html: str) -> Iterator[UnclosedTag]:
    open_: dict[str, list[tuple[int, int]]] = {}
    unclosed: set[str] = set()
    heading = -1
    at = 0
    while match := _TOKEN.search(html, at):
        at = match.end()
        name = (match["name"] or "").lower()
        place = match.span()
        if not name or (match["rest"].endswith("/") and name == "svg"):
            continue
        if name in _RAW:
            end = None if match["close"] or name in unclosed else _end_tag(name).search(html, at)
            if end:
                at = end.end()
            elif not match["close"]:
                unclosed.add(name)  # and so is every later one
                yield UnclosedTag(name, *place)
        elif name in HEADINGS:
            heading = heading if match["close"] else match.start()
        elif name not in _BOXES:
            continue
        elif not match["close"]:
            open_.setdefault(name, []).append(place)
        elif open_.get(name):
            start, end_of_start = open_[name].pop()
            if name in _SHOWN and heading > start:
                yield UnclosedTag(name, start, end_of_start, place)
    for name, places in open_.items():
        yield from (UnclosedTag(name, *place) for place in places)


def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])[^<>]{{0,1000}}+>", re.IGNORECASE)
