"""The reviewer that needs no model and no network: it says only what it can prove.

`contradicted` where two spans cannot both hold (`proofs`, `tables`), `supported` where a place plainly says it
(`support`), and `unchecked` for everything between, with one hint for the person who decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.words import guessed
from mkdocs_cited.model.answer import Evidence, Fault, Judgement, Verdict
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.lexical import evidence as texts
from mkdocs_cited.review.lexical.alignment import Alignment, best
from mkdocs_cited.review.lexical.answers import fits, without_yes, wrongly_answered
from mkdocs_cited.review.lexical.clauses import denied, opposed
from mkdocs_cited.review.lexical.evidence import CitedTexts
from mkdocs_cited.review.lexical.exchanged import permuted, reversed_order, swapped
from mkdocs_cited.review.lexical.hints import hint, unfit
from mkdocs_cited.review.lexical.lists import mislabelled, out_of_order
from mkdocs_cited.review.lexical.parsed import ParsedText, parse
from mkdocs_cited.review.lexical.proofs import Proof, in_its_place
from mkdocs_cited.review.lexical.rivals import rivals
from mkdocs_cited.review.lexical.structured import code_says, row_says
from mkdocs_cited.review.lexical.support import is_verbatim, says
from mkdocs_cited.review.lexical.tables import misplaced, refused
from mkdocs_cited.review.lexical.version import VERSION

LONGEST = 300
"""Items of a claim that is read at all."""
VERBATIM = 1.0
CLOSE = 0.95
"""Scores of a claim that stands in its passage, and of one that its passage says in nearly the same words."""


class LexicalResult(Struct, frozen=True):
    """What the lexical reviewer says of one claim."""

    verdict: Verdict
    score: float
    """Support 0…1: the share of the claim's words in the place closest to it; below 0.5 where a proof stands."""
    reason: str = ""
    """A proof's two spans, or what keeps the claim from passing."""
    proofs: tuple[Proof, ...] = ()
    matched: tuple[tuple[int, int], ...] = ()
    """Ranges of the claim that the closest place has."""
    missing: tuple[tuple[int, int], ...] = ()
    """Ranges of the claim that it has not, or that are proven wrong."""
    quote: str = ""
    """The place that decided."""


def judge(
    claim: str, passages: Sequence[str], contexts: Sequence[str] = (), language: str = "", question: str = ""
) -> LexicalResult:
    """Judge one claim by plain texts.

    Args:
        contexts: what stands above them (headings, a list's lead-in): explains words, and states nothing.
        language: guessed where it is empty.
        question: what the claim answers; without it, `Yes.` and `No.` are not judged.
    """
    language = language or guessed(f"{claim} {' '.join(passages)}")
    return assess(claim, texts.of_plain(passages, contexts, language), question)


def read(claim: str, evidence: tuple[Evidence, ...], locale: str, question: str = "") -> LexicalResult:
    """Judge one claim by the passages that it cites."""
    return _read(claim, evidence, language_of(locale), question)


@lru_cache(maxsize=512)  # rules and reviewer ask of the same claims
def _read(claim: str, evidence: tuple[Evidence, ...], language: str, question: str) -> LexicalResult:
    return assess(claim, texts.of_evidence(evidence, language), question)


def assess(text: str, cited: CitedTexts, question: str = "") -> LexicalResult:
    """Judge one claim by all that it cites."""
    start = without_yes(text)
    opening = text[:start]
    claim, asked = parse(text[start:], cited.language), parse(question, cited.language)
    if not claim.items or len(claim.items) > LONGEST:
        return LexicalResult(Verdict.UNCHECKED, 0.0, "the claim is too long, or holds nothing to compare")
    if not start and is_verbatim(text, cited.texts):
        return LexicalResult(Verdict.SUPPORTED, VERBATIM, matched=((0, len(text)),), quote=text)
    alignments = best(claim, cited.places(claim))
    found = _proven(claim, cited, alignments, asked, opening)
    closest = alignments[0] if alignments else None
    score = closest.coverage if closest else 0.0
    if found:
        return _shifted(
            LexicalResult(Verdict.CONTRADICTED, min(score, 0.4), found[0].message, tuple(found), quote=found[0].quote),
            closest, start,
        )  # fmt: skip
    quote = _saying(claim, cited, alignments, asked, opening)
    if quote:
        return _shifted(LexicalResult(Verdict.SUPPORTED, CLOSE, quote=quote), closest, start)
    said = opening and any(says(each, asked) for each in alignments)
    reason = unfit(opening) if said else hint(claim, cited, closest)
    quote = closest.place.body.text if closest else ""
    return _shifted(LexicalResult(Verdict.UNCHECKED, min(score, 0.9), reason, quote=quote), closest, start)


def _saying(
    claim: ParsedText, cited: CitedTexts, alignments: Sequence[Alignment], asked: ParsedText, opening: str
) -> str:
    """The words that plainly say what a claim says; empty where no place does, or `Yes` and `No` do not fit it."""
    for each in alignments:
        if says(each, asked) and fits(opening, asked, claim, each.place):
            return each.place.body.text
    if not opening:
        for text in cited.texts:
            if row_says(claim, text, cited.language) or code_says(claim, text, cited.language, asked):
                return text.text
    return ""


def _proven(
    claim: ParsedText, cited: CitedTexts, alignments: Sequence[Alignment], asked: ParsedText, opening: str
) -> list[Proof]:
    """What proves a claim wrong, one proof for each span of it; nothing where some place says it word for word."""
    if any(each.in_order >= 1.0 and not each.edged for each in alignments):
        return [*wrongly_answered(opening, asked, cited)]
    found = (
        *misplaced(claim, cited),
        *in_its_place(alignments, cited),
        *rivals(claim, cited, alignments, asked),
        *refused(claim, cited),
        *out_of_order(claim, cited),
        *mislabelled(claim, cited),
        *permuted(alignments),
        *swapped(alignments),
        *reversed_order(alignments),
        *opposed(alignments),
        *denied(alignments),
        *wrongly_answered(opening, asked, cited),
    )
    kept: list[Proof] = []
    for proof in found:
        if not any(proof.claim[0] < each.claim[1] and each.claim[0] < proof.claim[1] for each in kept):
            kept.append(proof)
    return kept


def _shifted(result: LexicalResult, alignment: Alignment | None, start: int) -> LexicalResult:
    """The result with its ranges, counted from the claim's own beginning."""
    items = alignment.claim.items if alignment else ()
    lost = alignment.lost if alignment else ()
    matched = tuple((item.start + start, item.end + start) for item in items if item not in lost)
    proven = tuple(proof.claim for proof in result.proofs)
    missing = proven or tuple((item.start, item.end) for item in lost)
    if result.verdict is Verdict.SUPPORTED:
        missing = ()
    return LexicalResult(
        result.verdict, round(result.score, 4), result.reason, result.proofs, matched,
        tuple(sorted({(first + start, last + start) for first, last in missing if last > first})), result.quote,
    )  # fmt: skip


class Lexical(Reviewer):
    """The embedded reviewer."""

    id: ClassVar[str] = "lexical"
    version: ClassVar[str] = VERSION

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge each claim by the passages it cites."""
        return Review(tuple(self.judge(case) for case in cases))

    def judge(self, case: Case) -> Judgement:
        """Judge one claim."""
        if not case.evidence:
            return Judgement(Verdict.UNSUPPORTED, 0.0, "the claim cites no passage", self.id)
        result = read(case.claim.text, case.evidence, case.locale, case.question)
        return Judgement(
            result.verdict, result.score, result.reason, self.id,
            evidence_quote=_standing(result.quote, case), matched=result.matched, missing=result.missing,
        )  # fmt: skip


def _standing(quote: str, case: Case) -> str:
    """The words that decided as they stand in a passage; the first passage's text if they do not."""
    read_as = texts.of_evidence(case.evidence, language_of(case.locale)).texts
    for item, text in zip(case.evidence, read_as, strict=True):
        if quote and quote in text.text:
            return quote if quote in item.passage.text else item.passage.text
    return case.evidence[0].passage.text
