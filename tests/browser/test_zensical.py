"""In a real browser, on a site that Zensical built: a citation lands on its passage, and a number shows its quote."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from mkdocs_cited.mkdocs_host.site import load
from mkdocs_cited.pipeline.run import Run
from tests.browser.conftest import _Handler
from tests.projects import INSTALL

pytestmark = pytest.mark.browser

FILLING = "\n".join(f"\nSome more of it, part {number}.\n" for number in range(60))


def test_a_citation_lands(tmp_path: Path, browser: Browser) -> None:
    """From the answer's footnote to the passage on another page, far down."""
    root = tmp_path / "docs.d"
    for path, text in {
        "mkdocs.yml": "site_name: Try\nwatch: [answers]\nmarkdown_extensions: [attr_list, mkdocs_cited.extension]\n",
        "docs/index.md": "# Try\n",
        "docs/faq.md": "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n",
        "docs/install.md": "\n".join(line.removeprefix("    ") for line in INSTALL.split("\n")).replace(
            "## Keys", f"{FILLING}\n## Keys"
        ),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    _build(root)
    load(root / "mkdocs.yml", site=root / "site").settle(Run("stale"))
    _build(root)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(root / "site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/faq/")
        page.hover(".cited-answer .footnote-ref")
        page.wait_for_selector(".cited-pop .cited-quote")
        link = page.get_attribute('a.cited-link[href*="90%20days"]', "href")
        assert link == "../install/#keys:~:text=A%20key%20is%20valid%20for%2090%20days."
        page.goto(f"http://127.0.0.1:{server.server_port}/faq/{link}")
        passage = page.get_by_text("A key is valid for 90 days.")
        passage.wait_for(state="visible")
        box = passage.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 720
    finally:
        server.shutdown()
        server.server_close()


def _build(root: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-W", "ignore", "-m", "zensical", "build"]
    subprocess.run(command, cwd=root, env=env, check=True, capture_output=True)
