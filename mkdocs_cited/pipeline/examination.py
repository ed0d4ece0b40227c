"""The examination of one text: its claims, what rules and reviewers say of each, and the answer they make of it.

Where the text comes from, and what becomes of it then, is the pipeline's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.markdown import BlockKind, blocks, strip_markers
from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.base.text import (
    collapse,
    did_you_mean,
    glob_matches,
    pattern_matches,
    shorten,
)
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import (
    WRITER,
    Answer,
    AnswerCheck,
    Change,
    Claim,
    Draft,
    Evidence,
    Fit,
    Judgement,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import (
    AUTHORED,
    Declaration,
    Expectation,
    Expected,
    Target,
)
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Source, SourceType, pages_of
from mkdocs_cited.records import Record
from mkdocs_cited.records.following import place_of
from mkdocs_cited.records.record import canonical
from mkdocs_cited.review.ensemble import Ensemble, Opinion, Opinions, Recalled
from mkdocs_cited.review.interface import Audit, Case
from mkdocs_cited.review.rules import audit
from mkdocs_cited.review.verdicts import findings_of, incomplete

UNMET, OFF = "unmet-expectation", "off-question"
_OPENING_MARKS = "*_~`"
"""What Markdown may have before the first letter of a claim."""
_STEP = re.compile(r"\s*\d{1,9}[.)]\s")
_NEAREST = 3
"""Nearest sections that a finding names."""

Failing = Callable[[Iterable[Finding]], Sequence[Finding]]
"""Which of these findings keep the answer from being accepted."""


class Examination(Struct, frozen=True):
    """How the texts of one run are examined."""

    settings: Settings
    corpus: Corpus
    ensemble: Ensemble
    failing: Failing

    def examine(
        self, declaration: Declaration, draft: Draft, record: Record | None
    ) -> Answer:
        """The text as an answer, with its verdicts and all findings.

        Args:
            record: what reviewers and people said before, for as long as claim and passages are the same; it says too
                where the text is, if it is the record's own.
        """
        if (
            self.ensemble.model
            and not declaration.published
            and not declaration.provider
        ):
            # A test that no page shows has no record: a model would be asked, and paid, on every run.
            return replace(self, ensemble=Ensemble(self.ensemble.offline)).examine(
                declaration, draft, record
            )
        claims = claims_of(draft, declaration)
        if declaration.target is Target.MARKDOWN:
            claims = tuple(
                replace(claim, header=_over(draft.content, claim)[0])
                for claim in claims
            )
        text = self._audit(declaration, draft, claims, record)
        evidence = [text.evidence(claim) for claim in claims]
        cases = []
        for claim, items in zip(claims, evidence, strict=True):
            if items:
                cases.append(_case(declaration, draft, claim, items))
        opinions = self._opinions(cases, record)
        given = iter(opinions.cases)
        nothing = Opinion(Judgement(Verdict.UNCHECKED, reason="it cites nothing"))
        reviewed = []
        for claim, items in zip(claims, evidence, strict=True):
            opinion = next(given) if items else nothing
            reviewed.append(
                ReviewedClaim(
                    claim,
                    items,
                    opinion.judgement,
                    said=opinion.said,
                    change=opinion.change,
                )
            )
        text = replace(
            text,
            judgements=tuple(item.judgement for item in reviewed),
            conflicts=opinions.conflicts,
            unresolved=draft.unresolved if self.failing(draft.findings) else (),
        )
        audited = audit(text)
        read = self._findings(text, reviewed, opinions)
        checked = opinions.check or self._recorded_check(draft, declaration, record)
        findings = (
            *draft.findings,
            *audited,
            *read,
            *unanswered(declaration, checked, text.place()),
        )
        return replace(
            Answer.of(declaration, Status.ACCEPTED, draft, findings),
            claims=tuple(reviewed),
            check=checked,
            reviewed=self.settings.review
            and not opinions.incomplete
            and not opinions.unread,
            reviewer=self.ensemble.name,
            spend=draft.spend + opinions.spend,
        )

    def _with_section(self, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """The evidence with the rest of its sections: words that have moved within a section are still there."""
        known = {item.passage.id for item in evidence}
        more = []
        for where in dict.fromkeys(item.passage.section.where for item in evidence):
            page, _, anchor = where.partition("#")
            for passage in self.corpus.section(page, anchor):
                if passage.section.where == where and passage.id not in known:
                    more.append(Evidence(passage, "", shown=False))
        return (*evidence, *more)

    def _followed(self, change: Change | None) -> Change | None:
        """What has changed, with the section that has the words now where the cited one has lost them."""
        if change is None or change.now:
            return change
        place, _ = place_of([change.was.text], self.corpus)
        page, _, anchor = place.partition("#")
        there = (
            " ".join(passage.text for passage in self.corpus.section(page, anchor))
            if place
            else ""
        )
        lost = tuple(value for value in change.values if value[0] not in there)
        return replace(change, moved=place, values=lost)

    def _recorded_check(
        self, draft: Draft, declaration: Declaration, record: Record | None
    ) -> AnswerCheck | None:
        """What the model of this run once said of the whole text: it holds as long as text and question do."""
        model = self.ensemble.model
        if record is None or model is None or record.fit_by != model.key:
            return None
        if (
            record.content != canonical(draft.content)
            or record.declaration != declaration.hash
        ):
            return None
        return AnswerCheck(record.fit, reason=record.left_open, reviewer=record.fit_by)

    def _audit(
        self,
        declaration: Declaration,
        draft: Draft,
        claims: tuple[Claim, ...],
        record: Record | None,
    ) -> Audit:
        """The text as the rules see it, with the place where it is: the record's body or the author's lines."""
        authored = draft.provider == AUTHORED
        in_record = bool(
            record
            and record.place.file
            and not authored
            and record.content == draft.content
        )
        place = record.place if record and in_record else None
        place = (
            place or (declaration.text_place if authored else None) or declaration.place
        )
        verbatim = authored and declaration.text_verbatim
        return Audit(
            declaration,
            draft.content,
            claims,
            draft.citations,
            draft.sources,
            self.corpus,
            self.settings,
            file=place.file,
            line=place.line,
            lines_count=in_record or verbatim,
            column=place.column,
            written=declaration.text.strip("\n") if verbatim else "",
            named=draft.named,
        )

    def _opinions(self, cases: Sequence[Case], record: Record | None) -> Opinions:
        if not self.settings.review:
            off = Opinion(
                Judgement(Verdict.UNCHECKED, reason="the review is switched off")
            )
            return Opinions((off,) * len(cases))

        sections = (
            {case.claim: self._with_section(case.evidence) for case in cases}
            if record
            else {}
        )

        def recall(case: Case, reviewer: str) -> Recalled | None:
            if record is None:
                return None
            evidence = sections[case.claim]
            if reviewer == WRITER:
                change = record.rewritten(case.claim, evidence)
                return (
                    Recalled(Judgement(Verdict.SUPPORTED), change) if change else None
                )
            decision, change = record.recalled(case.claim, evidence, reviewer)
            return (
                Recalled(decision.judgement, self._followed(change))
                if decision
                else None
            )

        return self.ensemble.judge(cases, recall, self.corpus)

    def _findings(
        self, text: Audit, reviewed: Sequence[ReviewedClaim], opinions: Opinions
    ) -> Sequence[Finding]:
        """The findings that come of the reviewers' verdicts, or of a review that is missing."""
        if not self.settings.review:
            return ()
        if opinions.incomplete:
            return (incomplete(opinions.incomplete, text),)
        return findings_of(reviewed, text)


def _case(
    declaration: Declaration, draft: Draft, claim: Claim, evidence: tuple[Evidence, ...]
) -> Case:
    """What reviewers are shown of a claim."""
    prose = declaration.prose_claim(draft.content, claim.start)
    if prose:
        return Case(claim, evidence, locale=declaration.locale, around=prose.around)
    return Case(
        claim,
        evidence,
        question=declaration.question,
        locale=declaration.locale,
        answer=strip_markers(draft.content),
        lead=_over(draft.content, claim)[1],
        is_step=_is_step(draft.content, claim),
        around=declaration.around,
        written=_written(draft, claim, declaration),
    )


def _over(content: str, claim: Claim) -> tuple[str, str]:
    """What an answer has over a claim: of a row its table's column headers, of a list's item the line that leads into
    the list."""
    header = lead = ""
    for block in blocks(content):
        inside = block.start <= claim.start < block.end
        match block.kind:
            case BlockKind.HEADER:
                header = strip_markers(block.text)
            case BlockKind.ROW:
                if inside:
                    return header, ""
            case BlockKind.ITEM:
                if inside:
                    return "", lead
            case _:
                text = strip_markers(block.text).rstrip()
                lead = text if text.endswith(":") else ""
    return "", ""


def _is_step(content: str, claim: Claim) -> bool:
    """Whether the line that a claim begins on has a number of a list."""
    line = content[content.rfind("\n", 0, claim.start) + 1 : claim.end]
    return _STEP.match(line) is not None


def _written(draft: Draft, claim: Claim, declaration: Declaration) -> str:
    """A claim of an answer in Markdown as it is written, without numbers."""
    if declaration.target is not Target.MARKDOWN:
        return ""
    before = draft.content[: claim.start].rstrip(_OPENING_MARKS)
    return strip_markers(draft.content[len(before) : claim.end]).strip()


def unanswered(
    declaration: Declaration, checked: AnswerCheck | None, place: Place
) -> tuple[Finding, ...]:
    """The finding on an answer that does not answer its question, or only a part of it."""
    if checked is None or checked.fit is Fit.YES:
        return ()
    slug = OFF if checked.fit is Fit.NO else "partly-answered"
    if checked.fit is Fit.NO:
        message = f"the answer to “{declaration.question}” does not answer it: {checked.reason}"
        tip = "correct the answer, or the question"
    else:
        message = f"the answer to “{declaration.question}” may leave a part of it open: {checked.reason}"
        tip = "ask less, or document the rest"
    return (found(slug, place, message, tip=tip, answer=declaration.key),)


def unmet(
    declaration: Declaration, answer: Answer, corpus: Corpus
) -> tuple[Finding, ...]:
    """A finding for each thing that the question expects and the answer does not have.

    An answer that is still to be written, or that could not be, has a finding of its own, and is held to nothing.
    """
    if answer.status in (Status.MISSING, Status.FAILED):
        return ()
    answered = bool(answer.content) and not any(
        finding.slug == OFF for finding in answer.findings
    )
    if declaration.expect and not answered and not declaration.expects_no_answer:
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
    public = [
        source
        for source in answer.consulted
        if source.passage.type is not SourceType.NOTE
    ][:_NEAREST]
    near = ", ".join(dict.fromkeys(source.passage.section.where for source in public))
    message = f"the docs do not answer “{answer.question}”, but should: {answer.reason or 'the answer is off topic'}"
    tip = f"document it (nearest: {near})" if near else "document it"
    related = tuple(
        Related("one of the nearest passages", passage=item.passage.id)
        for item in public
    )
    return found(
        UNMET,
        expectation.place,
        message,
        tip=f"{tip}, or correct `expect`",
        answer=answer.key,
        related=related,
    )


def _lacking(
    item: Expectation, answer: Answer, text: str, corpus: Corpus
) -> Iterator[tuple[str, str]]:
    """(what the answer lacks, what to do), if it lacks anything."""
    depends_on = (
        ", ".join(pages_of(source.passage for source in answer.sources)) or "nothing"
    )
    tip = f"it depends on {depends_on}: correct the page, or `expect`"
    match item.kind:
        case Expected.TEXT if not _holds(item.value, text, answer.content):
            yield f"does not say `{shorten(item.value, 80)}`", tip
        case Expected.PATTERN if not pattern_matches(item.value, text):
            yield f"has nothing that matches `{shorten(item.value, 80)}`", tip
        case Expected.PAGE if not any(
            _names(item.value, source, corpus) for source in answer.sources
        ):
            yield (
                f"does not cite `{item.value}`; it cites {depends_on}",
                _page_tip(item.value, corpus),
            )
        case Expected.NO_ANSWER if (
            answer.content and answer.status is not Status.QUOTED
        ):
            yield (
                f"exists, but none is expected; it cites {depends_on}",
                "correct `expect`",
            )


def _finding(item: Expectation, answer: Answer, message: str, tip: str) -> Finding:
    message = f"the answer to “{answer.question}” {message}"
    return found(UNMET, item.place, message, tip=tip, answer=answer.key)


def _holds(words: str, text: str, markdown: str) -> bool:
    """Whether words are in what a reader sees, or in the Markdown behind it; case and white space do not matter."""
    wanted = words.casefold()
    return any(
        wanted in collapse(seen).casefold() for seen in (text, strip_markers(markdown))
    )


def _names(page: str, source: Source, corpus: Corpus) -> bool:
    """Whether a page, a glob of pages or a section is what a source is in."""
    src, _, anchor = page.partition("#")
    if not glob_matches(source.passage.page.src, (src,)):
        return False
    return not anchor or any(
        passage.id == source.passage.id for passage in corpus.section(src, anchor)
    )


def _page_tip(page: str, corpus: Corpus) -> str:
    src, _, anchor = page.partition("#")
    known = [item.src for item in corpus.pages()]
    if not any(glob_matches(name, (src,)) for name in known):
        return f"there is no such page: {did_you_mean(src, known)}"
    if anchor and src in known and anchor not in corpus.anchors(src):
        return (
            f"the page has no such section: {did_you_mean(anchor, corpus.anchors(src))}"
        )
    return "add it there, narrow `sources`, or correct `expect`"
