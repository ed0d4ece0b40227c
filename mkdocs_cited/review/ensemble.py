"""Several reviewers, one judgement: people before a model, a model before words, and what has changed before all.

Which words of a claim a passage has is a reviewer's business; this only weighs what reviewers said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    MODEL,
    PERSON,
    WRITER,
    AnswerCheck,
    Change,
    Fault,
    Judgement,
    Spend,
    Verdict,
)
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import BOTH, FAMILY, OFFLINE
from mkdocs_cited.review.interface import Case, Reviewer
from mkdocs_cited.review.values import judged_by_value

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


class Recalled(Struct, frozen=True):
    """A stored decision, and what has changed of the words that it depends on; that is `None` while it holds."""

    judgement: Judgement
    change: Change | None = None


Recall = Callable[[Case, str], Recalled | None]
"""A stored decision of this case: a person's under `person`, a model's under `model`, and under `writer` that the words
which the recorded text quotes for it have changed."""


class Opinion(Struct, frozen=True):
    """What is said of one case."""

    judgement: Judgement
    said: tuple[Judgement, ...] = ()
    """What a model and a person say of it, for the record."""
    change: Change | None = None
    """What has changed since it was decided, where no decision holds."""
    unread: bool = False
    """Whether a model should have read it and may not in this run."""


class Opinions(Struct, frozen=True):
    """What the ensemble says of one answer's cases, in order."""

    cases: tuple[Opinion, ...]
    incomplete: Fault | None = None
    """Why a reviewer could not finish."""
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    check: AnswerCheck | None = None
    """What a model that was asked in this run says of the whole answer."""

    @property
    def unread(self) -> int:
        """How many cases a model should have read."""
        return sum(case.unread for case in self.cases)


class Ensemble(Struct, frozen=True):
    """The reviewers of one run."""

    offline: Reviewer
    """Reads every claim on every build."""
    model: Reviewer | None = None
    """Reads a claim once; its verdicts are stored."""
    may_call: bool = False
    """Whether this run may ask the model."""

    @property
    def reviewers(self) -> tuple[Reviewer, ...]:
        """Every reviewer."""
        if self.model:
            return (self.offline, self.model)
        return (self.offline,)

    @property
    def name(self) -> str:
        """Who reviewed, for the page."""
        if self.model:
            return self.model.id
        return self.offline.id

    def judge(self, cases: Sequence[Case], recall: Recall, corpus: Corpus) -> Opinions:
        """One opinion a case."""
        offline = self.offline.review(cases, corpus)
        if isinstance(offline, Fault):
            unread = Opinion(Judgement(Verdict.UNCHECKED, reason=offline.reason))
            return Opinions((unread,) * len(cases), incomplete=offline)
        heard = []
        for case, judgement in zip(cases, offline.judgements, strict=True):
            said = judged_by_value(case) or judgement
            word = replace(said, reviewer=said.reviewer or self.offline.key)
            heard.append(_Heard(case, word, recall(case, PERSON), recall(case, MODEL)))
        asked = [item.case_for_model for item in heard if self.model and item.is_open]
        review = self._read(asked, corpus)
        opinions = []
        for item in heard:
            fresh = review.fresh.get(item.case.claim)
            is_unread = self.model is not None and item.is_open and fresh is None
            if fresh:
                item = replace(item, model=Recalled(fresh))
            opinions.append(_opinion(item, recall, unread=is_unread))
        return Opinions(
            tuple(opinions),
            incomplete=review.fault,
            spend=review.spend,
            conflicts=(*offline.conflicts, *review.conflicts),
            check=review.check,
        )

    def _read(self, cases: Sequence[Case], corpus: Corpus) -> _Reading:
        """What the model says of cases, where this run may ask it."""
        if not (cases and self.model and self.may_call):
            return _Reading()
        review = self.model.review(cases, corpus)
        if isinstance(review, Fault):
            return _Reading(fault=review, spend=review.spend)
        fresh: dict[object, Judgement] = {}
        for case, judgement in zip(cases, review.judgements, strict=True):
            fresh[case.claim] = replace(
                judgement, reviewer=judgement.reviewer or self.model.key
            )
        return _Reading(
            fresh, spend=review.spend, conflicts=review.conflicts, check=review.check
        )


class _Reading(Struct, frozen=True):
    """What a model said in this run."""

    fresh: dict[object, Judgement] = {}
    """Claim → what it said."""
    fault: Fault | None = None
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    check: AnswerCheck | None = None


class _Heard(Struct, frozen=True):
    """What words, a person and a model say of one case."""

    case: Case
    word: Judgement
    person: Recalled | None
    model: Recalled | None

    @property
    def is_certain(self) -> bool:
        """True if the value of a file decides, so that no model is asked."""
        has_value = any(item.passage.value for item in self.case.evidence)
        return has_value and self.word.verdict is not Verdict.UNCHECKED

    @property
    def is_open(self) -> bool:
        """True if a model should read it: nobody's decision holds, and no value decides."""
        return not (_holds(self.person) or _holds(self.model) or self.is_certain)

    @property
    def case_for_model(self) -> Case:
        """The case, with what words see in it."""
        doubts = (
            (self.word.reason,) if self.word.verdict is Verdict.CONTRADICTED else ()
        )
        return replace(self.case, doubts=doubts)


def _holds(recalled: Recalled | None) -> bool:
    return recalled is not None and recalled.change is None


def _opinion(heard: _Heard, recall: Recall, *, unread: bool) -> Opinion:
    """Weigh what is said of one case: a person's decision that holds, else a certain value, else a model's that holds,
    else what has changed since a decision, or since a text was written, else words."""
    word, person, model = heard.word, heard.person, heard.model
    said = tuple(
        each.judgement
        for each in (model, person)
        if each is not None and each.change is None
    )
    if person and _holds(person):
        return Opinion(person.judgement, said)
    if heard.is_certain and not (person or model):
        return Opinion(word, said)
    if model and _holds(model) and not (person and _refused(person)):
        return Opinion(model.judgement, said)
    supported = word.verdict is Verdict.SUPPORTED
    lapsed = person or model
    if lapsed is None and not supported:
        lapsed = recall(heard.case, WRITER)
    if lapsed and lapsed.change and not (supported and not _refused(lapsed)):
        return Opinion(_changed(lapsed.change, word), said, change=lapsed.change)
    return Opinion(word, said, unread=unread and lapsed is None)


def _refused(recalled: Recalled) -> bool:
    return recalled.judgement.verdict is not Verdict.SUPPORTED


def _changed(change: Change, word: Judgement) -> Judgement:
    """The judgement of a claim whose decision lapsed: wrong where a value that it states has gone, else open."""
    if change.values and change.verdict is Verdict.SUPPORTED:
        told = []
        for was, now in change.values:
            told.append(f"it was “{was}”, it is “{now}”" if now else f"“{was}” is gone")
        return Judgement(
            Verdict.CONTRADICTED,
            reason="; ".join(told),
            reviewer=word.reviewer,
            evidence_quote=change.now,
            proof="outdated-claim",
        )
    return Judgement(
        Verdict.UNCHECKED,
        reviewer=word.reviewer,
        evidence_quote=change.now,
        proof="changed-evidence",
    )


def ensemble(
    settings: Settings, access: Callable[[], Client], *, may_call: bool
) -> Ensemble:
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
    may_read = may_call and second.check() is None
    return Ensemble(offline, second, may_read or not second.calls_model)
