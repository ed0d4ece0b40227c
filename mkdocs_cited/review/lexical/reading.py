"""A text read once: its tokens, how much each says, its figures, negations and clauses, and what kind of text it is.

Claims and passages are read alike; laying one over the other is for `alignment.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from mkdocs_cited.language.lexicon import familiarity, technical_words, word_class
from mkdocs_cited.language.negation import clauses, negated
from mkdocs_cited.language.quantities import Quantity, quantities
from mkdocs_cited.language.words import Token, language_of, stem, tokenize

__all__ = ["Nature", "Reading", "german_verbs", "identifier_parts", "read"]

_PARTICIPLE = re.compile(
    "(ab|an|auf|aus|ein|zuruck|um|vor|zu|weg|fest|los|nach|mit|her|hin|)ge([a-zß]{3,}?)(?:et|t|en)?"
)
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: tokens and what they are."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    weights: tuple[float, ...]
    """How much each token says, 0 (function word) … 1.5 (figure)."""
    figures: tuple[Quantity, ...]
    stated: Mapping[str, tuple[Quantity, ...]]
    """The quantities by how they are written."""
    figure_at: Mapping[int, Quantity]
    """First token index -> its quantity."""
    covered: frozenset[int]
    """Token indexes inside a quantity, without its first."""
    negated: tuple[int, ...]
    """Per token: 2 if a negation stands before it, 1 if after it in its clause, 0 if none."""
    clause: tuple[int, ...]
    index: Mapping[str, tuple[int, ...]]
    """Key -> token indexes, rising."""
    prefixes: Mapping[str, tuple[int, ...]]
    """First five letters of a long word -> token indexes."""
    parts: Mapping[str, tuple[int, ...]]
    """Part of an identifier or compound -> token indexes."""
    nature: Nature


@dataclass(frozen=True, slots=True)
class Nature:
    """What kind of text it is."""

    words: int
    """Tokens without marks."""
    names: float
    """Share of them that are names, 0…1."""
    figures: float
    """Quantities for each of them."""
    technical: float
    """Words of software documentation for each content word; an identifier counts one and a half."""


@lru_cache(maxsize=4096)
def read(text: str, language: str = "") -> Reading:
    """Read a text; cached, since a passage is read for every claim that cites it."""
    language = language or language_of(text)
    tokens = tokenize(text, language)
    figures = quantities(text, language)
    figure_at = {figure.first: figure for figure in figures}
    covered = frozenset(at for figure in figures for at in range(figure.first + 1, figure.last + 1))
    stated: dict[str, list[Quantity]] = {}
    for figure in figures:
        stated.setdefault(figure.text, []).append(figure)
    index: dict[str, list[int]] = {}
    prefixes: dict[str, list[int]] = {}
    parts: dict[str, list[int]] = {}
    for at, token in enumerate(tokens):
        if token.kind == "mark":
            continue
        index.setdefault(token.key, []).append(at)
        if token.kind == "word" and len(token.key) >= 6:
            prefixes.setdefault(token.key[:5], []).append(at)
        if token.kind == "identifier":
            for part in identifier_parts(token.text):
                parts.setdefault(part, []).append(at)
        elif language == "de" and token.kind == "word":
            for plain in german_verbs(token.text.lower(), token.key):
                parts.setdefault(plain, []).append(at)
            for cut in range(3, len(token.key) - 4):
                parts.setdefault(token.key[cut:], []).append(at)
    numbers = clauses(tokens)
    function = word_class("function")
    filler = word_class("filler")
    weights = tuple(_weight(token, at, covered, figure_at, function, filler) for at, token in enumerate(tokens))
    return Reading(
        text,
        language,
        tokens,
        weights,
        figures,
        _frozen(stated),
        figure_at,
        covered,
        negated(tokens, numbers),
        numbers,
        _frozen(index),
        _frozen(prefixes),
        _frozen(parts),
        _nature(tokens, weights, len(figures)),
    )


@lru_cache(maxsize=16384)
def identifier_parts(text: str) -> tuple[str, ...]:
    """Return the stems of an identifier's words: `disksPerNode` -> disk, per, node."""
    words: list[str] = []
    current = ""
    for character in text:
        if not character.isalnum():
            words.append(current)
            current = ""
        elif current and (
            (character.isupper() and not current[-1].isupper()) or character.isdigit() != current[-1].isdigit()
        ):
            words.append(current)
            current = character
        else:
            current += character
    words.append(current)

    return tuple(dict.fromkeys(stem(word.lower()) for word in words if len(word) > 1))


@lru_cache(maxsize=16384)
def german_verbs(word: str, key: str) -> tuple[str, ...]:
    """Return the stems of the verbs that a German word may be a form of: aufgelistet -> auflist, sinkt -> sink."""
    match = _PARTICIPLE.fullmatch(key)
    found = [match.group(1) + match.group(2)] if match else []
    for ending in ("et", "te", "t"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            found += [stem(word[: -len(ending)] + "en", "de"), stem(word[: -len(ending)] + "n", "de")]
    return tuple(dict.fromkeys(each for each in found if each != key))


def _nature(tokens: Sequence[Token], weights: Sequence[float], figures: int) -> Nature:
    known = technical_words()
    words = sum(token.kind != "mark" for token in tokens)
    content = [token for token, weight in zip(tokens, weights, strict=True) if weight]
    technical = sum(
        1.5 if token.kind == "identifier" else token.text.lower() in known or token.key in known for token in content
    )
    names = sum(token.name for token in tokens)
    return Nature(words, names / max(1, words), figures / max(1, words), technical / max(3, len(content)))


def _weight(
    token: Token,
    at: int,
    covered: frozenset[int],
    figure_at: Mapping[int, Quantity],
    function: frozenset[str],
    filler: frozenset[str],
) -> float:
    if token.kind == "mark" or at in covered:
        return 0.0
    if at in figure_at:
        return 1.3 if figure_at[at].dimension or not figure_at[at].spelled else 1.0
    if token.kind in ("identifier", "number"):
        return 1.3
    if token.kind == "cjk":
        return 0.6
    lowered = token.text.lower()
    if lowered in function or len(lowered) == 1 or lowered == "cannot" or token.key == "not":
        return 0.0
    if lowered in filler:
        return 0.15
    if token.name:
        return 1.2
    uses = familiarity(lowered)
    return 0.6 if uses > 400 else 0.8 if uses > 40 else 1.0


def _frozen(table: Mapping[str, Sequence[_Item]]) -> Mapping[str, tuple[_Item, ...]]:
    return {key: tuple(places) for key, places in table.items()}
