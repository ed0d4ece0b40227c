"""Finds a page's front matter as MkDocs does and parses it into YAML nodes that know where they are.

MkDocs drops front matter that it cannot parse without a word; here every such case is a finding.
"""

from __future__ import annotations

import re
from bisect import bisect_right

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import (
    MOST_CHARACTERS,
    TooMuchError,
    compose,
    value_of,
    where,
)
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, Severity, found

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
_KEY = re.compile(r"^[A-Za-z0-9_-]{1,80}[ \t]*:(?:[ \t\n]|$)", re.MULTILINE)
_QUOTE_IT = "put the value in quotes, or write `text: >` and the text indented on the lines below"


class SourceText(Struct, frozen=True):
    """A decoded file: no byte-order mark, every line ends in `\\n`, so that offsets and lines are MkDocs' own."""

    file: str
    """Path relative to the project, for places."""
    text: str
    _starts: tuple[int, ...] = ()
    """Offset of the first character of each line."""

    def place(self, start: int, end: int | None = None) -> Place:
        """The place of `text[start:end]`; of the point `start` when there is no end or it is on another line."""
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        if end is None or end <= start or bisect_right(self._starts, end) != line:
            return Place(self.file, line, column)
        return Place(self.file, line, column, line, column + end - start)

    def place_of(self, words: str, *, number: int = 1) -> Place:
        """The place of words, where they are there for that time; of the file, where they came from elsewhere."""
        at = -1
        for _ in range(number):
            at = self.text.find(words, at + 1)
            if at < 0:
                return Place(self.file)
        return self.place(at, at + len(words))


class FrontMatter(Struct, frozen=True):
    """The front matter of one file."""

    source: SourceText
    start: int
    """Offset of its first character, behind the opening line."""
    body: int
    """Offset of the page's text behind it."""
    root: yaml.Node | None
    """The mapping (in a file of questions: whatever it holds), or nothing when there is none or it cannot be read."""
    findings: tuple[Finding, ...] = ()

    def place(self, node: yaml.Node) -> Place:
        """Where a node is."""
        return self.source.place(
            self.start + node.start_mark.index, self.start + node.end_mark.index
        )

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
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SourceText(
        file, text, (0, *(match.end() for match in re.finditer("\n", text)))
    )


def read_front_matter(source: SourceText) -> FrontMatter:
    """The front matter of a page; findings when MkDocs would drop something that was meant to be read."""
    match = _BLOCK.match(source.text)
    if match is None:
        outside = _OUTSIDE.match(source.text)
        if outside is None:
            return FrontMatter(source, 0, 0, None)
        message = "`answers` is not in front matter, so MkDocs shows it as text"
        tip = "begin the file with a line `---`, and close the front matter with another that ends in a line break"
        place = source.place(outside.start(1))
        return FrontMatter(
            source, 0, 0, None, (found("invalid-declaration", place, message, tip=tip),)
        )
    block, declares = match[1], bool(_DECLARES.search(match[1]))
    matter = parse(source, "the front matter", start=match.start(1), end=match.end(1))
    if matter.findings:
        if not declares:
            # Nothing of ours is lost, so that a site that passes `--strict` goes on passing it; but the page's title
            # and tags are, and MkDocs says nothing. Prose between two rules has no keys.
            informed = tuple(
                replace(item, severity=Severity.INFO) for item in matter.findings
            )
            matter = replace(matter, findings=informed if _KEY.search(block) else ())
    elif isinstance(matter.root, yaml.MappingNode):
        keys = [node for key, node, _ in items(matter.root) if key == "answers"]
        message = (
            "`answers` appears twice in the front matter, and YAML takes only the last"
        )
        doubled = tuple(
            matter.invalid(node, message, "join the two lists") for node in keys[1:]
        )
        return replace(matter, body=match.end(), findings=doubled)
    elif declares:
        message = "the front matter is not a mapping of keys to values, so MkDocs shows it as text"
        tip = "write `answers:` at the start of a line, the list below it"
        matter = replace(
            matter,
            findings=(
                found(
                    "invalid-declaration", source.place(matter.start), message, tip=tip
                ),
            ),
        )
    # MkDocs leaves a block that is not a mapping in the page's text.
    return replace(matter, root=None, body=match.end() if matter.findings else 0)


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
    root: yaml.Node | None = None
    try:
        root = compose(text, most_characters=most_characters)
        if root is not None:
            value_of(root)
        return FrontMatter(source, start, len(source.text), root)
    except TooMuchError as error:
        first = last = 0
        message, tip = (
            f"{what} cannot be read: {error}",
            "write less there, flat and without aliases",
        )
    except yaml.YAMLError as error:
        first, problem = where(text, error)
        last, tip = first, f"check the quotes and the indentation; {_QUOTE_IT}"
        message = f"{what} is not valid YAML: {_explained(text, first, problem)}"
    except (ValueError, RecursionError) as error:
        node = _culprit(root)  # type: ignore[arg-type]  # else there is no value
        first, last, tip = node.start_mark.index, node.end_mark.index, _QUOTE_IT
        written = "a value"
        if isinstance(node, yaml.ScalarNode):
            written = f"`{node.value[:80]}` cannot be read"
        unhashable = "a value starts with `{`, which YAML keeps for itself"
        message = f"{what} is not valid YAML: {unhashable if 'unhashable' in str(error) else f'{written}: {error}'}"
    finding = found(
        "invalid-declaration",
        source.place(start + first, start + last),
        message,
        tip=tip,
    )
    return FrontMatter(source, start, len(source.text), None, (finding,))


def items(node: yaml.Node) -> list[tuple[str, yaml.Node, yaml.Node]]:
    """Key, key's node and value's node of a mapping, in order; keys that are not plain words as their text."""
    if not isinstance(node, yaml.MappingNode):
        return []
    return [
        (key.value if isinstance(key, yaml.ScalarNode) else "…", key, value)
        for key, value in node.value
    ]


def _explained(block: str, at: int, problem: str) -> str:
    """A problem that YAML's parser names, in words."""
    line = block[block.rfind("\n", 0, at) + 1 : at + 1]
    if problem.startswith("mapping values are not allowed"):
        return "a value has `: `, which YAML reads as another key"
    if "\t" in line[: len(line) - len(line.lstrip())] or line[-1:] == "\t":
        return "a tab is where YAML allows only spaces"
    if "cannot start any token" in problem:
        if line[-1:] == "`":
            return "a value starts with a backtick, which YAML keeps for itself"
        return f"a value starts with `{line[-1:]}`, which YAML keeps for itself"
    return problem


def _culprit(node: yaml.Node) -> yaml.Node:
    """The innermost node that cannot be constructed."""
    if isinstance(node, yaml.ScalarNode):
        return node
    parts = (
        [part for pair in node.value for part in pair]
        if isinstance(node, yaml.MappingNode)
        else node.value
    )
    for part in parts:
        try:
            value_of(part)
        except (ValueError, RecursionError):
            return _culprit(part)
    return node
