"""Flags, options, files, functions, headers and other names that are copied letter by letter or are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.quantities import counts, quantities
from mkdocs_cited.language.words import Token, tokenize

__all__ = ["METHODS", "identifiers", "is_code", "is_name", "stands_in"]

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"})
"""The methods of HTTP (RFC 9110 §9, RFC 5789)."""


def is_code(text: str) -> bool:
    """Tell a flag, path, dotted or underscored name from a name like OpenTelemetry."""
    return text[0] in "-/$@" or any(mark in text[1:-1] for mark in "_/.=") or "::" in text


def is_name(token: Token, text: str) -> bool:
    """Tell whether a token of a text names something: an identifier, a call, an abbreviation, a name in a sentence."""
    if token.kind == "identifier" or text.startswith("()", token.end):
        return True
    return token.kind == "word" and (token.name or (token.text.isupper() and len(token.text) > 1))


def identifiers(text: str, language: str = "") -> Iterator[Token]:
    """Yield the tokens of a text that only a verbatim copy can get right.

    Those are code, names with digits (`HMAC-SHA1`) and names of several
    capitalised parts (`If-None-Match`); `OpenTelemetry`, `e.g.` and
    what is a quantity (`v2`, `10^6`, said in many ways) are not.
    """
    tokens = tokenize(text, language)
    found = (*quantities(text, language), *counts(text, language))
    figures = {at for figure in found for at in range(figure.first, figure.last + 1)}
    for at, token in enumerate(tokens):
        if token.kind != "identifier" or len(token.text) < 2 or at in figures:
            continue
        letters = token.text.replace(".", "")
        if (
            (is_code(token.text) and not (len(letters) <= 3 and letters.isalpha()))
            or (any(c.isdigit() for c in token.text) and any(c.isalpha() for c in token.text))
            or (token.text.count("-") >= 1 and all(part[:1].isupper() for part in token.text.split("-")))
        ):
            yield token


def stands_in(identifier: str, text: str) -> bool:
    """Tell whether an identifier stands in a text with no letter, digit or underscore at either end.

    Case counts in flags of one letter only: `-n` is not `-N`. A flag ends where it ends: `--dry` is not `--dry-run`.
    """
    wanted = identifier.strip("`'\"()[]")
    flag = wanted.startswith("-")
    if not (flag and len(wanted) == 2):
        wanted, text = wanted.lower(), text.lower()
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        opens = at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_") or not wanted[0].isalnum()
        closes = end == len(text) or not (text[end].isalnum() or text[end] == "_") or not wanted[-1].isalnum()
        longer = flag and text[end : end + 1] == "-" and text[end + 1 : end + 2].isalnum()
        if opens and closes and not longer:
            return True
        at = text.find(wanted, at + 1)
    return False
