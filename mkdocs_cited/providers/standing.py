"""Whether a stretch stands alone as an answer of the kind that was asked for. How sure it is of it is `certainty`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.providers.part import Part
from mkdocs_cited.search.evidence import Asked, denies, is_about, sets_apart, terms_of, worth_of
from mkdocs_cited.search.forms import Form

_VERDICT = 0.6
"""Share of a yes/no question that one sentence must speak of to affirm it: `can` and `will` stand everywhere."""
_SHOWN = (PassageKind.STEP, PassageKind.CODE)
_INSTRUCTS = re.compile(
    r"\b(?:you|users?|one) (?:can|may|might|could|must|should|need|have to|will|are able)\b"
    r"|(?:^|[,;:(] |\b(?:then|and|or|to|please|simply) )(?:add|append|assign|attach|build|call|change|check|choose"
    r"|click|configure|connect|copy|create|define|delete|deploy|disable|download|edit|enable|enter|export|import|include"
    r"|install|log|make|mount|move|open|pass|press|provide|put|remove|rename|replace|restart|run|select|set|specify"
    r"|start|stop|switch|turn|type|update|upgrade|upload|use|write)\b"
    r"|\b(?:by|via|using) (?:\w+ly )?\w+|\b(?:can|must|should|may) be \w+ed\b",
    re.IGNORECASE,
)
"""How a sentence says what to do."""
_MIDWAY = re.compile(
    r"\W*(?:however|but|also|then|therefore|thus|hence|otherwise|instead|additionally|moreover|furthermore|similarly"
    r"|likewise|meaning|consequently|finally|again|next|notice|first|second|third|now|so|because|as an? example"
    r"|example of|these|those|such|(?:for|in) (?:example|instance|addition)"
    r"|(?:in|for|with|after|when|once|if) (?:this|that|these|those|so|not)"
    r"|in the (?:above|previous|following)|the (?:latter|former|same|above|following)"
    r"|this (?:means|allows|approach|command|makes|will|can|is|was|takes|uses|also)|that (?:means|is|said)"
    r"|both (?!.{1,60} and )|either (?!.{1,60} or )|neither (?!.{1,60} nor ))(?![\w.])",
    re.IGNORECASE,
)
"""How a text starts that goes on from something which is not there."""


def fault(asked: Asked, parts: Sequence[Part]) -> str:
    """Why a stretch is no answer by itself, in words for the author; empty when it is one."""
    if opens_midway(parts):
        return "what comes closest starts in the middle of a thought"
    if asked.form is Form.WHETHER and not _gives_verdict(asked, parts):
        return "no sentence says yes or no to what is asked"
    if asked.form is Form.HOW and any(part.cut for part in parts):
        return "its steps are too many to repeat them here"
    if asked.form is Form.HOW and asked.language == "en" and not _instructs(parts):
        return "nothing says what to do"
    if asked.sides and not _compares(asked, parts):
        return "nothing sets apart what is compared"
    return ""


def opens_midway(parts: Sequence[Part]) -> bool:
    """Whether a stretch begins with a sentence that goes on from one which is not there."""
    first = parts[0]
    spoken = first.kind in (PassageKind.PARAGRAPH, PassageKind.ITEM) and not first.title
    return spoken and _MIDWAY.match(first.quotes[0].text) is not None


def _instructs(parts: Sequence[Part]) -> bool:
    """Whether anything says what to do, or shows it."""
    shown = any(quote.passage.kind in _SHOWN for part in parts for quote in part.quotes)
    return shown or any(_INSTRUCTS.search(text) for text in _sentences(parts))


def _compares(asked: Asked, parts: Sequence[Part]) -> bool:
    """Whether one passage sets apart the two things that are compared, or each has a passage of its own."""
    quotes = [quote for part in parts for quote in part.quotes]
    each = all(any(is_about(asked, number, quote.passage) for quote in quotes) for number in (0, 1))
    return each or any(sets_apart(asked, quote.text, quote.passage.section) for quote in quotes)


def _gives_verdict(asked: Asked, parts: Sequence[Part]) -> bool:
    """Whether anything is denied or limited, or one sentence affirms most of what is asked."""
    for text in _sentences(parts):
        terms = terms_of(text, asked.language)
        if denies(text) or sum(worth_of(word, terms) for word in asked.words) >= _VERDICT:
            return True
    return False


def _sentences(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        for quote in part.quotes:
            yield from quote.passage.sentence_texts()[quote.first : quote.last + 1] or (quote.text,)
