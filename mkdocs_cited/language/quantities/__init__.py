"""Numbers with their units: a text to its quantities in order. What a figure, a word or a date means, and when two say
the same, is told in the modules next to this one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from mkdocs_cited.language.lexicon import units
from mkdocs_cited.language.quantities.figures import bound_of, figure_at, months_in, unit_of, with_rate
from mkdocs_cited.language.quantities.quantity import NAMED, Quantity, close, equal, same
from mkdocs_cited.language.quantities.spelled import and_a_half, is_loose, is_part, number_at, value_of
from mkdocs_cited.language.words import Token, tokenize

__all__ = ["NAMED", "Quantity", "close", "counts", "equal", "quantities", "same"]

_EVERY = frozenset({"per", "pro", "each", "every", "jede", "jeden", "jedes"})
_RHYTHMS = frozenset(
    "hourly daily weekly monthly yearly annually quarterly stündlich täglich wöchentlich monatlich jährlich".split()
)
_BETWEEN = frozenset("a an of einer eine full - per pro".split())
"""What may be between a small number word and its unit: half an hour."""
_ARTICLES = frozenset("a an ein eine einen einem einer".split())
_ROUND = (12.0, 100.0, 1000.0, 1e6)
"""What an article may be before: a dozen, a hundred."""
_TIMES = frozenset({"times", "time", "mal"})
_ORDINAL_SECOND = "second"


@lru_cache(maxsize=4096)
def quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Return the numbers of a text in order; any language but German writes them as English does."""
    tokens = tokenize(text, language)
    language = language if language in ("en", "de") else "en"
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        read = _read(text, tokens, at, language)
        if read is None or _is_label(read):
            at += 1
            continue
        digits = tokens[at].text.lstrip("<>≤≥=~≈")
        plus = tokens[read.last].text.endswith("+")
        start = tokens[at].end - len(digits)
        bound, *span = bound_of(text, start, read.end - plus)
        found.append(replace(read, bound=bound, span=(min(span[0], read.start), max(span[1], read.end))))
        at = read.last + 1
    return tuple(found)


@lru_cache(maxsize=4096)
def counts(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Return what `quantities` leaves out: words that seldom count (one, twice, first, half), and v2, a label."""
    tokens = tokenize(text, language)
    covered = {at for found in quantities(text, language) for at in range(found.first, found.last + 1)}
    loose = []
    for at, token in enumerate(tokens):
        if at in covered or token.kind not in ("word", "identifier"):
            continue
        if token.kind == "identifier":
            read = figure_at(text, tokens, at, "en") if token.text[0] in "vV" else None
            if read is not None and _is_label(read):
                loose.append(replace(read, span=(read.start, read.end)))
            continue
        lowered = token.text.lower()
        value = (2.0, False) if lowered == _ORDINAL_SECOND else value_of(lowered)
        if value and not value[1] and not is_part(tokens, at):
            last = at + (at + 1 < len(tokens) and tokens[at + 1].text.lower() in _TIMES)
            end = tokens[last].end
            said, span = text[token.start : end], (token.start, end)
            loose.append(Quantity(said, *span, at, last, value[0], "", value[0], True, span=span))
    return tuple(loose)


def _read(text: str, tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    figure = figure_at(text, tokens, at, language)
    if figure is not None:
        return figure
    token = tokens[at]
    lowered = token.text.lower()
    if token.kind != "word":
        return None
    found = _spelled(text, tokens, at)
    if found is None and lowered in _ARTICLES and at + 1 < len(tokens):
        found = _spelled(text, tokens, at + 1)
        if found is not None and (found.value < 1 or found.value in _ROUND):
            return replace(found, text=text[token.start : found.end], start=token.start, first=at)
        found = None
    if found is not None:
        return found
    if lowered in _RHYTHMS:
        return _of_time(text, tokens, at, per=True)
    if lowered not in units():
        return None
    before = tokens[at - 1].text if at else ""
    if units()[lowered][0] == "time" and _is_rate(text, tokens, at):
        return _of_time(text, tokens, at, per=True)
    if len(lowered) > 2 and before.lower() in ("a", "an"):
        return _of_time(text, tokens, at, per=False)
    return None


def _is_rate(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a unit is what something is counted in: per hour, every day, requests/s, but not client/s."""
    token, before = tokens[at], tokens[at - 1] if at else None
    if before is None:
        return False
    if text[before.end : token.start] == "/":
        return len(token.text) > 1 or token.text == "h" or before.text[-1:] in "sqS" or before.text.isupper()
    return before.text.lower() in (_EVERY if len(token.text) > 2 else ("per", "pro"))


def _is_label(read: Quantity) -> bool:
    """Tell v2 from v2.1: a name of one of a few things, said in many ways (`the new API`), rather than a figure."""
    return read.dimension == "version" and read.text[0] in "vV" and "." not in read.text


def _of_time(text: str, tokens: Sequence[Token], at: int, per: bool) -> Quantity:
    """One unit, of which only the name is there: daily, per hour, a week, a day and a half."""
    token = tokens[at]
    dimension, factor = units()[token.text.lower()]
    value, last = (1.5, at + 3) if and_a_half(tokens, at) and not per else (1.0, at)
    months = months_in(dimension, factor) * value
    start, end = token.start, tokens[last].end
    return Quantity(text[start:end], start, end, at, last, value, dimension, value * factor, True, per, months=months)


def _spelled(text: str, tokens: Sequence[Token], at: int) -> Quantity | None:
    """A number in words, with the unit behind it: half an hour, two weeks, a third of."""
    number = number_at(tokens, at)
    if number is None or tokens[at].text.lower() in ("once", "twice", "thrice", "einmal", "zweimal", "dreimal"):
        return None
    value, last = number
    ahead = [token.text.lower() for token in tokens[last + 1 : last + 4]]
    skip = 0
    while skip < min(2, len(ahead)) and ahead[skip] in _BETWEEN and value < 3:
        if ahead[skip] in ("per", "pro"):
            return None
        skip += 1
    dimension, factor, end = "", 1.0, last
    if skip < len(ahead) and (unit := unit_of(tokens[last + 1 + skip].text)):
        dimension, factor = unit
        end = last + 1 + skip
        end, dimension, factor = with_rate(text, tokens, end, dimension, factor)
    elif (last == at and is_loose(tokens[at].text.lower()) and ahead[:1] != ["of"]) or (
        last == at and is_loose(tokens[at].text.lower()) and value >= 1
    ):
        return None
    span = tokens[at].start, tokens[end].end
    return Quantity(
        text[slice(*span)], *span, at, end, value, dimension, value * factor, True,
        code=f"{value:.12g}", months=months_in(dimension, factor) * value,
    )  # fmt: skip
