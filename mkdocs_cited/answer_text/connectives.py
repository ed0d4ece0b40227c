"""Which sentences of an answer only lead on (`Here is how:`, `In short`), and so state nothing to cite.

A sentence passes for one only when every word of its main clause is on the list of its language, for a claim that is
taken for a lead-in would escape the review. The vocabularies are data, in `connectives.toml`; no other module
keeps any.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from msgspec import Struct

from mkdocs_cited.base.text import language_of

_MOST_WORDS = 30
_LABEL_WORDS = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SPECIFIC = re.compile(r"[\d_/\\=<>$@#`\"“”„«»*+]|(?:^|\s)--?\w|\w\.\w\w")
"""Figures, names, paths and quotations: a sentence that holds one states something."""
_QUESTION = ("?", "？", "؟")
_COLON = (":", "：")


class _Vocabulary(Struct, frozen=True):
    """The words of one language that carry no fact of a documentation."""

    filler: frozenset[str]
    """Words that may be in a lead-in, pointers among them."""
    pointers: frozenset[str]
    """Words of which a lead-in needs one, unless it ends in a colon."""
    openers: frozenset[str]
    """First words of a subordinate clause that a lead-in may start with: `To rotate a key, follow these steps.`"""
    purposes: frozenset[str]
    """Words that start a purpose behind the main clause: `Follow these steps to rotate a key:`"""
    references: tuple[str, ...]
    """How a sentence starts that sends the reader elsewhere: `See the guide.`"""
    finite: frozenset[str]
    """Verbs in a form that makes a clause; the commonest in documentation."""


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(
        resources.files(__package__)
        .joinpath("connectives.toml")
        .read_text(encoding="utf-8")
    )


@cache
def _vocabulary(language: str) -> _Vocabulary:
    """The words of a language; of English where there are none of it."""
    words = _data().get(language) or _data()["en"]
    lists = {
        name: frozenset(value.split())
        for name, value in words.items()
        if isinstance(value, str)
    }
    lists["filler"] |= lists["pointers"]
    return _Vocabulary(**lists, references=tuple(words["references"]))


def connective(text: str, locale: str = "en") -> bool:
    """True if a sentence states nothing: a question, a label, a lead-in, a pointer to elsewhere.

    `text` is plain. Without a vocabulary of the language, English is asked, which then finds little.
    """
    text = text.strip()
    said = text.rstrip("。：:.!、，,")
    if (
        text.endswith(_QUESTION)
        or not any(map(str.isalnum, text))
        or said in _data()["whole"]["sentences"]
    ):
        return True
    words = [match[0].lower().replace("’", "'") for match in _WORD.finditer(text)]
    if not words or len(words) > _MOST_WORDS or _SPECIFIC.search(text):
        return False
    vocabulary = _vocabulary(language_of(locale))
    is_label = text.endswith(_COLON) and len(words) <= _LABEL_WORDS
    if (
        is_label or text.lower().startswith(vocabulary.references)
    ) and vocabulary.finite.isdisjoint(words):
        return True
    return any(
        _leads_on(clause, text, vocabulary)
        for clause in _main_clauses(text, words, vocabulary)
    )


def states(text: str, locale: str = "en") -> bool:
    """True if a part of a sentence can stand as a statement of its own: a subject, and then a verb we know."""
    vocabulary = _vocabulary(language_of(locale))
    words = [match[0].lower().replace("’", "'") for match in _WORD.finditer(text)]
    if len(words) < _LABEL_WORDS or words[0] in vocabulary.finite:
        return False
    return not vocabulary.finite.isdisjoint(words[1:])


def _main_clauses(
    text: str, words: list[str], vocabulary: _Vocabulary
) -> list[list[str]]:
    """The words of the sentence, and of what is left when a purpose before or behind it is taken away."""
    clauses = [words]
    if words[0] in vocabulary.openers and "," in text:
        clauses.append(
            [match[0].lower() for match in _WORD.finditer(text.rpartition(",")[2])]
        )
    if text.endswith(_COLON):
        cut = next(
            (at for at, word in enumerate(words) if at and word in vocabulary.purposes),
            0,
        )
        if cut:
            clauses.append(words[:cut])
    return clauses


def _leads_on(words: list[str], text: str, vocabulary: _Vocabulary) -> bool:
    if not words or not vocabulary.filler.issuperset(words):
        return False
    return text.endswith(_COLON) or not vocabulary.pointers.isdisjoint(words)
