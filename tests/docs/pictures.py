"""The pictures of the tutorial: `python -m tests.docs.pictures` takes them of the site that the tutorial makes.

They are taken by Debian's Chromium of a real build, and committed; a test holds their size and that pages show them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.docs.roots import DOCS
from tests.docs.test_tutorial import followed

ASSETS = DOCS / "assets"
NUMBER = "a.footnote-ref"
QUOTE, PASSAGE = PICTURES = ("tutorial-quote.png", "tutorial-passage.png")
MOST_BYTES = 100_000
"""Of one picture."""


@contextmanager
def at(folder: Path) -> Iterator[None]:
    """Work in a folder, as the tutorial's reader does."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def site(folder: Path) -> Path:
    """The tutorial's site, built as it is at its end."""
    with at(folder):
        for _ in followed(folder):
            pass
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "--no-directory-urls"]
        subprocess.run(command, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    return folder / "site"


def taken(page: Page, address: str) -> Iterator[tuple[str, bytes]]:
    """Each picture's name and PNG: answers with the quote behind a number, the passage that its footnote leads to."""
    page.goto(f"{address}/faq.html")
    answers = page.locator(".cited-answer").first
    answers.scroll_into_view_if_needed()
    clip = {"x": 0.0, "y": 60.0, "width": 900.0, "height": 460.0}
    page.locator(NUMBER).nth(1).hover()
    page.locator(".cited-pop").wait_for()
    yield QUOTE, page.screenshot(clip=clip)  # type: ignore[arg-type]
    page.mouse.move(0, 0)
    page.locator(".cited-footnotes a[href*='keys.html'], .footnote a[href*='keys.html']").first.click()
    page.wait_for_timeout(500)
    yield PASSAGE, page.screenshot(clip=clip)  # type: ignore[arg-type]


def main() -> None:
    """Take every picture anew."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        built = site(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 900, "height": 540})
        for name, data in taken(page, built.as_uri()):
            (ASSETS / name).write_bytes(data)
            print(f"{name}: {len(data):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
