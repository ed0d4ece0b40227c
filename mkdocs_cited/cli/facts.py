"""`facts` compares what the docs say of defaults with the code, without a mark and without configuration; `cite`
proposes marks for what agrees."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.base.files import has_whole_history, repository_of
from mkdocs_cited.base.text import did_you_mean, glob_matches
from mkdocs_cited.cli.check import deliver, report_targets
from mkdocs_cited.cli.group import FOUND, json_option, main, report_options
from mkdocs_cited.cli.output import (
    Change,
    echo,
    emit_json,
    progress,
    say,
    write_changes,
)
from mkdocs_cited.declarations import decoded, with_marks
from mkdocs_cited.facts import facts_of
from mkdocs_cited.facts.files import ProjectFiles, project_files
from mkdocs_cited.facts.matching import Fact, Status
from mkdocs_cited.facts.results import as_object, findings, headline, shown_value
from mkdocs_cited.mkdocs_host import configuration
from mkdocs_cited.model.options import FactRule
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page
from mkdocs_cited.reporters.interface import summary
from mkdocs_cited.settings import parse

if TYPE_CHECKING:
    from mkdocs_cited.facts.editing import Mark
    from mkdocs_cited.sources.marks import MarkedClaim

yes_option = click.option("--yes", "-y", is_flag=True, help="Write without asking.")


@main.command()
@click.argument(
    "folder", type=click.Path(file_okay=False, path_type=Path), default=Path()
)
@report_options
@click.option(
    "--all",
    "is_all",
    is_flag=True,
    help="Also list the defaults that agree, and those that could not be decided.",
)
@click.option(
    "--fix", is_flag=True, help="Show the pages with the code's values, and write them."
)
@yes_option
@click.option(
    "--propose",
    is_flag=True,
    help="Show the pages that list most options or variables of a file, and gaps.",
)
def facts(
    folder: Path,
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    as_json: bool,
    is_all: bool,
    fix: bool,
    yes: bool,
    propose: bool,
) -> None:
    """Compare the defaults that your docs state with your code. You need no configuration.

    The Markdown pages of FOLDER are compared with the files that git tracks; without FOLDER, those of the whole
    repository. The exit code is 1 if a value differs, with `--fix` after the pages are written.
    """
    if not folder.is_dir():
        tip = "name a folder of the repository"
        raise UsageError(f"there is no folder `{folder}`", tip=tip)
    there = folder.resolve()
    root = repository_of(there) or there
    targets = report_targets(formats, outputs, as_json)
    rules, ours = _configured(folder, root)
    files = project_files(root, ours)
    if propose:
        _propose(root, files)
        return
    if folder != Path():
        pages = [page for page in files.pages if there in (root / page).parents]
        files = replace(files, pages=tuple(pages))
    with progress("reading docs and code"):
        found = facts_of(root, files, rules)
    differing = [fact for fact in found if fact.status is Status.DIFFERS]
    if fix:
        written = write_changes(root, _fixes(root, differing), yes=yes)
        if written:
            found = facts_of(root, files, rules)
        left = 0
        for fact in found:
            if fact.status is Status.DIFFERS:
                left += 1
                _show(root, fact)
        counts = ("wrote {} page{s}", written), ("left {} value{s}", left)
        say(summary(*counts) or "no value differs")
        sys.exit(FOUND if left else 0)
    if as_json:
        emit_json(as_object(found))
    deliver(Report(shown=findings(found)), targets[: len(formats)])
    if not as_json and not formats:
        _print(root, files, found, is_all=is_all)
        if differing:
            words = ["facts", "--fix"]
            if folder != Path():
                words.append(str(folder))
            say("", following=f"`{command(*words)}` writes the code's values")
    if differing:
        sys.exit(FOUND)


def _configured(
    folder: Path, root: Path
) -> tuple[tuple[FactRule, ...], tuple[Path, ...]]:
    """How the pages of a project state values, and the folders of its built site and its records, where a
    configuration of the folder or the root says so."""
    for place in (folder, root):
        file = configuration.find(place)
        if file:
            known = configuration.read(file, place)
            settings = parse(known.options, file=file)
            rules = settings.facts if isinstance(settings.facts, tuple) else ()
            return rules, (known.site_dir, place / settings.records_dir)
    return (), ()


def _print(
    root: Path, files: ProjectFiles, found: Sequence[Fact], *, is_all: bool
) -> None:
    """Print what came of the statements, where they were looked for, and each difference."""
    echo(headline(found))
    suffixes = _suffixes(files.sources)
    looked = summary(
        ("{} page{s}", len(files.pages)),
        ("{} file{s} of code and configuration", len(files.sources)),
    )
    undecided = sum(fact.status is Status.UNKNOWN for fact in found)
    following = ""
    if undecided and not is_all:
        listing = command("facts", "--all")
        following = f"`{listing}` says why {undecided} could not be decided"
    say(f"read {looked or 'no page'}{suffixes}", following=following)
    if repository_of(root) and not has_whole_history(root):
        say(
            "git has not the whole history, so what the code was is not known",
            following="git fetch --unshallow",
        )
    if files.unread:
        unread = f"{len(files.unread)} files of code were not read"
        following = "`pip install 'mkdocs-cited[code]'` reads them"
        say(unread + _suffixes(files.unread), following=following)
    for fact in found:
        if is_all or fact.status is Status.DIFFERS:
            _show(root, fact)


def _suffixes(names: Sequence[str]) -> str:
    """The kinds of some files in brackets, with a space before them; empty for no files."""
    paths = map(PurePosixPath, names)
    suffixes = sorted({path.suffix or path.name for path in paths})
    if suffixes:
        return f" ({', '.join(suffixes)})"
    return ""


def _propose(root: Path, files: ProjectFiles) -> None:
    """Print the lists of names in the docs, with the names that are missing on either side."""
    from mkdocs_cited.facts.inventories import proposed as listed

    for found in listed(root, files):
        echo(f"{found.documented_in} lists {found.listed} of {found.names}")
        for item in found.undocumented:
            echo(f"  {item.file}:{item.line}: {item.name} is on no page")
        for name, line in found.unknown:
            echo(f"  {found.documented_in}:{line}: {name} is in no code")


def _show(root: Path, fact: Fact) -> None:
    """Print a fact with both places; of a difference, who changed each last."""
    from mkdocs_cited.facts.history import last_change

    statement = fact.statement
    definition = fact.definition
    differs = fact.status is Status.DIFFERS
    head = f"\n{statement.names[0]}"
    if not differs:
        head += f": {fact.reason or fact.status.value}"
    echo(head)
    stated = statement.text or '""'
    places = [("docs", stated, statement.file, statement.line)]
    if definition:
        value = shown_value(fact)
        if fact.is_outdated:
            value += f", {stated} before"
        places.append(("code", value, definition.file, definition.line))
    for what, value, file, line in places:
        who = last_change(root, file, line) if differs else ""
        changed = f"  ({who})" if who else ""
        echo(f"  {what}  {value}  {file}:{line}{changed}")


def _fixes(root: Path, differing: Sequence[Fact]) -> Iterator[Change]:
    """The pages with the code's values, after what is left to a person is told."""
    from mkdocs_cited.facts.editing import fixed

    pages = defaultdict(list)
    for fact in differing:
        pages[fact.statement.file].append(fact)
    for file, found in pages.items():
        before = (root / file).read_bytes()
        decoded(file, before)  # an error names the page
        after, left = fixed(before.decode(), found)
        for line in left:
            echo(line)
        yield Change(root / file, before, after.encode())


@main.command()
@click.argument("pages", nargs=-1, required=True)
@yes_option
@json_option
def cite(pages: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Propose marks for the defaults that the code proves.

    PAGES are Markdown files of the repository, or globs. Nothing has to be configured. Each page is shown with its
    marks before it is written. With `--json` they are listed, and nothing is written.
    """
    root = repository_of(Path.cwd()) or Path.cwd()
    with progress("reading docs and code"):
        found, left = proposed(root, pages)
    if as_json:
        emit_json(found)
        return
    for line in left:
        echo(line)
    written = write_changes(root, _marked(root, found), yes=yes)
    following = ""
    if written:
        known = configuration.find(Path.cwd()) or configuration.find(root)
        following = configuration.step_to_check(known)
    counted = summary(("wrote marks into {} page{s}", written))
    say(counted or "no mark is written", following=following)


def _marked(root: Path, found: Sequence[Mark]) -> Iterator[Change]:
    """The pages with their marks, after the proof of each is shown."""
    pages = defaultdict(list)
    for mark in found:
        pages[mark.file].append(mark)
    for file, marks in pages.items():
        for mark in marks:
            waits = ""
            if mark.waits:
                waits = f"; it waits to be confirmed: {mark.waits}"
            echo(f"{file}:{mark.line}: {mark.proof}{waits}")
        data = (root / file).read_bytes()
        yield Change(root / file, data, _with_marks(file, data, marks))


def _with_marks(file: str, data: bytes, found: Iterable[Mark]) -> bytes:
    """A page with marks."""
    text = decoded(file, data).text
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    marks = []
    for mark in found:
        marks.append((starts[mark.line - 1] + mark.column, f" {mark.written}"))
    return with_marks(data, text, marks)


def proposed(root: Path, names: Sequence[str]) -> tuple[list[Mark], list[str]]:
    """The marks for some pages of a repository, in order, and why other defaults that agree can have none, a line each.

    Args:
        root: its root.
        names: files or globs: from the root, the current folder or any folder of the repository on.

    Raises:
        UsageError: there is no such file.
    """
    from mkdocs_cited.facts.editing import marks
    from mkdocs_cited.pipeline.examination import why_it_waits

    rules, ours = _configured(Path.cwd(), root)
    files = project_files(root, ours)
    chosen = {}
    for name in names:
        chosen.update(dict.fromkeys(_fitting(root, name, files.pages)))
    facts = facts_of(root, replace(files, pages=tuple(chosen)), rules)
    found, left = marks(root, facts)
    pages = defaultdict(list)
    for mark, _ in found:
        pages[mark.file].append(mark)
    claims = {file: _claims(root, file, of_page) for file, of_page in pages.items()}
    judged = []
    for mark, passages in found:
        for claim in claims[mark.file]:
            if mark.written in claim.text:
                text = claim.text.replace(mark.written, "")
                waits = why_it_waits(text, claim.under, passages)
                judged.append(replace(mark, waits=waits))
                break
        else:
            what = "it is in no sentence, list item or cell"
            left.append(f"{mark.file}:{mark.line}: {mark.sentence}: no mark: {what}")
    judged.sort(key=lambda mark: (mark.file, mark.line, mark.column))
    return judged, left


def _claims(root: Path, file: str, marks: Sequence[Mark]) -> Sequence[MarkedClaim]:
    """What marks would cover on a page."""
    from mkdocs_cited.sources.from_files import html_of
    from mkdocs_cited.sources.marks import read_marks

    written = _with_marks(file, (root / file).read_bytes(), marks)
    html = html_of(decoded(file, written).text)
    return read_marks(Page(file, "", file), html).claims


def _fitting(root: Path, name: str, known: Sequence[str]) -> list[str]:
    """The pages that a name or a glob means.

    Raises:
        UsageError: it means none.
    """
    path = Path(os.path.abspath(name))  # noqa: PTH100 -- a link stays one
    if path.is_relative_to(root) and os.path.isfile(path):  # noqa: PTH113 -- no name is too long for it
        return [path.relative_to(root).as_posix()]
    plain = name.removeprefix("./")
    found = [path for path in known if glob_matches(path, (plain, f"**/{plain}"))]
    if not found:
        tip = did_you_mean(name, known)
        raise UsageError(f"the repository has no page `{name}`", tip=tip)
    return found
