"""`facts`: what the docs say of defaults, compared with the code, without a mark and without configuration."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.git import repository_of
from mkdocs_cited.cli.check import deliver, report_targets
from mkdocs_cited.cli.group import FOUND, main, report_options
from mkdocs_cited.cli.output import (
    agreed,
    command,
    echo,
    emit_json,
    file_diff,
    progress,
    say,
    summary,
)
from mkdocs_cited.facts.files import ProjectFiles, project_files
from mkdocs_cited.facts.matching import Fact, Status
from mkdocs_cited.model.options import FactRule
from mkdocs_cited.model.report import Report


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
@click.option("--yes", "-y", is_flag=True, help="With `--fix`, write without asking.")
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

    FOLDER is in the repository, by default the current one. Its Markdown pages and the files that git tracks are read.
    The exit code is 1 if a value differs.
    """
    from mkdocs_cited.facts.results import as_object, findings
    from mkdocs_cited.facts.run import facts_of

    if not folder.is_dir():
        raise UsageError(
            f"there is no folder `{folder}`", tip="name a folder of the repository"
        )
    root = repository_of(folder.resolve()) or folder
    targets = report_targets(formats, outputs) if formats else []
    if as_json and any(file == "-" for _, file in targets):
        raise UsageError(
            "two formats cannot share standard output",
            tip="give each --format an --output FILE",
        )
    if propose:
        _propose(root)
        return
    rules = _rules(folder, root)
    with progress(what="reading docs and code"):
        files = project_files(root)
        found = facts_of(root, files, rules)
    differing = [fact for fact in found if fact.status is Status.DIFFERS]
    if fix:
        _fix(root, differing, yes=yes)
        return
    if as_json:
        emit_json(as_object(found))
    if targets:
        deliver(Report(shown=findings(found)), targets)
    if not as_json and not targets:
        _print(root, files, found, is_all=is_all)
        fixing = command("facts", "--fix", *([str(folder)] if folder != Path() else []))
        say("", following=f"{fixing} writes the code's values" if differing else "")
    if differing:
        sys.exit(FOUND)


def _rules(folder: Path, root: Path) -> tuple[FactRule, ...]:
    """How the pages of a project state values, where a configuration says so."""
    from mkdocs_cited.settings.parsing import parse
    from mkdocs_cited.site_host import configuration

    for place in (folder, root):
        file = configuration.find(place)
        if file:
            settings = parse(configuration.read(file, place).options, file=file)
            if isinstance(settings.facts, tuple):
                return settings.facts
            return ()
    return ()


def _print(
    root: Path, files: ProjectFiles, found: Sequence[Fact], *, is_all: bool
) -> None:
    """Print what came of the statements, where they were looked for, and each difference."""
    from mkdocs_cited.facts.results import headline

    echo(headline(found))
    suffixes = sorted(
        {
            PurePosixPath(name).suffix or PurePosixPath(name).name
            for name in files.sources
        }
    )
    looked = summary(
        ("{} page{s}", len(files.pages)),
        ("{} file{s} of code and configuration", len(files.sources)),
    )
    undecided = [fact for fact in found if fact.status is Status.UNKNOWN]
    listing = (
        f"{command('facts', '--all')} says why {len(undecided)} could not be decided"
    )
    say(
        f"read {looked or 'no page'}"
        + (f" ({', '.join(suffixes)})" if suffixes else ""),
        following=listing if undecided and not is_all else "",
    )
    if files.unread:
        unread = ", ".join(
            sorted({PurePosixPath(name).suffix for name in files.unread})
        )
        say(
            f"{len(files.unread)} files of code were not read ({unread})",
            following="pip install 'mkdocs-cited[code]' reads them",
        )
    for fact in found:
        if is_all or fact.status is Status.DIFFERS:
            _show(root, fact)


def _propose(root: Path) -> None:
    """Print the lists of names in the docs, with the names that are missing on either side."""
    from mkdocs_cited.facts.inventories import proposed

    for found in proposed(root, project_files(root)):
        echo(f"{found.documented_in} lists {found.listed} of {found.names}")
        for item in found.undocumented:
            echo(f"  {item.file}:{item.line}: {item.name} is on no page")
        for name, line in found.unknown:
            echo(f"  {found.documented_in}:{line}: {name} is in no code")


def _show(root: Path, fact: Fact) -> None:
    """Print a fact with both places; of a difference, who changed each last."""
    from mkdocs_cited.facts.results import last_change, shown_value

    statement, definition = fact.statement, fact.definition
    differs = fact.status is Status.DIFFERS
    echo(
        f"\n{statement.names[0]}"
        + ("" if differs else f": {fact.reason or fact.status.value}")
    )
    stated = [("docs", statement.file, statement.line, statement.text or '""')]
    if definition:
        stated.append(
            (
                "code",
                definition.file,
                definition.line,
                shown_value(fact),
            )
        )
    for what, file, line, value in stated:
        who = ""
        if differs:
            who = last_change(root, file, line)
        echo(f"  {what}  {value}  {file}:{line}" + (f"  ({who})" if who else ""))


def _fix(root: Path, differing: Sequence[Fact], *, yes: bool) -> None:
    """Write the code's values into the pages, each after its change was shown and agreed to."""
    from mkdocs_cited.facts.editing import fixed

    pages: dict[str, list[Fact]] = {}
    for fact in differing:
        pages.setdefault(fact.statement.file, []).append(fact)
    written = 0
    for file, found in pages.items():
        path = (root / file).resolve()  # a link stays one
        before = path.read_bytes().decode("utf-8")
        after = fixed(before, found)
        if after == before:
            continue
        echo(file_diff(file, before, after))
        if yes or agreed(f"write {file}?"):
            write_atomically(path, after.encode("utf-8"))
            written += 1
    left = len(differing) and not written
    say(
        f"wrote {written} page{'s' if written != 1 else ''}"
        + (", the rest is for you to correct" if left else "")
    )
