"""The examination of one text: its claims, what rules and reviewers say of each, and the answer they make of it; and
whether the docs say what any text says.

Where the text comes from, and what becomes of it then, is the pipeline's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import (
    ANYBODYS,
    BlockKind,
    blocks,
    parts,
    strip_markers,
)
from mkdocs_cited.model.answer import (
    Answer,
    AnswerCheck,
    Claim,
    Draft,
    Evidence,
    Fault,
    Fit,
    Judgement,
    Known,
    Recalled,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Passage, Scope
from mkdocs_cited.records import Record
from mkdocs_cited.records.following import place_of
from mkdocs_cited.records.record import canonical
from mkdocs_cited.review.decisions import known
from mkdocs_cited.review.ensemble import Ensemble, Opinions
from mkdocs_cited.review.interface import Audit, Case, Review, evidence_of
from mkdocs_cited.review.lexical import assess
from mkdocs_cited.review.rules import audit
from mkdocs_cited.review.verdicts import conflicting, findings_of, incomplete

_OPENING_MARKS = "*_~`"
"""What Markdown may have before the first letter of a claim."""
_STEP = re.compile(r"\s*\d{1,9}[.)]\s")
_NEAREST = 5
"""Passages that each claim of a text without citations is read with."""
_FAR = 0.5
"""Share of the least relevance from which a passage is read when none is near."""
_CITATION = re.compile(rf"[ \t]?{ANYBODYS}")
_FOOTNOTE = re.compile(
    r"^\[\^?[^\[\]\s]{1,100}\]:.*\n?(?:(?: {4}|\t).*\n?)*", re.MULTILINE
)
_NOT_NEAR = Judgement(Verdict.UNCHECKED, reason="no passage of the docs is near to it")

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
        claims = split(draft.content, declaration.locale)
        cases = [_case(declaration, draft, claim) for claim in claims]
        past = [self._known(case, record) for case in cases]
        opinions = ensemble.judge(cases, past, self.corpus)
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
            check = _recorded_check(draft, declaration, record)
        findings += unanswered(declaration, check, text.place())
        return replace(
            Answer.of(declaration, Status.ACCEPTED, draft, findings),
            claims=opinions.claims,
            check=check,
            reviewed=not (opinions.incomplete or opinions.unread),
            reviewer=(ensemble.model or ensemble.offline).id,
            spend=draft.spend + opinions.spend,
        )

    def verify(
        self, text: str, locale: str, globs: Sequence[str] = ()
    ) -> tuple[ReviewedClaim, ...]:
        """Every claim of a Markdown text with the passages that decide it; without evidence where none is near.

        Args:
            globs: of the pages that decide; by default all.
        """
        scope = Scope(include=tuple(globs), locale=locale)
        claims = []
        cases = []
        for claim in split(uncited(text), locale):
            near = self._near(claim, scope)
            claims.append(ReviewedClaim(claim, near, _NOT_NEAR))
            if near:
                cases.append(Case(claim, near, locale=locale))
        ensemble = self.ensemble
        reviewer = (ensemble.may_call and ensemble.model) or ensemble.offline
        outcome = reviewer.review(cases, self.corpus)
        if isinstance(outcome, Fault):
            unread = Judgement(Verdict.UNCHECKED, reason=outcome.reason)
            outcome = Review((unread,) * len(cases))
        read = [case.claim for case in cases]
        said = dict(zip(read, outcome.judgements, strict=False))
        decided = []
        for item in claims:
            decided.append(_decided(item, said.get(item.claim, item.judgement)))
        return tuple(decided)

    def _near(self, claim: Claim, scope: Scope) -> tuple[Evidence, ...]:
        """The passages that are nearest to a claim."""
        least = self.settings.cite_threshold
        hits = []
        for hit in self.corpus.search(claim.text, scope=scope, limit=_NEAREST):
            if not hit.passage.is_private and hit.relevance >= least * _FAR:
                hits.append(hit)
        # A changed figure is a word that the docs lack, which alone makes a passage irrelevant to the claim.
        near = [hit for hit in hits if hit.relevance >= least] or hits
        return tuple(Evidence(hit.passage, hit.passage.text) for hit in near)

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
        cited = tuple(evidence.values())
        quotations = record.quotations(case.claim)
        past = known(case.claim, cited, record.decisions(case.claim), quotations)
        return replace(
            past,
            person=self._followed(past.person),
            model=self._followed(past.model),
        )

    def _followed(self, recalled: Recalled | None) -> Recalled | None:
        """A decision, with the section that has its words now, or nearly, where the cited one has lost them."""
        if recalled is None or recalled.change is None or recalled.change.now:
            return recalled
        change = recalled.change
        found, _ = place_of([change.was.text], self.corpus)
        was_there = found and found.section.where == change.was.at  # it is struck out
        if found is None or found.marked or was_there:
            return recalled
        said = []
        for item in self.corpus.section(found.page.src, found.section.anchor):
            said += [*item.section.breadcrumb, item.text]
        there = "\n".join(said)
        lost = tuple(value for value in change.values if value[0] not in there)
        return replace(
            recalled, change=replace(change, moved=found.section.where, values=lost)
        )

    def _audit(
        self,
        declaration: Declaration,
        draft: Draft,
        opinions: Opinions,
        record: Record | None,
    ) -> Audit:
        """The text as the rules see it, with the place where it is: the record's body or the author's lines."""
        start = declaration.place
        lines_count = False
        if draft.provider == AUTHORED:
            start = declaration.text_place or start
            lines_count = declaration.text_verbatim
        elif record and record.place.file and record.content == draft.content:
            start = record.place
            lines_count = True
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


def _decided(item: ReviewedClaim, judgement: Judgement) -> ReviewedClaim:
    """A claim with its judgement, and with the passages whose words decided it, where that is known."""
    words = judgement.evidence_quote
    deciding = []
    for evidence in item.evidence:
        if words and words in evidence.passage.text:
            deciding.append(evidence)
    return replace(item, evidence=tuple(deciding) or item.evidence, judgement=judgement)


def why_it_waits(text: str, under: str, passages: Iterable[Passage]) -> str:
    """Why words and values do not prove a marked sentence, so that it waits for a person; empty where they do.

    Args:
        text: the sentence as Markdown, without its mark.
        under: what stands over it: `Claim.under`.
        passages: what it cites.
    """
    evidence = tuple(Evidence(passage, passage.text) for passage in passages)
    for claim in split(text):
        case = Case(replace(claim, under=under), evidence, written=text)
        judgement = assess(case)
        if judgement.verdict is not Verdict.SUPPORTED:
            return judgement.reason or "its words are not those of what it cites"
    return ""


def uncited(text: str) -> str:
    """A text without its citations and footnotes, which are no words of its claims; code stays as it is."""
    left = ""
    for piece, is_code in parts(_FOOTNOTE.sub("", text)):
        if not is_code:
            piece = _CITATION.sub("", piece)
        left += piece
    return left


def _recorded_check(
    draft: Draft, declaration: Declaration, record: Record
) -> AnswerCheck | None:
    """What a model once said of the whole text: it holds as long as text and question do."""
    if (
        not record.fit_by
        or record.content != canonical(draft.content)
        or record.declaration != declaration.hash
    ):
        return None
    return AnswerCheck(record.fit, reason=record.left_open, reviewer=record.fit_by)


def _case(declaration: Declaration, draft: Draft, claim: Claim) -> Case:
    """What reviewers are shown of a claim."""
    evidence = evidence_of(claim, draft)
    before = draft.content[: claim.start].rstrip(_OPENING_MARKS)
    written = strip_markers(draft.content[len(before) : claim.end]).strip()
    prose = declaration.prose_claim(draft.content, claim.start)
    if prose:
        return Case(
            replace(claim, under=prose.under),
            evidence,
            locale=declaration.locale,
            around=prose.around,
            written=written,
        )
    header, lead = _header_and_lead(draft.content, claim)
    under = " · ".join(filter(None, (declaration.under, header)))
    line_start = draft.content.rfind("\n", 0, claim.start) + 1
    return Case(
        replace(claim, under=under, header=header),
        evidence,
        question=declaration.question,
        locale=declaration.locale,
        answer=strip_markers(draft.content),
        lead=lead,
        is_step=_STEP.match(draft.content, line_start) is not None,
        around=declaration.around,
        written=written,
    )


def _header_and_lead(content: str, claim: Claim) -> tuple[str, str]:
    """The column headers of the table that a claim is a row of, and the line before the list that it is an item of;
    both empty for other claims."""
    header = ""
    lead = ""
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
    slug = "partly-answered"
    tip = "ask less, or document the rest"
    says = "may leave a part of it open"
    if check.fit is Fit.NO:
        slug = "off-question"
        tip = "correct the answer, or the question"
        says = "does not answer it"
    message = f"the answer to “{declaration.question}” {says}: {check.reason}"
    yield found(slug, place, message, tip=tip, answer=declaration.key)
