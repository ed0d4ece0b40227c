"""All answers of one site, in one run: each is resolved, and what there is to say is gathered into a report.

Hosts (`mkdocs_host`, `cli`) hand over a corpus and declarations, and take a report with the answers. The order of the
stages for one answer is in `resolution`, and in no other file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_cited import providers
from mkdocs_cited.answer_text.citing import renumber
from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean, slugify
from mkdocs_cited.findings import gathered
from mkdocs_cited.model.answer import Answer, Decision, Judgement, ReviewedClaim
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.report import Estimate, Report
from mkdocs_cited.model.source import Corpus, Hit, Passage, Scope
from mkdocs_cited.pipeline.examination import uncited
from mkdocs_cited.pipeline.resolution import Plan, Resolution
from mkdocs_cited.pipeline.run import OFFLINE, Stages
from mkdocs_cited.pipeline.shortfalls import rings
from mkdocs_cited.providers.interface import Provider
from mkdocs_cited.providers.quote import quoted, with_its_list
from mkdocs_cited.records import Record
from mkdocs_cited.review.decisions import decided
from mkdocs_cited.review.evidence import pieces_of
from mkdocs_cited.review.interface import Reviewer
from mkdocs_cited.search.as_markdown import blocks
from mkdocs_cited.search.index import in_scope
from mkdocs_cited.search.select import hits_of, nearest, scope_of

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import Usage

LONGEST_QUESTION = 2_000
"""Characters."""


class Pipeline(Stages):
    """Takes each declaration through all stages, over the passages of one site and under the rules of one run."""

    def report(
        self,
        declarations: Sequence[Declaration],
        findings: Iterable[Finding] = (),
        *,
        known: Collection[str] = (),
        others: Collection[str] = (),
    ) -> Report:
        """Resolve every declaration, and gather what there is to say.

        Args:
            declarations: what is asked.
            findings: those made before.
            known: keys of further answers whose records are no orphans.
            others: keys of declared answers that are left to another run.
        """
        answers = self.resolve_all(declarations)
        raw = [*findings]
        for answer in answers:
            raw += answer.findings
        raw += rings(answers, declarations)
        raw += unmatched(declarations, self.corpus)
        if not self.run.only:
            keys = {*known, *(item.key for item in declarations)}
            orphans = self.store.orphans(keys, declarations)
            raw += [orphan.finding() for orphan in orphans]
        report = self.triage.sort(raw, whole=not self.run.only, others=others)
        report = gathered(report, answers)
        return replace(
            report, notices=self._notices() if answers else (), spent=self.ledger.spent
        )

    def resolve_all(self, declarations: Sequence[Declaration]) -> list[Answer]:
        """Every answer, by key. With a model at work several at once; each is recorded as soon as it is done."""
        ordered = sorted(declarations, key=lambda declaration: declaration.key)
        if not self.may_ask(ordered):
            return list(map(self._resolved, ordered))
        return self.access.each(self._resolved, ordered)

    def may_ask(self, declarations: Sequence[Declaration]) -> bool:
        """Whether this run may ask a model about any of them, to write or to review."""
        if self.ensemble.may_call:
            return True
        if self.run.calls_models:
            for declaration in declarations:
                provider = self.provider(declaration)
                if provider.calls_model and provider.check() is None:
                    return True
        return False

    def _resolved(self, declaration: Declaration) -> Answer:
        if self.run.doing:
            self.run.doing(declaration.key)
        answer = Resolution(self, declaration).answer()
        if self.run.progress:
            self.run.progress(answer)
        return answer

    @cached_property
    def _without_models(self) -> Pipeline:
        """The same stages under a run that asks no model and writes nothing: what is planned costs nothing."""
        run = replace(self.run, writes=False, calls_models=False)
        return Pipeline(self.settings, self.corpus, self.store, run, self.declared)

    def plan(self, declaration: Declaration) -> Plan:
        """What this run would do about an answer, if it could ask models."""
        resolution = Resolution(self._without_models, declaration)
        plan = resolution.plan()
        model = self.ensemble.model
        if plan.writer or model is None or not model.calls_model:
            return plan
        answer = resolution.answer()
        return replace(plan, reads=bool(answer.claims) and not answer.reviewed)

    def estimate(
        self, declarations: Sequence[Declaration], plans: Sequence[Plan] = ()
    ) -> Estimate:
        """What models would cost for what this run would ask of them: what recorded answers of the site have cost in
        the median, and as long as there are none, what answers have cost elsewhere.

        Args:
            declarations: what is asked.
            plans: what the run would do about each, where that is known.
        """
        # most runs ask no model
        from mkdocs_cited.anthropic_client import REVIEW, WRITING

        asked = 0
        read = 0
        for plan in plans or map(self.plan, declarations):
            asked += plan.writer is not None
            read += plan.reads
        costs = []
        for declaration in declarations:
            record = self.store.read(declaration.key)
            if isinstance(record, Record) and record.spend.cost:
                costs.append(record.spend.cost)
        writing = self._price(WRITING, self.settings.anthropic.model)
        review = self._price(REVIEW, self.settings.anthropic.review_model)
        each = None
        if costs:
            each = median(costs)
        elif writing is not None and review is not None:
            each = writing + review
        return Estimate(asked, each, len(costs), read, review)

    def _price(self, work: Usage, model: str) -> float | None:
        """US dollars that a model costs for a piece of work, one's own server none; `None` where nobody knows."""
        options = self.settings.anthropic
        if options.own_server:
            return 0.0
        return work.cost(model, options.prices)

    def _notices(self) -> tuple[str, ...]:
        """What the writers and reviewers of this run have to say of themselves, each once."""
        reviewer = self.ensemble.model or self.ensemble.offline
        parties: list[Provider | Reviewer] = [*self._providers.values(), reviewer]
        notices: list[str] = []
        for party in parties:
            notices += party.notices()
        return tuple(dict.fromkeys(notices))

    def ask(self, declaration: Declaration) -> Answer:
        """The answer to a question that no page declares; nothing is read from or stored in the repository.
        Where the run may call no model, a provider that needs none writes it."""
        name = declaration.provider or self.settings.provider
        if not self.run.calls_models and providers.FAMILY.get(name).calls_model:
            declaration = replace(declaration, provider=OFFLINE)
        answer = Resolution(self, declaration).asked()
        return replace(
            answer,
            findings=self.triage.sort(answer.findings, whole=False).shown,
        )

    def taken(
        self,
        declaration: Declaration,
        passages: Sequence[Passage],
        text: str | None = None,
    ) -> Answer:
        """The answer that a person makes of passages.

        Args:
            declaration: the question.
            passages: what is quoted, in order.
            text: the person's own Markdown, which cites them as `[^1]`, `[^2]`, …; by default their words.

        Raises:
            UsageError: the text cites nothing, or a passage that was not taken.
        """
        draft = quoted(passages)
        if text is not None:
            used = {sid for sid, _, _ in markers(text)}
            if not used:
                raise UsageError(
                    "the text cites none of the passages",
                    tip="write `[^1]` behind each sentence: it cites the first ADDRESS",
                )
            strange = used.difference(source.sid for source in draft.sources)
            if strange:
                raise UsageError(
                    f"`[^{min(strange)}]` is not one of the passages taken",
                    tip=f"take {min(strange)} of them",
                )
            kept = tuple(item for item in draft.citations if item.sid in used)
            draft = replace(draft, content=text, citations=kept)
        draft = renumber(draft)
        return self.examination.examine(declaration, draft, None)

    def estimate_of_reading(self, text: str, locale: str) -> Estimate:
        """What a model would cost that reads each claim of a text with the passages near to it."""
        # most runs ask no model
        from mkdocs_cited.anthropic_client import READING

        ensemble = self.ensemble
        if not (ensemble.may_call and ensemble.model and ensemble.model.calls_model):
            return Estimate(0, 0.0)
        each = self._price(READING, self.settings.anthropic.review_model)
        return Estimate(len(split(uncited(text), locale)), each)

    def found(self, question: Declaration, limit: int) -> tuple[Hit, ...]:
        """What a question and its other phrasings find, best first; at most so many passages of each phrasing."""
        return hits_of(question, self.search_corpus, limit)

    def offered(
        self, question: Declaration, queries: Sequence[str], most: int
    ) -> list[Sequence[Passage]]:
        """Quotations to answer a question with, each whole with its list: those nearest to the latest words and to
        earlier ones, several of a section where they are; the one that the page shows; and the nearest of each section
        to the question."""
        quotations: list[Sequence[Passage]] = []
        for words in reversed(queries):
            hits = self.corpus.search(words, scope=scope_of(question), limit=most)
            quotations += [with_its_list(hit.passage, self.corpus) for hit in hits]
        shown = self.ask(question)
        if shown.content:
            quotations.append([source.passage for source in shown.sources])
        for source in nearest(question, self.corpus, most):
            quotations.append(with_its_list(source.passage, self.corpus))
        return quotations

    def cited_words(self, claim: ReviewedClaim) -> list[str]:
        """The sentences, rows and lines of what a claim cites: a decision depends on some of them."""
        return [text for _, text in pieces_of(claim.evidence)]

    def decisions(
        self, claims: Iterable[ReviewedClaim], judgement: Judgement
    ) -> list[Decision]:
        """A judgement on some claims, as a record stores it."""
        return [decided(item.claim, item.evidence, judgement) for item in claims]

    def markdown(self, page: str, anchor: str) -> str:
        """A section with those below it, or a whole page, as Markdown without notes; empty where there is none."""
        passages = []
        for passage in self.corpus.section(page, anchor):
            if not passage.is_private:
                passages.append(passage)
        return "\n\n".join(block.text for block in blocks(passages))


def declared(question: str, locale: str) -> Declaration:
    """A question as a declaration of no page.

    Raises:
        UsageError: it is empty or too long.
    """
    # JSON can spell halves of characters
    question = question.encode("utf-8", "replace").decode()
    if not question.strip() or len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"a question has 1 to {LONGEST_QUESTION:,} characters",
            tip="write it in quotes: `'How do I …?'`",
        )
    return Declaration("", slugify(question), question, Place(""), locale)


def unmatched(declarations: Iterable[Declaration], corpus: Corpus) -> Iterator[Finding]:
    """A finding for each glob under `sources:` that names no page, file, note or snapshot."""
    for declaration in declarations:
        for glob in declaration.sources:
            pages = corpus.pages()
            scope = Scope(include=(glob,))
            if glob.startswith("!") or any(in_scope(page, scope) for page in pages):
                continue
            message = f"`sources` names `{glob}`, which matches no page"
            tip = f"{did_you_mean(glob, [page.src for page in pages])} (paths are relative to the docs folder)"
            yield found(
                "unknown-source",
                declaration.place,
                message,
                tip=tip,
                answer=declaration.key,
            )
