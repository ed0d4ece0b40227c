"""The text of a record: YAML front matter, then the answer's Markdown; and the path of its file, `faq.md#limits` ↔
`faq/limits.md`, which is total, reversible and safe on every system."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

import msgspec
import yaml
from msgspec import Struct, structs

from mkdocs_cited.base.bounded_yaml import (
    Flow,
    TooMuchError,
    compose,
    dump,
    value_of,
    where,
)
from mkdocs_cited.model.answer import PERSON
from mkdocs_cited.model.finding import Place
from mkdocs_cited.records.record import Broken, Record, canonical, edited, split_id

VERSION = 3
"""Of the format. Version 1 and 2 are of releases 0.1 and 0.2: they are read, and written as version 3."""
MOST_CHARACTERS = 2_000_000
"""Longest record that is read."""
UNFINISHED_MERGE = "has the markers of an unfinished merge"

_OUTSIDE = ("key", "content", "place")
"""Fields of a record that are not in its front matter."""
_UNKNOWN = "Object contains unknown field `{}`"
"""What msgspec says of a key that there is not."""
_MATTER = re.compile(r"---\n(.*?)(?<=\n)---(?:\n+|\Z)", re.DOTALL)
_CONFLICT = re.compile(r"^<{7} .*$", re.MULTILINE)
_BOTH_SIDES = re.compile(r"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)


PROPOSAL = ".new.md"
"""How the file of a proposal ends."""

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_NAMED_WHOLE = (*_MARKDOWN, ".yml", ".yaml")
"""Files whose folder bears their whole name: any but `….md`, files of questions among them."""
# What Windows or a shell gives a meaning, a leading dot (hidden, or `..`), a trailing dot or space, half characters.
_UNSAFE = re.compile('[\x00-\x1f\x7f%/\\\\:*?"<>|\ud800-\udfff]|^\\.|[. ]$')
_ESCAPE = re.compile(r"%(?:u([0-9A-F]{4})|([0-9A-F]{2}))")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def encode(record: Record) -> str:
    """The record's text, the same for equal records: keys in a fixed order, defaults left out, one line a value."""
    front: dict[str, Any] = {"version": VERSION, **_shown(record, _OUTSIDE)}
    content = canonical(record.content)
    return f"---\n{dump(front)}---\n" + (f"\n{content}\n" if content else "")


def decode(key: str, text: str, file: str = "") -> Record | Broken:
    """The record that a text holds, of whatever version; never raises."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MOST_CHARACTERS:
        return Broken(
            file, f"has {len(text):,} characters; {MOST_CHARACTERS:,} are read"
        )
    matter = _MATTER.match(text)
    if matter is None:
        return Broken(file, "does not start with front matter between two lines `---`")
    front, body = matter[1], text[matter.end() :].strip("\n")
    try:
        # a key that is there twice is what a merge of both sides leaves
        root = compose(front, most_characters=MOST_CHARACTERS, unique_keys=True)
        if not isinstance(root, yaml.MappingNode):
            return Broken(file, "has front matter that is not a mapping", 2)
        # dates may have lost their quotes by hand
        data = _lifted(msgspec.to_builtins(value_of(root)))
    except yaml.YAMLError as error:
        conflict = _CONFLICT.search(front)
        if conflict:
            return Broken(file, UNFINISHED_MERGE, _line(front, conflict.start()) + 1)
        at, problem = where(front, error)
        return Broken(file, f"is not valid YAML: {problem}", _line(front, at) + 1)
    except (TooMuchError, RecursionError) as error:
        return Broken(file, f"cannot be read: {error}", 2)
    except ValueError as error:
        return Broken(file, str(error), 2)
    try:
        place = Place(file, _line(text, matter.end()) + (not matter[0].endswith("\n")))
        known = {"key": key, "content": body, "place": place}
        taken = known.keys() & data.keys()
        if taken:
            raise msgspec.ValidationError(_UNKNOWN.format(min(taken)))
        record = msgspec.convert(data | known, Record)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        steps = tuple(re.findall(r"[^.\[\]`]+", path))
        unknown = re.fullmatch(_UNKNOWN.format("(.*)"), what, re.DOTALL)
        if unknown:  # it would be lost on the next write
            at = _line_of(front, root, (*steps, unknown[1]))
            return Broken(
                file, f"has the key `{unknown[1]:.80}`, which no record has", at
            )
        label = ".".join(steps) or "its front matter"
        return Broken(
            file, f"cannot be used: `{label}`: {what}", _line_of(front, root, steps)
        )
    conflict = _BOTH_SIDES.search(body)
    if conflict and edited(record):  # what a program wrote may show such a mark in code
        return Broken(
            file, UNFINISHED_MERGE, place.line + _line(body, conflict.start()) - 1
        )
    return record


def _shown(value: Any, left_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a frozen value that differ from their defaults, in order."""
    shown = {}
    for field in structs.fields(value):
        inner = getattr(value, field.name)
        if field.name not in left_out and inner != field.default:
            shown[field.encode_name] = _writable(inner)
    return shown


def _writable(value: Any) -> Any:
    """A value as YAML can hold it; ranges and numbers on one line."""
    if isinstance(value, Struct):
        return _shown(value)
    if isinstance(value, tuple):
        items = [_writable(item) for item in value]
        if items and all(isinstance(item, (int, Flow)) for item in items):
            return Flow(items)
        return items
    if isinstance(value, str):
        return str(value)
    return value


def _lifted(front: dict[str, Any]) -> dict[str, Any]:
    """The front matter of any version as that of the present one, without its `version`.

    Raises:
        ValueError: its version is later, or no whole number.
    """
    version = front.pop("version", 0)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise ValueError(
            f"has the version `{version!s:.40}`, which is not a whole number"
        )
    if version > VERSION:
        raise ValueError(
            f"has version {version}; this release of mkdocs-cited reads up to {VERSION}"
        )
    # begun by hand: a question and a text, and nothing vouches for it yet
    if version == 0:
        return {
            key: value
            for key, value in front.items()
            if key in ("question", "provider", "citations")
        }
    kept = {key: value for key, value in front.items() if key not in _GONE}
    if version == VERSION:
        return kept
    return _of_02(front, kept)


_GONE = ("reviewed", "reviewer", "encoder", "consulted", "verdicts", "nearest")
"""What records had, and a build computes or nobody reads."""
_CITATION = ("sid", "quote", "via", "type")


def _of_02(front: dict[str, Any], lifted: dict[str, Any]) -> dict[str, Any]:
    """The front matter of a record of 0.2 as that of the present version: what is kept of it, and what it becomes."""
    if "citations" in front:
        lifted["citations"] = [
            _citation_of_02(item) for item in _mappings(front["citations"])
        ]
    if "verdicts" in front:
        lifted["claims"] = [
            _decision_of_02(item) for item in _mappings(front["verdicts"])
        ]
    return lifted


def _mappings(items: Any) -> list[dict[str, Any]]:
    if not isinstance(items, list):
        return []
    return [item for item in items if isinstance(item, dict)]


def _citation_of_02(item: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in item.items() if key in _CITATION}
    return {**kept, "at": split_id(str(item.get("passage", "")))}


def _decision_of_02(item: dict[str, Any]) -> dict[str, Any]:
    reviewer = str(item.get("reviewer", ""))
    who, _, name = reviewer.partition(":")
    decision: dict[str, Any] = {
        key: item[key]
        for key in ("claim", "verdict", "reason", "suggested")
        if key in item
    }
    if who == PERSON:
        return {
            **decision,
            "by": name,
            "date": str(item.get("date", "")),
            "seen": str(item.get("beside", "")),
        }
    return {**decision, "reviewer": reviewer}


def _line_of(front: str, root: yaml.Node, path: tuple[Any, ...]) -> int:
    """Line of the file of the value at a path, or the last of its parents that is there."""
    node = at = root
    for step in path:
        if isinstance(node, yaml.MappingNode):
            found = next(
                ((key, value) for key, value in node.value if key.value == step), None
            )
            if found is None:
                break
            at, node = found
        elif (
            isinstance(node, yaml.SequenceNode)
            and str(step).isdigit()
            and int(step) < len(node.value)
        ):
            at = node = node.value[int(step)]
    return _line(front, at.start_mark.index) + 1


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def path_of(key: str, *, proposal: bool = False) -> str:
    """Path of a record below the records' folder, with `/`. No key leads out of it."""
    page, _, name = key.rpartition("#")
    stem = page.removesuffix(".md")
    folder = stem
    if stem.endswith(_NAMED_WHOLE):
        folder = page
    segments = [_safe(segment) for segment in folder.split("/")]
    file = _safe(name).replace(".", "%2E")  # so that no record is another's proposal
    return "/".join((*segments, file + (PROPOSAL if proposal else ".md")))


def key_of(path: str) -> str:
    """The key of the record or proposal at a path below the records' folder; empty for a file that is neither."""
    parts = PurePosixPath(path).parts
    if (
        len(parts) < 2
        or not path.endswith(".md")
        or any(part.startswith(".") for part in parts)
    ):
        return ""
    folder = "/".join(map(_unescaped, parts[:-1]))
    name = (
        parts[-1].removesuffix(PROPOSAL)
        if path.endswith(PROPOSAL)
        else parts[-1].removesuffix(".md")
    )
    page = folder if folder.endswith(_NAMED_WHOLE) else f"{folder}.md"
    key = f"{page}#{_unescaped(name)}"
    if path_of(key, proposal=path.endswith(PROPOSAL)) == path:
        return key
    return ""


def _safe(segment: str) -> str:
    """A part of a path with everything escaped that could mean more than itself."""
    if not segment:
        return "%"
    safe = _UNSAFE.sub(lambda match: _escape(match[0]), segment)
    if _RESERVED.fullmatch(safe):
        return _escape(safe[0]) + safe[1:]
    return safe


def _escape(char: str) -> str:
    if ord(char) < 256:
        return f"%{ord(char):02X}"
    return f"%u{ord(char):04X}"


def _unescaped(segment: str) -> str:
    if segment == "%":
        return ""
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), segment)
