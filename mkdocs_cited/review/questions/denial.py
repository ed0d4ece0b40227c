"""Questions about negations and opposites: is the same thing denied?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.review.alignment import Alignment, Reading
from mkdocs_cited.review.lexicon import word_class
from mkdocs_cited.review.polarity import is_negation
from mkdocs_cited.review.questions.piece import (
    Disagreement,
    context,
    passage_span,
    span_of,
    twins,
)

_MODALS = frozenset({"must", "may", "can", "could", "should", "need", "muss", "darf", "kann", "soll", "sollte"})


def negations(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each negated word of claim and passage whether its partner is negated too.

    Only the word that a negation stands before counts: a claim that negates a
    word which the passage lacks says the same in other words, or nothing of the kind.
    """
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    message = "one of claim and passage negates '{}', the other does not"
    for at in heads(claim, 0, len(claim.tokens)):
        link = links[at]
        if link is None or link.strength <= 0 or not claim.weights[at]:
            continue
        if any(passage.negated[k] for k in twins(alignment, link.to)):
            continue
        weight = link.strength * context(alignment, at, link.to)
        yield Disagreement(
            "negation",
            weight,
            span_of(alignment, at),
            passage_span(alignment, link.to),
            message.format(claim.tokens[at].text),
        )
    partners = {link.to: at for at, link in enumerate(links) if link and link.strength > 0}
    for place in heads(passage, alignment.first, alignment.last):
        head = partners.get(place)
        if head is None or claim.negated[head] or not claim.weights[head]:
            continue
        if any(claim.negated[k] == 2 and claim.tokens[k].key == claim.tokens[head].key for k in range(len(links))):
            continue
        link = links[head]
        weight = (link.strength if link else 0.0) * context(alignment, head, place)
        yield Disagreement(
            "negation",
            weight,
            span_of(alignment, head),
            passage_span(alignment, place),
            message.format(claim.tokens[head].text),
        )


def denied_subjects(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the passage denies of a thing what the claim says of it: `Signed URLs are not supported`."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for place in heads(passage, alignment.first, alignment.last):
        predicate = [
            k for k, token in enumerate(claim.tokens) if token.key == passage.tokens[place].key and not claim.negated[k]
        ]
        if not predicate:
            continue
        for at, link in enumerate(links):
            if (
                link
                and claim.weights[at]
                and link.strength >= 0.8
                and passage.negated[link.to] == 1
                and not claim.negated[at]
                and passage.clause[link.to] == passage.clause[place]
                and claim.clause[at] == claim.clause[predicate[0]]
            ):
                message = f"the passage denies this of '{claim.tokens[at].text}'"
                yield Disagreement("denied", 1.0, span_of(alignment, at), passage_span(alignment, place), message)
                break


def heads(reading: Reading, first: int, last: int) -> Iterator[int]:
    """Yield the words that negations deny.

    That is the first content word that a negation reaches; all of them in a
    contrast (`, not from its last read`); the word before it where nothing
    follows (`listings do not`).
    """
    for at in range(first, last):
        if not is_negation(reading.tokens[at]):
            continue
        contrast = (
            at > first and reading.tokens[at - 1].kind == "mark" and reading.tokens[at].text.lower() in ("not", "nicht")
        )
        found = False
        for head in range(at + 1, min(at + 7, last)):
            if reading.negated[head] != 2 or reading.clause[head] != reading.clause[at]:
                break
            if (
                reading.weights[head]
                and reading.tokens[head].text.lower() not in _MODALS
                and head not in reading.figure_at
            ):
                found = True
                yield head
                if not contrast:
                    break
        if not found:
            for head in range(at - 1, max(first - 1, at - 6), -1):
                if reading.clause[head] != reading.clause[at]:
                    break
                if reading.weights[head]:
                    yield head
                    break


def opposites(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word whose partner is its opposite whether a negation makes up for it."""
    claim, passage = alignment.claim, alignment.passage
    bounds = word_class("bound_low") | word_class("bound_high")
    for at, link in enumerate(alignment.links):
        if link is None or link.strength >= 0:
            continue
        if claim.tokens[at].text.lower() in bounds and any(k in claim.figure_at for k in range(max(0, at - 3), at + 4)):
            continue
        if {claim.negated[at], passage.negated[link.to]} == {0, 2}:
            continue
        weight = context(alignment, at, link.to) * (1.0 if claim.weights[at] else 0.7)
        yield Disagreement(
            "opposite",
            weight,
            span_of(alignment, at),
            passage_span(alignment, link.to),
            f"'{claim.tokens[at].text}' is the opposite of '{passage.tokens[link.to].text}'",
        )
