"""Regular expressions that people write into their docs, matched in time of the text's length, whatever they are (RE2).

Python's own engine takes exponential time for patterns such as `(a+)+b`. RE2 has no back-references and no lookaround,
which its bound depends on (Cox 2007, "Regular Expression Matching Can Be Simple And Fast").
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MOST_CHARACTERS = 500
"""Longest pattern."""
_MEMORY = 1 << 20
"""Bytes that a pattern may take when it is compiled."""


def problem(pattern: str) -> str:
    """Why a pattern cannot be used; empty when it can."""
    if len(pattern) > MOST_CHARACTERS:
        return f"at most {MOST_CHARACTERS} characters are read"
    try:
        linear(pattern)
    except ImportError:
        return "patterns need the package google-re2, which cannot be imported here"
    except ValueError as error:
        return str(error)
    return ""


def stands_in(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere in a text. Call it with patterns that have no `problem` only.

    Raises:
        ValueError: the pattern cannot be used.
    """
    return linear(pattern).search(text) is not None


@lru_cache(maxsize=256)
def linear(pattern: str) -> Any:
    """The compiled pattern, with the methods of Python's own.

    Raises:
        ValueError: it cannot be used.
    """
    import re2  # for declarations with patterns only

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        said = error.args[0] if error.args else ""
        raise ValueError(said.decode("utf-8", "replace") if isinstance(said, bytes) else str(error)) from None
