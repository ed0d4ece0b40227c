"""Quotations and quotes that do not appear in their passages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import SourceType
from mkdocs_cited.review.interface import QUOTATION_MARKS, Audit, Rule, label, related

_QUOTATION = re.compile(
    r"“([^“”]{3,})”|„([^„“”]{3,})[“”]|«([^«»]{3,})»|\"([^\"]{3,})\""
)
_GAP = re.compile(r"\[?(?:…|\.\.\.)\]?")
LEAST_WORDS = 2
"""A single word in quotation marks is a way of speaking, not a quotation."""


class AlteredQuote(Rule):
    """What a claim has in quotation marks is in a passage that it cites, word by word; `…` leaves words out.

    A page's own sentence quotes whom it likes.
    """

    slug = "altered-quote"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for claim in () if audit.declaration.prose else audit.claims:
            evidence = audit.evidence(claim)
            texts = [_plain(item.passage.text) for item in evidence]
            if not texts:
                continue
            for match in _QUOTATION.finditer(claim.text):
                quotation = next(group for group in match.groups() if group)
                if len(quotation.split()) < LEAST_WORDS or any(
                    _has_parts(quotation, text) for text in texts
                ):
                    continue
                message = f"“{shorten(quotation)}” is in quotation marks, and does not appear in the cited passage"
                tip = "quote it word by word, or take the quotation marks away"
                shown = tuple(
                    related("the cited passage", item.passage) for item in evidence
                )
                about = {
                    "claim": claim.text,
                    "marks": (match.span(),),
                    "related": shown,
                }
                yield self.finding(audit, claim.start, message, tip, **about)


def _has_parts(quotation: str, text: str) -> bool:
    """Tell whether the parts of a quotation are in a text, one after another."""
    at = 0
    for part in _GAP.split(_plain(quotation)):
        wanted = part.strip().strip(".,;:!?")
        found_at = text.find(wanted, at)
        if found_at < 0:
            return False
        at = found_at + len(wanted)
    return True


def _plain(text: str) -> str:
    return collapse(text.translate(QUOTATION_MARKS)).casefold()


_TRIES = 1_000
"""How many places are looked at, all of them within words before: no honest text needs so many."""


class QuoteNotFound(Rule):
    """Each quote is verbatim in its passage, white space and the form of quotation marks aside.

    It may not start or end within a word either: `You can` is no quote of `You cannot`.
    """

    slug = "quote-not-found"

    def check(self, audit: Audit) -> Iterator[Finding]:
        first: dict[int, int] = {}
        for sid, start, _ in markers(audit.content):
            first.setdefault(sid, start)
        for citation in audit.citations:
            passage = audit.corpus.passage(citation.passage)
            if passage is None or _stands_in(citation.quote, passage.text):
                continue
            private = passage.page.type is SourceType.NOTE
            name = label(passage) if private else f"`{passage.id}`"
            quote = "…"
            if not private:
                quote = shorten(collapse(citation.quote))
            offset, shown = (
                first.get(citation.sid, 0),
                (related("the cited passage", passage),),
            )
            message = f"the quote of source {citation.sid}, “{quote}”, does not appear in {name}"
            if not (quote and citation.quote.strip()):
                message = f"source {citation.sid} ({name}) has an empty quote"
            tip = "quote whole sentences of the page as it is rendered, word by word"
            yield self.finding(
                audit, offset, message, tip, claim=audit.claim_at(offset), related=shown
            )


def _stands_in(quote: str, text: str) -> bool:
    quote, text = (
        collapse(quote.translate(QUOTATION_MARKS)),
        collapse(text.translate(QUOTATION_MARKS)),
    )
    if not quote:
        return False
    at = -1
    for _ in range(_TRIES):
        at = text.find(quote, at + 1)
        if at < 0:
            return False
        if not _inside_word(text, at) and not _inside_word(text, at + len(quote)):
            return True
    return False


def _inside_word(text: str, at: int) -> bool:
    """True if an offset cuts a word in two. Scripts without spaces have no words to cut."""
    return 0 < at < len(text) and _letter(text[at - 1]) and _letter(text[at])


def _letter(char: str) -> bool:
    return (
        (char.isalnum() or char == "_")
        and not "\u0e00" <= char <= "\u0eff"
        and not "\u2e80" <= char <= "\ud7ff"
    )
