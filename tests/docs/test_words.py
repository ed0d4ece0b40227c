"""The documentation uses what exists: option names, slugs, keys and files that it writes as code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mkdocs_cited.declarations.entries import TYPES
from mkdocs_cited.model.finding import CATALOGUE
from tests.docs.generated import DOCS, ROOT
from tests.docs.pages import pages
from tests.test_levels import LEVELS

SLUG_LIKE = re.compile(
    r"`((?:[a-z]+-)+(?:claim|answer|source|sources|citation|record|markup|polarity|number|quote|identifier|"
    r"coverage|option|declaration|suppression|link|found|documented|evidence|error|incomplete))`"
)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_slugs_exist(page: Path) -> None:
    """What looks like a finding in the docs is one."""
    named = set(SLUG_LIKE.findall(page.read_text(encoding="utf-8")))
    assert named <= CATALOGUE.keys()


def test_the_table_of_declaration_keys_is_whole() -> None:
    """Each key of a declaration has its row, and no row stands for a key that does not exist."""
    text = (DOCS / "guide" / "questions.md").read_text(encoding="utf-8")
    table = text.partition("## The keys")[2].partition("\n## ")[0]
    keys = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(keys) == sorted(TYPES)


def test_the_table_of_levels_is_true() -> None:
    """CONTRIBUTING names every room of the package, on the level that its imports are held to."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", text, re.MULTILINE)
    assert {int(level): tuple(re.findall(r"`(\w+)`", rooms)) for level, rooms in rows} == LEVELS


def test_the_readme_leads_to_files_that_exist() -> None:
    """Relative links and pictures of README and CONTRIBUTING."""
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        missing = [target for target in targets if not (ROOT / target).exists()]
        assert not missing
