"""JSON schemas for structured replies: made acceptable to the API on the way out, held to on the way in."""

from __future__ import annotations

import json
from typing import Any

MOST_CHARACTERS = 200_000
"""Of a structured reply: as many as of any other answer."""


def parsed(text: str) -> Any:
    """The value of a JSON text that a model wrote.

    Raises:
        ValueError: it is no JSON (RFC 8259 has no `NaN`), too long, too deep, or holds what UTF-8 cannot.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(text):,} characters; {MOST_CHARACTERS:,} are read")
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # halves of characters, numbers past all bounds
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def acceptable(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema in the subset that `output_config.format` takes; what it lacks becomes part of a description.

    Without the SDK it stays as it is: nothing can be sent then anyway.

    Raises:
        ValueError: the schema has a part without a type, which the API does not take.
    """
    try:
        import anthropic
    except ImportError:
        return schema
    return anthropic.transform_schema(schema)


def check(schema: Any) -> None:
    """Hold a schema itself against its draft (2020-12 unless it names another).

    Raises:
        ValueError: it is not a valid one.
    """
    try:
        import jsonschema
    except ImportError:
        return
    try:
        jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator).check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(error.message) from None


def misfit(value: Any, schema: dict[str, Any]) -> str:
    """How a value breaks its schema: the place that tells most, or nothing."""
    import jsonschema
    import referencing

    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    # A registry of its own: without one, the library would fetch remote references.
    validator = kind(schema, registry=referencing.Registry())
    worst = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return f"{worst.json_path}: {worst.message}" if worst is not None else ""
