"""What stands for a citation: its mark in the text, and the words that matter in its quote."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Answer, ReviewedClaim
from mkdocs_cited.model.source import Page, Source
from mkdocs_cited.render.labels import Labels

_PLACEHOLDER = re.compile(r"\{(n|author|year|title)\}")
_WORD = re.compile(r"[^\W_](?:[\w.+/-]*\w)?")
_EVERYTHING = 0.8
"""When this share of a quote is marked, the marks say nothing and are left out."""


def mark_text(style: str, source: Source, labels: Labels) -> str:
    """A citation's mark by the option `render.style`: `[1]`, `(Doe, 2024)`. Pages without an author go by title."""
    page = source.passage.page
    values = {
        "n": str(source.sid),
        "author": page.author or page.title,
        "year": (page.modified or page.published)[:4] or labels("no_date"),
        "title": page.title,
    }
    return _PLACEHOLDER.sub(lambda match: values[match[1]], style) or f"[{source.sid}]"


def byline(page: Page) -> str:
    """Author and date of a page, as far as they are known."""
    return ", ".join(filter(None, (page.author, (page.modified or page.published)[:10])))


def claims_of(answer: Answer, sid: int) -> tuple[ReviewedClaim, ...]:
    """The claims that cite a number."""
    return tuple(item for item in answer.claims if sid in item.claim.sids)


def marked_quote(quote: str, claims: Iterable[ReviewedClaim]) -> Markup:
    """A quote as HTML, with `<mark>` around what carries the claims: what the reviewer named, else shared figures,
    names and runs of words. Nothing is marked when that would be nearly all of it."""
    ranges: list[tuple[int, int]] = []
    for item in claims:
        named = item.judgement.evidence_quote
        at = quote.find(named) if named else -1
        ranges += [(at, at + len(named))] if at >= 0 else _shared(item.claim.text, quote)
    merged = _merged(ranges, quote)
    if sum(end - start for start, end in merged) >= _EVERYTHING * len(quote):
        merged = []
    out, at = Markup(), 0
    for start, end in merged:
        out += escape(quote[at:start]) + Markup("<mark>") + escape(quote[start:end]) + Markup("</mark>")
        at = end
    return out + escape(quote[at:])


def _shared(claim: str, quote: str) -> list[tuple[int, int]]:
    """Ranges of words of the quote that the claim has too: figures and names alone, other words in runs of three."""
    words = {match[0].casefold() for match in _WORD.finditer(collapse(claim))}
    runs: list[list[tuple[int, int]]] = [[]]
    ranges = []
    for match in _WORD.finditer(quote):
        if match[0].casefold() not in words:
            runs.append([])
            continue
        runs[-1].append(match.span())
        if any(not char.isalpha() for char in match[0]):
            ranges.append(match.span())
    return ranges + [(run[0][0], run[-1][1]) for run in runs if len(run) >= 3]


def _merged(ranges: list[tuple[int, int]], quote: str) -> list[tuple[int, int]]:
    """Ranges in order, those that touch or have only a space between them as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and not quote[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
