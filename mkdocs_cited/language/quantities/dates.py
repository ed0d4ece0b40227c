"""Dates and times of day, in figures and in words: 2024-03-05, 5 March 2024, 10:30, 10 p.m. They become one code.

Babel 2.18 was tried for names of months and formats of numbers: 33 MB of data for twenty-four names, and its German
reads `12.5` as 125, while documentation in German writes versions and decimals both ways.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.language.words import Token

_NAMES = (
    "january jan januar", "february feb februar", "march mar märz", "april apr", "may mai", "june jun juni",
    "july jul juli", "august aug", "september sep sept", "october oct oktober okt", "november nov",
    "december dec dezember dez",
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_DATE = re.compile(
    r"(?P<y>(?:19|20)[0-9]{2})[-/.](?P<m>0?[1-9]|1[0-2])(?:[-/.](?P<d>0?[1-9]|[12][0-9]|3[01]))?"
    r"|(?P<d2>0?[1-9]|[12][0-9]|3[01])\.(?P<m2>0?[1-9]|1[0-2])\.(?P<y2>(?:19|20)[0-9]{2})"
)
_CLOCK = re.compile(r"([01]?[0-9]|2[0-4]):([0-5][0-9])(?::([0-5][0-9]))?(am|pm)?", re.IGNORECASE)
_HOUR = re.compile(r"(1[0-2]|0?[1-9])(am|pm)", re.IGNORECASE)
_HALVES = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}


def date_in(text: str) -> str:
    """Return the code of a date written in figures: `2024-03-05`, `2024-03`; empty if it is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        return ""
    year, month, day = (match[name] or match[f"{name}2"] for name in "ymd")
    if day is None and "-" not in text:
        return ""  # 2024/3 may be a path, 2024.3 a version
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")


def date_at(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Return the code of a date that names its month, and its last token: `March 5, 2024`, `5. März`, `June 2024`."""
    month = _month(tokens, at)
    if month:
        day, last = _day(tokens, at + 1), at + 1
        if not day:
            year = _year(tokens, at + 1)
            return (f"{year}-{month:02}", at + 1) if year else None
    else:
        day, last = _day(tokens, at), at + 1
        if at + 2 < len(tokens) and tokens[last].text.lower() == "of":
            last += 1
        month = _month(tokens, last) if day else 0
        if not month:
            return None
    behind = last + 2 if last + 1 < len(tokens) and tokens[last + 1].text == "," else last + 1
    year = _year(tokens, behind)
    return (f"{year}-{month:02}-{day:02}", behind) if year else (f"--{month:02}-{day:02}", last)


def clock_at(tokens: Sequence[Token], at: int, language: str) -> tuple[str, int] | None:
    """Return the code of a time of day, `22:00`, and its last token: `10:30`, `10pm`, `10 p.m.`, `10:30 Uhr`."""
    text = tokens[at].text
    following = tokens[at + 1].text.lower().strip(".") if at + 1 < len(tokens) else ""
    half = _HALVES.get(following) if language == "en" or "." in following else None
    last = at + (half is not None or following == "uhr")
    clock, hour = _CLOCK.fullmatch(text), _HOUR.fullmatch(text)
    if clock:
        half = _HALVES[clock[4].lower()] if clock[4] else half
        tail = f":{clock[3]}" if clock[3] and clock[3] != "00" else ""
        return f"{_hours(int(clock[1]), half):02}:{clock[2]}{tail}", last
    if hour:
        return f"{_hours(int(hour[1]), _HALVES[hour[2].lower()]):02}:00", at
    if text.isdecimal() and int(text[:3]) <= 24 and len(text) <= 2 and last > at:
        return f"{_hours(int(text), half):02}:00", last
    return None


def _hours(hours: int, half: int | None) -> int:
    return hours if half is None else hours % 12 + half


def _month(tokens: Sequence[Token], at: int) -> int:
    word = tokens[at].text if at < len(tokens) else ""
    return _MONTHS.get(word.lower(), 0) if word[:1].isupper() else 0


def _day(tokens: Sequence[Token], at: int) -> int:
    match = _DAY.fullmatch(tokens[at].text) if at < len(tokens) else None
    return int(match[1]) if match and 1 <= int(match[1]) <= 31 else 0


def _year(tokens: Sequence[Token], at: int) -> str:
    text = tokens[at].text if at < len(tokens) else ""
    return text if _YEAR.fullmatch(text) else ""
