"""A hook that keeps the rendered pages of a site, as the plugin would see them, and stops the build there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files

from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.model.options import Settings

VARIABLE = "CITED_BENCHMARK_PAGES"
"""Environment variable with the path of the file to write."""


@event_priority(-110)
def on_env(env: Any, config: MkDocsConfig, files: Files) -> None:
    """Write what `on_env` of the plugin would index. Templates need not run: nothing of theirs is cited."""
    every = adapter.pages_of(files, config, Settings())
    pages = [(page.document, page.html) for page in every if page.document and page.html is not None]
    Path(os.environ[VARIABLE]).write_bytes(msgspec.json.encode(pages))
    raise SystemExit(0)
