"""`update`, `prune` and `rename`: records are written, go with their questions, or follow them."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.terminal import harmless
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.check import deliver
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    chosen,
    config_option,
    docs_of,
    json_option,
    main,
    opened,
    plain_name,
    site_options,
    unread_pages,
)
from mkdocs_cited.cli.output import (
    Bar,
    command,
    echo,
    emit_json,
    is_quiet,
    progress,
    prose_diff,
    say,
    summary,
    table,
)
from mkdocs_cited.cli.status import is_wrong, proposal_of, state_of, texts_of
from mkdocs_cited.declarations.editing import decoded, refused, with_addresses
from mkdocs_cited.model.answer import Answer, Spend, Status
from mkdocs_cited.model.options import BASELINE, UpdateMode
from mkdocs_cited.records import Record, Store

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration
    from mkdocs_cited.model.report import Estimate, Report
    from mkdocs_cited.pipeline.pipeline import Pipeline
    from mkdocs_cited.pipeline.run import Run

MOST_LINES = 12
"""Of one answer's change that are shown."""
READS = "review"
"""What a run does about an answer that is kept and that a model has yet to read."""
MOST_NAMED = 3
"""Failed answers that the next step names."""
ALLOWED = "set `MKDOCS_CITED_UPDATE=stale` for this run"
COUNTED = {
    "wrote": "wrote {}", "unchanged": "{} unchanged", "proposal": "{} proposal{s}", "undocumented": "{} not documented",
    "failed": "{} failed",
}  # fmt: skip
"""What becomes of an answer → how it is counted."""


class Updated(TypedDict):
    """What `update` did about an answer."""

    key: str
    done: str
    state: str
    cost: float
    change: str
    """How its text changed, line by line; empty when it did not."""
    findings: list[str]


class Planned(TypedDict):
    """What `update --dry-run` would do about an answer."""

    key: str
    changes: bool
    does: str
    why: str
    cost: float | None
    """US dollars that a model would cost, in the median; null where nobody knows its price."""


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
@json_option
def update(
    names: tuple[str, ...],
    where: Where,
    mode: str | None,
    batch: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write answers that are missing or out of date.

    They are stored as records.

    NAMES are pages, keys, ids or globs; all answers by default.
    """
    from mkdocs_cited.pipeline.run import Run

    site = where()
    if site.settings.update_mode == "never" and not dry_run:
        raise UsageError(
            "`update` is `never`, which is the default on a build server", tip=ALLOWED
        )
    keys = chosen(site, names)
    site.keep_only(keys)
    wanted = cast("UpdateMode", mode or ("always" if names else "stale"))
    run = Run(wanted, only=frozenset(keys) if names else frozenset())
    if dry_run:
        _plan(
            site,
            replace(run, writes=False, calls_models=False),
            batch=batch,
            as_json=as_json,
        )
        return
    before = {key: texts_of(site.store, key) for key in keys}
    recorded = {key: _recorded(site.store, key) for key in keys}
    with progress(len(keys), "answers") as advance:
        batches = site.build.cache / "batches" if batch else None
        run = replace(
            run,
            doing=advance.doing,
            progress=partial(_say_cost, advance, recorded),
            encoding=advance.encoding,
            batches=batches,
        )
        report = site.resolve(run)
    if names:
        report = replace(
            report,
            shown=tuple(finding for finding in report.shown if finding.answer in keys),
        )
    done = []
    for answer in report.answers:
        item = _updated(answer, before[answer.key], texts_of(site.store, answer.key))
        item["cost"] = _cost_now(answer, recorded)
        done.append(item)
    if as_json:
        emit_json(done)
    else:
        if not is_quiet():
            _show_changes(done)
        deliver(report, [("console", "-")])
    _write_addresses(site, report)
    if not as_json:
        _close(site, done)
    if report.failed():
        sys.exit(FOUND)


def _write_addresses(site: Site, report: Report) -> None:
    """Write into the pages where the citations lead that were followed, each of which the report has shown."""
    moved: dict[str, dict[str, str]] = {}
    for finding in report.shown:
        if finding.slug == "moved-source" and finding.related:
            old, new = finding.related
            moved.setdefault(finding.place.file, {})[old.text] = new.text
    for file, addresses in moved.items():
        path = site.root / file
        data = path.read_bytes()
        write_atomically(
            path, with_addresses(data, decoded(file, data).text, addresses)
        )
        say(
            f"{summary(('{} citation{s}', len(addresses)))} of {file} renewed",
            following=f"git diff {file}",
        )


def _recorded(store: Store, key: str) -> tuple[str, Spend]:
    """The text of a recorded answer, and what it has cost."""
    record = store.read(key)
    if isinstance(record, Record):
        return record.content, record.spend
    return "", Spend()


def _cost_now(answer: Answer, recorded: Mapping[str, tuple[str, Spend]]) -> float:
    """US dollars that an answer cost in this run: one that was kept tells what it has cost in all."""
    text, before = recorded.get(answer.key, ("", Spend()))
    if answer.spend == before:
        return 0.0
    is_kept = (
        answer.content == text
        and answer.spend.calls > before.calls
        and answer.spend.cost >= before.cost
    )
    if is_kept:
        return answer.spend.cost - before.cost
    return answer.spend.cost


def _say_cost(
    bar: Bar, recorded: Mapping[str, tuple[str, Spend]], answer: Answer
) -> None:
    """One more answer is done; of those that a model was asked for, say which and what it cost."""
    bar(answer)
    cost = _cost_now(answer, recorded)
    if cost:
        bar.line(f"{answer.key}: {state_of(answer)}, {_dollars(cost)}")


def _updated(
    answer: Answer, before: tuple[str, str], after: tuple[str, str]
) -> Updated:
    """What became of an answer, by the texts of the repository before and after the run."""
    written, proposed = (
        new if new != old else "" for old, new in zip(before, after, strict=True)
    )
    change = ""
    if proposed or written:
        change = prose_diff(before[0], proposed or written)
    done = "proposal"
    if not proposed:
        done = "unchanged"
        if written:
            done = "wrote"
    if is_wrong(answer):
        done = "failed"
    elif answer.status is Status.ABSTAINED:
        done = "undocumented"
    return Updated(
        key=answer.key,
        done=done,
        state=state_of(answer),
        cost=answer.spend.cost or 0.0,
        change=change,
        findings=sorted({finding.slug for finding in answer.findings}),
    )


def _show_changes(done: Sequence[Updated]) -> None:
    """The changed texts, and a row for each answer that has changed."""
    for item in done:
        if item["change"]:
            say(item["key"])
            echo(f"{_cut(item['change'])}\n")
    changed = [item for item in done if item["done"] != "unchanged" or item["cost"]]
    rows = [
        (item["key"], item["done"], item["state"], _dollars(item["cost"]))
        for item in changed
    ]
    if rows:
        table(("answer", "what", "state", "cost"), rows)


def _close(site: Site, done: Sequence[Updated]) -> None:
    """The counts, and the next step."""
    counts = Counter(item["done"] for item in done)
    failed = [item["key"] for item in done if item["done"] == "failed"]
    following = ""
    if counts["wrote"]:
        following = f"commit {site.settings.records_dir}/"
    slugs = {
        slug for item in done if item["state"] != "failed" for slug in item["findings"]
    }
    if slugs & {"unconfirmed-claim", "partial-claim"} or any(
        proposal_of(site, item["key"]) for item in done
    ):
        following = "mkdocs-cited review"
    elif failed:
        following = command("check", *failed[:MOST_NAMED])
    counted = summary(*((words, counts[what]) for what, words in COUNTED.items()))
    say(counted or "no page asks a question", following=following)


def _plan(site: Site, run: Run, *, batch: bool, as_json: bool) -> None:
    """What a run would do about each answer and why, those it would change first; and what models would cost."""
    pipeline = site.pipeline(run)
    asked = {item.key: item for item in site.declarations}
    estimate = pipeline.estimate(site.declarations)
    with progress(len(asked), "answers") as advance:
        rows = []
        for key in site.keys:
            rows.append(_planned(asked[key], pipeline, _each(estimate, batch=batch)))
            advance()
    rows.sort(key=lambda row: not row["changes"])
    if as_json:
        emit_json(rows)
        return
    price = [f", about ${row['cost']:.3f}" if row["cost"] else "" for row in rows]
    cells = [
        (row["key"], row["does"] + cost, row["why"])
        for row, cost in zip(rows, price, strict=True)
    ]
    table(("answer", "what", "why"), cells)
    say(
        priced(
            estimate,
            batch=batch,
            reviews=[row["cost"] for row in rows if row["does"] == READS],
        )
    )
    changes = sum(row["changes"] for row in rows)
    say(
        summary(("{} would change", changes), ("{} would stay", len(rows) - changes))
        or "no page asks a question"
    )


def _planned(
    declaration: Declaration, pipeline: Pipeline, each: float | None
) -> Planned:
    """What would be done about an answer, why, and what a model would cost."""
    plan = pipeline.plan(declaration)
    planned = Planned(
        key=declaration.key, changes=False, does="leave", why=plan.reason, cost=0.0
    )
    if plan.writer:
        planned["changes"] = True
        planned["does"] = f"ask {plan.writer.model or plan.writer.id}"
        planned["cost"] = each
    elif _waits_for_model(pipeline.answer_so_far(declaration), pipeline):
        planned["does"] = READS
        planned["why"] = "it was not reviewed since it changed"
        planned["cost"] = pipeline.review_price
    return planned


def _waits_for_model(answer: Answer, pipeline: Pipeline) -> bool:
    """True if claims of an answer wait for a reviewer that is a model."""
    model = pipeline.ensemble.model
    return (
        model is not None
        and model.calls_model
        and bool(answer.claims)
        and not answer.reviewed
    )


def _each(estimate: Estimate, *, batch: bool) -> float | None:
    """What an answer costs; recorded ones have cost what they did, in batches or not."""
    return estimate.each and estimate.each * (
        0.5 if batch and not estimate.measured else 1.0
    )


def priced(
    estimate: Estimate, *, batch: bool = False, reviews: Sequence[float | None] = ()
) -> str:
    """What a run would cost, in a line.

    Args:
        reviews: US dollars of each answer that is kept and waits for its review; `None` where nobody knows.
    """
    read = ""
    if reviews:
        read = summary(("{} review{s} of answers that are kept", len(reviews)))
        read += f": about ${sum(cost or 0.0 for cost in reviews) * (0.5 if batch else 1.0):.2f}."
    if not estimate.answers:
        return read or "No model would be asked."
    return " ".join(filter(None, (_priced_answers(estimate, batch=batch), read)))


def _priced_answers(estimate: Estimate, *, batch: bool) -> str:
    """What writing answers would cost, with their reviews."""
    asked = summary(("{} answer{s} from a model", estimate.answers))
    cost = _each(estimate, batch=batch)
    if cost is None:
        return f"{asked}: the price table does not have the model."
    whose = (
        summary(("{} recorded answer{s}", estimate.measured))
        or "answers on other sites"
    )
    each = f"${cost:.3f} each with its review, in the median of {whose}"
    return f"{asked}: about ${estimate.answers * cost:.2f} ({each})."


def _dollars(cost: float | None) -> str:
    if cost:
        return f"${cost:.4f}"
    return ""


def _cut(text: str) -> str:
    """The first lines of a change."""
    # the names of the two sides go without saying
    lines = harmless(text).splitlines()[2:]
    more = len(lines) - MOST_LINES
    return "\n".join(
        [*lines[:MOST_LINES], f"… {more} more lines"] if more > 1 else lines
    )


@main.command()
@site_options
@click.option("--dry-run", is_flag=True, help="List the records and delete nothing.")
@click.option(
    "--moved",
    is_flag=True,
    help="Also delete records whose question another page asks now.",
)
def prune(where: Where, dry_run: bool, moved: bool) -> None:
    """Delete the records and proposals of questions that are gone.

    If a page has moved or a question has another id, its records stay, and the `rename` command is shown.
    """
    site = where()
    orphans = site.store.orphans(site.known_keys(), site.declarations)
    keys = [item.key for item in orphans if moved or not item.moved]
    for key in keys:
        echo(key)
        if not dry_run:
            site.store.remove(key)
    counted = summary((f"{'would delete' if dry_run else 'deleted'} {{}}", len(keys)))
    following = ""
    if keys and not dry_run:
        following = f"commit {site.settings.records_dir}/"
    if keys or not orphans:
        say(counted or "all records belong to a question", following=following)
    moves = Counter(item.moved for item in orphans if item.moved and not moved)
    for (old, new), number in sorted(moves.items()):
        say(
            f"left {number} of {old}: {new} asks the same questions now",
            following=f"{command('rename', old, new)}; or delete them with `prune --moved`",
        )


@main.command()
@click.argument("old")
@click.argument("new")
@config_option
def rename(old: str, new: str, config_file: Path | None) -> None:
    """Move records when an answer or a page has another name.

    All decisions are kept.

    OLD and NEW are keys (`faq.md#limits faq.md#quotas`) or pages. Change the id in the page, or move the page with
    `git mv`, before you run this. Existing records are not overwritten.
    """
    site = opened(config_file)
    page, _, name = new.rpartition("#")
    if not page:
        _rename_page(site, plain_name(site, old), plain_name(site, new))
        return
    old, new = plain_name(site, old), f"{plain_name(site, page)}#{name}"
    if new not in site.keys:
        raise UsageError(f"no page asks {new}", tip="change the id in the page first")
    if old not in _orphan_keys(site):
        raise UsageError(
            f"{old} has no record to move",
            tip=f"{new} is asked already: there is nothing to do",
        )
    site.store.move(old, new)
    say(f"{old} is {new} now", following=f"commit {site.settings.records_dir}/")
    _say_where_named(site, old)


def _orphan_keys(site: Site) -> list[str]:
    return [orphan.key for orphan in site.store.orphans(site.known_keys())]


def _rename_page(site: Site, old: str, new: str) -> None:
    """Let the records of one page follow it to another, those that the other declares."""
    unread = unread_pages(site, [new])
    if unread:
        raise refused(unread[0])
    declared = {key for key in site.keys if key.rpartition("#")[0] == new}
    if not declared:
        raise UsageError(f"{new} asks no question", tip=_undeclared_tip(site, old, new))
    orphans = _orphan_keys(site)
    names = {
        key: f"{new}#{key.rpartition('#')[2]}"
        for key in orphans
        if key.rpartition("#")[0] == old
    }
    moving = {key: name for key, name in names.items() if name in declared}
    if not names:
        pages = {key.rpartition("#")[0] for key in orphans}
        tip = "all records belong to a question of their page"
        if pages:
            tip = did_you_mean(old, pages)
        raise UsageError(f"{old} has no record to move", tip=tip)
    if not moving:
        tip = "ask them there with the same ids, or delete the records: `mkdocs-cited prune`"
        raise UsageError(
            f"{new} asks none of the {len(names)} questions that {old} had", tip=tip
        )
    faults = []
    for key, name in moving.items():
        try:
            site.store.move(key, name)
            echo(f"{key} is {name} now")
        except CitedError as error:
            faults.append(error)
    for fault in faults:
        say(fault.message, following=fault.tip)
    done, gone = len(moving) - len(faults), len(names) - len(moving)
    counted = summary(
        ("moved {} record{s}", done), ("left {} that the page does not ask", gone)
    )
    say(counted, following=f"commit {site.settings.records_dir}/" if done else "")
    for key in moving:
        _say_where_named(site, key)
    sys.exit(FOUND if faults else 0)


def _undeclared_tip(site: Site, old: str, new: str) -> str:
    """What to do about a page that declares nothing."""
    docs = Path(site.config.docs_dir)
    if (docs / old).is_file() and not (docs / new).exists():
        return f"move the page first: `{shlex.join(('git', 'mv', docs_of(site) + old, docs_of(site) + new))}`"
    pages = {key.rpartition("#")[0] for key in site.keys}
    if pages:
        return did_you_mean(new, pages)
    return "no page asks a question"


def _say_where_named(site: Site, key: str) -> None:
    """Name the files other than pages that name an answer by its old key."""
    for file in (Path(site.config.config_file_path), site.root / BASELINE):
        if file.is_file() and key in file.read_text(encoding="utf-8", errors="replace"):
            say(f"{file.name} still names {key}", following="change it there too")
