"""What the hits of a question are worth as its answer, and which of them come first.

How well one passage serves a question is read in `evidence`. `benchmarks.questions` measures what the weights were
chosen by.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.model.source import Hit, Passage, PassageKind
from mkdocs_cited.search.evidence import (
    LEAD_IN,
    Asked,
    defines,
    exact,
    fits,
    heading_terms,
    is_entry,
    is_named,
    most_fitting,
    own_terms,
    share_said,
    terms_of,
)
from mkdocs_cited.search.forms import Form

_RANK = 1.2
"""What its section's rank weighs."""
_SAID = 0.4
"""What the share of a question that a passage speaks of weighs, by itself and with its headings."""
_NAMED = 0.3
"""What a heading weighs that is what the question is about, no more and no less."""
_FITS = 0.25
"""What being of the kind that is asked for weighs."""
_EXACT = 0.3
"""What the identifiers of the question weigh, where they stand letter by letter."""
_DEFINES = 2.0
"""What saying what just the thing is that is asked about weighs besides: more than anything else can."""
_RANK_BESIDE, _NEAR, _NEAR_BY = 0.6, 2.0, 1.0
"""Where an encoder is at work: what its section's rank weighs then, what lying near in meaning weighs, and what the
nearest passage of its section does."""
_LONGEST_WORDS = 120
"""Words from which a passage is no answer: a dump of all options, a whole release's notes."""
_TOO_LONG, _SAYS_LITTLE = 0.5, 0.7
"""What is left of the worth of such a passage, and of one that is mostly links or only a name."""
_MOSTLY = 0.6
"""Share of a passage's characters from which it is mostly links."""
_NAME = 8
"""Words of a line that may only name what stands below it."""
_ADDRESS = re.compile(r"https?://\S{10}")


class Worths:
    """The worth of each hit as the answer, or the core of it: the higher, the better.

    A hit is looked at closely only where that decides which comes first: most are worth too little, whatever they say.
    """

    def __init__(self, asked: Asked, hits: Sequence[Hit]) -> None:
        self._asked, self.hits = asked, hits
        self._opening = _opening(hits) if asked.form is Form.WHAT else frozenset()
        self._by_words = list(_by_words(asked, hits))
        self._known: dict[int, float] = {}

    def of(self, place: int) -> float:
        """What the hit at a place is worth."""
        if place not in self._known:
            self._known[place] = self._weighed(place)
        return self._known[place]

    def best_first(self, places: Iterable[int]) -> Iterator[int]:
        """These places, those of the best hits first, ties in their old order."""
        waiting = [(-self._most(place), False, place) for place in places]
        heapify(waiting)
        while waiting:
            _, is_weighed, place = heappop(waiting)
            if is_weighed:
                yield place
            else:
                heappush(waiting, (-self.of(place), True, place))

    def _most(self, place: int) -> float:
        """What the hit at a place is worth at most: what it is, once that is known."""
        if place in self._known:
            return self._known[place]
        asked, near = self._asked, self.hits[place].nearness
        worth = self._by_words[place] + _FITS * most_fitting(asked.form) + (_EXACT if asked.identifiers else 0.0)
        if asked.form is Form.WHAT:
            worth += _DEFINES
        return worth if near is None else worth + (_NEAR * near.passage + _NEAR_BY * near.section)

    def _weighed(self, place: int) -> float:
        asked, hit = self._asked, self.hits[place]
        passage = hit.passage if asked.form is Form.DIFFERENCE else hit.bare  # what is compared is told by sentences
        worth = self._by_words[place] + _FITS * fits(asked, passage) + _EXACT * exact(asked, passage)
        if asked.form is Form.WHAT and (
            defines(asked, passage) or (passage.id in self._opening and is_entry(asked, passage))
        ):
            worth += _DEFINES
        if hit.nearness is not None:
            worth += _NEAR * hit.nearness.passage + _NEAR_BY * hit.nearness.section
        if _words_of(passage.text) > _LONGEST_WORDS:
            worth *= _TOO_LONG
        idle = _sends_on(passage) or _only_names(passage) or _only_announces(asked, passage)
        return _SAYS_LITTLE * worth if idle else worth


def _opening(hits: Sequence[Hit]) -> frozenset[str]:
    """Ids of the first that were found of each section, where no other page has its heading."""
    first: dict[tuple[str, int], Passage] = {}
    pages: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        section = hit.bare.section
        known = first.setdefault((section.page.src, section.position), hit.bare)
        if hit.bare.position < known.position:
            first[section.page.src, section.position] = hit.bare
        pages[section.title].add(section.page.src)
    return frozenset(passage.id for passage in first.values() if len(pages[passage.section.title]) == 1)


def _by_words(asked: Asked, hits: Sequence[Hit]) -> Iterator[float]:
    """What the words of each hit, of its section and of its headings are worth."""
    sections: dict[tuple[str, int], tuple[frozenset[str], float]] = {}
    for hit in hits:
        section = hit.bare.section
        place = section.page.src, section.position
        if place not in sections:
            sections[place] = heading_terms(section, asked.language), _NAMED * is_named(asked, section)
        above, named = sections[place]
        own = hit.terms if language_of(section.page.locale) == asked.language else None
        said = share_said(asked, own_terms(asked, hit.bare) if own is None else own, above)
        yield (_RANK if hit.nearness is None else _RANK_BESIDE) * hit.strength + _SAID * said + named


def _sends_on(passage: Passage) -> bool:
    """Whether a passage mostly leads elsewhere: a list of further reading, an address written out."""
    if passage.kind is PassageKind.CODE:
        return False
    if passage.targets and sum(last - first for first, last, _ in passage.targets) >= _MOSTLY * len(passage.text):
        return True
    return not passage.code_spans and _ADDRESS.search(passage.text) is not None


def _only_names(passage: Passage) -> bool:
    """Whether a paragraph is a line without a figure, code or an end: a name for what stands below it."""
    text = passage.text
    if (
        passage.kind is not PassageKind.PARAGRAPH
        or passage.code_spans
        or text.endswith((".", "!", "?", "。", *LEAD_IN))
    ):
        return False
    return _words_of(text) <= _NAME and not any(map(str.isdigit, text))


def _only_announces(asked: Asked, passage: Passage) -> bool:
    """Whether a passage is a line that leads to what follows it and speaks of nothing that is asked: `The fixed code
    looks like this:`."""
    if not passage.text.endswith(LEAD_IN) or _words_of(passage.text) > _NAME:
        return False
    terms = terms_of(passage.text, asked.language)
    return not any(word.term in terms for word in asked.words)


def _words_of(text: str) -> int:
    return text.count(" ") + text.count("\n") + 1
