"""Plain operations on text that every level shares: normalising, digests, slugs, globs, patterns, names of languages.

What knows of words, sentences and languages lives in `language`. Patterns that people write into their docs are matched
by RE2, in time of the text's length (Cox 2007, "Regular Expression Matching Can Be Simple And Fast"): Python's own
engine takes exponential time for patterns such as `(a+)+b`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

Spans = tuple[tuple[int, int], ...]
"""Parts of a text: of each the offsets of its first character and behind its last, in code points."""

FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_NOT_WORD = re.compile(r"[^\w]+")


def collapse(text: str) -> str:
    """Runs of white space become one space, ends are trimmed: how a browser shows a paragraph."""
    return " ".join(text.split())


def ticks(code: str, least: int = 1) -> str:
    """The backticks that go around a code in Markdown, `least` or more: longer than any run of them inside it
    (CommonMark §6.1)."""
    run = "`" * least
    while run in code:
        run += "`"
    return run


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
    hashed = hashlib.sha256(
        b"".join(b"%d:%b" % (len(data), data) for data in encoded)
    ).digest()
    # eight letters hold five bytes
    return base64.b32encode(hashed[: -(-length // 8) * 5]).decode().lower()[:length]


def letters(text: str) -> str:
    """The letters and digits of a text, in lower case: what is the same however it is set."""
    return "".join(filter(str.isalnum, text.lower()))


def slugify(text: str, *, fallback: str = "answer") -> str:
    """An ASCII id made of the words of `text`; a short digest of it when it has no such words (CJK)."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    plain = ascii_text.lower().replace("_", "-").replace("'", "")
    words = _NOT_WORD.sub("-", plain).strip("-")
    if not words or len(letters(words)) * 2 < len(letters(text)):
        return f"{fallback}-{digest(text, length=8)}"
    if len(words) > 60:
        words = words[:60].rpartition("-")[0] or words[:60]
    return words


def with_plain_ends(text: str) -> str:
    """A text each of whose lines ends in `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def blank_front_matter(text: str) -> str:
    """A Markdown file with empty lines for its front matter, so that those below keep their numbers."""
    matter = FRONT_MATTER.match(text)
    if matter is None:
        return text
    return "\n" * matter[0].count("\n") + text[matter.end() :]


def glob_matches(path: str, patterns: Sequence[str]) -> bool:
    """True if a `/`-separated path is named by globs. Later patterns win; a leading `!` takes away.

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


_PART = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)
_AS_REGEX = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> Callable[[str], object]:
    pattern = pattern.removeprefix("./").removeprefix("/")
    if pattern.endswith("/"):
        pattern += "**"
    parts = _PART.findall(pattern)
    expression = "(?s)" + "".join(
        _AS_REGEX.get(part) or re.escape(part) for part in parts
    )
    matcher = linear(encodable(expression)).fullmatch
    return lambda path: matcher(encodable(path))


def encodable(text: str) -> str:
    """Return the text with `�` in place of each half of a surrogate pair, so that it can be written as UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_NAMED = 50
"""Known words that a tip names: every option and every finding, but not every page of a site."""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that was meant, most likely; empty where none is close."""
    import difflib  # for mistakes only

    return next(iter(difflib.get_close_matches(word, list(known), n=1)), "")


def did_you_mean(word: str, known: Iterable[str], above: str = "") -> str:
    """A tip that names the closest known word, or all of them where they are not too many to read; empty where none is
    known. `above` is written before the closest one."""
    known = list(dict.fromkeys(known))
    close = closest(word, known)
    if close:
        return f"did you mean `{above}{close}`?"
    if not known:
        return ""
    if len(known) > _NAMED:
        known = [*known[:_NAMED], "…"]
    return f"known: {', '.join(f'`{name}`' for name in known)}"


_MEMORY = 1 << 20
"""Bytes that a pattern may take when it is compiled."""


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
        said = str(error)
        if error.args and isinstance(error.args[0], bytes):
            said = error.args[0].decode("utf-8", "replace")
        raise ValueError(said) from None


_TAG = re.compile(r"[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}")


def tag_of(value: object) -> str:
    """A value of a page's front matter as a language tag (the form of RFC 5646 §2.1, `_` taken for `-`); empty for
    everything else, paths and bombs among it."""
    if isinstance(value, str) and _TAG.fullmatch(value):
        return value
    return ""


@lru_cache(maxsize=256)
def language_of(locale: str) -> str:
    """The primary subtag of a BCP 47 tag: `pt-BR` → `pt`, empty → `en`."""
    return re.split(r"[-_]", locale or "en", maxsplit=1)[0].lower() or "en"
