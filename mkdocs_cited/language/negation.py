"""Which words deny: `not`, `never`, `without`, and not those that only bound or stress."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.words import Token

_COMPARATIVES = frozenset({"more", "less", "fewer", "later", "earlier", "longer", "older", "newer", "mehr", "später"})
_THAN = frozenset({"than", "als"})
_NOT_NEGATIONS = frozenset({("not", "only"), ("nicht", "nur"), ("no", "matter"), ("none", "the")})


def is_negation(token: Token) -> bool:
    """Whether a token negates."""
    lowered = token.text.lower()
    return lowered in word_class("negation") or lowered.endswith(("n't", "n’t"))


def denies(tokens: Sequence[Token], at: int) -> bool:
    """Whether a negation denies something: not one that bounds (`no more than`) or only stresses (`not only`)."""
    if not is_negation(tokens[at]):
        return False
    lowered = tokens[at].text.lower()
    following = [token.text.lower() for token in tokens[at + 1 : at + 4]]
    if following and ((lowered, following[0]) in _NOT_NEGATIONS or (lowered == "no" and following[0][:1].isdigit())):
        return False
    if at and tokens[at - 1].text.lower() in ("or", "oder") and (not following or tokens[at + 1].kind == "mark"):
        return False
    return not (_COMPARATIVES & set(following[:1]) and _THAN & set(following[1:]))
