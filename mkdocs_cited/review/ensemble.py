"""Several reviewers, one judgement: people before a model, a model before words, and what has changed before all.

Which words of a claim a passage has is a reviewer's business; this only weighs what reviewers said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.model.answer import (
    AnswerCheck,
    Change,
    Claim,
    Fault,
    Judgement,
    Known,
    Recalled,
    ReviewedClaim,
    Spend,
    Verdict,
)
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import FAMILY, OFFLINE
from mkdocs_cited.review.decisions import decided
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.lexical import Lexical

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


_UNCITED = Judgement(Verdict.UNCHECKED, reason="it cites nothing")


class Opinions(Struct, frozen=True):
    """What the ensemble says of one answer."""

    claims: tuple[ReviewedClaim, ...]
    """One for each case, in order."""
    unread: bool = False
    """Whether a model should have read one of them and may not in this run."""
    incomplete: Fault | None = None
    """Why a reviewer could not finish."""
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    check: AnswerCheck | None = None
    """What a model that was asked in this run says of the whole answer."""


class Ensemble(Struct, frozen=True):
    """The reviewers of one run."""

    offline: Lexical
    """Reads every claim on every build."""
    model: Reviewer | None = None
    """Reads a claim once; its verdicts are stored."""
    may_call: bool = False
    """Whether this run may ask the model."""

    def judge(
        self, cases: Sequence[Case], known: Sequence[Known], corpus: Corpus
    ) -> Opinions:
        """Judge the claims of one answer.

        Args:
            cases: its claims; those without evidence are left unchecked.
            known: what the record knows of each.
            corpus: the site's passages.
        """
        words = self.offline.review(cases, corpus).judgements
        heard = []
        for each in zip(cases, words, known, strict=True):
            heard.append(_Heard(*each))
        asked: Sequence[_Heard] = ()
        review: Review | Fault = Review(())
        model = ""
        if self.model:
            model = self.model.key
            asked = [item for item in heard if item.is_open]
            if asked and self.may_call:
                sent = [item.case_for_model for item in asked]
                review = self.model.review(sent, corpus)
        if isinstance(review, Fault):
            unread = tuple(map(_weighed, heard))
            return Opinions(unread, True, incomplete=review, spend=review.spend)
        fresh: dict[Claim, Recalled] = {}
        for item, said in zip(asked, review.judgements, strict=False):
            said = replace(said, reviewer=said.reviewer or model)
            decision = decided(item.case.claim, item.case.evidence, said)
            fresh[item.case.claim] = Recalled(said, decision)
        claims = []
        for item in heard:
            claims.append(_weighed(item, fresh.get(item.case.claim)))
        check = review.check
        if check:
            check = replace(check, reviewer=check.reviewer or model)
        return Opinions(
            tuple(claims),
            unread=len(fresh) < len(asked),
            spend=review.spend,
            conflicts=review.conflicts,
            check=check,
        )


class _Heard(Struct, frozen=True):
    """What is said of one case."""

    case: Case
    word: Judgement
    """What words say."""
    past: Known
    """What a person and a model say."""

    @property
    def is_certain(self) -> bool:
        """True if the value of a file decides, so that no model is asked."""
        has_value = any(item.passage.value for item in self.case.evidence)
        return has_value and self.word.verdict is not Verdict.UNCHECKED

    @property
    def is_open(self) -> bool:
        """True if a model should read it: nobody's decision holds, and no value decides."""
        return bool(self.case.evidence) and not (self.past.holds or self.is_certain)

    @property
    def case_for_model(self) -> Case:
        """The case, with what words see in it."""
        if self.word.verdict is Verdict.CONTRADICTED:
            return replace(self.case, doubts=(self.word.reason,))
        return self.case


def _weighed(heard: _Heard, fresh: Recalled | None = None) -> ReviewedClaim:
    """Weigh what is said of one claim: a person's decision that holds, else a model's, unless a person has refused the
    claim; else what has changed since a decision, or since a text was written, where words do not prove it; else words.
    Of a claim that nobody has decided, the value of a file decides."""
    word = heard.word
    person = heard.past.person
    model = fresh or heard.past.model
    said = [item.decision for item in (model, person) if item and not item.change]
    unaided = word
    if model and not model.change:
        unaided = model.judgement
    reviewed = ReviewedClaim(
        heard.case.claim, heard.case.evidence, word, tuple(said), unaided=unaided
    )
    if not heard.case.evidence:
        return replace(reviewed, judgement=_UNCITED)
    if person and not person.change:
        return replace(reviewed, judgement=person.judgement)
    if heard.is_certain and not (person or model):
        return reviewed
    is_refused = person and person.judgement.verdict is not Verdict.SUPPORTED
    if model and not model.change and not is_refused:
        return replace(reviewed, judgement=model.judgement)
    lapsed = person or model
    change = heard.past.rewritten
    if lapsed:
        change = lapsed.change
    if change and {change.verdict, word.verdict} != {Verdict.SUPPORTED}:
        return replace(reviewed, judgement=_changed(change, word), change=change)
    return reviewed


def _changed(change: Change, word: Judgement) -> Judgement:
    """The judgement of a claim whose decision lapsed: wrong where a value that it states has gone, else open."""
    changed = Judgement(
        Verdict.UNCHECKED,
        reviewer=word.reviewer,
        evidence_quote=change.now,
        proof="changed-evidence",
    )
    if not change.values or change.verdict is not Verdict.SUPPORTED:
        return changed
    told = []
    for was, now in change.values:
        if now:
            told.append(f"it was “{was}”, it is “{now}”")
        else:
            told.append(f"“{was}” is gone")
    return replace(
        changed,
        verdict=Verdict.CONTRADICTED,
        reason="; ".join(told),
        proof="outdated-claim",
    )


def ensemble(
    settings: Settings, access: Callable[[], Client], *, may_call: bool
) -> Ensemble:
    """The reviewers that the option `reviewer` names; words are always compared.

    Args:
        settings: the options.
        access: the way to models, asked for where a reviewer calls one.
        may_call: whether this run may ask the model.

    Raises:
        UsageError: there is no such reviewer.
    """
    offline = Lexical(settings)
    if settings.reviewer == OFFLINE:
        return Ensemble(offline)
    kind = FAMILY.get(settings.reviewer)
    if not kind.calls_model:
        return Ensemble(offline, kind(settings), may_call=True)
    model = kind(settings, access())
    may_read = may_call and model.check() is None
    return Ensemble(offline, model, may_read)
