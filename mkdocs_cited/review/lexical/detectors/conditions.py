"""Questions about if, unless and within: does the claim drop what the passage's statement is bound to?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement, cut

_SCOPES = frozenset(
    "within in for on with during under at unless if when while after before without "
    "im bei mit während unter für ohne nach vor".split()
)
"""Words that open what a statement is bound to, at the start of a sentence."""
_BINDING = frozenset({"if", "unless", "except", "provided", "falls", "sofern", "außer", "solange"})
_EVEN = frozenset({"even", "as", "auch", "selbst", "und"})
_CONDITIONED = _BINDING | {"when", "whenever", "wenn", "without", "ohne", "may", "might", "could"}
"""Words of a claim that is conditional in some way."""


def conditions(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops a condition under which the passage holds."""
    passage = alignment.passage
    words = word_class("condition")
    used = alignment.used
    mine = any(token.text.lower() in words for token in alignment.claim.tokens)
    counts = Counter(passage.tokens[place].sentence for place in used)
    for at in range(alignment.first, alignment.last):
        token = passage.tokens[at]
        if token.text.lower() not in words or token.text.lower() in ("while", "where", "until", "bis", "once"):
            continue
        if counts[token.sentence] < max(counts.values(), default=0):
            continue
        sentence = alignment.in_sentence(token.sentence)
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


def scopes(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim drops what opens the passage's sentence: `Within a minor version, …`."""
    passage, used = alignment.passage, alignment.used
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


def lost_conditions(alignment: Alignment) -> Iterator[Disagreement]:
    """Ask whether the claim says all of a statement but the `if` or `unless` that it is bound to."""
    passage, claim = alignment.passage, alignment.claim
    if any(token.text.lower() in _CONDITIONED for token in claim.tokens):
        return
    said = {token.key for token, weight in zip(claim.tokens, claim.weights, strict=True) if weight}
    for at in range(alignment.first, alignment.last):
        token = passage.tokens[at]
        if token.text.lower() not in _BINDING or (at and passage.tokens[at - 1].text.lower() in _EVEN):
            continue
        sentence = [k for k in alignment.in_sentence(token.sentence) if passage.weights[k]]
        bound = [k for k in sentence if passage.clause[k] == passage.clause[at] and k > at]
        rest = [k for k in sentence if passage.clause[k] != passage.clause[at]]
        near = [k for k in rest if abs(passage.clause[k] - passage.clause[at]) <= 2]
        repeated = [k for k in near if passage.tokens[k].key in said]
        if (
            bound
            and len(repeated) >= 2
            and len(repeated) >= 0.75 * len(near)
            and not any(passage.tokens[k].key in said for k in bound)
        ):
            span = (token.start, passage.tokens[bound[-1]].end)
            message = f"the passage says this only '{cut(passage.text, span)}'"
            yield Disagreement("condition-lost", 1.0, (0, 0), span, message)
            return
