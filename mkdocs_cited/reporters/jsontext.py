"""Values written as JSON text: indented, in the order of their fields, and always valid UTF-8."""

from __future__ import annotations

from typing import Any

import msgspec

from mkdocs_cited.reporters.safety import encodable


def dumps(value: Any) -> str:
    """The JSON text of a value, indented by two, with a line feed at its end."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate somewhere: rare, so that the usual case pays nothing for it
        data = msgspec.json.encode(_encodable(msgspec.to_builtins(value)))
    return msgspec.json.format(data, indent=2).decode("utf-8") + "\n"


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encodable(item) for item in value]
    return value
