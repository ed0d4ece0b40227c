"""Finds a page's front matter as MkDocs does and parses it into YAML nodes that know where they are.

MkDocs drops front matter that it cannot parse without a word; here every such case is a finding.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import (
    MOST_CHARACTERS,
    UNFINISHED_MERGE,
    NoValueError,
    TooMuchError,
    compose,
    value_of,
    where,
)
from mkdocs_cited.base.text import with_plain_ends
from mkdocs_cited.model.finding import Finding, Place, found

_BLOCK = re.compile(r"---[ \t]*\n((?:.*\n)+?)(?:---|\.\.\.)[ \t]*\n")
"""Front matter by MkDocs' rule: at least one line between the two, and a line end behind the closing one."""
_OUTSIDE = re.compile(
    r"(?:[ \t\n\ufeff]*---[ \t]*\n(?:(?!(?:---|\.\.\.)[ \t]*$).*\n)*?|(?:[A-Za-z0-9_-]{1,80}[ \t]*:.*\n){0,40})"
    r"(answers)[ \t]*:",
    re.MULTILINE,
)
"""What was meant as front matter: it does not start on the first line, has no closing line, or no such lines at all."""
_DECLARES = re.compile(
    r"""^[ \t]*(?:- )?["']?(?:answers|question)["']?[ \t]*:""", re.MULTILINE
)
_CHECK = (
    "check the quotes and the indentation; put the value in quotes, "
    "or write `text: >` and the text indented on the lines below"
)


class SourceText(Struct, frozen=True):
    """A decoded file: no byte-order mark, every line ends in `\\n`, so that offsets and lines are MkDocs' own."""

    file: str
    """Path relative to the project, for places."""
    text: str

    def place(self, start: int, end: int = 0) -> Place:
        """The place of `text[start:end]`; of the point `start` when there is no end or it is on another line."""
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        if end <= start or "\n" in self.text[start:end]:
            return Place(self.file, line, column)
        return Place(self.file, line, column, line, column + end - start)

    def place_of(self, words: str, *, number: int = 1, behind: str = "") -> Place:
        """The place of words, where they are there for that time; of the file, where they came from elsewhere.

        Args:
            number: which of several places, from 1.
            behind: words that they stand behind.
        """
        at = self.text.find(behind) - 1
        for _ in range(number):
            at = self.text.find(words, at + 1)
            if at < 0:
                return Place(self.file)
        return self.place(at, at + len(words))


class FrontMatter(Struct, frozen=True):
    """The front matter of one file."""

    source: SourceText
    start: int = 0
    """Offset of its first character, behind the opening line."""
    body: int = 0
    """Offset of the page's text behind it."""
    root: yaml.Node | None = None
    """The mapping (in a file of questions: whatever it holds), or nothing when there is none or it cannot be read."""
    findings: tuple[Finding, ...] = ()

    @property
    def content(self) -> str:
        """The page's text without it."""
        return self.source.text[self.body :]

    @property
    def meta(self) -> dict[str, Any]:
        """Its keys and values."""
        return value_of(self.root) if self.root else {}

    def place(self, node: yaml.Node) -> Place:
        """Where a node is."""
        start, end = node.start_mark.index, node.end_mark.index
        return self.source.place(self.start + start, self.start + end)

    def text_of(self, node: yaml.Node) -> str:
        """How a node is written."""
        start, end = node.start_mark.index, node.end_mark.index
        return self.source.text[self.start + start : self.start + end]

    def invalid(self, node: yaml.Node, message: str, tip: str) -> Finding:
        """Something in it that cannot be used."""
        return found("invalid-declaration", self.place(node), message, tip=tip)


def decode(file: str, data: bytes) -> SourceText | Finding:
    """The file's text, or the finding that it is not UTF-8, with the line and column of the first bad byte."""
    mark = len(data) - len(data.removeprefix(b"\xef\xbb\xbf"))
    try:
        text = data[mark:].decode("utf-8")
    except UnicodeDecodeError as error:
        at = mark + error.start
        before = source_text(file, data[mark:at].decode("utf-8"))
        message = f"the file is not UTF-8: byte 0x{data[at]:02x} at position {at} cannot be read"
        return found(
            "invalid-declaration",
            before.place(len(before.text)),
            message,
            tip="save the file as UTF-8",
        )
    return source_text(file, text)


def source_text(file: str, text: str) -> SourceText:
    """The same for text that is decoded already."""
    return SourceText(file, with_plain_ends(text))


def read_front_matter(source: SourceText) -> FrontMatter:
    """The front matter of a page; findings when MkDocs would drop something that was meant to be read."""
    match = _BLOCK.match(source.text)
    if match is None:
        outside = _OUTSIDE.match(source.text)
        if outside is None:
            return FrontMatter(source)
        message = "`answers` is not in front matter, so MkDocs shows it as text"
        tip = "begin the file with a line `---`, and close the front matter with another that ends in a line break"
        place = source.place(outside.start(1))
        finding = found("invalid-declaration", place, message, tip=tip)
        return FrontMatter(source, findings=(finding,))
    matter = parse(source, "the front matter", start=match.start(1), end=match.end(1))
    matter = replace(matter, body=match.end())
    if isinstance(matter.root, yaml.MappingNode):
        message = (
            "`answers` appears twice in the front matter, and YAML takes only the last"
        )
        tip = "join the two lists"
        keys = [node for key, node, _ in items(matter.root) if key == "answers"]
        twice = [matter.invalid(node, message, tip) for node in keys[1:]]
        return replace(matter, findings=tuple(twice))
    if not _DECLARES.search(match[1]):
        return FrontMatter(source)
    if matter.findings:
        return matter
    message = "the front matter is not a mapping of keys to values, so MkDocs shows it as text"
    tip = "write `answers:` at the start of a line, the list below it"
    place = source.place(matter.start)
    finding = found("invalid-declaration", place, message, tip=tip)
    return replace(matter, root=None, findings=(finding,))


def parse(
    source: SourceText,
    what: str,
    *,
    start: int = 0,
    end: int | None = None,
    most_characters: int = MOST_CHARACTERS,
) -> FrontMatter:
    """YAML that is in `text[start:end]`, and why it cannot be read. Its values can all be had."""
    text = source.text[start:end]
    at, tip = 0, _CHECK
    try:
        root = compose(text, most_characters=most_characters)
        if root is not None:
            value_of(root)
        return FrontMatter(source, start, len(source.text), root)
    except TooMuchError as error:
        message = f"{what} cannot be read: {error}"
        tip = "write less there, flat and without aliases"
    except yaml.YAMLError as error:
        at, problem = where(text, error)
        message = f"{what} is not valid YAML: {problem}"
        if problem == UNFINISHED_MERGE:
            tip = (
                "keep what is right of both sides, and delete the lines that git wrote"
            )
    except NoValueError as error:
        at = error.at
        message = f"{what} is not valid YAML: {error}"
    place = source.place(start + at)
    finding = found("invalid-declaration", place, message, tip=tip)
    return FrontMatter(source, start, len(source.text), findings=(finding,))


def items(node: yaml.Node | None) -> list[tuple[str, yaml.Node, yaml.Node]]:
    """Key, key's node and value's node of a mapping, in order; keys that are not plain words as their text."""
    if not isinstance(node, yaml.MappingNode):
        return []
    pairs = []
    for key, value in node.value:
        name = "…"
        if isinstance(key, yaml.ScalarNode):
            name = key.value
        pairs.append((name, key, value))
    return pairs
