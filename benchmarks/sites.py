"""Loads the real sites that other benchmarks measure: their rendered pages, or copies of them that ask questions.

A site is a folder with `mkdocs.yml`, `docs/` and `qa.jsonl`, the maintainers' own questions. Sites of any size are made
by `benchmarks.large`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml

from benchmarks.rendered import VARIABLE
from mkdocs_cited.declarations import read_page
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Page

CACHE = Path(tempfile.gettempdir()) / "mkdocs-cited-finding"
ASKED_ON = "asked-by-the-benchmark.md"
QUESTIONS = 12


def declared(questions: Sequence[str]) -> list[Declaration]:
    """The declarations of a page that asks these questions in its front matter."""
    entries = [{"id": f"q{number}", "question": question} for number, question in enumerate(questions)]
    matter = yaml.safe_dump({"answers": entries}, allow_unicode=True)
    return list(read_page(ASKED_ON, f"docs/{ASKED_ON}", f"---\n{matter}---\n".encode()).declarations)


def rendered(site: Path) -> list[tuple[Page, str]]:
    """The pages of a site as MkDocs renders them, without its own hooks, cached between runs.

    Raises:
        SystemExit: MkDocs cannot build it; it has said why.
    """
    cached = CACHE / f"{site.name}.json"
    if not cached.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        hook = Path(__file__).with_name("rendered.py").resolve()
        config = CACHE / f"{site.name}.yml"
        inherited = {"INHERIT": str((site / "mkdocs.yml").resolve()), "docs_dir": str((site / "docs").resolve())}
        config.write_text(yaml.safe_dump({**inherited, "site_dir": str(CACHE / "site"), "hooks": [str(hook)]}))
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(config)]
        environment = {**os.environ, VARIABLE: str(cached), "NO_MKDOCS_2_WARNING": "1"}
        built = subprocess.run(command, cwd=site, env=environment)
        if built.returncode:
            sys.exit(f"{site}: MkDocs cannot build it here: it needs other packages, or files beside its configuration")
    return msgspec.json.decode(cached.read_bytes(), type=list[tuple[Page, str]])


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
