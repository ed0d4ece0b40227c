"""Follows every citation of real sites in Chromium: `python -m benchmarks.landing SITES_DIR [NAME ...]`.

For each site: citations, those after which some of the passage is in view, those whose text fragment alone (without the
anchor) brings it there, and those that only lead to a section. `--keep DIR` keeps the built sites, for a link checker;
`--built` takes SITES_DIR for a site that is built already.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from benchmarks.sites import prepare

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
IN_VIEW = """id => {
  const element = document.getElementById(id);
  if (!element) return false;
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def follow(site: Path, page: Page, base: str) -> Counter[str]:
    """Open each citation of a built site, once with its anchor and once with its text fragment alone."""
    counts: Counter[str] = Counter()
    seen = set()
    for answer in json.loads((site / "cited.json").read_text(encoding="utf-8"))["answers"]:
        for source in answer["sources"]:
            href = source["href"]
            counts["citations"] += 1
            if href in seen or "://" in href:
                counts["repeated or elsewhere"] += 1
                continue
            seen.add(href)
            address, _, fragment = href.partition("#")
            anchor, _, text = fragment.partition(":~:")
            counts["section only"] += anchor == source["anchor"]
            counts["in view"] += (found := _lands(page, f"{base}{href}", anchor))
            if not found:
                print(f"  not in view: {href}")
            if text:
                counts["with a fragment"] += 1
                counts["fragment alone"] += (alone := _lands(page, f"{base}{address}#:~:{text}", anchor))
                if not alone:
                    print(f"  fragment alone: {href}")
    return counts


def _lands(page: Page, address: str, anchor: str) -> bool:
    page.goto("about:blank")
    page.goto(address, wait_until="load")
    for _ in range(12):
        if page.evaluate(IN_VIEW, anchor):
            page.wait_for_timeout(120)
            return bool(page.evaluate(IN_VIEW, anchor))
        page.wait_for_timeout(120)
    return False


def build(site: Path, folder: Path) -> Path:
    """Build a site with its questions; the folder with the result."""
    prepare(site, folder)
    command = [sys.executable, "-m", "mkdocs", "build", "-q"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return folder / "site"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites, each with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--built", action="store_true", help="SITES_DIR is one built site, with its cited.json")
    parser.add_argument("--keep", type=Path, help="folder to build in")
    arguments = parser.parse_args()
    root = arguments.keep or Path(tempfile.mkdtemp())
    total: Counter[str] = Counter()

    def local(route: Route) -> None:
        here = route.request.url.startswith("http://127.0.0.1")
        route.continue_() if here else route.abort()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page()
        page.route("**", local)
        sites = [path.parent for path in arguments.sites.glob("*/mkdocs.yml")]
        for site in [arguments.sites] if arguments.built else sorted(sites):
            if arguments.names and site.name not in arguments.names:
                continue
            built = site if arguments.built else root / site.name / "site"
            if not built.is_dir():
                built = build(site, root / site.name)
            server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built)))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            counts = follow(built, page, f"http://127.0.0.1:{server.server_port}/")
            server.shutdown()
            total.update(counts)
            print(f"{site.name}: {dict(counts)}", flush=True)
    print(f"all: {dict(total)}")
    if not arguments.keep:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
