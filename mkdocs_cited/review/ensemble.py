"""Several reviewers, one judgement: people before a model, a model before words, and what has changed before all.

Which words of a claim a passage has is a reviewer's business; this only weighs what reviewers said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import MODEL, PERSON, WRITER, AnswerCheck, Change, Fault, Judgement, Spend, Verdict
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
        return (self.offline, self.model) if self.model else (self.offline,)

    @property
    def name(self) -> str:
        """Who reviewed, for the page."""
        return self.model.id if self.model else self.offline.id

    def judge(self, cases: Sequence[Case], recall: Recall, corpus: Corpus) -> Opinions:
        """One opinion a case."""
        offline = self.offline.review(cases, corpus)
        if isinstance(offline, Fault):
            unread = Opinion(Judgement(Verdict.UNCHECKED, reason=offline.reason))
            return Opinions((unread,) * len(cases), incomplete=offline)
        words = []
        for case, judgement in zip(cases, offline.judgements, strict=True):
            said = judged_by_value(case) or judgement
            words.append(replace(said, reviewer=said.reviewer or self.offline.key))
        people = [recall(case, PERSON) for case in cases]
        models = [recall(case, MODEL) for case in cases]
        open_cases = []
        asked: set[object] = set()
        for case, word, person, model in zip(cases, words, people, models, strict=True):
            if self.model and not _holds(person) and not _holds(model) and not _certain(case, word):
                doubts = (word.reason,) if word.verdict is Verdict.CONTRADICTED else ()
                open_cases.append(replace(case, doubts=doubts))
                asked.add(case.claim)
        review = self._read(open_cases, corpus)
        opinions = []
        for case, word, person, model in zip(cases, words, people, models, strict=True):
            fresh = review.fresh.get(case.claim)
            missing = case.claim in asked and fresh is None
            read = Recalled(fresh) if fresh else model
            if person is None and read is None and word.verdict is not Verdict.SUPPORTED:
                written = recall(case, WRITER)
                if written and written.change:
                    opinions.append(Opinion(_changed(written.change, word), change=written.change))
                    continue
            opinions.append(_opinion(case, word, person, read, unread=missing))
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
            fresh[case.claim] = replace(judgement, reviewer=judgement.reviewer or self.model.key)
        return _Reading(fresh, spend=review.spend, conflicts=review.conflicts, check=review.check)


class _Reading(Struct, frozen=True):
    """What a model said in this run."""

    fresh: dict[object, Judgement] = {}
    """Claim → what it said."""
    fault: Fault | None = None
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    check: AnswerCheck | None = None


def _holds(recalled: Recalled | None) -> bool:
    return recalled is not None and recalled.change is None


def _certain(case: Case, word: Judgement) -> bool:
    """Whether the value of a file decides, so that no model is asked."""
    return word.verdict is not Verdict.UNCHECKED and any(item.passage.value for item in case.evidence)


def _opinion(case: Case, word: Judgement, person: Recalled | None, model: Recalled | None, *, unread: bool) -> Opinion:
    """Weigh what is said of one case: a person's decision that holds, else the value of a file where nobody decided,
    else a model's decision that holds, else what has changed since a decision, else words."""
    said = tuple(each.judgement for each in (model, person) if each is not None and each.change is None)
    if person and _holds(person):
        return Opinion(person.judgement, said)
    if _certain(case, word) and not (person or model):
        return Opinion(word, said)
    if model and _holds(model) and not (person and _refused(person)):
        return Opinion(model.judgement, said)
    lapsed = person or model
    if lapsed and lapsed.change:
        change = lapsed.change
        if word.verdict is Verdict.SUPPORTED and not _refused(lapsed):
            return Opinion(word, said)
        return Opinion(_changed(change, word), said, change=change)
    return Opinion(word, said, unread=unread)


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
    return Judgement(Verdict.UNCHECKED, reviewer=word.reviewer, evidence_quote=change.now, proof="changed-evidence")


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
    may_read = may_call and second.check() is None
    return Ensemble(offline, second, may_read or not second.calls_model)
