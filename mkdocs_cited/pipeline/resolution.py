"""The way of one answer, from its declaration to what is published: read it from top to bottom.

From its record, or newly written: select, write, examine (audit and review), correct, record. What is decided within a
stage is in its package; what is said of the want of an answer, in `records.shortfalls`.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from mkdocs_cited.answer_text.citing import renumber
from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Abstention, Answer, Draft, Fault, Spend, Status, Verdict
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.source import Corpus, Via
from mkdocs_cited.pipeline.examination import unmet
from mkdocs_cited.pipeline.run import OFFLINE, Stages
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import Absent, Broken, Record, nearest_of, shortfalls, to_draft
from mkdocs_cited.records.freshness import Fresh, Moved, Stale, advice, forged_links, freshness
from mkdocs_cited.search.meaning import ByMeaning
from mkdocs_cited.search.select import MOST, Selection, select

MOST_CORRECTIONS = 2
MOST_QUERIES = 5
"""Other words for a question that a record holds."""
_LEAVE = "add `models: [{0}]` to the options of `cited` in mkdocs.yml, or name another provider"


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
        self.settings, self.corpus, self.store = stages.settings, stages.corpus, stages.store
        self.run, self.triage = stages.run, stages.triage
        self.provider = stages.provider(declaration)

    def answer(self) -> Answer:
        """The answer, from its record or newly written; stored where the run may write."""
        return _read(self._publishable(self._linked(self._tested(self._resolved()))))

    def asked(self) -> Answer:
        """The answer to a question that no page declares; nothing is read from or stored in the repository."""
        return self._publishable(self._tested(self._write(None)))

    def _publishable(self, answer: Answer) -> Answer:
        """The answer; without its text where that repeats a note, by any writer and of any age."""
        texts = (answer.content, answer.reason, answer.proposal)
        if self.stages.notes is None or not any(map(self.stages.notes.repeated, texts)):
            return answer
        leaks = [finding for finding in answer.findings if finding.slug == "leaked-note"]
        leaks = leaks or [shortfalls.leaked(self.declaration)]
        if not self.triage.errors(leaks, self.declaration):
            return answer
        return replace(shortfalls.withheld(answer, leaks), spend=answer.spend)

    def _tested(self, answer: Answer) -> Answer:
        """The answer with what its question expects of it in vain; neither its text nor its record depends on that."""
        return replace(answer, findings=(*answer.findings, *unmet(self.declaration, answer, self.corpus)))

    def _linked(self, answer: Answer) -> Answer:
        """The answer; in a check, with the fault of a record whose links are not those to its passages."""
        stored = self.store.read(self.declaration.key)
        if self.run.writes or not isinstance(stored, Record):
            return answer
        return replace(answer, findings=(*answer.findings, *forged_links(stored, self.corpus)))

    def _resolved(self) -> Answer:
        """One answer, from its record or newly written."""
        stored = self.store.read(self.declaration.key)
        if isinstance(stored, Broken):
            return shortfalls.broken(self.declaration, stored)
        record = stored if isinstance(stored, Record) else None
        # Without an encoder a gap is looked for again, as docs are today.
        gap = record is not None and record.abstained and not (self.provider.calls_model or record.encoder)
        if record is None or gap or self.provider.id == AUTHORED or record.textless:
            return self._unrecorded(record)
        return self._recorded(record)

    def _unrecorded(self, verdicts: Record | None) -> Answer:
        """An answer without a text in the repository: what needs no model is made on the spot."""
        if not self.provider.calls_model:
            return self._write(verdicts)
        if waiting := self._waiting():
            return waiting
        if self._may_write():
            return self._write(verdicts)
        tip = "" if self._asked_for() else f"a page alone asks no model: {_LEAVE.format(self.provider.id)}"
        if not self.stages.is_sound(self.declaration):
            tip = "fix its declaration first: its finding says what is wrong"
        return shortfalls.missing(self.declaration, self.provider.id, tip)

    def _recorded(self, record: Record) -> Answer:
        may_write = self._may_write()
        if may_write and self.run.update == "always":
            return self._write(record)
        match freshness(record, self.declaration, self.corpus):
            case Stale(reasons=reasons):
                writes = may_write and self.run.update == "stale"
                if (self.provider.calls_model or not writes) and (waiting := self._waiting(record)):
                    return waiting
                if writes:
                    return self._write(record)
                return shortfalls.stale(self.declaration, record, self.corpus, reasons)
            case Moved(record=moved):
                return self._held(moved, moved=True)
            case Fresh():
                return self._held(record)

    def _write(self, record: Record | None) -> Answer:
        """A newly written answer: corrected while its review fails and its provider can do better, then stored."""
        authored = self.provider.id == AUTHORED  # it cites what it names, and nothing is looked for
        corpus = self.corpus if authored else self.stages.search_corpus
        selection = Selection(()) if authored else self._selected(corpus, record)
        request = Request(self.declaration, selection.sources, corpus, order=self.run.order)
        consulted, spend, retries = selection.sources, Spend(), 0
        queries: tuple[str, ...] = ()
        while True:
            outcome = self.provider.write(request)
            match outcome:
                case Fault():
                    fault = replace(outcome, spend=spend + outcome.spend)
                    return shortfalls.failed(self.declaration, fault, record, self.corpus)
                case Abstention():
                    spend += outcome.spend
                    answer = self._abstained(outcome)
                    consulted = outcome.nearest or consulted
                    break
                case Draft():
                    draft = renumber(outcome, markers(outcome.content))
                    queries = tuple(dict.fromkeys((*queries, *outcome.queries)))[:MOST_QUERIES]
                    consulted = (*consulted, *(s for s in outcome.consulted if s.via is Via.TOOL))
                    answer = self.stages.examination.examine(self.declaration, replace(draft, spend=Spend()), record)
                    spend += outcome.spend + answer.spend
                    if self.provider.id == OFFLINE and (limit := _limit(answer)):
                        answer = self._abstained(Abstention(limit, selection.sources, OFFLINE))
                        break
            failing = self.triage.errors(answer.findings, self.declaration)
            unread = any(finding.slug == "review-incomplete" for finding in failing)  # not the writer's fault
            if not failing or unread or not self.provider.corrects or retries == MOST_CORRECTIONS:
                break
            request, retries = replace(request, previous=outcome, findings=failing), retries + 1
        encoder = Path(self.settings.local.encoder).name if isinstance(corpus, ByMeaning) else ""
        answer = replace(answer, spend=spend, retries=retries, consulted=consulted, encoder=encoder)
        answer = replace(answer, queries=queries if answer.content else ())
        return self._store(answer, record)

    def _selected(self, corpus: Corpus, record: Record | None) -> Selection:
        """The sections that its writer is given, found with the words of the question, and with those that an earlier
        writer found useful; the offline one is given at most `max_sources`."""
        known = record.queries[:MOST_QUERIES] if record else ()
        asked = replace(self.declaration, queries=tuple(dict.fromkeys((*self.declaration.queries, *known))))
        if self.provider.calls_model:
            return select(asked, corpus, self.settings, MOST)
        found = select(asked, corpus, self.settings, self.settings.max_sources)
        return replace(found, sources=tuple(source for source in found.sources if source.query_relevance))

    def _abstained(self, outcome: Abstention, *, denied: bool = False) -> Answer:
        """A question without an answer, with the words of it that the docs do not have. That they do not answer it is
        a model's word, or a person's."""
        unknown = self.corpus.asked(self.declaration.question, self.declaration.locale).unknown
        return shortfalls.abstained(self.declaration, outcome, unknown, denied=denied or bool(outcome.model))

    def _store(self, answer: Answer, before: Record | None) -> Answer:
        """Record a new text, or let it wait where it may not be published."""
        failing = bool(self.triage.errors(answer.findings, self.declaration))
        required, replaces = self.settings.approval == "required", before is not None and bool(before.content)
        wanting = required and (answer.status is Status.ACCEPTED or replaces)
        unstored = self.provider.id == AUTHORED or not self._may_store
        lost = before is not None and replaces and answer.status is Status.ABSTAINED
        gap = answer.status is Status.ABSTAINED and not lost
        passing = not self.declaration.published or gap  # made again as often as it is wanted
        if self.provider.id == AUTHORED and self._may_store:
            self._store_reading(answer, before)
        if unstored or (passing and not self.provider.calls_model and not answer.encoder):
            return self._pending(answer) if failing else answer
        record = Record.of(answer, self.declaration, before, self.run.today)
        if before and record.content and (record.content, record.citations) == (before.content, before.citations):
            record = replace(record, consulted=before.consulted)  # a reader of the change learns nothing from another
        if before is not None and lost:  # what was accepted goes by a person's word alone
            self.store.propose(record)
            old = shortfalls.lost(self.declaration, before, record, self.corpus)
            return replace(old, spend=answer.spend)
        if failing or (wanting and not record.approved):
            self.store.propose(record)
            if before is None or not replaces:
                return self._pending(answer)
            if not failing and isinstance(freshness(before, self.declaration, self.corpus), Stale):
                return shortfalls.replaceable(self.declaration, before, record, self.store, self.corpus)
            if not failing:
                return self._held(before)
            # The accepted text goes on rendering, and the build fails for what the new one lacks.
            old = shortfalls.as_before(self.declaration, before, self.corpus, answer.findings)
            return replace(old, proposal=shortfalls.proposed(record), spend=answer.spend, reason=answer.reason)
        written = self.store.write(record)
        if self.run.rewrote and replaces and written:
            self.run.rewrote(self.declaration.key)
        answer_of_today = replace(answer, written_on=record.written_on)
        if written and not answer.findings:
            return answer_of_today
        stored = self.store.read(self.declaration.key)
        if not isinstance(stored, Record) or (stored.content == record.content and not answer.findings):
            return answer_of_today
        # What is reported is what now is in the repository: the next run, which reads it, says the same.
        return replace(self._held(stored), spend=answer.spend)

    def _store_reading(self, answer: Answer, before: Record | None) -> None:
        """Record what a model said of a text that is in its page: a build that asks no model goes by it."""
        model = self.stages.ensemble.model
        if model is not None and any(said.reviewer == model.key for claim in answer.claims for said in claim.stored):
            record = Record.for_decisions(answer, self.declaration, before, self.run.today)
            self.store.write(record.read_by(model.key, answer))

    def _held(self, record: Record, *, moved: bool = False) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is stored, as are the new
        places of passages that moved."""
        said = advice(
            record, provider=self.provider.id, model=self.provider.model, encoder=self.settings.local.encoder,
            prompt_version=self.provider.version if self.provider.calls_model else "",
        )  # fmt: skip
        if record.abstained:
            nearest = nearest_of(record, self._selected(self.corpus, record).sources, self.corpus)
            abstention = Abstention(record.reason, nearest, record.provider, record.model)
            return replace(self._abstained(abstention, denied=record.approved), advice=said)
        answer = record.dated(self.stages.examination.examine(self.declaration, to_draft(record, self.corpus), record))
        if self.settings.approval == "required" and not record.approved:
            answer = replace(answer, findings=(*answer.findings, shortfalls.unapproved(self.declaration, self.store)))
        reviewed = record.with_review(answer)
        if self._may_store and (moved or reviewed != record):
            self.store.write(reviewed)
        proposal = self.store.proposal(self.declaration.key)
        if isinstance(proposal, Record) and proposal.abstained and self._may_store and not self.provider.calls_model:
            self.store.withdraw(self.declaration.key)  # the docs hold the answer again
            proposal = self.store.proposal(self.declaration.key)
        waiting = shortfalls.proposed(proposal) if isinstance(proposal, Record) else ""
        broken = (proposal.finding(self.declaration.key),) if isinstance(proposal, Broken) else ()
        return replace(answer, findings=(*answer.findings, *broken), proposal=waiting, advice=said)

    def _waiting(self, before: Record | None = None) -> Answer | None:
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
            return shortfalls.replaceable(self.declaration, accepted, proposal, self.store, self.corpus)
        draft = to_draft(proposal, self.corpus)
        answer = proposal.dated(self.stages.examination.examine(self.declaration, draft, proposal))
        failing = self.triage.errors(answer.findings, self.declaration)
        if not failing and self.settings.approval == "auto" and self._may_store:
            # It waited for a reviewer that could not finish, or for a passage that was fixed.
            self.store.write(replace(proposal, reason="").with_review(answer))
            stored = self.store.read(self.declaration.key)
            if isinstance(stored, Record) and stored.content == proposal.content:
                return answer
        if accepted and not failing:
            return shortfalls.replaceable(self.declaration, accepted, proposal, self.store, self.corpus)
        return self._pending(replace(answer, proposal=proposal.content))

    def _pending(self, answer: Answer) -> Answer:
        """A text that may not be published: it falls short, or a person has yet to approve it."""
        failing = self.triage.errors(answer.findings, self.declaration)
        findings = (
            answer.findings if failing else (*answer.findings, shortfalls.unapproved(self.declaration, self.store))
        )
        reason = failing[0].message if failing else "waits for approval"
        return replace(answer, status=Status.PENDING, findings=findings, reason=reason)

    @property
    def _may_store(self) -> bool:
        """Whether this run may change the record."""
        return self.run.writes and self._may_change

    @property
    def _may_change(self) -> bool:
        return self.run.may_change(self.declaration) and self.stages.is_sound(self.declaration)

    def _may_write(self) -> bool:
        may_call = self.run.calls_models and self._asked_for()
        return self._may_change and (may_call or not self.provider.calls_model)

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
            return Plan(None, "its declaration is wrong: `mkdocs-cited check` says where")
        if self.provider.calls_model and not self._asked_for():
            return Plan(None, f"mkdocs.yml does not ask for `{self.provider.id}`")
        reason = self._reason_to_write(stored)
        if not reason:
            return Plan(
                None, "it has an answer" if self.run.update == "missing" else "nothing that it depends on changed"
            )
        if self.provider.calls_model and self._waiting():
            return Plan(None, "a proposal waits for a person")
        return Plan(self.provider, reason)

    def _reason_to_write(self, stored: Record | Absent) -> str:
        """Why an answer would be written; empty when it would not."""
        if not isinstance(stored, Record) or stored.textless:
            return "it has no answer yet"
        if self.run.update == "always":
            return "it is to be written again"
        stale = freshness(stored, self.declaration, self.corpus) if self.run.update == "stale" else None
        return "; ".join(stale.reasons) if isinstance(stale, Stale) else ""


def _limit(answer: Answer) -> str:
    """Why a text that quotes the docs does not hold by itself; empty where all of it does, or nobody has read it."""
    waiting = (item.judgement.reason for item in answer.claims if item.judgement.verdict is Verdict.UNCHECKED)
    reason = next(waiting, None) if answer.reviewed else None
    return "" if reason is None else f"what the docs say does not hold by itself: {reason}"


def _read(answer: Answer) -> Answer:
    """An answer that nobody will write again, without what is around the passages that its writer was given: half
    of it, and no page or file shows that."""
    return replace(answer, consulted=tuple(replace(source, context=()) for source in answer.consulted))
