"""What a page says of itself in its HTML: title, language, author, dates, licence. Nothing is guessed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.sources.web.blocks import visible

_LONGEST = 200
"""Characters of what is kept of each."""
_PUBLISHED = ("article:published_time", "datepublished", "dcterms.created", "dc.date.created", "citation_date", "date")
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "revised")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_LICENCE = re.compile(r"licen[cs]ed under|creative commons|all rights reserved|©|lizenz|licence", re.IGNORECASE)
_MOST_JSON = 200_000
"""Characters of JSON-LD that are read."""


class Stated(Struct, frozen=True):
    """What a page states; empty where it does not."""

    title: str = ""
    language: str = ""
    """BCP 47."""
    author: str = ""
    published: str = ""
    """ISO 8601 date."""
    modified: str = ""
    """ISO 8601 date."""
    license: str = ""
    """The line, or the address of the licence."""


def stated(tree: LexborHTMLParser) -> Stated:
    """What a page states of itself. Its tree is left as it is."""
    metas = {key.lower(): content for key, content in _metas(tree)}
    data = list(_json_ld(tree))
    html = tree.css_first("html")
    language = (html.attributes.get("lang") or "" if html is not None else "").strip()
    return Stated(
        title=_line(_title(tree, metas)),
        language=language if _LANGUAGE.fullmatch(language) else "",
        author=_line(metas.get("author", "") or _first(data, "author")),
        published=_date(*(metas.get(key, "") for key in _PUBLISHED), _first(data, "datePublished")),
        modified=_date(*(metas.get(key, "") for key in _MODIFIED), _first(data, "dateModified")),
        license=_line(_licence(tree) or _first(data, "license")),
    )


def _title(tree: LexborHTMLParser, metas: dict[str, str]) -> str:
    """The page's only main heading, else what it is called when it is shared, else in the window's title."""
    headings = tree.css("h1")
    if len(headings) == 1 and (text := collapse(_text(headings[0]))):
        return text.removesuffix("¶").removesuffix("#").rstrip()
    title = tree.css_first("head > title")
    return metas.get("og:title", "") or (title.text() if title is not None else "")


def _metas(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in reversed(tree.css("meta[content]")):
        key = next(
            (node.attributes.get(name) for name in ("property", "name", "itemprop") if node.attributes.get(name)), ""
        )
        yield str(key), node.attributes.get("content") or ""


def _json_ld(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """The objects of the page's JSON-LD, those of its graphs too."""
    for node in tree.css('script[type="application/ld+json"]'):
        text = node.text()
        if len(text) > _MOST_JSON:
            continue
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield item
                graph = item.get("@graph")
                yield from (part for part in graph if isinstance(part, dict)) if isinstance(graph, list) else ()


def _first(data: list[dict[str, Any]], key: str) -> str:
    """The first text under a key; of an object, its name or address."""
    for item in data:
        value = item.get(key)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, dict):
            value = value.get("name") or value.get("url")
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _licence(tree: LexborHTMLParser) -> str:
    """The line in which the page names its licence: around its link to it, else in its footer."""
    link = tree.css_first("a[rel~=license]")
    if link is not None:
        line = collapse(link.parent.text()) if link.parent is not None else ""
        return line if 0 < len(line) <= _LONGEST else collapse(link.text()) or link.attributes.get("href") or ""
    head = tree.css_first("link[rel~=license][href]")
    if head is not None:
        return head.attributes.get("href") or ""
    for footer in tree.css("footer, [role=contentinfo], .footer, #footer"):
        for line in _text(footer).split("\n"):
            if _LICENCE.search(line) and len(collapse(line)) <= _LONGEST:
                return line
    return ""


def _date(*values: str) -> str:
    """The first that is an ISO 8601 date."""
    for value in values:
        try:
            return datetime.date.fromisoformat(value.strip()[:10]).isoformat()
        except ValueError:
            continue
    return ""


def _text(node: LexborNode) -> str:
    return node.text(separator="\n", skip_empty=True)


def _line(text: str) -> str:
    return shorten(collapse(visible(text)), _LONGEST)
