"""What waits for a person: proposals, and claims that no reader could tell; and where a person's word on it goes."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.cli.objects import Evidence, Undecided
from mkdocs_cited.findings.gathering import decidable as overrulable
from mkdocs_cited.findings.gathering import waiting
from mkdocs_cited.mkdocs_host.site import Site
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Verdict
from mkdocs_cited.model.declaration import AUTHORED
from mkdocs_cited.model.finding import Detail
from mkdocs_cited.model.report import Report
from mkdocs_cited.records import Broken, Record, text_hash


def today() -> str:
    """The date of what is decided now, ISO 8601."""
    return datetime.date.today().isoformat()


class WaitingClaim(Struct, frozen=True):
    """A claim that no reader could tell, or found said in part only, and nobody has decided."""

    answer: Answer
    detail: Detail

    @property
    def key(self) -> str:
        """Key of its answer."""
        return self.answer.key

    @property
    def name(self) -> str:
        """The same for as long as claim and passages stay the same."""
        return f"{self.key} {self.claim.decision_key}"

    @property
    def claim(self) -> ReviewedClaim:
        """The claim with its passages."""
        return self.answer.claims[self.detail.number - 1]


class WaitingProposal(Struct, frozen=True):
    """A text that waits beside the accepted one."""

    key: str
    stands: str
    """The accepted text; empty for none."""
    proposal: Record

    @property
    def name(self) -> str:
        """The same for as long as the proposed text is."""
        return f"{self.key} {text_hash(self.proposal.content)}"


Waiting = WaitingProposal | WaitingClaim


def all_that_waits(site: Site, report: Report, keys: Collection[str]) -> list[Waiting]:
    """Everything that waits in these answers, answer by answer as they are given, its proposal first.

    Claims of a text that is only proposed do not wait: nobody has taken it yet.
    """
    details, parts, answers = waiting(report), overrulable(report), {answer.key: answer for answer in report.answers}
    found: list[Waiting] = []
    for key in keys:
        proposed = proposal_of(site, key)
        claims: list[WaitingClaim] = []
        if key in answers and decidable(site, answers[key]):
            waits = {detail.number: detail for detail in (*parts.get(key, ()), *details.get(key, ()))}
            claims = [WaitingClaim(answers[key], waits[number]) for number in sorted(waits)]
        found += [*([proposed] if proposed else []), *claims]
    return found


def proposal_of(site: Site, key: str) -> WaitingProposal | None:
    """The proposal that waits beside an answer."""
    proposal, current = site.store.proposal(key), site.store.read(key)
    if not isinstance(proposal, Record):
        return None
    return WaitingProposal(key, current.content if isinstance(current, Record) else "", proposal)


def undecided(item: Waiting) -> Undecided:
    """What waits, as JSON."""
    if isinstance(item, WaitingProposal):
        cited = [Evidence(passage=part.passage, place="", text=part.quote) for part in item.proposal.citations]
        return Undecided(
            key=item.key, question=item.proposal.question, number=0, text=item.proposal.content, stands=item.stands,
            place=item.proposal.file, hint=item.proposal.reason, passages=cited,
        )  # fmt: skip
    placed = {related.passage: str(related.place) for related in item.detail.related if related.place}
    passages = [
        Evidence(passage=part.passage.id, place=placed.get(part.passage.id, ""), text=part.passage.text)
        for part in item.claim.evidence
    ]
    return Undecided(
        key=item.key, question=item.answer.question, number=item.detail.number, text=item.claim.claim.text, stands="",
        place=str(item.detail.place), hint=item.detail.hint, passages=passages,
    )  # fmt: skip


def decidable(site: Site, answer: Answer) -> bool:
    """Whether the answer's text is one that stands, so that its claims can be decided one by one."""
    if answer.provider == AUTHORED or isinstance(site.store.read(answer.key), Record):
        return True
    return not isinstance(site.store.proposal(answer.key), Record)


class Person(Struct, frozen=True):
    """Whose word it is, and where it goes."""

    site: Site
    name: str

    def says(self, answer: Answer, claim: ReviewedClaim, verdict: Verdict, reason: str = "") -> None:
        """Store a verdict on a claim.

        Raises:
            CitedError: the answer's record cannot be read, and was left as it is.
        """
        declaration = next(item for item in self.site.declarations if item.key == answer.key)
        kept = self.site.store.decide(answer, declaration, claim, verdict, self.name, today(), reason)
        if isinstance(kept, Broken):
            raise CitedError(f"{kept.file}:{kept.line}: the record {kept.reason}", tip=kept.finding().tip)

    def accepts(self, key: str) -> Record:
        """Let a proposal stand, or approve the text that does.

        Raises:
            CitedError: there is neither.
        """
        done = self.site.store.accept(key, self.name, today())
        if isinstance(done, Broken):
            raise CitedError(f"{done.file}:{done.line}: the record {done.reason}", tip=done.finding().tip)
        if not isinstance(done, Record):
            raise CitedError(f"{key}: there is no record to accept", tip=f"run `mkdocs-cited update {key}` first")
        return done
