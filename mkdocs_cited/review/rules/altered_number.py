"""`altered-number`: a figure of the claim does not stand in its passage, or not in that place, or bounded otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mkdocs_cited.base.languages import language_of
from mkdocs_cited.language.quantities import Quantity, Stated, counts, derives, equal, quantities, same, shown
from mkdocs_cited.language.words import tokenize
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.lexical.slots import Slots
from mkdocs_cited.review.passages import related

_TIMES = frozenset({"times", "time", "mal"})
_TIP = "write the figure as the passage has it, or cite the passage that has it"


class AlteredNumber(Rule):
    """Each figure of a claim stands in a passage that it cites, in that form or an equal one: 0.5 s is 500 ms.

    A figure that follows from others is declared: the claim shows the arithmetic (`60 days: 45 + 15`), of figures
    that the passages state. Counts in words (`three ways`) are left to the reviewer: those are no copies, unless
    another stands between the same words in the passage.
    """

    slug = "altered-number"

    def check(self, audit: Audit) -> Iterator[Finding]:
        read: dict[tuple[int, ...], _Said] = {}
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence:
                continue
            language = language_of(evidence[0].passage.page.locale)
            if claim.sids not in read:
                read[claim.sids] = _said(evidence, language)
            for figure, message, tip in _altered(claim.text, read[claim.sids], language):
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    message,
                    tip=tip,
                    answer=audit.declaration.key,
                    claim=claim.text,
                    marks=((figure.start, figure.end),),
                    related=tuple(related("the cited passage", item.passage) for item in evidence),
                )


@dataclass(frozen=True, slots=True)
class _Text:
    """A text with its figures by the word at which they start, bounds included."""

    words: Slots
    figures: dict[int, Quantity]

    def place(self, figure: Quantity) -> tuple[int, int]:
        """The first and last token of a figure with what bounds it and its `times`: three times is thrice."""
        tokens, first, last = self.words.tokens, figure.first, figure.last
        while first and tokens[first - 1].start >= figure.span[0]:
            first -= 1
        while last + 1 < len(tokens) and (
            tokens[last + 1].end <= figure.span[1] or (last == figure.last and tokens[last + 1].text.lower() in _TIMES)
        ):
            last += 1
        return first, last


@dataclass(frozen=True, slots=True)
class _Said:
    """What the cited passages state."""

    texts: tuple[_Text, ...]
    figures: Stated
    """Those of the passages."""
    around: Stated
    """Those of the headings that they stand under."""
    loose: Stated
    """Number words that seldom count (one, twice, first), and v2."""

    def states(self, figure: Quantity) -> bool:
        """Whether a passage or its heading states a figure in some form."""
        return figure in self.figures or figure in self.around


def _said(evidence: Sequence[Evidence], language: str) -> _Said:
    texts = [item.passage.text for item in evidence]
    return _Said(
        tuple(_text(text, language) for text in texts),
        Stated(figure for text in texts for figure in quantities(text, language)),
        Stated(figure for item in evidence for figure in quantities(item.heading, language)),
        Stated(figure for text in texts for figure in counts(text, language)),
    )


def _text(text: str, language: str) -> _Text:
    figures = (*quantities(text, language), *counts(text, language))
    words = Slots(tokenize(text, language))
    by_first: dict[int, Quantity] = {}
    read = _Text(words, by_first)
    for figure in figures:
        by_first[words.start(read.place(figure)[0])] = figure
    return read


def _altered(text: str, said: _Said, language: str) -> Iterator[tuple[Quantity, str, str]]:
    """Yield the figures of a claim that are not the passages', with what to say and what to do about each."""
    own, claim = quantities(text, language), _text(text, language)
    declared = shown(text, own)
    stated = Stated(figure for figure in own if said.states(figure))
    told: set[str] = set()
    for at, figure in enumerate(own):
        if at in declared or figure.text in told:
            continue
        if figure not in stated and _must_stand(figure, said):
            told.add(figure.text)
            yield _missing(figure, said)
        elif rival := _in_its_place(figure, claim, said):
            yield figure, _differs(figure, rival), _TIP
    for figure in counts(text, language):
        if rival := _in_its_place(figure, claim, said):
            yield figure, _differs(figure, rival), _TIP


def _must_stand(figure: Quantity, said: _Said) -> bool:
    """Whether a figure that no passage states can only be a copy: counts in words and `each` can be said freely."""
    if figure.per:
        return any(other.per or other.dimension == figure.dimension for other in said.figures.figures)
    return not (figure.spelled and not figure.dimension) and figure not in said.loose


def _missing(figure: Quantity, said: _Said) -> tuple[Quantity, str, str]:
    stated = said.figures.figures
    sums = derives(figure, stated)
    if sums:
        message = f"the claim says “{figure.text}”, its passage does not, and the claim shows no arithmetic for it"
        return figure, message, f"if it follows from what the passage says, show how in the claim: {sums}"
    rival = _nearest(figure, stated)
    if rival:
        return figure, _differs(figure, rival), _TIP
    return figure, f"the claim says “{figure.text}”, its passage does not", _TIP


def _differs(figure: Quantity, rival: Quantity) -> str:
    mine, theirs = (_sign(figure), _sign(rival)) if equal(figure, rival) else (figure.text, rival.text)
    return f"the claim says “{mine}”, its passage says “{theirs}”"


def _sign(figure: Quantity) -> str:
    return f"{figure.bound} {figure.text.rstrip('+')}".strip()


def _nearest(figure: Quantity, stated: Sequence[Quantity]) -> Quantity | None:
    """Return the stated figure that it was most likely made from: same dimension, closest in size."""
    alike = [other for other in stated if other.dimension == figure.dimension]
    return min(alike, key=lambda other: abs(other.base - figure.base), default=None)


def _in_its_place(figure: Quantity, claim: _Text, said: _Said) -> Quantity | None:
    """Return another figure that stands between the same words in a passage, unless this one does there as well."""
    rivals = []
    first, last = claim.place(figure)
    for text in said.texts:
        for at in claim.words.alike(first, last, text.words):
            other = text.figures.get(at)
            if other and text.words.right(text.place(other)[1]) == claim.words.right(last):
                if same(figure, other):
                    return None
                rivals.append(other)
    return rivals[0] if rivals else None
