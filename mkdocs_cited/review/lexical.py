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

from mkdocs_cited.base.text import language_of, shorten
from mkdocs_cited.language.quantities import Likeness, compare, ungrouped
from mkdocs_cited.language.tokens import (
    Kind,
    Token,
    differences,
    nearest,
    replaced,
    tokens,
)
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage, PassageKind
from mkdocs_cited.review.interface import Case, Review, Reviewer, plain

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
        """Judge each claim by the passages that it cites; the steps of a list in another order wait."""
        judgements = []
        last: Passage | None = None
        for case in cases:
            judgement = assess(case)
            step = None
            if judgement.verdict is Verdict.SUPPORTED:
                step = _step(case)
            if step and last and _is_before(step, last):
                reason = f"it is step {step.number} of its list, and stands behind step {last.number}"
                judgement = _waits(reason, step.text)
            last = step
            judgements.append(judgement)
        return Review(tuple(judgements))


def _waits(reason: str = "", quoted: str = "") -> Judgement:
    return Judgement(Verdict.UNCHECKED, reason, Lexical.id, evidence_quote=quoted)


def _is_before(step: Passage, other: Passage) -> bool:
    """True if a step is not behind another one of its list."""
    is_same_list = step.block == other.block and step.page == other.page
    return is_same_list and step.number <= other.number


def assess(case: Case) -> Judgement:
    """Judge one claim by the passages that it cites."""
    if not case.evidence:
        return Judgement(Verdict.UNSUPPORTED, "the claim cites no passage", Lexical.id)
    claim = case.claim.text
    if len(claim) > LONGEST or claim.rstrip(" )\"'”’*!").endswith(_ASKS):
        return _waits("it is a question, or too long to compare")
    for item in case.evidence:
        quoted = _verbatim(case, item.passage)
        if quoted:
            return Judgement(
                Verdict.SUPPORTED, reviewer=Lexical.id, evidence_quote=quoted
            )
    language = language_of(case.locale)
    said: list[str] = []
    for item in case.evidence:
        said += _statements(item.passage)
    for text in said:
        proof = _proof(claim, text, language)
        if proof:
            return proof
    number = nearest(claim, said, _NEAR, language)
    if number < 0:
        return _waits()
    return _waits(_differing_words(claim, said[number], language), said[number])


def normal(text: str) -> str:
    """A text as texts are compared word for word: without white space, dashes, quotes and final punctuation of its own
    form. The case of its first letter does not count."""
    text = unicodedata.normalize("NFC", text).translate(_HYPHENS)
    text = plain(_LONG_DASH.sub("—", text)).rstrip(_FINAL)
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
    wanted_ungrouped = ungrouped(wanted)
    for text in (*_runs(passage, len(claim)), *_led(passage)):
        said = normal(text)
        same = said == wanted or (is_english and ungrouped(said) == wanted_ungrouped)
        if same and _same_code(claim, passage, text):
            return text
    return ""


def _step(case: Case) -> Passage | None:
    """The step of a numbered list that a step of an answer repeats."""
    for item in case.evidence:
        is_step = case.is_step and item.passage.kind is PassageKind.STEP
        if is_step and _verbatim(case, item.passage):
            return item.passage
    return None


def _same_code(claim: str, passage: Passage, text: str) -> bool:
    """Whether the claim has the code of these words of a passage letter for letter: `−5` is no `-5`."""
    for start, end in passage.code_spans:
        code = passage.text[start:end]
        if code in text and code not in claim:
            return False
    return True


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
    spans = [(0, len(stated))]
    for first, (start, _) in enumerate(passage.sentences):
        for _, end in passage.sentences[first:]:
            spans.append((start, end))
            if end - start > 2 * length:
                break
    for start, end in spans:
        text = stated[start:end]
        if not text.rstrip().endswith(_ASKS):
            yield text


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
    skipped = 0
    reply = _REPLY.match(claim)
    if reply:
        skipped = reply.end()
    ours, theirs, shared = differences(
        tokens(claim[skipped:], language), tokens(statement, language)
    )
    if shared < _LEAST_SHARED or max(len(ours), len(theirs)) != 1:
        return None
    slug = _slug(ours, theirs)
    if not slug:
        return None
    said = has = ""
    span = (0, len(claim))
    if ours:
        span = (skipped + ours[0].start, skipped + ours[0].end)
        said = claim[span[0] : span[1]]
    if theirs:
        has = statement[theirs[0].start : theirs[0].end]
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


def _slug(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """Which finding the one token proves in which two sentences differ; empty for none."""
    kinds = [token.kind for token in (*ours, *theirs)]
    if kinds.count(Kind.NEGATION) == 1 and set(kinds) <= {Kind.NEGATION, Kind.WORD}:
        return "flipped-polarity"
    if len(kinds) != 2:
        return ""
    mine, other = ours[0], theirs[0]
    if mine.quantity and other.quantity:
        if compare(mine.quantity, other.quantity) is Likeness.DIFFERENT:
            return "altered-number"
    elif kinds == [Kind.NAME, Kind.NAME] and not _may_be_one(mine.key, other.key):
        return "altered-identifier"
    return ""


def _may_be_one(one: str, other: str) -> bool:
    """True if two names may be one: other case, signs or zeros before them, the end of a path, a short and a long
    option."""
    if one.startswith("-") and other.startswith("-"):
        return one.startswith("--") != other.startswith("--") or one == other
    left = re.sub(r"[^\w/]|_", "", one).casefold().lstrip("0")
    right = re.sub(r"[^\w/]|_", "", other).casefold().lstrip("0")
    shorter, longer = sorted((left, right), key=len)
    is_end = len(shorter) >= _LEAST_SIZE_OF_NAME and longer.endswith(f"/{shorter}")
    return left == right or is_end


def _differing_words(claim: str, text: str, language: str) -> str:
    """In which words a sentence differs from a claim; empty where only the order of words or signs does."""
    differing = []
    for mine, other in replaced(claim, text, language):
        said = has = ""
        if mine:
            said = shorten(claim[mine[0] : mine[1]], 60)
        if other:
            has = shorten(text[other[0] : other[1]], 60)
        if said and has:
            differing.append(f"“{has}” for “{said}”")
        elif has:
            differing.append(f"“{has}” besides")
        else:
            differing.append(f"no “{said}”")
    if differing:
        return f"its nearest sentence has {', '.join(differing)}"
    return ""
