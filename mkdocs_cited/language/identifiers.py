"""Flags, options, files, functions, headers and other names that are copied letter by letter or are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.quantities import counts, quantities
from mkdocs_cited.language.words import Token, tokenize


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
