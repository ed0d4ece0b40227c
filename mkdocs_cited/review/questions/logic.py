"""Questions about all, only, must, if and because: does the claim say more than the passage?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.review.alignment import Alignment
from mkdocs_cited.review.lexicon import word_class
from mkdocs_cited.review.questions.piece import (
    Disagreement,
    class_places,
    cut,
    share_of,
)


def quantifiers(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim says more than the passage: all for some, always for mostly, or drops an only."""
    claim = alignment.claim
    mine, theirs = class_places(alignment, "universal")
    for at in mine:
        link = next(
            (
                alignment.links[k]
                for k in range(at, min(at + 4, len(claim.tokens)))
                if alignment.links[k] and claim.weights[k]
            ),
            None,
        )
        if not any(link is None or abs(place - link.to) <= 4 for place in theirs):
            token = claim.tokens[at]
            yield Disagreement(
                "universal-moved" if theirs else "universal",
                1.0,
                (token.start, token.end),
                None,
                f"the passage does not say '{token.text}' here",
            )
    mine, theirs = class_places(alignment, "only")
    mine = [at for at in mine if not at or claim.text[claim.tokens[at].start - 1] != "-"]
    if mine and not theirs:
        token = claim.tokens[mine[0]]
        yield Disagreement(
            "only-added", 1.0, (token.start, token.end), None, f"the passage does not say '{token.text}'"
        )
    for name, kind in (("only", "only-dropped"), ("partial", "partial-dropped"), ("exception", "exception-dropped")):
        mine, theirs = class_places(alignment, name)
        if theirs and not mine:
            near = [
                p
                for p in theirs
                if any(
                    link and abs(link.to - p) <= 3 and alignment.claim.weights[at]
                    for at, link in enumerate(alignment.links)
                )
            ]
            if near:
                token = alignment.passage.tokens[near[0]]
                yield Disagreement(
                    kind, 1.0, (0, 0), (token.start, token.end), f"the passage says '{token.text}', the claim does not"
                )


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


def causes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the reason that the claim gives is the passage's."""
    causes = word_class("cause")
    tokens = alignment.claim.tokens
    for at, token in enumerate(tokens):
        lowered = token.text.lower()
        if lowered not in causes or at + 1 >= len(tokens):
            continue
        if lowered == "as" and not (at and tokens[at - 1].kind == "mark"):
            continue
        if lowered in ("therefore", "thus", "hence", "deshalb", "daher"):
            continue
        if lowered in ("since", "da") and (at + 1 in alignment.claim.figure_at or (at == 0 and lowered == "da")):
            continue
        members = [k for k in range(at + 1, len(tokens)) if tokens[k].sentence == token.sentence]
        if at == 0:
            stop = next((k for k in members if tokens[k].text == ","), len(tokens))
            members = [k for k in members if k < stop]
        share, total = share_of(alignment, members)
        if total >= 1.0 and share < 0.75:
            last = tokens[members[-1]]
            yield Disagreement(
                "cause",
                1.0 - share,
                (token.start, last.end),
                None,
                f"the passage does not give this reason ('{cut(alignment.claim.text, (token.start, last.end))}')",
            )


def conditions(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops a condition under which the passage holds."""
    passage = alignment.passage
    words = word_class("condition")
    used = {link.to for at, link in enumerate(alignment.links) if link and alignment.claim.weights[at]}
    mine = any(token.text.lower() in words for token in alignment.claim.tokens)
    for at in range(alignment.first, alignment.last):
        token = passage.tokens[at]
        if token.text.lower() not in words or token.text.lower() in ("while", "where", "until", "bis", "once"):
            continue
        sentence = [k for k in range(alignment.first, alignment.last) if passage.tokens[k].sentence == token.sentence]
        clause = [k for k in sentence if passage.clause[k] == passage.clause[at] and k > at and passage.weights[k]]
        rest = [k for k in sentence if passage.clause[k] != passage.clause[at] and passage.weights[k]]
        if not clause or not rest:
            continue
        inside = sum(k in used for k in clause) / len(clause)
        outside = sum(k in used for k in rest) / len(rest)
        if inside < 0.34 and outside > 0.4:
            end = passage.tokens[clause[-1]].end
            yield Disagreement(
                "condition",
                (outside - inside) * (0.5 if mine else 1.0),
                (0, 0),
                (token.start, end),
                f"the claim leaves out '{cut(passage.text, (token.start, end))}'",
            )


_SCOPES = frozenset(
    [
        "within",
        "in",
        "for",
        "on",
        "with",
        "during",
        "under",
        "at",
        "unless",
        "if",
        "when",
        "while",
        "after",
        "before",
        "im",
        "in",
        "bei",
        "mit",
        "während",
        "unter",
        "für",
        "ohne",
        "without",
        "nach",
        "vor",
    ]
)


def scopes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops what opens the passage's sentence: `Within a minor version, …`."""
    passage, claim = alignment.passage, alignment.claim
    used = {link.to for at, link in enumerate(alignment.links) if link and claim.weights[at]}
    starts = [
        k
        for k in range(alignment.first, alignment.last)
        if k == 0 or passage.tokens[k - 1].sentence != passage.tokens[k].sentence
    ]
    for start in starts:
        if passage.tokens[start].text.lower() not in _SCOPES:
            continue
        sentence = [
            k for k in range(start, alignment.last) if passage.tokens[k].sentence == passage.tokens[start].sentence
        ]
        comma = next((k for k in sentence if passage.tokens[k].text == ","), None)
        if comma is None:
            comma = next(
                (
                    k
                    for k in sentence[2:]
                    if passage.tokens[k].text.lower() in ("is", "are", "can", "may", "must", "ist", "sind")
                ),
                None,
            )
        if comma is None:
            continue
        opening = [k for k in sentence if k < comma and passage.weights[k]]
        rest = [k for k in sentence if k > comma and passage.weights[k]]
        if not opening or not rest:
            continue
        inside, outside = (sum(k in used for k in part) / len(part) for part in (opening, rest))
        if inside < 0.5 and outside >= 0.5:
            span = (passage.tokens[start].start, passage.tokens[comma - 1].end)
            yield Disagreement(
                "scope", outside - inside, (0, 0), span, f"the claim leaves out '{cut(passage.text, span)}'"
            )
