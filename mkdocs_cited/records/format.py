"""The text of a record: YAML front matter, then the answer's Markdown. Which file holds it is the store's business."""

from __future__ import annotations

import dataclasses
import datetime
import re
from functools import cache
from typing import Any

import msgspec
import yaml

from mkdocs_cited.base.bounded_yaml import Flow, TooMuchError, compose, dump, value_of, where
from mkdocs_cited.model.answer import Spend
from mkdocs_cited.records.record import Approval, Broken, Record, RecordedCitation, canonical
from mkdocs_cited.records.verdicts import RecordedVerdict

VERSION = 2
"""Of the format. A change that older releases would misread takes the next number and a migration; a record that has
nothing of it keeps the older number, and its bytes."""
_SINCE_2 = ("label", "link", "kind", "note", "beside")
"""Fields of a citation or a verdict that came with version 2, as `fit_by` and `queries` did."""
MOST_CHARACTERS = 2_000_000
"""Longest record that is read."""

_ELSEWHERE = ("key", "content", "file", "body_line")
"""Fields of a record that do not stand in its front matter."""
_INNER: dict[str, type] = {
    "citations": RecordedCitation,
    "verdicts": RecordedVerdict,
    "approval": Approval,
    "spend": Spend,
}
_CONFLICT = re.compile(r"^<{7} .*$", re.MULTILINE)


def encode(record: Record) -> str:
    """The record's text, the same for equal records: keys in a fixed order, defaults left out, one line a value."""
    shown = _shown(record, _ELSEWHERE)
    inner = (*shown.get("citations", ()), *shown.get("verdicts", ()))
    newer = "fit_by" in shown or "queries" in shown or any(name in each for each in inner for name in _SINCE_2)
    front: dict[str, Any] = {"version": 2 if newer else 1, **shown}
    content = canonical(record.content)
    return f"---\n{dump(front)}---\n" + (f"\n{content}\n" if content else "")


def decode(key: str, text: str, file: str = "") -> Record | Broken:
    """The record that a text holds, of whatever version; never raises."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MOST_CHARACTERS:
        return Broken(file, f"has {len(text):,} characters; {MOST_CHARACTERS:,} are read")
    parts = _parts(text)
    if parts is None:
        return Broken(file, "does not start with front matter between two lines `---`")
    front, body, body_line = parts
    try:
        root = compose(front, most_characters=MOST_CHARACTERS)
        if not isinstance(root, yaml.MappingNode):
            return Broken(file, "has front matter that is not a mapping", 2)
        data = _lifted(_plain(value_of(root)))
    except yaml.YAMLError as error:
        conflict = _CONFLICT.search(front)
        if conflict:
            return Broken(file, "holds the marks of an unfinished merge", _line(front, conflict.start()) + 1)
        at, problem = where(front, error)
        return Broken(file, f"is not valid YAML: {problem}", _line(front, at) + 1)
    except (TooMuchError, RecursionError) as error:
        return Broken(file, f"cannot be read: {error}", 2)
    except ValueError as error:
        return Broken(file, str(error), 2)
    unknown = _unknown(data)
    if unknown:
        return Broken(file, f"has the key `{unknown[-1]!s:.80}`, which no record has", _line_of(front, root, unknown))
    try:
        fields = {**data, "key": key, "content": body, "file": file, "body_line": body_line}
        return msgspec.convert(fields, Record)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        steps = tuple(re.findall(r"[^.\[\]`]+", path))
        label = ".".join(steps) or "its front matter"
        return Broken(file, f"cannot be used: `{label}`: {what}", _line_of(front, root, steps))


def _shown(value: Any, left_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a frozen value that differ from their defaults, in order."""
    shown = {}
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        if field.name not in left_out and inner != field.default:
            shown[field.name] = _writable(inner)
    return shown


def _writable(value: Any) -> Any:
    """A value as YAML can hold it; ranges and numbers on one line."""
    if dataclasses.is_dataclass(value):
        return _shown(value)
    if isinstance(value, tuple):
        items = [_writable(item) for item in value]
        return Flow(items) if items and all(isinstance(item, (int, Flow)) for item in items) else items
    return str(value) if isinstance(value, str) else value


def _parts(text: str) -> tuple[str, str, int] | None:
    """Front matter, body, and the line on which the body starts."""
    if not text.startswith("---\n"):
        return None
    end = text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end, text = len(text) - 4, f"{text}\n"
    if end < 0:
        return None
    body = text[end + 5 :]
    start = end + 5 + len(body) - len(body.lstrip("\n"))
    return text[4 : end + 1], body.strip("\n"), _line(text, start)


def _plain(value: Any) -> Any:
    """Dates that lost their quotes by hand, as text again."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def _lifted(front: dict[str, Any]) -> dict[str, Any]:
    """The front matter of any version as that of the present one, without its `version`.

    Raises:
        ValueError: its version is later, or no whole number.
    """
    version = front.pop("version", 0)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise ValueError(f"has the version `{version!s:.40}`, which is not a whole number")
    if version > VERSION:
        raise ValueError(f"has version {version}; this release of mkdocs-cited reads up to {VERSION}")
    if version == 0:  # begun by hand: a question and a text, and nothing vouches for it yet
        return {key: value for key, value in front.items() if key in ("question", "provider", "citations")}
    return front  # version 1 lacks nothing that has no default


def _unknown(data: dict[str, Any]) -> tuple[Any, ...]:
    """Path of the first key that a record does not have: it would be lost on the next write."""
    for key, value in data.items():
        if key not in _names(Record) or key in _ELSEWHERE:
            return (key,)
        if key in _INNER:
            for position, item in enumerate(value if isinstance(value, list) else [value]):
                for name in item if isinstance(item, dict) else ():
                    if name not in _names(_INNER[key]):
                        return (key, str(position), name) if isinstance(value, list) else (key, name)
    return ()


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def _line_of(front: str, root: yaml.Node, path: tuple[Any, ...]) -> int:
    """Line of the file on which the value at a path stands, or the last of its parents that is there."""
    node = at = root
    for step in path:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == step), None)
            if found is None:
                break
            at, node = found
        elif isinstance(node, yaml.SequenceNode) and str(step).isdigit() and int(step) < len(node.value):
            at = node = node.value[int(step)]
    return _line(front, at.start_mark.index) + 1


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
