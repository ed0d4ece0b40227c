"""The command line, `mkdocs-cited`: one group, and what its commands share: options, the site, names of answers.

Each family of commands is a module, which attaches its commands to the group. What takes long to import is imported in
functions, so that `--help` and the TAB key need not wait for it.

Exit codes: 0 nothing to say, 1 findings at or above the failing severity, 2 usage or configuration, 3 it could not run.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import NAMED, CitedError, UsageError, command, gathered
from mkdocs_cited.base.text import closest, glob_matches
from mkdocs_cited.cli.output import echo, progress
from mkdocs_cited.declarations import refused
from mkdocs_cited.mkdocs_host.configuration import is_own
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.records.format import key_of

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.report import Report

FOUND = 1
USAGE = 2
FAILED = 3

F = TypeVar("F", bound=Callable[..., Any])
Where = Callable[[], "Site"]
"""Opens the site that a command is about."""


class Group(click.Group):
    """Turns our exceptions into a message and an exit code, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        NAMED.clear()
        try:
            return super().invoke(ctx)
        except UsageError as error:
            fail(error, USAGE)
        except CitedError as error:
            fail(error, FAILED)
        except click.Abort:
            tip = "run it at a terminal; commands that only ask to go on take `--yes`"
            fail(UsageError("nobody has answered", tip=tip), USAGE)
        except click.ClickException as error:  # which click would print as it is
            said = io.StringIO()
            error.show(said)
            echo(said.getvalue().rstrip("\n"), err=True)
            sys.exit(error.exit_code)
        except BrokenPipeError:  # the program that read the output has ended: `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(FAILED)
        except (OSError, UnicodeError) as error:
            fail(CitedError(str(error)), FAILED)


def fail(error: CitedError, code: int) -> None:
    """Say what is wrong on standard error, and stop."""
    echo(f"mkdocs-cited: {error}", err=True)
    sys.exit(code)


def _named(
    _: click.Context, option: click.Parameter, value: Path | None
) -> Path | None:
    """Note how the site is named, for the commands that people are told to run."""
    if value:
        NAMED[option.opts[0]] = value.as_posix()
    return value


config_option = click.option(
    "-f", "--config-file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", callback=_named,
    help="The configuration. By default `mkdocs.yml`.",
)  # fmt: skip
site_option = click.option(
    "--site", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", callback=_named,
    help="Read the built site in this folder, of any generator, instead of rendering the pages.",
)  # fmt: skip
render_option = click.option(
    "--render",
    "anew",
    is_flag=True,
    help="Render the pages even if nothing has changed.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""What each command prints is a type of its module (`tests/docs/commands.py`)."""
format_option = click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    help="Format of a report. You can repeat it.",
)
output_option = click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="File for a `--format`, in the same order. `-` is standard output.",
)
lang_option = click.option(
    "--lang",
    metavar="TAG",
    help="Language of the question or text, such as `de`. By default pages in all languages are read.",
)


def report_options(command: F) -> F:
    """`--format`, `--output` and `--json`, of commands that report findings."""
    return format_option(output_option(json_option(command)))


def site_options(command: F) -> F:
    """`--config-file`, `--site` and `--render`, given to a command as `where`."""

    def called(
        *arguments: Any,
        config_file: Path | None,
        folder: Path | None,
        anew: bool,
        **options: Any,
    ) -> Any:
        return command(
            *arguments,
            where=partial(opened, config_file, folder=folder, anew=anew),
            **options,
        )

    return cast(
        "F", config_option(site_option(render_option(update_wrapper(called, command))))
    )


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="mkdocs-cited")
def main() -> None:
    """Docs that stay true.

    Start with `mkdocs-cited facts`. It needs no configuration. Then run `mkdocs-cited init`.

    Exit codes: 0 no findings, 1 findings, 2 wrong usage or configuration, 3 the command could not run.
    """


def opened(
    config_file: Path | None, *, folder: Path | None = None, anew: bool = False
) -> Site:
    """The site with its pages read: those that a command has rendered where nothing has changed since.

    Args:
        config_file: as MkDocs' own `--config-file`.
        folder: a built site, whose pages are read instead of rendering them.
        anew: whether they are rendered in any case.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or the folder does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    with progress("reading the pages") as bar:
        # imported below the bar, as that takes long
        from mkdocs_cited.mkdocs_host.loading import load

        site = load(config_file, site=folder, progress=bar.pages, anew=anew)
        _ = site.corpus  # reads files, notes and snapshots: while the bar says so
        return site


def checked(site: Site) -> Report:
    """What is wrong with the answers, found offline and without writing anything."""
    with progress("checking the answers", len(site.declarations)) as bar:
        return site.check(bar)


def chosen(site: Site, names: Sequence[str], *, with_files: bool = False) -> list[str]:
    """The keys of the answers that are named, as a reader meets them; all of them for no name.

    A name is a key (`faq.md#limits`), an id (`limits`), a page (`faq.md`, `docs/faq.md`), the file of a record, or a
    glob of pages or keys.

    Args:
        with_files: pages and other files without an answer, and answers that cannot be used, may be named, too: they
            have no keys.

    Raises:
        UsageError: names name nothing; says of each which one is close.
    """
    keys = site.keys
    picked = set()
    wrong = []
    for name in names:
        plain = plain_name(site, name)
        named = [key for key in keys if _names(plain, key)]
        picked.update(named)
        unread = unread_pages(site, [name])
        if named or (with_files and (unread or files_named(site, name))):
            continue
        if unread:
            wrong.append(refused(unread[0]))
        else:
            message = f"no page asks a question `{name}`"
            wrong.append(UsageError(message, tip=_tip(site, plain)))
    if wrong:
        raise gathered(wrong)
    if not names:
        return keys
    return [key for key in keys if key in picked]


def unread_pages(site: Site, names: Sequence[str] = ()) -> list[Finding]:
    """Why declarations of the named pages, by default of all, cannot be used: answers listed nowhere."""
    keys = site.keys
    plain = [plain_name(site, name) for name in names]
    found = []
    for item in site.contents.findings:
        if item.slug != "invalid-declaration" or item.answer in keys:
            continue
        key = item.answer or f"{item.place.file.removeprefix(docs_of(site))}#"
        is_named = not names or any(_names(name, key) for name in plain)
        if is_named and item.severity is Severity.ERROR:
            found.append(item)
    return found


def files_named(site: Site, name: str) -> set[str]:
    """The files that a name means, as findings show them: of pages, or another one of the project."""
    plain = plain_name(site, name)
    files = set()
    for page in site.contents.pages:
        if plain and _names(plain, page.src):
            files.add(page.file)
    path = site.root / name
    if os.path.isfile(path):  # noqa: PTH113 -- no name is too long for it
        files.add(Path(os.path.relpath(path, site.root)).as_posix())
    return files


def docs_of(site: Site) -> str:
    """The folder of the pages with a slash at its end, as places have it."""
    return f"{site.config.path(site.config.docs_dir)}/"


def plain_name(site: Site, name: str) -> str:
    """A name as keys have it: a path below the docs, or the key of the record whose file is named."""
    root = site.root.resolve()
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(root):
        name = path.relative_to(root).as_posix()
    name = name.removeprefix("./")
    records = f"{site.settings.records_dir}/"
    if name.startswith(records):
        return key_of(name.removeprefix(records)) or name
    return name.removeprefix(docs_of(site))


def _names(name: str, key: str) -> bool:
    """True if a name means the answer of a key: as `chosen` explains them."""
    page, _, short = key.rpartition("#")
    if name in (key, short, page):
        return True
    is_glob = name.endswith("/") or "*" in name or "?" in name
    return is_glob and (glob_matches(page, (name,)) or glob_matches(key, (name,)))


def _tip(site: Site, name: str) -> str:
    """What may have been meant: the closest names, or where they are all listed."""
    file = Path(site.config.config_file_path)
    if any(page.src == name for page in site.corpus.pages()) and not is_own(file):
        add = command("add", "How do I …?", "--page", name)
        return f"the page exists, but asks no question: `{add}`"
    words = []
    for key in site.keys:
        words += [*key.split("#"), key]
    close = closest(name, words)
    if close:
        return f"did you mean `{close}`?"
    return f"`{command('status')}` lists all answers"
