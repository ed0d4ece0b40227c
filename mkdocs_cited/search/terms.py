"""Words as the index knows them, the same for pages and for questions, and what kind of answer a question asks for.

Full-text search gets text that is already cut and stemmed, so that identifiers, CJK and every language with a Snowball
stemmer are found alike; SQLite's own tokenizer only splits at spaces.

Words are cut by a pattern of their own, not by `language.words`: an index wants `max` and `sources` of `max_sources`
where a comparison wants the name whole, and it needs neither sentences nor phrases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources

import msgspec

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.stems import stemmer, stems

_DATA = msgspec.json.decode(
    resources.files(__package__).joinpath("question_words.json").read_bytes(), type=dict[str, dict[str, str]]
)
STOP_WORDS = {language: frozenset(words.split()) for language, words in _DATA["stop_words"].items()}
"""Language → words of a question that say nothing of what it is about, lower-case. In other languages, how common a
word is on the site has to tell."""
STOP_PHRASES = {
    language: tuple(sorted(phrases.split(), key=lambda phrase: (-len(phrase), phrase)))
    for language, phrases in _DATA["stop_phrases"].items()
}
"""Language without spaces between words → what is cut out of a question, longest first."""
MEASURES = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _DATA["measures"].items()}
"""Language → how questions ask for a figure: a page that says the figure has no use for these words."""
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST_WORD = 64
_MOST_WORDS = 50_000
"""Words that are remembered: code on a large site holds names and numbers without end."""


@lru_cache(maxsize=_MOST_WORDS)
def _terms(word: str, language: str) -> str:
    """The terms of a word as it is written, joined by spaces; a name of several words has theirs, too."""
    parts = _HUMP.split(word[:_LONGEST_WORD])
    parts = [word[:_LONGEST_WORD], *parts] if len(parts) > 1 else parts  # `mapStateToProps` is found by its parts, too
    if word.isascii():
        terms = [stemmer(language)(part.lower()) for part in parts]
    else:
        terms = [stem for part in parts for stem in stems(unicodedata.normalize("NFKC", part), language)]
    return " ".join(filter(None, map(_ascii, terms)))


def joined_terms(text: str, language: str) -> str:
    """The terms of `text` in order, joined by spaces: what the index stores."""
    code = language_of(language)
    return " ".join(filter(None, (_terms(word, code) for word in _WORD.findall(text))))


@lru_cache(maxsize=2048)
def terms_of(text: str, language: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(joined_terms(text, language).split())


def question_terms(question: str, language: str) -> dict[str, str]:
    """Term → the word it comes from, of a question's words that say what it is about; of all when none does."""
    code = language_of(language)
    text = MEASURES[code].sub(" ", question) if code in MEASURES else question
    for phrase in STOP_PHRASES.get(code, ()):
        text = text.replace(phrase, " ")
    found = dict(_terms_and_words(text, code, STOP_WORDS.get(code, frozenset())))
    return found or dict(_terms_and_words(question, code, frozenset()))


def _terms_and_words(text: str, language: str, without: frozenset[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for word in _WORD.findall(text):
        if word.lower() not in without:
            for number, term in enumerate(_terms(word, language).split()):
                if term not in seen and not (number and term in without):
                    seen.add(term)
                    yield term, word


def _ascii(stem: str) -> str:
    """The term without diacritics: readers leave them out in questions."""
    if stem.isascii():
        return stem
    return "".join(char for char in unicodedata.normalize("NFKD", stem) if not unicodedata.combining(char))


def related(term: str, language: str) -> tuple[str, ...]:
    """The terms that documentation may use where a question says `term`, for looking up, never for judging what is
    said; English only. Both are stems."""
    return _related().get(term, ()) if language_of(language) == "en" else ()


@cache
def _related() -> dict[str, tuple[str, ...]]:
    stem = stemmer("en")
    found: dict[str, dict[str, None]] = {}
    for line in resources.files(__package__).joinpath("everyday.txt").read_text(encoding="utf-8").splitlines():
        said, _, called = line.partition("#")[0].partition(":")
        names = [stem(word) for word in called.split()]
        for word in said.split():
            key = stem(word)
            found.setdefault(key, {}).update(dict.fromkeys(name for name in names if name != key))
    return {key: tuple(names) for key, names in found.items()}


class Form(StrEnum):
    """The kind of answer that is asked for."""

    HOW = "how"
    """What to do: steps, a command, an example."""
    WHAT = "what"
    """What something is, means or is for."""
    AMOUNT = "amount"
    """A figure: a limit, a default, a number of things."""
    WHICH = "which"
    """A name: a command, an option, a file, a rule."""
    WHETHER = "whether"
    """Yes or no."""
    DIFFERENCE = "difference"
    """What sets two things apart."""
    ERROR = "error"
    """What a message means, and what to do about it."""
    WHY = "why"
    OTHER = "other"


_NAMED = (
    r"(?:commands?|options?|settings?|flags?|variables?|files?|class|rule|functions?|methods?|keys?|headers?|plugins?)"
)
_ENGLISH = (
    (
        Form.DIFFERENCE,
        r"\b(?:differences?|differs?|vs\.?|versus|compared? (?:to|with)|sets? \w+ apart"
        r"|which (?:one )?is (?:better|faster)|which of the (?:two|both)"
        r"|which one is)\b|^(?:\S+ ){1,3}or \S+(?: \S+){0,2} ?\?$",
    ),
    (
        Form.ERROR,
        r"\b(?:an?|the|this|no|following) (?:\S+ )?(?:errors?|exception|traceback)\b|\b(?:error|exception|err):"
        r"|\brefuses\b|\bfail(?:s|ed)? (?:with|to)\b|\b(?:get|says?|answers|with|see)\s*[\"'“{`]|[\"“][^\"”]{15,}[\"”]",
    ),
    (Form.WHY, r"\bwhy\b|\bhow come\b|what is (?:wrong|bad) (?:with|about)"),
    (Form.WHICH, rf"(?:^|[.,;:] )(?:which (?:\w+ )?|what ){_NAMED}\b"),
    (
        Form.AMOUNT,
        r"\bhow (?:many|much|long|big|large|often|old|fast|far|soon|small|high|wide)\b"
        r"|\bwhat(?:'s| is| are)? the"
        r" (?:\w+ )?(?:maximum|minimum|max|limits?|default|longest|largest|biggest|smallest|oldest|newest"
        r"|lowest|highest|size)\b|\b(?:default|limits?) (?:of|for|value)\b"
        r"|\bwh(?:at|ich) (?:port|size|version|number)s?\b|\b(?:after|from) how\b",
    ),
    (Form.WHICH, r"\bwhich\b|\bwhat (?:do|can|should|must) i (?:run|call|type|write|set|use|put|drop|enter)\b"),
    (Form.HOW, r"\bhow\b|\bwhat (?:now|do|should|must|can) i\b|\bwhat now\b|\b(?:steps|ways?) to\b"),
    (Form.WHAT, r"\bwhat\b|\bwhat's\b|\bwhen is .{1,60} called\b|\bmeaning of\b|\bstand for\b|^(?:define|explain)\b"),
    (
        Form.WHETHER,
        r"(?:^|[.,;:?!–-] )(?:and |so |but )?(?:is|are|was|can|could|may|does|do|did|will|would|should|has|have|am|must"
        r"|might)\b",
    ),
)
_GERMAN = (
    (Form.DIFFERENCE, r"\bunterschied|\bvergleich|\boder\b.*\?$|\bbesser\b"),
    (Form.ERROR, r"\bfehler|\bmeldung\b|[\"„“][^\"“”]{15,}[\"“”]"),
    (Form.WHY, r"\b(?:warum|wieso|weshalb)\b"),
    (Form.AMOUNT, r"\bwie (?:viele?|lange?|gro(?:ß|ss)|oft|hoch|alt|schnell|weit)\b|\b(?:maximal|standardwert|grenze)"),
    (Form.WHICH, r"\bwelche[rsnm]?\b"),
    (Form.HOW, r"\bwie\b|\bwas (?:tun|muss ich|kann ich|soll ich)\b"),
    (Form.WHAT, r"\bwas\b|\bwozu\b|\bwofür\b"),
    (Form.WHETHER, r"^(?:kann|können|darf|ist|sind|gibt|hat|muss|soll|wird|läuft)\b"),
)
_FRENCH = (
    (Form.DIFFERENCE, r"\bdifférence"),
    (Form.WHY, r"\bpourquoi\b"),
    (Form.AMOUNT, r"\bcombien\b"),
    (Form.WHICH, r"\bquel(?:le)?s?\b"),
    (Form.HOW, r"\bcomment\b"),
    (Form.WHETHER, r"^est-ce\b|^peut-on\b"),
    (Form.WHAT, r"\bqu['’]est|\bc['’]est quoi"),
)
_SPANISH = (
    (Form.DIFFERENCE, r"\bdiferencia"),
    (Form.WHY, r"\bpor qué\b"),
    (Form.AMOUNT, r"\bcuánt[oa]s?\b"),
    (Form.WHICH, r"\bcuál(?:es)?\b"),
    (Form.HOW, r"\bcómo\b"),
    (Form.WHAT, r"\bqué\b"),
    (Form.WHETHER, r"^¿?(?:puedo|se puede|es|está|hay)\b"),
)
_FORMS = {
    language: tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in patterns)
    for language, patterns in {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH}.items()
}
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")
_LONGEST = 1_000
"""Characters of a question that tell what it asks for."""

ASKS_PURPOSE = frozenset(("use", "purpos"))
"""Terms of words that ask what a thing is for, and do not name it."""


def form_of(question: str, language: str = "en") -> Form:
    """The kind of answer that a question asks for; `OTHER` where its words do not tell.

    What is asked stands in the sentence with the question mark: those before it tell the case. Only a message that is
    quoted anywhere makes it a question about an error.
    """
    patterns = _FORMS.get(language_of(language), ())
    text = " ".join(question.split())[:_LONGEST]
    asking = [part for part in _SENTENCE.split(text) if part.endswith(("?", "？"))] or [text]
    for part in (asking[-1], " ".join(asking), text):
        for form, pattern in patterns:
            if pattern.search(text if form is Form.ERROR else part):
                return form
    return Form.OTHER
