"""What a provider writes, what a reviewer says of it, and what both become: an answer with its review."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.text import Spans
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Passage, Source

PERSON = "person"
"""How the reviewer of a person's decision begins: `person:NAME`."""


class Verdict(StrEnum):
    """What a reviewer says of one claim and its cited passages."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"
    """No reviewer ran, or none could decide. Never a pass."""


class Citation(Struct, frozen=True):
    """A pointer from an answer's text to a source."""

    sid: int
    """The number in the text, `[^sid]`."""
    passage: str
    """Id of the passage."""
    quote: str
    """Verbatim text of the passage that supports the claim: whole sentences, or a whole code block."""


class Spend(Struct, frozen=True, forbid_unknown_fields=True):
    """What an answer cost. Zero everywhere for what runs offline."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Input tokens read from the provider's cache."""
    cost: float = 0.0
    """US dollars, by the price table of the day it was written."""

    def __add__(self, other: Spend) -> Spend:
        return Spend(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            round(self.cost + other.cost, 6),
        )


class Draft(Struct, frozen=True):
    """A provider's answer, before any check."""

    content: str
    """Markdown with a `[^n]` marker behind each claim."""
    citations: tuple[Citation, ...]
    """One for each number in the text, and none besides."""
    sources: tuple[Source, ...]
    """The sources that the numbers mean, those found by tools included."""
    provider: str
    model: str = ""
    prompt_version: str = ""
    spend: Spend = Spend()
    findings: tuple[Finding, ...] = ()
    """What the provider itself found wrong with what it was given: a target that does not exist."""
    unresolved: tuple[int, ...] = ()
    """Offsets in `content` where an author cited what does not exist, as `findings` say."""
    named: tuple[tuple[int, tuple[Passage, ...]], ...] = ()
    """Offset in `content` of each citation of an author, with all passages of the page or section that it names."""
    consulted: tuple[Source, ...] = ()
    """What its tools showed it besides the request's sources, cited or not, numbered on from those."""
    queries: tuple[str, ...] = ()
    """Searches of the writer that found what it cites: other words for the question."""


class Abstention(Struct, frozen=True):
    """The docs do not answer the question, says the provider: a result, not a fault."""

    reason: str
    """One sentence for the author."""
    nearest: tuple[Source, ...]
    """The best that was found, best first."""
    provider: str = ""
    model: str = ""
    spend: Spend = Spend()


class Fault(Struct, frozen=True):
    """A provider or reviewer could not do its work. Never a pass."""

    reason: str
    """What happened, without any key."""
    tip: str
    """What to do about it."""
    spend: Spend = Spend()


class Claim(Struct, frozen=True):
    """One sentence or list item of an answer that states something."""

    text: str
    """Plain text: no markers, no Markdown; what a reader sees."""
    sids: tuple[int, ...]
    """Numbers of the sources it cites, in order."""
    start: int = 0
    """Offset of its first character in the answer's content."""
    end: int = 0
    """Offset behind its last character, its markers included."""
    header: str = ""
    """Of a row of an answer's table: its column headers, as plain text."""
    under: str = ""
    """What stands over it where readers see it, and counts: the nearest heading of its page, column headers, the kind
    of an admonition."""


class Excerpt(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Words of a passage that a decision depends on."""

    at: str
    """Page and heading: `guide/config.md#general`."""
    under: str = ""
    """What stands over it and counts: the nearest heading, column headers, the kind of an admonition."""
    text: str
    """A sentence with code in backticks, a row with ` | ` between its cells, or lines of code."""


class Change(Struct, frozen=True, kw_only=True):
    """What has become of the words that a decision depends on."""

    was: Excerpt
    now: str = ""
    """The sentence, row or line in its place; empty where there is none."""
    under: str = ""
    """What stands over it now."""
    passage: str = ""
    """Id of the passage that has it now."""
    moved: str = ""
    """Page and heading that have the words of then today, where the cited section has lost them."""
    values: tuple[tuple[str, str], ...] = ()
    """Values that the claim states and that are gone, each with what stands in its place (empty for nothing)."""
    by: str = ""
    """Who had decided."""
    on: str = ""
    """ISO 8601 date of that decision."""
    verdict: Verdict = Verdict.SUPPORTED
    """What was decided."""


class Evidence(Struct, frozen=True):
    """A passage as a reviewer sees it."""

    passage: Passage
    quote: str
    shown: bool = True
    """Whether a footnote shows it. The rest of a section that an author cites is read with what is shown of it."""

    @property
    def heading(self) -> str:
        """Where it is, for reviewers that need context: `Page › Heading`, then what leads into it."""
        return " › ".join(
            filter(None, (*self.passage.section.breadcrumb, self.passage.lead))
        )


class Judgement(Struct, frozen=True):
    """What one reviewer says of one claim."""

    verdict: Verdict
    reason: str = ""
    """In words: what is missing, what disagrees."""
    reviewer: str = ""
    """`lexical`, `anthropic`, or `person:NAME`."""
    date: str = ""
    """ISO 8601 date, for a person's."""
    evidence_quote: str = ""
    """What of the passage decided it."""
    quotes: tuple[str, ...] = ()
    """All that a model quoted of the passages, word for word."""
    missing: Spans = ()
    """Ranges of the claim's text that it does not, or that disagree."""
    suggested: str = ""
    """Id of a passage that supports the claim clearly better."""
    proof: str = ""
    """Slug of the finding for what is certain: `altered-number`, `altered-identifier`, `flipped-polarity`,
    `outdated-claim`, `changed-evidence`."""

    @property
    def person(self) -> str:
        """The name of the person who says it; empty where no person does."""
        who, _, name = self.reviewer.partition(":")
        if who == PERSON:
            return name
        return ""


class Decision(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A verdict on one claim, with the words that it depends on, as a record stores it."""

    claim: str
    """Plain text of the claim."""
    verdict: Verdict
    by: str = ""
    """The person who decided; empty for a model's."""
    reviewer: str = ""
    """Key of the model that decided, with the version of its instructions; empty for a person's."""
    date: str = ""
    """ISO 8601 date of a person's decision. Not `on`, which YAML 1.1 takes for `true`."""
    reason: str = ""
    suggested: str = ""
    """Id of a passage that supports the claim better."""
    evidence: tuple[Excerpt, ...] = ()
    under: str = ""
    """What stood over the claim itself, and counts: `Claim.under`; empty where nothing did, and in older records."""
    seen: str = ""
    """In a record of 0.2, which had hashes in place of evidence: the beginnings of those of the passages."""

    @property
    def judgement(self) -> Judgement:
        """The decision as the review takes it."""
        reviewer = self.reviewer
        if self.by:
            reviewer = f"{PERSON}:{self.by}"
        return Judgement(
            self.verdict,
            reason=self.reason,
            reviewer=reviewer,
            date=self.date,
            suggested=self.suggested,
        )


class Recalled(Struct, frozen=True):
    """What somebody said of a claim, and what has changed of the words that it depends on; `None` while it holds."""

    judgement: Judgement
    decision: Decision
    """The same as a record stores it."""
    change: Change | None = None


class Known(Struct, frozen=True):
    """What a record knows of one claim."""

    person: Recalled | None = None
    """What people decided."""
    model: Recalled | None = None
    """What models decided, whichever it was."""
    rewritten: Change | None = None
    """What has changed of the words that the recorded text quotes for a claim that nobody has decided."""

    @property
    def holds(self) -> bool:
        """True if a decision of a person or a model holds."""
        return any(item and not item.change for item in (self.person, self.model))


class Fit(StrEnum):
    """Whether an answer answers its question."""

    YES = "yes"
    PART = "in part"
    NO = "no"


class AnswerCheck(Struct, frozen=True):
    """What was found when an answer was held against its question, apart from whether its claims hold."""

    fit: Fit
    reason: str = ""
    """One sentence for the author."""
    reviewer: str = ""
    """Who says so; empty for the check by words and form."""


class ReviewedClaim(Struct, frozen=True):
    """A claim with its evidence and what was said of it."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    judgement: Judgement
    said: tuple[Decision, ...] = ()
    """What a model and a person said of it that holds, for the record."""
    change: Change | None = None
    """What has changed since it was decided, where that decision does not hold any more."""
    unaided: Judgement | None = None
    """What words, a value or a model say, whatever people have decided; nothing of a claim that cites nothing."""

    @property
    def shown(self) -> tuple[Evidence, ...]:
        """The evidence that a footnote shows."""
        return tuple(item for item in self.evidence if item.shown)

    @property
    def is_of_a_note(self) -> bool:
        """True if it cites a maintainers' note, of which nothing is published but its name."""
        return any(item.passage.is_private for item in self.evidence)

    @property
    def objection(self) -> Judgement | None:
        """Who but a person finds it wrong, and why: that is overruled one by one, and for a reason."""
        for judgement in (self.judgement, self.unaided):
            if judgement is None or judgement.person:
                continue
            if judgement.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED):
                return judgement
        return None


class Status(StrEnum):
    """The state of an answer (`status` in `cited.json`)."""

    ACCEPTED = "accepted"
    QUOTED = "quoted"
    """The nearest passage stands for an answer; nobody has looked at it."""
    WAITING = "waiting"
    """A person has yet to approve the text, or to decide one of its claims."""
    STALE = "stale"
    MISSING = "missing"
    ABSTAINED = "abstained"
    FAILED = "failed"
    """It has an error, or could not be written or read."""


class Answer(Struct, frozen=True):
    """An answer with its evidence and its review, ready to render and to record."""

    key: str
    """`faq.md#limits`."""
    page: str
    id: str
    question: str
    status: Status
    content: str = ""
    """Markdown with `[^n]` markers, numbered by first appearance."""
    target: str = "markdown"
    quiet: tuple[int, ...] = ()
    """Of a page's marked claims: numbers, from 0, of the blocks of `content` whose citations readers do not see."""
    sources: tuple[Source, ...] = ()
    """What the numbers mean: `sources[n - 1].sid == n`."""
    citations: tuple[Citation, ...] = ()
    claims: tuple[ReviewedClaim, ...] = ()
    check: AnswerCheck | None = None
    """Whether it answers its question; None for one without a text, and for data and diagrams."""
    unknown: tuple[str, ...] = ()
    """Without a text: words of the question that appear nowhere in the docs."""
    consulted: tuple[Source, ...] = ()
    """What the writer was given, in rank order; also when it abstained."""
    queries: tuple[str, ...] = ()
    """Other words for its question that its writer found something with, in this run."""
    reason: str = ""
    """Why there is no text, or why it does not hold."""
    provider: str = ""
    model: str = ""
    prompt_version: str = ""
    reviewer: str = ""
    reviewed: bool = False
    """Whether a review of every claim was finished."""
    retries: int = 0
    """Corrections asked of the writer, 0…2."""
    spend: Spend = Spend()
    findings: tuple[Finding, ...] = ()
    """Those that concern it, suppressed ones left out."""
    accepted_by: str = ""
    accepted_on: str = ""
    """ISO 8601 date of a person's approval."""
    written_on: str = ""
    """ISO 8601 date on which its record was written; empty without a record."""
    proposal: str = ""
    """Text of a proposal that waits next to it."""

    @classmethod
    def of(
        cls,
        declaration: Declaration,
        status: Status,
        draft: Draft | None = None,
        findings: Iterable[Finding] = (),
        *,
        reason: str = "",
    ) -> Answer:
        """The answer to a declaration, with the draft's text as it is, or without a text."""
        prose = enumerate(declaration.prose)
        draft = draft or Draft("", (), (), "")
        return cls(
            declaration.key,
            declaration.page,
            declaration.id,
            declaration.question,
            status,
            target=declaration.target,
            findings=tuple(findings),
            reason=reason,
            quiet=tuple(number for number, claim in prose if claim.quiet),
            content=draft.content,
            sources=draft.sources,
            citations=draft.citations,
            provider=draft.provider,
            model=draft.model,
            prompt_version=draft.prompt_version,
        )

    @property
    def is_wrong(self) -> bool:
        """True if an error was found in it: more than that nobody has approved it."""
        return any(
            finding.severity == "error" and finding.slug != "unapproved-answer"
            for finding in self.findings
        )

    @property
    def is_sound(self) -> bool:
        """True if it has a text that may be published, and no error was found in it."""
        return self.status is Status.ACCEPTED and not self.is_wrong

    @property
    def state(self) -> Status:
        """Its status; `FAILED` also where an error was found in a text, and `WAITING` where nobody has decided one of
        the claims of a text that is published."""
        if self.is_wrong and self.status in (Status.ACCEPTED, Status.WAITING):
            return Status.FAILED
        if self.status is Status.ACCEPTED:
            for item in self.claims:
                if item.judgement.verdict is Verdict.UNCHECKED:
                    return Status.WAITING
        return self.status

    @property
    def ok(self) -> bool:
        """True if it is sound and each of its claims is decided."""
        return self.state is Status.ACCEPTED

    @property
    def denied(self) -> bool:
        """True if a model or a person says that the docs do not answer its question."""
        return self.status is Status.ABSTAINED and bool(self.model or self.accepted_by)

    @property
    def coverage(self) -> float:
        """Cited claims ÷ claims, 0…1; 1 when nothing is claimed."""
        if self.claims:
            return sum(bool(item.claim.sids) for item in self.claims) / len(self.claims)
        return 1.0
