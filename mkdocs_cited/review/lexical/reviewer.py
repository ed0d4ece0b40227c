"""The reviewer that needs no model and no network: aligns a claim with its passages and weighs what is left.

It fails only what it is sure of, passes only what it is sure of, and says so
when it is neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mkdocs_cited.base.languages import language_of
from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Fault, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.lexical.alignment import Alignment, align
from mkdocs_cited.review.lexical.certainty import doubt
from mkdocs_cited.review.lexical.disagreements import CONTRADICTING, HARD, Disagreement, disagreements
from mkdocs_cited.review.lexical.features import features
from mkdocs_cited.review.lexical.reading import read
from mkdocs_cited.review.lexical.weights import Model, shipped
from mkdocs_cited.settings import Settings

__all__ = ["Lexical", "Reading", "judge"]

LONGEST = 300
"""Tokens of a claim that is read at all."""
OCCURRENCES = 50
"""Places of a claim in its passage that are looked at."""
_STOPS = ".!?…。！？"
_CLOSERS = " \"'”’»)]"
VERBATIM = 0.98
"""Score of a claim that is made of whole sentences of its passage."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the lexical reviewer says of one claim."""

    verdict: Verdict
    score: float
    """Support 0…1; 0.5 is the boundary."""
    reason: str
    """In words: what is missing, what disagrees."""
    matched: tuple[tuple[int, int], ...] = ()
    """Ranges of the claim that the passage carries."""
    missing: tuple[tuple[int, int], ...] = ()
    """Ranges of the claim that it does not, or that disagree."""
    evidence: tuple[tuple[int, int], ...] = ()
    """Ranges of the joined passages (`join`) that match."""
    disagreeing: tuple[tuple[int, int], ...] = ()
    """Ranges of the joined passages that say something else."""
    window: tuple[int, int] = (0, 0)
    """Range of the joined passages that decided it."""
    disagreements: tuple[Disagreement, ...] = ()


def join(passages: Sequence[str]) -> str:
    """Return the passages as one text, the way spans count."""
    return "\n".join(passages)


def judge(
    claim: str,
    passages: Sequence[str],
    contexts: Sequence[str] = (),
    language: str = "",
    model: Model | None = None,
) -> Reading:
    """Judge one claim by its passages.

    `contexts` is text that stands near a passage (headings, list lead-in,
    header cells): its words explain words of the claim, but state nothing.
    `language` is `en` or `de`; it is guessed where it is empty. `model` is the
    shipped one unless given.
    """
    text = join(passages)
    claimed, passage = read(claim.strip(), language), read(text, language)
    if not any(claimed.weights) or not passage.tokens:
        return Reading(Verdict.UNCHECKED, 0.5 if passage.tokens else 0.0, "there is nothing to compare")
    if len(claimed.tokens) > LONGEST:
        return Reading(Verdict.UNCHECKED, 0.5, "the claim is too long to be one statement")
    context = read(join(contexts), language) if contexts else None
    alignment = align(claimed, passage, context)
    found = disagreements(alignment)
    model = model or shipped()
    values = features(alignment, found)
    score = model.score(values)
    closer = in_passage_words(alignment)
    if closer != claimed.text:
        nearer = align(read(closer, claimed.language), passage, context)
        score = min(score, model.score(features(nearer, disagreements(nearer))))
    verbatim = _is_verbatim(claim, text)
    if verbatim:
        score, found = max(score, VERBATIM), ()
    unsure = "" if verbatim else doubt(alignment, found, values["lost"])
    return _reading(alignment, found, score, unsure, model)


def in_passage_words(alignment: Alignment) -> str:
    """Return the claim with every synonym or inflection replaced by the passage's own word.

    No claim may score above this nearer one: support never falls when a claim comes closer to its passage.
    """
    claim, passage = alignment.claim, alignment.passage
    out: list[str] = []
    at = 0
    for token, weight, link in zip(claim.tokens, claim.weights, alignment.links, strict=True):
        if not weight or link is None or not 0 < link.strength < 1 or token.kind != "word":
            continue
        other = passage.tokens[link.to]
        if other.kind == "word" and passage.weights[link.to]:
            out.append(claim.text[at : token.start] + passage.text[other.start : other.end])
            at = token.end
    return "".join(out) + claim.text[at:]


def _is_verbatim(claim: str, text: str) -> bool:
    """Tell whether a claim stands in a text, or in a line of it, from one sentence end to another."""
    plain = collapse(claim).rstrip(".!。").lower()
    return bool(plain) and any(_stands_whole(plain, collapse(part).lower()) for part in (text, *text.split("\n")))


def _stands_whole(plain: str, text: str) -> bool:
    at = text.find(plain)
    for _ in range(OCCURRENCES):
        if at < 0:
            break
        before, after = text[max(0, at - 8) : at].rstrip(_CLOSERS), text[at + len(plain) :][:8].lstrip()
        opens = not before or before[-1] in _STOPS + ":"
        closes = not after or after[0] in _STOPS or plain[-1] in _STOPS
        if opens and closes:
            return True
        at = text.find(plain, at + 1)
    return False


def _reading(alignment: Alignment, found: Sequence[Disagreement], score: float, unsure: str, model: Model) -> Reading:
    claim, passage = alignment.claim, alignment.passage
    matched, evidence = [], []
    for at, link in enumerate(alignment.links):
        if link and link.strength > 0 and claim.weights[at]:
            matched.append(_range(claim, at))
            evidence.append(_range(passage, link.to))
    missing = sorted({piece.claim for piece in found if piece.claim[1]})
    other = sorted({piece.passage for piece in found if piece.passage})
    window = (0, 0)
    if alignment.last > alignment.first:
        window = (passage.tokens[alignment.first].start, passage.tokens[alignment.last - 1].end)
    worst = sorted(found, key=lambda piece: -piece.weight * model.cost(piece.kind))
    hard = any(piece.kind in HARD for piece in found)
    if score >= model.passes and not unsure:
        verdict, reason = Verdict.SUPPORTED, "the passage says this"
    elif score > (model.fails if hard else model.lacks):
        said = "the passage says this in other words, if at all"
        verdict, reason = Verdict.UNCHECKED, worst[0].message if worst else unsure or said
    else:
        contradicted = bool(worst) and worst[0].kind in CONTRADICTING
        partly = not contradicted and alignment.joint >= 0.6
        verdict = Verdict.CONTRADICTED if contradicted else Verdict.PARTIAL if partly else Verdict.UNSUPPORTED
        reason = worst[0].message if worst else "the passage says too little of this"
    return Reading(
        verdict,
        round(score, 4),
        reason,
        tuple(matched),
        tuple(missing),
        tuple(sorted(set(evidence))),
        tuple(other),
        window,
        tuple(worst),
    )


def _range(reading: object, at: int) -> tuple[int, int]:
    figure = reading.figure_at.get(at)  # type: ignore[attr-defined]
    if figure:
        return figure.start, figure.end
    token = reading.tokens[at]  # type: ignore[attr-defined]
    return token.start, token.end


class Lexical(Reviewer):
    """The embedded reviewer."""

    id: ClassVar[str] = "lexical"
    version: ClassVar[str] = "1"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.model = shipped().cut(settings.lexical.passes, settings.lexical.fails)

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge each claim by the passages it cites."""
        return Review(tuple(self.judge(case) for case in cases))

    def judge(self, case: Case) -> Judgement:
        """Judge one claim."""
        if not case.evidence:
            return Judgement(Verdict.UNSUPPORTED, 0.0, "the claim cites no passage", self.id)
        texts = [_text(item.passage) for item in case.evidence]
        headings = [item.heading for item in case.evidence]
        reading = judge(case.claim.text, texts, headings, language_of(case.locale), self.model)
        return Judgement(
            reading.verdict,
            reading.score,
            reading.reason,
            self.id,
            evidence_quote=_quote(case, join(texts)[slice(*reading.window)]),
            matched=reading.matched,
            missing=reading.missing,
        )


def _text(passage: Passage) -> str:
    """Return a passage's text; a row's with its table's header above it, cell by cell."""
    if passage.header and len(passage.header) == len(passage.cells):
        return "\t".join(passage.header) + "\n" + "\t".join(passage.cells)
    return passage.text


def _quote(case: Case, window: str) -> str:
    """Return the part of a passage that decided, as it stands there; the first passage's text if it is no part."""
    parts = [window, *sorted(window.split("\n"), key=len, reverse=True)]
    texts = [item.passage.text for item in case.evidence]
    return next((part for part in parts if part and any(part in text for text in texts)), texts[0])
