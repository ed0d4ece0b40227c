"""The word lists of each language, read once from the text files next to this module: a folder is a language.

The files are data that a person can read and correct; what follows from a word's class is decided by the callers. Of a
language without a folder, the offline reviewer compares figures, identifiers, quotes and structure only, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from mkdocs_cited.language.stems import stemmer


def _languages() -> tuple[str, ...]:
    folders = (item.name for item in resources.files(__package__).iterdir() if item.is_dir())
    return tuple(sorted((name for name in folders if name.isalpha()), key=lambda name: (name != "en", name)))


LANGUAGES = _languages()
"""Languages with word lists, English first."""


def lines_of(name: str) -> Iterator[tuple[str, str]]:
    """Language and line of each line of a file that the languages have, comments left out."""
    for language in LANGUAGES:
        for line in _read(f"{language}/{name}"):
            yield language, line


def _entries(name: str) -> Iterator[tuple[str, str]]:
    """Language and entry of each entry of a file that has several a line."""
    for language, line in lines_of(name):
        yield from ((language, entry) for entry in line.rstrip("; ").split(";"))


def _read(path: str) -> list[str]:
    text = resources.files(__package__).joinpath(path).read_text(encoding="utf-8")
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
    for _, line in lines_of("words.txt"):
        if line.startswith("["):
            current = classes.setdefault(line.strip("[]"), set())
        else:
            current.update(line.split())
    return MappingProxyType({name: frozenset(words) for name, words in classes.items()})


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """A written unit → its dimension and its factor to the base unit."""
    found = {}
    for line in _read("units.txt"):
        dimension, factor, *names = line.split()
        found.update(dict.fromkeys(names, (dimension, float(factor))))
    return MappingProxyType(found)


@cache
def number_words() -> Mapping[str, tuple[float, bool]]:
    """A number word → its value and whether it multiplies what is before."""
    found = {}
    for _, line in lines_of("numbers.txt"):
        value, *names = line.split()
        found.update(dict.fromkeys(names, (float(value.lstrip("x")), value.startswith("x"))))
    return MappingProxyType(found)


def verb_of(form: str, language: str) -> str:
    """The verb of a form that no stemmer finds (`kept`); any other word as it is."""
    return _verbs().get((language, form), form)


@cache
def _verbs() -> Mapping[tuple[str, str], str]:
    entries = ((language, entry.split()) for language, entry in _entries("irregular.txt"))
    return MappingProxyType({(language, form): forms[0] for language, forms in entries for form in forms[1:]})


def opposite(left: str, right: str) -> bool:
    """Whether the exchange of two stems turns a statement round (`opposites.txt`)."""
    return right in _opposites().get(left, frozenset())


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for language, pair in _entries("opposites.txt"):
        left, _, right = pair.partition("|")
        sides = [_stems(side, language) for side in (left, right)]
        for mine, others in (sides, sides[::-1]):
            for stem in mine:
                found.setdefault(stem, set()).update(others - mine)
    return MappingProxyType({stem: frozenset(others) for stem, others in found.items()})


def _stems(words: str, language: str) -> set[str]:
    return {stemmer(language)(verb_of(word, language)) for word in words.split()}
