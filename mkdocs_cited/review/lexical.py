"""The reviewer that needs no model and no network. It compares wording, and does not judge meaning.

- `supported`: the claim is whole sentences of a cited passage word for word, or an item, cell or line of it.
- `contradicted`: it is such a sentence but for one value, name or negation.
- `unchecked`: everything else, with the words that differ where one sentence is near.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import ClassVar

from mkdocs_cited.base.text import collapse, language_of, shorten
from mkdocs_cited.language.quantities import Likeness, compare, quantities, ungrouped
from mkdocs_cited.language.stems import stems
from mkdocs_cited.language.tokens import (
    Kind,
    Token,
    differences,
    matcher,
    negates,
    replaced,
    tokens,
)
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage, PassageKind
from mkdocs_cited.review.interface import QUOTATION_MARKS, Case, Review, Reviewer

LONGEST = 4_000
"""Characters of a claim that is compared; a longer one waits."""
_LEAST_SHARED = 3
"""Tokens that a claim and a sentence must share before a difference proves anything."""
_NEAR = 0.6
"""Share of equal tokens from which a sentence is named as the nearest one, 0…1."""
_LONG_DASH = re.compile(r"\s*[–—―]\s*| - ")
_HYPHENS = str.maketrans({"‐": "-", "‑": "-", "−": "-", "`": None})
_FINAL = " .:;,!?…。．"
_ASKS = ("?", "？", "؟")
_REPLY = re.compile(r"(?:yes|no|ja|nein)\b[\s,.;:!–—-]*", re.IGNORECASE)
_LEAST_SIZE_OF_NAME = 2


class Lexical(Reviewer):
    """Compares claims with their passages word by word."""

    id: ClassVar[str] = "lexical"
    version: ClassVar[str] = "3"

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review:
        """Judge each claim by the passages that it cites."""
        judgements = []
        last: Passage | None = None
        for case in cases:
            judgement = assess(case)
            step = _step(case) if judgement.verdict is Verdict.SUPPORTED else None
            if (
                step
                and last
                and step.block == last.block
                and step.page == last.page
                and step.number <= last.number
            ):
                reason = f"it is step {step.number} of its list, and stands behind step {last.number}"
                judgement = Judgement(
                    Verdict.UNCHECKED, reason, self.id, evidence_quote=step.text
                )
            last = step
            judgements.append(judgement)
        return Review(tuple(judgements))


def assess(case: Case) -> Judgement:
    """Judge one claim by the passages that it cites."""
    if not case.evidence:
        return Judgement(Verdict.UNSUPPORTED, "the claim cites no passage", Lexical.id)
    claim = case.claim.text
    if len(claim) > LONGEST or claim.rstrip(" )\"'”’*!").endswith(_ASKS):
        return Judgement(
            Verdict.UNCHECKED,
            reason="it is a question, or too long to compare",
            reviewer=Lexical.id,
        )
    for item in case.evidence:
        quoted = _verbatim(case, item.passage)
        if quoted:
            return Judgement(
                Verdict.SUPPORTED, reviewer=Lexical.id, evidence_quote=quoted
            )
    language = language_of(case.locale)
    said = [text for item in case.evidence for text in _statements(item.passage)]
    for text in said:
        proof = _proof(claim, text, language)
        if proof:
            return proof
    return _against_row(case, language) or _nearest(claim, said, language)


def normal(text: str) -> str:
    """A text as texts are compared word for word: without white space, dashes, quotes and final punctuation of its own
    form. The case of its first letter does not count."""
    text = (
        unicodedata.normalize("NFC", text)
        .translate(QUOTATION_MARKS)
        .translate(_HYPHENS)
    )
    text = collapse(_LONG_DASH.sub("—", text)).strip().rstrip(_FINAL)
    return text[:1].lower() + text[1:]


def _verbatim(case: Case, passage: Passage) -> str:
    """What of a passage the claim repeats word for word; empty for nothing."""
    claim = case.claim.text
    if passage.kind is PassageKind.CODE:
        return _code_lines(claim, passage.text)
    header = case.claim.header
    if header and passage.header and normal(header) != normal(" ".join(passage.header)):
        return ""  # equal cells under other column headers say something else
    wanted = normal(claim)
    if not wanted:
        return ""
    is_english = language_of(case.locale) == "en"
    plain = ungrouped(wanted)
    for text in (*_runs(passage, len(claim)), *_led(passage)):
        said = normal(text)
        same = said == wanted or (is_english and ungrouped(said) == plain)
        if same and _same_code(claim, passage, text):
            return text
    return ""


def _step(case: Case) -> Passage | None:
    """The step of a numbered list that a step of an answer repeats."""
    for item in case.evidence:
        if (
            case.is_step
            and item.passage.kind is PassageKind.STEP
            and _verbatim(case, item.passage)
        ):
            return item.passage
    return None


def _same_code(claim: str, passage: Passage, text: str) -> bool:
    """Whether the claim has the code of these words of a passage letter for letter: `−5` is no `-5`."""
    codes = [passage.text[start:end] for start, end in passage.code_spans]
    return all(code in claim for code in codes if code in text)


def _code_lines(claim: str, code: str) -> str:
    """The claim's lines, where they are whole lines of the code in one run."""
    wanted = [line.rstrip() for line in claim.strip("\n").split("\n")]
    lines = [line.rstrip() for line in code.strip("\n").split("\n")]
    for first in range(len(lines) - len(wanted) + 1):
        if any(wanted) and lines[first : first + len(wanted)] == wanted:
            return "\n".join(wanted)
    return ""


def _runs(passage: Passage, length: int) -> Iterator[str]:
    """The whole passage, and its sentences in runs about as long as the claim; none ends with a question."""
    stated = passage.stated
    if not stated.rstrip().endswith(_ASKS):
        yield stated
    spans = passage.sentences
    for first, (start, _) in enumerate(spans):
        for _, end in spans[first:]:
            text = stated[start:end]
            if not text.rstrip().endswith(_ASKS):
                yield text
            if end - start > 2 * length:
                break


def _led(passage: Passage) -> Iterator[str]:
    """The passage with what leads into it: a term, a list's introduction, the first cell and the column header."""
    stated = passage.stated
    if passage.cells:
        first = passage.cells[0]
        for header, cell in zip(passage.header[1:], passage.cells[1:], strict=False):
            yield f"{first} {header} {cell}"
            yield f"{first}: {header}: {cell}"
            if len(passage.cells) == 2:
                yield f"{first} {cell}"
                yield f"{first}: {cell}"
    elif passage.lead:
        lead = passage.lead.rstrip(_FINAL)
        yield f"{lead} {stated}"
        yield f"{lead}: {stated}"


def _statements(passage: Passage) -> Iterator[str]:
    """What a passage states, a sentence, item or row each."""
    if passage.kind is PassageKind.CODE:
        return
    stated = passage.stated
    for start, end in passage.sentences or ((0, len(stated)),):
        text = stated[start:end]
        if not text.rstrip().endswith(_ASKS):
            yield text
    if len(passage.sentences) <= 1:
        yield from _led(passage)


def _proof(claim: str, statement: str, language: str) -> Judgement | None:
    """The judgement of a claim that is a sentence but for one value, name or negation; `None` for any other."""
    reply = _REPLY.match(claim)
    skipped = reply.end() if reply else 0
    ours, theirs, shared = differences(
        tokens(claim[skipped:], language), tokens(statement, language)
    )
    if shared < _LEAST_SHARED or max(len(ours), len(theirs)) != 1:
        return None
    mine = ours[0] if ours else None
    other = theirs[0] if theirs else None
    slug = _slug(mine, other)
    if not slug:
        return None
    said = claim[skipped + mine.start : skipped + mine.end] if mine else ""
    has = statement[other.start : other.end] if other else ""
    span = (skipped + mine.start, skipped + mine.end) if mine else (0, len(claim))
    if said and has:
        reason = f"the claim says “{said}”, its passage says “{has}”"
    elif said:
        reason = f"the claim says “{said}”, the same sentence of its passage does not"
    else:
        reason = f"its passage says “{has}”, the same sentence of the claim does not"
    return Judgement(
        Verdict.CONTRADICTED,
        reason=reason,
        reviewer=Lexical.id,
        evidence_quote=statement,
        missing=(span,),
        proof=slug,
    )


def _against_row(case: Case, language: str) -> Judgement | None:
    """The judgement of a claim that names one cited row of a table, and states another figure than the only one of that
    row; `None` for any other."""
    claim = case.claim.text
    rows = [
        item.passage
        for item in case.evidence
        if _is_named(item.passage, claim, language)
    ]
    stated = [token.quantity for token in tokens(claim, language) if token.quantity]
    if len(rows) != 1 or len(stated) != 1 or negates(claim):
        return None
    said, row = stated[0], rows[0]
    figures = [figure for cell in row.cells for figure in quantities(cell, language)]
    if len(figures) != 1 or figures[0].text not in row.cells:
        return None
    figure = figures[0]
    is_other_kind = (
        figure.dimension != said.dimension and figure.dimension and said.dimension
    )
    if is_other_kind or compare(said, figure) is not Likeness.DIFFERENT:
        return None
    return Judgement(
        Verdict.CONTRADICTED,
        reason=f"the claim says “{said.text}”, the row “{row.cells[0]}” of its passage says “{figure.text}”",
        reviewer=Lexical.id,
        evidence_quote=row.text,
        missing=((said.start, said.end),),
        proof="altered-number",
    )


def _is_named(passage: Passage, claim: str, language: str) -> bool:
    """Whether a claim has all words of a row's first cell, and a word of the headers of its others; a name in the first
    cell is enough."""
    if not passage.cells or not passage.cells[0]:
        return False
    words = set(stems(claim, language))
    if not words.issuperset(stems(passage.cells[0], language)):
        return False
    if any(token.kind is Kind.NAME for token in tokens(passage.cells[0], language)):
        return True
    return not words.isdisjoint(stems(" ".join(passage.header[1:]), language))


def _slug(mine: Token | None, other: Token | None) -> str:
    """Which finding one differing token proves; empty for none."""
    kinds = [token.kind for token in (mine, other) if token]
    if mine and other and mine.quantity and other.quantity:
        different = compare(mine.quantity, other.quantity) is Likeness.DIFFERENT
        return "altered-number" if different else ""
    if kinds == [Kind.NAME, Kind.NAME] and mine and other:
        return "" if _spelled_alike(mine.key, other.key) else "altered-identifier"
    if kinds.count(Kind.NEGATION) == 1 and set(kinds) <= {Kind.NEGATION, Kind.WORD}:
        return "flipped-polarity"
    return ""


def _spelled_alike(one: str, other: str) -> bool:
    """Whether two names may be one: other case, signs or zeros before them, the end of a path, a short and a long
    option."""
    if one.startswith("-") and other.startswith("-"):
        return one.startswith("--") != other.startswith("--") or one == other
    left, right = (
        re.sub(r"[^\w/]|_", "", name).casefold().lstrip("0") for name in (one, other)
    )
    shorter, longer = sorted((left, right), key=len)
    return left == right or (
        len(shorter) >= _LEAST_SIZE_OF_NAME and longer.endswith(f"/{shorter}")
    )


def _nearest(claim: str, said: Sequence[str], language: str) -> Judgement:
    """The judgement of a claim that waits, with the words in which the nearest sentence differs."""
    mine = tokens(claim, language)
    best: tuple[float, str] = (0.0, "")
    for statement in said:
        ratio = matcher(mine, tokens(statement, language)).ratio()
        if ratio > best[0]:
            best = (ratio, statement)
    ratio, text = best
    if ratio < _NEAR:
        return Judgement(Verdict.UNCHECKED, reviewer=Lexical.id)
    reason = _differing_words(claim, text, language)
    return Judgement(Verdict.UNCHECKED, reason, Lexical.id, evidence_quote=text)


def _differing_words(claim: str, text: str, language: str) -> str:
    """In which words a sentence differs from a claim; empty where only the order of words or signs does."""
    differing = []
    for mine, other in replaced(claim, text, language):
        said = shorten(claim[slice(*mine)], 60) if mine else ""
        has = shorten(text[slice(*other)], 60) if other else ""
        if said and has:
            differing.append(f"“{has}” for “{said}”")
        elif has:
            differing.append(f"“{has}” besides")
        else:
            differing.append(f"no “{said}”")
    return f"its nearest sentence has {', '.join(differing)}" if differing else ""
