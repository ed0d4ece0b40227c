"""The commands that answers are kept with: `update`, `status`, `diff`, `accept`, `reject`, `review`, `prune`."""

from __future__ import annotations

import datetime
import difflib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import click

from mkdocs_cited.anthropic_client import table_date
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean, shorten
from mkdocs_cited.cli.check import deliver
from mkdocs_cited.cli.group import FOUND, config_option, json_option, main
from mkdocs_cited.cli.output import choose, echo, emit_json, progress, rule, table
from mkdocs_cited.mkdocs_host.site import Site, load
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.ledger import Estimate
from mkdocs_cited.model.source import pages_of
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Record, decode
from mkdocs_cited.settings import UpdateMode


def today() -> str:
    return datetime.date.today().isoformat()


@main.command()
@click.argument("ids", nargs=-1)
@config_option
@click.option("--stale", "mode", flag_value="stale", help="Write what is missing or out of date (the default).")
@click.option("--missing", "mode", flag_value="missing", help="Write only what has no answer yet.")
@click.option("--all", "mode", flag_value="always", help="Write every answer anew.")
@click.option("--batch", is_flag=True, help="Send requests to models in batches: half the price, done within a day.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and what it would cost; write nothing.")
def update(ids: tuple[str, ...], config_file: Path | None, mode: str | None, batch: bool, dry_run: bool) -> None:
    """Write or renew answers and keep them as records. IDS are keys (`faq.md#limits`) or ids; all by default."""
    site = load(config_file)
    chosen = _chosen(site, ids)
    with progress(len(site.declarations), "answers") as advance:
        wanted = cast("UpdateMode", mode or ("always" if ids else "stale"))
        only = frozenset(chosen) if ids else frozenset()
        run = Run(wanted, writes=not dry_run, calls_models=not dry_run, only=only, progress=advance)
        if batch:
            run = replace(run, batches=site.build.cache / "batches")
        report = site.settle(run)
    answers = [answer for answer in report.answers if not ids or answer.key in chosen]
    table(
        ("answer", "state", "cost"),
        [(answer.key, _state(answer), f"${answer.spend.cost:.4f}" if answer.spend.cost else "") for answer in answers],
    )
    deliver(report, [("console", "-")])
    if dry_run:
        echo(_priced(site.pipeline(run).estimate(site.declarations), batch=batch))
    if report.failed():
        sys.exit(FOUND)


def _priced(estimate: Estimate, *, batch: bool) -> str:
    """What a run would cost, in a line."""
    if not estimate.calls:
        return "No model would be asked."
    tokens = f"{estimate.input_tokens:,} input tokens ({'counted' if estimate.counted else 'estimated: no key'})"
    share = estimate.batch if batch else 1.0
    cost = f"${estimate.least * share:.2f} to ${estimate.most * share:.2f}, by the prices of {table_date()}"
    unknown = "" if estimate.priced else "; a model without a known price is counted as 0"
    return f"{estimate.calls} requests, {tokens}: {cost}{unknown}."


@main.command()
@config_option
@click.option("--changed-since", metavar="REV", help="Only answers whose cited passages differ from those at REV.")
@json_option
def status(config_file: Path | None, changed_since: str | None, as_json: bool) -> None:
    """List every answer: its state, its age, what it cites, and who approved it."""
    site = load(config_file)
    answers = site.check().answers
    if changed_since:
        changed = set(_changed_since(site, changed_since))
        answers = tuple(answer for answer in answers if answer.key in changed)
    if as_json:
        emit_json([_status(answer) for answer in answers])
        return
    rows = [
        (answer.id, answer.page, _state(answer), _age(answer), ", ".join(_cited_pages(answer)), answer.accepted_by)
        for answer in answers
    ]
    table(("answer", "page", "state", "age", "cites", "approved by"), rows)
    for answer in answers:
        if answer.advice:
            echo(f"{answer.key}: {'; '.join(answer.advice)}. `mkdocs-cited update {answer.key}` writes it anew.")


def _status(answer: Answer) -> dict[str, object]:
    return {
        "key": answer.key, "page": answer.page, "id": answer.id, "question": answer.question, "state": _state(answer),
        "ok": answer.ok, "written_on": answer.written_on, "cites": _cited_pages(answer),
        "approved_by": answer.accepted_by, "approved_on": answer.accepted_on, "advice": list(answer.advice),
    }  # fmt: skip


def _state(answer: Answer) -> str:
    """The state in a word: `proposed` where an accepted answer goes on while another text waits."""
    return "proposed" if answer.status is Status.ACCEPTED and answer.proposal else answer.status.value


def _age(answer: Answer) -> str:
    if not answer.written_on:
        return ""
    try:
        days = (datetime.date.today() - datetime.date.fromisoformat(answer.written_on)).days
    except ValueError:  # written by hand: it is what it says
        return shorten(answer.written_on, 20)
    return "today" if days <= 0 else f"{days} d"


def _cited_pages(answer: Answer) -> list[str]:
    return list(pages_of(source.passage for source in answer.sources))


def _changed_since(site: Site, revision: str) -> Iterator[str]:
    """Keys of the answers whose passages, cited at a revision, are not on the site any more.

    Raises:
        UsageError: git knows no such commit here.
    """
    root, store = site.root, site.store
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").strip()
    if not commit:
        raise UsageError(f"git knows no commit `{revision}` here", tip="name a branch, a tag or a commit")
    for declaration in site.declarations:
        path = store.path(declaration.key)
        shown = _git(root, "show", f"{commit}:./{path}")
        record = decode(declaration.key, shown, path) if shown else None
        if isinstance(record, Record) and any(not site.corpus.with_hash(c.hash) for c in record.citations):
            yield declaration.key


def _git(root: Path, *arguments: str) -> str:
    """What git prints; empty when it fails.

    Raises:
        CitedError: there is no git.
    """
    try:
        found = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)  # noqa: S603, S607 -- no shell
    except OSError as error:
        raise CitedError("git cannot be run", tip="install git") from error
    return found.stdout.decode("utf-8", "replace") if found.returncode == 0 else ""


@main.command()
@click.argument("ids", nargs=-1)
@config_option
def diff(ids: tuple[str, ...], config_file: Path | None) -> None:
    """Show how waiting proposals differ from what stands, as prose."""
    site = load(config_file)
    waiting = list(_waiting(site, _chosen(site, ids)))
    for key, current, proposal in waiting:
        echo(f"{key}\n{_prose_diff(current, proposal.content)}")
    if not waiting:
        echo("No proposal waits.")
    sys.exit(FOUND if waiting else 0)


@main.command()
@click.argument("ids", nargs=-1, required=True)
@config_option
@click.option("--claim", type=click.IntRange(1), metavar="N", help="Decide the N-th claim of one answer only.")
@click.option(
    "--verdict",
    type=click.Choice([v.value for v in Verdict if v is not Verdict.UNCHECKED]),
    default="supported",
    show_default=True,
    help="What you say of the claim.",
)
@click.option("--by", help="Your name; git's `user.name` by default.")
@click.option("--reason", default="", help="Why, for those who read the record later.")
def accept(
    ids: tuple[str, ...], config_file: Path | None, claim: int | None, verdict: str, by: str | None, reason: str
) -> None:
    """Accept waiting proposals, approve texts that stand, or decide a single claim that no reader could."""
    site = load(config_file)
    chosen, name = _chosen(site, ids), by or _git_name(site.root)
    if claim is None:
        for key in chosen:
            done = site.store.accept(key, name, today())
            if not isinstance(done, Record):
                raise CitedError(f"{key}: there is no record to accept", tip=f"run `mkdocs-cited update {key}` first")
            echo(f"{key}: accepted by {name}")
        return
    if len(chosen) != 1:
        raise UsageError("`--claim` decides one claim of one answer", tip="name one answer")
    _decide(site, chosen[0], claim, Verdict(verdict), name, reason)


def _decide(site: Site, key: str, number: int, verdict: Verdict, by: str, reason: str) -> None:
    answer = next(answer for answer in site.check().answers if answer.key == key)
    if number > len(answer.claims):
        known = "\n".join(f"  {i}. {item.claim.text}" for i, item in enumerate(answer.claims, 1))
        raise UsageError(f"{key} has {len(answer.claims)} claims", tip=f"name one of them:\n{known}")
    claim = answer.claims[number - 1]
    declaration = next(item for item in site.declarations if item.key == key)
    store = site.store
    if not isinstance(store.read(key), Record):
        store.write(Record.of(answer, declaration, None, today()))
    store.decide(key, claim, verdict, by, today(), reason)
    echo(f"{key}: claim {number} is {verdict.value}, says {by}: {claim.claim.text}")


@main.command()
@click.argument("ids", nargs=-1, required=True)
@config_option
def reject(ids: tuple[str, ...], config_file: Path | None) -> None:
    """Throw waiting proposals away; the same text is not proposed again."""
    site = load(config_file)
    for key in _chosen(site, ids):
        waits = isinstance(site.store.proposal(key), Record)
        site.store.reject(key)
        echo(f"{key}: {'rejected' if waits else 'no proposal waits'}")


@main.command()
@config_option
@click.option("--by", help="Your name; git's `user.name` by default.")
def review(config_file: Path | None, by: str | None) -> None:
    """Walk through the waiting proposals, one at a time, with the evidence beside each."""
    site = load(config_file)
    store, name = site.store, by or _git_name(site.root)
    waiting = list(_waiting(site, _chosen(site, ())))
    for position, (key, current, proposal) in enumerate(waiting, 1):
        rule(f"{position} of {len(waiting)} · {key}")
        echo(f"{proposal.question}\n\n{_prose_diff(current, proposal.content)}\n")
        if proposal.reason:
            echo(f"waits because: {proposal.reason}\n")
        table(("", "passage", "quote"), [(f"[{c.sid}]", c.passage, shorten(c.quote, 300)) for c in proposal.citations])
        choice = choose("(a)ccept, (r)eject, (s)kip, (q)uit", "arsq")
        if choice == "q":
            return
        if choice == "a":
            store.accept(key, name, today())
        elif choice == "r":
            store.reject(key)
    echo("No proposal waits." if not waiting else "Done.")


@main.command()
@config_option
@click.option("--dry-run", is_flag=True, help="Name them, delete nothing.")
def prune(config_file: Path | None, dry_run: bool) -> None:
    """Delete records and proposals whose declaration is gone."""
    site = load(config_file)
    for key in site.store.orphan_keys(site.standing_keys()):
        if not dry_run:
            site.store.remove(key)
        echo(f"{key}: {'would be deleted' if dry_run else 'deleted'}")


def _chosen(site: Site, ids: Sequence[str]) -> list[str]:
    """The keys that ids and keys name; all of them for none.

    Raises:
        UsageError: an id names nothing; says which one is close.
    """
    keys = sorted(declaration.key for declaration in site.declarations)
    if not ids:
        return keys
    out: list[str] = []
    for name in ids:
        named = [key for key in keys if name in (key, key.rpartition("#")[2])]
        if not named:
            short = [key.rpartition("#")[2] for key in keys]
            raise UsageError(
                f"no page declares an answer `{name}`", tip=did_you_mean(name, tuple(dict.fromkeys(short)))
            )
        out += named
    return list(dict.fromkeys(out))


def _waiting(site: Site, keys: Sequence[str]) -> Iterator[tuple[str, str, Record]]:
    """Key, text that stands, and proposal of every answer for which one waits."""
    for key in keys:
        proposal, current = site.store.proposal(key), site.store.read(key)
        if isinstance(proposal, Record):
            yield key, current.content if isinstance(current, Record) else "", proposal


def _prose_diff(before: str, after: str) -> str:
    return "\n".join(
        difflib.unified_diff(before.splitlines(), after.splitlines(), "stands", "proposed", lineterm="", n=1)
    )


def _git_name(root: Path) -> str:
    """The name that git knows its user by.

    Raises:
        UsageError: git knows no name.
    """
    name = _git(root, "config", "user.name").strip()
    if not name:
        raise UsageError("nobody's name is known", tip="give `--by NAME`, or set git's `user.name`")
    return name
