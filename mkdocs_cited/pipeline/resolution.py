"""The way of one answer, from its declaration to what is published: read it from top to bottom.

Two tables decide: `next_step`, by what is stored and what the run may do, and `end_of`, by what was written. From there
it is short steps: select, write, examine (audit and review), correct, record. What is decided within a stage is in its
package; what is said of the want of an answer, in `shortfalls`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import renumber
from mkdocs_cited.base.errors import command
from mkdocs_cited.model.answer import (
    Abstention,
    Answer,
    Decision,
    Draft,
    Fault,
    Fit,
    Spend,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import UpdateMode
from mkdocs_cited.model.source import Corpus, Source, Via
from mkdocs_cited.pipeline import shortfalls
from mkdocs_cited.pipeline.run import Stages
from mkdocs_cited.providers.authored import Authored
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import Broken, Record, to_draft
from mkdocs_cited.records.following import freshness, locate
from mkdocs_cited.search.select import nearest, select, with_what_was_cut

MOST_CONSULTED = 8
"""Passages that an answer without a model is made from."""
MOST_CORRECTIONS = 2
MOST_QUERIES = 5
"""Other words for a question that a record holds."""
_LEAVE = "add `models: [{0}]` to the options of `cited` in mkdocs.yml, or name another provider"
_WAITS = "waits for approval"
_UNREAD = "review-incomplete"
"""Slug of the finding that a review could not finish: writing the text again mends nothing."""


class Stored(Enum):
    """What is stored of an answer."""

    NOTHING = auto()
    HOLDS = auto()
    CHANGED = auto()
    """A text of which some claims depend on words that have changed."""
    STALE = auto()
    """A text whose question has changed, or of which a cited passage is gone."""


class Step(Enum):
    """What is done about an answer."""

    WRITE = auto()
    PROPOSE = auto()
    """What waits for a person is shown, or stored where nothing keeps it from that any more."""
    KEEP = auto()
    REPORT = auto()
    """It is reported as missing or stale."""


def next_step(stored: Stored, update: UpdateMode, *, has_proposal: bool) -> Step:
    """What is done about an answer.

    Args:
        stored: what is stored of it.
        update: when a model may be asked for it.
        has_proposal: whether a text that answers today's question waits for a person.
    """
    if update == "always":
        return Step.WRITE
    if stored is Stored.HOLDS:
        return Step.KEEP
    if stored is Stored.CHANGED and update != "stale":
        return Step.KEEP
    if has_proposal:
        return Step.PROPOSE
    if update == "stale":
        return Step.WRITE
    if update == "missing" and stored is Stored.NOTHING:
        return Step.WRITE
    return Step.REPORT


class Written(Enum):
    """What became of a text that was written, or waited."""

    TEXT = auto()
    ABSTENTION = auto()
    FAILING = auto()
    """Either of them, with an error."""


class End(Enum):
    """What is done with it."""

    SHOW = auto()
    HOLD_BACK = auto()
    """It is not published, and not stored."""
    RECORD = auto()
    PROPOSE = auto()
    """It waits next to what is stored, which goes on rendering."""


def end_of(written: Written, *, has_text: bool, may_store: bool, approved: bool) -> End:
    """What is done with a text that was written.

    Args:
        written: what it is.
        has_text: whether a text is stored that it would replace.
        may_store: whether the run may store it.
        approved: whether it is published without a person's word, or has that.
    """
    if not may_store:
        return End.HOLD_BACK if written is Written.FAILING else End.SHOW
    if written is Written.FAILING:
        return End.PROPOSE
    if written is Written.ABSTENTION:
        return End.PROPOSE if has_text else End.RECORD
    return End.RECORD if approved else End.PROPOSE


class Plan(Struct, frozen=True):
    """What a run would do about one answer."""

    writer: Provider | None
    """Who would write it; nobody, where it would be left as it is."""
    reason: str
    """Why, in words."""
    reads: bool = False
    """Whether a model would read claims of the answer as it is."""


class _State(Struct, frozen=True):
    """An answer as it is stored."""

    stored: Stored
    reason: str
    """Why it would be written, or left, in words."""
    answer: Answer | None = None
    """Of a text whose passages are there: what is shown of it."""


class Resolution:
    """One declaration on its way."""

    def __init__(self, stages: Stages, declaration: Declaration) -> None:
        self.stages = stages
        self.declaration = declaration
        self.settings = stages.settings
        self.corpus = stages.corpus
        self.store = stages.store
        self.run = stages.run
        self.triage = stages.triage
        self.provider = stages.provider(declaration)

    def answer(self) -> Answer:
        """The answer, from its record or newly written; stored where the run may write."""
        record = self.store.read(self.declaration.key)
        if isinstance(record, Broken):
            return shortfalls.broken(self.declaration, record)
        has_text = record is not None and not record.textless
        if self.provider.id == AUTHORED:
            answer = self._authored(record)
        elif has_text or self.provider.calls_model:
            answer = self._stepped(record)
        else:
            answer = self._quoted(record)
        # which takes half of its memory, and which nothing shows
        consulted = [replace(source, context=()) for source in answer.consulted]
        return replace(answer, consulted=tuple(consulted))

    def asked(self) -> Answer:
        """The answer to a question that no page declares; nothing is read from or stored in the repository."""
        return self._written(None)

    def _authored(self, record: Record | None) -> Answer:
        """The page's own text. What a model says of it is recorded: a build that asks no model goes by that."""
        decisions = record.claims if record else ()
        request = Request(
            self.declaration,
            (),
            self.corpus,
            order=self.run.order,
            moved=lambda address, claim: self.stages.moves.of(
                address, claim, decisions, cited_by=self.declaration.page
            ),
        )
        draft = Authored(self.settings).write(request)
        answer = self._examined(renumber(draft), record)
        if self._may_store and self._is_read(answer):
            before = Record.for_decisions(
                answer, self.declaration, record, self.run.today
            )
            self.store.write(before.with_decisions(answer.claims), record)
        if answer.status is not Status.STALE and self._failing(answer):
            return self._pending(answer)
        return answer

    def _is_read(self, answer: Answer) -> bool:
        """True if a model has a say in one of the claims."""
        if self.stages.ensemble.model is None:
            return False
        said: list[Decision] = []
        for item in answer.claims:
            said += item.said
        return any(decision.reviewer for decision in said)

    def _quoted(self, record: Record | None) -> Answer:
        """The nearest passage as a quotation, made again in each run; nobody has looked at it."""
        answer = self._written(record)
        if answer.status is not Status.ACCEPTED:
            return answer
        answer = _with(answer, shortfalls.unreviewed(self.declaration))
        if self.settings.approval == "required":
            return shortfalls.unpublished(answer, "waits for a person to look at it")
        return replace(answer, status=Status.QUOTED)

    def _stepped(self, record: Record | None) -> Answer:
        """The answer of a model, or one that is recorded: as it is, newly written, or reported."""
        allowed: UpdateMode = "never"
        is_allowed = self.run.calls_models and not self._obstacle()
        if is_allowed and self.provider.check() is None:
            allowed = self.run.update
        if allowed == "always":
            return self._written(record)
        state = self._state(record)
        proposal = self._waiting(record)
        step = next_step(state.stored, allowed, has_proposal=proposal is not None)
        if step is Step.WRITE:
            return self._written(record)
        if step is Step.PROPOSE and proposal:
            return self._proposed(proposal, record)
        if state.answer:
            return state.answer
        if record and state.stored is Stored.STALE:
            return shortfalls.stale(
                self.declaration,
                record,
                self.corpus,
                state.reason,
                self._tip_to_write(),
            )
        return shortfalls.missing(
            self.declaration, self.provider.id, self._tip_to_write()
        )

    def _tip_to_write(self) -> str:
        """What would let a model write the answer, or a person; empty where the command for it does."""
        if not self.stages.is_sound(self.declaration):
            return "fix the question first: its finding says what is wrong"
        if not self.provider.calls_model:
            return f"run `{command('review', self.declaration.key)}` to take another passage"
        if not self._asked_for():
            return f"a page alone cannot ask a model: {_LEAVE.format(self.provider.id)}"
        fault = self.provider.check() if self.run.calls_models else None
        return fault.tip if fault else ""

    def _state(self, record: Record | None) -> _State:
        """What is stored of the answer, compared with the docs of today."""
        if record is None or record.textless:
            return _State(Stored.NOTHING, "it has no answer yet")
        fresh = freshness(record, self.declaration, self.corpus)
        if fresh.stale:
            return _State(Stored.STALE, "; ".join(fresh.stale))
        answer = self._from_record(fresh.record, record)
        if fresh.moved:
            answer = _with(answer, shortfalls.followed(self.declaration, fresh.moved))
        if self._is_outdated(answer, record):
            changed = sum(item.change is not None for item in answer.claims)
            reason = f"what {changed or 'some'} of its claims depend on has changed"
            return _State(Stored.CHANGED, reason, answer)
        return _State(Stored.HOLDS, "nothing that it depends on changed", answer)

    def _is_outdated(self, answer: Answer, record: Record) -> bool:
        """True if claims of a recorded text do not hold any more, as what they depend on has changed: also where a
        model has read them again since, and found them wrong."""
        if any(item.change for item in answer.claims):
            return True
        verdicts = {item.judgement.verdict for item in answer.claims}
        if verdicts != {Verdict.SUPPORTED}:
            for citation in record.citations:
                if locate(citation.at, citation.quote, self.corpus).changed:
                    return True
        return False

    def _written(self, record: Record | None) -> Answer:
        """A newly written answer: corrected while its review fails and its provider can do better, then stored."""
        corpus = self.stages.search_corpus
        consulted = self._selected(corpus, record)
        request = Request(self.declaration, consulted, corpus, order=self.run.order)
        spend = Spend()
        queries: dict[str, None] = {}
        retries = 0
        while True:
            outcome = self.provider.write(request)
            spend += outcome.spend
            if isinstance(outcome, Fault):
                fault = replace(outcome, spend=spend)
                return shortfalls.failed(self.declaration, fault, record, self.corpus)
            if isinstance(outcome, Abstention):
                consulted = outcome.nearest or consulted
                answer = self._abstained(outcome)
                break
            queries.update(dict.fromkeys(outcome.queries))
            by_tools = [item for item in outcome.consulted if item.via is Via.TOOL]
            consulted = (*consulted, *by_tools)
            draft = renumber(outcome)
            answer = self._examined(replace(draft, spend=Spend()), record)
            spend += answer.spend
            failing = self._failing(answer)
            unread = any(finding.slug == _UNREAD for finding in failing)
            may_correct = self.provider.corrects and retries < MOST_CORRECTIONS
            if not failing or unread or not may_correct:
                break
            retries += 1
            request = replace(request, previous=outcome, findings=failing)
        answer = replace(answer, spend=spend, retries=retries, consulted=consulted)
        if isinstance(outcome, Draft):
            answer = self._completed(answer, replace(request, previous=outcome), record)
        if answer.content:
            answer = replace(answer, queries=tuple(queries)[:MOST_QUERIES])
        written = Record.of(answer, self.declaration, record, self.run.today)
        return self._ended(written, answer, record)

    def _completed(
        self, answer: Answer, request: Request, record: Record | None
    ) -> Answer:
        """An answer that its reader finds incomplete, written once more with all of the sections that it cites, where
        parts of them were cut from what its writer saw; as it is, where that is no better.

        Args:
            request: the one that it was written for, with the answer as the previous one.
        """
        is_partial = answer.check is not None and answer.check.fit is Fit.PART
        if not (is_partial and self.provider.corrects) or self._failing(answer):
            return answer
        sources = with_what_was_cut(request.sources, answer.sources, self.corpus)
        if sources == request.sources:
            return answer
        findings = []
        for finding in answer.findings:
            if finding.slug == "partly-answered":
                tip = "if the sections say it, say it too: they are given with more of their text now"
                findings.append(replace(finding, tip=tip))
        asked = replace(request, sources=sources, findings=tuple(findings))
        outcome = self.provider.write(asked)
        spend = answer.spend + outcome.spend
        retries = answer.retries + 1
        if isinstance(outcome, Draft):
            draft = replace(renumber(outcome), spend=Spend())
            again = self._examined(draft, record)
            spend += again.spend
            if not self._failing(again):
                answer = replace(again, consulted=answer.consulted)
        return replace(answer, spend=spend, retries=retries)

    def _examined(self, draft: Draft, record: Record | None) -> Answer:
        answer = self.stages.examination.examine(self.declaration, draft, record)
        if record:
            answer = record.dated(answer)
        if any(item.change for item in answer.claims):
            return replace(answer, status=Status.STALE)
        return answer

    def _failing(self, answer: Answer) -> Sequence[Finding]:
        """The findings that keep an answer from being published."""
        return self.triage.errors(answer.findings)

    def _selected(self, corpus: Corpus, record: Record | None) -> tuple[Source, ...]:
        """The sections that its writer is given, found with the words of the question, and with those that an earlier
        writer found useful; the offline one is given at most `MOST_CONSULTED`."""
        queries = dict.fromkeys(self.declaration.queries)
        if record:
            queries |= dict.fromkeys(record.queries[:MOST_QUERIES])
        asked = replace(self.declaration, queries=tuple(queries))
        if self.provider.calls_model:
            return select(asked, corpus, self.settings)
        return nearest(asked, corpus, MOST_CONSULTED)

    def _abstained(self, outcome: Abstention, *, denied: bool = False) -> Answer:
        """A question without an answer, with the words of it that the docs do not have. That they do not answer it is
        a model's word, or a person's."""
        asked = self.corpus.asked(self.declaration.question, self.declaration.locale)
        return shortfalls.abstained(
            self.declaration,
            outcome,
            asked.unknown,
            denied=denied or bool(outcome.model),
        )

    def _ended(
        self,
        record: Record,
        answer: Answer,
        before: Record | None,
        *,
        waits: bool = False,
    ) -> Answer:
        """What becomes of a text that was written or waits, and what is shown then.

        Args:
            record: the text as it would be stored.
            answer: the same, examined.
            before: what is stored.
            waits: whether it waits next to what is stored already.
        """
        # what no model wrote is made again in each run, and what waits is stored already
        may_store = self._may_store and (waits or self.provider.calls_model)
        is_approved = self.settings.approval == "auto" or record.approved
        accepted = before if before and before.content else None
        written = Written.TEXT
        if self._failing(answer):
            written = Written.FAILING
        elif answer.status is Status.ABSTAINED:
            written = Written.ABSTENTION
        end = end_of(
            written,
            has_text=accepted is not None,
            may_store=may_store or waits,
            approved=is_approved and may_store,
        )
        if end is End.SHOW:
            return answer
        if end is End.RECORD:
            return self._recorded_as(record, answer, before)
        if end is End.PROPOSE:
            answer = replace(answer, proposal=record.content)
            if not waits:
                self.store.propose(record)
        if end is End.HOLD_BACK or accepted is None:
            answer = self._pending(answer)
            if is_approved:
                return answer
            return shortfalls.unpublished(answer, _WAITS)
        old = self._next_to(accepted, record, answer)
        return replace(old, spend=answer.spend)

    def _next_to(self, accepted: Record, proposal: Record, answer: Answer) -> Answer:
        """The accepted text, which only a person's word replaces, with the finding on the text that waits next to it.

        Args:
            proposal: the text that waits.
            answer: the same, examined.
        """
        if answer.status is Status.ABSTAINED:
            finding = shortfalls.lost(self.declaration, proposal.reason)
            return self._as_before(accepted, proposal, [finding], proposal.reason)
        if self._failing(answer):
            return self._as_before(accepted, proposal, answer.findings, answer.reason)
        return self._with_proposal(accepted, proposal)

    def _recorded_as(
        self, record: Record, answer: Answer, before: Record | None
    ) -> Answer:
        """Record a text. What is reported is what then is in the repository: the next run, which reads it, says the
        same."""
        written = self.store.write(record, before)
        if written and before and before.content and self.run.rewrote:
            self.run.rewrote(self.declaration.key)
        stored = self.store.read(self.declaration.key)
        if isinstance(stored, Record) and stored.content != record.content:
            return replace(self._with_proposal(stored, record), spend=answer.spend)
        return replace(answer, written_on=record.written_on)

    def _as_before(
        self,
        before: Record,
        proposal: Record,
        findings: Sequence[Finding],
        reason: str,
    ) -> Answer:
        """The text of a record that goes on rendering, with a proposal that only a person may put in its place."""
        old = shortfalls.as_before(self.declaration, before, self.corpus, findings)
        return replace(old, proposal=shortfalls.proposed(proposal), reason=reason)

    def _with_proposal(self, accepted: Record, proposal: Record) -> Answer:
        """The accepted text, next to which a proposal waits."""
        state = self._state(accepted)
        if state.stored is Stored.HOLDS and state.answer:
            return state.answer
        return self._as_before(accepted, proposal, [self._unapproved()], _WAITS)

    def _from_record(self, record: Record, stored: Record) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is stored, as are the new
        places of passages that moved.

        Args:
            record: with today's places.
            stored: as it is stored.
        """
        if record.abstained:
            selected = self._selected(self.corpus, record)
            abstention = Abstention(
                record.reason, selected, record.provider, record.model
            )
            return record.dated(self._abstained(abstention, denied=record.approved))
        answer = self._examined(to_draft(record, self.corpus), record)
        if self.settings.approval == "required" and not record.approved:
            answer = _with(answer, self._unapproved())
            return shortfalls.unpublished(answer, _WAITS)
        reviewed = record.with_review(answer)
        if answer.status is Status.STALE:
            reviewed = stored
            # what a model said in this run, though the answer as a whole waits: it is not asked twice
            if answer.spend.calls > record.spend.calls:
                reviewed = record.with_decisions(answer.claims)
        if self._may_store and reviewed != stored:
            self.store.write(reviewed, stored)
        proposal = self.store.proposal(self.declaration.key)
        if isinstance(proposal, Broken):
            return _with(answer, proposal.finding(self.declaration.key))
        if proposal:
            return replace(answer, proposal=shortfalls.proposed(proposal))
        return answer

    def _waiting(self, record: Record | None) -> Record | None:
        """A proposal that answers today's question from today's passages: a model is not asked for it again."""
        proposal = self.store.proposal(self.declaration.key)
        if not isinstance(proposal, Record):
            return None
        if freshness(proposal, self.declaration, self.corpus).stale:
            return None
        if proposal.abstained and not (record and record.content):
            return None
        return proposal

    def _proposed(self, proposal: Record, before: Record | None) -> Answer:
        """A text that waits for a person: stored, where all that it waited for is there, such as a reviewer that could
        not finish, or a passage that was fixed."""
        answer = self._examined(to_draft(proposal, self.corpus), proposal)
        if proposal.abstained:
            answer = replace(answer, status=Status.ABSTAINED)
        else:
            proposal = replace(proposal, reason="").with_review(answer)
        return self._ended(proposal, answer, before, waits=True)

    def _pending(self, answer: Answer) -> Answer:
        """A text that may not be published: it falls short, or a person has yet to approve it."""
        failing = self._failing(answer)
        if failing:
            reason = failing[0].message
        else:
            reason = _WAITS
            answer = _with(answer, self._unapproved())
        return replace(answer, status=Status.WAITING, reason=reason)

    def _unapproved(self) -> Finding:
        return shortfalls.unapproved(self.declaration, self.store)

    @property
    def _may_store(self) -> bool:
        """Whether this run may change the record."""
        may_change = self.run.may_change(self.declaration)
        return self.run.writes and may_change and self.stages.is_sound(self.declaration)

    def _asked_for(self) -> bool:
        """Whether the options ask for who shall write the answer: money is not spent on a page's word alone."""
        return self.settings.asks(self.declaration.provider or self.settings.provider)

    def _obstacle(self) -> str:
        """Why no model would be asked for the answer in any run with these options; empty where one would."""
        if self.provider.id == AUTHORED:
            return "its text is in its page"
        if not self.run.may_change(self.declaration):
            return "this run leaves it alone"
        if not self.stages.is_sound(self.declaration):
            return f"its question cannot be read: `{command('check')}` says where"
        if not self.provider.calls_model:
            return (
                f"no model is asked: `{command('review')}` takes or edits a quotation"
            )
        if not self._asked_for():
            return f"mkdocs.yml does not ask for `{self.provider.id}`"
        return ""

    def plan(self) -> Plan:
        """What a run with these records would do about an answer, if it could ask models. The stages ask none here, and
        write nothing."""
        obstacle = self._obstacle()
        if obstacle:
            return Plan(None, obstacle)
        record = self.store.read(self.declaration.key)
        if isinstance(record, Broken):
            return Plan(None, f"its record {record.reason}")
        state = self._state(record)
        has_proposal = self._waiting(record) is not None
        step = next_step(state.stored, self.run.update, has_proposal=has_proposal)
        if step is Step.PROPOSE:
            return Plan(None, "a proposal waits for a person")
        if step is not Step.WRITE:
            return Plan(None, state.reason)
        if state.stored is Stored.HOLDS:
            return Plan(self.provider, "it is to be written again")
        return Plan(self.provider, state.reason)


def _with(answer: Answer, finding: Finding) -> Answer:
    """The answer with one more finding."""
    return replace(answer, findings=(*answer.findings, finding))
