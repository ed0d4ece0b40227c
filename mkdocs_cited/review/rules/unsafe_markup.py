"""`unsafe-markup`: the answer holds HTML or a link that is not let through."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from mkdocs_cited.answer_text.markdown import RunKind, blocks
from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule

_SCHEMES = frozenset({"", "http", "https", "mailto"})
_CITATION_TAG = re.compile(r"</?(?:cite|citation|citations|antml|search_result|document)\b", re.IGNORECASE)
"""What `leaked-markup` reports."""
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
"""What browsers drop from an address before they read its scheme."""


class UnsafeMarkup(Rule):
    """An answer is Markdown without HTML, and its links lead into the site or to a host that a cited source names."""

    slug = "unsafe-markup"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if audit.declaration.target != "markdown":
            return
        for block in blocks(audit.content):
            for run in block.runs:
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
    address = _IGNORED.sub("", html.unescape(href)).replace("\\", "/")
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
        for text in (source.passage.text, source.passage.links, source.passage.page.url)
    )
