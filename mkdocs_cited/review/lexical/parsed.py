"""A text as the reader compares it: its items in order, what each is, and which of them are limits or negations.

What stands beside what in claim and passage is for `alignment`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property, lru_cache

from msgspec import Struct

from mkdocs_cited.language.identifiers import is_code, is_name
from mkdocs_cited.language.lexicon import LANGUAGES, word_class
from mkdocs_cited.language.negation import denies
from mkdocs_cited.language.quantities import Quantity, counts, quantities
from mkdocs_cited.language.words import Token, tokenize


class ItemKind(StrEnum):
    """What an item is."""

    FIGURE = "figure"
    """A number with its unit, a version, a date."""
    IDENTIFIER = "identifier"
    """A flag, option, path, function: right only letter by letter."""
    NAME = "name"
    """A freer name: JSON, Linux, OpenTelemetry."""
    NEGATION = "negation"
    LIMIT = "limit"
    """A word that says how far a statement goes: only, all, must, if, until."""
    WORD = "word"


_CONTRACTED = re.compile(r"['’](?:s|re|ll|ve|d|m)$")
_CANNOT = ("cannot", "can't", "can’t")
_FIRST = frozenset("first once erste ersten erster erstes einmal".split())
"""Number words of the value one that count nevertheless."""
LIMITS = (
    "only", "condition", "exception", "universal", "partial", "obligation", "advice", "permission", "before", "after",
)  # fmt: skip
"""Classes of `words.txt` whose words limit a statement."""
ROLES = ("from", "to", "by", "in", "with")
"""Classes of the words that say what part a thing has in a statement."""


class Item(Struct, frozen=True):
    """One thing that a text says: a word, a name, a figure with its unit."""

    kind: ItemKind
    key: str
    """What equal items share: a stem, a class of limits, a figure in its base unit."""
    text: str
    start: int
    end: int
    sentence: int
    figure: Quantity | None = None
    role: str = ""
    """One of `ROLES`, by the word right before it: from the server, to the client."""


class ParsedText(Struct, frozen=True, dict=True):
    """A text with its items in order; words that only hold a sentence together are no items."""

    text: str
    language: str
    """`en`, `de`, or empty where only figures, identifiers and structure are read."""
    items: tuple[Item, ...]
    pronouns: bool
    """Whether a word stands for something named elsewhere: it, they, this."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(item.key for item in self.items)

    @cached_property
    def key_set(self) -> frozenset[str]:
        return frozenset(self.keys)

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        """Every quantity, in order."""
        return tuple(item.figure for item in self.items if item.figure)

    def words(self) -> Iterator[Item]:
        """The items that name something: all but negations and limits."""
        return (item for item in self.items if item.kind not in (ItemKind.NEGATION, ItemKind.LIMIT))


@lru_cache(maxsize=16384)
def parse(text: str, language: str) -> ParsedText:
    """A text as its items; cached, since a passage is read for every claim that cites it."""
    known = language if language in LANGUAGES else ""
    tokens = tokenize(text, known or "en")
    figures = {figure.first: figure for figure in counts(text, known or "en")}
    figures |= {figure.first: figure for figure in quantities(text, known or "en")}
    items: list[Item] = []
    at, pronouns, role = 0, False, ""
    while at < len(tokens):
        figure = figures.get(at)
        if figure is not None and not _is_article(figure):
            first, last = _span(tokens, figure)
            named = [item for item in items if item.start >= first and item.kind is ItemKind.NAME]
            items = [item for item in items if item.start < first] + named  # without `at least`, which bounds it
            key = f"{figure.bound}{_figure_key(figure)}"
            items.append(Item(ItemKind.FIGURE, key, text[first:last], first, last, tokens[at].sentence, figure, role))
            role = ""
            while at < len(tokens) and tokens[at].start < last:
                at += 1
            continue
        pronouns = pronouns or tokens[at].text.lower() in word_class("pronoun")
        kind = _kind(tokens, at, text)
        if kind is not None:
            token = tokens[at]
            key = _called(token, text) or _key(token, kind)
            if token.text.lower() in _CANNOT:
                can = token.start, token.start + 3
                items.append(Item(ItemKind.LIMIT, "[permission]", text[slice(*can)], *can, token.sentence))
            said = text[token.start : token.end]
            items.append(Item(kind, key, said, token.start, token.end, token.sentence, role=role))
        role = _role(tokens[at], role if kind is None else "")
        at += 1
    return ParsedText(text, known, tuple(items), pronouns)


def _role(token: Token, before: str) -> str:
    """The part that a word gives to what follows it; articles and the like let stand what was said before them."""
    lowered = token.text.lower()
    return next((name for name in ROLES if lowered in word_class(name)), "" if token.kind == "mark" else before)


def _is_article(figure: Quantity) -> bool:
    """Whether a number word is no more than an article: one of them, eine."""
    return figure.spelled and figure.value == 1 and not figure.dimension and figure.text.lower() not in _FIRST


def _span(tokens: tuple[Token, ...], figure: Quantity) -> tuple[int, int]:
    """A figure with what bounds it, and with its `times`."""
    start, end = min(figure.span[0], figure.start) if figure.span[1] else figure.start, max(figure.span[1], figure.end)
    following = figure.last + 1
    if following < len(tokens) and tokens[following].text.lower() in ("times", "mal"):
        end = max(end, tokens[following].end)
    return start, end


def _figure_key(figure: Quantity) -> str:
    """What figures share that say the same in the same form or an equal one."""
    if figure.code and figure.dimension in ("version", "date", "clock", "address", "proportion"):
        return f"{'' if figure.dimension == 'version' else figure.dimension}#{figure.code}"
    return f"{figure.dimension}#{figure.base:.9g}"


def _kind(tokens: tuple[Token, ...], at: int, text: str) -> ItemKind | None:
    """What a token is; None for marks and for words that only hold a sentence together."""
    token = tokens[at]
    lowered = token.text.lower()
    if token.kind == "mark" or lowered in word_class("shortened"):
        return None
    if token.kind == "identifier" and (is_code(token.text) or token.text[0].islower() or _has_digit(token.text)):
        return ItemKind.IDENTIFIER
    if denies(tokens, at):
        return ItemKind.NEGATION
    if any(lowered in word_class(name) for name in LIMITS):
        return ItemKind.LIMIT
    if lowered in word_class("telling"):
        return ItemKind.WORD
    if token.text.isupper() and len(token.text) > 1 and lowered not in word_class("negation"):
        return ItemKind.NAME
    plain = _CONTRACTED.sub("", lowered)
    if token.kind == "word" and (plain in word_class("function") or plain in word_class("filler")):
        return ItemKind.WORD if lowered in ("on", "off") and _is_switch(tokens, at) else None
    if is_name(token, text):
        return ItemKind.NAME
    return ItemKind.WORD


def _called(token: Token, text: str) -> str:
    """The name of a function that is called: `close` of `close()` is not `closed`; empty for other tokens."""
    return f"{token.text.lower()}()" if text.startswith("()", token.end) else ""


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _is_switch(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether `on` or `off` is a state, and not a preposition: `is off`, `on by default`, `setting: on`."""
    following, before = tokens[at + 1 : at + 2], tokens[max(0, at - 1) : at]
    if tokens[at].text.lower() == "off" or not following or following[0].sentence != tokens[at].sentence:
        return True
    if following[0].kind == "mark" or any(each.text.lower() in (":", "turned", "switched") for each in before):
        return True
    return following[0].text.lower() in ("by", "unless", "until", "when", "and", "or", "default")


def _key(token: Token, kind: ItemKind) -> str:
    lowered = token.text.lower()
    if kind is ItemKind.NEGATION:
        return "not"
    if kind is ItemKind.LIMIT:
        return next(f"[{name}]" for name in LIMITS if lowered in word_class(name))
    if kind is ItemKind.IDENTIFIER:
        plain = token.text.strip("`'\"()[]")
        return plain if plain.startswith("-") and len(plain) == 2 else plain.lower()
    return token.key.lower()
