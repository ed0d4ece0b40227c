"""How good a reviewer is on labelled claims: rows in, predictions and figures out. No file format but JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.text import digest
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical import assess


class Row(Struct, frozen=True):
    """One claim with its evidence, as a line of the file has it."""

    claim: Annotated[str, Meta(pattern=r"\S")]
    evidence: str | Annotated[tuple[str, ...], Meta(min_length=1)]
    id: str | int = ""
    label: bool | Literal[0, 1] | None = None
    """Whether the evidence supports the claim in full; `None` if nobody said."""
    kind: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The evidence, text by text."""
        return (self.evidence,) if isinstance(self.evidence, str) else self.evidence


SCORES = {Verdict.SUPPORTED: 1.0, Verdict.CONTRADICTED: 0.0, Verdict.UNSUPPORTED: 0.0}
"""Support 0…1 that a verdict stands for; any other is the boundary."""


class Prediction(Struct, frozen=True):
    """The reviewer's verdict on one row."""

    id: str
    verdict: str
    score: float
    """Support 0…1; 0.5 is the boundary."""

    def as_json(self) -> str:
        """Return the row of a predictions file."""
        return json.dumps({"id": self.id, "verdict": self.verdict, "score": self.score}, ensure_ascii=False)


class Rate(Struct, frozen=True):
    """What became of claims of one kind."""

    kind: str
    claims: int
    failed: int
    """Errors, which stop a build."""
    unconfirmed: int
    """Neither passed nor failed: a person or a model decides."""
    passed: int

    @property
    def caught(self) -> float:
        """Share that did not pass, 0…1; 0 without claims."""
        return (self.failed + self.unconfirmed) / self.claims if self.claims else 0.0


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a JSON Lines file: `id`, `claim`, `evidence` (text or list), optional `label` and `kind`.

    Raises `CitedError` with file and line for a row that is not one.
    """
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    row = msgspec.json.decode(line, type=Row)
                except (msgspec.MsgspecError, RecursionError) as error:
                    tip = (
                        "a row is an object with `claim`, `evidence` (text or list) and optional `id`, `label`, `kind`"
                    )
                    raise CitedError(f"{path}:{number}: {error}", tip=tip) from error
                yield replace(row, id=row.id or number)


def judge(claim: str, passages: Sequence[str], language: str = "en") -> Judgement:
    """Judge one claim by plain texts.

    Args:
        claim: plain text.
        passages: the text of each cited passage.
        language: code of the language of all of them.
    """
    section = Section(Page("", "", "", language), "", "", 0, ())
    evidence = []
    for number, text in enumerate(passages):
        passage = Passage(
            id=str(number),
            section=section,
            kind=PassageKind.PARAGRAPH,
            text=text,
            type=SourceType.PAGE,
            hash=digest(text),
            sentences=tuple(sentences(text, language)),
        )
        evidence.append(Evidence(passage, ""))
    return assess(Case(Claim(claim, ()), tuple(evidence), locale=language))


def evaluate(rows: Iterable[Row], judge: Callable[[str, Sequence[str]], Judgement] = judge) -> Iterator[Prediction]:
    """Yield a prediction for each row, in order."""
    for row in rows:
        result = judge(row.claim, row.texts)
        yield Prediction(str(row.id), str(result.verdict), SCORES.get(result.verdict, 0.5))


def rates(rows: Sequence[Row], predictions: Sequence[Prediction]) -> tuple[Rate, Rate]:
    """What becomes of the rows that are labelled right, and of those that are labelled wrong."""
    pairs = list(zip(rows, predictions, strict=True))
    right, wrong = (
        _rate(name, [guess.verdict for row, guess in pairs if row.label is not None and bool(row.label) is label])
        for name, label in (("right", True), ("wrong", False))
    )
    return right, wrong


def _rate(name: str, verdicts: Sequence[str]) -> Rate:
    passed = sum(verdict == Verdict.SUPPORTED for verdict in verdicts)
    failed = sum(verdict in (Verdict.UNSUPPORTED, Verdict.CONTRADICTED) for verdict in verdicts)
    return Rate(name, len(verdicts), failed, len(verdicts) - passed - failed, passed)
