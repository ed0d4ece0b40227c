"""A site from MkDocs, ProperDocs or a folder. `plugin`, `adapter` and `rendering` import mkdocs, nothing else does.

Here is the one logger of the plugin: what it logs of pages and models' answers steers nobody's terminal.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mkdocs_cited.base.errors import harmless


class _Shown(logging.Filter):
    """Makes what is logged harmless, behind its own name."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = harmless(self.name + record.getMessage()), ()
        return True


_SHOWN = _Shown()
HOST = getattr(sys.modules.get("mkdocs"), "__name__", "mkdocs")
"""`mkdocs`, or `properdocs`, which puts itself in its place: below this logger, plugins have theirs."""
log = logging.getLogger(f"{HOST}.plugins.cited")
log.addFilter(_Shown("cited: "))


@contextmanager
def quiet_mkdocs() -> Iterator[None]:
    """MkDocs' progress and its warnings about pages are not ours: `mkdocs build` shows them. Errors are shown, and our
    own warnings, on standard error unless somebody takes them."""
    mkdocs = logging.getLogger("mkdocs")
    levels = mkdocs.level, log.level
    mkdocs.setLevel(logging.ERROR)
    log.setLevel(logging.WARNING)
    if logging.lastResort is not None:  # prints what no handler takes
        logging.lastResort.addFilter(_SHOWN)
    try:
        yield
    finally:
        for logger, level in zip((mkdocs, log), levels, strict=True):
            logger.setLevel(level)
