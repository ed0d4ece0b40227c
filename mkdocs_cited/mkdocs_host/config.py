"""MkDocs' view of the options: it hands the block under `plugins: - cited:` to `settings.parse`, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings

from mkdocs_cited import providers, reporters, review
from mkdocs_cited.base.errors import UsageError, gathered
from mkdocs_cited.base.paths import check_inside
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.settings import Settings, parse
from mkdocs_cited.settings.places import found_place, place_of
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
        file = Path(self.config_file_path or "mkdocs.yml")
        try:
            settings = parse(self.raw, file=file)
            _check(settings, file)
        except UsageError as error:
            return [("cited", error)], []
        self.settings = replace(settings, suppress=tuple(_placed(settings, file)))
        return [], []


def _placed(settings: Settings, file: Path) -> Iterator[Suppression]:
    """The suppressions, each with where it stands."""
    for number, item in enumerate(settings.suppress):
        yield replace(item, place=place_of(file, file.name, "suppress", number))


def _check(settings: Settings, file: Path) -> None:
    """Refuse what no type tells: names that nothing bears, paths that lead out of the project, addresses.

    Raises:
        UsageError: names everything that is wrong, each with its line.
    """
    errors = []
    for option, check in _checks(settings, file):
        try:
            check()
        except UsageError as error:
            place = found_place(file, file.name, *option)
            errors.append(UsageError(f"{place}: {error.message}", tip=error.tip) if place else error)
    if errors:
        raise gathered(errors)


def _checks(settings: Settings, file: Path) -> Iterator[tuple[tuple[str, ...], Callable[[], None]]]:
    """The way to each option that is checked, and what refuses it."""
    yield ("provider",), partial(providers.FAMILY.check, settings.provider)
    if settings.reviewer != review.BOTH:
        yield ("reviewer",), partial(review.FAMILY.check, settings.reviewer)
    tip = "write a folder next to mkdocs.yml, such as `answers`"
    yield ("records_dir",), partial(check_inside, settings.records_dir, what="records_dir", tip=tip)
    for name, path in settings.reports.items():
        tip = f"write a file next to mkdocs.yml, such as `cited.{name}`"
        yield ("reports", name), partial(reporters.FAMILY.check, name)
        yield ("reports", name), partial(check_inside, path, what=f"reports: {name}", tip=tip)
    if report := settings.render.report:
        tip = "write a path in the site: `cited/report.html`"
        yield ("render", "report"), partial(check_inside, report, what="render.report", where="the site", tip=tip)
    yield (), partial(addresses.check, settings.extra_sources, file.name)
