"""The documentation uses what exists: option names, slugs, keys and files that it writes as code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import msgspec
import pytest

from mkdocs_cited.declarations.entries import TIPS
from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.render.cited_json import AnswerData, SourceData
from tests.docs.pages import pages
from tests.docs.roots import DOCS, ROOT
from tests.test_levels import LEVEL, modules

SLUG_LIKE = re.compile(
    r"`((?!cited-)(?:[a-z]+-)+(?:claim|answer|source|sources|citation|record|markup|polarity|number|quote|identifier|"
    r"coverage|option|declaration|suppression|link|found|documented|evidence|error|incomplete))`"
)


def _section(page: str, heading: str) -> str:
    """The text under a second-level heading of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_slugs_exist(page: Path) -> None:
    """What looks like a finding in the docs is one."""
    named = set(SLUG_LIKE.findall(page.read_text(encoding="utf-8")))
    assert named <= CATALOGUE.keys()


def test_the_table_of_declaration_keys_is_whole() -> None:
    """Each key of a declaration has its row, and no row stands for a key that does not exist."""
    keys = re.findall(r"^\| `(\w+)` \|", _section("guide/answers.md", "The keys"), re.MULTILINE)
    assert sorted(keys) == sorted(TIPS)


@pytest.mark.parametrize(("heading", "kind"), [("An answer", AnswerData), ("A source", SourceData)])
def test_the_tables_of_cited_json_are_whole(heading: str, kind: type[msgspec.Struct]) -> None:
    """Each field of an answer and of a source is explained, and none that does not exist."""
    rows = re.findall(r"^\| (`[^|]+) \|", _section("reference/cited-json.md", heading), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(field.encode_name for field in msgspec.structs.fields(kind))


def test_the_style_variables_exist() -> None:
    """The CSS variables that the docs offer are those that the style sheet reads, and all of them."""
    table = _section("guide/rendering.md", "Styling").partition("```")[0]
    css = (ROOT / "mkdocs_cited" / "render" / "assets" / "cited.css").read_text(encoding="utf-8")
    assert set(re.findall(r"`(--[\w-]+)`", table)) == set(re.findall(r"var\((--cited-[a-z]+-color)", css))


def test_the_templates_exist() -> None:
    """The table of templates names each template that a theme may override."""
    named = set(
        re.findall(r"^\| `(cited/[\w-]+\.html)`", _section("guide/rendering.md", "Change the markup"), re.MULTILINE)
    )
    templates = ROOT / "mkdocs_cited" / "render" / "templates"
    assert named == {path.relative_to(templates).as_posix() for path in templates.rglob("*.html")}


def test_the_table_of_rooms_is_true() -> None:
    """CONTRIBUTING names every room of the package, in the order in which they may import each other."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("\n## The shape of the package\n")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(named, key=LEVEL.__getitem__) == named
    assert set(named) == set(LEVEL)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_words_that_need_a_glossary_stay_out(page: Path) -> None:
    """The documentation says stored, next to, again, fix, resolve, score, depends on, excerpt and review session."""
    said = set(re.findall(r"[a-z]+(?: on)?", page.read_text(encoding="utf-8")))
    assert said.isdisjoint({"anew", "beside", "mend", "mends", "rests on", "rest on", "settle", "settled", "sitting"})


def test_names_are_the_fields_words() -> None:
    """No name of the package has a part that its docstring would have to explain."""
    poetic = set("anew beside kept manner mend seal settled sitting standing stretch swallowing told".split())
    names = {
        (path.name, name)
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (name := getattr(node, "name", "")) and isinstance(name, str)
    }
    assert [pair for pair in sorted(names) if poetic & set(pair[1].lower().split("_"))] == []


def test_no_measurement_is_left_open() -> None:
    """Where a figure belongs, there is one: README and the page of measurements."""
    pages_with_figures = (ROOT / "README.md", DOCS / "reference" / "gate.md")
    left = [page.name for page in pages_with_figures if "<!-- measured:" in page.read_text(encoding="utf-8")]
    assert left == []


def test_the_readme_leads_to_files_that_exist() -> None:
    """Relative links and pictures of README and CONTRIBUTING."""
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        missing = [target for target in targets if not (ROOT / target).exists()]
        assert not missing


def test_the_documentation_stays_short() -> None:
    """README and the pages that people read through have at most 12,000 words, without code, reference and findings."""
    words = 0
    for page in pages():
        if page.name in ("findings.md", "CONTRIBUTING.md") or page.parent.name == "reference":
            continue
        text = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        words += len(text.split())
    assert words <= 12_000
