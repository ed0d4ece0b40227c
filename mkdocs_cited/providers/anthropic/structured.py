"""Answers that are data: a JSON or YAML value, a Mermaid diagram, with pointers to the passages that state each piece.

The API's own citations and its structured output exclude each other (400), so the passages go as numbered data and
the model names numbers; what it names is validated here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from mkdocs_cited.answer_text.addresses import acts
from mkdocs_cited.anthropic_client.schemas import acceptable, check, misfit, parsed
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.source import Corpus, Passage, SourceType
from mkdocs_cited.providers.anthropic.markup import Links, plain
from mkdocs_cited.providers.anthropic.search_results import Numbering, Shelf, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TARGETS = (Target.JSON, Target.YAML, Target.MERMAID)
"""What is answered in a form, in one request."""
MOST_DEPTH = 50
_AGAIN = "run `mkdocs-cited update` again, or simplify `schema`"
_DIAGRAM = re.compile(
    r"(?:flowchart|graph|sequenceDiagram|classDiagram|stateDiagram(?:-v2)?|erDiagram|gantt|pie|journey|mindmap|timeline|"
    r"quadrantChart|gitGraph|requirementDiagram|block-beta|sankey-beta|xychart-beta)\b[^\n]{0,200}"
)


_NUMBERS = {"type": "array", "items": {"type": "integer"}}
_POINTERS = {
    "type": "array",
    "description": "For each piece of `value` that states something: its JSON Pointer within `value` (RFC 6901, such "
    "as /rows/0/limit), and the numbers of the passages that state it.",
    "items": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "passages": _NUMBERS},
        "required": ["path", "passages"],
        "additionalProperties": False,
    },
}
_LINES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "passages": _NUMBERS},
        "required": ["text", "passages"],
        "additionalProperties": False,
    },
}


class NotDocumented(Struct, frozen=True):
    """The passages do not answer the question."""

    reason: str
    nearest: tuple[Passage, ...]
    """Where the model would look instead, nearest first."""


class Structured(Struct, frozen=True):
    """A validated answer."""

    content: str
    pointers: tuple[tuple[str, tuple[int, ...]], ...]
    numbering: Numbering


def form(declaration: Declaration) -> dict[str, Any]:
    """The JSON schema of the whole reply.

    Raises:
        ValueError: the declaration's schema cannot be sent.
    """
    if declaration.target is Target.MERMAID:
        properties: dict[str, Any] = {"header": {"type": "string"}, "lines": _LINES}
        definitions: dict[str, Any] = {}
    else:
        value, definitions = _value(declaration)
        properties = {"value": value, "citations": _POINTERS}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"not_documented": {"type": "string"}, "nearest": _NUMBERS, **properties},
        "required": ["not_documented", "nearest", *properties],
        "additionalProperties": False,
    }
    return schema | ({"$defs": definitions} if definitions else {})


def passages(shelf: Shelf) -> str:
    """Every passage on the shelf as data, numbered from 1."""
    data = [
        {
            "n": number,
            "page": shelf.source_of(passage).label,
            "before": passage.lead,
            **({"columns": passage.header} if passage.header else {}),
            "text": " | ".join(passage.cells) if passage.cells else passage.text,
        }
        for number, passage in enumerate(shelf.passages, 1)
    ]
    return f"Passages of the site, as JSON:\n{json.dumps(data, ensure_ascii=False, indent=1)}"


def read(text: str, declaration: Declaration, shelf: Shelf, corpus: Corpus) -> Structured | NotDocumented | Fault:
    """The reply, held against its schema, with every pointer and number checked."""
    try:
        data = parsed(text)
    except ValueError:
        return Fault("the model's answer is not valid JSON", _AGAIN)
    if not isinstance(data, dict):
        return Fault("the model's answer is not a JSON object", _AGAIN)
    if isinstance(reason := data.get("not_documented"), str) and reason.strip():
        return NotDocumented(reason, _nearest(data.get("nearest"), shelf))
    try:
        if declaration.target is Target.MERMAID:
            return _diagram(data, shelf, corpus)
        return _value_read(data, declaration, shelf, corpus)
    except _MisfitError as error:
        return Fault(str(error), _AGAIN)


class _MisfitError(Exception):
    """The reply does not keep to its form."""


def _value(declaration: Declaration) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of the value, and the definitions that it refers to, which must stand at the root."""
    if not declaration.schema:
        return {"type": "string", "description": "The answer: JSON, as text."}, {}
    schema = json.loads(declaration.schema)
    check(schema)
    if not isinstance(schema, dict):
        raise ValueError("it is not an object")
    schema.pop("$schema", None)
    schema.pop("$id", None)
    definitions = schema.pop("$defs", {})
    return acceptable(schema), {name: acceptable(part) for name, part in definitions.items()}


def _value_read(data: dict[str, Any], declaration: Declaration, shelf: Shelf, corpus: Corpus) -> Structured | Fault:
    value, citations = data.get("value"), data.get("citations")
    if not declaration.schema:
        try:
            value = parsed(value) if isinstance(value, str) else value
        except ValueError:
            return Fault("the value that the model wrote is not valid JSON", _AGAIN)
    numbering = Numbering(shelf)
    leaves = list(_leaves(value, "", MOST_DEPTH))
    below = _below(leaves)
    named: dict[str, set[int]] = {}
    for item in _list(citations, "citations"):
        path = item.get("path")
        if not isinstance(path, str) or path not in below:
            raise _MisfitError(f"the model cites `{str(path)[:80]}`, which its answer does not have")
        named.setdefault(path, set()).update(_sids(item.get("passages"), shelf, numbering))
    pointers: dict[str, set[int]] = {}
    for path, sids in named.items():
        for leaf in below[path] if sids else ():
            pointers.setdefault(leaf, set()).update(sids)
    if not pointers:
        raise _MisfitError("the model's answer cites nothing")
    value = _cleaned(value, _links(numbering, corpus))
    if declaration.schema:
        wrong = misfit(value, json.loads(declaration.schema))
        if wrong:
            raise _MisfitError(f"the model's answer breaks its schema at {wrong[:200]}")
    content = _written(value, declaration.target)
    return Structured(
        content, tuple((leaf, tuple(sorted(pointers[leaf]))) for leaf in leaves if leaf in pointers), numbering
    )


def _diagram(data: dict[str, Any], shelf: Shelf, corpus: Corpus) -> Structured:
    """A diagram whose lines name their passages. Lines that act (links, callbacks, settings) are refused."""
    header, numbering = str(data.get("header", "")).strip(), Numbering(shelf)
    if not _DIAGRAM.fullmatch(header):
        raise _MisfitError(f"`{header[:60]}` does not begin a Mermaid diagram")
    lines, pointers = [header], []
    for item in _list(data.get("lines"), "lines"):
        line = item.get("text")
        if not isinstance(line, str) or "\n" in line or acts(line):
            raise _MisfitError("a line of the diagram is not one that may be drawn")
        if sids := _sids(item.get("passages"), shelf, numbering):
            pointers.append((f"/{len(lines)}", sids))
        lines.append(line.rstrip())
    if not pointers:
        raise _MisfitError("the model's diagram cites nothing")
    links = _links(numbering, corpus)
    return Structured("\n".join(plain(line, links) for line in lines), tuple(pointers), numbering)


def _nearest(numbers: Any, shelf: Shelf) -> tuple[Passage, ...]:
    """The passages that an abstention points to; what is no number of one is left out, since nothing rests on it."""
    shown = shelf.passages
    known = (n for n in (numbers if isinstance(numbers, list) else ()) if type(n) is int and 1 <= n <= len(shown))
    return tuple(shown[number - 1] for number in dict.fromkeys(known))


def _list(value: Any, name: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _MisfitError(f"`{name}` is not a list of objects")
    return value


def _sids(numbers: Any, shelf: Shelf, numbering: Numbering) -> tuple[int, ...]:
    """The answer's numbers for passages of the shelf."""
    shown = shelf.passages
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise _MisfitError("the numbers of passages are not numbers")
    for number in numbers:
        if not 1 <= number <= len(shown):
            raise _MisfitError(f"the model cites passage {number} of {len(shown)}")
    return numbering.sids([whole(shown[number - 1]) for number in numbers])


def _below(leaves: Sequence[str]) -> dict[str, list[str]]:
    """Each pointer into a value → the leaves that it leads to; in time of all leaves' depths."""
    below: dict[str, list[str]] = {}
    for leaf in leaves:
        path = leaf
        while path:
            below.setdefault(path, []).append(leaf)
            path = path.rpartition("/")[0]
        below.setdefault("", []).append(leaf)
    return below


def _leaves(value: Any, path: str, depth: int) -> Iterator[str]:
    """The JSON Pointer (RFC 6901) of each string, number, boolean and null."""
    if depth == 0:
        raise _MisfitError(f"the model's answer is nested more than {MOST_DEPTH} deep")
    if isinstance(value, dict):
        for key, item in value.items():
            escaped = str(key).replace("~", "~0").replace("/", "~1")
            yield from _leaves(item, f"{path}/{escaped}", depth - 1)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}/{number}", depth - 1)
    else:
        yield path


def _cleaned(value: Any, links: Links) -> Any:
    """The value with tags and strange addresses taken out of every string, keys included."""
    if isinstance(value, str):
        return plain(value, links)
    if isinstance(value, dict):
        return {plain(str(key), links): _cleaned(item, links) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, links) for item in value]
    return value


def _written(value: Any, target: Target) -> str:
    if target is Target.YAML:
        return yaml.safe_dump(value, allow_unicode=True, sort_keys=False).rstrip()
    return json.dumps(value, ensure_ascii=False, indent=2)


def _links(numbering: Numbering, corpus: Corpus) -> Links:
    cited = [quote.passage for quote in numbering.quotes.values()]
    return Links(corpus.pages, [passage for passage in cited if passage.page.type is not SourceType.NOTE])
