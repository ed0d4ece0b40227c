"""The order of the stages: select, write, audit, review, record. The only file that knows it.

Hosts (`plugin`, `cli`) hand over a corpus and declarations, and take a report with the answers. What is decided within
a stage stands in its room: what is said of a text in `review.examination`, of a want of one in `records.shortfalls`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_cited import providers
from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.answer_text.numbering import renumber
from mkdocs_cited.findings.gathering import gathered
from mkdocs_cited.findings.suppressions import read_baseline
from mkdocs_cited.findings.triage import Triage
from mkdocs_cited.local_models.encoder import Encoder
from mkdocs_cited.model.answer import Abstention, Answer, Draft, Fault, ReviewedClaim, Spend, Status
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.ledger import Estimate, Ledger
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Corpus, Via
from mkdocs_cited.pipeline.examination import Examination
from mkdocs_cited.pipeline.expectations import unmet
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import (
    Absent,
    Broken,
    Fresh,
    Moved,
    Record,
    Stale,
    Store,
    advice,
    evidence_finding,
    freshness,
    has_a_persons_word,
    nearest_of,
    shortfalls,
    to_draft,
)
from mkdocs_cited.review.ensemble import Ensemble, ensemble
from mkdocs_cited.review.interface import Reviewer
from mkdocs_cited.review.notes import Notes
from mkdocs_cited.review.verification import verify
from mkdocs_cited.search.answer_check import nowhere, question_of
from mkdocs_cited.search.meaning import ByMeaning
from mkdocs_cited.search.select import select
from mkdocs_cited.settings import Settings

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Access

MOST_CORRECTIONS = 2
_LEAVE = "add `models: [{0}]` to the options of `cited` in mkdocs.yml, or name another provider"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do about one answer."""

    writer: Provider | None
    """Who would write it; nobody, where it would be kept."""
    reason: str
    """Why, in words."""


OFFLINE = "extractive"
"""Who answers where no model may be called."""


class Pipeline:
    """Takes each declaration through all stages, over the passages of one site and under the rules of one run."""

    def __init__(self, settings: Settings, corpus: Corpus, store: Store, run: Run) -> None:
        self.settings = settings
        self.corpus = corpus
        self.store = store
        self.run = run
        baseline = read_baseline(store.root / settings.baseline, settings.baseline) if settings.baseline else ()
        self.triage = Triage(settings, run.today, baseline)
        self._providers: dict[str, Provider] = {}

    @cached_property
    def ensemble(self) -> Ensemble:
        """The reviewers that the options name."""
        may_call = self.run.calls_models and self.run.update != "never"
        return ensemble(self.settings, lambda: self.access, may_call=may_call)

    @cached_property
    def access(self) -> Access:
        """The way to models, one for all of this run."""
        from mkdocs_cited.anthropic_client import Access, PendingRequests  # most runs ask no model

        options = self.settings.anthropic
        pending = PendingRequests(self.run.batches) if self.run.batches else None
        return Access(options, Ledger(options.max_cost, options.concurrency), pending)

    @cached_property
    def finding(self) -> Corpus:
        """The corpus as writers search it: by meaning, too, where the options name an encoder and the run may use it.

        Raises:
            CitedError: the encoder is not on this machine or cannot be read.
        """
        name = self.settings.local.encoder
        if not (name and self.run.finds_by_meaning):
            return self.corpus
        encoder, across = Encoder.named(name, self.store.root), self.settings.local.across_languages
        return ByMeaning(self.corpus, encoder, across=across, progress=self.run.encoding)

    @cached_property
    def _examination(self) -> Examination:
        return Examination(self.settings, self.corpus, self.ensemble, self.triage.errors, self.notes)

    @cached_property
    def notes(self) -> Notes | None:
        """What may help to write and may not be published."""
        named = any(entry.type == "note" for entry in self.settings.extra_sources)
        return Notes.of(self.corpus) if named else None

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
        if self.notes:
            raw = [self.notes.without(finding) for finding in raw]
        if not self.run.only:
            raw += self.store.orphans({*standing, *(declaration.key for declaration in declarations)})
            raw += self.store.clashes(declarations)
        report = self.triage.sort(raw, declarations, whole=not self.run.only, elsewhere=elsewhere)
        return replace(gathered(report, answers).with_answers(answers), notices=self._notices())

    def settle_all(self, declarations: Sequence[Declaration]) -> list[Answer]:
        """Every answer, by key. With a model at work several at once; each is recorded as soon as it is done."""
        ordered = sorted(declarations, key=lambda declaration: declaration.key)
        providers_ = [self._provider(declaration) for declaration in ordered]
        if not self.ensemble.may_call and not (self.run.calls_models and any(item.calls_model for item in providers_)):
            return [self._settled(declaration) for declaration in ordered]
        if self.access.pending is not None:
            return self.access.pending.each(self._settled, ordered)
        from concurrent.futures import ThreadPoolExecutor  # most runs ask no model

        # Twice as many threads as requests: while some wait for the model, others audit and record.
        with ThreadPoolExecutor(2 * self.settings.anthropic.concurrency) as pool:
            return list(pool.map(self._settled, ordered))

    def estimate(self, declarations: Sequence[Declaration]) -> Estimate:
        """What models would cost for what this run would ask of them: each answer written and reviewed once, without
        corrections and rounds of tool use."""
        total = Estimate()
        for declaration in declarations:
            writer = self.plan(declaration).writer
            if writer is None or not writer.calls_model:
                continue
            sources = select(declaration, self.corpus, self.settings).sources
            total += writer.estimate([Request(declaration, sources, self.corpus)])
            if self.settings.review:
                total += self.ensemble.estimate(declaration, sources)
        return total

    def _settled(self, declaration: Declaration) -> Answer:
        answer = self._publishable(declaration, self._tested(declaration, self.settle(declaration)))
        if self.run.progress:
            self.run.progress(answer)
        return answer

    def _publishable(self, declaration: Declaration, answer: Answer) -> Answer:
        """The answer; without its text where that repeats a note, whoever wrote it, and however old it is."""
        texts = (answer.content, answer.reason, answer.proposal)
        if self.notes is None or not any(map(self.notes.repeated, texts)):
            return answer
        leaks = [finding for finding in answer.findings if finding.slug == "leaked-note"]
        leaks = leaks or [shortfalls.leaked(declaration)]
        if not self.triage.errors(leaks, declaration):
            return answer
        return replace(shortfalls.withheld(answer, leaks), spend=answer.spend)

    def _tested(self, declaration: Declaration, answer: Answer) -> Answer:
        """The answer with what its question expects of it in vain; neither its text nor its record depends on that."""
        return replace(answer, findings=(*answer.findings, *unmet(declaration, answer, self.corpus)))

    def _notices(self) -> tuple[str, ...]:
        parties: list[Provider | Reviewer] = [*self._providers.values(), *self.ensemble.readers]
        notices = dict.fromkeys(notice for party in parties for notice in party.notices())
        if not self.settings.review:
            notices["The review is switched off: no claim was read by a reviewer."] = None
        return tuple(notices)

    # Questions and statements that are not declared

    def ask(self, declaration: Declaration) -> Answer:
        """The answer to a question that no page declares; nothing is read from or kept in the repository."""
        written = self._write(declaration, self._provider(declaration), None)
        answer = self._publishable(declaration, self._tested(declaration, written))
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
        if record is None or provider.id == AUTHORED or record.textless:
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
        tip = "" if self._asked_for(declaration) else f"a page alone asks no model: {_LEAVE.format(provider.id)}"
        return shortfalls.missing(declaration, provider.id, tip)

    def _recorded(self, declaration: Declaration, provider: Provider, record: Record) -> Answer:
        may_write = self._may_write(declaration, provider)
        if may_write and self.run.update == "always":
            return self._write(declaration, provider, record)
        match freshness(record, declaration, self.corpus):
            case Stale() if may_write and self.run.update == "stale":
                if provider.calls_model and (waiting := self._waiting(declaration, record)):
                    return waiting
                return self._write(declaration, provider, record)
            case Stale(reasons=reasons):
                return shortfalls.stale(declaration, record, self.corpus, reasons)
            case Moved(record=moved):
                return self._held(declaration, moved)
            case Fresh():
                return self._held(declaration, record)

    def _may_write(self, declaration: Declaration, provider: Provider) -> bool:
        may_call = self.run.calls_models and self._asked_for(declaration)
        return self.run.may_change(declaration) and (may_call or not provider.calls_model)

    def _asked_for(self, declaration: Declaration) -> bool:
        """Whether the options ask for who shall write the answer: money is not spent on a page's word alone."""
        return self.settings.asks(declaration.provider or self.settings.provider)

    def plan(self, declaration: Declaration) -> Plan:
        """What a run with these records would do about an answer, if it could ask models."""
        provider, kept = self._provider(declaration), self.store.read(declaration.key)
        if isinstance(kept, Broken):
            return Plan(None, f"its record {kept.reason}")
        if provider.id == AUTHORED:
            return Plan(None, "its text stands in its page")
        if not self.run.may_change(declaration):
            return Plan(None, "this run leaves it alone")
        if provider.calls_model and not self._asked_for(declaration):
            return Plan(None, f"mkdocs.yml does not ask for `{provider.id}`")
        reason = self._reason_to_write(declaration, kept)
        if not reason:
            return Plan(
                None, "it has an answer" if self.run.update == "missing" else "nothing that it rests on changed"
            )
        if provider.calls_model and self._waiting(declaration):
            return Plan(None, "a proposal waits for a person")
        return Plan(provider, reason)

    def _reason_to_write(self, declaration: Declaration, kept: Record | Absent) -> str:
        """Why an answer would be written; empty when it would not."""
        if not isinstance(kept, Record) or kept.textless:
            return "it has no answer yet"
        if self.run.update == "always":
            return "it is to be written anew"
        stale = freshness(kept, declaration, self.corpus) if self.run.update == "stale" else None
        return "; ".join(stale.reasons) if isinstance(stale, Stale) else ""

    def _waiting(self, declaration: Declaration, before: Record | None = None) -> Answer | None:
        """A proposal that answers today's question from today's passages: a model is not asked for it again. The text
        that it waits beside goes on rendering."""
        proposal = self.store.proposal(declaration.key)
        if self.run.update == "always" or not isinstance(proposal, Record):
            return None
        if isinstance(freshness(proposal, declaration, self.corpus), Stale):
            return None
        stands = before if before is not None and before.content else None
        if proposal.abstained:
            return shortfalls.kept_waiting(declaration, stands, proposal, self.store, self.corpus) if stands else None
        answer = proposal.dated(self._examine(declaration, to_draft(proposal, self.corpus), proposal))
        failing = self.triage.errors(answer.findings, declaration)
        if not failing and self.settings.approval == "auto" and self.run.writes and self.run.may_change(declaration):
            # It waited for a reviewer that could not finish, or for a passage that was mended.
            self.store.write(replace(proposal, reason="").with_review(answer))
            kept = self.store.read(declaration.key)
            if isinstance(kept, Record) and kept.content == proposal.content:
                return answer
        if stands and not failing:
            return shortfalls.kept_waiting(declaration, stands, proposal, self.store, self.corpus)
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
            nearest = nearest_of(record, selection.sources or selection.nearest, self.corpus)
            abstention = Abstention(record.reason, nearest, record.provider, record.model)
            answer = self._abstained(declaration, abstention)
            return replace(answer, findings=(*answer.findings, *better), advice=said)
        answer = record.dated(self._examine(declaration, to_draft(record, self.corpus), record))
        if self.settings.approval == "required" and not record.approved:
            answer = replace(answer, findings=(*answer.findings, shortfalls.unapproved(declaration, self.store)))
        if self.run.writes and self.run.may_change(declaration):
            self.store.write(record.with_review(answer))
        proposal = self.store.proposal(declaration.key)
        waiting = shortfalls.proposed(proposal) if isinstance(proposal, Record) else ""
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
        """A newly written answer: corrected while its review fails and its provider can do better, then kept."""
        corpus = self.corpus if provider.id == AUTHORED else self.finding
        selection = select(declaration, corpus, self.settings)
        request = Request(declaration, selection.sources, corpus)
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
                    consulted = outcome.nearest or consulted
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
        encoder = Path(self.settings.local.encoder).name if isinstance(corpus, ByMeaning) else ""
        answer = replace(answer, spend=spend, retries=retries, consulted=consulted, telemetry=counts, encoder=encoder)
        return self._keep(declaration, provider, answer, record)

    def _abstained(self, declaration: Declaration, outcome: Abstention) -> Answer:
        """A question that the docs do not answer, with the words of it that they do not have."""
        return shortfalls.abstained(declaration, outcome, nowhere(question_of(declaration, self.corpus)))

    def _keep(self, declaration: Declaration, provider: Provider, answer: Answer, before: Record | None) -> Answer:
        """Record a new text, or let it wait where it may not stand."""
        failing = bool(self.triage.errors(answer.findings, declaration))
        required, replaces = self.settings.approval == "required", before is not None and bool(before.content)
        wanting = required and (answer.status is Status.ACCEPTED or replaces)
        unkept = provider.id == AUTHORED or not (self.run.writes and self.run.may_change(declaration))
        guarded = before is not None and replaces and (required or has_a_persons_word(before))
        gap = answer.status is Status.ABSTAINED and not guarded
        passing = not declaration.published or gap  # made anew as often as it is wanted
        if unkept or (passing and not provider.calls_model and not (gap and answer.encoder)):
            return self._pending(declaration, answer) if failing else answer
        record = Record.of(answer, declaration, before, self.run.today)
        if failing or (wanting and not record.approved):
            self.store.propose(record)
            if before is None or not replaces:
                return self._pending(declaration, answer)
            if not failing:
                return self._held(declaration, before)
            # The accepted text goes on rendering, and the build fails for what the new one lacks.
            old = shortfalls.as_before(declaration, before, self.corpus, answer.findings)
            return replace(old, proposal=shortfalls.proposed(record), spend=answer.spend, reason=answer.reason)
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
        if not declaration.published and not declaration.provider and providers.FAMILY.get(name).calls_model:
            name = OFFLINE  # what is only checked costs a model call only where the question itself names the model
        if name not in self._providers:
            kind = providers.FAMILY.get(name)
            self._providers[name] = kind(self.settings, self.access if kind.calls_model else None)
        return self._providers[name]
