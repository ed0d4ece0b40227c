"""Builds real sites with their own questions, and counts what came of it: `python -m benchmarks.sites SITES_DIR`.

For each site: answers and abstentions, citations, those whose quote stands word for word in the page that they link to
(read from the built HTML by another parser than the plugin's), those whose address resolves, findings, and the share of
answers that cite a page which the maintainers' own answer names.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import yaml

QUESTIONS = 12


class Text(HTMLParser):
    """The text and the ids of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.ids: set[str] = set()
        self.skipped = 0
        self.feed(html)
        self.text = "".join("".join(self.parts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.update(value for key, value in values.items() if key in ("id", "name") and value)
        self.skipped += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.parts.append(data)


def prepare(site: Path, folder: Path, questions: int = QUESTIONS) -> list[dict[str, object]]:
    """A copy of a site with its strong questions on one page and the plugin switched on; the questions."""
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("site"))
    rows = [json.loads(line) for line in (site / "qa.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["quality"] == "strong"][:questions]
    answers = [{"id": row["id"], "question": row["question"]} for row in rows]
    page = f"---\ntitle: Questions\n{yaml.safe_dump({'answers': answers})}---\n# Questions\n"
    (folder / "docs" / "cited-questions.md").write_text(page, encoding="utf-8")
    config = (folder / "mkdocs.yml").read_text(encoding="utf-8")
    (folder / "mkdocs.yml").write_text(config.replace("  - search\n", "  - search\n  - cited\n", 1), encoding="utf-8")
    return rows


@dataclass
class Outcome:
    """What one site came to."""

    code: int
    output: str
    counts: Counter[str]


def try_site(site: Path) -> Outcome:
    """Build a site, and read what came out."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / site.name
        rows = {str(row["id"]): row for row in prepare(site, folder)}
        command = [sys.executable, "-m", "mkdocs", "build", "-q"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        sidecar = folder / "site" / "cited.json"
        if not sidecar.is_file():
            return Outcome(done.returncode, output, Counter())
        return Outcome(done.returncode, output, count(sidecar, rows))


def count(sidecar: Path, rows: dict[str, dict[str, object]]) -> Counter[str]:
    """What stands in `cited.json`, held against the built pages."""
    counts: Counter[str] = Counter()
    pages: dict[Path, Text] = {}
    for answer in json.loads(sidecar.read_text(encoding="utf-8"))["answers"]:
        counts["answers"] += 1
        counts[answer["status"]] += 1
        counts["not ok"] += not answer["ok"] and answer["status"] != "abstained"
        gold = set(rows[answer["id"]]["gold_pages"])  # type: ignore[call-overload]
        counts["gold cited"] += bool(gold & {source["page"] for source in answer["sources"]})
        counts["claims"] += len(answer["claims"])
        counts["supported"] += sum(claim["verdict"] == "supported" for claim in answer["claims"])
        for source in answer["sources"]:
            address, fragment = urldefrag(source["href"])
            path = sidecar.parent / address / ("index.html" if not address or address.endswith("/") else "")
            counts["citations"] += 1
            if not path.is_file():
                continue
            page = pages.setdefault(path, Text(path.read_text(encoding="utf-8")))
            anchor = unquote(fragment.partition(":~:")[0])
            counts["links resolve"] += not anchor or anchor in page.ids
            counts["quotes stand"] += "".join(source["quote"].split()) in page.text
            counts["with text fragment"] += ":~:text=" in fragment
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites, each with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("names", nargs="*", help="only these")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    for site in sorted(path.parent for path in arguments.sites.glob("*/mkdocs.yml")):
        if arguments.names and site.name not in arguments.names:
            continue
        outcome = try_site(site)
        total.update(outcome.counts)
        crashed = "Traceback" in outcome.output
        print(f"{site.name}: exit {outcome.code}{', CRASHED' if crashed else ''}; {dict(outcome.counts)}", flush=True)
        if outcome.code:
            print("  " + "\n  ".join(outcome.output.strip().splitlines()[-40:]))
    print(f"all: {dict(total)}")


if __name__ == "__main__":
    main()
