"""Finds a page's front matter as MkDocs does and parses it into YAML nodes that know where they stand.

MkDocs drops front matter that it cannot parse without a word; here every such case is a finding.
"""

from __future__ import annotations

import re

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import TooMuchError, compose, merged_items, value_of, where
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.source_text import SourceText
from mkdocs_cited.model.finding import Finding, Place, Severity, found

_DECLARES = re.compile(r"""^[ \t]*(?:- )?["']?(?:answers|question)["']?[ \t]*:""", re.MULTILINE)
_KEY = re.compile(r"^[A-Za-z0-9_-]{1,80}[ \t]*:(?:[ \t\n]|$)", re.MULTILINE)
_QUOTE_IT = "put the value in quotes, or write `text: >` and the text indented on the lines below"


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
        """Where a node stands; the first line of the file for one that was not read from it."""
        if node.start_mark is None:
            return Place(self.source.file)
        return self.source.place(self.start + node.start_mark.index, self.start + node.end_mark.index)


def read_front_matter(source: SourceText) -> FrontMatter:
    """The front matter of a page; findings when MkDocs would drop something that was meant to be read."""
    closing = _closing_line(source)
    if closing is None:
        return FrontMatter(source, 0, 0, None, _outside(source))
    start, end = source.line_start(2), source.line_start(closing)
    block = source.text[start:end]
    root, findings = parse_block(source, start, block)
    body = source.line_start(closing + 1)
    if root is None and not findings:  # MkDocs leaves a block that is not a mapping in the page's text
        body = 0
    return FrontMatter(source, start, body, root, findings)


def parse_block(source: SourceText, start: int, block: str) -> tuple[yaml.MappingNode | None, tuple[Finding, ...]]:
    """Parse YAML that stands at offset `start` of a file."""
    declares = bool(_DECLARES.search(block))
    try:
        root = compose(block)
    except TooMuchError as error:
        message, tip = f"the front matter cannot be read: {error}", "write less there, flat and without aliases"
        return None, (_invalid(source.place(start), message, tip),) if declares else ()
    except yaml.YAMLError as error:
        return None, _not_yaml(source, start, block, error, declares)
    if not isinstance(root, yaml.MappingNode):
        return None, _not_a_mapping(source, start, declares)
    doubled = _doubled(source, start, root)
    problem = unusable(source, start, root)
    if problem:
        return None, (problem if declares else replace(problem, severity=Severity.INFO),)
    return root, doubled


def items(node: yaml.Node) -> list[tuple[str, yaml.Node, yaml.Node]]:
    """Key, key's node and value's node of a mapping, in order; keys that are not plain words as their text."""
    if not isinstance(node, yaml.MappingNode):
        return []
    pairs = merged_items(node)
    return [(key.value if isinstance(key, yaml.ScalarNode) else "…", key, value) for key, value in pairs]


def _closing_line(source: SourceText) -> int | None:
    """Line of the closing `---` or `...` when the page opens with `---`, by MkDocs' rule: at least one line
    between the two, and a line end behind the closing one."""
    lines = source.text.split("\n")
    if lines[0].rstrip(" \t") != "---":
        return None
    for number in range(2, len(lines) - 1):
        if lines[number].rstrip(" \t") in ("---", "..."):
            return number + 1
    return None


def _outside(source: SourceText) -> tuple[Finding, ...]:
    """Front matter that MkDocs does not see, though it declares answers."""
    text = source.text
    stripped = text.lstrip(" \t\n\ufeff")
    at = len(text) - len(stripped)
    head, _, rest = stripped[:200_000].partition("\n")
    if head.rstrip(" \t") == "---":
        block = re.split(r"^(?:---|\.\.\.)[ \t]*$", rest, maxsplit=1, flags=re.MULTILINE)
        if not _declares_answers(block[0]):
            return ()
        place = source.place(at)
        if at:
            message = "the front matter does not start on the first line, so MkDocs takes it for text"
            return (_invalid(place, message, "move the opening `---` to the very start of the file"),)
        message = "the front matter has no closing `---`, so MkDocs takes it for text"
        return (_invalid(place, message, "close it with a line `---`, and end that line with a line break"),)
    for line in text.split("\n", 40)[:40]:
        if not _KEY.match(line):
            return ()
        if line.lower().startswith("answers"):
            message = "`answers` is in front matter without `---` lines, which cannot hold a list"
            place = source.place(text.index(line))
            return (_invalid(place, message, "put the front matter between two lines `---`"),)
    return ()


def _declares_answers(block: str) -> bool:
    return bool(re.search(r"^answers[ \t]*:", block, re.MULTILINE))


def _not_yaml(source: SourceText, start: int, block: str, error: yaml.YAMLError, declares: bool) -> tuple[Finding, ...]:
    """What is wrong with YAML that does not parse; nothing when it is prose between two rules."""
    if not declares and not _KEY.search(block):
        return ()
    at, problem = where(block, error)
    message, tip = explained(block, at, problem)
    finding = _invalid(source.place(start + at), f"the front matter is not valid YAML: {message}", tip)
    # Without answers nothing of ours is lost, so that a site that passes `--strict` goes on passing it; but the page's
    # title and tags are, and MkDocs says nothing.
    return (finding if declares else replace(finding, severity=Severity.INFO),)


def explained(block: str, at: int, problem: str) -> tuple[str, str]:
    """A problem that YAML's parser names, in words, and what to write instead."""
    line = block[block.rfind("\n", 0, at) + 1 : at + 1]
    if problem.startswith("mapping values are not allowed"):
        return "a value holds `: `, which YAML reads as another key", _QUOTE_IT
    if "\t" in line[: len(line) - len(line.lstrip())] or line[-1:] == "\t":
        return "a tab is where YAML allows only spaces", "indent with spaces"
    if "cannot start any token" in problem:
        return _reserved(line[-1:]), _QUOTE_IT
    return problem, f"check the quotes and the indentation; {_QUOTE_IT}"


def _reserved(char: str) -> str:
    shown = "a backtick" if char == "`" else f"`{char}`"
    return f"a value starts with {shown}, which YAML keeps for itself"


def _not_a_mapping(source: SourceText, start: int, declares: bool) -> tuple[Finding, ...]:
    if not declares:
        return ()
    message = "the front matter is not a mapping of keys to values, so MkDocs takes it for text"
    return (_invalid(source.place(start), message, "write `answers:` at the start of a line, the list below it"),)


def unusable(source: SourceText, start: int, root: yaml.Node, what: str = "the front matter is") -> Finding | None:
    """Well-formed YAML that nobody can turn into values, MkDocs included. Merges (`<<`) are carried out."""
    try:
        value_of(root)
    except (ValueError, RecursionError) as error:
        node = _culprit(root)
        place = source.place(start + node.start_mark.index, start + node.end_mark.index)
        written = f"`{node.value[:80]}` cannot be read" if isinstance(node, yaml.ScalarNode) else "a value"
        message = _reserved("{") if "unhashable" in str(error) else f"{written}: {error}"
        return _invalid(place, f"{what} not valid YAML: {message}", _QUOTE_IT)
    return None


def _culprit(node: yaml.Node) -> yaml.Node:
    """The innermost node that cannot be constructed."""
    if isinstance(node, yaml.ScalarNode):
        return node
    parts = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
    for part in parts:
        try:
            value_of(part)
        except (ValueError, RecursionError):
            return _culprit(part)
    return node


def _doubled(source: SourceText, start: int, root: yaml.MappingNode) -> tuple[Finding, ...]:
    """`answers` given twice: YAML keeps the last one only."""
    keys = [node for key, node, _ in items(root) if key == "answers"]
    return tuple(
        _invalid(
            source.place(start + node.start_mark.index, start + node.end_mark.index),
            "`answers` appears twice in the front matter, and YAML takes only the last",
            "join the two lists",
        )
        for node in keys[1:]
    )


def _invalid(place: Place, message: str, tip: str) -> Finding:
    return found("invalid-declaration", place, message, tip=tip)
