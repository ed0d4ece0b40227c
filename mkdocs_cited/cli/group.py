"""The command line, `mkdocs-cited`: one group, and what all its commands share. Each family of commands is a file.

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
from mkdocs_cited.cli.output import echo
from mkdocs_cited.mkdocs_host.site import Site, load

FOUND, USAGE, FAILED = 1, 2, 3
_SITE = "mkdocs_cited.site"
"""Where a command keeps the folder that `--site` names."""

F = TypeVar("F", bound=Callable[..., Any])


class Group(click.Group):
    """Turns our exceptions into a message and an exit code, never a traceback."""

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


def site_options(command: F) -> F:
    """`--config-file/-f`, and `--site` for a site that is built: whoever loads it (`loaded`) knows of that."""
    return config_option(
        click.option(
            "--site", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", expose_value=False,
            callback=_remember, help="Read this built site, of any generator; render nothing.",
        )(command)
    )  # fmt: skip


def _remember(ctx: click.Context, _: click.Parameter, site: Path | None) -> None:
    ctx.meta[_SITE] = site


def loaded(config_file: Path | None) -> Site:
    """The site that a command is about.

    Raises:
        CitedError: as `mkdocs_host.site.load` does.
    """
    return load(config_file, site=click.get_current_context().meta.get(_SITE))


def json_option(command: F) -> F:
    """`--json`, for scripts."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text for people.")(command)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mkdocs-cited")
def main() -> None:
    """Answers your docs can prove: write, check, review and ask.

    Exit codes: 0 nothing to say, 1 findings, 2 usage or configuration, 3 it could not run.
    """
