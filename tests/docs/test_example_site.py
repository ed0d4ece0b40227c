"""The example site is what it tells others to be: strict-clean, and every claim of its FAQ supported by its pages."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.docs.roots import ROOT
from tests.installed import install_ours

SITE = ROOT / "example_site"


@dataclass(frozen=True, slots=True)
class Built:
    """The site as CI builds it."""

    folder: Path
    run: subprocess.CompletedProcess[str]
    changed: set[tuple[str, str]]
    """Files of the sources that the build made, changed or removed."""


def tree() -> dict[str, str]:
    """Every file of the site's sources with its digest, but for what a build may leave there."""
    files = (path for path in SITE.rglob("*") if path.is_file() and not {".cache", "site"} & set(path.parts))
    return {path.relative_to(SITE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One strict build."""
    before = tree()
    folder = tmp_path_factory.mktemp("site")
    install_ours(folder / "path")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MKDOCS_CITED_")}
    path = os.pathsep.join((str(ROOT), str(folder / "path")))
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "-f",
            str(SITE / "mkdocs.yml"),
            "-d",
            str(folder / "out"),
        ],
        env=environ | {"CI": "true", "PYTHONPATH": path, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return Built(folder / "out", run, set(before.items()) ^ set(tree().items()))


@pytest.fixture(scope="module")
def answers(built: Built) -> list[dict[str, Any]]:
    """The answers in `cited.json`."""
    return list(json.loads((built.folder / "cited.json").read_text(encoding="utf-8"))["answers"])


def test_it_builds_strictly_without_a_warning_and_writes_nothing(built: Built) -> None:
    """Exit code 0 under `--strict`, nothing said but progress and advice, and the sources as they were."""
    assert (built.run.returncode, warnings(built.run.stderr)) == (0, [])
    assert not built.changed


def test_the_faq_shows_what_the_plugin_can_do(answers: list[dict[str, Any]]) -> None:
    """At least eight answers, written by people; all accepted."""
    assert len(answers) >= 8
    assert sum(answer["provider"] == "authored" for answer in answers) >= 2
    assert [answer["id"] for answer in answers if not answer["ok"]] == []


def test_every_claim_of_the_faq_is_supported(answers: list[dict[str, Any]]) -> None:
    """No claim is uncited, and none is left to doubt."""
    claims = [claim for answer in answers for claim in answer["claims"]]
    assert len(claims) >= 10
    assert [claim["text"] for claim in claims if claim["verdict"] != "supported" or not claim["sids"]] == []


def test_every_quote_stands_in_the_page_that_it_links_to(built: Built, answers: list[dict[str, Any]]) -> None:
    """As a reader sees it, on the built page; and the link's anchor exists there."""
    sources = [source for answer in answers for source in answer["sources"] if source["type"] != "file"]
    assert len(sources) >= 10
    for source in sources:
        address, fragment = urldefrag(source["href"])
        page = LexborHTMLParser((built.folder / address / "index.html").read_text(encoding="utf-8"))
        anchor = fragment.partition(":~:")[0]
        assert page.css_first(f'[id="{anchor}"]') is not None, source["href"]
        assert page.body is not None
        assert squeezed(source["quote"]) in squeezed(page.body.text()), source["passage"]


def test_the_files_for_machines_are_those_that_the_docs_name(built: Built) -> None:
    """The table of the rendering page, and nothing besides."""
    page = (SITE / "docs" / "guide" / "rendering.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(cited\.[\w.]+)` \|", page, re.MULTILINE))
    assert named == {path.name for path in built.folder.glob("cited.*")}


def warnings(log: str) -> list[str]:
    """The lines of a log that are more than information, with those that go on from them."""
    out, loud = [], False
    for line in filter(str.strip, log.splitlines()):
        loud = loud if line.startswith(" ") else not line.startswith("INFO")
        out += [line] if loud else []
    return out


def squeezed(text: str) -> str:
    """Text without white space, which stands between the cells of a table and the lines of code in many ways."""
    return "".join(text.split())


def test_zensical_builds_it_too(tmp_path: Path) -> None:
    """With the newest release that is installed: answers and marks are published, and the check passes strictly."""
    folder = tmp_path / "site"
    shutil.copytree(SITE, folder, ignore=shutil.ignore_patterns("site", ".cache"))
    install_ours(tmp_path / "path")
    path = os.pathsep.join((str(ROOT), str(tmp_path / "path")))
    for words in (
        ("zensical", "build"),
        ("mkdocs_cited", "publish", "--site", "site"),
        ("mkdocs_cited", "check", "--site", "site", "--strict"),
    ):
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
    faq = LexborHTMLParser((folder / "site" / "faq" / "index.html").read_text(encoding="utf-8"))
    assert len(faq.css(".cited-answer")) >= 8
