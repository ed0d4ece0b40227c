"""Whether something answers a question: what of the docs does, and whether a text that was written does.

No other module decides it. Words prove little here, so the docs answer only in these ways: a question or heading of
theirs asks the same, they define what is asked about, a sentence gives the figure that is asked for, or a short section
is far ahead of every other page. How many of the answers given are right, `benchmarks.answers` measures. Whether claims
hold is for the review.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from mkdocs_cited.language.lexicon import opposite
from mkdocs_cited.model.answer import AnswerCheck, Fit
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Asked, Corpus, Passage, PassageKind, Section, Source, SourceType
from mkdocs_cited.search.as_markdown import together
from mkdocs_cited.search.rows import OPENING
from mkdocs_cited.search.select import section_of
from mkdocs_cited.search.terms import ASKS_PURPOSE, question_terms, terms_of

SURE = 0.62
"""Certainty from which a section is quoted as the answer: four of five answers and more hold all key facts of labelled
questions: on ten sites 84% with an encoder, 86% without; on two more, seen when it was chosen, 15 of 16 and 6 of 7. By
the bounds that leaving each of the ten out allows, it is 76% and 74%.
"""
_BY_WORDS = 0.40
"""What words alone can say of a section's certainty, however many of the question's it has."""
_SAME = 0.8
"""Share of a question that a question of the docs must have in common with it, both ways."""
_LONGEST_LINE = 25
"""Words of a line that may be a question of the docs."""
_ENTRY = 2
"""Level from which a heading may be a glossary's entry: a page's own may cover anything."""
_ASKS = ("?", "？")
_AMOUNT = re.compile(r"\d[\d.,]{0,40}[ \u00a0]?[^\W\d_]")
"""A figure of something: `1 MiB`, `90 days`."""
_SUBJECT = (
    r"^(?:(?:as|in|for|with) [^,.:]{1,50}, )?(?:\W*(?:an?|the|der|die|das|ein|eine)\s+)?(?P<subject>[^,;:.]{1,60}?)"
)
_DEFINES = re.compile(
    _SUBJECT + r"\s(?:(?:is|are) (?:an?|one of|used|also called)\b|means\b|refers? to\b|stands? for\b|lets?\b|allows?\b"
    r"|represents?\b|(?:can|may) be used\b|(?:ist|sind) ein|bedeutet\b|bezeichnet\b)",
    re.IGNORECASE,
)
"""How a sentence begins that says what its subject is."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_LEANS = re.compile(
    r"\W*(?:this|that|these|those|it|its|they|their|such|however|but|also|then|therefore|thus|hence|otherwise|instead"
    r"|additionally|moreover|furthermore|similarly|likewise|both|either|neither|here|there|again|finally|next|now"
    r"|as a result|(?:in|for|after|if|when) (?:this|that|these|those|so|not|addition|example|instance)"
    r"|dies\w*|er|sie|es|jedoch|aber|daher|dann|cela|ceci|elle|ils?|esto|eso|ellos)\b",
    re.IGNORECASE,
)
"""How a sentence begins that is not understood without the one before it."""
_LIMITS = re.compile(
    r"\b(?:no|not|never|cannot|\w+n[’']t|only|unless|except|until|since|before|as of|but|however|deprecated|removed"
    r"|versions?|v?\d+(?:\.\d+)+|nicht|kein\w*|nie|nur|seit|jedoch|aber|pas|plus|jamais|sauf|depuis|solo|nunca|desde)\b",
    re.IGNORECASE,
)
"""What takes back or limits what was said before."""
_FIGURE = re.compile(
    r"\d|\b(?:no limit|unlimited|none|one|two|three|four|five|six|seven|eight|nine|ten|twelve|unbegrenzt)\b",
    re.IGNORECASE,
)
_HOW = re.compile(r"\W*(?:how (?:do|can|could|should|would|to)|wie (?:kann|lässt|werden|wird))\b", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:differ\w*|vs|versus|compared?|unterschied\w*)\b", re.IGNORECASE)
_CONTRASTS = re.compile(rf"{_COMPARES.pattern}|\b(?:whereas|while|unlike|than|both|während|als)\b", re.IGNORECASE)

ENOUGH = 0.15
"""Share of a question that an answer must speak of to be one at all: 1% of 150 right answers that people wrote fall
short of it, and 84% of the same answers next to another question of their site."""
WHOLE = 0.3
"""Share from which it leaves nothing open; 7% of those right answers have less."""
NEAR_ENOUGH = 0.4
"""Nearness in meaning from which an answer in other words is one, in part at least, where an encoder is at work."""
_LEAST_WORDS = 3
"""Words of a question that the site must know, or no answer can be said to miss it."""
_BY_HEADING = 0.8
"""What a word of the question counts that appears in the headings over what is cited, not in the answer."""
_OFF_FORM = 0.1
"""What an answer without a figure falls short of where one is asked for."""
ANSWERS = "it speaks of what is asked"
"""What is said of an answer that is one."""


class Found(Struct, frozen=True):
    """What of a section answers a question."""

    passages: tuple[Passage, ...]
    """In page order; what introduces comes with what it introduces."""
    certainty: float
    """How surely it answers, 0…1."""
    reason: str
    """How it answers, in words."""
    whole: bool = False
    """Whether it is a section as it is, which its headings introduce."""


def surest(
    declaration: Declaration, corpus: Corpus, sources: Sequence[Source], most: int
) -> tuple[Source, Found] | None:
    """What most surely answers a question in so many words, with the source in whose section it is: what says that it
    does, else the section of the first source. Nothing where that is too long.

    Args:
        sources: where it may be, best first.
        most: words that may be quoted.
    """
    asked = corpus.asked(declaration.question, declaration.locale)
    public = [source for source in sources if source.passage.type is not SourceType.NOTE]
    found = [(source, section_of(source.passage, corpus) or (source.passage,)) for source in public]
    answers = [(source, answer) for source, section in found if (answer := _said_in(asked, section, most))]
    if found and not answers and (answer := _ahead(asked, *found[0], most)):
        answers = [(found[0][0], answer)]
    return max(answers, key=lambda item: item[1].certainty, default=None)


def _said_in(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """What of a section says that it answers a question: what follows a question of the docs that asks the same, in a
    heading or a line of its own, a definition of what is asked about, a short section whose heading says just that, or
    a sentence with the figure that is asked for."""
    return (
        next(_asked_there(asked, section, most), None)
        or _defined(asked, section, most)
        or _titled(asked, section, most)
        or _figured(asked, section, most)
    )


def _ahead(asked: Asked, source: Source, section: Sequence[Passage], most: int) -> Found | None:
    """A whole section, where it is short, as surely as it speaks of the question in words and in meaning, and as it is
    ahead of every other page.

    A caption alone says nothing. To a difference only what contrasts is an answer, to a question for a figure what has
    one, and never what has the opposite of a word of the question. To one how to do a thing, by words alone, what
    lacks a word of it is none: it may be how another thing is done.
    """
    text = "\n".join(passage.text for passage in section)
    says = any(item.kind is not PassageKind.PARAGRAPH or item.text.endswith((".", "!", ":", "。")) for item in section)
    if not says or (_COMPARES.search(asked.text) and not _CONTRASTS.search(text)):
        return None
    words = _said_by(asked, f"{text}\n{_headings(section[0].section)}")
    lacking = [word.term for word in asked.words if word.term not in words]
    if (asked.figure and not _FIGURE.search(text)) or any(opposite(term, said) for term in lacking for said in words):
        return None
    if source.nearness is None and lacking and _HOW.match(asked.text):
        return None
    certainty = min(_share(asked, words), _BY_WORDS if source.nearness is None else source.nearness) + source.lead
    passages = _whole(section, most)
    reason = "it speaks of the question and is ahead of every other page"
    return Found(passages, max(0.0, min(1.0, certainty)), reason, whole=True) if passages else None


def _asked_there(asked: Asked, section: Sequence[Passage], most: int) -> Iterator[Found]:
    """By a question of the docs that asks the same: what follows answers it."""
    title = section[0].section.title
    asking = [number for number, passage in enumerate(section) if _is_question(passage)]
    questions = [(section[at].text, section[at + 1 : end]) for at, end in zip_longest(asking, asking[1:])]
    if title.rstrip().endswith(_ASKS) or _letters(title) == _letters(asked.text):
        questions.insert(0, (title, section[: asking[0] if asking else None]))
    for question, answer in questions:
        terms = set(_named_by(asked, question))
        certainty = min(_share(asked, terms), len(terms & asked.terms) / max(1, len(terms)))
        if certainty >= _SAME and (passages := _quotable(answer, most)):
            yield Found(passages, certainty, f"the docs ask it themselves: “{question}”")


def _titled(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """By a heading that has the words of the question and no others."""
    title = section[0].section.title
    passages = _whole(section, most) if set(_named_by(asked, title)) == asked.terms else ()
    return Found(passages, 1.0, f"“{title}” says what is asked") if passages else None


def _figured(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """By a short sentence that gives an amount and has all words of the question."""
    for at, passage in enumerate(section) if asked.figure else ():
        sentence = passage.text[: passage.sentences[0][1] if passage.sentences else None]
        short = passage.kind is PassageKind.PARAGRAPH and len(sentence.split()) <= _LONGEST_LINE
        fits = short and _AMOUNT.search(sentence) and asked.terms <= _said_by(asked, sentence)
        if fits and (passages := _first_block(section[at:], most)):
            return Found(passages, 1.0, "one sentence gives the figure and has all words of the question")
    return None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_question(passage: Passage) -> bool:
    short = len(passage.text.split()) <= _LONGEST_LINE
    return short and passage.kind is PassageKind.PARAGRAPH and passage.text.endswith(_ASKS)


def _defined(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """By an entry or a sentence that says what just that is that is asked about."""
    if not asked.what or not _subject(asked):
        return None
    above = section[0].section
    if above.level >= _ENTRY and set(_named_by(asked, above.title)) == _subject(asked):
        first = next((at for at, item in enumerate(section) if item.kind is PassageKind.PARAGRAPH), len(section))
        if passages := _first_block(section[first:], most):
            return Found(passages, 1.0, f"“{above.title}” is an entry of its own")
    for at, passage in enumerate(section):
        if _defines(asked, passage):
            behind = section[at:] if passage.kind is PassageKind.PARAGRAPH else (passage,)  # of a list, only this
            if passages := _first_block(behind, most):
                return Found(passages, 1.0, "it says what that is that is asked about")
    return None


def _defines(asked: Asked, passage: Passage) -> bool:
    """Whether a passage begins by saying what just that is that is asked about: no more and no less, but for a short
    form in brackets, and one word more within a name of several."""
    subject = passage.lead if passage.kind is PassageKind.DEFINITION else ""
    if passage.kind not in (PassageKind.DEFINITION, PassageKind.CODE):
        found = _DEFINES.match(passage.text[:200])
        subject = found["subject"] if found else ""
    inside = " ".join(_BRACKETS.findall(subject))
    outer, inner = _named_by(asked, _BRACKETS.sub(" ", subject)), _named_by(asked, inside)
    more, wanted = set(outer) - _subject(asked), _subject(asked)
    within = len(wanted) > 1 and len(more) == 1 and {outer[0], outer[-1]} <= wanted
    exact = not more or within or (bool(inner) and set(inner) <= wanted)
    return exact and wanted <= {*outer, *inner}


def _quotable(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """These passages, where they are short enough, and the last does not announce what is not there."""
    short = sum(len(passage.text.split()) for passage in passages) <= most
    return tuple(passages) if short and passages and not passages[-1].text.endswith(OPENING) else ()


def _whole(section: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """All of a section, where it can be quoted and is more than a line that ends in a link: `See the guide on keys.`"""
    first = section[0]
    line = first.text.rstrip(" .:)")
    linked = len(section) == 1 and len(line.split()) <= _LONGEST_LINE
    return () if linked and any(end >= len(line) for _, end, _ in first.targets) else _quotable(section, most)


def _first_block(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """The first block, with what it introduces and what takes it back or limits it."""
    taken: list[Passage] = []
    for block in together(passages):
        if taken and not _goes_on(taken[-1], block[0]):
            break
        taken += block
    return _quotable(taken, most)


def _goes_on(passage: Passage, following: Passage) -> bool:
    """Whether a passage introduces the one that follows, or that one takes it back or limits it."""
    if passage.text.endswith(OPENING):
        return True
    return _LEANS.match(following.text) is not None and _LIMITS.search(following.text) is not None


def _share(asked: Asked, terms: Collection[str]) -> float:
    """The share of a question that some terms speak of, 0…1: the rarer a word on the site, the more it counts."""
    return min(1.0, sum(word.weight for word in asked.words if word.term in terms))


def _subject(asked: Asked) -> frozenset[str]:
    """The terms of what a question asks about, without those that ask what it is for."""
    return asked.terms - ASKS_PURPOSE or asked.terms


def _named_by(asked: Asked, title: str) -> tuple[str, ...]:
    """The terms of a title or a line in order, without what says nothing of what it is about."""
    return tuple(question_terms(title, asked.language))


def _said_by(asked: Asked, text: str) -> frozenset[str]:
    """All terms of a text."""
    return terms_of(text, asked.language)


def _headings(section: Section) -> str:
    """A section's headings and its page's title."""
    return " ".join((section.page.title, *section.breadcrumb))


def check(asked: Asked, content: str, sources: Sequence[Source]) -> AnswerCheck:
    """Whether a text answers a question by the words that it and the headings over its sources speak of.

    Args:
        content: its Markdown, without numbers.
        sources: those that it cites.
    """
    said = _said_by(asked, content)
    above = _said_by(asked, " ".join(_headings(source.passage.section) for source in sources))
    score = round(_share(asked, said) + _BY_HEADING * _share(asked, above - said), 3)
    open_ = sorted((word for word in asked.words if word.term not in said | above), key=lambda word: -word.weight)
    missing = tuple(dict.fromkeys(word.word for word in open_))[:5]
    wanting = "a figure" if asked.figure and not _FIGURE.search(content) else ""
    score = max(0.0, score - (_OFF_FORM if wanting else 0.0))
    vague = len({word.word for word in asked.words if word.known}) < _LEAST_WORDS
    near = any(source.nearness is not None and source.nearness >= NEAR_ENOUGH for source in sources)
    in_part = score >= ENOUGH or vague or near
    fit = Fit.YES if score >= WHOLE and not wanting else Fit.PART if in_part else Fit.NO
    return AnswerCheck(fit, score, _reason(fit, missing, wanting), missing)


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
