"""`Yes.` and `No.` before a claim answer the question; a passage that says the opposite of it proves them wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.language.lexicon import opposite, word_class
from mkdocs_cited.review.lexical.alignment import best
from mkdocs_cited.review.lexical.evidence import CitedTexts, Place
from mkdocs_cited.review.lexical.parsed import ItemKind, ParsedText
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind

_OPENS = re.compile(r"\s*(\w+)\s*[.,:;!–—-]+\s*")
WHOLE = 0.99
"""Share of a question's words that one sentence must have, in order, before it answers it."""

ANSWERED = 0.5
"""Share of a question's words that a claim must have before `Yes` or `No` can be about them."""


def without_yes(claim: str) -> int:
    """Offset behind a `Yes.` or `No,` that opens a claim and has a statement behind it; otherwise 0."""
    match = _OPENS.match(claim)
    said = match[1].lower() if match else ""
    is_answer = said in word_class("yes") or said in word_class("no")
    return match.end() if match and is_answer and match.end() < len(claim) else 0


def fits(opening: str, asked: ParsedText, claim: ParsedText, place: Place | None) -> bool:
    """Whether `Yes` or `No` can stand before a claim that its place says: the claim affirms or denies what is asked."""
    if not opening.strip():
        return True
    affirms = opening.strip(" .,:;!–—-").lower() in word_class("yes")
    denials = sum(item.kind is ItemKind.NEGATION for item in claim.items)
    turned = any(opposite(one.key, other.key) for one in asked.items for other in claim.items)
    doubtful = any(item.text.lower() in word_class("denying") and item.key not in asked.key_set for item in claim.items)
    if "not" in asked.key_set or turned or doubtful or denials > 1 or affirms is bool(denials):
        return False
    words, said = list(asked.words()), claim.key_set | (place.context.key_set if place else frozenset())
    return sum(word.key in said for word in words) >= ANSWERED * len(words)


def wrongly_answered(opening: str, asked: ParsedText, cited: CitedTexts) -> Iterator[Proof]:
    """The proof that `Yes` or `No` is wrong: a sentence with all of the question's words that says the opposite."""
    said = opening.strip(" .,:;!–—-").lower()
    if not said or len(list(asked.words())) < 3:
        return
    affirms = said in word_class("yes")
    for alignment in best(asked, cited.places(asked))[:1]:
        body = alignment.place.body
        sentences = {body.items[at].sentence for _, at in alignment.pairs}
        if alignment.coverage < WHOLE or len(sentences) != 1 or not body.language:
            continue
        inside = [item for item in body.items if item.sentence in sentences]
        denials = sum(item.kind is ItemKind.NEGATION for item in inside)
        limited = any(item.kind is ItemKind.LIMIT and item.key not in asked.key_set for item in inside)
        if limited or denials > 1 or "not" in asked.key_set or affirms != bool(denials):
            continue
        message = f"the answer begins with “{opening.strip()}”, its passage says the opposite of that"
        yield Proof(ProofKind.POLARITY, (0, 0), body.text, message, body.text)
