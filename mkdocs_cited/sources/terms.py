"""Words as the index knows them: the same for pages and for questions.

Full-text search gets text that is already cut and stemmed, so that identifiers, CJK and every language with a Snowball
stemmer are found alike; SQLite's own tokenizer only splits at spaces.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mkdocs_cited.text import language_of, stems

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST_WORD = 64


class _Cache(dict[str, str]):
    """A word as it is written → its terms, joined by spaces. Words repeat, so most look-ups cost a dictionary's."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, word: str) -> str:
        plain = _plain(word[:_LONGEST_WORD])
        terms = [_ascii(stem) for stem in stems(plain, self.language)]
        parts = _HUMP.split(word[:_LONGEST_WORD])
        if len(parts) > 1:  # `mapStateToProps` is found by its parts, too
            terms += [_ascii(stem) for part in parts for stem in stems(_plain(part), self.language)]
        self[word] = joined = " ".join(filter(None, terms))
        return joined


def joined_terms(text: str, language: str) -> str:
    """The terms of `text` in order, joined by spaces: what the index stores."""
    cache = _cache(language_of(language))
    return " ".join(map(cache.__getitem__, _WORD.findall(text)))


def terms(text: str, language: str) -> list[str]:
    """The terms of `text` in order."""
    return joined_terms(text, language).split()


@lru_cache(maxsize=32)
def _cache(language: str) -> _Cache:
    return _Cache(language)


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word)


def _ascii(stem: str) -> str:
    """The term without diacritics: readers leave them out in questions."""
    if stem.isascii():
        return stem
    return "".join(char for char in unicodedata.normalize("NFKD", stem) if not unicodedata.combining(char))


_ENGLISH = """a about after all also am an and any anyone anything are as at be because been before being but by can
cannot could did do does doing don done each else etc ever every everything for from get gets getting give go goes going
got had has have having he her here him his how i if in instead into is isn it its itself just know let like ll
made make makes making may me might more most much must my myself need no nor not now of off on once one only or
    other our ours out over own please possible re same say see seem shall she should since so some someone something
somehow still such t than that the their them then there these they thing things this those through to too under
until up us ve very via want was way ways we well were what whats when where whether which while who whom whose
why will with within without won would yet you your yours yourself s d m doesn didn wasn aren couldn shouldn
wouldn hasn haven tell explain mean means actually really exactly anywhere somewhere there's"""
ENGLISH_STOP_WORDS = frozenset(_ENGLISH.split())
"""Words that say nothing of what a question is about; other languages rely on how common a word is on the site."""
