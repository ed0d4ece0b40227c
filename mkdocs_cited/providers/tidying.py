"""What is left out of a stretch before it is written down: sentences that lead on to what does not follow, point
elsewhere or speak of the page itself, and lines that only name something. What is left keeps its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.providers.part import Part
from mkdocs_cited.search.evidence import Asked, terms_of, worth_of

MOST_LABEL = 8
"""Words of a line that may be a name of what stands below it, not a statement."""
_LEAD_IN = (":", "：")
_ASKS = ("?", "？")
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
    r"(?:guide|page|section|tutorial|document|article|chapter|topic|post|how-to)\b"
    r"|\W*(?:as (?:we |you |i )?(?:said|saw|seen|mentioned|discussed|noted)\b|with (?:all )?this in mind\b|let['’]s\b"
    r"|(?:\w+, )?we(?:['’]ll| will| are going to) (?:look|see|learn|cover|discuss|walk|explore|explain|show)\b)",
    re.IGNORECASE,
)
"""How a sentence starts that tells what its page is for, or where its reader is in it."""


_LEANS = re.compile(
    r"\W*(?:this|that|these|those|it|its|they|their|such|however|but|so|also|then|therefore|thus|hence|otherwise|instead"
    r"|additionally|moreover|furthermore|similarly|likewise|consequently|both|either|neither|here|there|again|finally"
    r"|next|now|as a result|(?:in|for|after|if|when) (?:this|that|these|those|so|not|addition|example|instance)"
    r"|dies\w*|das|er|sie|es|jedoch|aber|daher|dann|cela|ceci|elle|ils?|esto|eso|ellos)\b",
    re.IGNORECASE,
)
"""How a sentence starts that is not understood without the one before it."""
_LIMITS = re.compile(r"\W*(?:however|but|otherwise|note|unless|except|only|jedoch|aber|sonst)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\W*(?:it|its|they|their|this (?:means|allows|lets|makes)|(?:er|sie|es) (?:ist|sind)|dies)\b", re.IGNORECASE
)
"""How a sentence starts that says more of the same thing."""
_TELLS_LESS, _TELLS_NOTHING = 0.8, 0.3
"""Shares of what a paragraph's best sentence says of the question: a sentence before it that says less, and no other
word of it, only leads to it; one behind it that says nearly nothing goes on about something else."""
_TELLING = 0.3
"""Share of the question from which one sentence may stand for its paragraph."""


def tidied(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same parts without what says nothing here; as they are where nothing else would be left."""
    kept: list[Part] = []
    for part, behind in zip(parts, (*parts[1:], None), strict=True):
        kept += _kept(part, behind)
    return tuple(kept) if any(part.kind is not PassageKind.CODE or not part.title for part in kept) else tuple(parts)


def leans(text: str) -> bool:
    """Whether a text starts in a way that only what stands before it explains."""
    return _LEANS.match(text) is not None


def trimmed(asked: Asked, passage: Passage) -> Quote:
    """A paragraph without the sentences at its ends that add nothing on what is asked to its best one."""
    texts = passage.sentence_texts()
    if len(texts) < 2:
        return Quote(passage, 0, max(len(passage.sentences) - 1, 0))
    said = [_said(asked, text) for text in texts]
    worth = [sum(words.values()) for words in said]
    best = max(range(len(texts)), key=lambda number: (worth[number], -number))
    first, last = 0, len(texts) - 1
    while last and any(worth[:last]) and not worth[last] and not texts[last].rstrip().endswith(_LEAD_IN):
        if texts[last - 1].rstrip().endswith(_ASKS) or _GOES_ON.match(texts[last]):
            break  # what follows a question is its answer
        last -= 1
    if worth[best] < _TELLING:
        return Quote(passage, first, last)

    def idle(number: int, share: float) -> bool:
        more = said[number].keys() - said[best].keys()
        announces = texts[number].rstrip().endswith((*_LEAD_IN, *_ASKS))
        return not more and not announces and worth[number] < share * worth[best]

    while first < best and idle(first, _TELLS_LESS) and not leans(texts[first + 1]):
        first += 1
    while (
        last > best and idle(last, _TELLS_NOTHING) and not (_LIMITS.match(texts[last]) or _GOES_ON.match(texts[last]))
    ):
        if texts[last - 1].rstrip().endswith(_ASKS):
            break
        last -= 1
    return Quote(passage, first, max(first, last))


def _said(asked: Asked, text: str) -> dict[str, float]:
    """The words of a question that a text speaks of, each with what it is worth."""
    terms = terms_of(text, asked.language)
    return {word.term: worth for word in asked.words if (worth := worth_of(word, terms))}


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
