"""The record of one answer as a value: its text, its evidence, and what was said of it. No file is touched here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import digest, with_plain_ends
from mkdocs_cited.language import contains
from mkdocs_cited.model.answer import (
    Answer,
    Claim,
    Decision,
    Excerpt,
    Fit,
    ReviewedClaim,
    Spend,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import SourceType, Via

Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class RecordedCitation(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A citation as a record stores it: what one number of the text leads to."""

    sid: Annotated[int, msgspec.Meta(ge=1, le=9999)]
    at: str
    """Page and heading of the passage: `guide/config.md#general`."""
    quote: str = ""
    """What is quoted of it, word for word; by this it is found again."""
    via: Via = Via.RETRIEVAL
    type: SourceType = SourceType.PAGE
    """The kind of its page: a note stays private when it is renamed or gone."""


class Approval(Struct, frozen=True, forbid_unknown_fields=True):
    """A person's approval of one text: who, when, and the hash of that text."""

    by: str
    date: str
    """ISO 8601 date. Not `on`, which YAML 1.1 takes for `true`."""
    text: str
    """`text_hash()` of what was approved; the approval lapses when the text changes."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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
    citations: tuple[RecordedCitation, ...] = ()
    claims: tuple[Decision, ...] = ()
    """What models and people decided of its claims."""
    approval: Approval | None = None
    queries: tuple[str, ...] = ()
    """Other words for the question, with which the writer found what it cites: later searches use them, too."""
    spend: Spend = Spend()
    place: Place = Place("")
    """File and line on which the text starts, once it was read from there."""

    @classmethod
    def of(
        cls, answer: Answer, declaration: Declaration, before: Record | None, today: str
    ) -> Record:
        """The record of a finished answer. What people said of the text it follows stays where it still holds."""
        content = canonical(answer.content)
        record = cls(
            answer.key,
            answer.question,
            content=content,
            provider=answer.provider,
            model=answer.model,
            prompt_version=answer.prompt_version,
            written_on=today,
            declaration=declaration.hash,
            generated=text_hash(content),
            abstained=answer.status is Status.ABSTAINED,
            reason=answer.reason,
            queries=answer.queries,
        )
        if before:
            record = replace(record, claims=before.claims)
        if before and before.content == content:
            record = replace(
                record,
                written_on=before.written_on,
                generated=before.generated,
                approval=before.approval,
                queries=answer.queries or before.queries,
            )
        return record.with_review(answer)

    @classmethod
    def for_decisions(
        cls, answer: Answer, declaration: Declaration, before: Record | None, today: str
    ) -> Record:
        """The record that a person's word on the answer's claims goes into: the present one, else a new one.

        That of an authored answer holds what people and models said and nothing else: its text is in its page.
        """
        if answer.provider != AUTHORED:
            return before or cls.of(answer, declaration, None, today)
        if before and before.content and before.provider != AUTHORED:
            # a text from before the page had its own: a person's to delete
            return before
        said = merged(before.claims, answer.claims) if before else ()
        return cls(answer.key, answer.question, provider=AUTHORED, claims=said)

    def with_review(self, answer: Answer) -> Record:
        """This record with the answer's citations and what was decided of its claims; the text and who wrote it stay as
        they are. A review that was not finished takes nothing back: it says nothing of the text."""
        record = replace(
            self,
            retries=answer.retries or self.retries,
            citations=tuple(_citations(answer, self.citations)),
            claims=merged(self.claims, answer.claims),
            spend=answer.spend,
        )
        check = answer.check
        if check is None or not check.reviewer:
            return record
        left_open = ""
        if check.fit is not Fit.YES:
            left_open = check.reason
        return replace(
            record, fit=check.fit, left_open=left_open, fit_by=check.reviewer
        )

    def with_decisions(self, claims: Sequence[ReviewedClaim]) -> Record:
        """This record with what was decided of these claims."""
        return replace(self, claims=merged(self.claims, claims))

    def quotations(self, claim: Claim) -> Iterator[Excerpt]:
        """What its citations of a claim quote."""
        for citation in self.citations:
            if citation.sid in claim.sids:
                yield Excerpt(at=citation.at, text=citation.quote)

    def decisions(self, claim: Claim) -> Sequence[Decision]:
        """What was decided of its claims. Who approved this very text has decided a claim that says what its numbers
        quote, word for word, unless that claim was decided itself."""
        approval = self.approval_of_text
        quotations = self.quotations(claim)
        if (
            approval is None
            or any(item.claim == claim.text for item in self.claims)
            or not any(contains(item.text, claim.text) for item in quotations)
        ):
            return self.claims
        taken = Decision(
            claim=claim.text,
            verdict=Verdict.SUPPORTED,
            by=approval.by,
            date=approval.date,
        )
        return (*self.claims, taken)

    def decided(self, new: Decision, *, is_twin: bool = False) -> Record:
        """This record with a person's decision on one claim, in place of what people had decided of it before.

        Args:
            new: the decision.
            is_twin: whether the text says the same in another place, with other citations: what was decided of that
                one stays.
        """
        places = {excerpt.at for excerpt in new.evidence}
        claims: dict[Decision, None] = {}
        for item in self.claims:
            if item.claim == new.claim:
                claims.setdefault(new)
                others = [excerpt.at for excerpt in item.evidence]
                is_elsewhere = item.under != new.under or places.isdisjoint(others)
                is_of_twin = is_twin and others and is_elsewhere
                if item.by and not is_of_twin:
                    continue
            claims[item] = None
        claims.setdefault(new)
        return replace(self, claims=tuple(claims))

    def dated(self, answer: Answer) -> Answer:
        """The answer with what this record knows of its past."""
        answer = replace(answer, retries=self.retries, written_on=self.written_on)
        approval = self.approval_of_text
        if approval is None:
            return answer
        return replace(answer, accepted_by=approval.by, accepted_on=approval.date)

    @property
    def textless(self) -> bool:
        """True if it holds no answer, only what people said of one whose text is elsewhere."""
        return not self.content and not self.abstained

    @property
    def approved(self) -> bool:
        """True if a person approved this very text."""
        return self.approval_of_text is not None

    @property
    def approval_of_text(self) -> Approval | None:
        """The approval, if it is a person's and of this very text."""
        approval = self.approval
        if (
            approval
            and approval.by.strip()
            and approval.text == text_hash(self.content)
        ):
            return approval
        return None


# threads read it: msgspec 0.22 ends the process where two are the first to do so
msgspec.json.Decoder(Record)


class Broken(Struct, frozen=True):
    """The outcome of reading a record whose file cannot be read. The file is left as it is."""

    file: str
    reason: str
    line: int = 1

    def finding(self, answer: str = "") -> Finding:
        """The finding `broken-record` that says what is wrong, and on which line."""
        tip = "correct it by hand, or restore it from git; whoever deletes it deletes what people decided, too"
        return found(
            "broken-record",
            Place(self.file, self.line),
            f"the record {self.reason}",
            tip=tip,
            answer=answer,
        )


def _citations(
    answer: Answer, before: Sequence[RecordedCitation]
) -> Iterator[RecordedCitation]:
    """The citations of an answer as a record stores them, without other kinds of pages than notes.

    Args:
        before: what is stored. A quotation stays as it was where its passage has been divided, and a part is shown.
    """
    sources = {source.sid: source for source in answer.sources}
    quotes = {item.sid: item.quote for item in before}
    for citation in answer.citations:
        at = split_id(citation.passage)
        quote = citation.quote
        stored = quotes.get(citation.sid, "")
        if contains(stored, quote):
            quote = stored
        recorded = RecordedCitation(citation.sid, at, quote)
        source = sources.get(citation.sid)
        if source:
            at = source.passage.section.where
            recorded = replace(recorded, at=at, via=source.via)
            if source.passage.is_private:
                recorded = replace(recorded, type=SourceType.NOTE)
        yield recorded


def merged(
    before: Sequence[Decision], claims: Sequence[ReviewedClaim]
) -> tuple[Decision, ...]:
    """The decisions on the claims of a text in its order: what was said in this run, and all that people had decided
    of a claim that it still makes."""
    kept: dict[Decision, None] = {}
    for item in claims:
        people = {said.by: said for said in item.said if said.by}
        models = [said for said in item.said if not said.by]
        for old in before:
            if old.claim != item.claim.text:
                continue
            if old.by and not old.evidence:  # it is of 0.2
                old = people.get(old.by, old)
            if old.by or not models:
                kept[old] = None
        kept |= dict.fromkeys(models)
    return tuple(kept)


def edited(record: Record) -> bool:
    """True if a person changed the text since a program wrote it or a person accepted it."""
    return bool(record.content) and record.generated != text_hash(record.content)


def text_hash(content: str) -> str:
    """The digest of a text that approvals and reviews hold for; blank lines around it and line ends do not count."""
    return digest("text-1", canonical(content))


def canonical(content: str) -> str:
    """A text as a record's body has it: `\\n` at line ends, no blank lines around it, no half characters."""
    text = with_plain_ends(content).strip("\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def split_id(passage: str) -> str:
    """The page and heading of a passage's id: `guide/install.md#pip` of `guide/install.md#pip~k3f9ab`."""
    place, _, _ = passage.rpartition("~")
    return (place or passage).removesuffix("#")
