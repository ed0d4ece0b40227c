"""What numbers an answer lacks, what numbers lead nowhere, and quotes that do not appear in their passages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import MARKER, code_in, markers
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.review.interface import (
    GAP,
    Audit,
    cited,
    claim_at,
    is_in_order,
    label,
    plain,
    related,
)

_BOX = re.compile(r"(?:===[!+]?|!!!|\?\?\?\+?) ")
_QUOTATION = re.compile(
    r"“([^“”]{3,})”|„([^„“”]{3,})[“”]|«([^«»]{3,})»|\"([^\"]{3,})\""
)
LEAST_WORDS = 2
"""A single word in quotation marks is a way of speaking, not a quotation."""
_LETTER = r"[^\W\u0e00-\u0eff\u2e80-\ud7ff]"
_IN_WORD = re.compile(f"(?<={_LETTER})(?={_LETTER})")
"""A place within a word. Scripts without spaces have no words to cut."""
MOST_NAMED = 5
"""Claims without a citation that a message names."""


def citations_in_code(audit: Audit) -> Iterator[Finding]:
    """Numbers are behind code, never in it, where they would be shown as code and copied with it.

    Code that a cited passage shows letter by letter may hold them: documentation of Markdown does.
    """
    if audit.declaration.prose:
        return
    shown = [collapse(source.passage.text) for source in audit.draft.sources]
    for piece in code_in(audit.content):
        match = MARKER.search(piece.text)
        code = collapse(piece.text)
        if match and not any(code in text for text in shown):
            message = f"`{match[0]}` is inside the code “{shorten(code)}”"
            tip = "put it behind the code, or behind the sentence that leads to it"
            yield audit.finding("citation-in-code", piece.start, message, tip)


def low_coverage(audit: Audit) -> Iterator[Finding]:
    """Cited claims ÷ claims is not below `min_coverage`.

    With `min_coverage: 1` every uncited claim is `missing-citation`, and there is no more to say.
    """
    least = audit.settings.min_coverage
    uncited = audit.uncited
    claims = len(audit.reviewed)
    count = claims - len(uncited)
    if least == 1 or count >= least * claims:
        return
    named = [f"“{shorten(collapse(claim.text), 80)}”" for claim in uncited[:MOST_NAMED]]
    message = (
        f"{count} of {claims} claims of `{audit.declaration.key}` cite a source ({count / claims:.0%}); "
        f"`min_coverage` asks for {least:.0%}; the first without a source: {', '.join(named)}"
    )
    tip = "cite them, take them out, or lower `min_coverage`"
    yield audit.finding("low-coverage", uncited[0].start, message, tip)


def missing_citations(audit: Audit) -> Iterator[Finding]:
    """Every claim is cited, unless `min_coverage` lets some go uncited (`low-coverage`)."""
    if audit.settings.min_coverage < 1:
        return
    code = code_in(audit.content)
    inside = [piece.start for piece in code if "[@" in piece.text]
    for claim in audit.uncited:
        what = ""
        tip = "cite the passage that supports it, or take the sentence out"
        if any(claim.start < start < claim.end for start in inside):
            tip = "put its citation behind the code: within code it is text"
        elif any(claim.start == piece.start for piece in code):
            what = "the code "
            tip = "cite its passage in the sentence that introduces it"
        elif _BOX.match(claim.text):
            tip = "an answer is plain Markdown, without tabs and admonitions: write a heading or a list instead"
        message = f"no source is cited for {what}“{shorten(collapse(claim.text))}”"
        yield audit.finding(
            "missing-citation", claim.start, message, tip, claim=claim.text
        )


def orphan_sources(audit: Audit) -> Iterator[Finding]:
    """Each source of the answer has its number in the text: only a hand-edited record can lack it."""
    used = _first_uses(audit)
    for citation in audit.draft.citations:
        if citation.sid in used:
            continue
        message = f"source {citation.sid} of `{audit.declaration.key}` (`{citation.passage}`) is not cited"
        tip = f"put `[^{citation.sid}]` behind what it supports, or take the source out of the record"
        yield audit.finding("orphan-source", 0, message, tip)


def unknown_sources(audit: Audit) -> Iterator[Finding]:
    """Each number of the text has a source."""
    known = {citation.sid for citation in audit.draft.citations}
    known &= {source.sid for source in audit.draft.sources}
    for sid, start in _first_uses(audit).items():
        if sid in known:
            continue
        message = f"`[^{sid}]` leads to nothing: the answer `{audit.declaration.key}` has no source {sid}"
        tip = f"cite with {audit.citation}, or take the number out"
        claim = claim_at(start, audit)
        yield audit.finding("unknown-source", start, message, tip, claim=claim)


def _first_uses(audit: Audit) -> dict[int, int]:
    """Each number that the text uses → the offset of its first use."""
    first: dict[int, int] = {}
    for sid, start, _ in markers(audit.content):
        first.setdefault(sid, start)
    return first


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
        for match in _QUOTATION.finditer(item.claim.text):
            quotation = match[match.lastindex or 0]
            parts = []
            for part in GAP.split(plain(quotation).casefold()):
                parts.append(part.strip(" .,;:!?"))
            is_short = len(quotation.split()) < LEAST_WORDS
            if is_short or any(is_in_order(parts, text) for text in texts):
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
                related=cited(item.evidence),
            )


def quotes_not_found(audit: Audit) -> Iterator[Finding]:
    """Each quote is verbatim in its passage, white space and the form of quotation marks aside.

    It may not start or end within a word either: `You can` is no quote of `You cannot`.
    """
    first = _first_uses(audit)
    for citation in audit.draft.citations:
        passage = audit.corpus.passage(citation.passage)
        quoted = plain(citation.quote)
        name = f"`{citation.passage}`"
        quote = "…"
        places = []
        if passage:
            if quoted and _has(plain(passage.text), quoted):
                continue
            places.append(related("the cited passage", passage))
            if passage.is_private:
                name = label(passage)
            else:
                quote = shorten(collapse(citation.quote))
        message = (
            f"the quote of source {citation.sid}, “{quote}”, does not appear in {name}"
        )
        offset = first.get(citation.sid, 0)
        yield audit.finding(
            "quote-not-found",
            offset,
            message,
            "quote whole sentences of the page as it is rendered, word by word",
            claim=claim_at(offset, audit),
            related=tuple(places),
        )


def _has(text: str, quote: str) -> bool:
    """True if a quote is in a text, and cuts no word in two."""
    at = text.find(quote)
    while at >= 0:
        if not (_IN_WORD.match(text, at) or _IN_WORD.match(text, at + len(quote))):
            break
        at = text.find(quote, at + 1)
    return at >= 0
