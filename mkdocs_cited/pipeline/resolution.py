"""The way of one answer, from its declaration to what is published: read it from top to bottom.

What is done depends on what is stored, on who writes, and on what the run may do (`Resolution.answer`). From there it
is short steps: select, write, examine (audit and review), correct, record. What is decided within a stage is in its
package; what is said of the want of an answer, in `records.shortfalls`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.citing import renumber
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    Abstention,
    Answer,
    Draft,
    Fault,
    Spend,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Corpus, Source, Via
from mkdocs_cited.pipeline.examination import unmet
from mkdocs_cited.pipeline.run import Stages
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import Absent, Broken, Record, shortfalls, to_draft
from mkdocs_cited.records.following import locate
from mkdocs_cited.records.freshness import Moved, Stale, freshness
from mkdocs_cited.search.select import nearest, select

MOST_CORRECTIONS = 2
MOST_QUERIES = 5
"""Other words for a question that a record holds."""
_LEAVE = "add `models: [{0}]` to the options of `cited` in mkdocs.yml, or name another provider"
_UNREAD = "review-incomplete"
"""The finding that is not the writer's fault."""


class Plan(Struct, frozen=True):
    """What a run would do about one answer."""

    writer: Provider | None
    """Who would write it; nobody, where it would be left as it is."""
    reason: str
    """Why, in words."""


class Resolution:
    """One declaration on its way."""

    def __init__(self, stages: Stages, declaration: Declaration) -> None:
        self.stages, self.declaration = stages, declaration
        self.settings, self.corpus, self.store = (
            stages.settings,
            stages.corpus,
            stages.store,
        )
        self.run, self.triage = stages.run, stages.triage
        self.provider = stages.provider(declaration)

    def answer(self) -> Answer:
        """The answer, from its record or newly written; stored where the run may write.

        | stored | who writes | what is done |
        |---|---|---|
        | cannot be read | anybody | reported |
        | anything | the author | the page's text, with what the record decides |
        | a text, or that there is none | anybody | the record, if it holds; else written again, or reported as stale |
        | nothing | quotes | the nearest passage, until a person takes or edits one |
        | nothing | a model | a proposal that waits, else written, else reported as missing |
        """
        stored = self.store.read(self.declaration.key)
        if isinstance(stored, Broken):
            return shortfalls.broken(self.declaration, stored)
        record = stored if isinstance(stored, Record) else None
        if self.provider.id == AUTHORED:
            answer = self._authored(record)
        elif record and not record.textless:
            answer = self._recorded(record)
        elif not self.provider.calls_model:
            answer = self._quoted(record)
        else:
            answer = self._unwritten(record)
        return _without_context(self._tested(answer))

    def asked(self) -> Answer:
        """The answer to a question that no page declares; nothing is read from or stored in the repository."""
        return self._tested(self._written(None))

    def _tested(self, answer: Answer) -> Answer:
        """The answer with what its question expects of it in vain; neither its text nor its record depends on that."""
        return _with(answer, *unmet(self.declaration, answer, self.corpus))

    def _authored(self, record: Record | None) -> Answer:
        """The page's own text. What a model says of it is recorded: a build that asks no model goes by that."""
        decisions = record.claims if record else ()
        request = Request(
            self.declaration,
            (),
            self.corpus,
            order=self.run.order,
            moved=lambda address: self.stages.moves.of(address, decisions),
        )
        outcome = self.provider.write(request)
        if not isinstance(outcome, Draft):
            return self._fallen_short(outcome, record)
        draft = renumber(outcome)
        answer = self._examined(draft, record)
        model = self.stages.ensemble.model
        read = model and any(
            said.reviewer == model.key for item in answer.claims for said in item.said
        )
        if model and read and self._may_store:
            before = Record.for_decisions(
                answer, self.declaration, record, self.run.today
            )
            self.store.write(before.with_decisions(answer.claims))
        failing = self.triage.errors(answer.findings)
        return (
            self._pending(answer)
            if failing and answer.status is not Status.STALE
            else answer
        )

    def _quoted(self, decisions: Record | None) -> Answer:
        """The nearest passage as a quotation, made again in each run; nobody has looked at it."""
        answer = self._written(decisions)
        if answer.status is not Status.ACCEPTED:
            return answer
        if not self.declaration.published:
            return replace(answer, status=Status.QUOTED)
        answer = _with(answer, shortfalls.unreviewed(self.declaration))
        if self.settings.approval == "required":
            return shortfalls.unpublished(answer, "waits for a person to look at it")
        return replace(answer, status=Status.QUOTED)

    def _unwritten(self, decisions: Record | None) -> Answer:
        """An answer that a model would write, and has not."""
        waiting = self._proposed(None)
        if waiting:
            return waiting
        if self._may_write():
            return self._written(decisions)
        fault = self.provider.check() if self.run.calls_models else None
        tip = fault.tip if fault else ""
        if not self._asked_for():
            tip = f"a page alone cannot ask a model: {_LEAVE.format(self.provider.id)}"
        if not self.stages.is_sound(self.declaration):
            tip = "fix the question first: its finding says what is wrong"
        return shortfalls.missing(self.declaration, self.provider.id, tip)

    def _recorded(self, record: Record) -> Answer:
        """An answer with a record: as it is, written again, or reported as out of date."""
        rewrites = self._may_write() and self.provider.calls_model
        if rewrites and self.run.update == "always":
            return self._written(record)
        held = freshness(record, self.declaration, self.corpus)
        if not isinstance(held, Stale):
            if isinstance(held, Moved):
                answer = _with(
                    self._held(held.record, before=record),
                    shortfalls.followed(self.declaration, held),
                )
            else:
                answer = self._held(record, before=record)
            if not (
                rewrites
                and self.run.update == "stale"
                and self._outdated(answer, record)
            ):
                return answer
            return self._proposed(record) or replace(
                self._written(record), spend=answer.spend
            )
        waiting = self._proposed(record)
        if waiting:
            return waiting
        if rewrites and self.run.update == "stale":
            return self._written(record)
        return shortfalls.stale(self.declaration, record, self.corpus, held.reasons)

    def _outdated(self, answer: Answer, record: Record) -> bool:
        """Whether claims of a recorded text do not hold any more, as what they depend on has changed."""
        if any(item.change for item in answer.claims):
            return True
        if all(item.judgement.verdict is Verdict.SUPPORTED for item in answer.claims):
            return False
        return any(
            locate(item.at, item.quote, self.corpus).changed
            for item in record.citations
        )

    def _written(self, record: Record | None) -> Answer:
        """A newly written answer: corrected while its review fails and its provider can do better, then stored."""
        corpus = self.stages.search_corpus
        consulted = self._selected(corpus, record)
        request = Request(self.declaration, consulted, corpus, order=self.run.order)
        spend, retries = Spend(), 0
        queries: dict[str, None] = {}
        while True:
            outcome = self.provider.write(request)
            spend += outcome.spend
            if isinstance(outcome, Fault):
                return self._fallen_short(replace(outcome, spend=spend), record)
            if isinstance(outcome, Abstention):
                consulted = outcome.nearest or consulted
                answer = self._abstained(outcome)
                break
            draft = renumber(outcome)
            queries.update(dict.fromkeys(outcome.queries))
            consulted = (*consulted, *_found_by_tools(outcome))
            answer = self._examined(replace(draft, spend=Spend()), record)
            spend += answer.spend
            failing = self.triage.errors(answer.findings)
            unread = any(finding.slug == _UNREAD for finding in failing)
            if (
                not failing
                or unread
                or not self.provider.corrects
                or retries == MOST_CORRECTIONS
            ):
                break
            request = replace(request, previous=outcome, findings=failing)
            retries += 1
        known = tuple(queries)[:MOST_QUERIES] if answer.content else ()
        answer = replace(
            answer, spend=spend, retries=retries, consulted=consulted, queries=known
        )
        return self._stored(answer, record)

    def _examined(self, draft: Draft, record: Record | None) -> Answer:
        answer = self.stages.examination.examine(self.declaration, draft, record)
        if record:
            answer = record.dated(answer)
        changed = any(item.change for item in answer.claims)
        return replace(answer, status=Status.STALE) if changed else answer

    def _selected(self, corpus: Corpus, record: Record | None) -> tuple[Source, ...]:
        """The sections that its writer is given, found with the words of the question, and with those that an earlier
        writer found useful; the offline one is given at most `max_sources`."""
        known = record.queries[:MOST_QUERIES] if record else ()
        asked = replace(
            self.declaration,
            queries=tuple(dict.fromkeys((*self.declaration.queries, *known))),
        )
        if self.provider.calls_model:
            return select(asked, corpus, self.settings)
        return nearest(asked, corpus, self.settings.max_sources)

    def _abstained(self, outcome: Abstention, *, denied: bool = False) -> Answer:
        """A question without an answer, with the words of it that the docs do not have. That they do not answer it is
        a model's word, or a person's."""
        unknown = self.corpus.asked(
            self.declaration.question, self.declaration.locale
        ).unknown
        return shortfalls.abstained(
            self.declaration, outcome, unknown, denied=denied or bool(outcome.model)
        )

    def _fallen_short(
        self, outcome: Abstention | Fault, record: Record | None
    ) -> Answer:
        if isinstance(outcome, Abstention):
            return self._abstained(outcome)
        return shortfalls.failed(self.declaration, outcome, record, self.corpus)

    def _stored(self, answer: Answer, before: Record | None) -> Answer:
        """Record a new text, or let it wait where it may not be published."""
        failing = self.triage.errors(answer.findings)
        if not self.provider.calls_model or not self._may_store:
            return self._pending(answer) if failing else answer
        record = Record.of(answer, self.declaration, before, self.run.today)
        if before is None or not before.content:
            return self._stored_first(answer, record, failing)
        # what was accepted goes by a person's word alone
        if answer.status is Status.ABSTAINED:
            self.store.propose(record)
            old = shortfalls.lost(self.declaration, before, record, self.corpus)
        elif failing:  # the accepted text goes on rendering, and the build fails for what the new one lacks
            self.store.propose(record)
            old = shortfalls.as_before(
                self.declaration, before, self.corpus, answer.findings
            )
            old = replace(
                old, proposal=shortfalls.proposed(record), reason=answer.reason
            )
        elif self.settings.approval == "required" and not record.approved:
            self.store.propose(record)
            old = self._behind_proposal(before, record)
        else:
            return self._replaced(answer, record)
        return replace(old, spend=answer.spend)

    def _stored_first(
        self, answer: Answer, record: Record, failing: Sequence[Finding]
    ) -> Answer:
        """Record the first text of an answer."""
        wants_approval = (
            self.settings.approval == "required"
            and answer.status is not Status.ABSTAINED
        )
        if failing or (wants_approval and not record.approved):
            self.store.propose(record)
            return self._pending(answer)
        self.store.write(record)
        return replace(answer, written_on=record.written_on)

    def _behind_proposal(self, before: Record, record: Record) -> Answer:
        """The text of a record, with a proposal that a person has to approve."""
        held = freshness(before, self.declaration, self.corpus)
        if isinstance(held, Stale):
            return shortfalls.replaceable(
                self.declaration, before, record, self.store, self.corpus
            )
        return self._held(before, before=before)

    def _replaced(self, answer: Answer, record: Record) -> Answer:
        """Record a text over an accepted one. What is reported is what then is in the repository: the next run, which
        reads it, says the same."""
        written = self.store.write(record)
        if self.run.rewrote and written:
            self.run.rewrote(self.declaration.key)
        stored = self.store.read(self.declaration.key)
        if not isinstance(stored, Record) or stored.content == record.content:
            return replace(answer, written_on=record.written_on)
        return replace(self._held(stored, before=stored), spend=answer.spend)

    def _held(self, record: Record, *, before: Record) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is stored, as are the new
        places of passages that moved.

        Args:
            record: with today's places.
            before: as it is stored.
        """
        if record.abstained:
            nearest = self._selected(self.corpus, record)
            abstention = Abstention(
                record.reason, nearest, record.provider, record.model
            )
            return record.dated(self._abstained(abstention, denied=record.approved))
        answer = self._examined(to_draft(record, self.corpus), record)
        if self.settings.approval == "required" and not record.approved:
            answer = _with(answer, shortfalls.unapproved(self.declaration, self.store))
            return shortfalls.unpublished(answer, "waits for approval")
        if self._may_store and not any(item.change for item in answer.claims):
            reviewed = record.with_review(answer)
            if reviewed != before:
                self.store.write(reviewed)
        elif self._may_store:
            self._keep_reading(answer, record)
        proposal = self.store.proposal(self.declaration.key)
        if isinstance(proposal, Broken):
            answer = _with(answer, proposal.finding(self.declaration.key))
        waiting = shortfalls.proposed(proposal) if isinstance(proposal, Record) else ""
        return replace(answer, proposal=waiting)

    def _keep_reading(self, answer: Answer, record: Record) -> None:
        """Store what a model said in this run, though the answer as a whole waits: it is not asked twice."""
        if answer.spend.calls > record.spend.calls:
            self.store.write(record.with_decisions(answer.claims))

    def _proposed(self, before: Record | None) -> Answer | None:
        """A proposal that answers today's question from today's passages: a model is not asked for it again. The text
        that it waits next to goes on rendering."""
        proposal = self.store.proposal(self.declaration.key)
        if self.run.update == "always" or not isinstance(proposal, Record):
            return None
        if isinstance(freshness(proposal, self.declaration, self.corpus), Stale):
            return None
        accepted = before if before is not None and before.content else None
        if proposal.abstained:
            if accepted is None:
                return None
            return shortfalls.replaceable(
                self.declaration, accepted, proposal, self.store, self.corpus
            )
        answer = self._examined(to_draft(proposal, self.corpus), proposal)
        failing = self.triage.errors(answer.findings)
        if not failing and self.settings.approval == "auto" and self._may_store:
            # It waited for a reviewer that could not finish, or for a passage that was fixed.
            self.store.write(replace(proposal, reason="").with_review(answer))
            stored = self.store.read(self.declaration.key)
            if isinstance(stored, Record) and stored.content == proposal.content:
                return answer
        if accepted and not failing:
            return shortfalls.replaceable(
                self.declaration, accepted, proposal, self.store, self.corpus
            )
        return self._pending(replace(answer, proposal=proposal.content))

    def _pending(self, answer: Answer) -> Answer:
        """A text that may not be published: it falls short, or a person has yet to approve it."""
        failing = self.triage.errors(answer.findings)
        if failing:
            return replace(answer, status=Status.PENDING, reason=failing[0].message)
        answer = _with(answer, shortfalls.unapproved(self.declaration, self.store))
        return replace(answer, status=Status.PENDING, reason="waits for approval")

    @property
    def _may_store(self) -> bool:
        """Whether this run may change the record."""
        return self.run.writes and self._may_change

    @property
    def _may_change(self) -> bool:
        return self.run.may_change(self.declaration) and self.stages.is_sound(
            self.declaration
        )

    def _may_write(self) -> bool:
        if not self._may_change:
            return False
        if not self.provider.calls_model:
            return True
        return (
            self.run.calls_models
            and self._asked_for()
            and self.provider.check() is None
        )

    def _asked_for(self) -> bool:
        """Whether the options ask for who shall write the answer: money is not spent on a page's word alone."""
        return self.settings.asks(self.declaration.provider or self.settings.provider)

    def plan(self) -> Plan:
        """What a run with these records would do about an answer, if it could ask models."""
        stored = self.store.read(self.declaration.key)
        if isinstance(stored, Broken):
            return Plan(None, f"its record {stored.reason}")
        if self.provider.id == AUTHORED:
            return Plan(None, "its text is in its page")
        if not self.run.may_change(self.declaration):
            return Plan(None, "this run leaves it alone")
        if not self.stages.is_sound(self.declaration):
            return Plan(
                None, "its question cannot be read: `mkdocs-cited check` says where"
            )
        if not self.provider.calls_model:
            if isinstance(stored, Record):
                return Plan(None, "a person took its text, and no model is asked")
            return Plan(
                None,
                "it is quoted in each build: `mkdocs-cited review` takes or edits the quotation",
            )
        if not self._asked_for():
            return Plan(None, f"mkdocs.yml does not ask for `{self.provider.id}`")
        reason = self._reason_to_write(stored)
        if not reason and self.run.update == "missing":
            return Plan(None, "it has an answer")
        if not reason:
            return Plan(None, "nothing that it depends on changed")
        if self._proposed(stored if isinstance(stored, Record) else None):
            return Plan(None, "a proposal waits for a person")
        return Plan(self.provider, reason)

    def _reason_to_write(self, stored: Record | Absent) -> str:
        """Why an answer would be written; empty when it would not."""
        if not isinstance(stored, Record) or stored.textless:
            return "it has no answer yet"
        if self.run.update == "always":
            return "it is to be written again"
        if self.run.update != "stale":
            return ""
        held = freshness(stored, self.declaration, self.corpus)
        if isinstance(held, Stale):
            return "; ".join(held.reasons)
        if stored.abstained:
            return ""
        answer = self._examined(to_draft(stored, self.corpus), stored)
        changed = sum(item.change is not None for item in answer.claims)
        return f"what {changed} of its claims depend on has changed" if changed else ""


def _with(answer: Answer, *findings: Finding) -> Answer:
    """The answer with more findings."""
    return (
        replace(answer, findings=(*answer.findings, *findings)) if findings else answer
    )


def _found_by_tools(draft: Draft) -> list[Source]:
    return [source for source in draft.consulted if source.via is Via.TOOL]


def _without_context(answer: Answer) -> Answer:
    """The answer without what is around the passages that its writer was given, which takes half of its memory and
    which nothing shows."""
    consulted = [replace(source, context=()) for source in answer.consulted]
    return replace(answer, consulted=tuple(consulted))
