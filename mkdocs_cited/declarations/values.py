"""Plain values of a declaration, and what is wrong with one in the words of its author."""

from __future__ import annotations

import datetime
import re
from typing import Any

# Markdown renderers use control characters as placeholders, and neither YAML nor JSON can carry half a pair.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TYPES = re.compile(r"`([\w| ]+)`")
_NAMES = {
    "str": "a text", "array": "a list", "object": "a mapping", "int": "a number", "float": "a number",
    "bool": "`true` or `false`", "null": "nothing",
}  # fmt: skip
_WILDCARDS = 4
"""Most runs of `*` in one glob; matching grows with a power of their number."""


def plain(value: Any) -> Any:
    """Dates as the text that was written: the only YAML type that an author does not mean to write."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def is_clean(value: Any) -> bool:
    """Whether no text in a value holds a control character or half a character."""
    return not any(_FORBIDDEN.search(text) for text in _strings(value))


def in_words(error: Exception) -> str:
    """What msgspec says of a value that has another type."""
    message = str(error).partition(" - at ")[0]
    message = _TYPES.sub(lambda match: " or ".join(dict.fromkeys(map(_in_words, match[1].split(" | ")))), message)
    return message[:1].lower() + message[1:]


def _in_words(name: str) -> str:
    return _NAMES.get(name, name)


def glob_problem(glob: str) -> str:
    """Why a glob can name no page; empty when it can."""
    pattern = glob.removeprefix("!")
    if not pattern.strip():
        return "it is empty"
    if "\\" in pattern:
        return "paths are written with `/`"
    if ".." in pattern.split("/"):
        return "it leads out of the docs folder"
    if len(pattern) > 300 or len(re.findall(r"\*+", pattern)) > _WILDCARDS:
        return f"at most 300 characters and {_WILDCARDS} wildcards are read"
    return ""


def is_date(text: str) -> bool:
    """Whether a text is an ISO 8601 date."""
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def no_json(value: Any) -> Any:
    """Refuse a value that JSON has no form for, with its type and the value itself.

    Raises:
        TypeError: always.
    """
    raise TypeError(f"{type(value).__name__} `{value!s:.40}`")


def _strings(value: Any) -> list[str]:
    """Every text in a value, however deep."""
    if isinstance(value, dict):
        return [text for pair in value.items() for inner in pair for text in _strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _strings(inner)]
    return [value] if isinstance(value, str) else []
