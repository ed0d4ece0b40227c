"""Nothing in the cache decides what is found: a forged, damaged or foreign store gives the same site and findings."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from mkdocs_cited.mkdocs_host.project import CACHE
from tests.projects import Project

TRIES = 200 if settings().max_examples > 100 else 20
"""Forgeries of the store, each another one; all with `--hypothesis-profile thorough`."""
WRONG = "The client retries a failed request 7 times before it gives up."
EVIL = f"<script>alert(1)</script> {WRONG} [x](javascript:alert(1))"


@pytest.fixture
def site(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site with an answer that its passage contradicts, one that the docs give, and a stored build."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    project.authored("guide/install.md#with-pip", wrong=[WRONG])
    project.page("asks.md", "---\nanswers:\n  - {question: How do I rotate an API key?, id: keys}\n---\n# Asks\n")
    project.lies_for_a_while()
    assert project.build().code == 1
    return project


def current(project: Project) -> Path:
    """The file of the store."""
    return project.root / CACHE / "mkdocs.sqlite3"


def found(project: Project) -> list[dict[str, Any]]:
    """What a check finds."""
    return list(json.loads(project.cited("check", "--json").output)["findings"])


def pages(project: Project) -> dict[str, bytes]:
    """The built site, without what MkDocs itself dates."""
    files = {path: data for path, data in project.tree().items() if path.startswith(("site/", "answers/"))}
    return {
        path: re.sub(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>", b"", data)
        for path, data in files.items()
        if not path.endswith(".gz")
    }


def cut(data: bytes, dice: Random) -> bytes:
    return data[: dice.randrange(len(data))]


def flipped(data: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def swapped(data: bytes, dice: Random) -> bytes:
    at, length = dice.randrange(len(data)), dice.randrange(1, 9000)
    return data[:at] + dice.randbytes(len(data[at : at + length])) + data[at + length :]


DAMAGES: tuple[Callable[[bytes, Random], bytes], ...] = (cut, flipped, swapped)


def test_a_damaged_store_stops_nothing(site: Project) -> None:
    """Whatever is lost of it: the check ends as it should, and so does a build."""
    dice = Random(7)
    for number in range(TRIES):
        file = current(site)
        file.write_bytes(dice.choice(DAMAGES)(file.read_bytes(), dice))
        result = site.cited("check") if number % 4 else site.build()
        assert result.code == 1, number
        assert "altered-number" in result.output, number
        site.build()


def test_a_store_that_another_user_made_is_not_read(site: Project) -> None:
    """One that came with a repository may say anything, and lacks this user's secret."""
    fresh, wanted = found(site), pages(site)
    file = current(site)
    site.monkeypatch.setenv("XDG_CACHE_HOME", str(site.root / "another-users"))
    file.write_bytes(file.read_bytes().replace(b"5 times", b"7 times"))
    assert found(site) == fresh
    assert site.build().code == 1
    assert pages(site) == wanted


def test_a_store_of_another_machine(site: Project, tmp_path: Path) -> None:
    """A whole folder that was made where the docs said something else: nothing of it is used."""
    fresh, wanted = found(site), pages(site)
    stranger = shutil.copytree(site.root, tmp_path / "stranger")
    page = stranger / "docs/guide/install.md"
    page.write_text(page.read_text(encoding="utf-8").replace("5 times", "7 times"), encoding="utf-8")
    other = Project(tmp_path / "other", site.monkeypatch)
    shutil.rmtree(other.root)
    stranger.rename(other.root)
    other.lies_for_a_while()
    assert other.build().code == 0
    for copied in (shutil.copytree, lambda source, target: source.rename(target)):
        shutil.rmtree(site.root / ".cache")
        copied(other.root / ".cache", site.root / ".cache")
        assert found(site) == fresh
        assert site.build().code == 1
        assert pages(site) == wanted


@pytest.mark.parametrize("name", ["mkdocs.sqlite3", "records.lock", "."])
def test_something_else_in_the_place_of_a_cache(site: Project, name: str) -> None:
    """A folder where a file is to be, and a file where the folder is to be: costs time, no answer."""
    fresh, wanted, place = found(site), pages(site), site.root / CACHE / name
    if name == ".":
        shutil.rmtree(place)
        place.write_bytes(b"in the way")
    else:
        place.unlink(missing_ok=True)
        (place / "x").mkdir(parents=True)
    assert site.build().code == 1
    assert (pages(site), found(site)) == (wanted, fresh)


def test_a_folder_that_nobody_may_write_into(site: Project) -> None:
    """What is stored is read, and nothing more is written."""
    fresh, wanted = found(site), pages(site)
    folder = site.root / CACHE
    folder.chmod(0o500)
    try:
        site.page("more.md", "# More\n\nThe client is free.\n")
        assert site.build().code == 1
        assert found(site) == fresh
        (site.root / "docs/more.md").unlink()
        assert site.build().code == 1
        assert {path: pages(site)[path] for path in wanted} == wanted
    finally:
        folder.chmod(0o700)
