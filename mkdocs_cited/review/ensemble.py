"""Several reviewers, one judgement: people before a model, a model before words, and what has changed before all; and
whether the docs say what a text says, each of its claims next to the passages that are nearest to it.

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
from mkdocs_cited.review.values import judged_by_value

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


import re

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import ANYBODYS, parts
from mkdocs_cited.model.answer import (
    Claim,
    Evidence,
)
from mkdocs_cited.model.source import Scope

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

    @property
    def reviewers(self) -> tuple[Reviewer, ...]:
        """Every reviewer."""
        if self.model:
            return (self.offline, self.model)
        return (self.offline,)

    @property
    def name(self) -> str:
        """Who reviewed, for the page."""
        return self.reviewers[-1].id

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
        for case, word, past in zip(cases, words, known, strict=True):
            heard.append(_Heard(case, judged_by_value(case) or word, past))
        if self.model is None:
            return Opinions(tuple(map(_weighed, heard)))
        asked = [item for item in heard if item.is_open]
        review: Review | Fault = Review(())
        if asked and self.may_call:
            sent = [item.case_for_model for item in asked]
            review = self.model.review(sent, corpus)
        if isinstance(review, Fault):
            unread = tuple(map(_weighed, heard))
            return Opinions(unread, True, incomplete=review, spend=review.spend)
        return _opinions(heard, asked, review, self.model.key)


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


def _opinions(
    heard: Sequence[_Heard], asked: Sequence[_Heard], review: Review, model: str
) -> Opinions:
    """The opinions on all claims of an answer, after a model has read those that it was asked about.

    Args:
        heard: what was said of each claim before.
        asked: those of them that a model should read.
        review: what it says of them; empty where it may not be asked.
        model: its key, unless it has said by which one it judged.
    """
    fresh: dict[object, Recalled] = {}
    for item, said in zip(asked, review.judgements, strict=False):
        judgement = replace(said, reviewer=said.reviewer or model)
        decision = decided(item.case.claim, item.case.evidence, judgement)
        fresh[item.case.claim] = Recalled(judgement, decision)
    claims = []
    for item in heard:
        latest = fresh.get(item.case.claim, item.past.model)
        past = replace(item.past, model=latest)
        claims.append(_weighed(replace(item, past=past)))
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


def _weighed(heard: _Heard) -> ReviewedClaim:
    """Weigh what is said of one claim: a person's decision that holds, else a certain value, else a model's that holds,
    else what has changed since a decision, or since a text was written, else words."""
    word = heard.word
    person = heard.past.person
    model = heard.past.model
    said = [item.decision for item in (model, person) if item and not item.change]
    reviewed = ReviewedClaim(heard.case.claim, heard.case.evidence, word, tuple(said))
    if not heard.case.evidence:
        return replace(reviewed, judgement=_UNCITED)
    if person and not person.change:
        return replace(reviewed, judgement=person.judgement)
    if heard.is_certain and not (person or model):
        return reviewed
    is_refused = person is not None and person.is_refusal
    if model and not model.change and not is_refused:
        return replace(reviewed, judgement=model.judgement)
    lapsed = person or model
    change = heard.past.rewritten
    was_refused = False
    if lapsed:
        change = lapsed.change
        was_refused = lapsed.is_refusal
    if change and (was_refused or word.verdict is not Verdict.SUPPORTED):
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
        return Ensemble(offline, kind(settings, None), may_call=True)
    model = kind(settings, access())
    may_read = may_call and model.check() is None
    return Ensemble(offline, model, may_read)


NEAREST = 5
"""Passages that each claim is read with."""
FAR = 0.5
"""Share of the least relevance from which a passage is read when none is near."""
_CITATION = re.compile(rf"[ \t]?{ANYBODYS}")
_FOOTNOTE = re.compile(
    r"^\[\^?[^\[\]\s]{1,100}\]:.*\n?(?:(?: {4}|\t).*\n?)*", re.MULTILINE
)
_NOTHING = Judgement(Verdict.UNCHECKED, reason="no passage of the docs is near to it")


def verify(
    text: str, corpus: Corpus, reviewer: Reviewer, *, locale: str, least: float
) -> tuple[ReviewedClaim, ...]:
    """Every claim of a Markdown text with the passages that decide it; without evidence where none is near.

    Args:
        text: what is verified.
        corpus: the site's passages.
        reviewer: who reads each claim with the passages that are near to it.
        locale: language of the text, and of the pages that it is held against.
        least: relevance 0…1 below which a passage is not near.
    """
    claims = []
    cases = []
    for claim in split(uncited(text), locale):
        near = _near(claim, corpus, locale, least)
        claims.append(ReviewedClaim(claim, near, _NOTHING))
        if near:
            cases.append(Case(claim, near, locale=locale))
    outcome = reviewer.review(cases, corpus) if cases else Review(())
    if isinstance(outcome, Fault):
        unread = Judgement(Verdict.UNCHECKED, reason=outcome.reason)
        outcome = Review((unread,) * len(cases))
    judgements = iter(outcome.judgements)
    return tuple(
        _decided(item, next(judgements)) if item.evidence else item for item in claims
    )


def _decided(item: ReviewedClaim, judgement: Judgement) -> ReviewedClaim:
    """A claim with its judgement, and with the passages whose words decided it, where that is known."""
    words = judgement.evidence_quote
    deciding = []
    for evidence in item.evidence:
        if words and words in evidence.passage.text:
            deciding.append(evidence)
    return replace(item, evidence=tuple(deciding) or item.evidence, judgement=judgement)


def _near(
    claim: Claim, corpus: Corpus, locale: str, least: float
) -> tuple[Evidence, ...]:
    """The passages that are nearest to a claim."""
    hits = []
    for hit in corpus.search(claim.text, scope=Scope(locale=locale), limit=NEAREST):
        if not hit.passage.is_private and hit.relevance >= least * FAR:
            hits.append(hit)
    # A changed figure is a word that the docs lack, which alone makes a passage irrelevant to the claim.
    near = [hit for hit in hits if hit.relevance >= least] or hits
    return tuple(Evidence(hit.passage, hit.passage.text) for hit in near)


def uncited(text: str) -> str:
    """A text without its citations and footnotes, which are no words of its claims; code stays as it is."""
    left = ""
    for piece, is_code in parts(_FOOTNOTE.sub("", text)):
        if not is_code:
            piece = _CITATION.sub("", piece)
        left += piece
    return left
