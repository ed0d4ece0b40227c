"""The command line, `mkdocs-cited`: one group, and what all its commands share.

Each family of commands is a module, which attaches its commands to the group. What takes long to import is imported in
functions, so that `--help` and the TAB key need not wait for it.

Exit codes: 0 nothing to say, 1 findings at or above the failing severity, 2 usage or configuration, 3 it could not run.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.cli.output import echo, quiet_option

FOUND, USAGE, FAILED = 1, 2, 3

F = TypeVar("F", bound=Callable[..., Any])


class Command(click.Command):
    """A command; each takes `-q`."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.params.append(quiet_option())


class Group(Command, click.Group):
    """Turns our exceptions into a message and an exit code, never a traceback."""

    command_class = Command
    group_class = type  # `main.group()` makes one of these

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            fail(error, USAGE)
        except CitedError as error:
            fail(error, FAILED)
        except click.ClickException as error:  # which click would print as it is
            said = io.StringIO()
            error.show(said)
            echo(said.getvalue().rstrip("\n"), err=True)
            if isinstance(error, click.MissingParameter) and error.param and error.param.name == "names" and error.ctx:
                tip = "a page, a key, an id or a glob; `mkdocs-cited status` lists the answers"
                echo(f"  → mkdocs-cited {error.ctx.info_name} faq.md: {tip}", err=True)
            sys.exit(error.exit_code)
        except BrokenPipeError:  # the program that read the output has ended: `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(FAILED)
        except (OSError, UnicodeError) as error:
            fail(CitedError(str(error)), FAILED)


def fail(error: CitedError, code: int) -> None:
    """Say what is wrong on standard error, and stop."""
    echo(f"mkdocs-cited: {error.message}", err=True)
    if error.tip:
        echo(f"  → {error.tip}", err=True)
    sys.exit(code)


def config_option(command: F) -> F:
    """`--config-file/-f`, as MkDocs has it."""
    return click.option(
        "-f", "--config-file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", callback=_a_file,
        help="The MkDocs configuration; `mkdocs.yml` by default.",
    )(command)  # fmt: skip


def _a_file(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """The path, unless reading what it names might never end."""
    if path and path.exists() and not path.is_file():
        raise UsageError(f"`{path}` is a device or a pipe, and no configuration", tip="name a file: `-f mkdocs.yml`")
    return path


def json_option(command: F) -> F:
    """`--json`, for scripts. What each command prints is a type of its module (`tests/docs/commands.py`)."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text for people.")(command)


def site_option(command: F) -> F:
    """`--site`, for a site that was built already."""
    return click.option(
        "--site", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Read the built site in this folder, of any generator; render nothing.",
    )(command)  # fmt: skip


def lang_option(command: F) -> F:
    """`--lang`, where a question or text is in another language than the site's own."""
    return click.option("--lang", metavar="TAG", help="Language of the words, as `de`; the site's own by default.")(
        command
    )


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mkdocs-cited")
def main() -> None:
    """Answers your docs can prove: write, check, review and ask.

    Exit codes: 0 nothing to say, 1 findings, 2 usage or configuration, 3 it could not run.
    """
