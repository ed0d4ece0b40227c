"""What the documentation tells people to paste is right: each block parses, and every key in it exists."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import jsonschema
import pytest
import yaml

from mkdocs_cited.declarations import read_page
from mkdocs_cited.settings import parse
from tests.docs.pages import Block, blocks
from tests.docs.roots import ROOT

SCHEMA = json.loads((ROOT / "mkdocs_cited" / "settings" / "settings.schema.json").read_text(encoding="utf-8"))
PROVIDERS = ("anthropic", "authored", "quote", "first-sentence")


class Loader(yaml.SafeLoader):
    """YAML with the one tag of MkDocs that the docs use."""


def _last(loader: Loader, node: yaml.SequenceNode) -> Any:
    """`!ENV [NAME, default]` where the variable is not set."""
    return loader.construct_sequence(node)[-1]


Loader.add_constructor("!ENV", _last)


def documents(block: Block) -> list[Any]:
    """What a YAML block holds; the fences of a front matter make empty documents, which are left out."""
    return [item for item in yaml.load_all(block.code, Loader) if item is not None]


def with_key(key: str) -> list[Block]:
    """YAML and Markdown blocks that show this top-level key: of `mkdocs.yml`, or of a front matter."""
    return [block for block in blocks("yaml", "markdown") if re.search(rf"^{key}:", block.code, re.MULTILINE)]


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_yaml_parses(block: Block) -> None:
    """Every YAML block is YAML; one that shows a front matter holds exactly one document."""
    assert len(documents(block)) == 1 or block.code.startswith("#")


@pytest.mark.parametrize("block", with_key("plugins"), ids=str)
def test_options_exist(block: Block) -> None:
    """The options in a `plugins:` block pass the validation of a build, and `search` is not forgotten."""
    config = documents(block)[0]
    jsonschema.Draft202012Validator(SCHEMA).validate(config)
    plugins = config["plugins"]
    assert "search" in plugins
    ours = [item["cited"] for item in plugins if isinstance(item, dict) and "cited" in item]
    assert ours or "cited" in plugins
    for options in ours:
        parse(options, {})


def test_the_example_site_fits_the_schema() -> None:
    """Its own `mkdocs.yml`, to which the schema is tied in the first line."""
    text = (ROOT / "example_site" / "mkdocs.yml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=../mkdocs_cited/settings/settings.schema.json\n")
    [config] = yaml.load_all(text, Loader)
    jsonschema.Draft202012Validator(SCHEMA).validate(config)


@pytest.mark.parametrize("block", with_key("answers"), ids=str)
def test_declarations_are_read_without_a_finding(block: Block) -> None:
    """Front matter that the docs show gives declarations, and no finding; markers beside it are those of its ids."""
    code = block.code if block.code.startswith("---\n") else f"---\n{block.code}---\n"
    page = read_page("page.md", "docs/page.md", code.encode(), known_providers=PROVIDERS)
    assert page.declarations
    assert [str(finding) for finding in page.findings] == []


@pytest.mark.parametrize("block", blocks("json"), ids=str)
def test_json_parses(block: Block) -> None:
    """Every JSON block is JSON."""
    json.loads(block.code)


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_entry_points_have_our_groups(block: Block) -> None:
    """The groups that the docs name for entry points are those that the package reads."""
    from mkdocs_cited import providers, reporters, review

    groups: dict[str, Any] = tomllib.loads(block.code)["project"].get("entry-points", {})
    assert groups.keys() <= {room.FAMILY.group for room in (providers, reporters, review)}
