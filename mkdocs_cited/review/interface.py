"""What a reviewer is: it reads claims next to their cited passages, and says what it sees or that it cannot tell.

And what an audit rule is: it needs no reviewer, only the text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from mkdocs_cited.model.answer import (
    AnswerCheck,
    Citation,
    Claim,
    Evidence,
    Fault,
    Judgement,
    Spend,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Passage, Source, SourceType, Via

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


QUOTATION_MARKS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
    }
)
"""Typographic quotation marks are equal to plain ones, and what no reader sees does not count."""


class Case(Struct, frozen=True):
    """One claim with the passages it cites, and nothing that could sway a reviewer."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    question: str = ""
    locale: str = "en"
    answer: str = ""
    """The whole text that the claim is in, as Markdown without numbers; empty for a claim on its own."""
    lead: str = ""
    """Of a list's item: the line that leads into its list, as plain text."""
    is_step: bool = False
    """Whether it is an item of a numbered list."""
    around: str = ""
    """Of a page's own sentence what its page has around it, of an answer what is over its place, as Markdown: what it
    speaks of, not what it states."""
    written: str = ""
    """The claim as Markdown without numbers; empty where its plain text is all there is."""
    doubts: tuple[str, ...] = ()
    """What words see in claim and passages that a reviewer by meaning should look at: a sentence each."""


class Review(Struct, frozen=True):
    """One judgement for each case, in order, or the reason why there is none."""

    judgements: tuple[Judgement, ...]
    spend: Spend = Spend()
    conflicts: tuple[tuple[str, str, str], ...] = ()
    """Passages that disagree on a fact: (id, id, what they disagree on)."""
    check: AnswerCheck | None = None
    """Whether the text that the claims are in answers its question; `None` from a reviewer that reads claims only."""


class Reviewer(ABC):
    """Gives verdicts. Made once a run."""

    id: ClassVar[str]
    version: ClassVar[str] = "1"
    """Part of a stored verdict's key: change it whenever a verdict may change."""
    calls_model: ClassVar[bool] = False

    def __init__(self, settings: Settings, access: Client | None = None) -> None:
        """`access` leads to the models of a run; it is handed to those that call one."""
        self.settings = settings
        self.access = access

    def check(self) -> Fault | None:
        """Why it could not review at all, such as a missing key; sends nothing."""
        return None

    def notices(self) -> tuple[str, ...]:
        """What every output of the run must say: that a model is about to be withdrawn, for one."""
        return ()

    @property
    def key(self) -> str:
        """What stored verdicts are keyed on, besides claim and passages; with a model, its name too."""
        return f"{self.id}-{self.version}"

    @abstractmethod
    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge the claims of one answer. A fault is returned, not raised, and is never a pass."""


class Audit(Struct, frozen=True):
    """An answer's text as the rules see it."""

    declaration: Declaration
    content: str
    """Markdown with `[^n]` markers, as written: numbers may be wrong."""
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    sources: tuple[Source, ...]
    corpus: Corpus
    settings: Settings
    file: str
    """The file that holds the text: the record, or the page with the declaration."""
    line: int = 1
    """Line on which `content` starts in `file`."""
    lines_count: bool = False
    """Whether a line of `content` is a line of `file`; otherwise every place is `line`."""
    column: int = 1
    """Column on which each line of `written` starts in `file`: a text in YAML is indented."""
    written: str = ""
    """The text as its author wrote it, with citations where `content` has numbers; empty when that is `content`."""
    judgements: tuple[Judgement, ...] = ()
    """What the reviewer said of each claim, in order; empty before the review."""
    conflicts: tuple[tuple[str, str, str], ...] = ()
    """What the reviewer saw passages disagree on (`Review.conflicts`)."""
    unresolved: tuple[int, ...] = ()
    """Offsets in `content` of citations that fail the answer as `unknown-source` already (`Draft.unresolved`)."""
    named: tuple[tuple[int, tuple[Passage, ...]], ...] = ()
    """Offset in `content` of each citation of an author, with the passages of what it names (`Draft.named`)."""

    @property
    def uncited(self) -> tuple[Claim, ...]:
        """The claims that cite nothing, in order; those whose citation is known to lead nowhere are not told again,
        nor those that lead into a list as the page of a source does."""
        told, leads = (
            self.unresolved,
            {text for source in self.sources for text in source.passage.labels},
        )
        return tuple(
            claim
            for claim in self.claims
            if not (
                claim.sids
                or claim.text in leads
                or any(claim.start < at <= claim.end for at in told)
            )
        )

    def claim_at(self, offset: int) -> str:
        """The claim that a character of `content` is in; empty for none."""
        return next(
            (claim.text for claim in self.claims if claim.start <= offset < claim.end),
            "",
        )

    def place(self, offset: int = 0) -> Place:
        """Where a character of `content` is; on column 1 when only its line is known."""
        prose = self.declaration.prose_claim(self.content, offset)
        if prose:
            return prose.place
        if not self.lines_count:
            return Place(self.file, self.line)
        before = self.content[:offset]
        number, start = before.count("\n"), before.rfind("\n") + 1
        if not self.written:
            return Place(self.file, self.line + number, offset - start + 1)
        lines = self.written.split("\n")
        at = _written_at(
            self.content[start:].partition("\n")[0],
            offset - start,
            lines[number : number + 1],
        )
        return Place(
            self.file, self.line + number, 1 if at is None else at + self.column
        )

    def evidence(self, claim: Claim) -> tuple[Evidence, ...]:
        """The passages that a claim cites, with their quotes; numbers that lead to nothing are left out.

        Behind them comes the rest of what the author names for this claim, in page order: another claim may name more
        around the same passage. Code that takes the numbers of a sentence before it has no place of its own for them.
        """
        quotes = {citation.sid: citation.quote for citation in self.citations}
        sources = {source.sid: source for source in self.sources}
        cited = [sources[sid] for sid in claim.sids if sid in sources]
        shown = {
            source.passage.id: Evidence(source.passage, quotes.get(source.sid, ""))
            for source in cited
        }
        named = [
            passages for at, passages in self.named if claim.start < at <= claim.end
        ]
        sections = named or [
            source.context for source in cited if source.via is Via.AUTHOR
        ]
        around = {
            p.id: p for passages in sections for p in passages if p.id not in shown
        }
        return (
            *shown.values(),
            *(Evidence(passage, "", shown=False) for passage in around.values()),
        )


def _written_at(line: str, offset: int, written: Sequence[str]) -> int | None:
    """The offset in an author's line that an offset in the same line with numbers stands for, if that can be told."""
    if not written:
        return None
    if line[:offset] == written[0][:offset]:
        return offset
    words = line[offset:].partition("[^")[0][:40]
    at = -1
    if words.strip():
        at = written[0].rfind(words)
    if at < 0:
        return None
    return at


class Rule(ABC):
    """One deterministic check, run on every build; `rules/` has them all."""

    slug: ClassVar[str]

    @abstractmethod
    def check(self, audit: Audit) -> Iterable[Finding]:
        """What is wrong with the text, if anything."""

    def finding(
        self, audit: Audit, offset: int, message: str, tip: str, **details: Any
    ) -> Finding:
        """What the rule says of a place in the text; `details` are claim, marks and related of `found`."""
        return found(
            self.slug,
            audit.place(offset),
            message,
            tip=tip,
            answer=audit.declaration.key,
            **details,
        )


def related(message: str, passage: Passage) -> Related:
    """A passage as the second place of a finding. A note lends its name alone."""
    page = passage.page
    if page.type is SourceType.NOTE:
        return Related(f"{message}, a note: {page.title}")
    place = (
        Place(page.file or page.src, passage.lines[0], end_line=passage.lines[1])
        if passage.lines[0]
        else None
    )
    return Related(message, place, passage.id, passage.text, passage.url)


def label(passage: Passage) -> str:
    """How a message names a passage: its page's file and heading, or the name of a note."""
    page = passage.page
    if page.type is SourceType.NOTE:
        return f"the note {page.title}"
    if passage.section.anchor:
        return f"{page.src}#{passage.section.anchor}"
    return page.src
