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


_SHOWN = _Shown()
HOST = getattr(sys.modules.get("mkdocs"), "__name__", "mkdocs")
"""`mkdocs`, or `properdocs`, which puts itself in its place: below this logger, plugins have theirs."""
log = _Prefixed(logging.getLogger(f"{HOST}.plugins.cited"), {})
log.logger.addFilter(_SHOWN)


@contextmanager
def quiet_mkdocs() -> Iterator[None]:
    """MkDocs' progress and its warnings about pages are not ours: `mkdocs build` shows them. Errors are shown, and our
    own warnings, on standard error unless somebody takes them."""
    mkdocs = logging.getLogger("mkdocs")
    levels = mkdocs.level, log.logger.level
    mkdocs.setLevel(logging.ERROR)
    log.setLevel(logging.WARNING)
    if logging.lastResort is not None:  # prints what no handler takes
        logging.lastResort.addFilter(_SHOWN)
    try:
        yield
    finally:
        for logger, level in zip((mkdocs, log.logger), levels, strict=True):
            logger.setLevel(level)
