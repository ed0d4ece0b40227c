"""A site as MkDocs renders it, for the command line: up to the point where answers go in, with nothing written.

Templates, search and other plugins' outputs are left out.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mkdocs.commands.build import build as build_site
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError, ConfigurationError

from mkdocs_cited.base.errors import CitedError, UsageError, gathered
from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.adapter import each_language
from mkdocs_cited.mkdocs_host.build import Build, as_one
from mkdocs_cited.mkdocs_host.logger import log, quiet_mkdocs
from mkdocs_cited.mkdocs_host.plugin import CitedPlugin
from mkdocs_cited.model.options import Settings
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import OF_MKDOCS

OURS = "Plugin 'cited' option 'cited': "
"""What MkDocs puts before what we say of our options."""
FOREIGN = "fix it: `mkdocs build` needs it, too"
"""What to do about the rest of a configuration."""


class _EnoughError(Exception):
    """Every page is rendered: the build need not go on."""


def configured(config_file: Path | None) -> tuple[MkDocsConfig, Settings]:
    """MkDocs' configuration and our options, with no page read.

    Raises:
        UsageError: the configuration is wrong, or the plugin is not in it.
    """
    with quiet_mkdocs():
        config = _config(config_file, "site")
        return config, _plugin(config).config.settings


def rendered_by_mkdocs(
    config_file: Path | None, progress: Callable[[int, int], None] | None
) -> Build:
    """The build of a site whose pages are all rendered, every language of it.

    Args:
        config_file: as MkDocs' own `--config-file`.
        progress: called with how many pages are rendered, and of how many.

    Raises:
        UsageError: the configuration is wrong, or the plugin is not in it or switched off.
        CitedError: another part of MkDocs could not build the site.
    """
    began = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as folder, quiet_mkdocs():
        config = _config(config_file, folder)
        plugin = _plugin(config)
        plugin.visitor, plugin.progress = _stop, progress
        try:
            # as `mkdocs build` does: plugins count on it
            config.plugins.on_startup(command="build", dirty=False)
            for _ in each_language(config):
                with suppress(_EnoughError):
                    build_site(config)
            if plugin.build is None:
                raise UsageError(
                    "cited is switched off: `enabled` is false",
                    tip="set `enabled: true`",
                )
            return replace(as_one(plugin.build.languages), began=began)
        except (Abort, BuildError) as error:
            raise CitedError(
                f"MkDocs could not build the site: {error}",
                tip="run `mkdocs build` to see why",
            ) from error
        except (Exception, SystemExit) as error:
            if isinstance(error, CitedError) or _is_ours(error):
                raise
            raise _unbuilt(error) from error
        finally:
            # MkDocs keeps the instance for the next build of this process
            plugin.visitor = plugin.progress = None
            config.plugins.on_shutdown()


def _unbuilt(error: BaseException) -> CitedError:
    """That another plugin, a hook or an extension failed, and where."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    problem = f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
    return CitedError(
        f"the site could not be built: {problem}", tip="run `mkdocs build` to see more"
    )


def _is_ours(error: BaseException) -> bool:
    """True if code of this package was at work within the build, and not another plugin, a hook or an extension."""
    package = str(Path(__file__).parents[1])
    return any(
        frame.filename.startswith(package)
        for frame in traceback.extract_tb(error.__traceback__)[1:]
    )


def _stop(build: Build) -> None:
    """Go no further."""
    raise _EnoughError


def _config(config_file: Path | None, folder: str) -> MkDocsConfig:
    """MkDocs' configuration, as `mkdocs build` reads it; what is ours in it is said as we say it."""
    file = config_file or next(
        (Path(name) for name in OF_MKDOCS if Path(name).is_file()), Path(OF_MKDOCS[0])
    )
    config = MkDocsConfig(config_file_path=str(file.absolute()))
    try:
        with file.open("rb") as stream:
            config.load_file(stream)
    except FileNotFoundError as error:
        tip = "go to the folder of your site, or name its configuration with `-f FILE`"
        raise UsageError(f"there is no `{file}` here", tip=tip) from error
    except (OSError, ValueError, ConfigurationError) as error:
        # which has the line of a value that PyYAML cannot make
        configuration.read(file, Path.cwd())
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
    if errors:
        said = [f"Config value '{name}': {error}" for name, error in errors]
        parts = [item.partition(OURS)[2] or f"{file}: {item}" for item in said]
        pairs = [
            item.rpartition("\n  → ") if "\n  → " in item else (item, "", FOREIGN)
            for item in parts
        ]
        raise gathered([UsageError(message, tip=tip) for message, _, tip in pairs])
    return config


def _plugin(config: MkDocsConfig) -> CitedPlugin:
    plugin = next(
        (item for item in config.plugins.values() if isinstance(item, CitedPlugin)),
        None,
    )
    if plugin is None:
        message = f"{config.config_file_path}: the plugin `cited` is not in `plugins:`, or `enabled` is false there"
        raise UsageError(message, tip="add `- cited`, or switch it on")
    return plugin
