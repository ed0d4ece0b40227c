"""Questions about negations and opposites: is the same thing denied?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.negation import denies, denying, opened_by
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement, context, passage_span, span_of, twins
from mkdocs_cited.review.lexical.reading import Reading

_AMOUNTS = frozenset("least most more less fewer minimum maximum mindestens höchstens mehr weniger".split())
"""Words of amount, which bound a figure from one side in many ways: at least three, three or more."""
_MODALS = frozenset({"must", "may", "can", "could", "should", "need", "muss", "darf", "kann", "soll", "sollte"})
_RETURNS = frozenset({"except", "unless", "sondern", "außer"})
"""What takes part of a denial back; so does `but` before a preposition."""
_PREPOSITIONS = frozenset(
    {"for", "with", "on", "in", "from", "to", "by", "only", "wegen", "bei", "für", "mit", "von", "nur"}
)


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
        if any(passage.negated[k] for k in twins(alignment, link.to)) or _made_up_for(alignment, passage, link.to):
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
        if "\t" in passage.text or _made_up_for(alignment, claim, head) or taken_back(alignment, place):
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


def _made_up_for(alignment: Alignment, reading: Reading, at: int) -> bool:
    """Tell whether the sentence of a token denies in another way than the other side: `avoid`, `refused`, `nobody`."""
    links, tokens = alignment.links, reading.tokens
    if reading is alignment.passage:
        near, linked = range(alignment.first, alignment.last), alignment.linked
    else:
        near, linked = range(len(tokens)), frozenset(k for k, link in enumerate(links) if link)
    return any(
        tokens[k].sentence == tokens[at].sentence and (k not in linked or not denies(tokens, k)) and denying(tokens, k)
        for k in near
    )


def taken_back(alignment: Alignment, at: int) -> bool:
    """Tell whether what follows a token's clause excepts something from it that the claim does not: `, but for one`."""
    passage, end = alignment.passage, at
    kept = alignment.linked
    while end < len(passage.tokens) and passage.clause[end] == passage.clause[at]:
        end += 1
    near = range(end, min(end + 4, len(passage.tokens)))
    following = [passage.tokens[k].text.lower() for k in near if k not in kept]
    if _RETURNS & set(following):
        return True
    return any(a in ("but", "aber") and b in _PREPOSITIONS for a, b in pairwise(following))


def denied_subjects(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the passage denies of a thing what the claim says of it: `Signed URLs are not supported`."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    if "\t" in passage.text:
        return
    for place in heads(passage, alignment.first, alignment.last):
        predicate = [
            k
            for k, token in enumerate(claim.tokens)
            if token.key == passage.tokens[place].key
            and not claim.negated[k]
            and not ((link := links[k]) and link.to != place and not passage.negated[link.to])
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
                and _listed_with(claim, at, predicate[0])
                and not _made_up_for(alignment, claim, at)
            ):
                message = f"the passage denies this of '{claim.tokens[at].text}'"
                yield Disagreement("denied", 1.0, span_of(alignment, at), passage_span(alignment, place), message)
                break


def _listed_with(claim: Reading, a: int, b: int) -> bool:
    """Tell whether two tokens stand in one clause, or in one list: only commas, `and` and `or` part it."""
    low, high = min(a, b), max(a, b)
    if claim.clause[low] == claim.clause[high]:
        return True
    if claim.tokens[low].sentence != claim.tokens[high].sentence:
        return False
    opened = [k for k in range(low + 1, high + 1) if claim.clause[k] != claim.clause[k - 1]]
    return all(
        claim.tokens[k - 1].text == "," and claim.clause.count(claim.clause[k]) <= 4 for k in opened[:-1]
    ) and all(claim.tokens[k - 1].text == "," for k in opened)


def heads(reading: Reading, first: int, last: int) -> Iterator[int]:
    """Yield the words that negations deny.

    That is the first content word that a negation reaches; all of them in a
    contrast (`, not from its last read`); the word before it where nothing
    follows (`listings do not`).
    """
    for at in range(first, last):
        if not denies(reading.tokens, at):
            continue
        contrast = (
            at > 0 and reading.tokens[at - 1].kind == "mark" and reading.tokens[at].text.lower() in ("not", "nicht")
        )
        found = False
        reached = opened_by(reading.tokens, at)
        for head in range(at + 1, min(at + 7, last)):
            if reading.negated[head] != 2 or reading.clause[head] != reading.clause[reached]:
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
    low, high = word_class("bound_low"), word_class("bound_high")
    for at, link in enumerate(alignment.links):
        if link is None or link.strength >= 0:
            continue
        mine, theirs = claim.tokens[at].text.lower(), passage.tokens[link.to].text.lower()
        bounded = (mine in low and theirs in high) or (mine in high and theirs in low) or {mine, theirs} <= _AMOUNTS
        if bounded and any(k in claim.figure_at for k in range(max(0, at - 3), at + 4)):
            continue
        if {claim.negated[at], passage.negated[link.to]} == {0, 2}:
            continue
        weight = context(alignment, at, link.to) * (1.0 if claim.weights[at] else 0.7)
        if _held(alignment, at, -1) and _held(alignment, at, 1):
            weight = 1.0
        yield Disagreement(
            "opposite",
            weight,
            span_of(alignment, at),
            passage_span(alignment, link.to),
            f"'{claim.tokens[at].text}' is the opposite of '{passage.tokens[link.to].text}'",
        )


def _held(alignment: Alignment, at: int, step: int) -> bool:
    """Tell whether a word's neighbour stands beside its partner, too."""
    links, link = alignment.links, alignment.links[at]
    other = links[at + step] if 0 <= at + step < len(links) else None
    return link is not None and other is not None and other.strength == 1.0 and other.to == link.to + step
