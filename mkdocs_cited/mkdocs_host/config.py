"""MkDocs' view of the options: it hands the block under `plugins: - cited:` to `settings.parse`, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings

from mkdocs_cited import providers, reporters, review
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.paths import check_inside
from mkdocs_cited.settings import Settings, parse
from mkdocs_cited.sources.web import addresses


class CitedConfig(Config):
    """The plugin's options. Their table is `settings.Settings`; MkDocs' own schema stays empty."""

    settings: Settings

    def load_dict(self, patch: dict[str, Any]) -> None:
        """Keep the raw options; they are checked as a whole by `validate`."""
        self.raw = dict(patch)
        super().load_dict({})

    def validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        """Parse the options; what is wrong becomes MkDocs' configuration error."""
        try:
            self.settings = parse(self.raw, file=Path(self.config_file_path or "mkdocs.yml").name)
            _check_names(self.settings)
            _check_paths(self.settings)
            addresses.check(self.settings.extra_sources, Path(self.config_file_path or "mkdocs.yml").name)
        except UsageError as error:
            return [("cited", error)], []
        return [], []


def _check_names(settings: Settings) -> None:
    """Refuse names that nothing bears, before a page is read.

    Raises:
        UsageError: a provider, reviewer or report format does not exist.
    """
    providers.FAMILY.check(settings.provider)
    if settings.reviewer != review.BOTH:
        review.FAMILY.check(settings.reviewer)
    for name in settings.reports:
        reporters.FAMILY.check(name)


def _check_paths(settings: Settings) -> None:
    """Refuse paths that lead out of the project, or out of the site for what is published, before anything is written.

    Raises:
        UsageError: names the option, and says what to write.
    """
    check_inside(settings.records_dir, what="records_dir", tip="write a folder beside mkdocs.yml, such as `answers`")
    if settings.baseline:
        check_inside(settings.baseline, what="baseline", tip="write a file beside mkdocs.yml: `cited-baseline.yml`")
    for name, path in settings.reports.items():
        check_inside(path, what=f"reports: {name}", tip=f"write a file beside mkdocs.yml, such as `cited.{name}`")
    if settings.render.report:
        tip = "write a path in the site: `cited/report.html`"
        check_inside(settings.render.report, what="render.report", where="the site", tip=tip)
