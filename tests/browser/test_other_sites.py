"""In a real browser, on sites that other generators built: commands lead to a passage, and to it alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from benchmarks.landing import landing
from tests.projects import Project
from tests.servers.folder import served

pytestmark = pytest.mark.browser

FILLING = "\n\n".join(f"Some more of it, part {number}." for number in range(60))
INSTALL = f"""
Install
=======

{FILLING}

Rotate a key
------------

To rotate an API key:

1. Open the settings page.
2. Acme documentation
3. Restart the client.

Afterwards
----------

{FILLING}
"""


def test_sphinx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    """Nothing is put into its pages: a text fragment does it, and for words that are on a page twice the section."""
    project = Project(tmp_path / "project", monkeypatch)
    (project.root / "mkdocs.yml").unlink()
    monkeypatch.chdir(project.root)
    project.write("source/conf.py", "project, html_theme = 'Acme', 'classic'\n")
    project.write("source/index.rst", "Welcome\n=======\n\n.. toctree::\n\n   install\n")
    project.write("source/install.rst", INSTALL)
    command = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-b", "html", "source", "site"]
    subprocess.run(command, check=True, capture_output=True)
    said = project.cited_here("ask", "--site", "site", "--json", "How do I rotate an API key?").output
    links = {source["quote"]: source["href"] for source in json.loads(said)["sources"]}
    assert list(links) == [
        "To rotate an API key:",
        "Open the settings page.",
        "Acme documentation",
        "Restart the client.",
    ]
    with served(project.root / "site") as url:
        for words, href in links.items():
            landed = landing(browser.new_page(), browser.new_page(), url + href, [words])
            assert landed.seen, words
            assert landed.outside == 0, words
            assert (landed.inside > 0) == (":~:text=" in href) == (words != "Acme documentation")
