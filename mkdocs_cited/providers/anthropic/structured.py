"""Answers that are data: a JSON or YAML value with pointers to the passages that state each piece.

The API's own citations and its structured output exclude each other (400), so the passages go as numbered data and
the model names numbers; what it names is validated here.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec
import yaml
from msgspec import Struct

from mkdocs_cited.answer_text.citing import Quote, Registry
from mkdocs_cited.anthropic_client.reply import acceptable, parsed
from mkdocs_cited.base.values import prepared
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.source import Passage
from mkdocs_cited.providers.anthropic.placing import addresses_of, plain
from mkdocs_cited.providers.anthropic.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TARGETS = (Target.JSON, Target.YAML)
"""What is answered in a form, in one request."""
MOST_DEPTH = 50
_AGAIN = "run `mkdocs-cited update` again, or simplify `schema`"

Pointers = tuple[tuple[str, tuple[int, ...]], ...]
"""JSON Pointer into the value → numbers of what states it."""

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


class NotDocumented(Struct, frozen=True):
    """The passages do not answer the question."""

    reason: str
    nearest: tuple[Passage, ...]
    """Where the model would look instead, nearest first."""


class Structured(Struct, frozen=True):
    """A validated answer."""

    content: str
    pointers: Pointers
    registry: Registry


def form(declaration: Declaration) -> dict[str, Any]:
    """The JSON schema of the whole reply.

    Raises:
        ValueError: the declaration's schema cannot be sent.
    """
    value, definitions = _value(declaration)
    data = {"value": value, "citations": _POINTERS}
    properties = {"not_documented": {"type": "string"}, "nearest": _NUMBERS, **data}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    if definitions:
        schema["$defs"] = definitions
    return schema


def passages(shelf: Shelf) -> str:
    """Every passage on the shelf as data, numbered from 1."""
    data = []
    for number, passage in enumerate(shelf.passages, 1):
        item: dict[str, Any] = {"n": number, "page": shelf.source_of(passage).label}
        item["before"] = passage.lead
        if passage.header:
            item["columns"] = passage.header
        item["text"] = " | ".join(passage.cells) or passage.text
        data.append(item)
    return f"Passages of the site, as JSON:\n{json.dumps(data, ensure_ascii=False)}"


@prepared
class _Declined(Struct):
    not_documented: str = ""
    nearest: Any = None


class _Pointer(Struct):
    path: str
    passages: list[int]


@prepared
class _Data(Struct):
    value: Any
    citations: list[_Pointer]


def read(
    text: str, declaration: Declaration, shelf: Shelf
) -> Structured | NotDocumented | Fault:
    """The reply, held against its schema, with every pointer and number checked."""
    try:
        data = parsed(text)
        declined = msgspec.convert(data, _Declined)
        if declined.not_documented.strip():
            return NotDocumented(
                declined.not_documented, _nearest(declined.nearest, shelf)
            )
        return _value_read(msgspec.convert(data, _Data), declaration, shelf)
    except (ValueError, msgspec.ValidationError) as error:
        return Fault(f"the model's answer cannot be used: {str(error)[:300]}", _AGAIN)


def _value(declaration: Declaration) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of the value, and the definitions that it refers to, which must be at the root."""
    if not declaration.schema:
        return {"type": "string", "description": "The answer: JSON, as text."}, {}
    schema = json.loads(declaration.schema)
    if not isinstance(schema, dict):
        raise ValueError("it is not an object")
    _misfit(None, schema)  # holds the schema itself to its draft
    schema.pop("$schema", None)
    schema.pop("$id", None)
    definitions = schema.pop("$defs", {})
    return acceptable(schema), {
        name: acceptable(part) for name, part in definitions.items()
    }


def _value_read(data: _Data, declaration: Declaration, shelf: Shelf) -> Structured:
    """The value with its pointers.

    Raises:
        ValueError: it cites what it does not have, or nothing, or it breaks its schema.
    """
    value = data.value
    if not declaration.schema and isinstance(value, str):
        value = parsed(value)
    registry = Registry()
    cited: dict[str, set[int]] = defaultdict(set)
    for pointer in data.citations:
        cited[pointer.path].update(_sids(pointer.passages, shelf, registry))
    pointers = _pointers(value, cited)
    named = addresses_of(quote.passage for quote in registry.quotes.values())
    value = _cleaned(value, named)
    if declaration.schema:
        wrong = _misfit(value, json.loads(declaration.schema))
        if wrong:
            raise ValueError(f"it breaks its schema at {wrong[:200]}")
    return Structured(_written(value, declaration.target), pointers, registry)


def _pointers(value: Any, cited: Mapping[str, set[int]]) -> Pointers:
    """The numbers for each leaf of a value: its own, and those of all that it lies in.

    Raises:
        ValueError: a path leads nowhere, or nothing is cited.
    """
    pointers = []
    known = set()
    for leaf in _leaves(value, "", MOST_DEPTH):
        sids: set[int] = set()
        for path in _with_those_above(leaf):
            known.add(path)
            sids.update(cited.get(path, ()))
        if sids:
            pointers.append((leaf, tuple(sorted(sids))))
    for path in cited:
        if path not in known:
            raise ValueError(f"it cites `{path[:80]}`, which it does not have")
    if not pointers:
        raise ValueError("it cites nothing")
    return tuple(pointers)


def _with_those_above(path: str) -> Iterator[str]:
    """A JSON Pointer, and those of all that it is in."""
    while path:
        yield path
        path = path.rpartition("/")[0]
    yield ""


def _nearest(numbers: Any, shelf: Shelf) -> tuple[Passage, ...]:
    """The passages that an abstention points to; what is no number of one is left out, since nothing depends on it."""
    if not isinstance(numbers, list):
        return ()
    shown = shelf.passages
    found = {}
    for number in numbers:
        if type(number) is int and 0 < number <= len(shown):
            found[number] = shown[number - 1]
    return tuple(found.values())


def _sids(numbers: Sequence[int], shelf: Shelf, registry: Registry) -> tuple[int, ...]:
    """The answer's numbers for passages of the shelf."""
    shown = shelf.passages
    quotes = []
    for number in numbers:
        if not 0 < number <= len(shown):
            raise ValueError(f"it cites passage {number} of {len(shown)}")
        quotes.append(Quote.whole(shown[number - 1]))
    return shelf.sids(quotes, registry)


def _leaves(value: Any, path: str, depth: int) -> Iterator[str]:
    """The JSON Pointer (RFC 6901) of each string, number, boolean and null."""
    if depth == 0:
        raise ValueError(f"it is nested more than {MOST_DEPTH} deep")
    if isinstance(value, dict):
        for key, item in value.items():
            escaped = str(key).replace("~", "~0").replace("/", "~1")
            yield from _leaves(item, f"{path}/{escaped}", depth - 1)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}/{number}", depth - 1)
    else:
        yield path


def _cleaned(value: Any, named: frozenset[str]) -> Any:
    """The value with tags and strange addresses taken out of every string, keys included."""
    if isinstance(value, str):
        return plain(value, named)
    if isinstance(value, dict):
        return {
            plain(str(key), named): _cleaned(item, named) for key, item in value.items()
        }
    if isinstance(value, list):
        return [_cleaned(item, named) for item in value]
    return value


def _written(value: Any, target: Target) -> str:
    if target is Target.YAML:
        return yaml.safe_dump(value, allow_unicode=True, sort_keys=False).rstrip()
    return json.dumps(value, ensure_ascii=False, indent=2)


def _misfit(value: Any, schema: dict[str, Any]) -> str:
    """How a value breaks its schema: the place that tells most, or nothing.

    Raises:
        ValueError: the schema itself is not one of its draft (2020-12 unless it names another).
    """
    try:
        import jsonschema
        import referencing
    except ImportError:  # nothing can be sent then
        return ""
    kind = jsonschema.validators.validator_for(
        schema, default=jsonschema.Draft202012Validator
    )
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(error.message) from None
    # A registry of its own: without one, the library would fetch remote references.
    validator = kind(schema, registry=referencing.Registry())
    worst = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if worst is not None:
        return f"{worst.json_path}: {worst.message}"
    return ""
