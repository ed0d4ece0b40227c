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
from mkdocs_cited.pipeline.run import Stages
from mkdocs_cited.providers.authored import Authored
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import Broken, Record, shortfalls, to_draft
from mkdocs_cited.records.following import freshness, locate
from mkdocs_cited.search.select import nearest, select

MOST_CONSULTED = 8
"""Passages that an answer without a model is made from."""
MOST_CORRECTIONS = 2
MOST_QUERIES = 5
"""Other words for a question that a record holds."""
_LEAVE = "add `models: [{0}]` to the options of `cited` in mkdocs.yml, or name another provider"
_WAITS = "waits for approval"
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
        return _without_context(answer)

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
            moved=lambda address: self.stages.moves.of(address, decisions),
        )
        draft = Authored(self.settings).write(request)
        answer = self._examined(renumber(draft), record)
        if self._may_store and self._is_read(answer):
            before = Record.for_decisions(
                answer, self.declaration, record, self.run.today
            )
            self.store.write(before.with_decisions(answer.claims))
        if answer.status is not Status.STALE and self._failing(answer):
            return self._pending(answer)
        return answer

    def _is_read(self, answer: Answer) -> bool:
        """True if the model of this run has a say in one of the claims."""
        model = self.stages.ensemble.model
        said = []
        for item in answer.claims:
            for judgement in item.said:
                said.append(judgement.reviewer)
        return model is not None and model.key in said

    def _quoted(self, record: Record | None) -> Answer:
        """The nearest passage as a quotation, made again in each run; nobody has looked at it."""
        answer = self._written(record)
        if answer.status is not Status.ACCEPTED:
            return answer
        answer = _with(answer, shortfalls.unreviewed(self.declaration))
        if self.settings.approval == "required":
            return shortfalls.unpublished(answer, "waits for a person to look at it")
        return replace(answer, status=Status.QUOTED)

    def _unwritten(self, record: Record | None) -> Answer:
        """An answer that a model would write, and has not."""
        waiting = self._proposed(None)
        if waiting:
            return waiting
        if self._may_write():
            return self._written(record)
        tip = ""
        if not self.stages.is_sound(self.declaration):
            tip = "fix the question first: its finding says what is wrong"
        elif not self._asked_for():
            tip = f"a page alone cannot ask a model: {_LEAVE.format(self.provider.id)}"
        elif self.run.calls_models:
            fault = self.provider.check()
            tip = fault.tip if fault else ""
        return shortfalls.missing(self.declaration, self.provider.id, tip)

    def _recorded(self, record: Record) -> Answer:
        """An answer with a record: as it is, written again, or reported as out of date."""
        may_write = self._may_write()
        if may_write and self.run.update == "always":
            return self._written(record)
        rewrites = may_write and self.run.update == "stale"
        fresh = freshness(record, self.declaration, self.corpus)
        if fresh.stale:
            waiting = self._proposed(record)
            if waiting:
                return waiting
            if rewrites:
                return self._written(record)
            return shortfalls.stale(self.declaration, record, self.corpus, fresh.stale)
        answer = self._held(fresh.record, before=record)
        if rewrites and self._is_outdated(answer, record):
            return self._proposed(record) or self._written(record)
        if fresh.moved:
            return _with(answer, shortfalls.followed(self.declaration, fresh.moved))
        return answer

    def _is_outdated(self, answer: Answer, record: Record) -> bool:
        """True if claims of a recorded text do not hold any more, as what they depend on has changed."""
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
        for attempt in range(MOST_CORRECTIONS + 1):
            retries = attempt
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
            if not failing or unread or not self.provider.corrects:
                break
            request = replace(request, previous=outcome, findings=failing)
        answer = replace(answer, spend=spend, retries=retries, consulted=consulted)
        if answer.content:
            answer = replace(answer, queries=tuple(queries)[:MOST_QUERIES])
        return self._stored(answer, record)

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

    def _stored(self, answer: Answer, before: Record | None) -> Answer:
        """Record a new text, or let it wait where it may not be published.

        | stored | the new text | what is done |
        |---|---|---|
        | any | by no model, or the run may not store it | nothing |
        | no text | has no error, and is approved where it must be | it is recorded |
        | no text | abstains, without an error | it is recorded |
        | a text | has no error, and is approved where it must be | it replaces that |
        | any | any other | it waits, and what is stored is published |
        """
        failing = self._failing(answer)
        if not self.provider.calls_model or not self._may_store:
            return self._pending(answer) if failing else answer
        record = Record.of(answer, self.declaration, before, self.run.today)
        is_abstention = answer.status is Status.ABSTAINED
        unapproved = self.settings.approval == "required" and not record.approved
        accepted = before if before and before.content else None
        has_to_wait = unapproved
        if is_abstention:
            has_to_wait = accepted is not None
        if not (failing or has_to_wait):
            return self._recorded_as(record, answer, replaces=accepted is not None)
        self.store.propose(record)
        if accepted is None:
            return self._pending(answer)
        # what was accepted goes by a person's word alone
        if is_abstention:
            finding = shortfalls.lost(self.declaration, record.reason)
            old = self._behind(accepted, record, [finding], reason=record.reason)
        elif failing:
            old = self._behind(accepted, record, answer.findings, reason=answer.reason)
        elif freshness(accepted, self.declaration, self.corpus).stale:
            old = self._unapproved(accepted, record)
        else:
            old = self._held(accepted, before=accepted)
        return replace(old, spend=answer.spend)

    def _recorded_as(self, record: Record, answer: Answer, *, replaces: bool) -> Answer:
        """Record a text. What is reported is what then is in the repository: the next run, which reads it, says the
        same."""
        written = self.store.write(record)
        if written and replaces and self.run.rewrote:
            self.run.rewrote(self.declaration.key)
        stored = self.store.read(self.declaration.key)
        if isinstance(stored, Record) and stored.content != record.content:
            return replace(self._held(stored, before=stored), spend=answer.spend)
        return replace(answer, written_on=record.written_on)

    def _behind(
        self,
        before: Record,
        proposal: Record,
        findings: Sequence[Finding],
        *,
        reason: str,
    ) -> Answer:
        """The text of a record that goes on rendering, with a proposal that only a person may put in its place."""
        old = shortfalls.as_before(self.declaration, before, self.corpus, findings)
        return replace(old, proposal=shortfalls.proposed(proposal), reason=reason)

    def _unapproved(self, before: Record, proposal: Record) -> Answer:
        finding = shortfalls.unapproved(self.declaration, self.store)
        return self._behind(before, proposal, [finding], reason=_WAITS)

    def _held(self, record: Record, *, before: Record) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is stored, as are the new
        places of passages that moved.

        Args:
            record: with today's places.
            before: as it is stored.
        """
        if record.abstained:
            selected = self._selected(self.corpus, record)
            abstention = Abstention(
                record.reason, selected, record.provider, record.model
            )
            return record.dated(self._abstained(abstention, denied=record.approved))
        answer = self._examined(to_draft(record, self.corpus), record)
        if self.settings.approval == "required" and not record.approved:
            answer = _with(answer, shortfalls.unapproved(self.declaration, self.store))
            return shortfalls.unpublished(answer, _WAITS)
        if self._may_store:
            reviewed = record.with_review(answer)
            if any(item.change for item in answer.claims):
                reviewed = before
                # what a model said in this run, though the answer as a whole waits: it is not asked twice
                if answer.spend.calls > record.spend.calls:
                    reviewed = record.with_decisions(answer.claims)
            if reviewed != before:
                self.store.write(reviewed)
        proposal = self.store.proposal(self.declaration.key)
        if isinstance(proposal, Broken):
            answer = _with(answer, proposal.finding(self.declaration.key))
        elif isinstance(proposal, Record):
            answer = replace(answer, proposal=shortfalls.proposed(proposal))
        return answer

    def _proposed(self, before: Record | None) -> Answer | None:
        """A proposal that answers today's question from today's passages: a model is not asked for it again. The text
        that it waits next to goes on rendering."""
        proposal = self.store.proposal(self.declaration.key)
        if self.run.update == "always" or not isinstance(proposal, Record):
            return None
        if freshness(proposal, self.declaration, self.corpus).stale:
            return None
        accepted = before if before and before.content else None
        if proposal.abstained:
            return self._unapproved(accepted, proposal) if accepted else None
        answer = self._examined(to_draft(proposal, self.corpus), proposal)
        failing = self._failing(answer)
        if not failing and self.settings.approval == "auto" and self._may_store:
            # It waited for a reviewer that could not finish, or for a passage that was fixed.
            self.store.write(replace(proposal, reason="").with_review(answer))
            stored = self.store.read(self.declaration.key)
            if isinstance(stored, Record) and stored.content == proposal.content:
                return answer
        if accepted and not failing:
            return self._unapproved(accepted, proposal)
        return self._pending(replace(answer, proposal=proposal.content))

    def _pending(self, answer: Answer) -> Answer:
        """A text that may not be published: it falls short, or a person has yet to approve it."""
        failing = self._failing(answer)
        if failing:
            return replace(answer, status=Status.WAITING, reason=failing[0].message)
        answer = _with(answer, shortfalls.unapproved(self.declaration, self.store))
        return replace(answer, status=Status.WAITING, reason=_WAITS)

    @property
    def _may_store(self) -> bool:
        """Whether this run may change the record."""
        may_change = self.run.may_change(self.declaration)
        return self.run.writes and may_change and self.stages.is_sound(self.declaration)

    def _may_write(self) -> bool:
        """True if a model may be asked for the answer."""
        is_allowed = self.run.calls_models and not self._obstacle()
        return is_allowed and self.provider.check() is None

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
            return "its question cannot be read: `mkdocs-cited check` says where"
        if not self.provider.calls_model:
            return "no model is asked: `mkdocs-cited review` takes or edits a quotation"
        if not self._asked_for():
            return f"mkdocs.yml does not ask for `{self.provider.id}`"
        return ""

    def plan(self) -> Plan:
        """What a run with these records would do about an answer, if it could ask models. The stages ask none here, and
        write nothing."""
        obstacle = self._obstacle()
        if obstacle:
            return Plan(None, obstacle)
        answer = self.answer()
        if answer.status is Status.FAILED:
            return Plan(None, f"its record {answer.reason}")
        if answer.status is Status.MISSING:
            return Plan(self.provider, "it has no answer yet")
        if self.run.update == "always":
            return Plan(self.provider, "it is to be written again")
        if self.run.update == "missing":
            return Plan(None, "it has an answer")
        if answer.status is not Status.STALE:
            return Plan(None, "nothing that it depends on changed")
        stored = self.store.read(self.declaration.key)
        if self._proposed(stored if isinstance(stored, Record) else None):
            return Plan(None, "a proposal waits for a person")
        changed = sum(item.change is not None for item in answer.claims)
        reason = f"what {changed} of its claims depend on has changed"
        return Plan(self.provider, answer.reason or reason)


def _with(answer: Answer, *findings: Finding) -> Answer:
    """The answer with more findings."""
    return replace(answer, findings=(*answer.findings, *findings))


def _without_context(answer: Answer) -> Answer:
    """The answer without what is around the passages that its writer was given, which takes half of its memory and
    which nothing shows."""
    consulted = [replace(source, context=()) for source in answer.consulted]
    return replace(answer, consulted=tuple(consulted))
