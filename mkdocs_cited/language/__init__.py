"""The words of a text, for each language that has data here: stemmed as a search knows them, and in order as two
sentences are compared by them, with names, quantities and negations. Sentences are in `sentences`, numbers with their
units in `quantities`.

Punctuation is left out. A name is what is copied letter by letter or is wrong: a flag, path, identifier or option.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from mkdocs_cited.language.quantities import Quantity, quantities

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
"""A character of Chinese, Japanese or Korean."""
_DATA = msgspec.json.decode(
    resources.files(__package__).joinpath("question_words.json").read_bytes(),
    type=dict[str, dict[str, str]],
)
STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in _DATA["stop_words"].items()
}
"""Language → words of a question that say nothing of what it is about, lower-case. In other languages, how common a
word is on the site has to tell."""
STOP_PHRASES = {
    language: tuple(sorted(phrases.split(), key=lambda phrase: (-len(phrase), phrase)))
    for language, phrases in _DATA["stop_phrases"].items()
}
"""Language without spaces between words → what is cut out of a question, longest first."""


def stems(text: str, language: str = "en") -> list[str]:
    """The words of `text` in order, lower-case and stemmed (Snowball); CJK as overlapping pairs of characters.

    Names keep their parts: `max_sources` gives `max`, `sourc`. Languages without a stemmer keep their words whole.
    `language` is a code, as `en`.
    """
    stem = stemmer(language)
    out: list[str] = []
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    for word in _WORD.findall(plain):
        if not word.isascii() and CJK.search(word):
            for i in range(max(1, len(word) - 1)):
                out.append(word[i : i + 2])
        else:
            out.append(stem(word.removesuffix("'s")))
    return out


@cache
def idle_stems(language: str) -> frozenset[str]:
    """The stems of words that say nothing of what a text is about: `the`, `get`."""
    return frozenset(stems(" ".join(STOP_WORDS.get(language, ())), language))


@lru_cache(maxsize=32)
def stemmer(language: str) -> Callable[[str], str]:
    """What makes the stem of a word in lower case; the word itself in languages without a stemmer."""
    import Stemmer

    try:
        # its own cache would cost more than it saves with this one
        stemmer = Stemmer.Stemmer(language, 0)
    except KeyError:
        return str
    return lru_cache(maxsize=16384)(lambda word: str(stemmer.stemWord(word)))


NEAR = 0.5
"""Share of equal words from which a sentence is what another one has become, 0…1."""
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor cannot without nowhere "
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder".split()
)
"""Words that turn a statement round; `n't` is `not`. Of other languages none is known: their sentences wait."""

_LEAST_LETTERS = 5
"""Letters of a word in which one wrong letter is a matter of spelling."""
_ENDS = frozenset(".;:!?…。．；：！？|·\n")
"""Punctuation that ends a sentence, a clause, or a cell."""
_CHUNK = re.compile(r"[^\s,;!?…()`\[\]{}|\"“”„«»‘<>—–]+")
_EDGES = ".:'’="
_CONTRACTED = re.compile(r"(can)not|(\w+)n't")
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:[-/][^\W\d_]+(?:['’][^\W\d_]+)*)*")
_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[\d_]+")
_CAMEL = re.compile(r"[a-z][A-Z]")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_BEFORE = re.compile(r"[A-Za-z0-9_@./]$|[^\W\d]-$")
_AFTER = re.compile(r"[A-Za-z0-9_@]|[.:][A-Za-z0-9_]|-[A-Za-z_]")
_SIGNS = ("Sm", "So", "Sc", "Sk")
"""Categories of characters that say something on their own, as `✓` and `==` do: no punctuation."""
_OPERATORS = frozenset("!?&%*/\\@#")
"""Punctuation that says something in code, or of a whole sentence."""
_SIGNS_OF_NAMES = re.compile(r"[_/=@$*~^#&+]|\w[.:]\w|\d")


Range = tuple[int, int]


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    NAME = "name"
    QUANTITY = "quantity"
    NEGATION = "negation"


class Token(Struct, frozen=True):
    """One word, name, quantity or negation of a text."""

    kind: Kind
    key: str
    """What it is compared by: a word in lower case, a name as it is written, a quantity in base units."""
    start: int
    """Offset of its first character in the text."""
    end: int
    quantity: Quantity | None = None


@lru_cache(maxsize=4096)
def tokens(text: str, language: str = "en") -> tuple[Token, ...]:
    """The tokens of plain text, in order; of Chinese, Japanese and Korean each character.

    Args:
        text: plain text.
        language: code of its language, for how numbers are written.
    """
    found: list[Token] = []
    at = 0
    for quantity in quantities(text, language):
        # a part of a name is no number: `sha-256`, `x86`, `/v2/users`, `2fa`
        before = text[max(0, quantity.start - 2) : quantity.start]
        is_in_name = _BEFORE.search(before) or _AFTER.match(text, quantity.end)
        if quantity.start < at or is_in_name:
            continue
        found += _between(text, at, quantity.start)
        span = (quantity.start, quantity.end)
        found.append(Token(Kind.QUANTITY, quantity.key, *span, quantity))
        at = quantity.end
    found += _between(text, at, len(text))
    return tuple(found)


def _between(text: str, start: int, end: int) -> Iterator[Token]:
    for match in _CHUNK.finditer(text, start, end):
        chunk = match[0].rstrip(_EDGES)
        stripped = chunk
        if not chunk.startswith("-"):
            stripped = chunk.lstrip(":'’")
        begin = match.start() + len(chunk) - len(stripped)
        if any(char.isalnum() for char in stripped):
            yield from _chunk(stripped, begin)
        elif any(unicodedata.category(char) in _SIGNS for char in match[0]):
            yield Token(Kind.WORD, match[0], *match.span())


def _chunk(chunk: str, start: int) -> Iterator[Token]:
    """The tokens of what stands between two blanks."""
    if CJK.search(chunk):
        for piece in re.finditer(rf"{CJK.pattern}|[A-Za-z0-9_.]+", chunk):
            at = start + piece.start()
            yield Token(Kind.WORD, piece[0].casefold(), at, at + len(piece[0]))
    elif is_name(chunk):
        yield Token(Kind.NAME, chunk, start, start + len(chunk))
    else:
        for piece in _PIECE.finditer(chunk):
            yield from _word(piece[0], start + piece.start())


def is_name(chunk: str) -> bool:
    """True if letters without a blank are a flag, path, identifier or option rather than words of a language."""
    if _INITIALS.fullmatch(chunk):
        return False
    if _WORDS.fullmatch(chunk):
        return bool(_CAMEL.search(chunk)) and not chunk.isupper()
    if re.fullmatch(r"--?[A-Za-z][\w-]*", chunk):
        return True
    return bool(_SIGNS_OF_NAMES.search(chunk))


def _word(word: str, start: int) -> Iterator[Token]:
    end = start + len(word)
    key = word.casefold().replace("’", "'")
    contracted = _CONTRACTED.fullmatch(key)
    if contracted:
        verb = contracted[1] or contracted[2]
        middle = start + len(verb)
        yield Token(Kind.WORD, _FULL.get(verb, verb), start, middle)
        yield Token(Kind.NEGATION, "not", middle, end)
    elif key in NEGATIONS:
        yield Token(Kind.NEGATION, key, start, end)
    else:
        yield Token(Kind.WORD, key, start, end)


def negates(text: str) -> bool:
    """True if a text has a word that negates."""
    return any(token.kind is Kind.NEGATION for token in tokens(text))


def contains(text: str, part: str) -> bool:
    """True if words stand in a text as a sentence, clause or item of their own, but for spelling and punctuation."""
    whole = tokens(text)
    wanted = tokens(part)
    for start in range(len(whole) - len(wanted) + 1):
        end = start + len(wanted)
        found = whole[start:end]
        is_apart = _ends_at(start, whole, text) and _ends_at(end, whole, text)
        if found and is_apart and all(map(_spelled_alike, found, wanted)):
            first, last = _range(found)
            before = re.split(r"\s", text[:first])[-1]
            after = re.split(r"\s", text[last:])[0]
            return _signs(before + text[first:last] + after) == _signs(part)
    return False


def _signs(text: str) -> list[str]:
    """The characters of a text that are neither words nor punctuation, as `=`, `€` and `✓`, and its question marks."""
    signs = []
    for char in text.replace("`", "").rstrip("!."):
        if char in _OPERATORS or unicodedata.category(char) in _SIGNS:
            signs.append(char)
    return signs


def _ends_at(number: int, whole: Sequence[Token], text: str) -> bool:
    """True if a sentence or clause ends before this token."""
    if number in (0, len(whole)):
        return True
    between = text[whole[number - 1].end : whole[number].start]
    return not _ENDS.isdisjoint(between)


def _spelled_alike(one: Token, other: Token) -> bool:
    """True if two tokens are the same, or words with one letter more, less or changed."""
    left = one.key
    right = other.key
    if left == right:
        return True
    if {one.kind, other.kind} != {Kind.WORD}:
        return False
    if min(len(left), len(right)) < _LEAST_LETTERS or left[0] != right[0]:
        return False
    return not _without_a_letter(left).isdisjoint(_without_a_letter(right))


def _without_a_letter(word: str) -> set[str]:
    """A word, and what is left of it without one of its letters."""
    return {word} | {word[:at] + word[at + 1 :] for at in range(len(word))}


def matcher(one: Sequence[Token], other: Sequence[Token]) -> SequenceMatcher[Any]:
    """Compares two texts by the keys of their tokens."""
    return SequenceMatcher(
        None,
        [token.key for token in one],
        [token.key for token in other],
        autojunk=False,
    )


def nearest(
    text: str, others: Sequence[str], least: float, language: str = "en"
) -> int:
    """The number, from 0, of the first text that shares most tokens with a text; -1 where none shares enough.

    Args:
        least: share of equal tokens that is enough, 0…1.
        language: code of the language of all of them.
    """
    wanted = tokens(text, language)
    best, found = least, -1
    for number, other in enumerate(others):
        ratio = matcher(wanted, tokens(other, language)).ratio()
        if ratio > best or (ratio == best and found < 0):
            best, found = ratio, number
    return found


def differing(one: str, other: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """The ranges of two texts in which they differ, as offsets."""
    pairs = list(replaced(one, other))
    mine = tuple(ours for ours, _ in pairs if any(ours))
    theirs = tuple(others for _, others in pairs if any(others))
    return mine, theirs


def replaced(
    one: str, other: str, language: str = "en"
) -> Iterator[tuple[Range, Range]]:
    """Each range of a text with the one in its place in another text; (0, 0) where one of them has nothing."""
    ours, theirs = tokens(one, language), tokens(other, language)
    for kind, start, end, first, last in matcher(ours, theirs).get_opcodes():
        if kind != "equal":
            yield _range(ours[start:end]), _range(theirs[first:last])


def _range(part: Sequence[Token]) -> Range:
    if part:
        return (part[0].start, part[-1].end)
    return (0, 0)
