"""The record of one answer as a value: its text, its evidence, and what was said of it. No file is touched here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import prepared, replace
from mkdocs_cited.model.answer import (
    PERSON,
    Answer,
    AnswerCheck,
    Citation,
    Claim,
    Draft,
    Evidence,
    Fit,
    Judgement,
    ReviewedClaim,
    Spend,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Corpus, Page, Passage, PassageKind, Section, Source, SourceType, Via
from mkdocs_cited.records.verdicts import Number, RecordedVerdict, decided, holding, merged_verdicts

MOST_REJECTED = 20
"""Rejected texts that a record remembers."""


class RecordedCitation(Struct, frozen=True, forbid_unknown_fields=True):
    """A citation as a record stores it: what one number of the text leads to."""

    sid: Annotated[int, msgspec.Meta(ge=1, le=9999)]
    passage: str
    """Id of the passage."""
    hash: str
    """Digest of the passage, by which it is found again when it moved."""
    quote: str = ""
    via: Via = Via.RETRIEVAL
    type: SourceType = SourceType.PAGE
    """The kind of its page: a note stays private when it is renamed or gone."""
    label: str = ""
    """What a footnote calls it, for hosts that show records without the site's pages; empty elsewhere."""
    link: str = ""
    """Where it leads, relative to the site's root, or a whole address; for the same hosts."""
    kind: PassageKind = PassageKind.PARAGRAPH
    """What a footnote shows its quote as; for the same hosts."""
    around: tuple[str, ...] = ()
    """The sentences that are cited, between the one before and the one after; for the same hosts."""


class Approval(Struct, frozen=True, forbid_unknown_fields=True):
    """A person's approval of one text: who, when, and the hash of that text."""

    by: str
    date: str
    """ISO 8601 date. Not `on`, which YAML 1.1 takes for `true`."""
    text: str
    """`text_hash()` of what was approved; the approval lapses when the text changes."""


@prepared
class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """One committed answer. The order of the fields is that of the file."""

    key: str
    """`faq.md#limits`; in the file's path, not in the file."""
    question: str
    content: str = ""
    """Markdown with `[^n]` markers; the file's body."""
    provider: str = ""
    model: str = ""
    prompt_version: str = ""
    written_on: str = ""
    """ISO 8601 date on which the text was written."""
    declaration: str = ""
    """`Declaration.hash` that the text answers."""
    generated: str = ""
    """`text_hash()` of the text as a program wrote it or a person accepted it; another text was edited by hand."""
    reviewed: str = ""
    """`text_hash()` of the text whose review was finished; empty for none."""
    reviewer: str = ""
    abstained: bool = False
    """Whether the provider said that the docs do not answer the question."""
    reason: str = ""
    """Why it abstained, or why the text is only a proposal."""
    retries: Number = 0
    fit: Fit = Fit.YES
    """Whether the text answered the question when it was first reviewed: builds go by it, and a check asks again."""
    left_open: str = ""
    """What it left open then, in words."""
    fit_by: str = ""
    """Key of the model that said so, whose word holds as long as text and question do; empty where words decided."""
    encoder: str = ""
    """Name of the local model by whose sense of meaning its sources were found; empty where words found them."""
    citations: tuple[RecordedCitation, ...] = ()
    pointers: tuple[tuple[str, tuple[Number, ...]], ...] = ()
    verdicts: tuple[RecordedVerdict, ...] = ()
    approval: Approval | None = None
    rejected: tuple[str, ...] = ()
    """`text_hash()` of proposals that a person turned down: they are not made again."""
    consulted: tuple[str, ...] = ()
    """Ids of the passages that the writer was given, in rank order."""
    nearest: tuple[RecordedCitation, ...] = ()
    """The sections that an abstention leads to, for hosts that show records without the site's pages."""
    queries: tuple[str, ...] = ()
    """Other words for the question, with which the writer found what it cites: later searches use them, too."""
    spend: Spend = Spend()
    place: Place = Place("")
    """File and line on which the text starts, once it was read from there."""

    @classmethod
    def of(cls, answer: Answer, declaration: Declaration, before: Record | None, today: str) -> Record:
        """The record of a finished answer. What people said of the text it follows stays where it still holds."""
        earlier = before if before is not None and before.content == canonical(answer.content) else None
        record = cls(
            answer.key,
            answer.question,
            content=canonical(answer.content),
            provider=answer.provider,
            model=answer.model,
            prompt_version=answer.prompt_version,
            written_on=earlier.written_on if earlier else today,
            declaration=declaration.hash,
            generated=earlier.generated if earlier else text_hash(answer.content),
            abstained=answer.status is Status.ABSTAINED,
            reason=answer.reason,
            encoder=answer.encoder,
            approval=earlier.approval if earlier else None,
            rejected=before.rejected if before else (),
            consulted=tuple(source.passage.id for source in answer.consulted),
            queries=answer.queries or (earlier.queries if earlier else ()),
            verdicts=before.verdicts if before else (),
        )
        return replace(record, **_fit(answer.check, record.encoder)).with_review(answer)

    @classmethod
    def for_decisions(cls, answer: Answer, declaration: Declaration, before: Record | None, today: str) -> Record:
        """The record that a person's word on the answer's claims goes into: the present one, else a new one.

        That of an authored answer holds what people and models said and nothing else, as far as it still holds: its
        text is in its page.
        """
        if answer.provider != AUTHORED:
            return before or cls.of(answer, declaration, None, today)
        if before and before.content and before.provider != AUTHORED:
            return before  # a text from before the page had its own: a person's to delete
        said = holding(before.verdicts, answer.claims) if before else ()
        return cls(answer.key, answer.question, provider=AUTHORED, verdicts=said)

    def read_by(self, reviewer: str, answer: Answer) -> Record:
        """This record with what one reviewer, by its key, said of the answer's claims, and with what people did."""
        verdicts = merged_verdicts(self.verdicts, answer.claims)
        return replace(self, verdicts=tuple(item for item in verdicts if item.by_person or item.reviewer == reviewer))

    def with_review(self, answer: Answer) -> Record:
        """This record with the answer's evidence and verdicts; the text and who wrote it stay as they are. A review
        that was not finished takes nothing back: it says nothing of the text."""
        shown = {(item.passage, item.quote): item for item in self.citations}
        new = self.reviewed != text_hash(self.content)
        record = replace(
            self,
            reviewed=text_hash(self.content) if answer.reviewed else self.reviewed,
            reviewer=answer.reviewer if answer.reviewed else self.reviewer,
            retries=answer.retries or self.retries,
            citations=tuple(_citations(answer)),
            pointers=answer.pointers,
            verdicts=merged_verdicts(self.verdicts, answer.claims),
            spend=answer.spend,
            **(_fit(answer.check, self.encoder) if answer.check and (new or answer.check.reviewer) else {}),
        )
        return record.with_footnotes(shown)

    def with_footnotes(self, footnotes: Mapping[tuple[str, str], RecordedCitation]) -> Record:
        """This record with what hosts without an index show of its citations.

        Args:
            footnotes: (passage's id, quote) → a citation that is shown as this one shall be.
        """
        pairs = [(item, footnotes.get((item.passage, item.quote), item)) for item in self.citations]
        shown = (replace(a, label=b.label, link=b.link, kind=b.kind, around=b.around) for a, b in pairs)
        return replace(self, citations=tuple(shown))

    def judgement(self, claim: Claim, evidence: Sequence[Evidence], reviewer: str) -> Judgement | None:
        """What a reviewer said of this claim and these very passages; `person` asks for a person's verdict."""
        people = reviewer == PERSON
        stored = (item for item in self.verdicts if item.by_person == people and (people or item.reviewer == reviewer))
        return next((item.judgement for item in stored if item.holds(claim, evidence)), None)

    def lapsed(self, claim: Claim, evidence: Sequence[Evidence]) -> RecordedVerdict | None:
        """What a person last said of this claim, if what it cites or what is over it has changed since."""
        said = [item for item in self.verdicts if item.by_person and item.passages and item.claim == claim.text]
        holds = any(item.holds(claim, evidence) for item in said)
        return None if holds else max(said, key=lambda item: item.date, default=None)

    def unused(self, claims: Sequence[ReviewedClaim]) -> list[str]:
        """The claims that a person decided and that the text no longer makes: they were reworded or deleted."""
        made = {item.claim.text for item in claims}
        return [item.claim for item in self.verdicts if item.by_person and item.claim not in made]

    def decided(self, claim: ReviewedClaim, verdict: Verdict, by: str, on: str, reason: str = "") -> Record:
        """This record with a person's verdict on one claim, for as long as claim and passages stay the same."""
        score = {Verdict.SUPPORTED: 1.0, Verdict.PARTIAL: 0.5}.get(verdict, 0.0)
        judgement = Judgement(verdict, score, reason, f"{PERSON}:{by}", on)
        others = [item for item in self.verdicts if not (item.by_person and item.holds(claim.claim, claim.evidence))]
        new = decided(claim, judgement)
        at = next((i for i, item in enumerate(others) if item.claim == claim.claim.text), len(others))
        return replace(self, verdicts=(*others[:at], new, *others[at:]))

    def dated(self, answer: Answer) -> Answer:
        """The answer with what this record knows of its past."""
        approval = self.approval if self.approved else None
        return replace(
            answer,
            retries=self.retries,
            written_on=self.written_on,
            accepted_by=approval.by if approval else "",
            accepted_on=approval.date if approval else "",
        )

    @property
    def says(self) -> tuple[object, ...]:
        """Its text and what that cites, however a footnote shows it: two records that say the same are distinguished by
        nobody."""
        return self.content, [(item.sid, item.passage, item.hash, item.quote, item.type) for item in self.citations]

    @property
    def textless(self) -> bool:
        """Whether it holds no answer, only what people said of one whose text is elsewhere."""
        return not self.content and not self.abstained

    @property
    def unconfirmed(self) -> frozenset[str]:
        """Claims, in plain text, that neither a person nor, without one's word, any reviewer says are supported."""
        said: dict[str, list[RecordedVerdict]] = {}
        for item in self.verdicts:
            said.setdefault(item.claim, []).append(item)
        last = {claim: [item for item in items if item.by_person][-1:] or items for claim, items in said.items()}
        return frozenset(
            claim for claim, items in last.items() if all(item.verdict is not Verdict.SUPPORTED for item in items)
        )

    @property
    def approved(self) -> bool:
        """Whether a person approved this very text."""
        return self.approval is not None and self.approval.text == text_hash(self.content)


class Absent(Struct, frozen=True):
    """The outcome of reading a record whose file does not exist."""

    file: str
    """Where it would be, relative to the project."""


class Broken(Struct, frozen=True):
    """The outcome of reading a record whose file cannot be read. The file is left as it is."""

    file: str
    reason: str
    line: int = 1

    def finding(self, answer: str = "") -> Finding:
        """The finding `broken-record` that says what is wrong, and on which line."""
        tip = "fix it by hand, restore it from git, or delete it and run `mkdocs-cited update`"
        return found("broken-record", Place(self.file, self.line), f"the record {self.reason}", tip=tip, answer=answer)


def _citations(answer: Answer) -> Iterator[RecordedCitation]:
    sources = {source.sid: source for source in answer.sources}
    for citation in answer.citations:
        item = RecordedCitation(citation.sid, citation.passage, "", citation.quote)
        if source := sources.get(citation.sid):
            private = source.passage.page.type is SourceType.NOTE
            kind = SourceType.NOTE if private else SourceType.PAGE
            item = replace(item, hash=source.passage.hash, via=source.via, type=kind)
        yield item


def _fit(check: AnswerCheck | None, encoder: str) -> dict[str, Any]:
    """What a record stores of the judgement on the whole answer; an encoder has its own field."""
    if check is None:
        return {}
    left_open = "" if check.fit is Fit.YES else check.reason
    return {"fit": check.fit, "left_open": left_open, "fit_by": check.reviewer if check.reviewer != encoder else ""}


def edited(record: Record) -> bool:
    """Whether a person changed the text since a program wrote it or a person accepted it."""
    return bool(record.content) and record.generated != text_hash(record.content)


def has_a_persons_word(record: Record) -> bool:
    """Whether a person wrote, edited or approved this very text: only a proposal that is accepted may replace it."""
    return bool(record.content) and (edited(record) or record.approved)


def text_hash(content: str) -> str:
    """The digest of a text that approvals and reviews hold for; blank lines around it and line ends do not count."""
    return digest("text-1", canonical(content))


def canonical(content: str) -> str:
    """A text as a record's body has it: `\\n` at line ends, no blank lines around it, no half characters."""
    text = content.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def to_draft(record: Record, corpus: Corpus) -> Draft:
    """The record's answer as its writer gave it. A passage that is gone is replaced by its quote."""
    sources = tuple(_source(citation, corpus) for citation in sorted(record.citations, key=lambda item: item.sid))
    return Draft(
        record.content,
        tuple(Citation(item.sid, item.passage, item.quote) for item in record.citations),
        sources,
        record.provider,
        record.model,
        record.prompt_version,
        record.spend,
        pointers=record.pointers,
    )


def nearest_of(record: Record, found: Sequence[Source], corpus: Corpus) -> tuple[Source, ...]:
    """Where an abstention points to: what its writer named, as far as it is still there, then what is found today."""
    today = {source.passage.id: source for source in found}
    for name in reversed(record.consulted):
        passage = corpus.passage(name)
        if passage is not None:
            today = {name: today.get(name) or Source(0, passage, Via.TOOL)} | today
    return tuple(replace(source, sid=sid) for sid, source in enumerate(today.values(), 1))


def split_id(passage: str) -> tuple[str, str, str]:
    """Page, anchor and short hash of a passage id: `guide/install.md#pip~k3f9ab`."""
    place, _, short = passage.rpartition("~")
    page, _, anchor = place.partition("#")
    return page, anchor, short.partition(".")[0]


def _source(citation: RecordedCitation, corpus: Corpus) -> Source:
    passage = corpus.passage(citation.passage)
    if passage is None:
        src, anchor, _ = split_id(citation.passage)
        known = next((page for page in corpus.pages() if page.src == src), None)
        # Of a page that is nowhere any more, nobody can tell whether it was a note: nothing of it is published.
        page = known or Page(src, "", PurePosixPath(src).name, type=SourceType.NOTE)
        if citation.type is SourceType.NOTE:
            page = replace(page, type=SourceType.NOTE)
        section = Section(page, anchor, page.title, 0, (page.title,))
        kind, end = PassageKind.PARAGRAPH, len(citation.quote)
        passage = Passage(
            citation.passage, section, kind, citation.quote, page.type, citation.hash, sentences=((0, end),)
        )
    return Source(citation.sid, passage, citation.via)
