"""`altered-number`: a figure of the claim does not stand in its passage."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.passages import related
from mkdocs_cited.review.quantities import Quantity, derives, equal, quantities
from mkdocs_cited.text import language_of


class AlteredNumber(Rule):
    """Each figure of a claim stands in a passage that it cites, in that form or an equal one: 0.5 s is 500 ms.

    A figure that follows from two others of the passages by one sum or product is left to the reviewer, and so are
    counts in words (`three ways`): those are no copies.
    """

    slug = "altered-number"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence:
                continue
            language = language_of(evidence[0].passage.page.locale)
            stated = [q for item in evidence for q in quantities(item.passage.text, language)]
            around = [q for item in evidence for q in quantities(item.heading, language)]
            for figure in _lost(claim.text, language, stated, around):
                rival = _nearest(figure, stated)
                message = f"the claim says “{figure.text}”, its passage does not"
                if rival:
                    message = f"the claim says “{figure.text}”, its passage says “{rival.text}”"
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    message,
                    tip="write the figure as the passage has it, or cite the passage that has it",
                    answer=audit.declaration.key,
                    claim=claim.text,
                    marks=((figure.start, figure.end),),
                    related=tuple(related("the cited passage", item.passage) for item in evidence),
                )


def _lost(text: str, language: str, stated: list[Quantity], around: list[Quantity]) -> Iterator[Quantity]:
    """Yield the figures of a claim that no passage states and that do not follow from what is stated."""
    own = quantities(text, language)
    for figure in own:
        if (figure.spelled and not figure.dimension) or figure.per:
            continue
        if any(equal(figure, other) for other in (*stated, *around)):
            continue
        if any(other is not figure and equal(figure, other) for other in own):
            continue
        if derives(figure, stated) or any(_follows(figure, other, stated) for other in own if other is not figure):
            continue
        yield figure


def _follows(figure: Quantity, other: Quantity, stated: list[Quantity]) -> bool:
    """Tell whether one figure is the other one times a stated one: an example worked out."""
    return any(
        " x " in sums or " of " in sums
        for known in stated
        for sums in (derives(figure, (other, known)), derives(other, (figure, known)))
    )


def _nearest(figure: Quantity, stated: list[Quantity]) -> Quantity | None:
    """Return the stated figure that it was most likely made from: same dimension, closest in size."""
    alike = [other for other in stated if other.dimension == figure.dimension]
    return min(alike, key=lambda other: abs(other.base - figure.base), default=None)
