"""`update` writes records, and moves those whose question has another page or id; `prune` deletes those without one."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, cast

import click
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.cli.check import deliver
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    chosen,
    main,
    site_options,
)
from mkdocs_cited.cli.output import (
    difference,
    echo,
    progress,
    say,
    table,
)
from mkdocs_cited.cli.status import Stored, say_end, state_of, text_in
from mkdocs_cited.declarations import decoded, with_addresses
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.options import UpdateMode
from mkdocs_cited.reporters.interface import priced, summary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.finding import Finding
    from mkdocs_cited.pipeline.run import Run

COUNTED = {
    "wrote": "wrote {}", "renewed": "renewed {}", "unchanged": "{} unchanged", "proposal": "{} proposal{s}",
    "undocumented": "{} not documented", "failed": "{} failed",
}  # fmt: skip
"""What becomes of an answer → how it is counted."""


@main.command()
@click.argument("names", nargs=-1)
@site_options
@click.option(
    "--stale",
    "mode",
    flag_value="stale",
    help="Write answers that are missing or out of date. The default.",
)
@click.option(
    "--missing",
    "mode",
    flag_value="missing",
    help="Write only answers that are missing.",
)
@click.option(
    "--all",
    "mode",
    flag_value="always",
    help="Write all answers again. The default if you give NAMES.",
)
@click.option(
    "--batch",
    is_flag=True,
    help="Send the requests in batches, at half the price. It takes up to a day.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show what would be written, why and at what cost. Write nothing.",
)
def update(
    names: tuple[str, ...], where: Where, mode: str | None, batch: bool, dry_run: bool
) -> None:
    """Write answers that are missing or out of date.

    They are stored as records.

    NAMES are pages, keys, ids or globs; all answers by default.
    """
    from mkdocs_cited.pipeline.run import Run

    site = where()
    if site.settings.update_mode == "never" and not dry_run:
        raise UsageError(
            "`update` is `never`: the option says so, or this is a build server (`CI` is set)",
            tip="set `MKDOCS_CITED_UPDATE=stale` for this run",
        )
    keys = frozenset(chosen(site, names))
    _follow(site, keys, writes=not dry_run)
    site.keep_only(keys)
    wanted = cast("UpdateMode", mode or ("always" if names else "stale"))
    run = Run(wanted, only=keys if names else frozenset())
    if dry_run:
        _plan(site, replace(run, writes=False, calls_models=False))
        return
    if batch:
        run = replace(run, batches=site.cache / "batches")
    pipeline = site.pipeline(run)
    if pipeline.may_ask(site.declarations):
        said = priced(pipeline.estimate(site.declarations))
        if batch:
            said += " A batch costs half of it."
        say(said)
    before = {key: (site.store.read(key), site.store.proposal(key)) for key in keys}
    with progress("answers", len(keys)) as bar:
        run = replace(run, doing=bar.doing, progress=bar, encoding=bar.encoding)
        report = site.resolve(run)
    done = {}
    for answer in report.answers:
        done[answer.key] = _updated(site, answer, *before[answer.key])
    shown = []
    moved = []
    for finding in report.shown:
        # each is mended: in the page here, or in the record already
        if finding.slug == "moved-source" and finding.related:
            moved.append(finding)
        elif finding.slug == "moved-source" and done[finding.answer] == "renewed":
            continue
        elif not names or finding.answer in keys:
            shown.append(finding)
    report = replace(report, shown=tuple(shown))
    deliver(report)
    _write_addresses(site, moved)
    number = Counter(done.values())
    counts = [(words, number[what]) for what, words in COUNTED.items()]
    has_written = number["wrote"] + number["renewed"] > 0
    say_end(site, report, keys, counts, has_written=has_written)
    if report.failed():
        sys.exit(FOUND)


def _follow(site: Site, keys: Collection[str], *, writes: bool) -> None:
    """Move the records of these questions that had another page or id, and say which."""
    for orphan in site.store.orphans(site.known_keys(), site.declarations):
        if orphan.moved not in keys:
            continue
        if writes:
            site.store.move(orphan.key, orphan.moved)
        say(f"the record of {orphan.key} is that of {orphan.moved} now")


def _write_addresses(site: Site, found: Iterable[Finding]) -> None:
    """Write into the pages where the citations lead that were followed, each of which has a finding."""
    moved = defaultdict(list)
    for finding in found:
        old, new = finding.related
        moved[finding.place.file].append((old.text, new.text))
    for file, pairs in moved.items():
        path = site.root / file
        data = path.read_bytes()
        text = decoded(file, data).text
        write_atomically(path, with_addresses(data, text, dict(pairs)))
        counted = summary(("{} citation{s}", len(pairs)))
        say(f"{counted} of {file} renewed", following=f"git diff {file}")


def _updated(site: Site, answer: Answer, record: Stored, proposal: Stored) -> str:
    """What became of an answer, a key of `COUNTED`; show how its text has changed.

    Args:
        record: what was stored of it before the run.
        proposal: what waited next to it.
    """
    old = text = text_in(record)
    record_now = site.store.read(answer.key)
    accepted = text_in(record_now)
    proposed = text_in(site.store.proposal(answer.key))
    done = "unchanged"
    if proposed not in ("", text_in(proposal)):
        done = "proposal"
        text = proposed
    elif accepted not in ("", old):
        done = "wrote"
        text = accepted
    elif record_now != record:
        done = "renewed"
        file = site.store.path(answer.key)
        say(f"{answer.key}: its record is renewed", following=f"git diff {file}")
    if answer.is_wrong:
        done = "failed"
    elif answer.denied:
        done = "undocumented"
    change = difference("accepted", "proposed", old, text)
    if change:
        say(f"{answer.key}: {done}, {state_of(answer)}")
        echo(f"{change}\n")
    return done


def _plan(site: Site, run: Run) -> None:
    """What a run would do about each answer and why, those it would change first; and what models would cost."""
    pipeline = site.pipeline(run)
    plans = {}
    with progress("answers", len(site.declarations)) as bar:
        for declaration in site.declarations:
            plans[declaration.key] = pipeline.plan(declaration)
            bar()
    estimate = pipeline.estimate(site.declarations, [*plans.values()])
    asks, reads, rest = [], [], []
    for key, plan in plans.items():
        if plan.writer:
            does = f"ask {plan.writer.model}{_about(estimate.each)}"
            asks.append((key, does, plan.reason))
        elif plan.reads:
            does = f"review{_about(estimate.review)}"
            reads.append((key, does, "it was not reviewed since it changed"))
        else:
            rest.append((key, "leave", plan.reason))
    table(("answer", "what", "why"), [*asks, *reads, *rest])
    say(priced(estimate))
    stays = ("{} would stay", len(reads) + len(rest))
    counted = summary(("{} would change", len(asks)), stays)
    say(counted or "no page asks a question")


def _about(cost: float | None) -> str:
    """A price behind what it is for; empty where it is nothing, or not known."""
    if cost:
        return f", about ${cost:.3f}"
    return ""


@main.command()
@site_options
@click.option(
    "--moved",
    is_flag=True,
    help="Delete also those of questions that have another page or id now.",
)
def prune(where: Where, moved: bool) -> None:
    """Delete the records and proposals of questions that are gone.

    If a question has another page or id now, its record stays: `mkdocs-cited update` moves it.
    """
    site = where()
    deleted = 0
    left = 0
    for orphan in site.store.orphans(site.known_keys(), site.declarations):
        if orphan.moved and not moved:
            left += 1
            say(f"left {orphan.key}: it is that of {orphan.moved} now")
        else:
            deleted += 1
            echo(orphan.key)
            site.store.remove(orphan.key)
    if deleted:
        say(f"deleted {deleted}", following=f"commit {site.settings.records_dir}/")
    if left:
        say("", following=command("update"))
    elif not deleted:
        say("all records belong to a question")
