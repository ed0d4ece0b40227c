"""What a reviewer is: it reads claims next to their cited passages, and says what it sees or that it cannot tell.

And what the rules of an audit are given: a text with its claims, and what was said of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import (
    AnswerCheck,
    Claim,
    Draft,
    Evidence,
    Fault,
    Judgement,
    ReviewedClaim,
    Spend,
)
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, Related, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Passage, Via

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

GAP = re.compile(r"\s*\[?(?:…|\.{3})\]?\s*")
"""Where a quotation leaves words out."""


def plain(text: str) -> str:
    """A text with plain quotation marks, without what no reader sees, and with single spaces."""
    return collapse(text.translate(QUOTATION_MARKS))


def is_in_order(parts: Sequence[str], text: str) -> bool:
    """True if a text has all parts of a quotation, in order."""
    at = 0
    for part in parts:
        start = text.find(part, at)
        if start < 0:
            return False
        at = start + len(part)
    return True


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
    """One judgement for each case, in order, and what was seen of the answer as a whole."""

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
        """What every output of the run must say: that a model has no price, for one."""
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
    draft: Draft
    """The text with its citations and sources, as written: numbers may be wrong."""
    reviewed: tuple[ReviewedClaim, ...]
    """Its claims in order, with the passages that they cite and what was said of them."""
    corpus: Corpus
    settings: Settings
    start: Place
    """Where the text starts: in its record, or in the page with the declaration."""
    lines_count: bool = False
    """Whether a line of the text is a line of the file; otherwise every place is `start`."""
    unresolved: tuple[int, ...] = ()
    """Offsets in the text of citations that fail the answer as `unknown-source` already (`Draft.unresolved`)."""

    @property
    def content(self) -> str:
        """The text with its `[^n]` markers."""
        return self.draft.content

    @property
    def citation(self) -> str:
        """What the text cites with: a page's own text with an address, that of a record with a number."""
        if self.draft.provider == AUTHORED:
            return "an address, such as `[@page.md#heading]`"
        return "the number of a source, such as `[^1]`"

    @property
    def uncited(self) -> tuple[Claim, ...]:
        """The claims that cite nothing, in order. Left out are those with a citation that is reported as leading
        nowhere, and those that are the line before a list on the page of a source."""
        leads: set[str] = set()
        for source in self.draft.sources:
            leads.update(source.passage.labels)
        uncited = []
        for item in self.reviewed:
            claim = item.claim
            is_told = any(claim.start < at <= claim.end for at in self.unresolved)
            if not (claim.sids or is_told or claim.text in leads):
                uncited.append(claim)
        return tuple(uncited)

    def place(self, offset: int = 0) -> Place:
        """Where a character of the text is; on column 1 where only its line is known."""
        prose = self.declaration.prose_claim(self.content, offset)
        if prose:
            return prose.place
        if not self.lines_count:
            return Place(self.start.file, self.start.line)
        before = self.content[:offset]
        column = 1
        if self.draft.provider != AUTHORED:
            column = offset - before.rfind("\n")
        return Place(self.start.file, self.start.line + before.count("\n"), column)

    def finding(
        self, slug: str, offset: int, message: str, tip: str, **details: Any
    ) -> Finding:
        """A finding on a place in the text; `details` are claim, marks and related of `found`."""
        return found(
            slug,
            self.place(offset),
            message,
            tip=tip,
            answer=self.declaration.key,
            **details,
        )


def evidence_of(claim: Claim, draft: Draft) -> tuple[Evidence, ...]:
    """The passages that a claim cites, with their quotes; numbers that lead to nothing are left out.

    Behind them comes the rest of what the author names for this claim, in page order: another claim may name more
    around the same passage. Code that takes the numbers of a sentence before it has no place of its own for them.
    """
    quotes = {citation.sid: citation.quote for citation in draft.citations}
    sources = {source.sid: source for source in draft.sources}
    cited = [sources[sid] for sid in claim.sids if sid in sources]
    sections = [
        passages for at, passages in draft.named if claim.start < at <= claim.end
    ]
    if not sections:
        sections = [source.context for source in cited if source.via is Via.AUTHOR]
    evidence: dict[str, Evidence] = {}
    for source in cited:
        quote = quotes.get(source.sid, "")
        evidence[source.passage.id] = Evidence(source.passage, quote)
    for passages in sections:
        for passage in passages:
            evidence.setdefault(passage.id, Evidence(passage, "", shown=False))
    return tuple(evidence.values())


def claim_at(offset: int, audit: Audit) -> str:
    """The claim that a character of the text is in; empty for none."""
    for item in audit.reviewed:
        if item.claim.start <= offset < item.claim.end:
            return item.claim.text
    return ""


def related(message: str, passage: Passage) -> Related:
    """A passage as the second place of a finding. A note lends its name alone."""
    page = passage.page
    if passage.is_private:
        return Related(f"{message}, a note: {page.title}")
    place = None
    first, last = passage.lines
    if first:
        place = Place(page.file or page.src, first, end_line=last)
    return Related(message, place, passage.id, passage.text, passage.url)


def cited(evidence: Iterable[Evidence]) -> tuple[Related, ...]:
    """What a claim cites, as further places of a finding."""
    return tuple(related("the cited passage", item.passage) for item in evidence)


def label(passage: Passage) -> str:
    """How a message names a passage: its page's file and heading, or the name of a note."""
    if passage.is_private:
        return f"the note {passage.page.title}"
    return passage.section.where
