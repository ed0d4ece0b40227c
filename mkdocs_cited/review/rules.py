"""The audit: every rule is put to an answer's text. What a rule asks is said in its function; the rules for citations
are in `citations`, and here are those for what may not be published: markup that acts or leaks, the words of notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from mkdocs_cited.answer_text.markdown import RunKind, blocks, prose, seen_by_browsers
from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import Finding, in_order
from mkdocs_cited.review import citations
from mkdocs_cited.review.interface import Audit

_TAG = r"</?(?:cite|citation|citations|antml|search_result|document)\b"
"""A tag of the model's own citations, which `leaked-markup` reports and `unsafe-markup` leaves to it."""
_LEAKS = re.compile(
    rf"(?P<tag>{_TAG})"
    r"|(?P<number>\[\[ ?/?(?:S ?[:\d]|USAGE\b)|【\d{1,4}[†:])"
    r"|(?P<target>\[@)"
    r"|(?P<note>\[\^(?!\d{1,4}\])[^\]\s]{0,40}\]?)"
    r"|(?P<definition>(?<![^\n])\[\^\d{1,4}\]:)",
    re.IGNORECASE,
)
_EVERYWHERE = ("tag", "number")
"""What has no meaning of its own in the words of a page either."""
_WHAT = {
    "tag": (
        "a tag of the model's own citations",
        "take the tag out, and cite with {citation}",
    ),
    "number": (
        "a citation that was not resolved",
        "cite with {citation}",
    ),
    "target": (
        "a citation that was not resolved",
        "cite with {citation}; write brackets in a path as `%5B` and `%5D`",
    ),
    "note": (
        "a footnote that no source has",
        "cite with {citation}; put a regular expression in backticks",
    ),
    "definition": (
        "a footnote's text",
        "take it out: the plugin writes the footnotes from the sources",
    ),
}


def leaked_markup(audit: Audit) -> Iterator[Finding]:
    """No citation tag, unresolved citation or footnote of another kind reaches the reader. Code may show them."""
    is_pages = bool(audit.declaration.prose)
    text = audit.content
    if not is_pages:
        text = prose(text)
    seen = set()
    for match in _LEAKS.finditer(text):
        kind = match.lastgroup or "tag"
        line = text.count("\n", 0, match.start())
        # an opening tag has a closing one
        if (line, kind) in seen or (is_pages and kind not in _EVERYWHERE):
            continue
        seen.add((line, kind))
        what, tip = _WHAT[kind]
        shown = text[match.start() : match.start() + 40].split("\n")[0].strip(" .")
        message = f"`{shown}` in the answer `{audit.declaration.key}` is {what}"
        tip = tip.format(citation=audit.citation)
        yield audit.finding("leaked-markup", match.start(), message, tip)


_SCHEMES = frozenset({"", "http", "https", "mailto"})
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
"""What browsers drop from an address before they read its scheme."""
_STRUCK = re.compile(r"~~(?=[^\s~])")


def unsafe_markup(audit: Audit) -> Iterator[Finding]:
    """An answer is Markdown without HTML, and its links lead into the site or to a host that a cited source names.

    It strikes no words out, since what is struck out is read and not meant.
    """
    slug = "unsafe-markup"
    content = audit.content
    if audit.declaration.prose:
        return
    for block in blocks(content):
        for run in block.runs:
            shown = content[run.start : run.end]
            struck = _STRUCK.search(shown)
            if run.kind is RunKind.TEXT and struck:
                start = run.start + struck.start()
                message = f"“{shorten(content[start : run.end])}” has struck-out words"
                tip = "remove the words, or the strikethrough"
                yield audit.finding(slug, start, message, tip)
            if run.kind is RunKind.HTML and not re.match(_TAG, shown, re.IGNORECASE):
                message = f"`{shorten(shown)}` is HTML, which is not allowed"
                tip = "write it in Markdown, or put it into backticks"
                yield audit.finding(slug, run.start, message, tip)
        for link in block.links:
            reason = _fault(link.href, audit)
            if reason:
                message = f"the link to `{shorten(link.href)}` is not allowed: {reason}"
                tip = "link to a page of the site, or to an address that a cited passage names"
                yield audit.finding(slug, link.start, message, tip)


def _fault(href: str, audit: Audit) -> str:
    """Why a link's address is refused; empty when it is let through."""
    address = _IGNORED.sub("", seen_by_browsers(href))
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return "it is not an address"
    if parts.scheme.lower() not in _SCHEMES:
        return f"the scheme `{parts.scheme}:` is not allowed"
    if not host:
        if parts.scheme in ("http", "https"):
            return "it names no host"
        return ""
    if _named(host, audit):
        return ""
    return f"no cited source names the host `{host}`"


def _named(host: str, audit: Audit) -> bool:
    """True if a cited source has the name of a host, in its text or an address."""
    name = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-]|\.\w)", re.IGNORECASE)
    for source in audit.draft.sources:
        passage = source.passage
        addresses = [address for _, _, address in passage.targets]
        texts = (passage.text, passage.page.url, *addresses)
        if any(name.search(text) for text in texts):
            return True
    return False


RULES: Mapping[str, Callable[[Audit], Iterable[Finding]]] = {
    "altered-quote": citations.altered_quotes,
    "citation-in-code": citations.citations_in_code,
    "leaked-markup": leaked_markup,
    "low-coverage": citations.low_coverage,
    "missing-citation": citations.missing_citations,
    "orphan-source": citations.orphan_sources,
    "quote-not-found": citations.quotes_not_found,
    "unknown-source": citations.unknown_sources,
    "unsafe-markup": unsafe_markup,
}
"""Slug of a finding → the rule that makes it."""


def audit(case: Audit) -> tuple[Finding, ...]:
    """What all rules find in one answer, in order, each finding once."""
    findings: list[Finding] = []
    for rule in RULES.values():
        findings += rule(case)
    return in_order(dict.fromkeys(findings))
