"""The text of a record: YAML front matter, then the answer's Markdown; and the path of its file, `faq.md#limits` ↔
`faq/limits.md`, which is total, reversible and safe on every system."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import yaml
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import (
    TooMuchError,
    compose,
    dump,
    value_of,
    where,
)
from mkdocs_cited.base.errors import in_words
from mkdocs_cited.base.text import with_plain_ends
from mkdocs_cited.model.answer import PERSON, Decision, Verdict
from mkdocs_cited.model.declaration import MARKDOWN
from mkdocs_cited.model.finding import Place, Step, walked
from mkdocs_cited.model.source import SourceType, Via
from mkdocs_cited.records.record import (
    Broken,
    Record,
    RecordedCitation,
    canonical,
    edited,
    split_id,
)

VERSION = 3
"""Of the format. Version 1 and 2 are of releases 0.1 and 0.2: they are read, and written as version 3."""
MOST_CHARACTERS = 2_000_000
"""Longest record that is read."""

_OUTSIDE = ("key", "content", "place")
"""Fields of a record that are not in its front matter."""
_UNKNOWN = "Object contains unknown field `{}`"
"""What msgspec says of a key that there is not."""
_MATTER = re.compile(r"---\n(.*?)(?<=\n)---(?:\n+|\Z)", re.DOTALL)
_MAPPING = "tag:yaml.org,2002:map"
"""Of a mapping that is no `!!set`."""
_BOTH_SIDES = re.compile(r"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)
PROPOSAL = ".new.md"
"""How the file of a proposal ends."""
_NAMED_WHOLE = (*MARKDOWN, ".html", ".htm", ".ipynb", ".yml", ".yaml")
"""Files whose folder bears their whole name: any but `….md`, files of questions among them."""
# What Windows or a shell gives a meaning, a leading dot (hidden, or `..`), a trailing dot or space, half characters.
_UNSAFE = re.compile('[\x00-\x1f\x7f%/\\\\:*?"<>|\ud800-\udfff]|^\\.|[. ]$')
_ESCAPE = re.compile(r"%(?:u([0-9A-F]{4})|([0-9A-F]{2}))")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def encode(record: Record) -> str:
    """The record's text, the same for equal records: keys in a fixed order, defaults left out, one line a value."""
    content = canonical(record.content)
    fields = msgspec.to_builtins(record)
    for name in _OUTSIDE:
        fields.pop(name, None)
    spend = {what: count for what, count in fields.pop("spend", {}).items() if count}
    if spend:
        fields["spend"] = spend
    front = dump({"version": VERSION, **fields})
    if content:
        return f"---\n{front}---\n\n{content}\n"
    return f"---\n{front}---\n"


def decode(key: str, text: str, file: str = "") -> Record | Broken:
    """The record that a text holds, of whatever version; never raises."""
    try:
        return _decoded(key, text, file)
    except _UnreadableError as fault:
        return Broken(file, fault.reason, fault.line)


class _UnreadableError(Exception):
    """Why a text is no record, and on which line."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def _decoded(key: str, text: str, file: str) -> Record:
    text = with_plain_ends(text.removeprefix("\ufeff"))
    if len(text) > MOST_CHARACTERS:
        raise _UnreadableError(
            f"has {len(text):,} characters; {MOST_CHARACTERS:,} are read"
        )
    matter = _MATTER.match(text)
    if matter is None:
        raise _UnreadableError(
            "does not start with front matter between two lines `---`"
        )
    root = _parsed(matter[1])
    start = _line(text, matter.end())
    if not matter[0].endswith("\n"):
        start += 1
    body = text[matter.end() :].strip("\n")
    outside = {"key": key, "content": body, "place": Place(file, start)}
    try:
        # dates may have lost their quotes by hand
        data = _lifted(msgspec.to_builtins(value_of(root)))
        misplaced = sorted(outside.keys() & data.keys())
        if misplaced:
            raise msgspec.ValidationError(_UNKNOWN.format(misplaced[0]))
        record = msgspec.convert(data | outside, Record)
    except msgspec.ValidationError as error:
        raise _misfit(str(error), root) from None
    except ValueError as error:
        raise _UnreadableError(str(error), 2) from None
    conflict = _BOTH_SIDES.search(body)
    if conflict and edited(record):  # what a program wrote may show such a mark in code
        line = start + _line(body, conflict.start()) - 1
        raise _UnreadableError("has the markers of an unfinished merge", line)
    return record


def _parsed(front: str) -> yaml.MappingNode:
    """The front matter as YAML."""
    try:
        # a key that is there twice is what a merge of both sides leaves
        root = compose(front, most_characters=MOST_CHARACTERS, unique_keys=True)
        if not isinstance(root, yaml.MappingNode) or root.tag != _MAPPING:
            raise _UnreadableError("has front matter that is not a mapping", 2)
    except yaml.YAMLError as error:
        at, problem = where(front, error)
        raise _UnreadableError(
            f"is not valid YAML: {problem}", _line(front, at) + 1
        ) from None
    except (TooMuchError, RecursionError) as error:
        raise _UnreadableError(f"cannot be read: {error}", 2) from None
    return root


def _misfit(problem: str, root: yaml.MappingNode) -> _UnreadableError:
    """What msgspec says of front matter that is no record's, with the line of the value."""
    what, _, path = problem.partition(" - at `$")
    steps: list[Step] = []
    for step in re.findall(r"[^.\[\]`]+", path):
        steps.append(int(step) if step.isdigit() else step)
    named = ".".join(map(str, steps)) or "its front matter"
    reason = f"cannot be used: `{named}`: {in_words(what)}"
    unknown = re.fullmatch(_UNKNOWN.format("(.*)"), what, re.DOTALL)
    if unknown:  # it would be lost on the next write
        steps.append(unknown[1])
        reason = f"has the key `{unknown[1]:.80}`, which no record has"
    node = walked(root, steps) or root
    # a line of the front matter, which begins on the second one
    return _UnreadableError(reason, int(node.start_mark.line) + 2)


def _lifted(front: dict[str, Any]) -> dict[str, Any]:
    """The front matter of any version as that of the present one, without its `version`.

    Raises:
        ValueError: its version is later, or no whole number, or it is no record of its version.
    """
    version = front.pop("version", VERSION)  # one that a person begins has none
    if type(version) is not int or version < 0:
        raise ValueError(
            f"has the version `{version!s:.40}`, which is not a whole number"
        )
    if version > VERSION:
        raise ValueError(
            f"has version {version}, and this release reads up to {VERSION}: upgrade mkdocs-cited"
        )
    lifted = {key: value for key, value in front.items() if key not in _GONE}
    if version < VERSION:
        old = msgspec.convert(front, _Front02)
        lifted["citations"] = [citation.lifted() for citation in old.citations]
        lifted["claims"] = [verdict.lifted() for verdict in old.verdicts]
    return lifted


_GONE = (
    "reviewed",
    "reviewer",
    "encoder",
    "consulted",
    "verdicts",
    "nearest",
    "rejected",
)
"""What records had, and a build computes or nobody reads."""


class _Citation02(Struct):
    """A citation of a record of 0.2: by the passage's id."""

    sid: int
    passage: str = ""
    quote: str = ""
    via: Via = Via.RETRIEVAL
    type: SourceType = SourceType.PAGE

    def lifted(self) -> RecordedCitation:
        at = split_id(self.passage)
        return RecordedCitation(self.sid, at, self.quote, self.via, self.type)


class _Verdict02(Struct):
    """A verdict of a record of 0.2: with hashes in place of evidence."""

    claim: str
    verdict: Verdict
    reason: str = ""
    suggested: str = ""
    reviewer: str = ""
    date: str = ""
    beside: str = ""

    def lifted(self) -> Decision:
        decision = Decision(
            claim=self.claim,
            verdict=self.verdict,
            reason=self.reason,
            suggested=self.suggested,
        )
        who, _, name = self.reviewer.partition(":")
        if who == PERSON:
            return replace(decision, by=name, date=self.date, seen=self.beside)
        return replace(decision, reviewer=self.reviewer)


class _Front02(Struct):
    """What is kept of the front matter of 0.2, besides what has the same form."""

    citations: tuple[_Citation02, ...] = ()
    verdicts: tuple[_Verdict02, ...] = ()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def path_of(key: str, *, proposal: bool = False) -> str:
    """Path of a record below the records' folder, with `/`. No key leads out of it."""
    page, _, name = key.rpartition("#")
    folder = page.removesuffix(".md")
    if folder.endswith(_NAMED_WHOLE):
        folder = page
    # so that no record is another's proposal
    file = _safe(name).replace(".", "%2E") + (PROPOSAL if proposal else ".md")
    return "/".join([*map(_safe, folder.split("/")), file])


def key_of(path: str) -> str:
    """The key of the record or proposal at a path below the records' folder; empty for a file that is neither."""
    is_proposal = path.endswith(PROPOSAL)
    folder, _, name = path.removesuffix(PROPOSAL).removesuffix(".md").rpartition("/")
    page = "/".join(map(_unescaped, folder.split("/")))
    if not page.endswith(_NAMED_WHOLE):
        page += ".md"
    key = f"{page}#{_unescaped(name)}"
    if path_of(key, proposal=is_proposal) == path:
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
