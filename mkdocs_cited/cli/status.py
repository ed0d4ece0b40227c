"""`status`: the state that answers are in, and what of them waits for a person."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypedDict

import click
from msgspec import Struct

from mkdocs_cited.base.text import shorten
from mkdocs_cited.cli.group import (
    Where,
    checked,
    chosen,
    json_option,
    main,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import echo, emit_json, say, summary, table
from mkdocs_cited.findings.triage import WAITING, waiting
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.declaration import AUTHORED, Target
from mkdocs_cited.model.finding import Detail
from mkdocs_cited.model.source import pages_of
from mkdocs_cited.records import Record, Store, text_hash

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.report import Report

STATES = {
    "failed": "mkdocs-cited check",
    "missing": "mkdocs-cited update",
    "stale": "mkdocs-cited update",
    "pending": "mkdocs-cited review",
    "quoted": "mkdocs-cited review",
    "unconfirmed": "mkdocs-cited review",
    "proposed": "mkdocs-cited review",
    "abstained": "",
    "accepted": "",
}
"""The states of an answer → the command that comes next; what needs somebody first comes first."""


class AnswerState(TypedDict):
    """An answer, as `status` lists it."""

    key: str
    page: str
    id: str
    question: str
    state: str
    ok: bool
    waiting: int
    findings: list[str]
    written_on: str
    cites: list[str]
    approved_by: str
    approved_on: str


class WaitingClaim(Struct, frozen=True):
    """A claim that no reviewer could decide, or found said in part only, and nobody has decided."""

    answer: Answer
    detail: Detail

    @property
    def key(self) -> str:
        """Key of its answer."""
        return self.answer.key

    @property
    def name(self) -> str:
        """The same for as long as claim and passages stay the same."""
        return f"{self.key} {self.claim.claim.start} {self.claim.claim.text}"

    @property
    def claim(self) -> ReviewedClaim:
        """The claim with its passages."""
        return self.answer.claims[self.detail.number - 1]


class WaitingProposal(Struct, frozen=True):
    """A text that waits next to the accepted one."""

    key: str
    accepted: str
    """The accepted text; empty for none."""
    proposal: Record

    @property
    def name(self) -> str:
        """The same for as long as the proposed text is."""
        return f"{self.key} {text_hash(self.proposal.content)}"


class WaitingQuestion(Struct, frozen=True):
    """A question that nobody has answered: a quotation stands for an answer, or nothing does."""

    answer: Answer

    @property
    def key(self) -> str:
        """Key of its answer."""
        return self.answer.key

    @property
    def name(self) -> str:
        """The same for as long as the question is."""
        return f"{self.key} {self.answer.question}"


Waiting = WaitingProposal | WaitingClaim | WaitingQuestion


@main.command()
@click.argument("names", nargs=-1)
@site_options
@json_option
def status(names: tuple[str, ...], where: Where, as_json: bool) -> None:
    """List the answers, first those that need you.

    Each has its state, findings, age and cited pages.

    NAMES are pages, keys, ids or globs; all answers by default.
    """
    site = where()
    keys = chosen(site, names, with_faults=True)
    report = checked(site)
    known = {answer.key: answer for answer in report.answers}
    answers = _in_order([known[key] for key in keys if key in known])
    unread = unread_pages(site, names)
    for finding in unread:  # of answers that are there and cannot be listed
        echo(f"{finding.place}: {finding.message}\n  → {finding.tip}", err=True)
    if as_json:
        emit_json([_data(answer) for answer in answers])
        return
    table(
        ("answer", "state", "findings", "age", "cites", "approved by"),
        list(map(_row, answers)),
    )
    for answer in answers:
        record = site.store.read(answer.key)
        for claim in record.unused(answer.claims) if isinstance(record, Record) else ():
            say(
                f"{answer.key}: a decision is unused, since no claim reads “{shorten(claim, 80)}” any more"
            )
    counts = Counter(map(state_of, answers))
    following = next((STATES[word] for word in STATES if counts[word]), "")
    counted = summary(
        *((f"{{}} {word}", counts[word]) for word in STATES),
        ("{} unreadable", len(unread)),
    )
    orphans = {
        item.tip: item.message
        for item in report.shown
        if item.slug == "orphan-record" and not names
    }
    # one for each command that helps: decisions of a moved page among them
    for tip, message in orphans.items():
        say(message, following=tip)
    first = "mkdocs-cited check"  # decisions move with their records
    if not unread:
        first = following
        if orphans:
            first = ""
    say(counted or "no answers", following=first)


def state_of(answer: Answer) -> str:
    """The state of an answer: a key of `STATES`.

    `failed` where an error was found, `unconfirmed` where claims wait for a person, `proposed` where an accepted answer
    goes on while another text waits.
    """
    if is_wrong(answer) and answer.status in (Status.ACCEPTED, Status.PENDING):
        return "failed"
    if answer.status is Status.STALE and answer.proposal:
        return "proposed"
    if answer.status is not Status.ACCEPTED or not answer.ok:
        if answer.status is not Status.ACCEPTED:
            return answer.status.value
        return "pending"
    if any(finding.slug == WAITING for finding in answer.findings):
        return "unconfirmed"
    if answer.proposal:
        return "proposed"
    return "accepted"


def is_wrong(answer: Answer) -> bool:
    """True if an error was found in it: more than that nobody has approved it."""
    return any(
        finding.severity == "error" and finding.slug != "unapproved-answer"
        for finding in answer.findings
    )


def all_that_waits(site: Site, report: Report, keys: Collection[str]) -> list[Waiting]:
    """Everything that waits in these answers, answer by answer as they are given, its proposal first.

    Claims of a text that is only proposed do not wait: nobody has taken it yet.
    """
    waits, answers = waiting(report), {answer.key: answer for answer in report.answers}
    found: list[Waiting] = []
    for key in keys:
        found += filter(None, [proposal_of(site, key)])
        if key not in answers:
            continue
        answer = answers[key]
        if is_open(answer):
            found.append(WaitingQuestion(answer))
        elif decidable(site, answer):
            claims = [
                WaitingClaim(answer, detail)
                for _, detail in sorted(waits.get(key, {}).items())
            ]
            claims.sort(key=lambda item: item.claim.change is None)
            found += claims
    return found


def is_open(answer: Answer) -> bool:
    """True if nobody has answered its question: not a person, not a model, not the page."""
    if answer.proposal or answer.target == Target.PROSE:
        return False
    return answer.status in (Status.QUOTED, Status.MISSING) or (
        answer.status is Status.ABSTAINED and not answer.denied
    )


def proposal_of(site: Site, key: str) -> WaitingProposal | None:
    """The proposal that waits next to an answer."""
    proposal = site.store.proposal(key)
    if isinstance(proposal, Record):
        return WaitingProposal(key, texts_of(site.store, key)[0], proposal)
    return None


def texts_of(store: Store, key: str) -> tuple[str, str]:
    """The accepted text and the proposed one that the repository holds of an answer; empty for none."""
    record, proposal = store.read(key), store.proposal(key)
    accepted = ""
    if isinstance(record, Record):
        accepted = record.content
    return accepted, proposal.content if isinstance(proposal, Record) else ""


def decidable(site: Site, answer: Answer) -> bool:
    """True if the answer's text is recorded or authored, so that its claims can be decided one by one."""
    if answer.provider == AUTHORED or isinstance(site.store.read(answer.key), Record):
        return True
    return not isinstance(site.store.proposal(answer.key), Record)


def _in_order(answers: Sequence[Answer]) -> list[Answer]:
    """Page by page; first the pages, and on each the answers, that need somebody. Else they stay as they are."""
    rank = {answer.key: [*STATES].index(state_of(answer)) for answer in answers}
    first: dict[str, tuple[int, int]] = {}
    for at, answer in enumerate(answers):
        worst, place = first.get(answer.page, (len(STATES), at))
        first[answer.page] = min(rank[answer.key], worst), place
    return sorted(answers, key=lambda answer: (first[answer.page], rank[answer.key]))


def _row(answer: Answer) -> tuple[str, ...]:
    cites = ", ".join(pages_of(source.passage for source in answer.sources))
    return (
        answer.key,
        state_of(answer),
        _findings(answer),
        _age(answer),
        cites,
        answer.accepted_by,
    )


def _findings(answer: Answer) -> str:
    """The slugs of its findings, and how many claims wait; of a page's marked claims, how many there are, how many are
    supported, and of how many a passage has changed since a person decided them."""
    counts = Counter(item.judgement.verdict for item in answer.claims)
    stale = sum(item.change is not None for item in answer.claims)
    marked = summary(
        ("{} marked", len(answer.claims)),
        ("{} confirmed", counts[Verdict.SUPPORTED]),
        ("{} stale", stale),
    )
    words = [marked] if answer.target == Target.PROSE else []
    words += [
        f"{len(item.details)} waiting" if item.slug == WAITING else item.slug
        for item in answer.findings
    ]
    return ", ".join(dict.fromkeys(words))


def _data(answer: Answer) -> AnswerState:
    return AnswerState(
        key=answer.key,
        page=answer.page,
        id=answer.id,
        question=answer.question,
        state=state_of(answer),
        ok=answer.ok,
        waiting=sum(len(item.details) for item in answer.findings),
        findings=sorted({item.slug for item in answer.findings}),
        written_on=answer.written_on,
        cites=list(pages_of(source.passage for source in answer.sources)),
        approved_by=answer.accepted_by,
        approved_on=answer.accepted_on,
    )


def _age(answer: Answer) -> str:
    if not answer.written_on:
        return ""
    try:
        days = (
            datetime.date.today() - datetime.date.fromisoformat(answer.written_on)
        ).days
    except ValueError:  # written by hand: it is what it says
        return shorten(answer.written_on, 20)
    if days <= 0:
        return "today"
    return f"{days} d"
