"""Nothing in the cache decides what is found: a forged, damaged or foreign store gives the same site and findings."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from mkdocs_cited.mkdocs_host.build import CACHE
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


def rows(data: bytes, dice: Random, file: Path) -> bytes:
    """One row, or all of them, of one table rewritten by who knows how."""
    with sqlite3.connect(file) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = dice.choice([name for name in tables if not name.startswith(("texts", "vocabulary"))])
        column = dice.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
        values = [EVIL, EVIL.encode(), b"\x90", "", -1, b"\xc1" * 40]
        update = f"UPDATE OR REPLACE {table} SET {column} = ?"  # noqa: S608 -- names of our own tables
        delete = f"DELETE FROM {table} WHERE {column} <> ?"  # noqa: S608
        with suppress(sqlite3.IntegrityError):  # a number that is no number: then nothing is forged
            database.execute(dice.choice([update, delete]), (dice.choice(values),))
    database.close()
    return file.read_bytes()


def words(data: bytes, dice: Random, file: Path) -> bytes:
    """Words changed for others of the same length: no format notices."""
    return (
        data.replace(b"5 times", b"7 times").replace(b"retries", b"retired").replace(b"contradicted", b"supported123")
    )


def cut(data: bytes, dice: Random, file: Path) -> bytes:
    return data[: dice.randrange(len(data))]


def flipped(data: bytes, dice: Random, file: Path) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def swapped(data: bytes, dice: Random, file: Path) -> bytes:
    at, length = dice.randrange(len(data)), dice.randrange(1, 9000)
    return data[:at] + dice.randbytes(len(data[at : at + length])) + data[at + length :]


FORGERIES: tuple[Callable[[bytes, Random, Path], bytes], ...] = (rows, rows, rows, words, cut, flipped, swapped)


def test_a_forged_store_decides_nothing(site: Project) -> None:
    """Whatever it says, and however well it is made: the check finds what it finds without any, and the site is the
    same."""
    fresh, wanted, dice = found(site), pages(site), Random(7)
    assert any(finding["severity"] == "error" for finding in fresh)
    for number in range(TRIES):
        file = current(site)
        data = dice.choice(FORGERIES)(file.read_bytes(), dice, file)
        if dice.randrange(2):  # in its place, as a repository or a restored cache brings it
            file.unlink()
        file.write_bytes(data)
        if number % 4:
            assert found(site) == fresh, number
        else:
            assert site.build().code == 1
            assert pages(site) == wanted, number
        site.build()


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
