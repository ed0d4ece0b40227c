"""Questions about all, only and because: does the claim say more than the passage?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.lexicon import SAME, word_class
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import (
    Disagreement,
    class_places,
    cut,
    passage_span,
    share_of,
    twins,
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
        stands = twins(alignment, link.to) if link else []
        if not any(link is None or abs(place - other) <= 4 for place in theirs for other in stands or [place]):
            token = claim.tokens[at]
            yield Disagreement(
                "universal-moved" if theirs else "universal",
                1.0,
                (token.start, token.end),
                None,
                f"the passage does not say '{token.text}' here",
            )


def widenings(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim says of every thing what the passage says of some: `a restore into a new cluster`."""
    claim, passage = alignment.claim, alignment.passage
    said = {token.key for token, weight in zip(claim.tokens, claim.weights, strict=True) if weight}
    kept = alignment.linked
    for at, token in enumerate(claim.tokens):
        if token.text.lower() not in _EVERY:
            continue
        noun = next((k for k in range(at + 1, min(at + 4, len(claim.tokens))) if claim.weights[k]), None)
        link = alignment.links[noun] if noun is not None else None
        if link is None or link.strength < SAME:
            continue
        around = range(max(alignment.first, link.to - 3), min(alignment.last, link.to))
        if any(passage.tokens[k].text.lower() in word_class("universal") for k in around):
            continue
        after = link.to + 1
        narrowed = [
            k
            for k in range(after + 1, min(after + 5, alignment.last))
            if passage.weights[k] and passage.clause[k] == passage.clause[link.to]
        ]
        if (
            after < alignment.last
            and passage.tokens[after].text.lower() in _NARROWED_BY
            and narrowed
            and not any(passage.tokens[k].key in said or k in kept for k in narrowed)
        ):
            span = (passage_span(alignment, link.to)[0], passage_span(alignment, narrowed[-1])[1])
            message = f"the passage says this only of '{cut(passage.text, span)}'"
            yield Disagreement("widened", 1.0, (token.start, token.end), span, message)


_EVERY = frozenset(
    {"every", "each", "all", "always", "alle", "allen", "jeder", "jede", "jedes", "jedem", "jeden", "immer"}
)
_NARROWED_BY = frozenset(
    {"into", "in", "with", "without", "that", "which", "whose", "who", "for", "on", "from", "under", "below"}
)
"""What opens a restriction after a noun."""


def restrictions(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim adds an `only`, or drops an `only`, a `partly` or an exception."""
    claim = alignment.claim
    mine, theirs = class_places(alignment, "only")
    mine = [at for at in mine if not at or claim.text[claim.tokens[at].start - 1] != "-"]
    if mine and not theirs and "\t" not in alignment.passage.text:
        token = claim.tokens[mine[0]]
        message = f"the passage does not say '{token.text}'"
        kind = "only-against-all" if _all_here(alignment, mine[0]) else "only-added"
        yield Disagreement(kind, 1.0, (token.start, token.end), None, message)
    narrowed = bool(mine) or any(token.text.lower() in _NARROWING for token in claim.tokens)
    for place in theirs if not narrowed else ():
        if _stands_in_what_is_said(alignment, place):
            token = alignment.passage.tokens[place]
            message = f"the passage says '{token.text}', the claim does not"
            yield Disagreement("only-lost", 1.0, (0, 0), (token.start, token.end), message)
            break
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


_NARROWING = frozenset(
    {
        "if",
        "unless",
        "depend",
        "depends",
        "must",
        "required",
        "requires",
        "needs",
        "need",
        "first",
        "exactly",
        "alone",
        "just",
    }
    | {
        "no",
        "not",
        "cannot",
        "never",
        "nothing",
        "other",
        "one",
        "single",
        "wenn",
        "falls",
        "sofern",
        "muss",
        "nicht",
        "kein",
    }
)
"""Words by which a claim may say `only` in another way."""
_ALL = frozenset({"any", "all", "both", "every", "either", "always", "alle", "beide", "beiden", "jeder", "jederzeit"})


def _all_here(alignment: Alignment, at: int) -> bool:
    """Tell whether the passage says `any`, `both` or `every` of what the claim restricts."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    places = [
        link.to for k, link in enumerate(links) if link and claim.weights[k] and claim.clause[k] == claim.clause[at]
    ]
    kept = alignment.linked
    clauses = {passage.clause[place] for place in places}
    return any(
        passage.clause[k] in clauses and k not in kept and passage.tokens[k].text.lower() in _ALL
        for k in range(alignment.first, alignment.last)
    )


def _stands_in_what_is_said(alignment: Alignment, place: int) -> bool:
    """Tell whether the claim says nearly all that the passage's clause says up to its `only`, and nothing after it."""
    passage, claim = alignment.passage, alignment.claim
    said = {token.key for token, weight in zip(claim.tokens, claim.weights, strict=True) if weight}
    sentence = passage.tokens[place].sentence
    before = [
        k
        for k in range(alignment.first, place)
        if passage.weights[k] and passage.clause[k] == passage.clause[place] and passage.tokens[k].sentence == sentence
    ]
    after = [
        k
        for k in range(place + 1, min(alignment.last, place + 9))
        if passage.weights[k] and passage.tokens[k].sentence == sentence
    ]
    repeated = sum(passage.tokens[k].key in said for k in before)
    return (
        repeated >= 2 and repeated >= 0.75 * len(before) and not any(passage.tokens[k].key in said for k in after[:3])
    )


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
