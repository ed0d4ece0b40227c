"""Writes a declaration or marks of claims into a page's text; every other character stays.

Builds never do this: the commands `add`, `cite` and `init` do, when a person asks for it. What they cannot
edit as a person would (lists in one line, answers that another plugin adds) they refuse, and say what to write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import yaml

from mkdocs_cited.base.bounded_yaml import Flow, dump, end_of
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.declarations.front_matter import (
    FrontMatter,
    SourceText,
    decode,
    items,
    read_front_matter,
)
from mkdocs_cited.declarations.page import KEY, read_page
from mkdocs_cited.model.declaration import WRITTEN, targets_of
from mkdocs_cited.model.finding import Finding

Fields = Sequence[tuple[str, str | Sequence[str]]]
"""Keys of an entry with their values, in the order in which they are written."""


def entry(fields: Fields, indent: str = "  ") -> str:
    """An entry of `answers:` as YAML, with a line end."""
    written = {
        name: value if isinstance(value, str) else Flow(value)
        for name, value in fields
        if value
    }
    return "".join(f"{indent}{line}\n" for line in dump([written]).splitlines())


def with_entry(file: str, data: bytes, fields: Fields) -> bytes:
    """The page with one more declaration, behind those that it has.

    Args:
        file: the page's file, for messages.

    Raises:
        UsageError: the front matter is damaged, or written in a way that this cannot add to.
    """
    source = decoded(file, data)
    matter, before = read_front_matter(source), read_page(file, file, data)
    if matter.findings:
        raise refused(matter.findings[0])
    at, text = _insertion(matter, fields)
    made = _encoded(data, source.text[:at] + text + source.text[at:])
    after = read_page(file, file, made)
    if len(after.declarations) == len(before.declarations) + 1:
        return made
    # of what was to be added first
    for finding in (*after.findings[len(before.findings) :], *before.findings):
        raise refused(finding)
    raise _unfit(matter, fields)


def with_marks(data: bytes, text: str, marks: Iterable[tuple[int, str]]) -> bytes:
    """The page with citations behind some of its sentences.

    Args:
        data: the page's file, for its byte-order mark and line ends.
        text: what it says, as `decode` gives it.
        marks: offsets in the text with what is written there.
    """
    for at, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    return _encoded(data, text)


def with_addresses(data: bytes, text: str, moved: Mapping[str, str]) -> bytes:
    """The page with other addresses in its citations.

    Args:
        data: the page's file, for its byte-order mark and line ends.
        text: what it says, as `decode` gives it.
        moved: each address as it is written → the new one.
    """

    def written(mark: re.Match[str]) -> str:
        whole = mark[0]
        for target in targets_of(mark["shown"] or mark["hidden"]):
            if target in moved:
                whole = whole.replace(target, moved[target])
        return whole

    return _encoded(data, WRITTEN.sub(written, text))


def decoded(file: str, data: bytes) -> SourceText:
    """A page's text; a `UsageError` where it is not UTF-8."""
    source = decode(file, data)
    if isinstance(source, Finding):
        raise refused(source)
    return source


def refused(finding: Finding) -> UsageError:
    """Why a page cannot be read, for the caller that asked for it."""
    return UsageError(f"{finding.place}: {finding.message}", tip=finding.tip)


def _unfit(matter: FrontMatter, fields: Fields) -> UsageError:
    """That answers are written in a way that cannot be added to, and what to write by hand."""
    return UsageError(
        f"{matter.source.file}: `{KEY}` is written in a way that cannot be added to",
        tip=f"write it by hand:\n{KEY}:\n{entry(fields)}",
    )


def _insertion(matter: FrontMatter, fields: Fields) -> tuple[int, str]:
    """Where an entry goes, and what is written there."""
    text = matter.source.text
    if matter.root is None:
        gap = "" if text.startswith("\n") else "\n"
        return 0, f"---\n{KEY}:\n{entry(fields)}---\n{gap}"
    named = {name: (key, value) for name, key, value in items(matter.root)}
    if KEY not in named:
        return _line_start(text, matter.body - 1), f"{KEY}:\n{entry(fields)}"
    key, value = named[KEY]
    if isinstance(value, yaml.ScalarNode):  # `answers:` with nothing behind it
        return text.index("\n", matter.start + key.end_mark.index) + 1, entry(fields)
    if not isinstance(value, yaml.SequenceNode) or value.flow_style:
        raise _unfit(matter, fields)
    first = _line_start(text, matter.start + value.start_mark.index)
    indent = text[first : text.index("-", first)]
    last = len(text[: matter.start + end_of(value)].rstrip())
    return text.index("\n", last) + 1, entry(fields, indent)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _encoded(before: bytes, text: str) -> bytes:
    """Text with the byte-order mark and the line ends that the file had."""
    mark = b""
    if before.startswith(b"\xef\xbb\xbf"):
        mark = b"\xef\xbb\xbf"
    return mark + (text.replace("\n", "\r\n") if b"\r\n" in before else text).encode(
        "utf-8"
    )
