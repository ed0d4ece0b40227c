"""What a negation, a condition or a conjunction reaches: scopes over tokens."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.language.lexicon import base_forms, word_class
from mkdocs_cited.language.words import Token

__all__ = ["clauses", "denies", "denying", "is_negation", "negated", "opened_by"]

_REACH = 8
"""Tokens a negation reaches within its clause."""
_BREAKS = frozenset(
    [
        "but",
        "whereas",
        "while",
        "because",
        "although",
        "though",
        "however",
        "if",
        "unless",
        "when",
        "since",
        "so",
        "and",
        "or",
        "then",
        "which",
        "who",
        "aber",
        "sondern",
        "während",
        "weil",
        "obwohl",
        "wenn",
        "falls",
        "und",
        "oder",
        "dann",
        "sofern",
        "solange",
    ]
)
_COMPARATIVES = frozenset({"more", "less", "fewer", "later", "earlier", "longer", "older", "newer", "mehr", "später"})
_THAN = frozenset({"than", "als"})
_FORWARD_ONLY = frozenset({"without", "ohne", "nor", "neither", "weder", "noch"})
_NOT_NEGATIONS = frozenset({("not", "only"), ("nicht", "nur"), ("no", "matter"), ("none", "the")})
_SOFT = frozenset({"and", "or", "und", "oder", "nor", "noch", "which", "who", "so", "then", "dann", "since"})
_CUTS = _BREAKS - _SOFT
"""Conjunctions that open a clause."""
_DENIED = frozenset({"when", "if", "because", "while", "wenn", "weil", "falls"})
"""Conjunctions before which a negation denies the clause that they open."""
_STOPS = _SOFT - {"or", "oder"}
"""Conjunctions at which a negation's reach ends."""


def is_negation(token: Token) -> bool:
    """Tell whether a token negates."""
    lowered = token.text.lower()
    return lowered in word_class("negation") or lowered.endswith(("n't", "n’t"))


def denies(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation denies something: not one that bounds (`no more than`) or only stresses (`not only`)."""
    if not is_negation(tokens[at]):
        return False
    lowered = tokens[at].text.lower()
    following = [token.text.lower() for token in tokens[at + 1 : at + 4]]
    if following and ((lowered, following[0]) in _NOT_NEGATIONS or (lowered == "no" and following[0][:1].isdigit())):
        return False
    if at and tokens[at - 1].text.lower() in ("or", "oder") and (not following or tokens[at + 1].kind == "mark"):
        return False
    return not (_COMPARATIVES & set(following[:1]) and _THAN & set(following[1:]))


def denying(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a word denies in whatever way: negations, `unable`, `refuse`, `off`, `unsupported`."""
    token = tokens[at]
    lowered = token.text.lower()
    if denies(tokens, at) or lowered in word_class("denying"):
        return True
    return token.kind == "word" and lowered.startswith("un") and len(lowered) > 6 and bool(base_forms(lowered[2:]))


def clauses(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Number the clauses: cut at sentence ends, `;`, `:`, commas and conjunctions."""
    numbers = []
    current = 0
    previous = None
    for token in tokens:
        if previous is not None and (
            token.sentence != previous.sentence
            or (previous.kind == "mark" and previous.text in ",;:()–—|")
            or token.text.lower() in _CUTS
        ):
            current += 1
        numbers.append(current)
        previous = token
    return tuple(numbers)


def opened_by(tokens: Sequence[Token], at: int) -> int:
    """Return the token whose clause a negation reaches into: its own, or the one it denies (`not when it ends`)."""
    return at + 1 if at + 1 < len(tokens) and tokens[at + 1].text.lower() in _DENIED else at


def negated(tokens: Sequence[Token], numbers: Sequence[int]) -> tuple[int, ...]:
    """Return per token: 2 if an odd number of negations before it reaches it, 1 if one after it does, 0 if none.

    `numbers` are those of `clauses`.
    """
    after = [0] * len(tokens)
    before = [False] * len(tokens)
    for at, token in enumerate(tokens):
        if not is_negation(token):
            continue
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        lowered = token.text.lower()
        if (lowered, following) in _NOT_NEGATIONS or (lowered == "no" and following[:1].isdigit()):
            continue
        reach = 3 if lowered in ("without", "ohne") and following != "dass" else _REACH
        opened = opened_by(tokens, at)
        for other in range(at + 1, min(at + 1 + reach, len(tokens))):
            if numbers[other] != numbers[opened] or tokens[other].text.lower() in _STOPS:
                break
            after[other] += 1
        if lowered not in _FORWARD_ONLY:
            for other in range(at - 1, max(-1, at - 1 - _REACH), -1):
                if numbers[other] != numbers[at]:
                    break
                before[other] = True
    return tuple(2 if count % 2 else 1 if back and not count else 0 for count, back in zip(after, before, strict=True))
