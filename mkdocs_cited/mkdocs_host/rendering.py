"""A site as MkDocs renders it, for the command line: up to the point where answers go in, with nothing written.

Templates, search and other plugins' outputs are left out.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as build_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError, ConfigurationError

from mkdocs_cited.base.errors import CitedError, UsageError, gathered
from mkdocs_cited.base.text import collapse
from mkdocs_cited.mkdocs_host import log, quiet_mkdocs
from mkdocs_cited.mkdocs_host.adapter import each_language
from mkdocs_cited.mkdocs_host.plugin import CitedPlugin, RenderedError
from mkdocs_cited.mkdocs_host.reading import Contents, as_one
from mkdocs_cited.model.options import Settings

FOREIGN = "fix it: `mkdocs build` needs it, too"
"""What to do about a configuration but our options, which are parsed before."""

OPENED: set[str] = set()
"""Every file that this process has opened to read it since this module was imported."""


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
        OPENED.add(str(arguments[0]))


sys.addaudithook(_note)  # which cannot be taken back


def rendered_by_mkdocs(
    config_file: Path, progress: Callable[[int, int], None] | None
) -> tuple[Contents, Settings]:
    """The pages of a site, every language of it, all rendered; and the options as plugins and hooks have left them.

    Args:
        config_file: as MkDocs' own `--config-file`.
        progress: called with how many pages are rendered, and of how many.

    Raises:
        UsageError: the configuration is wrong, or the plugin is not in it or switched off.
        CitedError: another part of MkDocs could not build the site.
    """
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as folder, quiet_mkdocs():
        config = _config(config_file, folder)
        plugin = config.plugins.get("cited")
        if not isinstance(plugin, CitedPlugin):
            message = f"{config.config_file_path}: the plugin `cited` is not in `plugins:`, or `enabled` is false there"
            raise UsageError(message, tip="add `- cited`, or switch it on")
        plugin.visitor = progress or (lambda done, total: None)
        try:
            # as `mkdocs build` does: plugins count on it
            config.plugins.on_startup(command="build", dirty=False)
            for _ in each_language(config):
                with suppress(RenderedError):
                    build_site(config)
            if not plugin.languages:
                tip = "set `enabled: true`"
                raise UsageError("cited is switched off: `enabled` is false", tip=tip)
            return as_one(plugin.languages), plugin.config.settings
        except (Abort, BuildError) as error:
            raise CitedError(
                f"MkDocs could not build the site: {error}",
                tip="run `mkdocs build` to see why",
            ) from error
        except CitedError:
            raise
        except (Exception, SystemExit) as error:
            raise _unbuilt(error) from error
        finally:
            # MkDocs keeps the instance for the next build of this process
            plugin.visitor = None
            config.plugins.on_shutdown()


def _unbuilt(error: BaseException) -> CitedError:
    """That something failed while the site was built (another plugin, a hook, an extension), and where."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    problem = f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
    return CitedError(
        f"the site could not be built: {problem}", tip="run `mkdocs build` to see more"
    )


def _config(file: Path, folder: str) -> MkDocsConfig:
    """MkDocs' configuration, as `mkdocs build` reads it."""
    config = MkDocsConfig(config_file_path=str(file.absolute()))
    try:
        with file.open("rb") as stream:
            config.load_file(stream)
    except (OSError, ValueError, ConfigurationError) as error:
        raise UsageError(
            f"{file}: cannot be used: {collapse(str(error))}", tip=FOREIGN
        ) from error
    config.load_dict({"site_dir": folder})
    try:
        errors, warnings = config.validate()
    except (Exception, SystemExit) as error:  # of a hook, which is run to be loaded
        raise _unbuilt(error) from error
    for name, warning in warnings:
        log.warning("Config value '%s': %s", name, warning)
    problems = []
    for name, problem in errors:
        message = f"{file}: Config value '{name}': {problem}"
        problems.append(UsageError(message, tip=FOREIGN))
    if problems:
        raise gathered(problems)
    return config
