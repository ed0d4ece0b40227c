"""The examination of one text: its claims, what rules and reviewers say of each, and the answer they make of it.

Where the text comes from, and what becomes of it then, is the pipeline's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.dialect import strip_markers
from mkdocs_cited.answer_text.markdown import blocks
from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.base import patterns
from mkdocs_cited.base.text import collapse, did_you_mean, glob_matches, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    Answer,
    AnswerCheck,
    Claim,
    Draft,
    Fit,
    Judgement,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration, Expectation, Expected, Target
from mkdocs_cited.model.finding import Finding, Place, Related, Severity, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Source, SourceType, pages_of
from mkdocs_cited.records import Record
from mkdocs_cited.records.record import canonical
from mkdocs_cited.review.ensemble import Ensemble, Opinion
from mkdocs_cited.review.interface import Audit, Case
from mkdocs_cited.review.lexical.limits import own_over
from mkdocs_cited.review.notes import Notes
from mkdocs_cited.review.rules import audit
from mkdocs_cited.review.verdicts import findings_of, incomplete
from mkdocs_cited.search.answering import check

UNMET, OFF = "unmet-expectation", "off-question"
_NEAREST = 3
"""Nearest sections that a finding names."""
_OPENING = re.compile(r"[,.:;!?–—]")
_OPENER, _REPLY = 2, 4
"""Words of an opening (`Yes, `) and of a claim (`For 90 days.`) that state little without their question."""

Failing = Callable[[Iterable[Finding], Declaration], Sequence[Finding]]
"""Which of these findings keep the answer from being accepted."""


class Examination(Struct, frozen=True):
    """How the texts of one run are examined."""

    settings: Settings
    corpus: Corpus
    ensemble: Ensemble
    failing: Failing
    notes: Notes | None = None

    def examine(self, declaration: Declaration, draft: Draft, record: Record | None) -> Answer:
        """The text as an answer, with its verdicts and all findings.

        Args:
            record: what reviewers and people said before, for as long as claim and passages are the same; it says too
                where the text is, if it is the record's own.
        """
        if self.ensemble.model and not declaration.published and not declaration.provider:
            # A test that no page shows has no record: a model would be asked, and paid, on every run.
            return replace(self, ensemble=Ensemble(self.ensemble.offline)).examine(declaration, draft, record)
        claims = _claims(draft, declaration)
        text = self._audit(declaration, draft, claims, record)
        evidence = [text.evidence(claim) for claim in claims]
        asked = (declaration.question, declaration.locale, strip_markers(draft.content))
        cases = [
            Case(claim, items, "", declaration.locale, around=prose.around)
            if (prose := declaration.prose_claim(draft.content, claim.start))
            else Case(claim, items, *asked)
            for claim, items in zip(claims, evidence, strict=True)
            if items
        ]
        opinion = self._opinion(cases, record)
        judged = iter(zip(opinion.judgements, opinion.stored or ((),) * len(cases), strict=True))
        nothing = Judgement(Verdict.UNCHECKED, reason="it cites nothing")
        reviewed = tuple(
            _since(ReviewedClaim(claim, items, *(next(judged) if items else (nothing,))), record)
            for claim, items in zip(claims, evidence, strict=True)
        )
        text = replace(
            text,
            judgements=tuple(item.judgement for item in reviewed),
            conflicts=opinion.conflicts,
            unresolved=draft.unresolved if self.failing(draft.findings, declaration) else (),
        )
        audited = audit(text)
        read = self._findings(text, reviewed, opinion)
        checked = self._check(declaration, draft, record, opinion)
        findings = (*draft.findings, *audited, *read, *unanswered(declaration, checked, text.place()))
        return replace(
            Answer.of(declaration, Status.ACCEPTED, draft, findings),
            claims=reviewed,
            check=checked,
            reviewed=self.settings.review and not opinion.incomplete and not opinion.unread,
            reviewer=self.ensemble.name,
            spend=draft.spend + opinion.spend,
        )

    def _check(
        self, declaration: Declaration, draft: Draft, record: Record | None, opinion: Opinion
    ) -> AnswerCheck | None:
        """Whether the text answers the question: a model's word where one was asked, else by words and form, which are
        not for data and diagrams. What was said of a recorded text holds as long as text and question do: of a
        model's or an encoder's word nobody asks again, and of any other only those who compare."""
        if opinion.check is not None:
            return opinion.check
        if declaration.target not in (Target.MARKDOWN, Target.HTML):
            return None
        asked = self.corpus.asked(declaration.question, declaration.locale)
        checked = check(asked, strip_markers(draft.content), draft.sources)
        if record and record.content == canonical(draft.content) and record.declaration == declaration.hash:
            return self._as_recorded(checked, record)
        return checked

    def _as_recorded(self, checked: AnswerCheck, record: Record) -> AnswerCheck:
        if record.fit_by and self.ensemble.model and record.fit_by == self.ensemble.model.key:
            return replace(checked, fit=record.fit, reason=record.left_open or checked.reason, reviewer=record.fit_by)
        if record.encoder and not record.fit_by and checked.fit is Fit.NO and record.fit is not Fit.NO:
            return replace(checked, fit=Fit.PART, reviewer=record.encoder)
        return checked

    def _audit(self, declaration: Declaration, draft: Draft, claims: tuple[Claim, ...], record: Record | None) -> Audit:
        """The text as the rules see it, with the place where it is: the record's body or the author's lines."""
        authored = draft.provider == AUTHORED
        in_record = bool(record and record.place.file and not authored and record.content == draft.content)
        place = record.place if record and in_record else None
        place = place or (declaration.text_place if authored else None) or declaration.place
        verbatim = authored and declaration.text_verbatim
        return Audit(
            declaration, draft.content, claims, draft.citations, draft.sources, self.corpus, self.settings,
            file=place.file, line=place.line, lines_count=in_record or verbatim,
            column=place.column, written=declaration.text.strip("\n") if verbatim else "", notes=self.notes,
            named=draft.named,
        )  # fmt: skip

    def _opinion(self, cases: Sequence[Case], record: Record | None) -> Opinion:
        if not self.settings.review:
            return Opinion(tuple(Judgement(Verdict.UNCHECKED, reason="the review is switched off") for _ in cases))

        def recall(case: Case, reviewer: str) -> Judgement | None:
            return record.judgement(case.claim, case.evidence, reviewer) if record else None

        return self.ensemble.judge(cases, recall, self.corpus)

    def _findings(self, text: Audit, reviewed: Sequence[ReviewedClaim], opinion: Opinion) -> Sequence[Finding]:
        """The findings that come of the reviewers' verdicts, or of a review that is missing."""
        if not self.settings.review:
            return ()
        if opinion.incomplete:
            return (incomplete(opinion.incomplete, text),)
        if opinion.unread:
            key, message = text.declaration.key, f"{opinion.unread} claims were not read by {self.ensemble.name} yet"
            return (found("unreviewed-answer", text.place(), message, tip=text.declaration.update_tip, answer=key),)
        return findings_of(reviewed, text)


def _claims(draft: Draft, declaration: Declaration) -> tuple[Claim, ...]:
    """The claims of a text, each with what the text or its page says over it."""
    written, placed = strip_markers(draft.content), list[Claim]()
    for claim in claims_of(draft, declaration):
        prose = declaration.prose_claim(draft.content, claim.start)
        over = dict.fromkeys(text for text, _ in own_over(prose.around if prose else written, claim.text))
        asked = (declaration.question,) if _replies(claim.text) and not prose else ()
        placed.append(replace(claim, over="\n".join((*asked, *over))))
    return tuple(placed)


def _replies(claim: str) -> bool:
    """Whether a claim states little without its question: it opens with a word or two, as `Yes, …`, or has no more."""
    return len(_OPENING.split(claim, maxsplit=1)[0].split()) <= _OPENER or len(claim.split()) <= _REPLY


def _since(item: ReviewedClaim, record: Record | None) -> ReviewedClaim:
    """The claim with why it waits again, where a person had decided it."""
    if item.judgement.verdict not in (Verdict.UNCHECKED, Verdict.PARTIAL) or record is None:
        return item
    lapsed = record.lapsed(item.claim, item.evidence)
    if lapsed is None:
        return item
    said = "confirmed" if lapsed.verdict is Verdict.SUPPORTED else "refused"
    why = f"{lapsed.reviewer.partition(':')[2]} {said} it on {lapsed.date}; what it cites or is under has changed since"
    reason = "; ".join(filter(None, (why, item.judgement.reason)))
    return replace(item, judgement=replace(item.judgement, reason=reason), news=lapsed.news(item.evidence))


def unanswered(declaration: Declaration, checked: AnswerCheck | None, place: Place) -> tuple[Finding, ...]:
    """The finding on an answer that does not answer its question, or only a part of it."""
    if checked is None or checked.fit is Fit.YES:
        return ()
    slug = OFF if checked.fit is Fit.NO else "partly-answered"
    authored = bool(declaration.text)  # nothing is searched for, so that phrasings and sources would change nothing
    if checked.fit is Fit.NO:
        message = f"the answer to “{declaration.question}” does not answer it: {checked.reason}"
        tip = "answer what is asked, name a better source under `sources:`, or add other phrasings under `queries:`"
        if authored:
            tip = "write into `text:` what is asked, ask what it answers, or suppress this if it says so in other words"
    else:
        message = f"the answer to “{declaration.question}” may leave a part of it open: {checked.reason}"
        tip = f"add to {'`text:`' if authored else 'the passage that it depends on'}, or ask for less"
    finding = found(slug, place, message, tip=tip, answer=declaration.key)
    by_words = authored and not checked.reviewer  # which are no proof against who wrote question and text together
    return (replace(finding, severity=Severity.INFO) if by_words else finding,)


def unmet(declaration: Declaration, answer: Answer, corpus: Corpus) -> tuple[Finding, ...]:
    """A finding for each thing that the question expects and the answer does not have.

    An answer that is still to be written, or that could not be, has a finding of its own, and is held to nothing.
    """
    if answer.status in (Status.MISSING, Status.FAILED):
        return ()
    answered = bool(answer.content) and not any(finding.slug == OFF for finding in answer.findings)
    wants_none = any(item.kind is Expected.NO_ANSWER for item in declaration.expect)
    if declaration.expect and not answered and not wants_none:
        return (_unanswered(declaration, answer),)
    text = said(answer)
    return tuple(
        _finding(item, answer, message, tip)
        for item in declaration.expect
        for message, tip in _lacking(item, answer, text, corpus)
    )


def said(answer: Answer) -> str:
    """What a reader sees of an answer, a line a block, without its numbers."""
    if answer.target != "markdown":
        return strip_markers(answer.content)
    return "\n".join(strip_markers(block.text) for block in blocks(answer.content))


def _unanswered(declaration: Declaration, answer: Answer) -> Finding:
    expectation = declaration.expect[0]
    public = [source for source in answer.consulted if source.passage.type is not SourceType.NOTE][:_NEAREST]
    near = ", ".join(dict.fromkeys(source.passage.section.where for source in public))
    message = f"the docs do not answer “{answer.question}”, and are expected to: {answer.reason or 'it is beside it'}"
    tip = f"document it (nearest: {near})" if near else "document it"
    related = tuple(Related("one of the nearest passages", passage=item.passage.id) for item in public)
    return found(
        UNMET, expectation.place, message, tip=f"{tip}, or correct `expect`", answer=answer.key, related=related
    )


def _lacking(item: Expectation, answer: Answer, text: str, corpus: Corpus) -> Iterator[tuple[str, str]]:
    """(what the answer lacks, what to do), if it lacks anything."""
    depends_on = ", ".join(pages_of(source.passage for source in answer.sources)) or "nothing"
    tip = f"it depends on {depends_on}: correct that, or `expect`"
    match item.kind:
        case Expected.TEXT if not _holds(item.value, text, answer.content):
            yield f"does not say `{shorten(item.value, 80)}`", tip
        case Expected.PATTERN if not patterns.stands_in(item.value, text):
            yield f"holds nothing that matches `{shorten(item.value, 80)}`", tip
        case Expected.PAGE if not any(_names(item.value, source, corpus) for source in answer.sources):
            yield f"does not cite `{item.value}`; it cites {depends_on}", _page_tip(item.value, corpus)
        case Expected.NO_ANSWER if answer.content:
            yield f"is there, and the docs are expected not to answer; it cites {depends_on}", "correct `expect`"


def _finding(item: Expectation, answer: Answer, message: str, tip: str) -> Finding:
    message = f"the answer to “{answer.question}” {message}"
    return found(UNMET, item.place, message, tip=tip, answer=answer.key)


def _holds(words: str, text: str, markdown: str) -> bool:
    """Whether words are in what a reader sees, or in the Markdown behind it; case and white space do not matter."""
    wanted = words.casefold()
    return any(wanted in collapse(seen).casefold() for seen in (text, strip_markers(markdown)))


def _names(page: str, source: Source, corpus: Corpus) -> bool:
    """Whether a page, a glob of pages or a section is what a source is in."""
    src, _, anchor = page.partition("#")
    if not glob_matches(source.passage.page.src, (src,)):
        return False
    return not anchor or any(passage.id == source.passage.id for passage in corpus.section(src, anchor))


def _page_tip(page: str, corpus: Corpus) -> str:
    src, _, anchor = page.partition("#")
    known = [item.src for item in corpus.pages()]
    if not any(glob_matches(name, (src,)) for name in known):
        return f"there is no such page: {did_you_mean(src, known)}"
    if anchor and src in known and anchor not in corpus.anchors(src):
        return f"the page has no such section: {did_you_mean(anchor, corpus.anchors(src))}"
    return "say it there, narrow `sources`, or correct `expect`"
