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


class Revalidating(Quiet):
    """Serves files as hosts do that let a browser keep a page and have it ask each time whether it still holds."""

    def send_head(self) -> Any:
        """A file, or 304 where the browser has it."""
        path = Path(self.translate_path(self.path))
        file = path / "index.html" if path.is_dir() else path
        self.tag = f'"{file.stat().st_mtime_ns:x}"' if file.is_file() else ""
        if self.tag and self.headers.get("If-None-Match") == self.tag:
            self.send_response(304)
            self.end_headers()
            return None
        return super().send_head()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        if getattr(self, "tag", ""):
            self.send_header("ETag", self.tag)
        super().end_headers()


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet) -> Iterator[str]:
    """Serve a folder; its address, with a slash at its end."""
    with running(partial(handler, directory=str(folder))) as port:
        yield f"http://127.0.0.1:{port}/"
