"""Words as the index knows them, the same for pages and for questions.

Full-text search gets text that is already cut and stemmed, so that identifiers, CJK and every language with a Snowball
stemmer are found alike; SQLite's own tokenizer only splits at spaces.

Words are cut by a pattern of their own, not by `language.words`: an index wants `max` and `sources` of `max_sources`
where a comparison wants the name whole, and it needs neither sentences nor phrases.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache, lru_cache
from importlib import resources
from itertools import repeat

import msgspec

from mkdocs_cited.language.tokens import stemmer, stems

_DATA = msgspec.json.decode(
    resources.files(__package__).joinpath("question_words.json").read_bytes(),
    type=dict[str, dict[str, str]],
)
_STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in _DATA["stop_words"].items()
}
"""Language → words of a question that say nothing of what it is about, lower-case. In other languages, how common a
word is on the site has to tell."""
_STOP_PHRASES = {
    language: tuple(sorted(phrases.split(), key=lambda phrase: (-len(phrase), phrase)))
    for language, phrases in _DATA["stop_phrases"].items()
}
"""Language without spaces between words → what is cut out of a question, longest first."""
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST_WORD = 64
_MOST_WORDS = 50_000
"""Words that are remembered: code on a large site holds names and numbers without end."""


@lru_cache(maxsize=_MOST_WORDS)
def _terms(word: str, language: str) -> str:
    """The terms of a word as it is written, joined by spaces; a name of several words has theirs, too."""
    parts = _HUMP.split(word[:_LONGEST_WORD])
    if len(parts) > 1:  # `mapStateToProps` is found by its parts, too
        parts = [word[:_LONGEST_WORD], *parts]
    terms: list[str] = []
    for part in parts:
        terms += stems(part, language)
    return " ".join(filter(None, map(_ascii, terms)))


def joined_terms(text: str, language: str) -> str:
    """The terms of `text` in order, joined by spaces: what the index stores."""
    return " ".join(filter(None, map(_terms, _WORD.findall(text), repeat(language))))


@lru_cache(maxsize=2048)
def terms_of(text: str, language: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(joined_terms(text, language).split())


def question_terms(question: str, language: str) -> dict[str, str]:
    """Term → the word it comes from, of a question's words that say what it is about; of all when none does."""
    text = question
    for phrase in _STOP_PHRASES.get(language, ()):
        text = text.replace(phrase, " ")
    stop_words = _STOP_WORDS.get(language, frozenset())
    return _terms_and_words(text, language, stop_words) or _terms_and_words(
        question, language, frozenset()
    )


def _terms_and_words(
    text: str, language: str, without: frozenset[str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        if word.lower() in without:
            continue
        first, *others = _terms(word, language).split() or [""]
        found.setdefault(first, word)
        for other in others:
            if other not in without:
                found.setdefault(other, word)
    found.pop("", None)
    return found


def _ascii(stem: str) -> str:
    """The term without diacritics: readers leave them out in questions."""
    if stem.isascii():
        return stem
    plain = ""
    for char in unicodedata.normalize("NFKD", stem):
        if not unicodedata.combining(char):
            plain += char
    return plain


def related(term: str, language: str) -> tuple[str, ...]:
    """The terms that documentation may use where a question says `term`, for looking up, never for judging what is
    said; English only. Both are stems."""
    if language == "en":
        return _related().get(term, ())
    return ()


@cache
def _related() -> dict[str, tuple[str, ...]]:
    stem = stemmer("en")
    found: dict[str, dict[str, None]] = defaultdict(dict)
    text = resources.files(__package__).joinpath("everyday.txt").read_text("utf-8")
    for line in text.splitlines():
        said, _, called = line.partition("#")[0].partition(":")
        for key in map(stem, said.split()):
            for name in map(stem, called.split()):
                if name != key:
                    found[key][name] = None
    return {key: tuple(names) for key, names in found.items()}
