"""The order of the stages: select, write, audit, review, record. The only file that knows it.

Hosts (`plugin`, `cli`) hand over a corpus and declarations, and take a report with the answers. What is decided within
a stage stands in its room: what is said of a text in `review.examination`, of a want of one in `records.shortfalls`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_cited import providers
from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.answer_text.numbering import renumber
from mkdocs_cited.findings.suppressions import read_baseline
from mkdocs_cited.findings.triage import Triage
from mkdocs_cited.model.answer import Abstention, Answer, Draft, Fault, ReviewedClaim, Spend, Status
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.ledger import Estimate, Ledger
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Corpus, Via
from mkdocs_cited.pipeline.examination import Examination
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import (
    Broken,
    Fresh,
    Moved,
    Record,
    Stale,
    Store,
    advice,
    evidence_finding,
    freshness,
    shortfalls,
    to_draft,
)
from mkdocs_cited.review.ensemble import Ensemble, ensemble
from mkdocs_cited.review.interface import Reviewer
from mkdocs_cited.review.verification import verify
from mkdocs_cited.search.answer_check import nowhere, question_of
from mkdocs_cited.search.select import select
from mkdocs_cited.settings import Settings

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import PendingRequests

MOST_CORRECTIONS = 2


class Pipeline:
    """Settles declarations over one corpus."""

    def __init__(self, settings: Settings, corpus: Corpus, store: Store, run: Run) -> None:
        self.settings = settings
        self.corpus = corpus
        self.store = store
        self.run = run
        self.ledger = Ledger(settings.anthropic.max_cost, settings.anthropic.concurrency)
        self.pending = _pending_requests(run.batches) if run.batches else None
        baseline = read_baseline(store.root / settings.baseline, settings.baseline) if settings.baseline else ()
        self.triage = Triage(settings, run.today, baseline)
        self._providers: dict[str, Provider] = {}

    @cached_property
    def ensemble(self) -> Ensemble:
        """The readers that the options name."""
        may_call = self.run.calls_models and self.run.update != "never"
        return ensemble(self.settings, self.ledger, may_call=may_call, pending=self.pending)

    @cached_property
    def _examination(self) -> Examination:
        return Examination(self.settings, self.corpus, self.ensemble, self.triage.errors)

    # All answers

    def report(
        self,
        declarations: Sequence[Declaration],
        findings: Iterable[Finding] = (),
        *,
        standing: Collection[str] = (),
        elsewhere: Collection[str] = (),
    ) -> Report:
        """Settle every declaration, and gather what there is to say.

        Args:
            declarations: what is asked.
            findings: those made before.
            standing: keys of further answers whose records are no orphans.
            elsewhere: keys of declared answers that are left to another run: the other shards'.
        """
        answers = self.settle_all(declarations)
        raw = [*findings, *(finding for answer in answers for finding in answer.findings)]
        if not self.run.only:
            raw += self.store.orphans({*standing, *(declaration.key for declaration in declarations)})
            raw += self.store.clashes(declarations)
        report = self.triage.sort(raw, declarations, whole=not self.run.only, elsewhere=elsewhere)
        return replace(report.with_answers(answers), notices=self._notices())

    def settle_all(self, declarations: Sequence[Declaration]) -> list[Answer]:
        """Every answer, by key. With a model at work several at once; each is recorded as soon as it is done."""
        ordered = sorted(declarations, key=lambda declaration: declaration.key)
        providers_ = [self._provider(declaration) for declaration in ordered]
        if not self.ensemble.may_call and not (self.run.calls_models and any(item.calls_model for item in providers_)):
            return [self._settled(declaration) for declaration in ordered]
        if self.pending is not None:
            return self.pending.each(self._settled, ordered)
        from concurrent.futures import ThreadPoolExecutor  # most runs ask no model

        # Twice as many threads as requests: while some wait for the model, others audit and record.
        with ThreadPoolExecutor(2 * self.settings.anthropic.concurrency) as pool:
            return list(pool.map(self._settled, ordered))

    def estimate(self, declarations: Sequence[Declaration]) -> Estimate:
        """What models would cost for what this run would ask of them: each answer written and reviewed once, without
        corrections and rounds of tool use."""
        total = Estimate()
        for declaration in filter(self._asks_model, declarations):
            sources = select(declaration, self.corpus, self.settings).sources
            total += self._provider(declaration).estimate([Request(declaration, sources, self.corpus)])
            if self.settings.review:
                total += self.ensemble.estimate(declaration, sources)
        return total

    def _settled(self, declaration: Declaration) -> Answer:
        answer = self.settle(declaration)
        if self.run.progress:
            self.run.progress(answer)
        return answer

    def _notices(self) -> tuple[str, ...]:
        parties: list[Provider | Reviewer] = [*self._providers.values(), *self.ensemble.readers]
        notices = dict.fromkeys(notice for party in parties for notice in party.notices())
        if not self.settings.review:
            notices["The review is switched off: no claim was read by a reviewer."] = None
        return tuple(notices)

    # Questions and statements that are not declared

    def ask(self, declaration: Declaration) -> Answer:
        """The answer to a question that no page declares; nothing is read from or kept in the repository."""
        answer = self._write(declaration, self._provider(declaration), None)
        return replace(answer, findings=self.triage.sort(answer.findings, (declaration,), whole=False).shown)

    def verify(self, text: str, locale: str) -> tuple[ReviewedClaim, ...]:
        """Whether the docs say what a text says, claim by claim."""
        least = self.settings.cite_threshold
        return verify(text, self.corpus, self.ensemble.model or self.ensemble.offline, locale=locale, least=least)

    # One answer: where its text comes from

    def settle(self, declaration: Declaration) -> Answer:
        """One answer, from its record or newly written."""
        provider, kept = self._provider(declaration), self.store.read(declaration.key)
        if isinstance(kept, Broken):
            return shortfalls.broken(declaration, kept)
        record = kept if isinstance(kept, Record) else None
        if record is None or provider.id == AUTHORED:
            return self._unrecorded(declaration, provider, record)
        return self._recorded(declaration, provider, record)

    def _unrecorded(self, declaration: Declaration, provider: Provider, verdicts: Record | None) -> Answer:
        """An answer without a text in the repository: what needs no model is made on the spot."""
        if not provider.calls_model:
            return self._write(declaration, provider, verdicts)
        if waiting := self._waiting(declaration):
            return waiting
        if self._may_write(declaration, provider):
            return self._write(declaration, provider, verdicts)
        return shortfalls.missing(declaration, provider.id)

    def _recorded(self, declaration: Declaration, provider: Provider, record: Record) -> Answer:
        may_write = self._may_write(declaration, provider)
        if may_write and self.run.update == "always":
            return self._write(declaration, provider, record)
        match freshness(record, declaration, self.corpus):
            case Stale() if may_write and self.run.update == "stale":
                if provider.calls_model and (waiting := self._waiting(declaration)):
                    return waiting
                return self._write(declaration, provider, record)
            case Stale(reasons=reasons):
                return shortfalls.stale(declaration, record, self.corpus, reasons)
            case Moved(record=moved):
                return self._held(declaration, moved)
            case Fresh():
                return self._held(declaration, record)

    def _may_write(self, declaration: Declaration, provider: Provider) -> bool:
        return self.run.may_change(declaration) and (self.run.calls_models or not provider.calls_model)

    def _asks_model(self, declaration: Declaration) -> bool:
        """Whether a run with these records would ask a model to write, if it could."""
        if not self._provider(declaration).calls_model or not self.run.may_change(declaration):
            return False
        kept = self.store.read(declaration.key)
        if self.run.update == "always" or not isinstance(kept, Record):
            return not isinstance(kept, Broken) and (self.run.update == "always" or not self._waiting(declaration))
        stale = isinstance(freshness(kept, declaration, self.corpus), Stale)
        return self.run.update == "stale" and stale and not self._waiting(declaration)

    def _waiting(self, declaration: Declaration) -> Answer | None:
        """A proposal that answers today's question from today's passages: a model is not asked for it again."""
        proposal = self.store.proposal(declaration.key)
        if self.run.update == "always" or not isinstance(proposal, Record):
            return None
        if isinstance(freshness(proposal, declaration, self.corpus), Stale):
            return None
        answer = proposal.dated(self._examine(declaration, to_draft(proposal, self.corpus), proposal))
        passes = not self.triage.errors(answer.findings, declaration) and self.settings.approval == "auto"
        if passes and self.run.writes and self.run.may_change(declaration):
            # It waited for a reviewer that could not finish, or for a passage that was mended.
            self.store.write(replace(proposal, reason="").with_review(answer))
            kept = self.store.read(declaration.key)
            if isinstance(kept, Record) and kept.content == proposal.content:
                return answer
        return self._pending(declaration, replace(answer, proposal=proposal.content))

    def _pending(self, declaration: Declaration, answer: Answer) -> Answer:
        """A text that may not stand as it is: it falls short, or a person has yet to approve it."""
        failing = self.triage.errors(answer.findings, declaration)
        findings = answer.findings if failing else (*answer.findings, shortfalls.unapproved(declaration, self.store))
        reason = failing[0].message if failing else "waits for approval"
        return replace(answer, status=Status.PENDING, findings=findings, reason=reason)

    def _held(self, declaration: Declaration, record: Record) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is kept."""
        selection, provider = select(declaration, self.corpus, self.settings), self._provider(declaration)
        better = evidence_finding(record, declaration, selection.sources)
        prompt_version = provider.version if provider.calls_model else ""
        said = advice(record, provider=provider.id, model=provider.model, prompt_version=prompt_version)
        if record.abstained:
            nearest = selection.sources or selection.nearest
            abstention = Abstention(record.reason, nearest, record.provider, record.model)
            answer = self._abstained(declaration, abstention)
            return replace(answer, findings=(*answer.findings, *better), advice=said)
        answer = record.dated(self._examine(declaration, to_draft(record, self.corpus), record))
        if self.settings.approval == "required" and not record.approved:
            answer = replace(answer, findings=(*answer.findings, shortfalls.unapproved(declaration, self.store)))
        if self.run.writes and self.run.may_change(declaration):
            self.store.write(record.with_review(answer))
        proposal = self.store.proposal(declaration.key)
        waiting = proposal.content if isinstance(proposal, Record) else ""
        if isinstance(proposal, Broken):
            better = (*better, proposal.finding(declaration.key))
        counts = {"rounds": record.retries + 1, **selection.counts}
        scored = {source.passage.id: source for source in selection.sources}
        sources = (replace(scored.get(s.passage.id, s), sid=s.sid, via=s.via) for s in answer.sources)
        return replace(
            answer, sources=tuple(sources), findings=(*answer.findings, *better), proposal=waiting, advice=said,
            consulted=selection.sources, telemetry=counts,
        )  # fmt: skip

    def _write(self, declaration: Declaration, provider: Provider, record: Record | None) -> Answer:
        """A new text, corrected if the provider can, and kept."""
        selection = select(declaration, self.corpus, self.settings)
        request = Request(declaration, selection.sources, self.corpus)
        consulted, spend, retries = selection.sources or selection.nearest, Spend(), 0
        while True:
            outcome = provider.write(request)
            match outcome:
                case Fault():
                    fault = replace(outcome, spend=spend + outcome.spend)
                    return shortfalls.failed(declaration, fault, record, self.corpus)
                case Abstention():
                    spend += outcome.spend
                    answer = self._abstained(declaration, outcome)
                    break
                case Draft():
                    draft = renumber(outcome, markers(outcome.content))
                    consulted = (*consulted, *(s for s in outcome.consulted if s.via is Via.TOOL))
                    answer = self._examine(declaration, replace(draft, spend=Spend()), record)
                    spend += outcome.spend + answer.spend
            failing = self.triage.errors(answer.findings, declaration)
            unread = any(finding.slug == "review-incomplete" for finding in failing)  # not the writer's fault
            if not failing or unread or not provider.corrects or retries == MOST_CORRECTIONS:
                break
            request, retries = replace(request, previous=outcome, findings=failing), retries + 1
        counts = {"rounds": retries + 1, **selection.counts}
        answer = replace(answer, spend=spend, retries=retries, consulted=consulted, telemetry=counts)
        return self._keep(declaration, provider, answer, record)

    def _abstained(self, declaration: Declaration, outcome: Abstention) -> Answer:
        """A question that the docs do not answer, with the words of it that they do not have."""
        return shortfalls.abstained(declaration, outcome, nowhere(question_of(declaration, self.corpus)))

    def _keep(self, declaration: Declaration, provider: Provider, answer: Answer, before: Record | None) -> Answer:
        """Record a new text, or let it wait where it may not stand."""
        failing = bool(self.triage.errors(answer.findings, declaration))
        wanting = answer.status is Status.ACCEPTED and self.settings.approval == "required"
        unkept = provider.id == AUTHORED or not (self.run.writes and self.run.may_change(declaration))
        offline_gap = answer.status is Status.ABSTAINED and not provider.calls_model
        if unkept or offline_gap:
            return self._pending(declaration, answer) if failing else answer
        record = Record.of(answer, declaration, before, self.run.today)
        if failing or (wanting and not record.approved):
            self.store.propose(record)
            if before is None or not before.content:
                return self._pending(declaration, answer)
            if not failing:
                return self._held(declaration, before)
            # The accepted text goes on rendering, and the build fails for what the new one lacks.
            old = shortfalls.as_before(declaration, before, self.corpus, answer.findings)
            return replace(old, proposal=record.content, spend=answer.spend, reason=answer.reason)
        self.store.write(record)
        kept = self.store.read(declaration.key)
        if not isinstance(kept, Record) or (kept.content == record.content and not answer.findings):
            return replace(answer, written_on=record.written_on)
        # What is reported is what now stands in the repository: the next run, which reads it, says the same.
        return replace(self._held(declaration, kept), spend=answer.spend)

    def _examine(self, declaration: Declaration, draft: Draft, record: Record | None) -> Answer:
        return self._examination.examine(declaration, draft, record)

    def _provider(self, declaration: Declaration) -> Provider:
        name = declaration.provider or (AUTHORED if declaration.text else self.settings.provider)
        if name not in self._providers:
            provider = providers.FAMILY.get(name)(self.settings)
            provider.ledger, provider.pending = self.ledger, self.pending
            self._providers[name] = provider
        return self._providers[name]


def _pending_requests(folder: Path) -> PendingRequests:
    from mkdocs_cited.anthropic_client import PendingRequests  # most runs ask no model

    return PendingRequests(folder)
