"""Whatever is edited, a build comes to what one comes to that finds nothing stored."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from tests.projects import Project

ASKING = """
    ---
    answers:
      - {question: How do I rotate an API key?, id: keys}
      - {question: How do I install the client with pip?, id: pip}
    ---
    # FAQ
"""
INSTALL = """
    # Installing

    ## Install with pip

    Install the client with pip:

    ```bash
    pip install client
    ```
"""
KEYS = """
    # Keys

    ## Rotate an API key

    To rotate an API key:

    1. Open the settings page.
    2. Choose **Rotate key** and confirm.
    3. Restart the client with `--key`.
"""
OTHER = "# Other\n\nNobody cites this page.\n"


@pytest.fixture
def site(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose records are written and whose store is filled."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    project.page("faq.md", ASKING)
    project.page("guide/keys.md", KEYS)
    project.page("guide/install.md", INSTALL)
    project.page("other.md", OTHER)
    assert project.build("--strict").code == 0
    return project


def made(project: Project) -> dict[str, bytes]:
    """What builds write: the site, records and reports."""
    files = {path: data for path, data in project.tree().items() if not path.startswith("docs/")}
    undated = {path: re.sub(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>", b"", data) for path, data in files.items()}
    return {path: data for path, data in undated.items() if not path.endswith(".gz")}


def without_store(project: Project) -> dict[str, bytes]:
    """The site as a build that finds nothing stored makes it."""
    shutil.rmtree(project.root / ".cache")
    project.build()
    return made(project)


def test_a_page_that_takes_its_words_back(site: Project) -> None:
    """Its answer waits for a person, and holds again with them."""
    site.taken("faq.md")
    site.page("guide/keys.md", "# Keys\n\nThere are none.\n")
    assert "stale-answer" in site.build().output
    site.page("guide/keys.md", KEYS)
    assert site.build().code == 0
    assert "Rotate key" in site.html("faq/index.html")


SAYINGS = (
    "A key is valid for 90 days.", "A key is valid for 30 days.", "Rotate the API key at once.", "Bread is not baked.",
    "Install the client with conda.", "See [how keys are rotated](guide/keys.md).", "Nothing of all this.",
)  # fmt: skip
ALL = ASKING.replace(
    "    ---\n    # FAQ",
    """\
      - {question: How do I bake bread?, id: bread}
      - {question: What is a key?, id: key, sources: [guide/*.md]}
      - {id: valid, question: How long is a key valid?, text: 'A key is valid for 90 days [@guide/valid.md].'}
    ---
    # FAQ""",
)


def edit(project: Project, dice: random.Random) -> None:
    """One edit, such as authors make."""
    pages = [path for path in sorted((project.root / "docs").rglob("*.md")) if path.name != "faq.md"]
    page, saying = dice.choice(pages), dice.choice(SAYINGS)
    text = page.read_text(encoding="utf-8")
    match dice.randrange(8):
        case 0:
            project.page(f"guide/{dice.choice(['gone', 'new', 'old'])}.md", f"# Of keys\n\n{saying}\n")
        case 1 if len(pages) > 2:
            page.unlink()
        case 2:
            page.write_text(re.sub(r"^# .*", f"# {saying}", text), encoding="utf-8")
        case 3:
            page.write_text(text.replace(saying, ""), encoding="utf-8")
        case 4:
            page.write_text(f"{text}\n## {saying}\n\n{dice.choice(SAYINGS)}\n", encoding="utf-8")
        case _:
            page.write_text(f"{text}\n{saying}\n", encoding="utf-8")


def test_any_edit(site: Project, tmp_path: Path) -> None:
    """Of a page, a title, a name, a declaration."""
    dice, cache, stored = random.Random(1), site.root / ".cache", tmp_path / "stored"
    site.configure({"reports": {"json": "out.json"}})
    site.page("faq.md", ALL)
    site.page("guide/valid.md", "# Validity\n\nA key is valid for 90 days.\n")
    for _ in range(8):
        site.build()  # which writes records
        site.build()
        warm = made(site)
        cache.rename(stored)
        cache.mkdir()
        assert without_store(site) == warm
        shutil.rmtree(cache)
        stored.rename(cache)
        edit(site, dice)


def test_a_page_that_is_named_in_vain(site: Project) -> None:
    """What is close to its name depends on what pages there are."""
    cites = "{id: valid, question: How long is a key valid?, text: 'A key is valid [@guide/keyz.md].'}"
    site.page("faq.md", f"---\nanswers:\n  - {cites}\n---\n# FAQ\n")
    assert "did you mean `guide/keys.md`" in site.build().output
    site.page("guide/keyzz.md", "# More\n")
    assert "did you mean `guide/keyzz.md`" in site.build().output


def test_a_preview(site: Project) -> None:
    """Builds again and again, in one process, what a build makes."""

    def load() -> MkDocsConfig:
        return load_config(str(site.root / "mkdocs.yml"), site_dir=str(site.root / "site"))

    config = load()
    config.plugins.on_startup(command="serve", dirty=False)
    for line in ("Keys are free.", "Keys are dear."):
        site.page("guide/keys.md", f"{KEYS}\n    {line}\n")
        mkdocs_build(load())
        assert line in site.html("guide/keys/index.html")
        assert "Rotate key" in site.html("faq/index.html")
    config.plugins.on_shutdown()
