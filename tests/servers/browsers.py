"""Finds a Chromium for the browser tests, and fetches Playwright's own: `python -m tests.servers.browsers`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ALL = "CITED_TESTS_ALL"
"""Variable that CI sets: a test that would be left out fails in its place."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 300
"""Seconds that fetching may take."""
LEFT_OUT = "the browser tests are left out: there is no Chromium (`apt-get install chromium`, or `playwright install`)"


@cache
def executable() -> str:
    """The system's Chromium or Chrome, else the one that Playwright fetched; empty where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), "")
    if found:
        return found
    try:
        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
    except Exception:  # its own driver lacks a library of the system
        return ""
    return own if Path(own).is_file() else ""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser.

    Raises:
        RuntimeError: there is no Chromium.
    """
    if not executable():
        raise RuntimeError(LEFT_OUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        yield browser
        browser.close()


def main() -> int:
    """Fetch a Chromium where there is none; a failure takes one line, and fails nothing unless all tests must run."""
    if executable():
        return 0
    for command in _ways():
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, timeout=PATIENCE, capture_output=True, check=True)
            executable.cache_clear()
            if executable():
                return 0
    print(LEFT_OUT, file=sys.stderr)
    return int(bool(os.environ.get(ALL)))


def _ways() -> Iterator[list[str]]:
    """Debian's package where CI may install packages of the system, then Playwright's own."""
    if os.environ.get(ALL) and shutil.which("apt-get") and os.geteuid() == 0:
        yield ["apt-get", "update", "-qq"]
        yield ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
    yield [sys.executable, "-m", "playwright", "install", "chromium"]


if __name__ == "__main__":
    sys.exit(main())
