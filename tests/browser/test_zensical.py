"""In a real browser, on a site that Zensical built: a citation lands on its passage, and a number shows its quote."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from benchmarks.landing import landing
from tests.projects import INSTALL
from tests.servers.folder import served

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
            "## Keys", f"{FILLING}\n## Keys\n{FILLING}"
        ),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    _run(root, "zensical", "build")
    _run(root, "mkdocs_cited", "publish", "--site", "site")
    with served(root / "site") as url:
        page = browser.new_page()
        page.goto(f"{url}faq/")
        page.hover(".cited-answer .cited-ref")
        page.wait_for_selector(".cited-pop .cited-quote")
        link = page.get_attribute('a.cited-link[href*="90%20days"]', "href") or ""
        assert link.startswith("../install/#cited-")
        landed = landing(page, browser.new_page(), f"{url}faq/{link}", ["A key is valid for 90 days."])
        assert landed.seen
        assert landed.inside > 0 == landed.outside


def _run(root: Path, module: str, *arguments: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-W", "ignore", "-m", module, *arguments]
    done = subprocess.run(command, cwd=root, env=env, check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
