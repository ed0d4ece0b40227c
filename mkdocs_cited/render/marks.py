"""What stands for a citation: its mark in the text, and the words that matter in its quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import PERSON, Answer, ReviewedClaim
from mkdocs_cited.model.source import Page, PassageKind, Source
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.notes import Group, numbers, uses
from mkdocs_cited.render.quotes import Range

_PLACEHOLDER = re.compile(r"\{(n|author|year|title)\}")
_WORD = re.compile(r"[^\W_](?:[\w.+/-]*\w)?")
_EVERYTHING = 0.8
"""When this share of a quote is marked, the marks say nothing and are left out."""


def mark_text(style: str, n: int, source: Source, labels: Labels) -> str:
    """A citation's mark by the option `render.style`: `[1]`, `(Doe, 2024)`. Pages without an author go by title."""
    page = source.passage.page
    values = {
        "n": str(n),
        "author": page.author or page.title,
        "year": (page.modified or page.published)[:4] or labels("no_date"),
        "title": page.title,
    }
    return _PLACEHOLDER.sub(lambda match: values[match[1]], style) or f"[{n}]"


def byline(page: Page, labels: Labels) -> str:
    """Author and date of a page, as far as they are known."""
    date = labels("updated", date=page.modified[:10]) if page.modified else page.published[:10]
    return ", ".join(filter(None, (page.author, date)))


def last_review(answer: Answer) -> tuple[str, tuple[str, ...]]:
    """ISO 8601 date of the last review of an answer, and the people who took part in one; no names for a program."""
    judged = [item.judgement for item in answer.claims]
    prefix = f"{PERSON}:"
    names = {item.reviewer.removeprefix(prefix) for item in judged if item.reviewer.startswith(prefix)}
    dates = [*(item.date for item in judged), answer.accepted_on, answer.written_on]
    return max(dates), tuple(sorted({*names, *filter(None, (answer.accepted_by,))}))


def claims_of(answer: Answer, sid: int) -> tuple[ReviewedClaim, ...]:
    """The claims that cite a number."""
    return tuple(item for item in answer.claims if sid in item.claim.sids)


def carrying(quote: str, claims: Iterable[ReviewedClaim]) -> tuple[Range, ...]:
    """What of a quote carries the claims: what the reviewer named, else shared figures, names and runs of words.
    Nothing when that would be nearly all of it."""
    ranges: list[Range] = []
    for item in claims:
        named = item.judgement.evidence_quote
        at = quote.find(named) if named else -1
        ranges += [(at, at + len(named))] if at >= 0 else _shared(item.claim.text, quote)
    merged = _merged(ranges, quote)
    nearly_all = sum(end - start for start, end in merged) >= _EVERYTHING * len(quote)
    return () if nearly_all else tuple(merged)


def words_of_uses(answer: Answer, group: Group, groups: Sequence[Group]) -> tuple[str, ...]:
    """For each use of a footnote's number in the text, what of its quotes carries the claim that it stands behind:
    ranges of characters as the script counts them, from the first quote on, in units of UTF-16: `0-12 40-55`. Nothing
    where all stand behind one claim."""
    starts = [start for n, start in uses(answer.content, numbers(groups)) if n == group.n]
    claims = [
        next((item for item in answer.claims if item.claim.start <= start < item.claim.end), None) for start in starts
    ]
    if len({item.claim.start for item in claims if item}) < 2:
        return ()
    return tuple(" ".join(_words(group, item)) if item else "" for item in claims)


def _words(group: Group, item: ReviewedClaim) -> Iterator[str]:
    before = 0
    for part in group.parts:
        if part.passage.kind is not PassageKind.CODE and part.source.sid in item.claim.sids:
            for start, end in carrying(part.shown, [item]):
                yield f"{before + _units(part.shown[:start])}-{before + _units(part.shown[:end])}"
        before += _units(part.shown)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _shared(claim: str, quote: str) -> list[Range]:
    """Ranges of words of the quote that the claim has too: figures and names alone, other words in runs of three."""
    words = {match[0].casefold() for match in _WORD.finditer(collapse(claim))}
    runs: list[list[Range]] = [[]]
    ranges = []
    for match in _WORD.finditer(quote):
        if match[0].casefold() not in words:
            runs.append([])
            continue
        runs[-1].append(match.span())
        if any(not char.isalpha() for char in match[0]):
            ranges.append(match.span())
    return ranges + [(run[0][0], run[-1][1]) for run in runs if len(run) >= 3]


def _merged(ranges: list[Range], quote: str) -> list[Range]:
    """Ranges in order, those that touch or have only a space between them as one."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and not quote[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
