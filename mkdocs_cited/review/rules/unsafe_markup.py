"""`unsafe-markup`: the answer holds HTML or a link that is not let through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.answer_text.addresses import acts, seen_by_browsers
from mkdocs_cited.answer_text.markdown import RunKind, blocks
from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule

_SCHEMES = frozenset({"", "http", "https", "mailto"})
_LEADING = frozenset({"href", "src", "srcset", "action", "poster", "background"})
_CITATION_TAG = re.compile(r"</?(?:cite|citation|citations|antml|search_result|document)\b", re.IGNORECASE)
"""What `leaked-markup` reports."""
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
"""What browsers drop from an address before they read its scheme."""
_STRUCK = re.compile(r"~~(?=[^\s~])")
_STRUCK_TIP = "take out what is not so: readers and reviewers would take it for the opposite of each other"


class UnsafeMarkup(Rule):
    """An answer is Markdown without HTML, and its links lead into the site or to a host that a cited source names.

    One in HTML has links of the same kind and no external images; a diagram has no lines that act. None strikes words
    out, since what is struck out is read and not meant.
    """

    slug = "unsafe-markup"

    def check(self, audit: Audit) -> Iterator[Finding]:
        match audit.declaration.target:
            case "html":
                yield from self._in_html(audit)
            case "mermaid":
                yield from self._in_diagram(audit)
            case "markdown":
                yield from self._in_markdown(audit)

    def _in_html(self, audit: Audit) -> Iterator[Finding]:
        tree = LexborHTMLParser(audit.content)
        for node in tree.css("del, s, strike"):
            at = max(0, audit.content.find(f"<{node.tag}"))
            yield self._found(audit, at, f"“{shorten(node.text())}” is struck out", _STRUCK_TIP)
        for node in tree.css("[href], [src], [srcset], [action], [poster], [background]"):
            for name, value in node.attributes.items():
                if name not in _LEADING or value is None:
                    continue
                reason = _fault(value, audit) if name == "href" else "images and the like come from the page itself"
                if reason:
                    tip = "link to a page of the site, or to an address that a cited passage names"
                    message = f"the {name} `{shorten(value)}` is not let through: {reason}"
                    yield self._found(audit, max(0, audit.content.find(value)), message, tip)

    def _in_diagram(self, audit: Audit) -> Iterator[Finding]:
        offset = 0
        for line in audit.content.split("\n"):
            if acts(line):
                tip = "take the line out: a diagram draws, and neither links nor runs anything"
                yield self._found(audit, offset, f"`{shorten(line.strip())}` is no line of a diagram that draws", tip)
            offset += len(line) + 1

    def _in_markdown(self, audit: Audit) -> Iterator[Finding]:
        for block in blocks(audit.content):
            for run in block.runs:
                struck = _STRUCK.search(audit.content, run.start, run.end) if run.kind is RunKind.TEXT else None
                if struck:
                    words = shorten(audit.content[struck.start() : run.end])
                    yield self._found(audit, struck.start(), f"“{words}” strikes words out", _STRUCK_TIP)
                tag = audit.content[run.start : run.end]
                if run.kind is RunKind.HTML and not _CITATION_TAG.match(tag):
                    tip = "write it in Markdown; what shall be read as it is goes into backticks"
                    yield self._found(audit, run.start, f"`{shorten(tag)}` is HTML, which is not let through", tip)
            for link in block.links:
                if reason := _fault(link.href, audit):
                    tip = "link to a page of the site, or to an address that a cited passage names"
                    message = f"the link to `{shorten(link.href)}` is not let through: {reason}"
                    yield self._found(audit, link.start, message, tip)

    def _found(self, audit: Audit, offset: int, message: str, tip: str) -> Finding:
        return found(self.slug, audit.place(offset), message, tip=tip, answer=audit.declaration.key)


def _fault(href: str, audit: Audit) -> str:
    """Why a link's address is refused; empty when it is let through."""
    address = _IGNORED.sub("", seen_by_browsers(href))
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return "it is no address"
    if parts.scheme.lower() not in _SCHEMES:
        return f"the scheme `{parts.scheme}:` is not allowed"
    if not host:
        return "it names no host" if parts.scheme in ("http", "https") else ""
    if _named(host, audit):
        return ""
    return f"no cited source names the host `{host}`"


def _named(host: str, audit: Audit) -> bool:
    name = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-]|\.\w)", re.IGNORECASE)
    return any(
        name.search(text)
        for source in audit.sources
        for text in (
            source.passage.text,
            source.passage.links,
            source.passage.page.url,
            *(address for _, _, address in source.passage.targets),
        )
    )
