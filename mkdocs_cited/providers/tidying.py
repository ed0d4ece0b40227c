"""What is left out of a stretch before it is written down: sentences that lead on to what does not follow, point
elsewhere or speak of the page itself, and lines that only name something. What is left keeps its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.providers.part import Part

MOST_LABEL = 8
"""Words of a line that may be a name of what stands below it, not a statement."""
_LEAD_IN = (":", "：")
_ENDS = (".", "!", "?", "…", "。", "！", "？", *_LEAD_IN)
_ELSEWHERE = re.compile(
    r"\W*(?:(?:please |also |you can |and )*(?:see|refer to|consult|read|check(?: out)?|visit)\b(?! (?:if|that)\b)"
    r"|(?:to )?(?:learn|read|find out) more\b|for (?:more|further|additional|detailed|full|a (?:full|complete))\b"
    r"|more (?:information|details)\b|weitere informationen\b|siehe\b|pour plus d|voir\b|para más\b|véase\b)",
    re.IGNORECASE,
)
"""How a sentence starts that sends its reader on."""
_SHOWS = re.compile(
    r"^\W*(?:below (?:is|are)|here(?:['’]s| is| are)|the following\b|(?:an )?examples? of\b|as (?:follows|shown)\b)"
    r"|\b(?:shown|listed|described|given|explained|discussed|seen) (?:below|above)\b|\bin the next (?:section|part)",
    re.IGNORECASE,
)
"""How a sentence shows what stands elsewhere on its page."""
_OF_ITSELF = re.compile(
    r"\W*(?:in )?(?:this|the (?:next|following)) "
    r"(?:guide|page|section|tutorial|document|article|chapter|topic|post|how-to)\b",
    re.IGNORECASE,
)
"""How a sentence starts that tells what its page is for."""


def tidied(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same parts without what says nothing here; as they are where nothing else would be left."""
    kept: list[Part] = []
    for part, behind in zip(parts, (*parts[1:], None), strict=True):
        kept += _kept(part, behind)
    return tuple(kept) if any(part.kind is not PassageKind.CODE or not part.title for part in kept) else tuple(parts)


def points_away(sentence: str) -> bool:
    """Whether a sentence only sends its reader elsewhere, shows what stands elsewhere, or tells what a page is for."""
    return bool(_ELSEWHERE.match(sentence) or _OF_ITSELF.match(sentence) or _SHOWS.search(sentence))


def _kept(part: Part, behind: Part | None) -> Iterator[Part]:
    if part.kind is not PassageKind.PARAGRAPH:
        yield part
        return
    leads = behind is not None and behind.kind is not PassageKind.PARAGRAPH and _follows(part, behind)
    quotes = tuple(kept for quote in part.quotes for kept in _runs(quote, leads=leads and quote is part.quotes[-1]))
    if quotes:
        yield replace(part, quotes=quotes)


def _follows(part: Part, behind: Part) -> bool:
    """Whether a part stands right behind another one on the page."""
    return behind.quotes[0].passage.position == part.quotes[-1].passage.position + 1


def _runs(quote: Quote, *, leads: bool) -> Iterator[Quote]:
    """What is kept of a paragraph, in runs of sentences."""
    passage = quote.passage
    texts = passage.sentence_texts() or (passage.text,)
    first = -1
    for number in range(quote.first, quote.last + 1):
        last = number == quote.last
        if _says_something(texts[number], passage.page.locale, leads=leads and last, ends=last):
            first = number if first < 0 else first
        elif first >= 0:
            yield Quote(passage, first, number - 1)
            first = -1
    if first >= 0:
        yield Quote(passage, first, quote.last)


def _says_something(sentence: str, locale: str, *, leads: bool, ends: bool) -> bool:
    text = sentence.rstrip()
    if leads:
        return True
    if ends and text.endswith(_LEAD_IN):
        return False
    if not text.endswith(_ENDS) and len(text.split()) <= MOST_LABEL:
        return states(text, locale)
    return not points_away(text)
