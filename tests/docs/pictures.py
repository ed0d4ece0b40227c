"""The pictures of the documentation: `python -m tests.docs.pictures` takes them of its FAQ, and of the site that the
tutorial makes.

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

from playwright.sync_api import Page

from tests.docs.roots import DOCS
from tests.docs.test_tutorial import followed
from tests.servers.browsers import chromium
from tests.servers.folder import served

ASSETS = DOCS / "assets"
NUMBER = "a.cited-ref"
ANSWER, CHECK, REPORT = "answer.png", "fact-check.png", "report.png"
QUOTE, PASSAGE = "tutorial-quote.png", "tutorial-passage.png"
SHOWN = "#cited-cost"
"""The answer of the FAQ that is shown."""


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


def faq(folder: Path) -> Path:
    """The documentation itself, as it is built."""
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--no-directory-urls", "-d", str(folder)]
    subprocess.run(
        command,
        check=True,
        cwd=DOCS.parent,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "MKDOCS_CITED_UPDATE": "never"},
    )
    return folder


def answer(page: Page, address: str) -> tuple[str, bytes]:
    """A question of the FAQ with its answer and footnotes, and the quote behind a number."""
    page.goto(f"{address}faq.html")
    heading = page.locator(f"h2:has(+ {SHOWN})")
    heading.evaluate("heading => window.scrollBy(0, heading.getBoundingClientRect().top - 80)")
    page.wait_for_timeout(500)
    page.locator(f"{SHOWN} {NUMBER}").last.hover()
    page.locator(".cited-pop").wait_for()
    page.wait_for_timeout(500)
    ends = page.locator(f"{SHOWN}, .cited-pop").evaluate_all("all => all.map(e => e.getBoundingClientRect().bottom)")
    below = 56  # the theme's bar, which a page that shows the picture has itself
    clip = {"x": 0, "y": below, "width": 900, "height": max(ends) + 12 - below}
    return ANSWER, page.screenshot(clip=clip)  # type: ignore[arg-type]


def checked(page: Page, address: str) -> Iterator[tuple[str, bytes]]:
    """The same answer with its fact-check view open, and the report page."""
    page.set_viewport_size({"width": 900, "height": 1000})
    page.goto(f"{address}faq.html")
    page.locator(f"{SHOWN} details.cited-foot").evaluate("details => { details.open = true }")
    page.locator(f"h2:has(+ {SHOWN})").evaluate(
        "heading => window.scrollBy(0, heading.getBoundingClientRect().top - 80)"
    )
    page.wait_for_timeout(500)
    end = page.locator(SHOWN).evaluate("e => e.getBoundingClientRect().bottom")
    yield CHECK, page.screenshot(clip={"x": 0, "y": 56, "width": 900, "height": min(end, 1000) - 56})
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(f"{address}cited/report.html")
    yield REPORT, page.screenshot()


def taken(page: Page, address: str) -> Iterator[tuple[str, bytes]]:
    """Each picture's name and PNG: answers with the quote behind a number, the passage that its footnote leads to."""
    page.goto(f"{address}faq.html")
    answers = page.locator(".cited-answer").first
    answers.scroll_into_view_if_needed()
    clip = {"x": 0.0, "y": 60.0, "width": 900.0, "height": 460.0}
    page.locator(NUMBER).nth(1).hover()
    page.locator(".cited-pop").wait_for()
    yield QUOTE, page.screenshot(clip=clip)  # type: ignore[arg-type]
    page.mouse.move(0, 0)
    page.locator("details").evaluate_all("all => all.forEach(details => { details.open = true })")
    page.locator("a.cited-link[href*='keys.html']").first.click()
    page.wait_for_timeout(500)
    yield PASSAGE, page.screenshot(clip=clip)  # type: ignore[arg-type]


def main() -> None:
    """Take every picture anew."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        sharp = browser.new_page(viewport={"width": 900, "height": 540}, device_scale_factor=2)
        page = browser.new_page(viewport={"width": 900, "height": 540})
        with served(faq(Path(folder, "faq"))) as address:
            first = answer(sharp, address), *checked(page, address)
        page.set_viewport_size({"width": 900, "height": 540})
        Path(folder, "tutorial").mkdir()
        built = site(Path(folder, "tutorial"))
        for name, data in (*first, *taken(page, built.as_uri() + "/")):
            (ASSETS / name).write_bytes(data)
            print(f"{name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
