"""Opening the site and checking its answers, with a sign of life: on a large site both take more than a second."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_cited.cli.manner import manner
from mkdocs_cited.cli.output import progress

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.report import Report


def opened(config_file: Path | None, *, folder: Path | None = None, fresh: bool = False) -> Site:
    """The site with its pages read: those of the last build where nothing has changed since.

    Args:
        config_file: as MkDocs' own `--config-file`.
        folder: a built site, whose pages are read instead of rendering them.
        fresh: render, though nothing may have changed.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or the folder does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    with ExitStack() as stack:
        if manner().verbose:
            from mkdocs_cited.mkdocs_host.logger import talkative

            stack.enter_context(talkative())
        bar = stack.enter_context(progress(what="" if manner().verbose else "reading the pages"))
        from mkdocs_cited.mkdocs_host.site import load  # what takes long is said before it is imported

        site = load(config_file, site=folder, fresh=fresh, progress=bar.pages)
        _ = site.corpus  # which reads what there is besides the pages: here, where it is said
        return site


def checked(site: Site) -> Report:
    """What is wrong with the answers, found offline and without writing anything."""
    from mkdocs_cited.mkdocs_host.logger import talkative

    with ExitStack() as stack:
        if manner().verbose:
            stack.enter_context(talkative())
        bar = stack.enter_context(progress(what="" if manner().verbose else "checking the answers"))
        return site.check(bar.answers)
