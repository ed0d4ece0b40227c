"""Number words to their values, English and German: twenty-five, two thirds, half a dozen, fünfundzwanzig.

text2num 3.1 was tried in place of this: it reads cardinals (`thirty-two thousand`, `dreißigtausend`) and leaves `half
an hour`, `a dozen`, `twice` and `anderthalb` as they are, which is what people write where docs have digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mkdocs_cited.language.lexicon import number_words
from mkdocs_cited.language.words import Token

_ALONE = frozenset(
    "one once single first both eins einmal double pair beide beiden half halb halbe halben halbes quarter null second "
    "twice thrice zweimal dreimal triple dreifach doppelt erste ersten erster erstes zweite zweiten zweiter".split()
)
"""Words that seldom count when they stand alone."""
_STARTS = frozenset("hundred hundert thousand tausend dozen dutzend million".split())
"""Multipliers that may open a number: a hundred, a dozen."""
_PARTS = {
    "third": 3, "thirds": 3, "drittel": 3, "quarter": 4, "quarters": 4, "viertel": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "fünftel": 5, "tenth": 10, "tenths": 10, "zehntel": 10,
}  # fmt: skip


_JOINTS = ("und", "hundert", "tausend")
_LONGEST_WORD = 60
"""Letters of a compound that is read: siebenhundertsiebenundsiebzigtausend has 36."""


def number_at(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """Return the value of the number words that open at a token, and the last of them."""
    words = number_words()
    opening = value_of(tokens[at].text.lower())
    if opening is None or (opening[1] and tokens[at].text.lower() not in _STARTS):
        return None
    part = _part_at(tokens, at, 1)
    if part and at and tokens[at - 1].text.lower() in ("a", "one", "ein", "einem", "einen"):
        return part, at
    total, current, last, started = 0.0, 0.0, at, False
    while last < len(tokens) and (found := value_of(tokens[last].text.lower())):
        value, multiplies = found
        if multiplies:
            current = (current or 1.0) * value
            if value >= 1000:
                total, current = total + current, 0.0
        elif started and not (current >= 20 and value < 10) and current % 100 != 0:
            break
        else:
            current += value
        started = True
        last += 1
        last += last + 1 < len(tokens) and tokens[last].text == "-" and tokens[last + 1].text.lower() in words
    last -= 1
    if total + current == 0.5 and [token.text.lower() for token in tokens[last + 1 : last + 3]] in (
        ["a", "dozen"],
        ["ein", "dutzend"],
    ):
        return 6.0, last + 2
    if and_a_half(tokens, last):
        scale = value_of(tokens[last + 4].text.lower()) if last + 4 < len(tokens) else None
        if scale and scale[1]:  # one and a half million
            return (total + current + 0.5) * scale[0], last + 4
        return total + current + 0.5, last + 3
    if started and (part := _part_at(tokens, last + 1, total + current)):
        return part, last + 1
    return total + current, last


def and_a_half(tokens: Sequence[Token], last: int) -> bool:
    """Tell whether `and a half` follows a token."""
    return [token.text.lower() for token in tokens[last + 1 : last + 4]] == ["and", "a", "half"]


def is_loose(word: str) -> bool:
    """Tell whether a lower-cased number word seldom counts when it stands alone: one, first, half."""
    return word in _ALONE


@lru_cache(maxsize=8192)
def value_of(word: str) -> tuple[float, bool] | None:
    """Return the value of a lower-cased number word, and whether it multiplies what stands before it."""
    words = number_words()
    if word in words:
        return words[word]
    if len(word) > _LONGEST_WORD:
        return None
    if word in ("eineinhalb", "anderthalb"):
        return 1.5, False
    if word.endswith("einhalb") and (whole := _german(word.removesuffix("einhalb"))):
        return whole + 0.5, False
    compound = _german(word) if len(word) > 7 and any(joint in word for joint in _JOINTS) else None
    return (compound, False) if compound else None


def _german(word: str) -> float | None:
    """Return the value of a German compound: fünfundzwanzig, zweihundertfünf, dreitausend."""
    for joint, factor in (("tausend", 1000.0), ("hundert", 100.0)):
        head, found, tail = word.partition(joint)
        if found:
            many, rest = (_german(head) if head else 1.0), (_german(tail) if tail else 0.0)
            return None if many is None or rest is None else many * factor + rest
    value = _simple(word)
    if value is not None:
        return value
    ones, found, tens = word.partition("und")
    few, many = (1.0 if ones == "ein" else _simple(ones)), _simple(tens)
    if not found or few is None or many is None or few >= 10 or many < 20:
        return None
    return few + many


def _simple(word: str) -> float | None:
    found = {"ein": (1.0, False)}.get(word) or number_words().get(word)
    return found[0] if found and not found[1] and found[0] == int(found[0]) else None


def _part_at(tokens: Sequence[Token], at: int, many: float) -> float | None:
    """Return the value of `thirds` behind `two`: 2 / 3; a third is one only where something is divided."""
    word = tokens[at].text.lower() if at < len(tokens) else ""
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if word not in _PARTS or many != int(many) or not 0 < many < 10:
        return None
    if many == 1 and following not in ("of", "der", "des", "von", "as"):
        return None
    return many / _PARTS[word]
