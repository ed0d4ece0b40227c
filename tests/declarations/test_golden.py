"""Each page of `golden/*.yml` gives these declarations and findings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import structs

from mkdocs_cited.declarations import PageDeclarations, read_page
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place

GOLDEN = Path(__file__).parent / "golden"
PROVIDERS = ("anthropic", "authored", "quote")


def cases() -> list[Any]:
    """Every document of every golden file, under its file's name and its own."""
    return [
        pytest.param(case, id=f"{path.stem}: {case['case']}")
        for path in sorted(GOLDEN.glob("*.yml"))
        for case in yaml.safe_load_all(path.read_text(encoding="utf-8"))
        if case
    ]


@pytest.mark.parametrize("case", cases())
def test_page(case: dict[str, Any]) -> None:
    """A case's page is read as the case says, and nothing else is reported."""
    expected = {key: case[key] for key in ("declarations", "findings") if key in case}
    assert observed(case) == expected


_MORE = re.compile(r"(?<=JSON compliant): inf|(?<=in 1\.\.12), not \d+")
"""What later versions of Python say besides."""


def observed(case: dict[str, Any]) -> dict[str, Any]:
    """What the page of a case says, in the shape of the golden files."""
    read = read_page(
        "faq.md",
        "docs/faq.md",
        case["page"].encode(),
        known_providers=PROVIDERS,
    )
    return {key: value for key, value in _shown(read).items() if value}


def _shown(read: PageDeclarations) -> dict[str, Any]:
    return {
        "declarations": [_declaration(item) for item in read.declarations],
        "findings": [
            f"{_place(f.place)} {f.severity} {f.slug}: {_MORE.sub('', f.message)} → {f.tip}" for f in read.findings
        ],
    }


def _declaration(item: Declaration) -> dict[str, Any]:
    """The fields that differ from their defaults, places as `file:line:column`."""
    shown: dict[str, Any] = {}
    for field in structs.fields(item):
        value = getattr(item, field.name)
        if field.name != "page" and value != field.default:
            shown[field.name] = _plain(value)
    return shown


def _plain(value: Any) -> Any:
    if isinstance(value, Place):
        return _place(value)
    if names := getattr(value, "__match_args__", ()):
        return {name: _plain(getattr(value, name)) for name in names if getattr(value, name)}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return str(value) if isinstance(value, str) else value


def _place(place: Place) -> str:
    return f"{place.file.removeprefix('docs/')}:{place.line}:{place.column}"
