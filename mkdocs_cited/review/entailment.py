"""The reviewer that runs an entailment model on this machine: each claim against the place of what it cites that lies
nearest to it in words, under its headings.

It decides only what its calibration lets it (`local_models.calibration`); of everything else it says how likely it
finds the claim, which orders the sitting of the person who decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.calibration import Calibration, read_calibration
from mkdocs_cited.local_models.classifier import Classifier
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.model.answer import Evidence, Fault, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Section
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.lexical.evidence import CitedTexts, Place, of_evidence, of_plain
from mkdocs_cited.review.lexical.parsed import ParsedText, parse

SIGNS_A_TOKEN = 3
"""Characters that a model's token stands for at least, in most texts: what is longer is cut by the model itself."""


class Entailment(Reviewer):
    """A local entailment model."""

    id: ClassVar[str] = "entailment"
    version: ClassVar[str] = "2"
    calls_model: ClassVar[bool] = True  # a build with verdicts in its records loads none
    outranks_words: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """With the model's name; its calibration is no part, so that a machine without the model can recall."""
        return f"{self.id}-{self.version}-{Path(self.settings.local.entailment).name}"

    @cached_property
    def classifier(self) -> Classifier:
        """The model; it is loaded when a claim comes whose score is not known.

        Raises:
            UsageError: it is not on this machine.
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
            pairs = [pair_of(case, self.classifier) for case in cases]
            scores = iter(self.classifier.scores([pair for pair in pairs if pair]))
            return Review(
                tuple(
                    self._judged(next(scores)) if pair else self._unread(case)
                    for case, pair in zip(cases, pairs, strict=True)
                )
            )
        except CitedError as error:
            return Fault(error.message, error.tip)

    def _unread(self, case: Case) -> Judgement:
        if not case.evidence:
            return Judgement(Verdict.UNSUPPORTED, 0.0, "the claim cites no passage", self.key)
        return Judgement(Verdict.UNCHECKED, 0.0, f"the claim is longer than {self._folder.name} reads", self.key)

    def _judged(self, score: float) -> Judgement:
        powers, said = self.calibration, f"{self._folder.name} finds it {score:.0%} likely that the passage says this"
        if powers and powers.confirms is not None and score >= powers.confirms:
            return Judgement(Verdict.SUPPORTED, score, said, self.key)
        if powers and powers.fails is not None and score <= powers.fails:
            return Judgement(Verdict.UNSUPPORTED, score, said, self.key)
        return Judgement(Verdict.UNCHECKED, score, said, self.key)


def pair_of(case: Case, model: Classifier) -> tuple[str, str] | None:
    """What the model is given of a case, and the claim: of each section that is cited, the nearest place. Nothing where
    no passage is cited, or the claim leaves no room for one.

    One place a section, and not all that is cited: the more a small model reads, the more of it seems to support a
    claim that is wrong by one word (`benchmarks.authored`).
    """
    language = language_of(case.locale)
    texts = [of_evidence(part, language) for part in _sections(case.evidence)]
    return _pair(case.claim.text, texts, language, model)


def pair_of_texts(claim: str, evidence: Sequence[str], model: Classifier) -> tuple[str, str] | None:
    """The same for texts that come without structure: a labelled claim with its evidence."""
    return _pair(claim, [of_plain(evidence, (), "en")], "en", model)


def _pair(claim: str, cited: Sequence[CitedTexts], language: str, model: Classifier) -> tuple[str, str] | None:
    most, cited = model.layout.most_tokens, [texts for texts in cited if texts.texts]
    if not cited or len(claim) > most * SIGNS_A_TOKEN * 2 // 3:
        return None
    said, room = parse(claim, language), (most * SIGNS_A_TOKEN - len(claim)) // len(cited)
    return "\n".join(_nearest(said, texts, room) for texts in cited), claim


def _sections(evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """The evidence by the sections that are cited; what is read with them, by page."""
    parts: dict[Section, list[Evidence]] = {}
    for item in evidence:
        section = item.passage.section
        if not item.shown and section not in parts:
            section = next((known for known in parts if known.page.src == section.page.src), section)
        parts.setdefault(section, []).append(item)
    return list(parts.values())


def _nearest(claim: ParsedText, cited: CitedTexts, room: int) -> str:
    """The place that shares most with a claim, under its headings, in about `room` characters."""
    place, first = next(iter(cited.places(claim)), None), cited.texts[0]
    above, body = (place.source.context, _read(place)) if place else (first.context, first.text)
    above = above if 2 * len(above) <= room else ""
    if len(body) > room - len(above):

        def shared(lines: str) -> int:
            return len(claim.key_set & parse(lines, claim.language).key_set)

        body = max(_stretches(body.split("\n"), room - len(above)), key=shared)
    return "\n".join(filter(None, (above, body)))


def _stretches(lines: Sequence[str], room: int) -> Iterator[str]:
    """Lines in stretches of about `room` characters; the last line of one opens the next."""
    stretch: list[str] = []
    for line in lines:
        if stretch and len("\n".join((*stretch, line))) > room:
            yield "\n".join(stretch)
            stretch = stretch[-1:]
        stretch.append(line)
    yield "\n".join(stretch)


def _read(place: Place) -> str:
    """A place with the structure that gives it sense: a row's cells under their headings."""
    text = place.source
    if len(text.header) != len(text.cells) or not text.cells:
        return place.body.text
    return "; ".join(f"{name}: {cell}" for name, cell in zip(text.header, text.cells, strict=True) if cell)
