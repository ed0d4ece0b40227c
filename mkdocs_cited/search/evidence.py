"""How well one passage serves a question: what it speaks of, and whether it is of the kind that is asked for.

Full-text ranking says which sections are about the words of a question; here a passage is looked at as a reader would.
`benchmarks.questions` measures what the weights were chosen by.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.quantities import quantities
from mkdocs_cited.model.source import AskedWord, Passage, PassageKind, Section
from mkdocs_cited.search.forms import ASKS_PURPOSE, Form, sides_of
from mkdocs_cited.search.terms import joined_terms, question_terms

_BY_HEADING = 0.7
"""What a word is worth that stands in the headings over a passage only."""
IDENTIFIER = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]+|\b[A-Z]{1,4}/[A-Z]{1,4}\b|[\w.-]*\w_[\w.]*\w|_\w+|\b[a-z]+[A-Z]\w+|/\w[\w/.-]{2,}|:\w+:"
    r"|\b[\w-]+\.(?:exe|toml|ya?ml|py|conf|json|ini|cfg|md|js|ts|sh)\b"
)
"""What a question names letter by letter: a flag, an option, a file, a function, a path."""
_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|can't|don't|doesn't|won't|isn't|aren't|only|must|without|unsupported|neither|unable"
    r"|nicht|kein\w*|nie|nur|muss)\b",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(r"\b(?:can|may|will|supports?|supported|allows?|possible|able|kann|unterstützt)\b", re.IGNORECASE)
_GIVES_REASON = re.compile(
    r"\b(?:because|since|due to|reasons?|so that|therefore|as a result|hence|otherwise|means that|in order to|risks?|"
    r"prevents?|causes?|leads? to|by default|make sure|check that|weil|denn|damit|sonst)\b",
    re.IGNORECASE,
)
_CONTRASTS = re.compile(
    r"\b(?:unlike|where ?as|while|instead|rather than|but|in contrast|on the other hand|however|compared|not|than"
    r"|prefer\w*|recommend\w*|während|dagegen|statt|aber|hingegen|nicht|als)\b",
    re.IGNORECASE,
)
_TASK = 0.7
"""Share of a how-to question that a heading must name to be that very task."""
_ENTRY = 2
"""Level from which a heading may be a glossary's entry: a page's own may stand over anything."""
_OPENING = 3
"""Terms at the beginning of a text in which it names what it is about."""
_SUBJECT = (
    r"^(?:(?:as|in|for|with) [^,.:]{1,50}, )?(?:\W*(?:an?|the|der|die|das|ein|eine)\s+)?(?P<subject>[^,;:.]{1,60}?)"
)
_DEFINITIONS = (
    (
        re.compile(
            _SUBJECT
            + r"\s(?:(?:is|are) (?:an?|the|one|used|for|when|where|how|what|any|also called)\b|means\b|refers? to\b"
            r"|stands? for\b|(?:ist|sind) (?:ein|der|die|das)|bedeutet\b|bezeichnet\b)",
            re.IGNORECASE,
        ),
        1.0,
    ),
    (
        re.compile(
            _SUBJECT
            + r"(?:\s(?:lets?|allows?|represents?|enables?|provides?|describes?|specif(?:y|ies)|defines?|determines?|"
            r"contains?|holds?|(?:can|may) be used|acts? as)\b|:\s\S|\s[–—-]\s)",
            re.IGNORECASE,
        ),
        0.8,
    ),
    (re.compile(_SUBJECT + r"\s(?:is|are|ist|sind)\b", re.IGNORECASE), 0.4),
)
"""How a sentence starts that says what its subject is, with how surely it does."""
_BRACKETS = re.compile(r"\(([^()]*)\)")
_FIGURE = re.compile(r"(?<![\w.-])\d|\bdefaults? to\b|\bunlimited\b", re.IGNORECASE)
_DIMENSIONS = (
    (
        re.compile(r"\bhow (?:long|soon|often|old)\b|\btime(?:out)?\b|\bwie (?:lange|oft)\b", re.IGNORECASE),
        ("time", "length"),
    ),
    (
        re.compile(r"\bhow (?:big|large|much)\b|\bsize\b|\bmemory\b|\bwie groß\b", re.IGNORECASE),
        ("data", "mass", "money"),
    ),
)
LEAD_IN = (":", "：")
_CODE_ANSWERS = (Form.HOW, Form.WHICH, Form.OTHER)
_CODE_ELSEWHERE = -0.5


class Asked(Struct, frozen=True):
    """A question as it is held against passages."""

    text: str
    form: Form
    words: tuple[AskedWord, ...]
    language: str
    """Code of its language."""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """What it names letter by letter."""
        return _identifiers(self.text)

    @property
    def sides(self) -> tuple[frozenset[str], ...]:
        """The terms of the two things that it compares; none where it names no two."""
        return _sides(self.text, self.language) if self.form is Form.DIFFERENCE else ()

    @property
    def subject(self) -> frozenset[str]:
        """The terms of what it asks about, without those that ask what it is for."""
        terms = frozenset(word.term for word in self.words)
        return terms - ASKS_PURPOSE or terms


@lru_cache(maxsize=1024)
def _identifiers(question: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found.casefold() for found in IDENTIFIER.findall(question)))


_sides = lru_cache(maxsize=1024)(sides_of)


def serves(asked: Asked, passage: Passage) -> float:
    """What speaks for a passage as an answer besides the words that it shares with the question."""
    return 0.5 * is_named(asked, passage.section) + 0.4 * fits(asked, passage) + 0.3 * exact(asked, passage)


def said_by(asked: Asked, passage: Passage) -> float:
    """The share of the question that a passage speaks of, 0…1: half by its own words, half with its headings."""
    return share_said(asked, own_terms(asked, passage), heading_terms(passage.section, asked.language))


def own_terms(asked: Asked, passage: Passage) -> frozenset[str]:
    """The terms of a passage's text and lead."""
    return terms_of(f"{passage.text} {passage.lead}", asked.language)


def share_said(asked: Asked, own: frozenset[str], above: frozenset[str]) -> float:
    """The share of the question that these terms, and those of the headings above them, speak of."""
    alone = together = 0.0
    for word in asked.words:
        mine = worth_of(word, own)
        alone += mine
        by_heading = _BY_HEADING * word.weight if word.term in above else 0.0
        together += by_heading if by_heading > mine else mine
    return min(1.0, (alone + together) / 2)


def worth_of(word: AskedWord, terms: frozenset[str]) -> float:
    """What a text of these terms says of a word of the question."""
    if word.term in terms:
        return word.weight
    return word.kin_weight if word.kin and not terms.isdisjoint(word.kin) else 0.0


def most_fitting(form: Form) -> float:
    """The most that `fits` gives where this is asked for."""
    match form:
        case Form.DIFFERENCE:
            return 1.5
        case Form.AMOUNT | Form.WHAT:
            return 1.0
        case _:
            return 0.6


def fits(asked: Asked, passage: Passage) -> float:
    """Whether a passage is of the kind that is asked for, 0…1; below 0 for code where code is no answer."""
    text, kind = passage.text, passage.kind
    if kind is PassageKind.CODE and asked.form not in _CODE_ANSWERS:
        return _CODE_ELSEWHERE
    named = bool(passage.code_spans) or kind is PassageKind.CODE
    match asked.form:
        case Form.HOW:
            if kind is PassageKind.STEP or text.endswith(LEAD_IN):
                return 0.6
            if kind is PassageKind.CODE:
                return 0.5
            return 0.3 if named else 0.0
        case Form.WHICH:
            return 0.6 if named else 0.0
        case Form.AMOUNT:
            return _figure(asked, passage)
        case Form.WHAT:
            return _definition(asked, passage)
        case Form.WHETHER:
            return 0.6 if _DENIES.search(text) else 0.3 if _AFFIRMS.search(text) else 0.0
        case Form.DIFFERENCE:
            return _contrast(asked, passage)
        case Form.WHY | Form.ERROR:
            return 0.6 if _GIVES_REASON.search(text) else 0.0
        case _:
            return 0.0


def _contrast(asked: Asked, passage: Passage) -> float:
    """Whether a passage sets apart what is compared, or is about one of the two."""
    if not asked.sides:
        return 0.0
    if sets_apart(asked, passage.text, passage.section):
        return 1.5 if all(side <= terms_of(passage.text, asked.language) for side in asked.sides) else 1.0
    return 0.6 if any(is_about(asked, number, passage) for number in (0, 1)) else 0.0


def sets_apart(asked: Asked, text: str, section: Section) -> bool:
    """Whether a text sets apart the two things that are compared; one may stand in the headings over it."""
    terms, above = terms_of(text, asked.language), heading_terms(section, asked.language)
    named = all(side <= terms | above for side in asked.sides)
    return named and any(side <= terms for side in asked.sides) and _CONTRASTS.search(text) is not None


def is_about(asked: Asked, number: int, passage: Passage) -> bool:
    """Whether a passage names this one of the two things that are compared in its first words, and the other one
    nowhere in its first sentence."""
    sentence = next(iter(passage.sentence_texts()), passage.text)
    terms = tuple(question_terms(sentence, asked.language))
    named, other = asked.sides[number], asked.sides[1 - number]
    return passage.kind is not PassageKind.CODE and named <= set(terms[:_OPENING]) and not other <= set(terms)


def exact(asked: Asked, passage: Passage) -> float:
    """How many of the question's identifiers a passage holds, 0…1; more where it is about one of them."""
    identifiers = asked.identifiers
    if not identifiers:
        return 0.0
    text, heading = passage.text.casefold(), passage.section.title.casefold()
    found = (
        1.0 if text.startswith(name) or heading.startswith(name) else 0.5 if name in text else 0.0
        for name in identifiers
    )
    return sum(found) / len(identifiers)


def _definition(asked: Asked, passage: Passage) -> float:
    """Whether a passage says what its subject is, and that subject is what is asked."""
    if passage.kind in (PassageKind.ROW, PassageKind.DEFINITION):
        subject = passage.cells[0] if passage.cells else passage.lead
        return _share(asked, subject)
    by_heading = 0.9 if is_named(asked, passage.section) > 0.95 and passage.kind is PassageKind.PARAGRAPH else 0.0
    for pattern, sure in _DEFINITIONS:
        if found := pattern.match(passage.text[:200]):
            return max(by_heading, sure * _share(asked, found["subject"]))
    return by_heading


def denies(text: str) -> bool:
    """Whether a text denies or limits something."""
    return _DENIES.search(text) is not None


def defines(asked: Asked, passage: Passage) -> bool:
    """Whether a passage begins by saying what just that is that is asked about: no more and no less, but for a short
    form in brackets, and one word more in the midst of a name of several."""
    if passage.kind is PassageKind.DEFINITION:
        subject: str | None = passage.lead
    else:
        tried = (pattern.match(passage.text[:200]) for pattern, _ in _DEFINITIONS[:2])
        subject = next((found["subject"] for found in tried if found), None)
    wanted = asked.subject
    if not subject or not wanted:
        return False
    inside = " ".join(_BRACKETS.findall(subject))
    outer, inner = (tuple(question_terms(text, asked.language)) for text in (_BRACKETS.sub(" ", subject), inside))
    more = set(outer) - wanted
    whole = not more or (len(wanted) > 1 and len(more) == 1 and {outer[0], outer[-1]} <= wanted)
    return wanted <= {*outer, *inner} and (whole or (bool(inner) and set(inner) <= wanted))


def is_entry(asked: Asked, passage: Passage) -> bool:
    """Whether prose stands under a heading below its page's that is just what is asked about, as in a glossary: the
    first of it says what that is."""
    if passage.section.level < _ENTRY:
        return False
    prose = passage.kind is PassageKind.PARAGRAPH and passage.text.endswith(".")
    return prose and frozenset(question_terms(passage.section.title, asked.language)) == asked.subject


def _share(asked: Asked, text: str) -> float:
    """The share of the question that a text names."""
    terms = terms_of(text, asked.language)
    return min(1.0, sum(word.weight for word in asked.words if word.term in terms))


def _figure(asked: Asked, passage: Passage) -> float:
    """Whether a passage holds a figure; more when it is of the dimension that is asked for."""
    if not _FIGURE.search(passage.text):
        return 0.0
    wanted = next((names for pattern, names in _DIMENSIONS if pattern.search(asked.text)), ())
    if not wanted:
        return 1.0
    return 1.0 if any(figure.dimension in wanted for figure in quantities(passage.text)) else 0.6


def is_named(asked: Asked, section: Section) -> float:
    """How nearly a heading, or the page's title over its first text, is what the question is about, 0…1 (F1)."""
    best = 0.0
    for title, worth in ((section.title, 1.0), (section.page.title, 0.9)):
        terms = terms_of(title, asked.language)
        if terms:
            hit = [word.weight for word in asked.words if word.term in terms]
            precision, recall = len(hit) / len(terms), sum(hit)
            if hit:
                best = max(best, worth * 2 * precision * recall / (precision + recall))
    return best


def is_task(asked: Asked, section: Section) -> bool:
    """Whether how to do something is asked, and a section's own heading names most of that, two words at least."""
    terms = terms_of(section.title, asked.language)
    worth = [found for word in asked.words if (found := worth_of(word, terms))]
    return asked.form is Form.HOW and len(worth) > 1 and sum(worth) >= _TASK


def heading_terms(section: Section, language: str) -> frozenset[str]:
    """The terms of a section's headings and its page's title."""
    return terms_of(" ".join((section.page.title, *section.breadcrumb)), language)


@lru_cache(maxsize=2048)
def terms_of(text: str, language: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(joined_terms(text, language_of(language)).split())
