"""What of a claim its passage does not say, piece by piece: every question, asked in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mkdocs_cited.review.lexical.alignment import Alignment
from mkdocs_cited.review.lexical.detectors import (
    columns,
    conditions,
    denial,
    facts,
    logic,
    lone_denial,
    modality,
    order,
    placing,
    wording,
)
from mkdocs_cited.review.lexical.detectors.mismatch import Disagreement

__all__ = ["BLOCKING", "CONTRADICTING", "HARD", "KINDS", "Disagreement", "disagreements"]

_QUESTIONS: tuple[Callable[[Alignment], Iterator[Disagreement]], ...] = (
    facts.figures,
    facts.missing_words,
    wording.replaced,
    denial.negations,
    lone_denial.sole_denials,
    lone_denial.slots,
    denial.denied_subjects,
    denial.opposites,
    placing.misplaced,
    placing.values,
    columns.columns,
    conditions.scopes,
    logic.quantifiers,
    logic.widenings,
    logic.restrictions,
    facts.bounds,
    modality.modality,
    modality.modal_changes,
    logic.causes,
    conditions.conditions,
    conditions.lost_conditions,
    order.order,
    order.firsts,
    order.crossed,
    placing.attachments,
    placing.exchanged,
    wording.clauses,
    wording.strangers,
    wording.tails,
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
    "replaced-name",
    "displaced",
    "displaced-one",
    "replaced-edge",
    "inserted",
    "inserted-known",
    "negation",
    "denial-added",
    "denial-dropped",
    "denied",
    "opposite",
    "universal",
    "universal-moved",
    "widened",
    "only-added",
    "only-against-all",
    "only-lost",
    "only-dropped",
    "partial-dropped",
    "exception-dropped",
    "bound",
    "modality-raised",
    "modality-lowered",
    "modality-changed",
    "obligation-added",
    "advice-added",
    "permission-added",
    "cause",
    "condition",
    "condition-lost",
    "order",
    "crossed",
    "attachment",
    "misplaced",
    "value-differs",
    "column",
    "scope",
    "exchanged",
    "stranger",
    "tail",
    "clause",
    "reader",
    "speaker",
    "asks",
    "bound-dropped",
)
HARD = frozenset(
    (
        *("code", "figure-differs", "figure-missing", "opposite", "denied", "order", "cause"),
        *("misplaced", "exchanged", "column", "replaced-one", "crossed", "denial-added", "denial-dropped"),
        *("value-differs", "replaced-name"),
    )
)
"""Kinds that are seldom mere rewording: a sure fail has at least one."""
BLOCKING = HARD | frozenset(
    (
        *("clause", "name", "identifier", "figure-elsewhere", "negation", "replaced-alike", "speaker", "asks"),
        *("universal", "universal-moved", "only-added", "only-dropped", "condition", "exception-dropped"),
        *("only-against-all", "only-lost", "condition-lost", "displaced-one", "stranger", "tail"),
        *("bound", "bound-dropped", "modality-raised", "modality-lowered", "modality-changed", "obligation-added"),
    )
)
"""Kinds that a sure pass has none of."""
CONTRADICTING = frozenset(
    {
        "figure-differs",
        "value-differs",
        "negation",
        "denial-added",
        "denial-dropped",
        "opposite",
        "bound",
        "order",
        "exchanged",
        "crossed",
        "modality-raised",
        "modality-lowered",
        "modality-changed",
        "only-against-all",
        "replaced",
        "replaced-edge",
        "displaced",
        "displaced-one",
        "attachment",
        "misplaced",
        "column",
        "denied",
        "replaced-one",
        "replaced-alike",
        "replaced-name",
    }
)
"""Kinds by which a passage says something else, rather than nothing of it."""


def disagreements(alignment: Alignment) -> tuple[Disagreement, ...]:
    """Return every piece that disagrees, in the order of the questions."""
    return tuple(piece for question in _QUESTIONS for piece in question(alignment))
