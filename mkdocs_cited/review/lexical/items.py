"""A text as the reviewer compares it: its items in order. Articles, marks and openers say nothing and are left out.

Two texts say the same, as far as words can tell, where their items are the same one by one (`same`). Where they differ
in one item, `at_odds` tells whether both can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from mkdocs_cited.language.identifiers import is_code, is_name
from mkdocs_cited.language.lexicon import LANGUAGES, opposite, word_class
from mkdocs_cited.language.quantities import NAMED, Quantity, close, counts, equal, quantities
from mkdocs_cited.language.quantities import same as same_quantity
from mkdocs_cited.language.words import Token, stem, tokenize


class ItemKind(StrEnum):
    """What an item is."""

    FIGURE = "figure"
    """A number with its unit and what bounds it, a version, a date."""
    IDENTIFIER = "identifier"
    """A flag, option, path or function: right only letter by letter."""
    NAME = "name"
    """A freer name: JSON, Linux, OpenTelemetry."""
    NEGATION = "negation"
    WORD = "word"
    STOP = "stop"
    """Where a sentence ends and another begins."""


class Item(Struct, frozen=True):
    """One thing that a text says."""

    kind: ItemKind
    text: str
    key: str
    """What items share that differ in inflection only."""
    start: int = 0
    """Offset of its first character in the text."""
    end: int = 0
    figure: Quantity | None = None

    @property
    def plain(self) -> str:
        """Its letters and digits alone, whatever their case: `Node.js` is `NodeJS`."""
        return "".join(filter(str.isalnum, self.text)).casefold()


DENYING = frozenset("❌✗✘✖❎🚫⛔👎☒🛑🗙☐")
"""Signs that say of what is behind them that it is not so, or should not be."""
_AFFIRMING = "✅✓✔☑\ufe0f"
_SIGN = re.compile(r"[^\w\s.,;:!?'\"`’‘“”„«»()…*_‐‑–—-]+|(?<=\w)[-*](?=\s|$)|(?<=\d)['\"]|(?<=\w),(?=\w)")
"""What changes a meaning besides words and figures: `>`, `&&`, `[]`, the signs of `C++` and `A-`."""
_WHOLE = {"won't": "will", "can't": "can", "cannot": "can", "shan't": "shall"}
_CONTRACTED = re.compile(r"(?P<verb>\w+?)n[’']t")
_RANGE = re.compile(r"\s*[-–—]\s*")
"""What joins two figures to a range."""
_FEW = frozenset({"few", "little", "lot"})
"""Words before which an article is not idle: `a few` are some, `few` are hardly any."""
_FIRST = frozenset("first once erste ersten erster erstes einmal".split())
"""Number words of the value one that are more than an article."""
_SYMBOL = 3
"""Letters of a unit's symbol at most."""
ROUNDED = 0.05
"""How far a rounded figure may be from the exact one."""


@lru_cache(maxsize=8192)
def items_of(text: str, language: str) -> tuple[Item, ...]:
    """The items of a text, in order.

    Args:
        language: `en` or `de`; of any other language words are compared as they are written.
    """
    known = language if language in LANGUAGES else "en"
    found = list(_items(tokenize(text, known), text, known))
    return tuple(found[_opener(found) :])


def _items(tokens: Sequence[Token], text: str, language: str) -> Iterator[Item]:
    figures = {figure.first: figure for figure in (*counts(text, language), *quantities(text, language))}
    figures = {first: figure for first, figure in figures.items() if not _is_article(figure)}
    spans = [(at, *_span(figure)) for at, figure in figures.items()]
    sentence, done = 0, 0
    for at, token in enumerate(tokens):
        if token.kind == "mark" or token.start < done:
            continue
        if token.sentence != sentence:
            sentence = token.sentence
            yield Item(ItemKind.STOP, "", "", token.start, token.start)
        bounded = next((span for span in spans if span[1] <= token.start < span[2]), None)
        if bounded:
            first, start, end = bounded
            if done and _RANGE.fullmatch(text, done, start):
                yield Item(ItemKind.WORD, "to", "to", done, start)
            done = end
            yield Item(ItemKind.FIGURE, text[start:done], "#", start, done, figures[first])
            continue
        if done and text[done : token.start].isspace() and _is_symbol(token.text) and at - 1 in figures:
            yield Item(ItemKind.IDENTIFIER, token.text, token.text, token.start, token.end)
        elif not _is_idle(tokens, at):
            yield from _words(token, text, language)


def _is_symbol(text: str) -> bool:
    """Whether a word behind a figure may be a unit's symbol, right only letter by letter: `mW`."""
    return len(text) <= _SYMBOL and text.isalpha() and any(map(str.isupper, text))


def _is_article(figure: Quantity) -> bool:
    return figure.spelled and figure.value == 1 and not figure.dimension and figure.text.lower() not in _FIRST


def _span(figure: Quantity) -> tuple[int, int]:
    """The range of a figure with what bounds it."""
    return (min(figure.span[0], figure.start) if figure.span[1] else figure.start), max(figure.span[1], figure.end)


def _is_idle(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token is an article that tells no amount."""
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    return tokens[at].text.lower() in word_class("article") and following not in _FEW


def _words(token: Token, text: str, language: str) -> Iterator[Item]:
    """A token as items: `doesn't` is `does not`."""
    said, lowered = text[token.start : token.end], token.text.lower().replace("’", "'")
    contracted = _CONTRACTED.fullmatch(lowered)
    verb = _WHOLE.get(lowered) or (contracted["verb"] if contracted else "")
    if verb:
        yield Item(ItemKind.WORD, verb, stem(verb, language), token.start, token.end)
        yield Item(ItemKind.NEGATION, "not", "not", token.start, token.end)
        return
    if lowered in word_class("negation") and not _replies(token, text):
        yield Item(ItemKind.NEGATION, lowered, "not", token.start, token.end)
    elif token.kind == "identifier" and (is_code(said) or said[0].islower() or any(map(str.isdigit, said))):
        yield Item(ItemKind.IDENTIFIER, said, said.casefold(), token.start, token.end)
    elif is_name(token, text):
        called = "()" if text.startswith("()", token.end) else ""
        kind = ItemKind.IDENTIFIER if called else ItemKind.NAME
        yield Item(kind, said + called, said.casefold() + called, token.start, token.end)
    else:
        yield Item(ItemKind.WORD, said, stem(lowered, language), token.start, token.end)


def _replies(token: Token, text: str) -> bool:
    """Whether a word is the reply before a sentence: `No, …`."""
    return token.start == 0 and text[token.end : token.end + 1] in (",", ":")


def _opener(items: Sequence[Item]) -> int:
    """How many items only lead over from the sentence before: `Also`."""
    at = 0
    while at < len(items) and items[at].text.lower() in word_class("opener"):
        at += 1
    return at if at < len(items) else 0


def telling(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items without light words (`another`, `also`), and without the `do` that only carries a verb: `does not need`
    is `not need`, as `does need` is `need`."""
    idle = word_class("light")
    carries = {at for at, item in enumerate(items) if item.text.lower() in ("do", "does", "did") and _leads(items, at)}
    light = {at for at, item in enumerate(items) if item.kind is ItemKind.WORD and item.text.lower() in idle}
    return tuple(item for at, item in enumerate(items) if at not in light | carries)


def _leads(items: Sequence[Item], at: int) -> bool:
    return any(item.kind in (ItemKind.NEGATION, ItemKind.WORD) for item in items[at + 1 : at + 2])


def alike(one: str, other: str, language: str) -> bool:
    """Whether two texts say the same: item by item, with the same signs."""
    mine, theirs = items_of(one, language), items_of(other, language)
    if len(mine) != len(theirs) or not all(map(same, mine, theirs)):
        return False
    return _signs(one, mine) == _signs(other, theirs) if mine else one.strip() == other.strip()


def _signs(text: str, items: Sequence[Item]) -> list[str]:
    """The signs of a text that no figure has."""
    figures = [(item.start, item.end) for item in items if item.figure]
    found = (match for match in _SIGN.finditer(text) if match[0].strip(_AFFIRMING))
    return [match[0] for match in found if not any(a <= match.start() and match.end() <= b for a, b in figures)]


def same(one: Item, other: Item) -> bool:
    """Whether two items say the same: inflections, bounds and letters' case in identifiers count."""
    if one.figure and other.figure:
        return same_quantity(one.figure, other.figure) and _same_letters(one.text, other.text)
    if ItemKind.IDENTIFIER in (one.kind, other.kind):
        return one.text.strip("`'\"") == other.text.strip("`'\"")
    if {one.kind, other.kind} & {ItemKind.NEGATION, ItemKind.STOP}:
        return one.kind is other.kind and one.text == other.text
    if one.figure or other.figure or (len(one.text) > 1 and one.text.isupper() != other.text.isupper()):
        return False  # `us` is not `US`
    return bool(one.plain) and one.plain == other.plain and _owns(one.text) == _owns(other.text)


def _owns(text: str) -> bool:
    """Whether one alone owns something: `clerk's` is not `clerks'`."""
    return text.endswith(("'s", "’s"))


def _same_letters(one: str, other: str) -> bool:
    """Whether units that differ in nothing but case are written alike: `mW` is no `MW`."""
    left, right = ("".join(filter(str.isalpha, text)) for text in (one, other))
    return left == right or left.casefold() != right.casefold() or len(left) > _SYMBOL


def at_odds(one: Item, other: Item) -> str:
    """The slug of the finding on two items in the same place of two sentences that cannot both hold, else nothing."""
    if one.figure and other.figure:
        return "" if may_agree(one.figure, other.figure) else "altered-number"
    names = (ItemKind.IDENTIFIER, ItemKind.NAME)
    if one.kind in names and other.kind in names:
        alike = _qualifies(one.text, other.text) or _qualifies(other.text, one.text)
        if ItemKind.NAME in (one.kind, other.kind):
            alike = alike or one.plain == other.plain
        if one.kind is other.kind is ItemKind.NAME:
            alike = alike or one.plain in other.plain or other.plain in one.plain
        return "" if alike else "altered-identifier"
    if one.kind is other.kind is ItemKind.WORD and opposite(one.key, other.key):
        return "flipped-polarity"
    if {one.text.lower(), other.text.lower()} == {"always", "never"}:
        return "flipped-polarity"
    return ""


def may_agree(one: Quantity, other: Quantity) -> bool:
    """Whether a claim's figure and a passage's can both be right: equal, one bounded, a part of a date, the claim's
    rounded, or of unlike kinds."""
    if equal(one, other) or one.bound != other.bound or _grouped(one.text) == _grouped(other.text):
        return True
    if {one.dimension, other.dimension} <= {"date", ""} and one.dimension != other.dimension:
        return True
    if one.per != other.per or (one.dimension != other.dimension and "scaled" in (one.dimension, other.dimension)):
        return True
    left, right = (one.base, other.base) if one.dimension == other.dimension else (one.value, other.value)
    if one.dimension != other.dimension and not (one.dimension and other.dimension):
        return close(left, right)
    return one.dimension == other.dimension not in NAMED and _rounded(left, right)


def _grouped(text: str) -> str:
    """A figure without what parts its thousands, in whatever language: `1.200` is `1200` in Spanish."""
    return re.sub(r"(?<=\d)[.,'’ \u202f](?=\d{3}(?!\d))", "", text)


def _rounded(coarse: float, exact: float) -> bool:
    """Whether one number is the other to one or two digits, and near to it."""
    digits = _digits(coarse)
    if digits > 2 or digits >= _digits(exact):
        return False
    return close(float(f"{exact:.{digits - 1}e}"), coarse) and abs(coarse - exact) <= ROUNDED * max(
        abs(coarse), abs(exact)
    )


def _digits(number: float) -> int:
    """How many digits a number has without its zeros at either end; 1 at least."""
    return max(1, len(f"{number:.12e}".partition("e")[0].strip("-0").replace(".", "").rstrip("0")))


def _qualifies(whole: str, part: str) -> bool:
    """Whether one name is the end of the other, or differs in case alone: `client.purge()` and `.purge`."""
    long, short = (text.strip("`'\"").removesuffix("()") for text in (whole, part))
    if not (short.startswith("-") and len(short) == 2):  # `-n` is not `-N`
        long, short = long.casefold(), short.casefold()
    bare = short.lstrip("./:")
    if long == short:
        return True
    return bool(bare) and not short.startswith("-") and re.search(rf"[./:]{re.escape(bare)}$", long) is not None
