"""`altered-quote`: a quotation of the claim does not stand in its passage."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.passages import related

_QUOTATION = re.compile(r"“([^“”]{3,})”|„([^„“”]{3,})[“”]|«([^«»]{3,})»|\"([^\"]{3,})\"")
_GAP = re.compile(r"\[?(?:…|\.\.\.)\]?")
_EQUAL = str.maketrans({**dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"')})
LEAST_WORDS = 2
"""A single word in quotation marks is a way of speaking, not a quotation."""


class AlteredQuote(Rule):
    """What a claim has in quotation marks stands in a passage that it cites, word by word; `…` leaves words out.

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
                if len(quotation.split()) < LEAST_WORDS or any(_stands_in(quotation, text) for text in texts):
                    continue
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    f"“{shorten(quotation)}” is in quotation marks, and does not appear in the cited passage",
                    tip="quote it word by word, or take the quotation marks away",
                    answer=audit.declaration.key,
                    claim=claim.text,
                    marks=(match.span(),),
                    related=tuple(related("the cited passage", item.passage) for item in evidence),
                )


def _stands_in(quotation: str, text: str) -> bool:
    """Tell whether the parts of a quotation stand in a text, one after another."""
    at = 0
    for part in _GAP.split(_plain(quotation)):
        wanted = part.strip().strip(".,;:!?")
        found_at = text.find(wanted, at)
        if found_at < 0:
            return False
        at = found_at + len(wanted)
    return True


def _plain(text: str) -> str:
    return collapse(text.translate(_EQUAL)).casefold()
