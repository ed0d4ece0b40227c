"""`cite`: proposes marks for what pages say of defaults and the code proves; a person takes or leaves each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.git import git_or_nothing, repository_of
from mkdocs_cited.base.text import did_you_mean, glob_matches
from mkdocs_cited.cli.group import json_option, main
from mkdocs_cited.cli.output import (
    command,
    echo,
    emit_json,
    file_diff,
    key,
    progress,
    say,
    summary,
)
from mkdocs_cited.declarations.editing import decoded, with_marks
from mkdocs_cited.declarations.front_matter import SourceText
from mkdocs_cited.model.address import MARKDOWN

if TYPE_CHECKING:
    from mkdocs_cited.facts.editing import Mark

MEANINGS = {"y": "take", "n": "leave", "a": "take all of this page", "q": "quit"}
_FEW = 5
"""Pages that a message lists."""


class ProposedMark(TypedDict):
    """A mark that `cite` proposes."""

    file: str
    line: int
    sentence: str
    mark: str
    proof: str


@main.command()
@click.argument("pages", nargs=-1, required=True)
@click.option("--yes", "-y", is_flag=True, help="Write all marks without asking.")
@click.option("--dry-run", is_flag=True, help="Show all marks and write nothing.")
@json_option
def cite(pages: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> None:
    """Propose marks for the defaults that the code proves.

    PAGES are Markdown files of the repository, or globs. Nothing has to be configured. A key takes or leaves each mark;
    without a terminal, the first letter of each line of standard input is a key. With `--json` they are listed, and
    nothing is written.
    """
    root = repository_of(Path.cwd()) or Path.cwd()
    with progress(what="reading docs and code"):
        found = proposed(root, pages)
    if as_json:
        emit_json([as_object(mark) for mark in found])
        return
    taken = list(_taken(found, yes=yes or dry_run))
    for file in dict.fromkeys(mark.file for mark in taken):
        path = (root / file).resolve()  # a link stays one
        data = path.read_bytes()
        source = decoded(file, data)
        after = with_marks(
            data,
            source.text,
            (_written(source, mark) for mark in taken if mark.file == file),
        )
        if yes or dry_run:
            echo(
                file_diff(
                    file, source.text, after.decode("utf-8-sig").replace("\r\n", "\n")
                )
            )
        if not dry_run:
            write_atomically(path, after)
    following = ""
    if taken and not dry_run:
        following = command("check")
    counted = summary(
        (f"{'would write' if dry_run else 'wrote'} {{}} mark{{s}}", len(taken))
    )
    say(counted or "no mark is written", following=following)


def proposed(root: Path, names: Sequence[str]) -> list[Mark]:
    """The marks for some pages of a repository, in order.

    Args:
        root: its root.
        names: files or globs: from the root, the current folder or any folder of the repository on.

    Raises:
        UsageError: there is no such file.
    """
    from mkdocs_cited.base.values import replace
    from mkdocs_cited.facts.editing import marks
    from mkdocs_cited.facts.files import project_files
    from mkdocs_cited.facts.run import facts_of

    files = project_files(root)
    listed = git_or_nothing(
        root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    ).split("\0")
    known = []
    for path in listed if any(listed) else files.pages:
        if path.endswith(MARKDOWN):
            known.append(path)
    chosen: list[str] = []
    for name in names:
        fitting = _fitting(root, name, known)
        if not fitting:
            raise UsageError(
                f"the repository has no page `{name}`", tip=did_you_mean(name, known)
            )
        chosen += fitting
    facts = facts_of(root, replace(files, pages=tuple(dict.fromkeys(chosen))))
    return sorted(
        marks(root, facts), key=lambda mark: (mark.file, mark.line, mark.column)
    )


def _fitting(root: Path, name: str, known: Sequence[str]) -> list[str]:
    """The pages that a name or a glob means.

    Raises:
        UsageError: a name without a wildcard means several.
    """
    here = Path(os.path.abspath(name))  # noqa: PTH100 -- a link stays one
    if here.is_relative_to(root) and os.path.isfile(here):  # noqa: PTH113 -- no name is too long for it
        return [here.relative_to(root).as_posix()]
    plain = name.removeprefix("./")
    found = []
    for path in known:
        if glob_matches(path, (plain, f"**/{plain}")):
            found.append(path)
    if len(found) > 1 and not set(name) & set("*?"):
        several = ", ".join(f"`{path}`" for path in found[:_FEW])
        raise UsageError(
            f"`{name}` names {len(found)} pages: {several}",
            tip="name one of them, or a glob",
        )
    return found


def as_object(mark: Mark) -> ProposedMark:
    """A mark as JSON."""
    return ProposedMark(
        file=mark.file,
        line=mark.line,
        sentence=mark.sentence,
        mark=mark.written,
        proof=mark.proof,
    )


def _written(source: SourceText, mark: Mark) -> tuple[int, str]:
    """Offset in a page's text, and what is written there."""
    lines = source.text.split("\n")
    before = sum(len(line) + 1 for line in lines[: mark.line - 1])
    return before + mark.column, f" {mark.written}"


def _taken(found: Sequence[Mark], *, yes: bool) -> Iterator[Mark]:
    """The marks that are taken."""
    of_page = ""
    for mark in found:
        pressed = "y"
        if not yes and mark.file != of_page:
            _show(mark)
            pressed = key(MEANINGS) or "q"
            echo(MEANINGS.get(pressed, "left"))
        if pressed == "q":
            return
        if pressed == "a":
            of_page = mark.file
        if pressed in "ya":
            yield mark


def _show(mark: Mark) -> None:
    echo(
        f"\n{mark.file}:{mark.line}\n  {mark.sentence}\n+ {mark.written}\n  proof: {mark.proof}"
    )
