"""The command line, `mkdocs-cited`: one group, and what all its commands share.

Each family of commands is a file, which attaches its commands to the group. It is read when one of them is called, so
that `--help`, `--version` and the TAB key cost no more than this file; heavy imports stand in functions for the same
reason.

Exit codes: 0 nothing to say, 1 findings at or above the failing severity, 2 usage or configuration, 3 it could not run.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from mkdocs_cited import __version__
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.cli.manner import manner_options
from mkdocs_cited.cli.output import echo

FOUND, USAGE, FAILED = 1, 2, 3

FILES = {
    "check": {
        "check": "Check every answer, offline and read-only: what CI runs.",
        "explain": "Say what a finding means, with an example, how to mend it and how to silence it.",
    },
    "completion": {
        "completion": "Print what makes a shell complete commands, options, pages and ids, or install it.",
    },
    "deciding": {
        "accept": "Accept waiting proposals, approve texts that stand, or confirm claims that no reader could tell.",
        "reject": "Throw waiting proposals away, or say that claims are not supported.",
        "review": "Decide everything that waits, a key each: proposals, and claims that no reader could tell.",
    },
    "doctor": {"doctor": "Say what is installed and set up, and what is wrong with it."},
    "evaluate": {"eval": "Measure the gate, offline: on this site by mutation testing, or on labelled claims."},
    "models": {"models": 'Optional models that run on this machine (`pip install "mkdocs-cited[local]"`).'},
    "questions": {
        "ask": "Answer a question once, from the docs, say why, and name the command that would keep it.",
        "find": "Show what would be found for a question, what it scored for, and whether it is enough.",
        "verify": "Say of a statement, or of every claim of a Markdown file, whether the docs support it.",
    },
    "records": {
        "diff": "Show how waiting proposals differ from what stands, as prose.",
        "prune": "Delete records and proposals whose declaration is gone.",
    },
    "renaming": {"rename": "Give an answer another id, or tell of a page that has moved: records keep every decision."},
    "snapshot": {"snapshot": "Fetch external pages that have no snapshot yet, and those of NAMES again."},
    "standing": {"status": "List answers page by page, first those that need somebody."},
    "start": {
        "add": "Write a question into a page's front matter, and say whether the docs answer it.",
        "init": "Set a site up: plugin, a page with two questions of its own, and a workflow for CI.",
    },
    "updates": {"update": "Write or renew answers and keep them as records."},
}
"""File of this room → the commands that it holds, each with its help in a line."""

F = TypeVar("F", bound=Callable[..., Any])


class Unread(click.Command):
    """A command whose file is not read yet: its name, and its help in a line."""

    def __init__(self, file: str, name: str, line: str) -> None:
        super().__init__(name, short_help=line)
        self.file = file


class Command(click.Command):
    """A command; each takes `-q`, `-v` and `--color`."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.params += manner_options()


class Group(click.Group):
    """Turns our exceptions into a message and an exit code, never a traceback."""

    command_class = Command
    group_class = type  # `main.group()` makes one of these

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.params += manner_options()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, read from its file now."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, Unread):
            import_module(f"mkdocs_cited.cli.{command.file}")  # which attaches it to the group
            command = self.commands[command.name or ""]
        return name, command, rest

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
        except BrokenPipeError:  # whoever read the output has seen enough: `| head`
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
        "-f", "--config-file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
        help="The MkDocs configuration; `mkdocs.yml` by default.",
    )(command)  # fmt: skip


def json_option(command: F) -> F:
    """`--json`, for scripts."""
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


for _file, _commands in FILES.items():
    for _name, _line in _commands.items():
        main.add_command(Unread(_file, _name, _line))
