"""How well one passage serves a question: what it speaks of, and whether it is of the kind that is asked for.

Full-text ranking says which sections are about the words of a question; here a passage is looked at as a reader would.
`benchmarks.questions` measures what the weights were chosen by.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.quantities import quantities
from mkdocs_cited.model.source import AskedWord, Hit, Passage, PassageKind, Section
from mkdocs_cited.search.forms import ASKS_PURPOSE, Form, sides_of
from mkdocs_cited.search.terms import joined_terms, question_terms

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
_BY_HEADING = 0.7
"""What a word is worth that stands in the headings over a passage only."""
_RANK_BESIDE, _NEAR, _NEAR_BY = 0.6, 2.0, 1.0
"""Where an encoder is at work: what its section's rank weighs then, what lying near in meaning weighs, and what the
nearest passage of its section does."""
LONGEST_WORDS = 120
"""Words from which a passage is no answer: a dump of all options, a whole release's notes."""
_TOO_LONG, _SAYS_LITTLE = 0.5, 0.7
"""What is left of the worth of such a passage, and of one that is mostly links or only a name."""
_MOSTLY = 0.6
"""Share of a passage's characters from which it is mostly links."""
_NAME = 8
"""Words of a line that may only name what stands below it."""
_ADDRESS = re.compile(r"https?://\S{10}")

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
_LEAD_IN = (":", "：")
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


class _Around(Struct, frozen=True):
    """What a section brings to the worth of all its passages that were found."""

    above: frozenset[str]
    """The terms of its headings."""
    named: float
    """How nearly its heading is what the question is about."""
    opening: int
    """Ordinal of the first of the passages, where no other page has the heading; else -1."""


def _weigh(asked: Asked, hit: Hit, around: _Around) -> float:
    """What a passage is worth as the answer, or the core of it: the higher, the better."""
    passage = hit.passage if asked.form is Form.DIFFERENCE else hit.bare  # what is compared is told by sentences
    near = hit.nearness
    own = hit.terms if language_of(passage.page.locale) == asked.language else None
    worth = (
        (_RANK if near is None else _RANK_BESIDE) * hit.strength
        + _SAID * _said(asked, _own_terms(asked, passage) if own is None else own, around.above)
        + _NAMED * around.named
        + _FITS * fits(asked, passage)
        + _EXACT * exact(asked, passage)
    )
    opens = passage.position == around.opening
    if asked.form is Form.WHAT and (defines(asked, passage) or (opens and is_entry(asked, passage))):
        worth += _DEFINES
    if near is not None:
        worth += _NEAR * near.passage + _NEAR_BY * near.section
    if _words_of(passage.text) > LONGEST_WORDS:
        worth *= _TOO_LONG
    idle = _sends_on(passage) or _only_names(passage) or _only_announces(asked, passage)
    return _SAYS_LITTLE * worth if idle else worth


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
        or text.endswith((".", "!", "?", "。", *_LEAD_IN))
    ):
        return False
    return _words_of(text) <= _NAME and not any(map(str.isdigit, text))


def _only_announces(asked: Asked, passage: Passage) -> bool:
    """Whether a passage is a line that leads to what follows it and speaks of nothing that is asked: `The fixed code
    looks like this:`."""
    if not passage.text.endswith(_LEAD_IN) or _words_of(passage.text) > _NAME:
        return False
    terms = terms_of(passage.text, asked.language)
    return not any(word.term in terms for word in asked.words)


def serves(asked: Asked, passage: Passage) -> float:
    """What speaks for a passage as an answer besides the words that it shares with the question."""
    return 0.5 * _is_named(asked, passage.section) + 0.4 * fits(asked, passage) + 0.3 * exact(asked, passage)


def said_by(asked: Asked, passage: Passage) -> float:
    """The share of the question that a passage speaks of, 0…1: half by its own words, half with its headings."""
    return _said(asked, _own_terms(asked, passage), heading_terms(passage.section, asked.language))


def _own_terms(asked: Asked, passage: Passage) -> frozenset[str]:
    """The terms of a passage's text and lead."""
    return terms_of(f"{passage.text} {passage.lead}", asked.language)


def _said(asked: Asked, own: frozenset[str], above: frozenset[str]) -> float:
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


def fits(asked: Asked, passage: Passage) -> float:
    """Whether a passage is of the kind that is asked for, 0…1; below 0 for code where code is no answer."""
    text, kind = passage.text, passage.kind
    if kind is PassageKind.CODE and asked.form not in _CODE_ANSWERS:
        return _CODE_ELSEWHERE
    named = bool(passage.code_spans) or kind is PassageKind.CODE
    match asked.form:
        case Form.HOW:
            if kind is PassageKind.STEP or text.endswith(_LEAD_IN):
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
    by_heading = 0.9 if _is_named(asked, passage.section) > 0.95 and passage.kind is PassageKind.PARAGRAPH else 0.0
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


def _is_named(asked: Asked, section: Section) -> float:
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


def _words_of(text: str) -> int:
    return text.count(" ") + text.count("\n") + 1


def order(asked: Asked, hits: Sequence[Hit]) -> list[tuple[float, Hit, int]]:
    """The hits, each with what it is worth and its old place, best first, ties in their old order."""
    sections: dict[tuple[str, int], list[Passage]] = defaultdict(list)
    pages: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        section = hit.bare.section
        sections[section.page.src, section.position].append(hit.bare)
        pages[section.title].add(section.page.src)

    def around(passages: Sequence[Passage]) -> _Around:
        section = passages[0].section
        opening = min(passage.position for passage in passages) if len(pages[section.title]) == 1 else -1
        return _Around(heading_terms(section, asked.language), _is_named(asked, section), opening)

    known = {place: around(passages) for place, passages in sections.items()}
    weighed = [
        (_weigh(asked, hit, known[hit.bare.page.src, hit.bare.section.position]), hit, place)
        for place, hit in enumerate(hits)
    ]
    return sorted(weighed, key=lambda item: -item[0])
