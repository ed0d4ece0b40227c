"""What is generated into the documentation is what the code says today."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mkdocs_cited.settings import Settings
from tests.docs.generated import FIRST, TOPICS, editor_schema, files
from tests.docs.roots import ROOT

FILES = files()
VALIDATOR = jsonschema.Draft202012Validator(editor_schema())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_generated_parts_are_up_to_date(path: Path) -> None:
    """Whoever changes an option or a command runs `python -m tests.docs.generated`, and commits what it rewrites."""
    assert path.read_text(encoding="utf-8") == FILES[path], "run `python -m tests.docs.generated`"


def test_every_option_has_its_place() -> None:
    """In the tables of the docs, once."""
    placed = [name for names in TOPICS.values() for name in names]
    assert sorted(placed) == sorted(field.name for field in dataclasses.fields(Settings))
    assert set(FIRST) <= set(placed)


def test_every_option_has_a_meaning() -> None:
    """No row of the tables is left without words."""
    definitions = editor_schema()["$defs"].values()
    meanings = [entry.get("description") for item in definitions for entry in item.get("properties", {}).values()]
    assert len(meanings) > 50
    assert all(meanings)


@pytest.mark.parametrize(
    "options",
    [None, {}, {"cite_threshold": 0.5, "severity": {"partial-claim": "error"}, "render": {"style": "[{n}]"}}],
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
        {"anthropic": {"votes": {"off": 3}}},
    ],
    ids=json.dumps,
)
def test_the_schema_refuses_wrong_options(options: Any) -> None:
    """What the build would refuse, the editor marks while it is typed."""
    assert not VALIDATOR.is_valid({"plugins": ["search", {"cited": options}]})
