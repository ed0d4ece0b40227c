"""The reviewer that runs an entailment model on this machine: claims against what they cite, structure kept.

It decides only what its calibration lets it (`local_models.calibration`); of everything else it says how likely it
finds the claim, which orders the sitting of the person who decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import ClassVar

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.calibration import Calibration, read_calibration
from mkdocs_cited.local_models.classifier import Classifier
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.model.answer import Fault, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage, PassageKind
from mkdocs_cited.review.interface import Case, Review, Reviewer

MOST_WINDOWS = 40
"""Stretches of one evidence that are read at most: about 5,000 words."""


class Entailment(Reviewer):
    """A local entailment model."""

    id: ClassVar[str] = "entailment"
    version: ClassVar[str] = "1"
    calls_model: ClassVar[bool] = True  # a build with verdicts in its records loads none
    outranks_words: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """With the model's name; its calibration is no part, so that a machine without the model can recall."""
        return f"{self.id}-{self.version}-{Path(self.settings.local.entailment).name}"

    @cached_property
    def classifier(self) -> Classifier:
        """The model, loaded.

        Raises:
            UsageError: it is not on this machine, or the extra `[local]` is not installed.
            CitedError: its folder cannot be read.
        """
        folder = self._folder
        return Classifier(read_layout(folder), store.identity(folder), store.cache())

    @cached_property
    def _folder(self) -> Path:
        return store.find(self.settings.local.entailment)

    @cached_property
    def calibration(self) -> Calibration | None:
        """What the model may decide."""
        return read_calibration(self._folder)

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge the claims of one answer."""
        try:
            return Review(
                tuple(self._judged(case, score) for case, score in zip(cases, self.scores(cases), strict=True))
            )
        except CitedError as error:
            return Fault(error.message, error.tip)

    def scores(self, cases: Sequence[Case]) -> list[float]:
        """How likely each case's evidence supports its claim, 0…1: the best of its windows."""
        pairs: list[tuple[str, str]] = []
        owner: list[int] = []
        for at, case in enumerate(cases):
            for window in windows(case, self.classifier):
                pairs.append((window, case.claim.text))
                owner.append(at)
        best = [0.0] * len(cases)
        for at, score in zip(owner, self.classifier.scores(pairs), strict=True):
            best[at] = max(best[at], score)
        return best

    def _judged(self, case: Case, score: float) -> Judgement:
        if not case.evidence:
            return Judgement(Verdict.UNSUPPORTED, 0.0, "the claim cites no passage", self.key)
        powers, said = self.calibration, f"{self._folder.name} finds it {score:.0%} likely that the passage says this"
        if powers and powers.confirms is not None and score >= powers.confirms:
            return Judgement(Verdict.SUPPORTED, score, said, self.key)
        if powers and powers.fails is not None and score <= powers.fails:
            return Judgement(Verdict.UNSUPPORTED, score, said, self.key)
        return Judgement(Verdict.UNCHECKED, score, said, self.key)


def windows(case: Case, model: Classifier) -> Iterator[str]:
    """The evidence of a case as the model is given it: all of it where that fits, else passage by passage, and long
    passages in stretches that overlap."""
    parts = [(item.heading, *_lines(item.passage)) for item in case.evidence]
    return _windows(parts, model.room(case.claim.text), model)


def stretches_of_text(evidence: Sequence[str], claim: str, model: Classifier) -> Iterator[str]:
    """The same for texts that come without structure: the evidence of labelled claims."""
    parts = [("", *(text[start:end] for start, end in sentences(text))) for text in evidence]
    return _windows(parts, model.room(claim), model)


def _windows(parts: Sequence[tuple[str, ...]], room: int, model: Classifier) -> Iterator[str]:
    """Texts of at most `room` tokens that hold every line of each part under the part's first line, its heading."""
    whole = "\n".join(filter(None, (line for part in parts for line in part)))
    if model.count(whole) <= room:
        yield whole
        return
    made = (window for heading, *lines in parts for window in _stretches(heading, lines, room, model))
    yield from islice(made, MOST_WINDOWS)


def _stretches(heading: str, lines: Sequence[str], room: int, model: Classifier) -> Iterator[str]:
    """Lines in stretches; the last line of one opens the next."""
    stretch: list[str] = []
    for line in lines:
        if stretch and model.count("\n".join((heading, *stretch, line))) > room:
            yield "\n".join((heading, *stretch))
            stretch = stretch[-1:]
        stretch.append(line)
    yield "\n".join((heading, *stretch))


def _lines(passage: Passage) -> tuple[str, ...]:
    """A passage with the structure that gives it sense: a row's cells under their headings, code line by line."""
    if passage.header and len(passage.header) == len(passage.cells):
        cells = zip(passage.header, passage.cells, strict=True)
        return ("; ".join(f"{name}: {cell}" for name, cell in cells if cell),)
    if passage.kind is PassageKind.CODE:
        return tuple(passage.text.split("\n"))
    return passage.sentence_texts() or (passage.text,)
