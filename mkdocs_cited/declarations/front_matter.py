"""Finds a page's front matter as MkDocs does and parses it into YAML nodes that know where they stand.

MkDocs drops front matter that it cannot parse without a word; here every such case is a finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.representer import SafeRepresenter

from mkdocs_cited.declarations.source_text import SourceText
from mkdocs_cited.model.finding import Finding, Place, Severity, found

MOST_CHARACTERS = 200_000
"""Longest front matter that is parsed."""
MOST_NODES = 100_000
"""Most YAML nodes, aliases counted as often as they are used: what an alias bomb runs into."""

MOST_NESTING = 200
"""Deepest nesting of brackets, and of dashes on a line; libyaml's own recursion has no guard."""

# What MkDocs parses with: the two disagree on `{question: Why?, id: why}`, which only libyaml accepts.
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_PRINTABLE = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DECLARES = re.compile(r"""^[ \t]*(?:- )?["']?(?:answers|question)["']?[ \t]*:""", re.MULTILINE)
_KEY = re.compile(r"^[A-Za-z0-9_-]{1,80}[ \t]*:(?:[ \t\n]|$)", re.MULTILINE)
_QUOTE_IT = "put the value in quotes, or write `text: >` and the text indented on the lines below"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of one file."""

    source: SourceText
    start: int
    """Offset of its first character, behind the opening line."""
    body: int
    """Offset of the page's text behind it."""
    root: yaml.MappingNode | None
    """The mapping, or nothing when there is none or it cannot be read."""
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


def read_defaults(source: SourceText) -> FrontMatter:
    """A `.meta.yml` file, which is front matter and nothing else."""
    root, findings = parse_block(source, 0, source.text)
    return FrontMatter(source, 0, len(source.text), root, findings)


def parse_block(source: SourceText, start: int, block: str) -> tuple[yaml.MappingNode | None, tuple[Finding, ...]]:
    """Parse YAML that stands at offset `start` of a file."""
    declares = bool(_DECLARES.search(block))
    if len(block) > MOST_CHARACTERS:
        if not declares:
            return None, ()
        message = f"the front matter has {len(block):,} characters; {MOST_CHARACTERS:,} are read"
        return None, (_invalid(source.place(start), message, "move the text into the page"),)
    if _nesting(block) > MOST_NESTING:
        message = f"the front matter is nested more than {MOST_NESTING} levels deep"
        return None, (_invalid(source.place(start), message, "write it flat"),)
    try:
        root = _Loader(block).get_single_node()
    except yaml.YAMLError as error:
        return None, _not_yaml(source, start, block, error, declares)
    if not isinstance(root, yaml.MappingNode):
        return None, _not_a_mapping(source, start, declares)
    doubled = _doubled(source, start, root)
    problem = _unusable(source, start, root)
    if problem:
        return None, (problem if declares else replace(problem, severity=Severity.WARNING),)
    return root, doubled


def value_of(node: yaml.Node) -> Any:
    """The node's plain Python value, as MkDocs has it.

    Raises:
        ValueError: it has none: an unknown tag, an impossible date, an unhashable key.
    """
    try:
        return SafeConstructor().construct_document(node)
    except (yaml.YAMLError, TypeError, OverflowError, AttributeError) as error:
        raise ValueError(getattr(error, "problem", None) or str(error)) from None


def node_of(value: Any) -> yaml.Node:
    """A node without a place for a value that did not come from a file.

    Raises:
        ValueError: the value cannot be written as YAML.
    """
    try:
        node: yaml.Node = SafeRepresenter().represent_data(value)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if _count(node, {}) > MOST_NODES:
        raise ValueError(f"it holds more than {MOST_NODES:,} values")
    return node


def items(node: yaml.Node) -> list[tuple[str, yaml.Node, yaml.Node]]:
    """Key, key's node and value's node of a mapping, in order; keys that are not plain words as their text."""
    if not isinstance(node, yaml.MappingNode):
        return []
    return [(key.value if isinstance(key, yaml.ScalarNode) else "…", key, value) for key, value in node.value]


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
    head, _, rest = stripped[:MOST_CHARACTERS].partition("\n")
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
            message = "`answers` stands in front matter without `---` lines, which cannot hold a list"
            place = source.place(text.index(line))
            return (_invalid(place, message, "put the front matter between two lines `---`"),)
    return ()


def _declares_answers(block: str) -> bool:
    return bool(re.search(r"^answers[ \t]*:", block, re.MULTILINE))


def _not_yaml(source: SourceText, start: int, block: str, error: yaml.YAMLError, declares: bool) -> tuple[Finding, ...]:
    """What is wrong with YAML that does not parse; nothing when it is prose between two rules."""
    if not declares and not _KEY.search(block):
        return ()
    at, problem = _where(block, error)
    message, tip = _explain(block, at, problem)
    finding = _invalid(source.place(start + min(at, len(block))), f"the front matter is not valid YAML: {message}", tip)
    # Without answers nothing of ours is lost; but the page's title and tags are, and MkDocs says nothing.
    return (finding if declares else replace(finding, severity=Severity.WARNING),)


def _where(block: str, error: yaml.YAMLError) -> tuple[int, str]:
    """Offset and description of a YAML problem."""
    if isinstance(error, yaml.reader.ReaderError):
        match = _NOT_PRINTABLE.search(block)
        return (match.start(), f"the character U+{ord(match[0]):04X} is not allowed") if match else (0, str(error))
    if not isinstance(error, yaml.MarkedYAMLError):
        return 0, str(error)
    mark = error.problem_mark or error.context_mark
    if error.context_mark and "quoted scalar" in (error.context or "") and mark and mark.index >= len(block):
        return error.context_mark.index, "the quotes are never closed"
    return (mark.index if mark else 0), error.problem or str(error)


def _explain(block: str, at: int, problem: str) -> tuple[str, str]:
    """The problem in words, and what to write instead."""
    line = block[block.rfind("\n", 0, at) + 1 : at + 1]
    char = block[at : at + 1]
    value = line.partition(":")[2].strip()
    if problem.startswith("mapping values are not allowed"):
        return "a value holds `: `, which YAML reads as another key", _QUOTE_IT
    if char == "\t" or "\t" in line[: len(line) - len(line.lstrip())]:
        return "a tab stands where YAML allows only spaces", "indent with spaces"
    if "cannot start any token" in problem:
        return _reserved(char), _QUOTE_IT
    if "never closed" in problem:
        return problem, "close the quotes; inside single quotes write an apostrophe twice"
    if "is not allowed" in problem:
        return problem, "delete that character"
    if value[:1] in ("'", '"') and "expected" in problem:
        return "the quotes end before the value does", f"inside the quotes write `{value[0] * 2}` or the other quotes"
    if value[:1] in ("[", "{", "*", "&", "!", "%", "|", ">"):
        return _reserved(value[0]), _QUOTE_IT
    return problem, "check the indentation and the quotes of this line and the one before"


def _reserved(char: str) -> str:
    shown = "a backtick" if char == "`" else f"`{char}`"
    return f"a value starts with {shown}, which YAML keeps for itself"


def _not_a_mapping(source: SourceText, start: int, declares: bool) -> tuple[Finding, ...]:
    if not declares:
        return ()
    message = "the front matter is not a mapping of keys to values, so MkDocs takes it for text"
    return (_invalid(source.place(start), message, "write `answers:` at the start of a line, the list below it"),)


def _unusable(source: SourceText, start: int, root: yaml.MappingNode) -> Finding | None:
    """Well-formed YAML that is dangerous or that MkDocs cannot turn into values. Merges (`<<`) are carried out."""
    if _count(root, {}) > MOST_NODES:
        message = f"the aliases of the front matter expand to more than {MOST_NODES:,} values"
        return _invalid(source.place(start), message, "write the values out")
    try:
        value_of(root)
    except (ValueError, RecursionError) as error:
        node = _culprit(root)
        place = source.place(start + node.start_mark.index, start + node.end_mark.index)
        written = f"`{node.value[:80]}` cannot be read" if isinstance(node, yaml.ScalarNode) else "a value"
        message = _reserved("{") if "unhashable" in str(error) else f"{written}: {error}"
        return _invalid(place, f"the front matter is not valid YAML: {message}", _QUOTE_IT)
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


def _nesting(block: str) -> int:
    """How deep brackets and dashes nest, at most; those in quotes are counted too."""
    depth = deepest = 0
    for match in re.finditer(r"[\[\]{}]", block):
        depth += 1 if match[0] in "[{" else -1
        deepest = max(deepest, depth)
    dashes = max((len(match[0]) // 2 for match in re.finditer(r"(?:[-?:][ \t]+){2,}", block)), default=0)
    return max(deepest, dashes)


def _count(node: yaml.Node, seen: dict[int, float]) -> float:
    """How many nodes there are when every alias is written out; infinite when one holds itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) in seen:
        return seen[id(node)]
    seen[id(node)] = float("inf")
    inner = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
    seen[id(node)] = 1 + sum(_count(part, seen) for part in inner)
    return seen[id(node)]


def _doubled(source: SourceText, start: int, root: yaml.MappingNode) -> tuple[Finding, ...]:
    """`answers` given twice: YAML keeps the last one only."""
    keys = [node for key, node, _ in items(root) if key == "answers"]
    return tuple(
        _invalid(
            source.place(start + node.start_mark.index, start + node.end_mark.index),
            "`answers` stands twice in the front matter, and YAML keeps only the last",
            "join the two lists",
        )
        for node in keys[1:]
    )


def _invalid(place: Place, message: str, tip: str) -> Finding:
    return found("invalid-declaration", place, message, tip=tip)
