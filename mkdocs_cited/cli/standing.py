"""How answers stand: `status`, and the word for it that every command uses."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.text import shorten
from mkdocs_cited.cli.changes import commit_of
from mkdocs_cited.cli.group import config_option, json_option, main, site_option
from mkdocs_cited.cli.naming import chosen, git, names_argument, unread_pages
from mkdocs_cited.cli.objects import Standing
from mkdocs_cited.cli.output import echo, emit_json, grouped_table, say, summary
from mkdocs_cited.cli.sites import checked, opened
from mkdocs_cited.findings.gathering import WAITING
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.source import pages_of

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

STATES = {
    "failed": "mkdocs-cited check",
    "missing": "mkdocs-cited update",
    "stale": "mkdocs-cited update",
    "pending": "mkdocs-cited review",
    "unconfirmed": "mkdocs-cited review",
    "proposed": "mkdocs-cited review",
    "abstained": "",
    "accepted": "",
}
"""The words for where an answer stands → the command that comes next; what needs somebody first comes first."""
_RANK = {word: rank for rank, word in enumerate(STATES)}


@main.command()
@names_argument()
@config_option
@site_option
@click.option("--changed-since", metavar="REV", help="Only answers whose cited passages differ from those at REV.")
@json_option
def status(
    names: tuple[str, ...], config_file: Path | None, folder: Path | None, changed_since: str | None, as_json: bool
) -> None:
    """List answers page by page, first those that need somebody.

    Of each: state, findings, age, and what it cites.

    NAMES are pages, keys, ids or globs; all answers by default.
    """
    site = opened(config_file, folder=folder)
    keys = chosen(site, names, with_faults=True)
    if changed_since:
        changed = set(_changed_since(site, changed_since))
        keys = [key for key in keys if key in changed]
    known = {answer.key: answer for answer in checked(site).answers}
    answers = _in_order([known[key] for key in keys if key in known])
    unread = unread_pages(site, names)
    for finding in unread:  # of answers that are there and cannot be listed
        echo(f"{finding.place}: {finding.message}\n  → {finding.tip}", err=True)
    if as_json:
        emit_json([_data(answer) for answer in answers])
        return
    rows = [(answer.page, _row(answer)) for answer in answers]
    grouped_table("page", ("answer", "state", "findings", "age", "cites", "approved by"), rows)
    for answer in answers:
        if answer.advice:
            say(f"{answer.key}: {'; '.join(answer.advice)}. `mkdocs-cited update {answer.key}` writes it anew.")
    counts = Counter(map(state_of, answers))
    following = next((STATES[word] for word in STATES if counts[word]), "")
    counted = summary(*((f"{{}} {word}", counts[word]) for word in STATES), ("{} unreadable", len(unread)))
    nothing = f"no answer cites a passage that changed since {changed_since}" if changed_since else "no answers"
    say(counted or nothing, following="mkdocs-cited check" if unread else following)


def state_of(answer: Answer) -> str:
    """Where an answer stands, in a word: a key of `STATES`.

    `failed` where an error was found, `unconfirmed` where claims wait for a person, `proposed` where an accepted answer
    goes on while another text waits.
    """
    wrong = any(finding.severity == "error" and finding.slug != "unapproved-answer" for finding in answer.findings)
    if wrong and answer.status in (Status.ACCEPTED, Status.PENDING):
        return "failed"
    if answer.status is not Status.ACCEPTED or not answer.ok:
        return answer.status.value if answer.status is not Status.ACCEPTED else "pending"
    if any(finding.slug == WAITING for finding in answer.findings):
        return "unconfirmed"
    return "proposed" if answer.proposal else "accepted"


def _in_order(answers: Sequence[Answer]) -> list[Answer]:
    """Page by page; first the pages, and on each the answers, that need somebody. Else they stay as they are."""
    rank = {answer.key: _RANK[state_of(answer)] for answer in answers}
    first: dict[str, tuple[int, int]] = {}
    for at, answer in enumerate(answers):
        worst, place = first.get(answer.page, (len(STATES), at))
        first[answer.page] = min(rank[answer.key], worst), place
    return sorted(answers, key=lambda answer: (first[answer.page], rank[answer.key]))


def _row(answer: Answer) -> tuple[str, ...]:
    cites = ", ".join(pages_of(source.passage for source in answer.sources))
    return answer.id, state_of(answer), _findings(answer), _age(answer), cites, answer.accepted_by


def _findings(answer: Answer) -> str:
    """The slugs of its findings, and how many claims wait."""
    words = [f"{len(item.details)} waiting" if item.slug == WAITING else item.slug for item in answer.findings]
    return ", ".join(dict.fromkeys(words))


def _data(answer: Answer) -> Standing:
    return Standing(
        key=answer.key, page=answer.page, id=answer.id, question=answer.question, state=state_of(answer), ok=answer.ok,
        waiting=sum(len(item.details) for item in answer.findings),
        findings=sorted({item.slug for item in answer.findings}), written_on=answer.written_on,
        cites=list(pages_of(source.passage for source in answer.sources)), approved_by=answer.accepted_by,
        approved_on=answer.accepted_on, advice=list(answer.advice),
    )  # fmt: skip


def _age(answer: Answer) -> str:
    if not answer.written_on:
        return ""
    try:
        days = (datetime.date.today() - datetime.date.fromisoformat(answer.written_on)).days
    except ValueError:  # written by hand: it is what it says
        return shorten(answer.written_on, 20)
    return "today" if days <= 0 else f"{days} d"


def _changed_since(site: Site, revision: str) -> Iterator[str]:
    """Keys of the answers whose passages, cited at a revision, are not on the site any more.

    Raises:
        UsageError: git knows no such commit here.
    """
    from mkdocs_cited.records import Record, decode

    root, store = site.root, site.store
    commit = commit_of(root, revision)
    for declaration in site.declarations:
        path = store.path(declaration.key)
        shown = git(root, "show", f"{commit}:./{path}")
        record = decode(declaration.key, shown, path) if shown else None
        if isinstance(record, Record) and any(not site.corpus.with_hash(c.hash) for c in record.citations):
            yield declaration.key
