"""Several reviewers, one judgement: the offline one, a model if the options ask for one, and people.

Which words of a claim a passage carries is a reviewer's business; this only weighs what reviewers said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import PERSON, AnswerCheck, Fault, Judgement, Spend, Verdict
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import BOTH, FAMILY, OFFLINE
from mkdocs_cited.review.interface import Case, Reviewer
from mkdocs_cited.review.values import judged_by_value

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client

Recall = Callable[[Case, str], Judgement | None]
"""A stored judgement of this case under a reviewer's key; under `person`, a person's."""
_UNREAD = Judgement(Verdict.UNCHECKED, reason="not read by the model yet")
"""Of a claim that no model may read in this run, or that a person decided on: none is asked for that."""


class Opinion(Struct, frozen=True):
    """What the ensemble says of one answer's cases, in order."""

    judgements: tuple[Judgement, ...]
    incomplete: Fault | None = None
    """Why a reviewer could not finish."""
    unread: int = 0
    """Cases that a model should have read and may not in this run."""
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    stored: tuple[tuple[Judgement, ...], ...] = ()
    """What a record holds of each: what a model and people said. How they were weighed is found again in every run."""
    check: AnswerCheck | None = None
    """What a model that was asked in this run says of the whole answer."""


class Ensemble(Struct, frozen=True):
    """The reviewers of one run."""

    offline: Reviewer
    """Reads every claim on every build, so that a forged verdict hides no plain fault."""
    model: Reviewer | None = None
    """Reads a claim once; its verdicts are stored."""
    may_call: bool = False
    """Whether this run may ask the model."""

    @property
    def reviewers(self) -> tuple[Reviewer, ...]:
        """Every reviewer."""
        return (self.offline, self.model) if self.model else (self.offline,)

    @property
    def name(self) -> str:
        """Who reviewed, for the record and the page."""
        return self.model.id if self.model else self.offline.id

    def judge(self, cases: Sequence[Case], recall: Recall, corpus: Corpus) -> Opinion:
        """One judgement a case: a person's, else a model's where one reads, else that of words.

        What words prove wrong is a doubt for a model to look at; its verdict holds.
        """
        first = self.offline.review(cases, corpus)
        if isinstance(first, Fault):
            return Opinion(tuple(Judgement(Verdict.UNCHECKED, reason=first.reason) for _ in cases), incomplete=first)
        values = [judged_by_value(case) for case in cases]
        words = tuple(
            replace(value or item, reviewer=item.reviewer or self.offline.key)
            for value, item in zip(values, first.judgements, strict=True)
        )
        asked = [
            replace(case, doubts=(item.reason,)) if item.verdict is Verdict.CONTRADICTED else case
            for case, item in zip(cases, words, strict=True)
        ]
        second = self._model_reads(asked, recall, corpus)
        people = [recall(case, PERSON) for case in cases]
        programs = tuple(
            value if value and value.verdict is not Verdict.UNCHECKED else item
            for value, item in zip(values, second.judgements or words, strict=True)
        )
        judgements = tuple(person or item for person, item in zip(people, programs, strict=True))
        if second.judgements:
            stored = tuple(
                tuple(said for said in (item, person) if said and said != _UNREAD)
                for person, item in zip(people, programs, strict=True)
            )
        else:
            stored = tuple((person or _lasting(item),) for person, item in zip(people, words, strict=True))
        return replace(second, judgements=judgements, stored=stored, conflicts=first.conflicts + second.conflicts)

    def _model_reads(self, cases: Sequence[Case], recall: Recall, corpus: Corpus) -> Opinion:
        """The model's judgements: stored ones where they are, fresh ones where they may be asked for."""
        if self.model is None:
            return Opinion(())
        known = [recall(case, self.model.key) or (_UNREAD if recall(case, PERSON) else None) for case in cases]
        open_cases = [case for case, judgement in zip(cases, known, strict=True) if judgement is None]
        if not (open_cases and self.may_call):
            return Opinion(tuple(judgement or _UNREAD for judgement in known), unread=len(open_cases))
        fresh = self.model.review(open_cases, corpus)
        if isinstance(fresh, Fault):
            unread = Judgement(Verdict.UNCHECKED, reason=fresh.reason)
            return Opinion(tuple(judgement or unread for judgement in known), incomplete=fresh, spend=fresh.spend)
        given = (replace(item, reviewer=item.reviewer or self.model.key) for item in fresh.judgements)
        judgements = tuple(next(given) if judgement is None else judgement for judgement in known)
        return Opinion(judgements, spend=fresh.spend, conflicts=fresh.conflicts, check=fresh.check)


def _lasting(offline: Judgement) -> Judgement:
    """What a record holds of the offline reviewer: it reviews again in every build, so only what a person wants to
    see in a pull request is there."""
    reason = "" if offline.verdict is Verdict.SUPPORTED else offline.reason
    return replace(offline, reason=reason, evidence_quote="", matched=(), missing=(), proof="")


def ensemble(settings: Settings, access: Callable[[], Client], *, may_call: bool) -> Ensemble:
    """The reviewers that the option `reviewer` names; the offline one is always among them.

    Args:
        settings: the options.
        access: the way to models, asked for where a reviewer calls one.
        may_call: whether this run may ask the model.

    Raises:
        UsageError: there is no such reviewer.
    """
    offline = FAMILY.get(OFFLINE)(settings)
    if settings.reviewer == OFFLINE:
        return Ensemble(offline)
    kind = FAMILY.get("anthropic" if settings.reviewer == BOTH else settings.reviewer)
    second = kind(settings, access() if kind.calls_model else None)
    return Ensemble(offline, second, may_call or not second.calls_model)
