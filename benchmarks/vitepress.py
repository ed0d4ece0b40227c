"""Builds a site with the real VitePress, lets every command read it, and follows what `ask` cites in Chromium: `python
-m benchmarks.vitepress`.

Takes VitePress from the npm registry, into a temporary folder; `--folder` keeps it there for the next time. Needs Node.
The page that is asked holds what VitePress makes otherwise than MkDocs: boxes, groups of code, permanent links.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from click.testing import CliRunner

from benchmarks.landing import WIDTHS, landing
from mkdocs_cited.cli import main as cited
from tests.servers.browsers import chromium
from tests.servers.folder import served

VITEPRESS = "vitepress@1.6.4"
PAGES = {
    "index.md": "# Welcome\n\nThe client speaks to the server. [Install it](guide/install.md).\n",
    "guide/install.md": """# Install

The client retries a failed request 5 times before it gives up.

::: warning
Never send a key in a URL.
:::

## Keys

To rotate an API key:

1. Open the settings page.
2. Choose **Rotate key** and confirm.

A key is valid for 90 days.

::: code-group
```bash [npm]
npm install client
```
```bash [pip]
pip install client
```
:::
""",
    ".vitepress/config.mjs": "export default { title: 'Try', ignoreDeadLinks: true }\n",
}
QUESTIONS = """
- {question: "How long is a key valid?", id: valid}
- {question: "How often does the client retry a failed request?", id: retry}
- {question: "How do I rotate an API key?", id: rotate}
"""
ASKED = ("How do I rotate an API key?", "How long is a key valid?", "How do I install the client?")
SITE = "docs/.vitepress/dist"
COMMANDS: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("check",), 1, "missing-answer"),
    (("update",), 0, "3"),
    (("status",), 0, "3 quoted"),
    (("find", "rotate a key"), 0, "guide/install.html#keys"),
    (("find", "key in a URL"), 0, "Never send a key in a URL."),
    (("find", "install with pip"), 0, "pip install client"),
    (("ask", "How long is a key valid?"), 0, "A key is valid for 90 days."),
    (("verify", "A key is valid for 30 days."), 1, "contradicted"),
)
"""What is asked, how it ends, and what it says."""


def built(folder: Path) -> None:
    """Write the site into a folder and build it.

    Raises:
        subprocess.CalledProcessError: npm or VitePress failed.
    """
    for path, text in PAGES.items():
        target = folder / "docs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (folder / "questions.yml").write_text(QUESTIONS, encoding="utf-8")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    if not (folder / "node_modules/vitepress").is_dir():
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", VITEPRESS]
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)
    subprocess.run(["npx", "vitepress", "build", "docs"], cwd=folder, check=True, stdout=sys.stderr)


def wrong() -> int:
    """How many commands, in the folder of the site, end otherwise than they should."""
    failed = 0
    for (name, *rest), code, said in COMMANDS:
        result = CliRunner().invoke(cited, [name, "--site", SITE, *rest])
        right = result.exit_code == code and said in result.output
        failed += not right
        print(
            f"{name:8} {' '.join(rest):42} {'as it should' if right else f'exit {result.exit_code}: {result.output}'}"
        )
    return failed


def astray() -> int:
    """How many links of answers, in the folder of the site, lead to anything but their passage, in two widths."""
    failed = 0
    with served(Path(SITE)) as url, chromium() as browser:
        reader = browser.new_page()
        for question, (width, height) in product(ASKED, WIDTHS.items()):
            page = browser.new_page(viewport={"width": width, "height": height})
            said = CliRunner().invoke(cited, ["ask", "--site", SITE, "--json", question]).output
            for source in json.loads(said)["sources"]:
                landed = landing(page, reader, url + source["href"], [source["quote"]])
                right = landed.seen and landed.inside > 0 == landed.outside
                failed += not right
                print(f"{width:5} {source['href']} {'lands' if right else landed}")
            page.close()
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the site is built; kept, with what npm installed")
    arguments = parser.parse_args()
    if not shutil.which("npm"):
        sys.exit("there is no npm here: install Node")
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-vitepress-") as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        built(folder)
        os.chdir(folder)
        failed, lost = wrong(), astray()
        os.chdir("/")
    print(f"{len(COMMANDS) - failed} commands passed, {failed} failed; {lost} links led astray")
    sys.exit(bool(failed or lost))


if __name__ == "__main__":
    main()
