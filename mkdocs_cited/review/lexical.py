"""The reviewer that needs no model and no network. It compares wording, and does not judge meaning.

- `supported`: the claim is whole sentences of a cited passage word for word, or an item, cell or line of it.
- `contradicted`: it is such a sentence but for one value, name or negation.
- `unchecked`: everything else, with the words that differ where one sentence is near.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_letters
from typing import ClassVar

from mkdocs_cited.base.text import language_of, shorten
from mkdocs_cited.language import (
    Kind,
    Token,
    matcher,
    nearest,
    replaced,
    tokens,
)
from mkdocs_cited.language.quantities import may_equal, ungrouped
from mkdocs_cited.model.answer import Claim, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage, PassageKind
from mkdocs_cited.review.interface import Case, Review, Reviewer, plain
from mkdocs_cited.review.values import judged_by_value

LONGEST = 4_000
"""Characters of a claim that is compared; a longer one waits."""
_LEAST_SHARED = 3
"""Tokens that a claim and a sentence must share before a difference proves anything."""
_NEAR = 0.6
"""Share of equal tokens from which a sentence is named as the nearest one, 0…1."""
_LONG_DASH = re.compile(r"\s*[–—―]\s*| - ")
_HYPHENS = str.maketrans({"‐": "-", "‑": "-", "−": "-", "`": None})
_FINAL = " .:;,!…。．"
_SENTENCE_END = re.compile(r"[\w`]\.\Z")
"""A full stop behind code or a word; one within code is its own."""
_REPLIES = ("yes", "no", "ja", "nein")
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
            step = _step(case, judgement)
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
    by_value = judged_by_value(case)
    if by_value:
        return by_value
    claim = case.claim.text
    if len(claim) > LONGEST:
        return _waits("it is too long to compare")
    language = language_of(case.locale)
    said: list[str] = []
    for item in case.evidence:
        quoted = _verbatim(case, item.passage, language)
        if quoted:
            return Judgement(
                Verdict.SUPPORTED, reviewer=Lexical.id, evidence_quote=quoted
            )
    for item in case.evidence:
        least = _LEAST_SHARED
        if case.claim.header and _has_header(case.claim, item.passage, language):
            least = 1  # a row of the same table: the first cell says which
        for text in _statements(item.passage):
            said.append(text)
            proof = _proof(claim, text, language, least)
            if proof:
                return proof
    number = nearest(claim, said, _NEAR, language)
    if number < 0:
        return _waits()
    return _waits(_differing_words(claim, said[number], language), said[number])


def normal(text: str, language: str) -> str:
    """A text as texts are compared word for word: without white space, dashes, quotes, grouping of digits and final
    punctuation of its own form. The case of its first letter does not count."""
    text = unicodedata.normalize("NFC", text).translate(_HYPHENS)
    text = plain(_LONG_DASH.sub("—", text)).rstrip(_FINAL)
    if language == "en":
        text = ungrouped(text)
    return text[:1].lower() + text[1:]


def _verbatim(case: Case, passage: Passage, language: str) -> str:
    """What of a passage the claim repeats word for word; empty for nothing."""
    claim = case.claim
    if passage.kind is PassageKind.CODE:
        quoted = _code_lines(claim.text, passage.text)
        if not quoted and _SENTENCE_END.search(case.written):
            quoted = _code_lines(claim.text.removesuffix("."), passage.text)
        return quoted
    if claim.header and passage.header and not _has_header(claim, passage, language):
        return ""  # equal cells under other column headers say something else
    wanted = normal(claim.text, language)
    for text in (*_runs(passage, len(claim.text)), *_led(passage)):
        if normal(text, language) == wanted and _same_code(claim.text, passage, text):
            return text
    return ""


def _has_header(claim: Claim, passage: Passage, language: str) -> bool:
    """True if a claim stands under the column headers of a passage."""
    header = normal(" ".join(passage.header), language)
    return normal(claim.header, language) == header


def _step(case: Case, judgement: Judgement) -> Passage | None:
    """The step of a numbered list that a step of an answer repeats."""
    if not case.is_step or judgement.verdict is not Verdict.SUPPORTED:
        return None
    for item in case.evidence:
        is_step = item.passage.kind is PassageKind.STEP
        if is_step and judgement.evidence_quote in item.passage.stated:
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
    wanted = _lines(claim)
    if wanted.strip() and wanted in _lines(code):
        return wanted.strip("\n")
    return ""


def _lines(code: str) -> str:
    """The lines of a code without white space at their ends, each between two line breaks."""
    lines = [line.rstrip() for line in code.strip("\n").split("\n")]
    return "\n".join(["", *lines, ""])


def _runs(passage: Passage, length: int) -> Iterator[str]:
    """The whole passage, and its sentences in runs about as long as the claim."""
    stated = passage.stated
    yield stated
    for first, (start, _) in enumerate(passage.sentences):
        for _, end in passage.sentences[first:]:
            yield stated[start:end]
            if end - start > 2 * length:
                break


def _led(passage: Passage) -> Iterator[str]:
    """The passage with what leads into it: a term, a list's introduction, the first cell and the column header. Of a
    table with merged cells it is not known which header a cell has."""
    cells = passage.stated_cells
    for sign in ("", ":"):
        if cells and len(cells) == len(passage.header):
            first = cells[0] + sign
            for header, cell in zip(passage.header[1:], cells[1:], strict=True):
                yield f"{first} {header}{sign} {cell}"
                if len(cells) == 2:
                    yield f"{first} {cell}"
        elif passage.lead and not cells:
            yield f"{passage.lead.rstrip(_FINAL)}{sign} {passage.stated}"


def _statements(passage: Passage) -> Iterator[str]:
    """What a passage states, a sentence, item or row each."""
    if passage.kind is PassageKind.CODE:
        return
    stated = passage.stated
    for start, end in passage.sentences or ((0, len(stated)),):
        yield stated[start:end]
    if len(passage.sentences) <= 1:
        yield from _led(passage)


def _proof(claim: str, statement: str, language: str, least: int) -> Judgement | None:
    """The judgement of a claim that is a sentence but for one value, name or negation; `None` for any other.

    Args:
        least: how many tokens they must share, the first one among them if it is one.
    """
    ours = tokens(claim, language)
    theirs = tokens(statement, language)
    if ours and theirs and ours[0].key in _REPLIES and ours[0].key != theirs[0].key:
        ours = ours[1:]
    if abs(len(ours) - len(theirs)) > 1:
        return None
    blocks = matcher(ours, theirs).get_opcodes()
    differing = [block for block in blocks if block[0] != "equal"]
    if len(differing) != 1:
        return None
    _, start, end, first, last = differing[0]
    shared = len(ours) - (end - start)
    if shared < least or (least == 1 and start == 0):
        return None
    ours = ours[start:end]
    theirs = theirs[first:last]
    slug = _slug(ours, theirs)
    if not slug:
        return None
    # one token at most on either side: `_slug` takes no more
    said = "".join(_word(claim, token) for token in ours)
    has = "".join(_word(statement, token) for token in theirs)
    missing = [(token.start, token.end) for token in ours] or [(0, len(claim))]
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
        missing=tuple(missing),
        proof=slug,
    )


def _word(text: str, token: Token) -> str:
    """A token with the rest of its word before it: `cannot`, of which `not` is the token."""
    before = text[: token.start]
    return text[len(before.rstrip(ascii_letters)) : token.end]


def _slug(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """Slug of the finding that a difference proves; empty where it proves none, as one of several tokens does.

    Args:
        ours: the tokens of the claim that its passage has not.
        theirs: those of the passage in their place.
    """
    if max(len(ours), len(theirs)) > 1:
        return ""
    kinds = [token.kind for token in (*ours, *theirs)]
    if kinds.count(Kind.NEGATION) == 1 and set(kinds) <= {Kind.NEGATION, Kind.WORD}:
        return "flipped-polarity"
    if len(kinds) != 2:
        return ""
    mine = ours[0]
    other = theirs[0]
    if mine.quantity and other.quantity:
        if not may_equal(mine.quantity, other.quantity):
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
        said = shorten(claim[mine[0] : mine[1]], 60)
        has = shorten(text[other[0] : other[1]], 60)
        if not has:
            differing.append(f"no “{said}”")
        elif said:
            differing.append(f"“{has}” for “{said}”")
        else:
            differing.append(f"“{has}” as well")
    if differing:
        return f"its nearest sentence has {', '.join(differing)}"
    return ""
