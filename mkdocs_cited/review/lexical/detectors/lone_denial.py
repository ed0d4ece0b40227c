"""Questions about denials that stand on one side only: `denial.py` compares those of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mkdocs_cited.language.lexicon import SAME, word_class
from mkdocs_cited.language.negation import denies, denying
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.denial import heads, taken_back
from mkdocs_cited.review.lexical.detectors.mismatch import NEAR, Disagreement, passage_span, span_of, twins
from mkdocs_cited.review.lexical.reading import Reading

_SHORT = 120
"""Tokens of a passage in all of which a denial is looked for."""


def sole_denials(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether one of claim and passage denies what the other states, where nothing on the other side denies at all.

    `negations` compares words and may meet a denial in other words; here neither side offers one.
    """
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    near = range(len(passage.tokens)) if len(passage.tokens) <= _SHORT else range(alignment.first, alignment.last)
    stated = [k for k in near if denying(passage.tokens, k)]
    for sentence in dict.fromkeys(token.sentence for token in claim.tokens):
        members = [k for k, token in enumerate(claim.tokens) if token.sentence == sentence]
        found = [k for k in members if claim.weights[k] and (link := links[k]) and link.strength > 0]
        kept = {
            link.to
            for k in members
            if (link := links[k]) and denying(claim.tokens, k) and denying(passage.tokens, link.to)
        }
        mine = [k for k in members if denying(claim.tokens, k) and not ((link := links[k]) and link.to in kept)]
        theirs = [k for k in stated if k not in kept]
        if len(mine) == 1 and (not theirs or _stated_plainly(alignment, members, mine[0])):
            yield from _added_denial(alignment, members, mine[0])
        elif not mine:
            yield from _dropped_denial(alignment, found, theirs)


def slots(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of neighbours that are neighbours in the passage, too, whether one side alone has a denial between them."""
    claim, passage = alignment.claim, alignment.passage
    for mine, theirs in _between(alignment):
        denial = next((k for k in mine if denies(claim.tokens, k)), None)
        other = next((k for k in theirs if denies(passage.tokens, k)), None)
        if (denial is None) == (other is None):
            continue
        if denial is not None:
            token = claim.tokens[denial]
            message = f"the claim says '{token.text}' here, the passage does not"
            yield Disagreement("denial-added", 1.0, (token.start, token.end), None, message)
        elif other is not None:
            token = passage.tokens[other]
            message = f"the passage says '{token.text}' here, the claim does not"
            yield Disagreement("denial-dropped", 1.0, (0, 0), (token.start, token.end), message)


def _stated_plainly(alignment: Alignment, members: Sequence[int], at: int) -> bool:
    """Tell whether one sentence of the passage that denies nothing has the denied words and the one before them."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    clause = [k for k in members if claim.clause[k] == claim.clause[at] and claim.weights[k]]
    denied, before = [k for k in clause if k > at], [k for k in clause if k < at][-1:]
    places = [link.to for k in before + denied if (link := links[k]) and link.strength == 1.0]
    if not before or not denied or len(places) < len(before) + len(denied):
        return False
    sentence = passage.tokens[places[0]].sentence
    return (
        max(places) - min(places) <= 2 * NEAR
        and all(passage.tokens[place].sentence == sentence for place in places)
        and not any(
            passage.tokens[k].sentence == sentence and denying(passage.tokens, k)
            for k in range(alignment.first, alignment.last)
        )
    )


def _added_denial(alignment: Alignment, members: Sequence[int], at: int) -> Iterator[Disagreement]:
    """Yield the word that denies a thing which the passage states with the very same words."""
    claim, links = alignment.claim, alignment.links
    token = claim.tokens[at]
    lowered = token.text.lower()
    if lowered not in word_class("refusing") and (not denies(claim.tokens, at) or lowered in ("without", "ohne")):
        return
    denied = [k for k in members if k > at and claim.clause[k] == claim.clause[at] and claim.weights[k]]
    if denied and all((link := links[k]) and link.strength == 1.0 for k in denied):
        message = f"the claim says '{token.text}', and nothing in the passage does"
        yield Disagreement("denial-added", 1.0, (token.start, token.end), None, message)


def _dropped_denial(alignment: Alignment, found: Sequence[int], theirs: Sequence[int]) -> Iterator[Disagreement]:
    """Yield the word that the passage denies in one place and states in none, where the claim states it."""
    passage, links = alignment.passage, alignment.links
    partners = {link.to: k for k in found if (link := links[k]) and link.strength >= SAME}
    for at in theirs:
        before = passage.tokens[at - 1].text.lower() if at else ""
        if passage.tokens[at].text.lower() in ("without", "ohne") or before == "by":
            continue
        reached = (k for k in _heads(alignment, at) if k in partners)
        plain = denies(passage.tokens, at)
        head = next(
            (k for k in reached if not plain or all(passage.negated[other] for other in twins(alignment, k))), None
        )
        if head is None or _denies_in(alignment.claim, partners[head]):
            continue
        clause = [k for k in range(alignment.first, alignment.last) if passage.clause[k] == passage.clause[head]]
        content = [k for k in clause if passage.weights[k]]
        if taken_back(alignment, head) or sum(k in partners for k in content) < len(content) / 2:
            continue
        token = passage.tokens[head]
        message = f"the passage denies '{token.text}', the claim does not"
        span = span_of(alignment, partners[head])
        yield Disagreement("denial-dropped", 1.0, span, passage_span(alignment, head), message)
        return


def _heads(alignment: Alignment, at: int) -> Iterator[int]:
    """Yield what a word denies: what a negation reaches, and the verb after `refused to`."""
    passage = alignment.passage
    following = passage.tokens[at + 1].text.lower() if at + 1 < alignment.last else ""
    if denies(passage.tokens, at):
        yield from heads(passage, at, min(at + 8, alignment.last))
    elif following == "to" and passage.tokens[at].text.lower() in word_class("refusing"):
        yield from (k for k in range(at + 2, min(at + 5, alignment.last)) if passage.weights[k])


def _denies_in(reading: Reading, at: int) -> bool:
    """Tell whether a negation stands in the clause of a token."""
    return any(denies(reading.tokens, k) for k, clause in enumerate(reading.clause) if clause == reading.clause[at])


def _between(alignment: Alignment) -> Iterator[tuple[range, range]]:
    """Yield what stands between two words of the claim and between their partners: at most one word each.

    Where a denial reaches the second word from further off on either side, there is nothing to ask.
    """
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for at, link in enumerate(links):
        if link is None or link.strength < 1.0:
            continue
        for after in range(at + 1, _reach(claim, at)):
            for place in range(link.to + 1, _reach(passage, link.to)):
                between = range(at + 1, after), range(link.to + 1, place)
                if _ends(claim, after) or _ends(passage, place):
                    if _ends(claim, after) and _ends(passage, place) and len(between[0]) + len(between[1]) > 1:
                        yield between
                elif _met(alignment, after, place):
                    told_apart = (claim.negated[after] == 2) != (passage.negated[place] == 2)
                    if claim.tokens[after].kind == "mark" or len(between[0]) + len(between[1]) != 1 or told_apart:
                        yield between


def _reach(reading: Reading, at: int) -> int:
    """Return one past the second token after one, or one past the sentence's end if that comes first."""
    return at + 2 if _ends(reading, at + 1) else at + 3


def _ends(reading: Reading, at: int) -> bool:
    """Tell whether a sentence has ended before a token."""
    tokens = reading.tokens
    return at >= len(tokens) or tokens[at].sentence != tokens[at - 1].sentence


def _met(alignment: Alignment, at: int, place: int) -> bool:
    """Tell whether two tokens are partners with one key, or the same mark."""
    mine, theirs = alignment.claim.tokens[at], alignment.passage.tokens[place]
    link = alignment.links[at]
    if mine.kind == "mark":
        return mine.text == theirs.text
    return link is not None and link.to == place and mine.key == theirs.key
