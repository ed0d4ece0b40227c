"""The parts of the documentation that are made from the code: options, commands, findings, the schema for editors.

`python -m tests.docs.generated` rewrites them; `test_generated.py` holds them to it. Everything else in
`example_site/` is written by people.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
import tomllib
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date
from enum import Enum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import yaml
from msgspec import structs

from mkdocs_cited import reporters
from mkdocs_cited.base import bounded_yaml
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.model.finding import CATALOGUE, explanations
from mkdocs_cited.model.options import Anthropic, ExtraSource, FactRule, InventoryRule, Local, Render, Settings, Web
from mkdocs_cited.records import format as record_format
from mkdocs_cited.render.cited_json import CitedJson
from mkdocs_cited.reporters import programs
from mkdocs_cited.settings import UNWRITTEN
from mkdocs_cited.sources.fetching import MOST_FETCHED
from tests.docs.commands import command_objects, commands, shared_options
from tests.docs.rates import rates, worse
from tests.docs.roots import DOCS, ROOT

PART = re.compile(r"(?P<open><!-- generated: (?P<name>[\w-]+) -->\n).*?(?P<close><!-- /generated -->)", re.DOTALL)

EXAMPLE = re.compile(r" Example: `([^`]+)`$")

BLOCKS: dict[type, tuple[str, str]] = {
    FactRule: ("facts", "Entries of `facts`"),
    InventoryRule: ("inventories", "Entries of `inventories`"),
    ExtraSource: ("extra_sources", "Entries of `extra_sources`"),
    Web: ("web", "The block `web`"),
    Suppression: ("suppress", "Entries of `suppress`"),
    Render: ("render", "The block `render`"),
    Local: ("local", "The block `local`"),
    Anthropic: ("anthropic", "The block `anthropic`"),
}
"""Nested options in the order of the docs: anchor and heading of their tables."""

FIRST = ("provider", "exclude", "extra_sources", "severity")
"""The options that most sites set, if they set any."""
TOPICS = {
    "Who writes and who reviews": ("enabled", "provider", "reviewer", "models", "local", "anthropic"),
    "What answers depend on": (
        "include", "exclude", "extra_sources", "web", "web_dir", "cite_threshold",
        "context_budget", "length",
    ),
    "Records": ("update", "approval", "records_dir"),
    "What fails a build": (
        "facts", "inventories", "files", "severity", "suppress", "min_coverage", "reports",
    ),
    "What readers see": ("heading", "footnotes", "prose", "render"),
}  # fmt: skip
"""Heading in the docs → its options; every option has its place here."""

GROUPS = {
    "state": "The answer and its record",
    "citations": "Citations and markup",
    "altered": "Claims that say something else than their passage",
    "verdict": "What the review says",
    "coverage": "What the docs lack",
    "project": "Declarations and options",
}
"""Group of the catalogue → its heading in the docs, in their order."""


def files() -> dict[Path, str]:
    """Every file that holds something generated, with the text that it should have."""
    made = {path: _filled(path.read_text(encoding="utf-8")) for path in _pages()}
    schema = json.dumps(editor_schema(), indent=2, ensure_ascii=False) + "\n"
    return {
        **made,
        ROOT / "mkdocs_cited" / "settings" / "settings.schema.json": schema,
        DOCS / "reference" / "settings.schema.json": schema,
        DOCS / "reference" / "commands.schema.json": f"{json.dumps(command_objects(), indent=2)}\n",
        ROOT / "mkdocs_cited" / "render" / "cited.schema.json": f"{json.dumps(cited_schema(), indent=1)}\n",
        ROOT / "mkdocs_cited" / "reporters" / "report.schema.json": f"{json.dumps(report_schema(), indent=2)}\n",
        ROOT / "example_site" / "facts.json": f"{json.dumps(facts(), indent=2)}\n",
    }


def facts() -> dict[str, Any]:
    """Limits and defaults of the code that the documentation states in prose, where marks cite them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    mkdocs = next(item for item in project["dependencies"] if item.startswith("mkdocs>"))
    return {
        "python": project["requires-python"],
        "mkdocs": re.findall(r">=[\d.]+", mkdocs)[0],
        "cite_threshold": Settings().cite_threshold,
        "context_budget": Settings().context_budget,
        "record": {"characters": record_format.MOST_CHARACTERS},
        "front_matter": {"characters": bounded_yaml.MOST_CHARACTERS},
        "external_page": {"bytes": MOST_FETCHED},
    }


def first_options() -> str:
    """The table of the options that people set."""
    return _table(Settings, FIRST)


def options() -> str:
    """The tables of all options, by what they are for."""
    parts = []
    for heading, names in TOPICS.items():
        parts += [f"## {heading}", _table(Settings, names)]
    for kind, (anchor, heading) in BLOCKS.items():
        parts += [f"## {heading} {{ #{anchor} }}", _table(kind)]
    return "\n\n".join(parts)


def editor_schema() -> dict[str, Any]:
    """A JSON schema of `mkdocs.yml` that knows the block `cited` and lets everything else be."""
    block = msgspec.json.schema(Settings)
    definitions = {name: dict(value) for name, value in block["$defs"].items() if name != "Place"}
    for kind in (Settings, *BLOCKS):
        _describe(definitions[kind.__name__], kind)
    severity = definitions["Settings"]["properties"]["severity"]
    severity["propertyNames"] = {"enum": list(CATALOGUE)}
    severity["additionalProperties"] = {"anyOf": [severity["additionalProperties"], {"const": False}]}  # a bare `off`
    definitions["Suppression"]["properties"]["slug"] = {"enum": list(CATALOGUE), **_doc(Suppression, "slug")}
    definitions["FactRule"]["properties"]["in"] = definitions["FactRule"]["properties"]["code"]
    ours = {"type": "object", "properties": {"cited": {"anyOf": [{"$ref": "#/$defs/Settings"}, {"type": "null"}]}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mkdocs.yml with the options of mkdocs-cited",
        "type": "object",
        "properties": {
            "plugins": {"anyOf": [ours, {"type": "array", "items": {"anyOf": [{"type": "string"}, ours]}}]},
        },
        "$defs": definitions,
    }


def cited_schema() -> dict[str, Any]:
    """The JSON schema of `cited.json`."""
    (reference,), components = msgspec.json.schema_components([CitedJson], ref_template="#/$defs/{name}")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cited.json",
        "description": "The answers of a site built with mkdocs-cited, and the passages that they depend on.",
    }
    return {**head, **reference, "$defs": dict(sorted(components.items()))}


def report_schema() -> dict[str, Any]:
    """The JSON schema of the report in JSON, all of whose fields are written, those with defaults too."""
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(programs.Document)))
    for item in made["$defs"].values():
        if "properties" in item:
            item["required"] = [*item["properties"]]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Report of mkdocs-cited, version {programs.VERSION}",
    }
    return head | made


def findings() -> str:
    """A table of the findings for each group of the catalogue, and below it each with its explanation."""
    explained = explanations()
    parts = []
    for group, heading in GROUPS.items():
        kinds = [kind for kind in CATALOGUE.values() if kind.group == group]
        rows = ["| finding | severity | |", "|---|---|---|"]
        rows += [f"| [{kind.slug}](#{kind.slug}) | {kind.severity} | {kind.summary} |" for kind in kinds]
        parts += [f"## {heading}", "\n".join(rows)]
        for kind in kinds:
            parts += [f"### {kind.slug}", explained[kind.slug]]
    return "\n\n".join(parts)


def formats() -> str:
    """A table of the report formats."""
    rows = [f"| `{name}` | {str(reporters.get(name).__doc__).splitlines()[0]} |" for name in reporters.FAMILY.ours]
    return "\n".join(["| format | |", "|---|---|", *rows])


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "first-options": first_options,
    "shared-options": shared_options,
    "findings": findings,
    "formats": formats,
    "options": options,
    "rates": rates,
}
"""Name in `<!-- generated: NAME -->` → what stands below it."""


def _pages() -> Iterator[Path]:
    """The pages with a generated part, found by its opening comment."""
    return (path for path in sorted(DOCS.rglob("*.md")) if PART.search(path.read_text(encoding="utf-8")))


def _filled(text: str) -> str:
    return PART.sub(lambda match: f"{match['open']}\n{PARTS[match['name']]()}\n\n{match['close']}", text)


def _table(kind: type, names: Collection[str] = ()) -> str:
    """One row an option: its name; its meaning with its type; its default. Three columns are what a phone shows.

    Args:
        names: the options that are shown, in this order; all by default.
    """
    hints = get_type_hints(kind, include_extras=True)
    rows = ["| option | meaning | default |", "|---|---|---|"]
    fields = {item.name: item for item in _fields(kind)}
    for item in (fields[name] for name in names or fields):
        meaning = f"{_docs(kind)[item.name]} *({_type(hints[item.name])})*"
        cells = (f"`{item.name}`", meaning, _default(item))
        rows.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    return "\n".join(rows)


def _type(hint: Any) -> str:
    """A type in the words of people who write YAML."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return f"{_type(arguments[0])}{_bounds(arguments[1])}"
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments if value)
    if origin in (UnionType, typing.Union):
        return _type(next(argument for argument in arguments if argument is not type(None)))
    if origin is tuple:
        inner = arguments[0]
        if get_origin(inner) is Annotated:
            return "list of numbers"
        return f"list of [entries](#{BLOCKS[inner][0]})" if inner in BLOCKS else "list of texts"
    if origin is dict:
        inner = arguments[1]
        return f"mapping to [entries](#{BLOCKS[inner][0]})" if inner in BLOCKS else f"mapping to {_type(inner)}"
    if hint in BLOCKS:
        return f"[block](#{BLOCKS[hint][0]})"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return ", ".join(f"`{member.value}`" for member in hint)
    return {bool: "true or false", str: "text", int: "whole number", float: "number", date: "date"}[hint]


def _bounds(meta: msgspec.Meta) -> str:
    if meta.gt is not None:
        return f" over {meta.gt}"
    if meta.le is not None and meta.le < 1_000_000:
        return f", {meta.ge} to {meta.le}"
    return f", {meta.ge} or more" if meta.ge is not None else ""


def _default(item: structs.FieldInfo) -> str:
    if item.required:
        return "required"
    if not isinstance(item.default, (bool, int, float, str)) or item.default == "":
        return "–"
    value = json.dumps(item.default) if isinstance(item.default, (bool, int, float)) else str(item.default)
    return f"`{value}`"


def _describe(definition: dict[str, Any], kind: type) -> None:
    """Give a definition its meanings, and close it: an unknown key is an error."""
    shown = {item.name for item in _fields(kind)}
    properties = {name: value for name, value in definition["properties"].items() if name in shown}
    definition["properties"] = {name: {**value, **_doc(kind, name)} for name, value in properties.items()}
    definition["additionalProperties"] = False
    if not definition["required"]:
        del definition["required"]


def _doc(kind: type, name: str) -> dict[str, Any]:
    described: dict[str, Any] = {"description": _docs(kind)[name]}
    if name in _examples(kind):
        described["examples"] = [yaml.safe_load(_examples(kind)[name])]
    return described


def _fields(kind: type) -> list[structs.FieldInfo]:
    return [item for item in structs.fields(kind) if item.name not in UNWRITTEN]


@cache
def _docs(kind: type) -> Mapping[str, str]:
    """The meaning of each field: the docstring below it, without its example."""
    return {name: EXAMPLE.sub("", doc) for name, doc in _below(kind).items()}


@cache
def _examples(kind: type) -> Mapping[str, str]:
    """What to write, as YAML, for fields whose default does not show it: the end of their docstring."""
    found = {name: EXAMPLE.search(doc) for name, doc in _below(kind).items()}
    return {name: match[1] for name, match in found.items() if match}


def _below(kind: type) -> Mapping[str, str]:
    """The docstring below each field, on one line."""
    below = re.findall(r'^    (\w+): [^\n]+\n    """(.+?)"""', inspect.getsource(kind), re.MULTILINE | re.DOTALL)
    return {name: " ".join(doc.split()) for name, doc in below}


def main(made: Mapping[Path, str] | None = None, gate: str = "") -> str:
    """Rewrite every generated part, and say which files changed.

    Args:
        made: the files with the text that they should have; all of them without it.
        gate: `worse` where figures of the gate may be written that are worse than those which the page has.

    Returns:
        Why nothing was written; empty if it was.
    """
    changed = {
        path: text
        for path, text in (files() if made is None else made).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in changed.items():
        found = worse(path.read_text(encoding="utf-8"), text) if path.exists() and "generated: rates" in text else ()
        if found and gate != "worse":
            return f"{path.name}: the gate got worse, so nothing was written\n  " + "\n  ".join(
                (*found, "if that is meant: GATE=worse make reference")
            )
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
        print(f"rewrote {path}")
    return ""


if __name__ == "__main__":
    sys.exit(main(gate=os.environ.get("GATE", "")) or None)
