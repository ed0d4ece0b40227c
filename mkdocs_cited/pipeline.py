"""The order of the stages: select, write, audit, review, record. The only file that knows it.

Hosts (`plugin`, `cli`) hand over a corpus and declarations, and take a report with the answers. What is decided within
a stage stands in its room; what is said of one text (audit, review) is `examine`, where a text comes from is `settle`.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from mkdocs_cited import providers
from mkdocs_cited.anthropic_client import Gathering
from mkdocs_cited.model.answer import (
    Abstention,
    Answer,
    Claim,
    Draft,
    Evidence,
    Fault,
    Judgement,
    ReviewedClaim,
    Spend,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, Severity, found
from mkdocs_cited.model.ledger import Estimate, Ledger
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Corpus, Source, Via
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.records import (
    Broken,
    Fresh,
    Moved,
    Record,
    Stale,
    Store,
    evidence_finding,
    freshness,
    to_draft,
)
from mkdocs_cited.retrieval.select import select
from mkdocs_cited.review.audit import audit
from mkdocs_cited.review.interface import Audit, Case, Reviewer
from mkdocs_cited.review.markdown import markers
from mkdocs_cited.review.panel import Opinion, Panel, panel
from mkdocs_cited.review.statements import claims_of
from mkdocs_cited.review.verdicts import findings_of, incomplete
from mkdocs_cited.review.verification import verify
from mkdocs_cited.settings import Settings, UpdateMode
from mkdocs_cited.sources.registry import renumber
from mkdocs_cited.suppressions import read_baseline
from mkdocs_cited.triage import Triage

MOST_CORRECTIONS = 2
MOST_AT_ONCE = 500
"""Answers that are worked on together when their requests go in batches, each by a thread that mostly waits."""
AUTHORED = "authored"
"""The provider whose text lives in the declaration, so that its record holds people's verdicts only."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run may do."""

    update: UpdateMode
    """When records may change."""
    writes: bool = True
    """Whether anything may be written into the repository at all: not by `check`, `ask`, `--dry-run`."""
    calls_models: bool = True
    """Whether models may be asked: not during `serve`, unless the options say so."""
    batches: Path | None = None
    """Folder where batches are kept, when requests of models go in batches: at half the price, within a day."""
    only: frozenset[str] = frozenset()
    """Keys or ids of the answers that may change; empty for all."""
    today: str = field(default_factory=lambda: datetime.date.today().isoformat())
    progress: Callable[[Answer], None] | None = None
    """Called as each answer is settled, from the thread that settled it."""

    def may_change(self, declaration: Declaration) -> bool:
        """Whether this answer's text may change in this run."""
        named = not self.only or declaration.key in self.only or declaration.id in self.only
        return named and self.update != "never"


class Pipeline:
    """Settles declarations over one corpus."""

    def __init__(self, settings: Settings, corpus: Corpus, store: Store, run: Run) -> None:
        self.settings = settings
        self.corpus = corpus
        self.store = store
        self.run = run
        self.ledger = Ledger(settings.anthropic.max_cost, settings.anthropic.concurrency)
        self.gathering = Gathering(run.batches) if run.batches else None
        baseline = read_baseline(store.root / settings.baseline, settings.baseline) if settings.baseline else ()
        self.triage = Triage(settings, run.today, baseline)
        self._providers: dict[str, Provider] = {}

    @cached_property
    def panel(self) -> Panel:
        """The readers that the options name."""
        may_call = self.run.calls_models and self.run.update != "never"
        return panel(self.settings, self.ledger, may_call=may_call, gathering=self.gathering)

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
        by_answer: dict[str, list[Finding]] = {}
        for finding in report.shown:
            by_answer.setdefault(finding.answer, []).append(finding)
        graded = (replace(answer, findings=tuple(by_answer.get(answer.key, ()))) for answer in answers)
        return replace(report, answers=tuple(graded), notices=self._notices())

    def extended(self, report: Report, findings: Iterable[Finding]) -> Report:
        """A report with findings of a later stage."""
        more = self.triage.sort(findings, (), whole=False)
        return replace(
            report,
            shown=tuple(sorted((*report.shown, *more.shown), key=lambda finding: finding.sort_key)),
            suppressed=report.suppressed + more.suppressed,
            ignored=report.ignored + more.ignored,
        )

    def settle_all(self, declarations: Sequence[Declaration]) -> list[Answer]:
        """Every answer, by key. With a model at work several at once; each is recorded as soon as it is done."""
        ordered = sorted(declarations, key=lambda declaration: declaration.key)
        providers_ = [self._provider(declaration) for declaration in ordered]
        if not self.panel.may_call and not (self.run.calls_models and any(item.calls_model for item in providers_)):
            return [self._settled(declaration) for declaration in ordered]
        if self.gathering is not None:
            parts = (ordered[at : at + MOST_AT_ONCE] for at in range(0, len(ordered), MOST_AT_ONCE))
            answers = [answer for part in parts for answer in self._settled_together(part, self.gathering)]
            self.gathering.finish()
            return answers
        # Twice as many threads as requests: while some wait for the model, others audit and record.
        with ThreadPoolExecutor(2 * self.settings.anthropic.concurrency) as pool:
            return list(pool.map(self._settled, ordered))

    def _settled_together(self, declarations: Sequence[Declaration], gathering: Gathering) -> list[Answer]:
        """Answers whose requests go in batches: a thread each, since a batch waits for all of them."""

        def work(declaration: Declaration) -> Answer:
            with gathering.worker():
                return self._settled(declaration)

        gathering.expect(len(declarations))
        with ThreadPoolExecutor(len(declarations)) as pool:
            try:
                return list(pool.map(work, declarations))
            except BaseException:
                gathering.stop()  # otherwise the pool would wait for the batch
                raise

    def estimate(self, declarations: Sequence[Declaration]) -> Estimate:
        """What models would cost for what this run would ask of them: each answer written and reviewed once, without
        corrections and rounds of tool use."""
        total = Estimate()
        for declaration in filter(self._asks_model, declarations):
            sources = select(declaration, self.corpus, self.settings).sources
            provider, reader = self._provider(declaration), self.panel.model
            total += provider.estimate([Request(declaration, sources, self.corpus)])
            if reader is not None and self.settings.review:
                # What will be claimed is not known: as if each source were cited once, in its own words.
                total += reader.estimate([[_as_case(source, declaration) for source in sources]])
        return total

    def _settled(self, declaration: Declaration) -> Answer:
        answer = self.settle(declaration)
        if self.run.progress:
            self.run.progress(answer)
        return answer

    def _notices(self) -> tuple[str, ...]:
        parties: list[Provider | Reviewer] = [*self._providers.values(), *self.panel.readers]
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
        return verify(text, self.corpus, self.panel.model or self.panel.offline, locale=locale, least=least)

    # One answer: where its text comes from

    def settle(self, declaration: Declaration) -> Answer:
        """One answer, from its record or newly written."""
        provider, kept = self._provider(declaration), self.store.read(declaration.key)
        if isinstance(kept, Broken):
            return self._empty(declaration, Status.FAILED, kept.reason, kept.finding(declaration.key))
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
        message = f"“{declaration.question}” has no answer yet, and this run may not ask `{provider.id}`"
        finding = found("missing-answer", declaration.place, message, tip=_run(declaration), answer=declaration.key)
        return self._empty(declaration, Status.MISSING, "not written yet", finding)

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
                return self._stale(declaration, record, reasons)
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
        answer = _dated(self._examine(declaration, to_draft(proposal, self.corpus), proposal), proposal)
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
        findings = answer.findings if failing else (*answer.findings, self._unapproved(declaration))
        reason = failing[0].message if failing else "waits for approval"
        return replace(answer, status=Status.PENDING, findings=findings, reason=reason)

    def _stale(self, declaration: Declaration, record: Record, reasons: Sequence[str]) -> Answer:
        message = f"the answer to “{declaration.question}” is out of date: {'; '.join(reasons)}"
        finding = found("stale-answer", declaration.place, message, tip=_run(declaration), answer=declaration.key)
        answer = self._answer(declaration, to_draft(record, self.corpus), Status.STALE, (finding,))
        return replace(_dated(answer, record), reason="; ".join(reasons))

    def _held(self, declaration: Declaration, record: Record) -> Answer:
        """An answer whose record holds: its review runs again, and what is new of it is kept."""
        selection = select(declaration, self.corpus, self.settings)
        advice = evidence_finding(record, declaration, selection.sources)
        if record.abstained:
            nearest = selection.sources or selection.nearest
            answer = self._abstained(declaration, Abstention(record.reason, nearest, record.provider, record.model))
            return replace(answer, findings=(*answer.findings, *advice))
        answer = _dated(self._examine(declaration, to_draft(record, self.corpus), record), record)
        if self.settings.approval == "required" and not record.approved:
            answer = replace(answer, findings=(*answer.findings, self._unapproved(declaration)))
        if self.run.writes and self.run.may_change(declaration):
            self.store.write(record.with_review(answer))
        proposal = self.store.proposal(declaration.key)
        waiting = proposal.content if isinstance(proposal, Record) else ""
        if isinstance(proposal, Broken):
            advice = (*advice, proposal.finding(declaration.key))
        counts = {"rounds": record.retries + 1, **selection.counts}
        scored = {source.passage.id: source for source in selection.sources}
        sources = (replace(scored.get(s.passage.id, s), sid=s.sid, via=s.via) for s in answer.sources)
        return replace(
            answer, sources=tuple(sources), findings=(*answer.findings, *advice), proposal=waiting,
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
                    return self._fault(declaration, replace(outcome, spend=spend + outcome.spend), record)
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
            standing = self._answer(declaration, to_draft(before, self.corpus), Status.STALE, answer.findings)
            return replace(_dated(standing, before), proposal=record.content, spend=answer.spend, reason=answer.reason)
        self.store.write(record)
        kept = self.store.read(declaration.key)
        if not isinstance(kept, Record) or (kept.content == record.content and not answer.findings):
            return replace(answer, written_on=record.written_on)
        # What is reported is what now stands in the repository: the next run, which reads it, says the same.
        return replace(self._held(declaration, kept), spend=answer.spend)

    # One text: what is said of it

    def _examine(self, declaration: Declaration, draft: Draft, record: Record | None) -> Answer:
        """Audit and review of one text."""
        claims = claims_of(draft, declaration)
        sheet = self._sheet(declaration, draft, claims, record)
        evidence = [sheet.evidence(claim) for claim in claims]
        cases = [
            Case(claim, items, declaration.question, declaration.locale)
            for claim, items in zip(claims, evidence, strict=True)
            if items
        ]
        opinion = self._opinion(cases, record)
        judged = iter(zip(opinion.judgements, opinion.kept or ((),) * len(cases), strict=True))
        nothing = Judgement(Verdict.UNCHECKED, reason="it cites nothing")
        reviewed = tuple(
            ReviewedClaim(claim, items, *(next(judged) if items else (nothing,)))
            for claim, items in zip(claims, evidence, strict=True)
        )
        sheet = replace(
            sheet,
            judgements=tuple(item.judgement for item in reviewed),
            conflicts=opinion.conflicts,
            unresolved=draft.unresolved if self.triage.errors(draft.findings, declaration) else (),
        )
        audited = audit(sheet)
        read = self._review_findings(sheet, reviewed, opinion)
        findings = (*draft.findings, *audited, *(finding for finding in read if not self._told(finding, audited)))
        return replace(
            self._answer(declaration, draft, Status.ACCEPTED, findings),
            claims=reviewed,
            reviewed=self.settings.review and not opinion.incomplete and not opinion.unread,
            reviewer=self.panel.name,
            spend=draft.spend + opinion.spend,
        )

    def _told(self, finding: Finding, audited: Sequence[Finding]) -> bool:
        """Whether a rule has failed the claim for a changed fact already: a reader's word on it says no more."""
        if CATALOGUE[finding.slug].group != "verdict":
            return False
        altered = (item for item in audited if CATALOGUE[item.slug].group == "altered" and item.claim == finding.claim)
        return any(self.triage.graded(item).severity is Severity.ERROR for item in altered)

    def _opinion(self, cases: Sequence[Case], record: Record | None) -> Opinion:
        if not self.settings.review:
            return Opinion(tuple(Judgement(Verdict.UNCHECKED, reason="the review is switched off") for _ in cases))

        def recall(case: Case, reviewer: str) -> Judgement | None:
            hashes = tuple(item.passage.hash for item in case.evidence)
            return record.judgement(case.claim.text, hashes, reviewer) if record else None

        return self.panel.judge(cases, recall, self.corpus)

    def _review_findings(self, sheet: Audit, reviewed: Sequence[ReviewedClaim], opinion: Opinion) -> Sequence[Finding]:
        if not self.settings.review:
            return ()
        if opinion.incomplete:
            return (incomplete(opinion.incomplete, sheet),)
        if opinion.unread:
            key, message = sheet.declaration.key, f"{opinion.unread} claims were not read by {self.panel.name} yet"
            tip = _run(sheet.declaration)
            return (found("unreviewed-answer", sheet.place(), message, tip=tip, answer=key),)
        return findings_of(reviewed, sheet)

    def _sheet(self, declaration: Declaration, draft: Draft, claims: tuple[Claim, ...], record: Record | None) -> Audit:
        """The text as the rules see it, with the place where it stands: the record's body or the author's lines."""
        authored = draft.provider == AUTHORED
        in_record = record is not None and not authored and record.content == draft.content
        if record is not None and in_record:
            place = Place(record.file or self.store.path(declaration.key), record.body_line or 1)
        else:
            place = (declaration.text_place if authored else None) or declaration.place
        verbatim = authored and declaration.text_verbatim
        return Audit(
            declaration, draft.content, claims, draft.citations, draft.sources, self.corpus, self.settings,
            file=place.file, line=place.line, lines_count=in_record or verbatim,
            column=place.column, written=declaration.text.strip("\n") if verbatim else "",
        )  # fmt: skip

    # Answers as values

    def _answer(
        self, declaration: Declaration, draft: Draft | None, status: Status, findings: Sequence[Finding]
    ) -> Answer:
        answer = Answer(
            declaration.key, declaration.page, declaration.id, declaration.question, status,
            format=declaration.format, target=declaration.target, findings=tuple(findings),
        )  # fmt: skip
        if draft is None:
            return answer
        return replace(
            answer, content=draft.content, sources=draft.sources, citations=draft.citations, provider=draft.provider,
            model=draft.model, prompt_version=draft.prompt_version, pointers=draft.pointers,
        )  # fmt: skip

    def _empty(self, declaration: Declaration, status: Status, reason: str, finding: Finding) -> Answer:
        return replace(self._answer(declaration, None, status, (finding,)), reason=reason)

    def _abstained(self, declaration: Declaration, outcome: Abstention) -> Answer:
        message = f"the docs do not answer “{declaration.question}”: {outcome.reason}"
        tip = "document it, add other phrasings under `queries:`, or lower `cite_threshold`"
        finding = found("not-documented", declaration.place, message, tip=tip, answer=declaration.key)
        answer = self._empty(declaration, Status.ABSTAINED, outcome.reason, finding)
        return replace(answer, provider=outcome.provider, model=outcome.model, consulted=outcome.nearest)

    def _fault(self, declaration: Declaration, fault: Fault, record: Record | None) -> Answer:
        """A provider that could not write: the build fails, and what was accepted before goes on rendering."""
        finding = found("provider-error", declaration.place, fault.reason, tip=fault.tip, answer=declaration.key)
        if record is None or not record.content:
            return replace(self._empty(declaration, Status.FAILED, fault.reason, finding), spend=fault.spend)
        answer = self._answer(declaration, to_draft(record, self.corpus), Status.STALE, (finding,))
        return replace(_dated(answer, record), spend=fault.spend, reason=fault.reason)

    def _unapproved(self, declaration: Declaration) -> Finding:
        proposal = self.store.path(declaration.key, proposal=True)
        path = proposal if (self.store.root / proposal).is_file() else self.store.path(declaration.key)
        message = f"the answer to “{declaration.question}” waits for a person's approval"
        tip = f"read it, then run `mkdocs-cited accept {declaration.key}`"
        return found("unapproved-answer", Place(path), message, tip=tip, answer=declaration.key)

    def _provider(self, declaration: Declaration) -> Provider:
        name = declaration.provider or (AUTHORED if declaration.text else self.settings.provider)
        if name not in self._providers:
            provider = providers.FAMILY.get(name)(self.settings)
            provider.ledger, provider.gathering = self.ledger, self.gathering
            self._providers[name] = provider
        return self._providers[name]


def _run(declaration: Declaration) -> str:
    """The next step for an answer that a model has yet to write or read."""
    return f"run `mkdocs-cited update {declaration.key}` and commit the record"


def _as_case(source: Source, declaration: Declaration) -> Case:
    """A claim that says what a source says."""
    passage = source.passage
    first = passage.sentence_texts()[:1] or (passage.text,)
    return Case(Claim(first[0], (source.sid,)), (Evidence(passage, first[0]),), declaration.question)


def _dated(answer: Answer, record: Record) -> Answer:
    """The answer with what its record knows of its past."""
    approval = record.approval if record.approved else None
    return replace(
        answer,
        retries=record.retries,
        written_on=record.written_on,
        accepted_by=approval.by if approval else "",
        accepted_on=approval.date if approval else "",
    )
