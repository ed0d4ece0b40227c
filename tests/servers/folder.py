"""A folder on 127.0.0.1, served as hosts of static pages do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

from tests.servers.running import running


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file; a browser that has gone on to the next page does not want the rest."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet) -> Iterator[str]:
    """Serve a folder; its address, with a slash at its end."""
    with running(partial(handler, directory=str(folder))) as port:
        yield f"http://127.0.0.1:{port}/"
