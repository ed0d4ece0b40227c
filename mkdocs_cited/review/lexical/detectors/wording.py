"""Questions about words without a partner: what stands in their place?"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.language.lexicon import siblings
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import (
    Disagreement,
    class_places,
    cut,
    passage_span,
    run_length,
    share_of,
    span_of,
)

_VERBS = frozenset(
    {"is", "are", "was", "were", "has", "have", "had", "does", "did", "will", "can", "ist", "sind", "hat"}
)


def replaced(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each word without a partner whether another stands in its very place."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    size = len(claim.tokens)
    used = alignment.linked
    at = 0
    while at < size:
        if not claim.weights[at] or links[at]:
            at += 1
            continue
        end = at
        while end + 1 < size and end - at < 4 and links[end + 1] is None and claim.tokens[end + 1].kind != "mark":
            end += 1
        while end > at and not claim.weights[end]:
            end -= 1
        first, at = at, end + 1
        members = [k for k in range(first, end + 1) if claim.weights[k]]
        if all(k in claim.figure_at for k in members):
            continue
        slot = _slot(alignment, first, end, used)
        span = (claim.tokens[first].start, span_of(alignment, end)[1])
        weight = min(1.0, sum(claim.weights[first : end + 1]))
        known = all(
            any(k in passage.index.get(claim.tokens[m].key, ()) for k in range(alignment.first, alignment.last))
            for m in members
        )
        if slot is None:
            continue
        rivals, sure = slot
        if rivals:
            place = (passage_span(alignment, rivals[0])[0], passage_span(alignment, rivals[-1])[1])
            alike = len(members) <= 2 and any(_alike(alignment, k, rival) for k in members for rival in rivals[:2])
            kind = "displaced" if known else "replaced-alike" if alike else "replaced" if sure else "replaced-edge"
            if len(members) == len(rivals) == 1 and _framed(alignment, first, end, rivals[0]):
                both = claim.tokens[members[0]].name and passage.tokens[rivals[0]].name
                kind = "displaced-one" if known else "replaced-name" if both else "replaced-one"
            yield Disagreement(
                kind,
                weight,
                span,
                place,
                f"the claim says '{cut(claim.text, span)}', the passage says '{cut(passage.text, place)}'",
            )
        elif sure:
            kind = "inserted-known" if known else "inserted"
            yield Disagreement(kind, weight, span, None, f"the passage does not say '{cut(claim.text, span)}'")


def _framed(alignment: Alignment, first: int, end: int, rival: int) -> bool:
    """Tell whether a word and its rival both stand between the same neighbours, or open their sentences before them."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    left = links[first - 1] if first else None
    right = links[end + 1] if end + 1 < len(links) else None
    opens = first == 0 or claim.tokens[first - 1].sentence != claim.tokens[first].sentence
    rival_opens = rival == 0 or passage.tokens[rival - 1].sentence != passage.tokens[rival].sentence
    ends = end + 1 == len(claim.tokens) or claim.tokens[end + 1].kind == "mark"
    rival_ends = (
        rival + 1 == len(passage.tokens)
        or passage.tokens[rival + 1].kind == "mark"
        or passage.tokens[rival + 1].sentence != passage.tokens[rival].sentence
    )
    before = left is not None and left.strength == 1.0 and left.to == rival - 1
    after = right is not None and right.strength == 1.0 and right.to == rival + 1
    if before and (after or (ends and rival_ends)):
        return run_length(links, first - 1, -1) >= 2 or run_length(links, end + 1, 1) >= 2
    return after and opens and rival_opens and run_length(links, end + 1, 1) >= 2


def _slot(alignment: Alignment, first: int, end: int, used: frozenset[int]) -> tuple[list[int], bool] | None:
    """Return the passage's content tokens where a run of the claim would stand, and whether both sides are held."""
    claim, passage, links = alignment.claim, alignment.passage, alignment.links
    size = len(claim.tokens)
    left = next((k for k in range(first - 1, max(-1, first - 4), -1) if links[k]), None)
    right = next((k for k in range(end + 1, min(size, end + 4)) if links[k]), None)
    low = links[left].to + 1 if left is not None else None  # type: ignore[union-attr]
    high = links[right].to if right is not None else None  # type: ignore[union-attr]
    if low is not None and high is not None and 0 <= high - low <= end - first + 7:
        return [k for k in range(low, high) if passage.weights[k] and k not in used][:4], True
    if low is not None and first - left <= 2 and low < alignment.last:  # type: ignore[operator]
        edge = range(low, min(low + 3, alignment.last))
        found = [
            k
            for k in edge
            if passage.weights[k] and k not in used and passage.tokens[k].sentence == passage.tokens[low - 1].sentence
        ][:1]
        if found:
            return found, False
    if high is not None and right - end <= 2:  # type: ignore[operator]
        edge = range(max(alignment.first, high - 3), high)
        return [
            k
            for k in edge
            if passage.weights[k] and k not in used and passage.tokens[k].sentence == passage.tokens[high].sentence
        ][-1:], False
    return None


def _alike(alignment: Alignment, at: int, other: int) -> bool:
    """Tell whether two tokens are of one kind: figures, identifiers, names, or words with a wider word in common."""
    claim, passage = alignment.claim, alignment.passage
    mine, theirs = claim.tokens[at], passage.tokens[other]
    if not claim.weights[at]:
        return False
    if at in claim.figure_at or other in passage.figure_at:
        return at in claim.figure_at and other in passage.figure_at
    if "identifier" in (mine.kind, theirs.kind):
        return mine.kind == theirs.kind
    if mine.name and theirs.name:
        return True
    return siblings(mine.text.lower(), theirs.text.lower())


def strangers(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each run of names whether the passage has any of it; not of the subject, which passages call `it`."""
    claim, links = alignment.claim, alignment.links
    opened = -1
    at = 0
    while at < len(claim.tokens):
        token = claim.tokens[at]
        if token.sentence != opened:
            opened = token.sentence
            met = False
        if not _named(alignment, at):
            met = met or bool(claim.weights[at]) or token.text.lower() in _VERBS
            at += 1
            continue
        end = at
        while end + 1 < len(claim.tokens) and _named(alignment, end + 1):
            end += 1
        run = range(at, end + 1)
        if met and all(max(alignment.anywhere[k], link.strength if (link := links[k]) else 0.0) < 0.5 for k in run):
            span = (token.start, claim.tokens[end].end)
            yield Disagreement("stranger", 1.0, span, None, f"the passage does not mention '{cut(claim.text, span)}'")
        met = True
        at = end + 1


def _named(alignment: Alignment, at: int) -> bool:
    token = alignment.claim.tokens[at]
    return token.kind == "word" and token.name and bool(alignment.claim.weights[at])


def tails(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of the last word of each sentence, which carries what is new, whether the passage has it."""
    claim = alignment.claim
    last: dict[int, int] = {}
    for at, token in enumerate(claim.tokens):
        if claim.weights[at] >= 0.5:
            last[token.sentence] = at
    for at in last.values():
        link = alignment.links[at]
        if at in claim.figure_at or max(alignment.anywhere[at], link.strength if link else 0.0) >= 0.5:
            continue
        span = span_of(alignment, at)
        yield Disagreement("tail", 1.0, span, None, f"the passage does not say '{cut(claim.text, span)}'")


def clauses(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask of each clause whether the passage says anything like it."""
    claim = alignment.claim
    clauses: dict[int, list[int]] = {}
    for at, _ in enumerate(claim.tokens):
        clauses.setdefault(claim.clause[at], []).append(at)
    if len(clauses) < 2:
        return
    for members in clauses.values():
        share, total = share_of(alignment, members)
        if total >= 1.5 and share < 0.6:
            span = (claim.tokens[members[0]].start, claim.tokens[members[-1]].end)
            yield Disagreement("clause", 1.0 - share, span, None, f"the passage does not say '{cut(claim.text, span)}'")


def speaker(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim speaks of its speaker, or asks: no passage bears that out."""
    claim = alignment.claim
    mine, theirs = class_places(alignment, "deictic")
    if mine and not theirs:
        token = claim.tokens[mine[0]]
        you = token.text.lower().startswith(("you", "du", "di", "de"))
        yield Disagreement(
            "reader" if you else "speaker",
            1.0,
            (token.start, token.end),
            None,
            f"the passage does not speak of '{token.text}'",
        )
    for token in claim.tokens:
        if token.text == "?" and not claim.text[token.end : token.end + 1].isalnum():  # /items?page=2
            yield Disagreement("asks", 1.0, (token.start, token.end), None, "this asks, and states nothing")
            break
