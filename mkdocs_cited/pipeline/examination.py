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
    Answer,
    AnswerCheck,
    Claim,
    Draft,
    Evidence,
    Fit,
    Known,
    Recalled,
    Status,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration, Expected, Target
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, SourceType, pages_of
from mkdocs_cited.records import Record
from mkdocs_cited.records.following import place_of
from mkdocs_cited.records.record import canonical
from mkdocs_cited.review.ensemble import Ensemble, Opinions
from mkdocs_cited.review.interface import Audit, Case, evidence_of
from mkdocs_cited.review.rules import audit
from mkdocs_cited.review.verdicts import conflicting, findings_of, incomplete

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
        ensemble = self.ensemble
        if not declaration.published and not declaration.provider:
            # A test that no page shows has no record: a model would be asked, and paid, on every run.
            ensemble = Ensemble(ensemble.offline)
        claims = claims_of(draft, declaration)
        cases = [_case(declaration, draft, claim) for claim in claims]
        known = [self._known(case, record) for case in cases]
        opinions = ensemble.judge(cases, known, self.corpus)
        text = self._audit(declaration, draft, opinions, record)
        findings = [
            *draft.findings,
            *audit(text),
            *conflicting(opinions.conflicts, text),
        ]
        if opinions.incomplete:
            findings.append(incomplete(opinions.incomplete, text))
        else:
            findings += findings_of(text)
        check = opinions.check
        if check is None and record and ensemble.model:
            check = _recorded_check(draft, declaration, record, ensemble.model.key)
        findings += unanswered(declaration, check, text.place())
        return replace(
            Answer.of(declaration, Status.ACCEPTED, draft, findings),
            claims=opinions.claims,
            check=check,
            reviewed=not (opinions.incomplete or opinions.unread),
            reviewer=ensemble.name,
            spend=draft.spend + opinions.spend,
        )

    def _known(self, case: Case, record: Record | None) -> Known:
        """What a record knows of a claim. Words that have moved within a section are still there."""
        if record is None:
            return Known()
        evidence = {item.passage.id: item for item in case.evidence}
        for where in dict.fromkeys(
            item.passage.section.where for item in case.evidence
        ):
            page, _, anchor = where.partition("#")
            for passage in self.corpus.section(page, anchor):
                if passage.section.where == where:
                    more = Evidence(passage, "", shown=False)
                    evidence.setdefault(passage.id, more)
        known = record.known(case.claim, tuple(evidence.values()))
        return replace(
            known,
            person=self._followed(known.person),
            model=self._followed(known.model),
        )

    def _followed(self, recalled: Recalled | None) -> Recalled | None:
        """A decision, with the section that has its words now where the cited one has lost them."""
        if recalled is None or recalled.change is None or recalled.change.now:
            return recalled
        change = recalled.change
        place, _ = place_of([change.was.text], self.corpus)
        there = ""
        if place:
            page, _, anchor = place.partition("#")
            there = " ".join(item.text for item in self.corpus.section(page, anchor))
        lost = tuple(value for value in change.values if value[0] not in there)
        return replace(recalled, change=replace(change, moved=place, values=lost))

    def _audit(
        self,
        declaration: Declaration,
        draft: Draft,
        opinions: Opinions,
        record: Record | None,
    ) -> Audit:
        """The text as the rules see it, with the place where it is: the record's body or the author's lines."""
        start, lines_count = declaration.place, False
        if draft.provider == AUTHORED:
            start = declaration.text_place or start
            lines_count = declaration.text_verbatim
        elif record and record.place.file and record.content == draft.content:
            start, lines_count = record.place, True
        unresolved: tuple[int, ...] = ()
        if self.failing(draft.findings):
            unresolved = draft.unresolved
        return Audit(
            declaration,
            draft,
            opinions.claims,
            self.corpus,
            self.settings,
            start,
            lines_count=lines_count,
            unresolved=unresolved,
        )


def _recorded_check(
    draft: Draft, declaration: Declaration, record: Record, model: str
) -> AnswerCheck | None:
    """What the model of this run once said of the whole text: it holds as long as text and question do."""
    if (
        record.fit_by != model
        or record.content != canonical(draft.content)
        or record.declaration != declaration.hash
    ):
        return None
    return AnswerCheck(record.fit, reason=record.left_open, reviewer=record.fit_by)


def _case(declaration: Declaration, draft: Draft, claim: Claim) -> Case:
    """What reviewers are shown of a claim."""
    evidence = evidence_of(claim, draft)
    prose = declaration.prose_claim(draft.content, claim.start)
    if prose:
        claim = replace(claim, under=prose.under)
        return Case(claim, evidence, locale=declaration.locale, around=prose.around)
    header, lead = _over(draft.content, claim)
    claim = replace(claim, under=" · ".join(filter(None, (declaration.under, header))))
    written = ""
    if declaration.target is Target.MARKDOWN:
        claim = replace(claim, header=header)
        before = draft.content[: claim.start].rstrip(_OPENING_MARKS)
        written = strip_markers(draft.content[len(before) : claim.end]).strip()
    # the line that the claim begins on
    line = draft.content[draft.content.rfind("\n", 0, claim.start) + 1 : claim.end]
    return Case(
        claim,
        evidence,
        question=declaration.question,
        locale=declaration.locale,
        answer=strip_markers(draft.content),
        lead=lead,
        is_step=_STEP.match(line) is not None,
        around=declaration.around,
        written=written,
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


def unanswered(
    declaration: Declaration, check: AnswerCheck | None, place: Place
) -> Iterator[Finding]:
    """The finding on an answer that does not answer its question, or only a part of it."""
    if check is None or check.fit is Fit.YES:
        return
    slug, tip = "partly-answered", "ask less, or document the rest"
    says = "may leave a part of it open"
    if check.fit is Fit.NO:
        slug, tip = OFF, "correct the answer, or the question"
        says = "does not answer it"
    message = f"the answer to “{declaration.question}” {says}: {check.reason}"
    yield found(slug, place, message, tip=tip, answer=declaration.key)


def unmet(
    declaration: Declaration, answer: Answer, corpus: Corpus
) -> Iterator[Finding]:
    """A finding for each thing that the question expects and the answer does not have.

    An answer that is still to be written, or that could not be, has a finding of its own, and is held to nothing.
    """
    if answer.status in (Status.MISSING, Status.FAILED):
        return
    is_off = any(finding.slug == OFF for finding in answer.findings)
    expects_answer = declaration.expect and not declaration.expects_no_answer
    if expects_answer and (is_off or not answer.content):
        yield _unanswered(declaration, answer)
        return
    depends_on = ", ".join(pages_of(source.passage for source in answer.sources))
    depends_on = depends_on or "nothing"
    for item in declaration.expect:
        tip = f"it depends on {depends_on}: correct the page, or `expect`"
        match item.kind:
            case Expected.TEXT if not _holds(item.value, answer):
                lacks = f"does not say `{shorten(item.value, 80)}`"
            case Expected.PATTERN if not pattern_matches(item.value, said(answer)):
                lacks = f"has nothing that matches `{shorten(item.value, 80)}`"
            case Expected.PAGE if not _cites(item.value, answer, corpus):
                lacks = f"does not cite `{item.value}`; it cites {depends_on}"
                tip = _page_tip(item.value, corpus)
            case Expected.NO_ANSWER if (
                answer.content and answer.status is not Status.QUOTED
            ):
                lacks = f"exists, but none is expected; it cites {depends_on}"
                tip = "correct `expect`"
            case _:
                continue
        message = f"the answer to “{answer.question}” {lacks}"
        yield found(UNMET, item.place, message, tip=tip, answer=answer.key)


def said(answer: Answer) -> str:
    """What a reader sees of an answer, a line a block, without its numbers."""
    if answer.target != "markdown":
        return strip_markers(answer.content)
    return "\n".join(strip_markers(block.text) for block in blocks(answer.content))


def _unanswered(declaration: Declaration, answer: Answer) -> Finding:
    public = []
    for source in answer.consulted:
        if source.passage.type is not SourceType.NOTE:
            public.append(source.passage)
    places = dict.fromkeys(passage.section.where for passage in public[:_NEAREST])
    tip = "document it, or correct `expect`"
    if places:
        tip = f"document it (nearest: {', '.join(places)}), or correct `expect`"
    reason = answer.reason or "the answer is off topic"
    return found(
        UNMET,
        declaration.expect[0].place,
        f"the docs do not answer “{answer.question}”, but should: {reason}",
        tip=tip,
        answer=answer.key,
        related=tuple(
            Related("one of the nearest passages", passage=passage.id)
            for passage in public[:_NEAREST]
        ),
    )


def _holds(words: str, answer: Answer) -> bool:
    """True if words are in what a reader sees, or in the Markdown behind it; case and white space do not matter."""
    wanted = words.casefold()
    return any(
        wanted in collapse(seen).casefold()
        for seen in (said(answer), strip_markers(answer.content))
    )


def _cites(page: str, answer: Answer, corpus: Corpus) -> bool:
    """True if a source of an answer is in a page, a glob of pages or a section."""
    src, _, anchor = page.partition("#")
    there = [passage.id for passage in corpus.section(src, anchor)] if anchor else []
    for source in answer.sources:
        is_there = not anchor or source.passage.id in there
        if is_there and glob_matches(source.passage.page.src, (src,)):
            return True
    return False


def _page_tip(page: str, corpus: Corpus) -> str:
    src, _, anchor = page.partition("#")
    known = [item.src for item in corpus.pages()]
    if not any(glob_matches(name, (src,)) for name in known):
        return f"there is no such page: {did_you_mean(src, known)}"
    anchors = corpus.anchors(src)
    if anchor and src in known and anchor not in anchors:
        return f"the page has no such section: {did_you_mean(anchor, anchors)}"
    return "add it there, narrow `sources`, or correct `expect`"
