"""Whether an answer answers its question, by words, form and, where an encoder found it, meaning.

Whether its claims hold is for the review.

Every answer is asked, whoever wrote it: how much of what is asked does it speak of, and is it of the kind that is asked
for. `benchmarks.questions` measures what the bounds were chosen by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.answer_text.marks import MARKER
from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.model.answer import AnswerCheck, Fit
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import AskedWord, Corpus, Source
from mkdocs_cited.search.evidence import Asked, heading_terms, serves, terms_of, worth_of
from mkdocs_cited.search.forms import Form, form_of
from mkdocs_cited.search.stop_words import STOP_WORDS

ENOUGH = 0.25
"""Score from which an answer is one at all: 2% of 150 right answers that people wrote fall short of it, and 75% of the
same answers beside another question of their site (authored claims of ten sites)."""
WHOLE = 0.45
"""Score from which it leaves nothing open; 8% of those right answers have less."""
NEAR_ENOUGH = 0.4
"""Nearness in meaning from which an answer in other words is one, in part at least, where an encoder is at work."""
_LEAST_WORDS = 3
"""Words of a question that the site must know, or no answer can be said to be beside it."""
_BY_HEADING = 0.8
"""What a word of the question is worth that stands in the headings over what is cited, not in the answer."""
_OFF_FORM = 0.1
"""What an answer of another kind than was asked for is short of."""
_ENGLISH = STOP_WORDS["en"] | {"long", "many", "much"}
_MOST_NAMED = 5
ANSWERS = "it speaks of what is asked"
"""What is said of an answer that is one."""

_KINDS = {
    Form.AMOUNT: (
        re.compile(r"\d|\b(?:no limit|unlimited|none|one|two|three|unbegrenzt)\b", re.IGNORECASE),
        "a figure",
    ),
}
"""What an answer of a form must hold, whatever it says."""


def question_of(declaration: Declaration, corpus: Corpus) -> Asked:
    """A declaration's question, with its words weighed on this site."""
    language = language_of(declaration.locale)
    words = tuple(corpus.asked(declaration.question, language))
    if language != "en":  # pages in other languages may be asked in English, whose question words say nothing either
        words = tuple(word for word in words if word.word.lower() not in _ENGLISH)
    return Asked(declaration.question, form_of(declaration.question, language), words, language)


def check(asked: Asked, content: str, sources: Sequence[Source]) -> AnswerCheck:
    """The judgement of an answer's Markdown, with what is missing. The sources are those that it cites."""
    share, missing = spoken_of(asked, content, sources)
    missing.sort(key=lambda word: -word.weight)
    names = tuple(dict.fromkeys(word.word for word in missing))[:_MOST_NAMED]
    pattern, kind = _KINDS.get(asked.form, (None, ""))
    wanting = kind if pattern is not None and not pattern.search(content) else ""
    telling = max((serves(asked, source.passage) for source in sources), default=0.0)
    score = round(max(0.0, min(1.0, share) + telling - (_OFF_FORM if wanting else 0.0)), 3)
    vague = len({word.word for word in asked.words if word.known}) < _LEAST_WORDS
    fit = Fit.YES if score >= WHOLE and not wanting else Fit.PART if score >= ENOUGH or vague else Fit.NO
    if fit is Fit.NO and nearest(sources) >= NEAR_ENOUGH:
        fit = Fit.PART
    return AnswerCheck(fit, score, _reason(fit, names, wanting), names)


def spoken_of(asked: Asked, content: str, sources: Sequence[Source]) -> tuple[float, list[AskedWord]]:
    """The share of a question that a text speaks of by its own words or the headings over it, and the words it does
    not speak of."""
    text = terms_of(MARKER.sub("", content), asked.language)
    above = frozenset().union(*(heading_terms(source.passage.section, asked.language) for source in sources))
    worth = [(max(worth_of(word, text), _BY_HEADING * worth_of(word, above)), word) for word in asked.words]
    return sum(share for share, _ in worth), [word for share, word in worth if not share]


def nearest(sources: Sequence[Source]) -> float:
    """How near in meaning the nearest of an answer's sources lies to the question, 0…1; 0 without an encoder."""
    return max((source.nearness.passage for source in sources if source.nearness is not None), default=0.0)


def nowhere(asked: Asked) -> tuple[str, ...]:
    """Words of the question that stand nowhere in the docs, in its order."""
    return tuple(dict.fromkeys(word.word for word in asked.words if not word.known))


def _reason(fit: Fit, missing: Sequence[str], wanting: str) -> str:
    """In words, for the author."""
    if fit is Fit.YES:
        return ANSWERS
    parts = []
    if missing:
        parts.append(f"it does not speak of {', '.join(f'“{word}”' for word in missing)}")
    if wanting:
        parts.append(f"it does not give {wanting}")
    return " and ".join(parts) or "it speaks of what is asked in other words only"
