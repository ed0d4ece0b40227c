"""Whether something answers a question: what of a section does, and whether a text that was written does.

No other module decides it. Words prove little here, so a section counts as an answer only in four ways: it defines
what is asked about, a question of the docs asks the same, a short sentence gives the amount or says what to do, or
the heading of a short section names the task. How many of
the answers given are right, `benchmarks.answers` measures. Whether claims hold is for the review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from mkdocs_cited.answer_text.marks import MARKER
from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.model.answer import AnswerCheck, Fit
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import AskedWord, Corpus, Passage, PassageKind, Section, Source
from mkdocs_cited.search.as_markdown import together
from mkdocs_cited.search.rows import OPENING
from mkdocs_cited.search.terms import ASKS_PURPOSE, STOP_WORDS, Form, form_of, question_terms, terms_of

SURE = 0.7
"""Certainty from which a section is quoted as the answer. By words, 8 of 8 such answers hold all key facts of labelled
questions on ten sites; with an encoder it is not measured."""
_SAME = 0.8
"""Share of a question that a question of the docs must have in common with it, both ways."""
_LONGEST_LINE = 25
"""Words of a line that may be a question of the docs, and of a sentence that may answer by itself."""
_ENTRY = 2
"""Level from which a heading may be a glossary's entry: a page's own may cover anything."""
_ASKS = ("?", "？")
_SHOWN = (PassageKind.STEP, PassageKind.CODE)
_TASKS = (Form.HOW, Form.WHICH, Form.AMOUNT, Form.ERROR, Form.DIFFERENCE, Form.OTHER)
"""What may be answered by a section whose heading names it. Yes, no and why need a question that asks the same."""
_SUBJECT = (
    r"^(?:(?:as|in|for|with) [^,.:]{1,50}, )?(?:\W*(?:an?|the|der|die|das|ein|eine)\s+)?(?P<subject>[^,;:.]{1,60}?)"
)
_DEFINES = re.compile(
    _SUBJECT + r"\s(?:(?:is|are) (?:an?|one of|used|also called)\b|means\b|refers? to\b|stands? for\b|lets?\b|allows?\b"
    r"|represents?\b|(?:can|may) be used\b|(?:ist|sind) ein|bedeutet\b|bezeichnet\b)",
    re.IGNORECASE,
)
"""How a sentence begins that says what its subject is."""
_JOINS = re.compile(r"\b(?:and|or|vs|versus|between|und|oder|et|ou|y|o)\b", re.IGNORECASE)
"""What a heading over a comparison says between the two."""
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
_ANNOUNCES = re.compile(r"\b(?:as follows|below|following \w+|wie folgt|unten)\W*$", re.IGNORECASE)
"""How a sentence ends that only leads on to other sections."""
_FIGURE = re.compile(
    r"\d|\b(?:no limit|unlimited|none|one|two|three|four|five|six|seven|eight|nine|ten|twelve|unbegrenzt)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d[\d.,]{0,40}[ \u00a0]?[^\W\d_]")
"""A figure of something: `1 MiB`, `90 days`."""
_PURPOSE = re.compile(r"^(?:to|um|pour|para) (?!(?:learn|see|read)\b)[^.,:;]+[,:]", re.IGNORECASE)
"""How a sentence begins that says what to do for something: `To rotate a key, open …`."""
_FITTING = 0.7
"""Share of a heading's words that the question must have: one that names more is about something else."""

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
_ENGLISH = STOP_WORDS["en"] | {"long", "many", "much"}
ANSWERS = "it speaks of what is asked"
"""What is said of an answer that is one."""


class Asked(Struct, frozen=True):
    """A question as sections and texts are compared with it."""

    text: str
    form: Form
    words: tuple[AskedWord, ...]
    language: str
    """Code of its language."""

    @property
    def terms(self) -> frozenset[str]:
        """The terms of its words."""
        return frozenset(word.term for word in self.words)

    @property
    def subject(self) -> frozenset[str]:
        """The terms of what it asks about, without those that ask what it is for."""
        return self.terms - ASKS_PURPOSE or self.terms

    def share(self, terms: frozenset[str]) -> float:
        """The share of the question that some terms speak of, 0…1: the rarer a word on the site, the more it counts."""
        return min(1.0, sum(word.weight for word in self.words if word.term in terms))


class Found(Struct, frozen=True):
    """What of a section answers a question."""

    passages: tuple[Passage, ...]
    """In page order; what introduces comes with what it introduces."""
    certainty: float
    """Share of the question that the headings, the definition's subject or the docs' own question name, 0…1."""
    reason: str
    """How it answers, in words."""


def question_of(declaration: Declaration, corpus: Corpus) -> Asked:
    """A declaration's question, with its words weighed on this site."""
    language = language_of(declaration.locale)
    words = tuple(corpus.asked(declaration.question, language))
    if language != "en":  # pages in other languages may be asked in English, whose question words say nothing either
        words = tuple(word for word in words if word.word.lower() not in _ENGLISH)
    return Asked(declaration.question, form_of(declaration.question, language), words, language)


def nowhere(asked: Asked) -> tuple[str, ...]:
    """Words of the question that appear nowhere in the docs, in its order."""
    return tuple(dict.fromkeys(word.word for word in asked.words if not word.known))


def found_in(asked: Asked, section: Sequence[Passage], most: int, source: Source | None = None) -> Found | None:
    """What of a section answers a question, the surest if several do; nothing where no part of it can be quoted alone.

    Args:
        section: all passages of one section, in page order; one at least.
        most: words that may be quoted.
        source: what was found in it, with how near in meaning that lies where an encoder is at work.
    """
    tried = [
        *_asked_there(asked, section, most),
        _defined(asked, section, most),
        _named(asked, section, most),
        *_told(asked, section, most),
        _near(asked, section, most, source),
    ]
    return max(filter(None, tried), key=lambda found: found.certainty, default=None)


def _asked_there(asked: Asked, section: Sequence[Passage], most: int) -> Iterator[Found | None]:
    """By a question of the docs, in a heading or a line of its own, that asks the same: what follows answers it."""
    title = section[0].section.title
    asking = [number for number, passage in enumerate(section) if _is_question(passage)]
    if title.rstrip().endswith(_ASKS):
        yield _same(asked, title, section[: asking[0] if asking else None], most)
    for number, following in zip_longest(asking, asking[1:]):
        yield _same(asked, section[number].text, section[number + 1 : following], most)


def _is_question(passage: Passage) -> bool:
    short = len(passage.text.split()) <= _LONGEST_LINE
    return short and passage.kind is PassageKind.PARAGRAPH and passage.text.endswith(_ASKS)


def _same(asked: Asked, question: str, answer: Sequence[Passage], most: int) -> Found | None:
    terms = frozenset(question_terms(question, asked.language))
    certainty = min(asked.share(terms), len(terms & asked.terms) / max(1, len(terms)))
    passages = _whole(answer, most) if certainty >= _SAME else ()
    return Found(passages, certainty, f"the docs ask it themselves: “{question}”") if passages else None


def _defined(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """By an entry or a sentence that says what just that is that is asked about."""
    if asked.form is not Form.WHAT or not asked.subject:
        return None
    above = section[0].section
    if above.level >= _ENTRY and frozenset(question_terms(above.title, asked.language)) == asked.subject:
        first = next((at for at, item in enumerate(section) if item.kind is PassageKind.PARAGRAPH), len(section))
        if passages := _first_block(section[first:], most):
            return Found(passages, 1.0, f"“{above.title}” is an entry of its own")
    for at, passage in enumerate(section):
        certainty = _defines(asked, passage)
        behind = section[at:] if passage.kind is PassageKind.PARAGRAPH else (passage,)  # of a list or table, only this
        if certainty and (passages := _first_block(behind, most)):
            return Found(passages, certainty, "it says what that is that is asked about")
    return None


def _defines(asked: Asked, passage: Passage) -> float:
    """How surely a passage begins by saying what just that is that is asked about: no more and no less, but for a
    short form in brackets, and one word more within a name of several; 0 for not at all."""
    subject, certainty = passage.lead if passage.kind is PassageKind.DEFINITION else "", 1.0
    if passage.kind not in (PassageKind.DEFINITION, PassageKind.CODE):
        found = _DEFINES.match(passage.text[:200])
        subject = found["subject"] if found else ""
    inside = " ".join(_BRACKETS.findall(subject))
    outer, inner = (tuple(question_terms(text, asked.language)) for text in (_BRACKETS.sub(" ", subject), inside))
    more, wanted = set(outer) - asked.subject, asked.subject
    within = len(wanted) > 1 and len(more) == 1 and {outer[0], outer[-1]} <= wanted
    exact = not more or within or (bool(inner) and set(inner) <= wanted)
    return certainty if exact and wanted <= {*outer, *inner} else 0.0


def _named(asked: Asked, section: Sequence[Passage], most: int) -> Found | None:
    """By a heading that names what is asked for, over a section that is short or shows it."""
    above = section[0].section
    title = frozenset(question_terms(above.title, asked.language))
    common = len(title & asked.terms)
    if asked.form not in _TASKS or common < max(_FITTING * len(title), 1):
        return None
    if asked.form is Form.DIFFERENCE and not (common > 1 and _JOINS.search(above.title)):
        return None
    passages = _whole(section, most)
    if not _of_kind(asked.form, passages):
        return None
    return Found(passages, asked.share(title), f"“{above.title}” names what is asked for")


def _told(asked: Asked, section: Sequence[Passage], most: int) -> Iterator[Found]:
    """By a short sentence that names what is asked for, and gives an amount or says what to do for it."""
    wanted = {Form.AMOUNT: _AMOUNT, Form.HOW: _PURPOSE}.get(asked.form)
    for at, passage in enumerate(section if wanted else ()):
        sentence = next(iter(passage.sentence_texts()), passage.text)
        prose = passage.kind in (PassageKind.PARAGRAPH, PassageKind.ITEM)
        if prose and wanted and len(sentence.split()) <= _LONGEST_LINE and wanted.search(sentence):
            behind = section[at:] if passage.kind is PassageKind.PARAGRAPH else (passage,)
            if passages := _first_block(behind, most):
                certainty = asked.share(terms_of(sentence, asked.language))
                yield Found(passages, certainty, "one sentence names what is asked for")


def _near(asked: Asked, section: Sequence[Passage], most: int, source: Source | None) -> Found | None:
    """By meaning, where an encoder says how near it lies: that, and the words, count half each."""
    if source is None or source.nearness is None:
        return None
    passages = _whole(section, most) or _around(section, source.passage, most)
    if not _of_kind(asked.form, passages):
        return None
    terms = terms_of("\n".join(passage.text for passage in passages), asked.language)
    said = asked.share(terms | heading_terms(section[0].section, asked.language))
    return Found(passages, (said + source.nearness) / 2, "it lies near the question in meaning")


def _of_kind(form: Form, passages: Sequence[Passage]) -> bool:
    """Whether passages show how something is done, or hold a figure, where that is asked for."""
    if form is Form.HOW:
        return any(p.kind in _SHOWN or p.code_spans or p.emphasis or _PURPOSE.search(p.text) for p in passages)
    return bool(passages) and (form is not Form.AMOUNT or any(_FIGURE.search(item.text) for item in passages))


def _whole(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """These passages, where they fit and can be quoted alone."""
    return tuple(passages) if _words(passages) <= most and _stands_alone(passages, ()) else ()


def _first_block(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """The first block, with what it introduces and what takes it back or limits it."""
    taken: list[Passage] = []
    for block in together(passages):
        if taken and not _goes_on(taken[-1], block[0]):
            break
        taken += block
    fits = _words(taken) <= most and _stands_alone(taken, passages[len(taken) :])
    return tuple(taken) if fits else ()


def _around(section: Sequence[Passage], passage: Passage, most: int) -> tuple[Passage, ...]:
    """The block of a passage, with what introduces it, what it introduces, and what takes it back or limits it."""
    blocks = list(together(section))
    at = next((at for at, block in enumerate(blocks) if any(item.id == passage.id for item in block)), 0)
    while at and blocks[at - 1][-1].text.endswith(OPENING):
        at -= 1
    return _first_block([item for block in blocks[at:] for item in block], most)


def _stands_alone(taken: Sequence[Passage], rest: Sequence[Passage]) -> bool:
    """Whether a reader understands what is taken, and is not misled by what is left out behind it."""
    if not taken or (taken[0].kind is not PassageKind.CODE and _LEANS.match(taken[0].text)):
        return False
    if _ANNOUNCES.search(taken[-1].text):
        return False
    return not taken[-1].text.endswith(OPENING) and not (rest and _goes_on(taken[-1], rest[0]))


def _goes_on(passage: Passage, following: Passage) -> bool:
    """Whether a passage introduces the one that follows, or that one takes it back or limits it."""
    if passage.text.endswith(OPENING):
        return True
    return _LEANS.match(following.text) is not None and _LIMITS.search(following.text) is not None


def _words(passages: Sequence[Passage]) -> int:
    return sum(len(passage.text.split()) for passage in passages)


def heading_terms(section: Section, language: str) -> frozenset[str]:
    """The terms of a section's headings and its page's title."""
    return terms_of(" ".join((section.page.title, *section.breadcrumb)), language)


def check(asked: Asked, content: str, sources: Sequence[Source]) -> AnswerCheck:
    """Whether a text, its Markdown, answers a question by the words that it and the headings over its sources speak of.

    Args:
        sources: those that it cites.
    """
    said = terms_of(MARKER.sub("", content), asked.language)
    above = frozenset().union(*(heading_terms(source.passage.section, asked.language) for source in sources))
    score = round(asked.share(said) + _BY_HEADING * asked.share(above - said), 3)
    open_ = sorted((word for word in asked.words if word.term not in said | above), key=lambda word: -word.weight)
    missing = tuple(dict.fromkeys(word.word for word in open_))[:5]
    wanting = "a figure" if asked.form is Form.AMOUNT and not _FIGURE.search(content) else ""
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
