"""Quotations and quotes that do not appear in their passages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.review.interface import Audit, claim_at, label, plain, related

_QUOTATION = re.compile(
    r"“([^“”]{3,})”|„([^„“”]{3,})[“”]|«([^«»]{3,})»|\"([^\"]{3,})\""
)
_GAP = re.compile(r"\[?(?:…|\.\.\.)\]?")
LEAST_WORDS = 2
"""A single word in quotation marks is a way of speaking, not a quotation."""
_TRIES = 1_000
"""How many places are looked at, all of them within words before: no honest text needs so many."""


def altered_quotes(audit: Audit) -> Iterator[Finding]:
    """What a claim has in quotation marks is in a passage that it cites, word by word; `…` leaves words out.

    A page's own sentence quotes whom it likes.
    """
    if audit.declaration.prose:
        return
    for item in audit.reviewed:
        if not item.evidence:
            continue
        texts = [plain(each.passage.text).casefold() for each in item.evidence]
        cited = tuple(
            related("the cited passage", each.passage) for each in item.evidence
        )
        for match in _QUOTATION.finditer(item.claim.text):
            quotation = match[match.lastindex or 0]
            is_short = len(quotation.split()) < LEAST_WORDS
            if is_short or any(has_parts(quotation, text) for text in texts):
                continue
            message = f"“{shorten(quotation)}” is in quotation marks, and does not appear in the cited passage"
            tip = "quote it word by word, or take the quotation marks away"
            yield audit.finding(
                "altered-quote",
                item.claim.start,
                message,
                tip,
                claim=item.claim.text,
                marks=(match.span(),),
                related=cited,
            )


def has_parts(quotation: str, text: str) -> bool:
    """True if the parts of a quotation, between what it leaves out, are in a text in small letters, in order."""
    at = 0
    for part in _GAP.split(plain(quotation).casefold()):
        wanted = part.strip().strip(".,;:!?")
        found_at = text.find(wanted, at)
        if found_at < 0:
            return False
        at = found_at + len(wanted)
    return True


def quotes_not_found(audit: Audit) -> Iterator[Finding]:
    """Each quote is verbatim in its passage, white space and the form of quotation marks aside.

    It may not start or end within a word either: `You can` is no quote of `You cannot`.
    """
    first: dict[int, int] = {}
    for sid, start, _ in markers(audit.content):
        first.setdefault(sid, start)
    for citation in audit.draft.citations:
        passage = audit.corpus.passage(citation.passage)
        if passage is None or _is_part(plain(citation.quote), plain(passage.text)):
            continue
        name, quote = f"`{passage.id}`", shorten(collapse(citation.quote))
        if passage.is_private:
            name, quote = label(passage), "…"
        message = (
            f"the quote of source {citation.sid}, “{quote}”, does not appear in {name}"
        )
        if not citation.quote.strip():
            message = f"source {citation.sid} ({name}) has an empty quote"
        offset = first.get(citation.sid, 0)
        yield audit.finding(
            "quote-not-found",
            offset,
            message,
            "quote whole sentences of the page as it is rendered, word by word",
            claim=claim_at(offset, audit),
            related=(related("the cited passage", passage),),
        )


def _is_part(quote: str, text: str) -> bool:
    """True if a quote is in a text, and cuts no word in two."""
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
    is_unspaced = "\u0e00" <= char <= "\u0eff" or "\u2e80" <= char <= "\ud7ff"
    return (char.isalnum() or char == "_") and not is_unspaced
