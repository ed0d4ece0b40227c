"""Number words to their values, English and German: twenty-five, half an hour, a dozen.

text2num 3.1 was tried in place of this: it reads cardinals (`thirty-two thousand`, `dreißigtausend`) and leaves `half
an hour`, `a dozen`, `twice` and `anderthalb` as they are, which is what people write where docs have digits.
"""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.language.lexicon import number_words
from mkdocs_cited.language.words import Token

_ALONE = frozenset(
    "one once single first both eins einmal double pair beide beiden half halb halbe halben halbes quarter null second "
    "twice thrice zweimal dreimal triple dreifach doppelt erste ersten erster erstes zweite zweiten zweiter".split()
)
"""Words that seldom count when they stand alone."""
_STARTS = frozenset("hundred hundert thousand tausend dozen dutzend million".split())
"""Multipliers that may open a number: a hundred, a dozen."""
_PARTS = frozenset("third fourth fifth sixth eighth tenth".split())
"""Words that are no numbers behind `a`, but parts."""


def number_at(tokens: Sequence[Token], at: int) -> tuple[float, int] | None:
    """Return the value of the number words that open at a token, and the last of them."""
    words = number_words()
    if is_part(tokens, at):
        return None
    opening = value_of(tokens[at].text.lower())
    if opening is None or (opening[1] and tokens[at].text.lower() not in _STARTS):
        return None
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
    if and_a_half(tokens, last):
        scale = value_of(tokens[last + 4].text.lower()) if last + 4 < len(tokens) else None
        if scale and scale[1]:  # one and a half million
            return (total + current + 0.5) * scale[0], last + 4
        return total + current + 0.5, last + 3
    return total + current, last


def and_a_half(tokens: Sequence[Token], last: int) -> bool:
    """Tell whether `and a half` follows a token."""
    return [token.text.lower() for token in tokens[last + 1 : last + 4]] == ["and", "a", "half"]


def is_part(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a token is a part of something, and no ordinal: a third."""
    return at > 0 and tokens[at - 1].text.lower() == "a" and tokens[at].text.lower() in _PARTS


def is_loose(word: str) -> bool:
    """Tell whether a lower-cased number word seldom counts when it stands alone: one, first, half."""
    return word in _ALONE


def value_of(word: str) -> tuple[float, bool] | None:
    """Return the value of a lower-cased number word, and whether it multiplies what is before it."""
    words = number_words()
    if word in words:
        return words[word]
    return (1.5, False) if word in ("eineinhalb", "anderthalb") else None
