"""Figures to quantities: one number in digits, with its sign, currency, multiplier and unit, or as version or date; and
what bounds one from one side: `>= 3`, `3.11+`, at least 3, 3 or more, no more than 3."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.language.lexicon import number_words, units, word_class
from mkdocs_cited.language.quantities.dates import clock_at, date_at, date_in
from mkdocs_cited.language.quantities.quantity import Quantity
from mkdocs_cited.language.words import Token

_WRITTEN = re.compile(r"([-−+~≈±<>≤≥=#]*)([$€£]?)([-−]?)([0-9][0-9.,']*)(.*)", re.DOTALL)
_GROUPED = {
    "en": re.compile(r"[0-9]{1,3}(?:[,'][0-9]{3})+(?:\.[0-9]+)?"),
    "de": re.compile(r"[1-9][0-9]{0,2}(?:[.'][0-9]{3})+(?:,[0-9]+)?"),
}
_VERSION = re.compile(
    r"(?P<v>[vV]\.?)?(?P<n>[0-9]+(?:\.[0-9]+)*)(?P<x>(?:\.[xX*])+|[-.]?(?:alpha|beta|rc|a|b|dev|pre|post|preview)[-.]?[0-9]*"
    r"(?:\.[0-9]+)*)?\+?"
)
_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}[:/][0-9]+")
_POWER = re.compile(r"([-−+]?[0-9]+(?:\.[0-9]+)?)([eE^])([-−+]?[0-9]{1,3})")
_RATIO = re.compile(r"([0-9]{1,6})([:/])([0-9]{1,6})")
_SCALES = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_MULTIPLIERS = {"k": 1e3, "bn": 1e9, "mn": 1e6, "mio": 1e6, "b": 1e9, "m": 1e6}
_MONEY = {"$": "money", "€": "euro", "£": "pound"}
_ORDINALS = frozenset({"st", "nd", "rd", "th", "x", "+", "×"})
"""What may follow a figure and gives it no unit: 3rd, 2x, 5+."""
_BYTES = re.compile(r"(?P<p>[KMGTP])(?:(?P<bit>b)|(?P<rate>B)ps)")
_PER_SECOND = re.compile(r"\s*(?:/|per |pro |a |each |every |jede )\s*(?:s|sec|second|sekunde)\b", re.IGNORECASE)
_RELEASES = frozenset("version versions v ver release releases since revision".split())
_NEWER = re.compile(r"\+|\s*(?:or|and|oder) (?:later|newer|higher|above|neuer|höher)\b", re.IGNORECASE)
MONTH, YEAR = 2592000.0, 31536000.0
"""Seconds of `month` and `year` in `lexicon/units.txt`: 30 and 365 days."""


def figure_at(text: str, tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    """Return the quantity that opens at a token in digits (or a month's name), if there is one."""
    token = tokens[at]
    date = date_at(tokens, at)
    if date:
        return _named(text, tokens, at, date[1], "date", date[0])
    if not any(character.isdigit() for character in token.text):
        return None
    written = date_in(token.text)
    if written:
        return _named(text, tokens, at, at, "date", written)
    clock = clock_at(tokens, at, language)
    if clock:
        return _named(text, tokens, at, clock[1], "clock", clock[0])
    return _special(text, tokens, at, language) or (
        _plain(text, tokens, at, language) if token.kind == "number" or token.text[0] in "#−" else None
    )


def unit_of(word: str) -> tuple[str, float] | None:
    """Return dimension and factor of a written unit. Mb is megabit and MB megabyte; mb is what people make of MB."""
    bytes_ = _BYTES.fullmatch(word)
    if bytes_:
        factor = 1e3 ** ("KMGTP".index(bytes_["p"]) + 1)
        return ("data", factor / 8) if bytes_["bit"] else ("rate", factor * 8)
    if word == "B":
        return "data", 1.0
    lowered = word.lower()
    return units().get(lowered)


def months_in(dimension: str, factor: float) -> float:
    """Return how many months a unit of time has, if it has no exact length in days; otherwise 0."""
    if dimension != "time" or factor < MONTH:
        return 0.0
    return factor / YEAR * 12 if factor % YEAR == 0 else factor / MONTH


def with_rate(text: str, tokens: Sequence[Token], last: int, dimension: str, factor: float) -> tuple[int, str, float]:
    """Return last token, dimension and factor of an amount of data that is one each second: 10 MB/s."""
    match = _PER_SECOND.match(text, tokens[last].end, tokens[last].end + 20) if dimension == "data" else None
    if match is None:
        return last, dimension, factor
    while last + 1 < len(tokens) and tokens[last + 1].start < match.end():
        last += 1
    return last, "rate", factor * 8


def _named(text: str, tokens: Sequence[Token], at: int, last: int, dimension: str, code: str) -> Quantity:
    """A quantity that is known by its code; its value orders it among its like, roughly."""
    start, end = tokens[at].start, tokens[last].end
    digits = re.match(r"[0-9]+(?:\.[0-9]+)?", code.replace("-", "").replace(":", "."))
    value = float(digits[0]) if digits else 0.0
    return Quantity(text[start:end], start, end, at, last, value, dimension, value, code=code)


def _special(text: str, tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    """Versions, addresses, powers, fractions and proportions: 1.2.3, v2, 10.0.0.0/8, 1e-6, 10^6, 2/3, 3:1."""
    token = tokens[at]
    body = token.text
    if _ADDRESS.fullmatch(body):
        return _named(text, tokens, at, at, "address", body)
    power = _POWER.fullmatch(body)
    if power:
        base, kind, exponent = (float(power[1].replace("−", "-")), power[2], int(power[3].replace("−", "-")))
        if kind == "^" and (base == 0 or abs(base) > 1000 or abs(exponent) > 64):
            return None
        value = base**exponent if kind == "^" else base * 10.0 ** max(-300, min(290, exponent))
        return Quantity(body, token.start, token.end, at, at, value, "", value)
    ratio = _RATIO.fullmatch(body)
    if ratio:
        few, many = int(ratio[1]), int(ratio[3])
        if ratio[2] == "/" and 0 < few < many <= 100:
            return Quantity(body, token.start, token.end, at, at, few / many, "", few / many)
        return _named(text, tokens, at, at, "proportion", body.replace("/", ":"))
    version = _VERSION.fullmatch(body)
    if version is None or (language == "de" and _GROUPED["de"].fullmatch(body)):
        return None
    number = version["n"]
    before = tokens[at - 1] if at and tokens[at - 1].sentence == token.sentence else None
    released = before is not None and before.text.lower() in _RELEASES
    decimal = number.count(".") == 1 and not (at + 1 < len(tokens) and unit_of(tokens[at + 1].text))
    named = decimal and (
        (before is not None and _is_name(before) and text[before.end : token.start].isspace())
        or _NEWER.match(text, token.start + len(number)) is not None
    )
    if not (version["v"] or version["x"] or number.count(".") >= 2 or released or named):
        return None
    if version["x"] and not version["v"] and "." not in number and version["x"][0] not in ".-":
        return None  # 3a, 5b
    return _named(text, tokens, at, at, "version", code_of(number) + (version["x"] or "").lower())


def code_of(number: str) -> str:
    """Return a number as versions are compared: without leading zeros and last `.0`s."""
    parts = [part.lstrip("0") or "0" for part in number.split(".")]
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return ".".join(parts)


def _is_name(token: Token) -> bool:
    return (token.kind == "identifier" and "_" not in token.text) or (
        token.kind == "word" and token.text[0].isupper() and token.text.lower() not in word_class("function")
    )


def _plain(text: str, tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    token = tokens[at]
    match = _WRITTEN.fullmatch(token.text)
    if match is None:
        return None
    signs, currency, minus, digits, rest = match.groups()
    digits = digits.rstrip(".,'")
    number = _number(digits, language)
    negative = ("-" in signs or "−" in signs or bool(minus)) and not text[
        max(0, token.start - 1) : token.start
    ].isalnum()
    value = -number if negative else number
    dimension, factor, multiplier, last = _MONEY.get(currency, ""), 1.0, 1.0, at
    unit = unit_of(rest) or unit_of(rest.rstrip("s+"))
    if rest in _SCALES and not currency and rest != "k":
        dimension, factor = "scaled", _SCALES[rest]
    elif rest == "m" and not currency and "." not in digits:
        dimension, factor = "time", 60.0  # 30m, as settings have it; nobody writes metres like this
    elif rest.lower() in _ORDINALS or (rest == "s" and number >= 1000):
        rest = ""
    elif rest.lower() in _MULTIPLIERS and (currency or rest.lower() in ("k", "bn")):
        multiplier = _MULTIPLIERS[rest.lower()]
    elif rest and unit:
        dimension, factor = unit
    elif not rest:
        last, multiplier, dimension, factor = _unit_after(tokens, at, dimension)
    last, dimension, factor = with_rate(text, tokens, last, dimension, factor)
    start, end = token.start, tokens[last].end
    code = code_of(digits) if not dimension and multiplier == 1.0 and "," not in digits and not negative else ""
    value *= multiplier
    return Quantity(
        text[start:end], start, end, at, last, value, dimension, value * factor,
        code=code or f"{value:.12g}", months=months_in(dimension, factor) * number,
    )  # fmt: skip


def _number(digits: str, language: str) -> float:
    if _GROUPED["en"].fullmatch(digits):
        plain = digits.replace(",", "").replace("'", "")
    elif language == "de" and _GROUPED["de"].fullmatch(digits):
        plain = digits.replace(".", "").replace("'", "").replace(",", ".")
    else:
        plain = digits.replace(",", ".", 1).replace(",", "").replace("'", "")
    return float(plain) if plain.count(".") <= 1 else 0.0


def _unit_after(tokens: Sequence[Token], at: int, dimension: str) -> tuple[int, float, str, float]:
    """Return last token, multiplier, dimension and factor, reading what follows a figure."""
    last, multiplier, factor = at, 1.0, 1.0
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    words = number_words()
    if following.lower() in words and words[following.lower()][1]:
        multiplier, last = words[following.lower()][0], at + 1
        following = tokens[last + 1].text if last + 1 < len(tokens) else ""
    if following == "-" and last + 2 < len(tokens):
        following = tokens[last + 2].text
    behind = last + 1
    unit = unit_of(following)
    if unit and not dimension:
        dimension, factor = unit
        last = behind
    return last, multiplier, dimension, factor


_REACH = 32
"""Characters before and after a figure in which the words of a bound are."""
_SIGNS = {">=": ">=", "=>": "", "≥": ">=", "<=": "<=", "=<": "<=", "≤": "<=", ">": ">", "<": "<"}
_BOUND = re.compile(r"(?:[<>]=|=[<>]|[<>≤≥])$")
_BEFORE = {
    ">=": ("at least", "no less than", "not less than", "no fewer than", "a minimum of", "minimum of", "mindestens"),
    ">": ("more than", "greater than", "longer than", "larger than", "older than", "higher than", "mehr als",
          "länger als", "größer als", "älter als"),
    "<=": ("at most", "up to", "no more than", "not more than", "never more than", "no longer than",
           "never longer than", "never for longer than", "not exceed", "never exceed", "never exceeds",
           "no greater than", "no larger than", "a maximum of", "maximum of", "höchstens", "bis zu", "nicht mehr als"),
    "<": ("less than", "fewer than", "smaller than", "shorter than", "younger than", "lower than", "weniger als",
          "kürzer als", "kleiner als"),
}  # fmt: skip
_OPENERS = sorted(((words, sign) for sign, all_ in _BEFORE.items() for words in all_), key=lambda pair: -len(pair[0]))
_AFTER = re.compile(
    r"\s*,?\s*(?:or|and|oder|und) "
    r"(?:(?P<up>more|later|newer|higher|above|greater|up|mehr|neuer|höher|später|größer)"
    r"|(?P<down>less|fewer|lower|earlier|older|below|smaller|weniger|niedriger|älter|kleiner))\b(?! (?:than|als)\b)"
)
_OF = re.compile(r"\s+[A-Z]\w*(?:\.\w+)?$")
"""What a version is of, behind the words of its bound: at least Python 3.11."""


def bound_of(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return what bounds the figure at `text[start:end]` (`>=`, `>`, `<=`, `<` or nothing), and the range of both."""
    if text[end : end + 1] == "+" and not text[end + 1 : end + 2].isalnum():
        return ">=", start, end + 1
    opens = max(0, start - _REACH)
    before = text[opens:start].rstrip()
    sign = _BOUND.search(before)
    if sign and _SIGNS[sign[0]] and before[: sign.start()][-1:] not in ("-", "=", "<", ">"):
        return _SIGNS[sign[0]], opens + sign.start(), end
    after = _AFTER.match(text[end : end + _REACH].lower())
    if after:
        return (">=" if after["up"] else "<="), start, end + after.end()
    before = _OF.sub("", before).lower().rstrip()
    for words, found in _OPENERS:
        if before.endswith(words) and not before[: -len(words)][-1:].isalpha():
            return found, opens + len(before) - len(words), end
    return "", start, end
