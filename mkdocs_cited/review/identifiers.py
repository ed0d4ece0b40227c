"""Flags, options, files, functions, headers and other names that are copied letter by letter or are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.review.words import Token, tokenize

__all__ = ["identifiers", "is_code", "stands_in"]


def is_code(text: str) -> bool:
    """Tell a flag, path, dotted or underscored name from a name like OpenTelemetry."""
    return text[0] in "-/$@" or any(mark in text[1:-1] for mark in "_/.=") or "::" in text


def identifiers(text: str, language: str = "") -> Iterator[Token]:
    """Yield the tokens of a text that only a verbatim copy can get right.

    Those are code, names with digits (`HMAC-SHA1`) and names of several
    capitalised parts (`If-None-Match`); `OpenTelemetry`, `e.g.` and
    `v2` (said in many ways) are not.
    """
    for token in tokenize(text, language):
        if token.kind != "identifier" or len(token.text) < 2 or (token.text[0] in "vV" and token.text[1:].isdigit()):
            continue
        letters = token.text.replace(".", "")
        if (
            (is_code(token.text) and not (len(letters) <= 3 and letters.isalpha()))
            or (any(c.isdigit() for c in token.text) and any(c.isalpha() for c in token.text))
            or (token.text.count("-") >= 1 and all(part[:1].isupper() for part in token.text.split("-")))
        ):
            yield token


def stands_in(identifier: str, text: str) -> bool:
    """Tell whether an identifier stands in a text with no letter, digit or underscore at either end."""
    wanted, where = identifier.lower().strip("`'\"()[]"), text.lower()
    at = where.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        opens = at == 0 or not (where[at - 1].isalnum() or where[at - 1] == "_") or not wanted[0].isalnum()
        closes = end == len(where) or not (where[end].isalnum() or where[end] == "_") or not wanted[-1].isalnum()
        if opens and closes:
            return True
        at = where.find(wanted, at + 1)
    return False
