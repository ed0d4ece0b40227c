"""What is generated into the documentation is what the code says today."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec import structs

from mkdocs_cited.model.options import Settings
from mkdocs_cited.settings import UNWRITTEN
from tests.docs.generated import FIRST, TOPICS, editor_schema, files, main
from tests.docs.roots import ROOT

VALIDATOR = jsonschema.Draft202012Validator(editor_schema())


def test_generated_parts_are_up_to_date() -> None:
    """Whoever changes an option or a command runs `python -m tests.docs.generated`, and commits what it rewrites."""
    old = [path.relative_to(ROOT) for path, text in files().items() if path.read_text(encoding="utf-8") != text]
    assert old == [], "run `python -m tests.docs.generated`"


def test_every_option_has_its_place() -> None:
    """In the tables of the docs, once."""
    placed = [name for names in TOPICS.values() for name in names]
    assert sorted(placed) == sorted(field.name for field in structs.fields(Settings) if field.name not in UNWRITTEN)
    assert set(FIRST) <= set(placed)


def test_every_option_has_a_meaning() -> None:
    """No row of the tables is left without words."""
    definitions = editor_schema()["$defs"].values()
    meanings = [entry.get("description") for item in definitions for entry in item.get("properties", {}).values()]
    assert len(meanings) > 50
    assert all(meanings)


@pytest.mark.parametrize(
    "options",
    [None, {}, {"cite_threshold": 0.5, "severity": {"partial-claim": "error"}, "render": {"checks": "claims"}}],
)
def test_the_schema_takes_right_options(options: Any) -> None:
    """Beside other plugins, as a list or as a mapping."""
    jsonschema.Draft202012Validator.check_schema(editor_schema())
    VALIDATOR.validate({"site_name": "Docs", "plugins": ["search", {"tags": {}}, {"cited": options}]})
    VALIDATOR.validate({"plugins": {"search": {}, "cited": options}})


@pytest.mark.parametrize(
    "options",
    [
        {"cite_treshold": 0.5},
        {"cite_threshold": 2},
        {"severity": {"partial-clam": "error"}},
        {"render": {"panel": True}},
        {"suppress": [{"slug": "partial-claim"}]},
        {"anthropic": {"votes": 3}},
    ],
    ids=json.dumps,
)
def test_the_schema_refuses_wrong_options(options: Any) -> None:
    """What the build would refuse, the editor marks while it is typed."""
    assert not VALIDATOR.is_valid({"plugins": ["search", {"cited": options}]})


def _page(right: str, wrong: str) -> str:
    return f"<!-- generated: rates -->\n| right claims | {right} |\n| wrong claims | {wrong} |\n<!-- /generated -->\n"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("1 | 98 | 1", "0 | 66 | 34"),
        ("2 | 95 | 3", "0 | 66 | 34"),
        ("2 | 97 | 1", "1 | 65 | 34"),
        ("2 | 97 | 1", "0 | 67 | 33"),
    ],
    ids=["fewer right ones pass", "more right ones fail", "wrong ones pass", "fewer wrong ones fail"],
)
def test_worse_figures_of_the_gate_are_written_on_purpose_only(tmp_path: Path, right: str, wrong: str) -> None:
    """Whoever makes the reviewer worse has to say so."""
    page, other = tmp_path / "gate.md", tmp_path / "options.md"
    before, after = _page("2 | 97 | 1", "0 | 66 | 34"), _page(right, wrong)
    page.write_text(before, encoding="utf-8")
    assert "GATE=worse make reference" in main({other: "new", page: after})
    assert page.read_text(encoding="utf-8") == before
    assert not other.exists()
    assert main({other: "new", page: after}, gate="worse") == ""
    assert page.read_text(encoding="utf-8") == after


def test_better_figures_of_the_gate_are_written(tmp_path: Path) -> None:
    """Nothing holds up a reviewer that got better."""
    page = tmp_path / "gate.md"
    page.write_text(_page("2 | 97 | 1", "0 | 66 | 34"), encoding="utf-8")
    assert main({page: _page("5 | 95 | 0", "0 | 60 | 40")}) == ""
    assert "5 | 95 | 0" in page.read_text(encoding="utf-8")
