"""`status`: the state that answers are in, and what of them waits for a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mkdocs_cited.base.errors import command
from mkdocs_cited.cli.group import (
    Where,
    checked,
    chosen,
    main,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import echo, say, table
from mkdocs_cited.findings import WAITING, waiting
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status
from mkdocs_cited.model.declaration import AUTHORED, PROSE
from mkdocs_cited.model.finding import Detail, Place
from mkdocs_cited.model.source import pages_of
from mkdocs_cited.records import Broken, Record, text_hash
from mkdocs_cited.reporters.interface import summary

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.report import Report

Stored = Record | Broken | None
"""A record or a proposal as it is read."""
STATES = {
    "failed": "check",
    "missing": "update",
    "stale": "update",
    "waiting": "review",
    "quoted": "review",
    "proposed": "review",
    "abstained": "",
    "accepted": "",
}
"""The states of an answer → the command that comes next, if any; what needs somebody first comes first."""


class _Waits(Struct, frozen=True):
    """What of an answer waits for a person."""

    key: str
    """Of the answer."""
    name: str
    """The same for as long as what waits is the same."""


class WaitingClaim(_Waits, frozen=True):
    """A claim that no reviewer could decide, or found said in part only, and nobody has decided."""

    place: Place
    answer: Answer
    detail: Detail
    claim: ReviewedClaim


class WaitingProposal(_Waits, frozen=True):
    """A text that waits next to the accepted one."""

    place: Place
    accepted: str
    """The accepted text; empty for none."""
    proposal: Record


class WaitingQuestion(_Waits, frozen=True):
    """A question that nobody has answered: a quotation stands for an answer, or nothing does."""

    question: str


Waiting = WaitingProposal | WaitingClaim | WaitingQuestion


@main.command()
@click.argument("names", nargs=-1)
@site_options
def status(names: tuple[str, ...], where: Where) -> None:
    """List the answers and the pages with marks, first those that need you.

    Each has its state, findings and cited pages.

    NAMES are pages, keys, ids or globs; all answers by default.
    """
    site = where()
    keys = chosen(site, names, with_files=True)
    report = checked(site)
    answers = report.by_key
    states = {key: state_of(answers[key]) for key in keys}
    unread = unread_pages(site, names)
    for finding in unread:  # of answers that are there and cannot be listed
        echo(f"{finding.place}: {finding.message}\n  → {finding.tip}", err=True)
    rows = []
    following = ""
    counts = []
    for state, does in STATES.items():
        listed = [answers[key] for key in keys if states[key] == state]
        rows += [_row(answer, state) for answer in listed]
        counts.append((f"{{}} {state}", len(listed)))
        if listed and does and not following:
            following = command(does)
    table(("answer", "state", "findings", "cites", "approved by"), rows)
    if unread:
        following = command("check")
    for item in report.shown:
        if item.slug == "orphan-record" and not names:
            say(item.message, following=item.tip)
            following = ""  # decisions move with their records
    counted = summary(*counts, ("{} unreadable", len(unread)))
    say(counted or "no answers", following=following)


def state_of(answer: Answer) -> str:
    """The state of an answer: a key of `STATES`.

    `proposed` where an accepted answer goes on while another text waits.
    """
    state = answer.state
    if answer.proposal and state in (Status.ACCEPTED, Status.STALE):
        return "proposed"
    return state.value


def all_that_waits(site: Site, report: Report, keys: Collection[str]) -> list[Waiting]:
    """Everything that waits in these answers, answer by answer as they are given, its proposal first.

    Claims of a text that is only proposed do not wait: nobody has taken it yet.
    """
    waits = waiting(report)
    answers = report.by_key
    found: list[Waiting] = []
    for key in keys:
        proposal = site.store.proposal(key)
        if isinstance(proposal, Record):
            name = f"{key} {text_hash(proposal.content)}"
            accepted = text_in(site.store.read(key))
            found.append(WaitingProposal(key, name, proposal.place, accepted, proposal))
        answer = answers.get(key)
        if answer is None:
            continue
        if is_open(answer):
            name = f"{key} {answer.question}"
            found.append(WaitingQuestion(key, name, answer.question))
        elif decidable(site, answer):
            claims = []
            for number, detail in sorted(waits.get(key, {}).items()):
                claim = answer.claims[number - 1]
                name = f"{key} {claim.claim.start} {claim.claim.text}"
                place = detail.place
                claims.append(WaitingClaim(key, name, place, answer, detail, claim))
            # first those whose evidence has changed
            claims.sort(key=lambda item: item.claim.change is None)
            found += claims
    return found


def say_end(
    site: Site,
    report: Report,
    keys: Collection[str],
    counts: Iterable[tuple[str, int]],
    *,
    has_written: bool,
) -> int:
    """Say what was done to these answers, what of them still waits, and what comes next; return how much waits."""
    left = len(all_that_waits(site, report, keys))
    following = ""
    if left:
        following = command("review")
    elif any(report.fails(item) and item.answer in keys for item in report.shown):
        following = command("check")
    elif has_written:
        following = f"commit {site.settings.records_dir}/"
    said = summary(*counts, ("{} still waiting", left))
    say(said or "nothing waits", following=following)
    return left


def is_open(answer: Answer) -> bool:
    """True if nobody has answered its question: not a person, not a model, not the page."""
    # also one that is not shown before somebody has approved it
    if any(finding.slug == "unreviewed-quote" for finding in answer.findings):
        return True
    if answer.proposal or answer.target == PROSE:
        return False
    if answer.status is Status.ABSTAINED:
        return not answer.denied
    if answer.status is Status.STALE:  # no model wrote it, and a passage of it is gone
        return not (answer.claims or answer.model)
    return answer.status in (Status.QUOTED, Status.MISSING)


def text_in(stored: Stored) -> str:
    """The text of a record or a proposal; empty for none, and of one that cannot be read."""
    if isinstance(stored, Record):
        return stored.content
    return ""


def decidable(site: Site, answer: Answer) -> bool:
    """True if the answer's text is recorded or authored, so that its claims can be decided one by one."""
    if answer.provider == AUTHORED or isinstance(site.store.read(answer.key), Record):
        return True
    return not isinstance(site.store.proposal(answer.key), Record)


def _row(answer: Answer, state: str) -> tuple[str, ...]:
    """A row of the table: `2 waiting` in place of the findings on claims that wait."""
    findings = sorted({item.slug for item in answer.findings} - {WAITING})
    waits = sum(len(item.details) for item in answer.findings)
    if waits:
        findings.append(f"{waits} waiting")
    cites = pages_of(source.passage for source in answer.sources)
    told = ", ".join(findings)
    return answer.key, state, told, ", ".join(cites), answer.accepted_by
