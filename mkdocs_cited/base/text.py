"""Plain operations on text that every level shares: normalising, digests, slugs, globs.

What knows of words, sentences and languages lives in `language`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from mkdocs_cited.base.patterns import linear

_BACKTICKS = re.compile(r"`([^`]+)`")
_NOT_WORD = re.compile(r"[^\w]+")


def collapse(text: str) -> str:
    """Runs of white space become one space, ends are trimmed: how a browser shows a paragraph."""
    return " ".join(text.split())


def code_apart(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a line such as a question, in order, and whether each is between backticks, as code does."""
    for place, piece in enumerate(_BACKTICKS.split(text)):
        if piece:
            yield piece, place % 2 == 1


def shorten(text: str, most: int = 120) -> str:
    """The text, or its start up to a word's end and `…`, within `most` characters: for messages."""
    if len(text) <= most:
        return text
    start = text[: most - 1]
    return (start.rpartition(" ")[0] or start).rstrip(" ,;:") + "…"


def digest(*parts: str, length: int = 16) -> str:
    """A lower-case base-32 SHA-256 of the parts, `length` characters (5 bits each, at most 51).

    Parts are length-prefixed, so that `("ab", "c")` and `("a", "bc")` differ.
    """
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    hashed = hashlib.sha256(b"".join(b"%d:%b" % (len(data), data) for data in encoded)).digest()
    return base64.b32encode(hashed[: -(-length // 8) * 5]).decode().lower()[:length]  # eight letters hold five bytes


def letters(text: str) -> str:
    """The letters and digits of a text, in lower case: what is the same however it is set."""
    return "".join(filter(str.isalnum, text.lower()))


def slugify(text: str, *, fallback: str = "answer") -> str:
    """An ASCII id made of the words of `text`; a short digest of it when it has no such words (CJK)."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = _NOT_WORD.sub("-", ascii_text.lower().replace("_", "-").replace("'", "")).strip("-")
    all_letters = sum(char.isalnum() for char in text)
    left = sum(char.isalnum() for char in words)
    if not words or left * 2 < all_letters:
        return f"{fallback}-{digest(text, length=8)}"
    if len(words) > 60:
        words = words[:60].rpartition("-")[0] or words[:60]
    return words


def glob_matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether a `/`-separated path is named by globs. Later patterns win; a leading `!` takes away.

    `*` and `?` stay within a folder, `**` crosses folders, and a pattern that ends in `/` names all below it.
    With only `!` patterns, everything else is named.
    """
    if not patterns:
        return True
    named = all(pattern.startswith("!") for pattern in patterns)
    for pattern in patterns:
        taken = not pattern.startswith("!")
        if _glob(pattern.removeprefix("!"))(path):
            named = taken
    return named


_FEW = 2
"""Wildcards of any length up to which Python's own expressions are fast: at most the square of a path's length."""
_PART = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)
_AS_REGEX = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> Callable[[str], object]:
    pattern = pattern.removeprefix("./").removeprefix("/")
    if pattern.endswith("/"):
        pattern += "**"
    parts = _PART.findall(pattern)
    expression = "(?s)" + "".join(_AS_REGEX.get(part) or re.escape(part) for part in parts)
    if sum(part[0] == "*" for part in parts) > _FEW:
        matcher = linear(whole(expression)).fullmatch
        return lambda path: matcher(whole(path))
    return re.compile(expression).fullmatch


def whole(text: str) -> str:
    """The text with a sign in place of each half character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_NAMED = 50
"""Known words that a tip names: every option and every finding, but not every page of a site."""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that was meant, most likely; empty where none is close."""
    import difflib  # for mistakes only

    close = difflib.get_close_matches(word, list(known), n=1)
    return close[0] if close else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A tip that names the closest known word, or all of them where they are not too many to read."""
    known = list(known)
    if close := closest(word, known):
        return f"did you mean `{close}`?"
    more = f", and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"known: {', '.join(f'`{name}`' for name in known[:_NAMED])}{more}"
