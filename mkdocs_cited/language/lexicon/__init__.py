"""The hand-made and derived word lists, read once from the text files beside this module.

The files are data that a person can read and correct; what follows from two
words being related is decided by the callers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType

from mkdocs_cited.language.words import stem

__all__ = [
    "OPPOSITE",
    "SAME",
    "WIDER",
    "base_forms",
    "familiarity",
    "number_words",
    "opposites",
    "relatives",
    "siblings",
    "technical_words",
    "units",
    "word_class",
]

SAME = 0.85
"""Strength of a synonym or derived word, of 1 for the same word."""
WIDER = 0.55
"""Strength of a wider or narrower word."""
OPPOSITE = -1.0
"""Mark of an opposite."""

_SUFFIXES = (
    ("'s", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ying", "ie"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ing", ""),
    ("ing", "e"),
    ("ed", ""),
    ("ed", "e"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("iest", "y"),
    ("ier", "y"),
    ("est", ""),
    ("est", "e"),
    ("er", ""),
    ("er", "e"),
    ("ly", ""),
    ("able", ""),
    ("able", "e"),
)
_NEGATING_PREFIXES = ("un", "in", "im", "non", "dis", "ir", "il", "de")


def _lines(name: str) -> list[str]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def word_class(name: str) -> frozenset[str]:
    """Return the lower-cased words of one `[class]` of `words.txt`."""
    return _classes()[name]


@cache
def _classes() -> Mapping[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in _lines("words.txt"):
        if line.startswith("["):
            current = classes.setdefault(line.strip("[]"), set())
        else:
            current.update(line.split())
    return MappingProxyType({name: frozenset(words) for name, words in classes.items()})


@cache
def technical_words() -> frozenset[str]:
    """Return the words of software documentation, lower-cased, and their stems."""
    words = [word for line in _lines("technical.txt") for word in line.split()]
    return frozenset([*words, *(stem(word) for word in words)])


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Map a written unit to its dimension and its factor to the base unit."""
    found = {}
    for line in _lines("units.txt"):
        dimension, factor, *names = line.split()
        found.update(dict.fromkeys(names, (dimension, float(factor))))
    return MappingProxyType(found)


@cache
def number_words() -> Mapping[str, tuple[float, bool]]:
    """Map a number word to its value and whether it multiplies what stands before."""
    found = {}
    for line in _lines("numbers.txt"):
        value, *names = line.split()
        found.update(dict.fromkeys(names, (float(value.lstrip("x")), value.startswith("x"))))
    return MappingProxyType(found)


@cache
def _groups() -> tuple[Mapping[str, tuple[int, ...]], tuple[tuple[str, ...], ...]]:
    by_stem: dict[str, list[int]] = {}
    groups: list[tuple[str, ...]] = []
    for line in _lines("synonyms.txt"):
        english, _, german = line.partition("|")
        stems = [stem(word, "en") for word in english.split()] + [stem(word, "de") for word in german.split()]
        for each in dict.fromkeys(stems):
            by_stem.setdefault(each, []).append(len(groups))
        groups.append(tuple(dict.fromkeys(stems)))
    return MappingProxyType({each: tuple(ids) for each, ids in by_stem.items()}), tuple(groups)


@cache
def _opposites() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in _lines("opposites.txt"):
        for part, language in zip(line.split("||"), ("en", "de"), strict=False):
            left, _, right = part.partition("|")
            lefts = {stem(word, language) for word in left.split()}
            rights = {stem(word, language) for word in right.split()}
            for word in lefts:
                found.setdefault(word, set()).update(rights - lefts)
            for word in rights:
                found.setdefault(word, set()).update(lefts - rights)
    return MappingProxyType({word: tuple(sorted(others)) for word, others in found.items()})


def opposites(key: str) -> tuple[str, ...]:
    """Return the stems that the hand-made list sets against a stem, in order: of equal partners the first is taken."""
    return _opposites().get(key, ())


@cache
def _thesaurus() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return word -> its line, and irregular form -> word."""
    entries, irregular = {}, {}
    for line in _lines("thesaurus.txt"):
        word, _, rest = line.partition(" ")
        entries[word] = rest
        _head, _, forms = rest.partition("^ ")
        if forms:
            irregular.update(dict.fromkeys(forms.split(), word))
    return MappingProxyType(entries), MappingProxyType(irregular)


@lru_cache(maxsize=65536)
def base_forms(word: str) -> tuple[str, ...]:
    """Return the dictionary forms that a lower-cased English word may be an inflection of."""
    entries, irregular = _thesaurus()
    found = [word] if word in entries else []
    if word in irregular:
        found.append(irregular[word])
    for suffix, ending in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 2:
            base = word[: len(word) - len(suffix)] + ending
            if base in entries:
                found.append(base)
            elif len(base) > 3 and base[-1] == base[-2] and base[:-1] in entries:
                found.append(base[:-1])
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=65536)
def familiarity(word: str) -> int:
    """Return how often people use a word: its count in SemCor, summed over base forms; 0 if unknown."""
    entries, _ = _thesaurus()
    return max((int(entries[base].partition(" ")[0]) for base in base_forms(word)), default=0)


@lru_cache(maxsize=65536)
def relatives(word: str, key: str) -> Mapping[str, float]:
    """Map the stems related to a word to the strength of the relation.

    `word` is lower-cased, `key` its stem. A strength is `SAME`, `WIDER` or
    `OPPOSITE`; the hand-made lists win over the thesaurus.
    """
    found: dict[str, float] = {}
    entries, _ = _thesaurus()
    for base in base_forms(word):
        for part in entries[base].split(" ; ")[1:]:
            mark, *others = part.split()
            strength = {"!": OPPOSITE, "=": SAME, "~": SAME, ">": WIDER, "^": 1.0}[mark]
            for other in others:
                other_stem = stem(other)
                if other_stem != key and (other_stem not in found or strength == OPPOSITE):
                    found[other_stem] = strength
        found.setdefault(stem(base), 1.0)
    for prefix in _NEGATING_PREFIXES:
        found[prefix + key] = OPPOSITE
        if key.startswith(prefix) and len(key) - len(prefix) >= 4 and base_forms(word[len(prefix) :]):
            found[key[len(prefix) :]] = OPPOSITE
    by_stem, groups = _groups()
    for group in by_stem.get(key, ()):
        for other in groups[group]:
            if found.get(other) != 1.0:
                found[other] = SAME
    for other in _opposites().get(key, ()):
        found[other] = OPPOSITE
    found.pop(key, None)
    return MappingProxyType(found)


@lru_cache(maxsize=16384)
def siblings(left: str, right: str) -> bool:
    """Tell whether two lower-cased words share a wider word and are not synonyms: owner and viewer."""
    return bool(_wider(left) & _wider(right))


@lru_cache(maxsize=16384)
def _wider(word: str) -> frozenset[str]:
    entries, _ = _thesaurus()
    found: set[str] = set()
    for base in base_forms(word):
        for part in entries[base].split(" ; ")[1:]:
            mark, *others = part.split()
            if mark == ">":
                found.update(others)
    return frozenset(found)
