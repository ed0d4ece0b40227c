"""The word lists of each language, read once from the text files beside this module.

The files are data that a person can read and correct; what follows from a word's class is decided by the callers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from mkdocs_cited.language.stems import stemmer


def _lines(name: str) -> list[str]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def word_class(name: str) -> frozenset[str]:
    """The lower-cased words of one `[class]` of `words.txt`.

    Raises:
        KeyError: there is no such class.
    """
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
def units() -> Mapping[str, tuple[str, float]]:
    """A written unit → its dimension and its factor to the base unit."""
    found = {}
    for line in _lines("units.txt"):
        dimension, factor, *names = line.split()
        found.update(dict.fromkeys(names, (dimension, float(factor))))
    return MappingProxyType(found)


@cache
def number_words() -> Mapping[str, tuple[float, bool]]:
    """A number word → its value and whether it multiplies what stands before."""
    found = {}
    for line in _lines("numbers.txt"):
        value, *names = line.split()
        found.update(dict.fromkeys(names, (float(value.lstrip("x")), value.startswith("x"))))
    return MappingProxyType(found)


def synonymous(left: str, right: str) -> bool:
    """Whether technical prose uses two stems for one another: they share a group of `synonyms.txt`."""
    groups = _groups()
    return not groups.get(left, frozenset()).isdisjoint(groups.get(right, frozenset()))


def opposite(left: str, right: str) -> bool:
    """Whether the exchange of two stems turns a statement round (`opposites.txt`)."""
    return right in _opposites().get(left, frozenset())


@cache
def _groups() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_lines("synonyms.txt")):
        for stem in _stems(line.split("|")):
            found.setdefault(stem, set()).add(number)
    return MappingProxyType({stem: frozenset(numbers) for stem, numbers in found.items()})


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines("opposites.txt"):
        for number, part in enumerate(line.split("||")):
            left, _, right = part.partition("|")
            sides = [_stems(("", side) if number else (side,)) for side in (left, right)]
            for mine, others in (sides, sides[::-1]):
                for stem in mine:
                    found.setdefault(stem, set()).update(others - mine)
    return MappingProxyType({stem: frozenset(others) for stem, others in found.items()})


def _stems(parts: tuple[str, ...] | list[str]) -> set[str]:
    """The stems of words: the first part English, the second German."""
    return {
        stemmer(language)(word) for part, language in zip(parts, ("en", "de"), strict=False) for word in part.split()
    }
