"""What of a claim its passage does not say, piece by piece: every question, asked in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mkdocs_cited.review.alignment import Alignment
from mkdocs_cited.review.questions import denial, facts, logic, order, placing, wording
from mkdocs_cited.review.questions.piece import Disagreement

__all__ = ["BLOCKING", "HARD", "KINDS", "Disagreement", "disagreements"]

_QUESTIONS: tuple[Callable[[Alignment], Iterator[Disagreement]], ...] = (
    facts.figures,
    facts.missing_words,
    wording.replaced,
    denial.negations,
    denial.denied_subjects,
    denial.opposites,
    placing.misplaced,
    placing.columns,
    logic.scopes,
    logic.quantifiers,
    facts.bounds,
    logic.modality,
    logic.causes,
    logic.conditions,
    order.order,
    placing.attachments,
    placing.exchanged,
    wording.clauses,
    wording.speaker,
    facts.dropped_figures,
)
KINDS = (
    "figure-differs",
    "figure-missing",
    "figure-elsewhere",
    "figure-derived",
    "identifier",
    "code",
    "name",
    "replaced",
    "replaced-alike",
    "replaced-one",
    "displaced",
    "replaced-edge",
    "inserted",
    "inserted-known",
    "negation",
    "denied",
    "opposite",
    "universal",
    "universal-moved",
    "only-added",
    "only-dropped",
    "partial-dropped",
    "exception-dropped",
    "bound",
    "modality-raised",
    "modality-lowered",
    "obligation-added",
    "advice-added",
    "permission-added",
    "cause",
    "condition",
    "order",
    "attachment",
    "misplaced",
    "column",
    "scope",
    "exchanged",
    "clause",
    "reader",
    "speaker",
    "asks",
    "bound-dropped",
)
HARD = frozenset(
    (
        *("code", "figure-differs", "figure-missing", "opposite", "denied", "order", "cause"),
        *("misplaced", "exchanged", "column", "replaced-one"),
    )
)
"""Kinds that are seldom mere rewording: a sure fail has at least one."""
BLOCKING = HARD | frozenset(
    (
        *("clause", "name", "identifier", "figure-elsewhere", "negation", "replaced-alike", "speaker", "asks"),
        *("universal", "universal-moved", "only-added", "only-dropped", "condition", "exception-dropped"),
        *("bound", "bound-dropped", "modality-raised", "modality-lowered", "obligation-added"),
    )
)
"""Kinds that a sure pass has none of."""


def disagreements(alignment: Alignment) -> tuple[Disagreement, ...]:
    """Return every piece that disagrees, in the order of the questions."""
    return tuple(piece for question in _QUESTIONS for piece in question(alignment))
