"""Questions about must, should and may: is a thing as binding as the passage says?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.lexicon import SAME, word_class
from mkdocs_cited.language.negation import denies
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement, class_places, passage_span, twins
from mkdocs_cited.review.lexical.reading import Reading


def modality(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether must, should and may were exchanged."""
    ranks = {"obligation": 3, "advice": 2, "permission": 1}
    mine: dict[str, int] = {}
    theirs: dict[str, int] = {}
    for name in ranks:
        claim, passage = class_places(alignment, name)
        if claim:
            mine[name] = claim[0]
        if passage:
            theirs[name] = passage[0]
    for name, at in mine.items():
        if name in theirs:
            continue
        token = alignment.claim.tokens[at]
        span = (token.start, token.end)
        if theirs:
            other = max(theirs, key=lambda key: ranks[key])
            place = alignment.passage.tokens[theirs[other]]
            kind = "modality-raised" if ranks[name] > ranks[other] else "modality-lowered"
            yield Disagreement(
                kind,
                1.0,
                span,
                (place.start, place.end),
                f"the claim says '{token.text}', the passage says '{place.text}'",
            )
        else:
            yield Disagreement(f"{name}-added", 1.0, span, None, f"the passage does not say '{token.text}'")


def modal_changes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each verb under a `must`, `should` or `may` whether the same verb stands under another in the passage."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    for at, token in enumerate(claim.tokens):
        mine = _modal(claim, at)
        if not mine:
            continue
        verb = _governed(alignment, at)
        link = links[verb] if verb is not None else None
        if link is None:
            continue
        theirs = [
            (k, force)
            for place in dict.fromkeys((link.to, *twins(alignment, link.to)))
            for k in range(max(alignment.first, place - _GOVERNS), min(alignment.last, place + _GOVERNS))
            if passage.clause[k] == passage.clause[place] and k != place and (force := _modal(passage, k))
        ]
        near = [pair for pair in theirs if passage.clause[pair[0]] == passage.clause[link.to]]
        if not near or any(force == mine or {force, mine} in _ALIKE for _, force in theirs):
            continue
        place, _ = min(near, key=lambda pair: abs(pair[0] - link.to))
        message = f"the claim says '{token.text}' of this, the passage says '{passage.tokens[place].text}'"
        yield Disagreement("modality-changed", 1.0, (token.start, token.end), passage_span(alignment, place), message)


_GOVERNS = 8
"""Tokens between a modal and its verb."""
_ALIKE = ({"may", "need not"},)


def _modal(reading: Reading, at: int) -> str:
    """Return a modal's force: `must`, `should`, `may`, `must not`, `should not`, `need not`; empty for other words."""
    tokens = reading.tokens
    lowered = tokens[at].text.lower()
    near = range(max(0, at - 2), min(len(tokens), at + 3))
    denied = lowered == "cannot" or any(
        reading.clause[k] == reading.clause[at] and denies(tokens, k) for k in near if k != at
    )
    if lowered in word_class("permission") or lowered == "cannot":
        return "must not" if denied and lowered not in ("optional", "optionally", "possible") else "may"
    if lowered in word_class("advice") and lowered != "better":
        return "should not" if denied else "should"
    if lowered in word_class("obligation"):
        return ("must not" if lowered in ("must", "shall", "muss") else "need not") if denied else "must"
    return ""


def _governed(alignment: Alignment, at: int) -> int | None:
    """Return the first linked content word after a modal in its clause, else the last one before it."""
    claim, links = alignment.claim, alignment.links
    near = [k for k in range(max(0, at - 6), min(len(links), at + _GOVERNS)) if claim.clause[k] == claim.clause[at]]
    content = [k for k in near if claim.weights[k] and k != at and not _modal(claim, k)]
    after = next((k for k in content if k > at), None)
    if after is not None:
        link = links[after]
        return after if link and link.strength >= SAME else None
    return next((k for k in reversed(content) if (link := links[k]) and link.strength >= SAME), None)
