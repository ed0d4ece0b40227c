"""A site from MkDocs, ProperDocs or a folder. `plugin`, `adapter` and `rendering` import mkdocs, nothing else does.

Here is the one logger of the plugin: what it logs of pages and models' answers steers nobody's terminal.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from mkdocs_cited.base.errors import harmless


class _Shown(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = harmless(record.getMessage()), ()
        return True


class _Prefixed(logging.LoggerAdapter[logging.Logger]):
    def process(
        self, msg: str, kwargs: MutableMapping[str, Any]
    ) -> tuple[str, MutableMapping[str, Any]]:
        return f"cited: {msg}", kwargs


HOST = getattr(sys.modules.get("mkdocs"), "__name__", "mkdocs")
"""`mkdocs`, or `properdocs`, which puts itself in its place: below this logger, plugins have theirs."""
log = _Prefixed(logging.getLogger(f"{HOST}.plugins.cited"), {})
log.logger.addFilter(_Shown())


class _Ours(logging.Filter):
    """Lets our own warnings pass, and everybody's errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.ERROR or record.name == log.logger.name


@contextmanager
def quiet_mkdocs() -> Iterator[None]:
    """MkDocs' progress and its warnings about pages are not ours: `mkdocs build` shows them. Errors are shown, on
    standard error unless somebody takes them."""
    mkdocs = logging.getLogger("mkdocs")
    before, handler = (
        mkdocs.level,
        None if mkdocs.hasHandlers() else logging.StreamHandler(),
    )
    mkdocs.setLevel(logging.WARNING)
    if handler:
        handler.addFilter(_Shown())
        if not log.isEnabledFor(logging.DEBUG):
            handler.addFilter(_Ours())
        mkdocs.addHandler(handler)
    try:
        yield
    finally:
        mkdocs.setLevel(before)
        if handler:
            mkdocs.removeHandler(handler)
