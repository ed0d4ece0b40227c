"""MkDocs' view of the options: it hands the block under `plugins: - cited:` to `settings.parse`, and nothing else."""

from __future__ import annotations

from typing import Any

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings

from mkdocs_cited.errors import UsageError
from mkdocs_cited.settings import Settings, parse


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
            self.settings = parse(self.raw)
        except UsageError as error:
            return [("cited", error)], []
        return [], []
