"""JSON schemas for structured replies: made acceptable to the API on the way out, held to on the way in."""

from __future__ import annotations

from typing import Any


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


def misfit(value: Any, schema: dict[str, Any]) -> str:
    """How a value breaks its schema (draft 2020-12 unless it names another): the first place, or nothing.

    Raises:
        ValueError: the schema itself is not a valid one.
    """
    import jsonschema
    import referencing

    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(error.message) from None
    # A registry of its own: without one, the library would fetch remote references.
    validator = kind(schema, registry=referencing.Registry())
    worst = jsonschema.exceptions.best_match(validator.iter_errors(value))
    return f"{worst.json_path}: {worst.message}" if worst is not None else ""
