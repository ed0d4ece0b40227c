"""One true hint at what keeps a claim from passing, for the person who decides."""

from __future__ import annotations

from mkdocs_cited.language.identifiers import stands_in
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.evidence import CitedTexts
from mkdocs_cited.review.lexical.parsed import ItemKind, ParsedText

NAMED = 4
"""Words that a hint names."""


def hint(claim: ParsedText, cited: CitedTexts, alignment: Alignment | None) -> str:
    """What keeps a claim from passing, in words that are true of its passages."""
    if not claim.language:
        return "the offline reader knows no words of this language: it compares figures, names and quotes only"
    said = cited.said.casefold()
    for figure in claim.figures:
        if figure in cited.stated and figure not in cited.passages:
            return f"only what stands above the cited passages has “{figure.text}”"
        if figure.text.casefold() in said:
            continue
        if not cited.states(figure) and not (figure.spelled and not figure.dimension and figure.value <= 12):
            return f"no cited passage has the figure “{figure.text}”"
    for item in claim.items:
        if item.kind is ItemKind.IDENTIFIER and not stands_in(item.text, cited.said):
            return f"no cited passage has `{item.text}`"
    strange = [
        item.text
        for item in claim.items
        if item.kind in (ItemKind.WORD, ItemKind.NAME)
        and item.key not in cited.keys
        and item.text.casefold() not in said
    ]
    if strange:
        named = ", ".join(f"“{word}”" for word in dict.fromkeys(strange[:NAMED]))
        return f"no cited passage has {named}{' and more' if len(strange) > NAMED else ''} in these words"
    if alignment is None:
        return "the passage says this in other words, if at all"
    return _difference(alignment)


def unfit(opening: str) -> str:
    """Why a claim that its passage says does not pass with the `Yes` or `No` that opens it."""
    word = opening.strip(" .,:;!–—-")
    return f"the passage says the sentence; whether “{word}” is the answer to the question, the reader cannot tell"


def _difference(alignment: Alignment) -> str:
    """How the closest place differs, where every word of the claim stands in what it cites."""
    body = alignment.place.body
    for side, mine, other in (("claim", alignment.claim, body), ("closest passage", body, alignment.claim)):
        for item in mine.items:
            if item.kind is ItemKind.NEGATION and "not" not in other.key_set:
                where = "the closest passage" if side == "claim" else "the claim"
                return f"the {side} says “{item.text}”, {where} has no such word"
    for item in body.items:
        if item.kind is ItemKind.LIMIT and item.key not in alignment.claim.key_set:
            return f"the closest passage says “{item.text}”, the claim has no such word"
    for item in alignment.claim.items:
        if item.kind is ItemKind.LIMIT and item.key not in body.key_set:
            return f"the claim says “{item.text}”, the closest passage has no such word"
    return "the words of the claim stand in what it cites, and in another order or together with others"
