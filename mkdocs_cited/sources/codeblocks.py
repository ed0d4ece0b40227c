"""What a reader sees of a code block: its text without gutters and annotation marks, its language, its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from selectolax.lexbor import LexborNode

from mkdocs_cited.sources.dom import classes, shown

_LANGUAGE = re.compile(r"(?:language|lang)-([\w+#.-]+)")
_ANNOTATION = re.compile(r"\(\d{1,3}\)(!?)\s*$")
_COMMENTS = "span.c, span.c1, span.cm, span.ch, span.cp"
_TITLES_AND_CODE = ".filename, pre"
_BOXES = frozenset(("highlight", "codehilite", "highlighttable", "codehilitetable"))


def is_code_box(names: tuple[str, ...]) -> bool:
    """Whether an element of these classes only frames a code block."""
    return not _BOXES.isdisjoint(names)


def code_text(pre: LexborNode) -> tuple[str, tuple[int, ...]]:
    """The lines of a code block, as they are, with the numbers of those that are highlighted, from 1; blank lines
    around it are left out. The marks of annotations leave the tree: `# (1)!` with its comment."""
    for comment in pre.css(_COMMENTS):
        if mark := _ANNOTATION.search(comment.text()):
            rest = comment.text()[: mark.start()].rstrip()
            if mark[1] or not any(map(str.isalnum, rest)):
                comment.replace_with(rest if any(map(str.isalnum, rest)) else "")
    raw, highlighted = "", []
    for node in pre.traverse(include_text=True):
        if node.tag == "-text":
            raw += node.text_content or ""
        elif "hll" in classes(node):
            highlighted.append(raw.count("\n"))
    lines = [line.rstrip() for line in raw.replace("\r\n", "\n").split("\n")]
    filled = [number for number, line in enumerate(lines) if line]
    if not filled:
        return "", ()
    first, last = filled[0], filled[-1]
    return "\n".join(lines[first : last + 1]), tuple(line - first + 1 for line in highlighted if first <= line <= last)


def code_language(pre: LexborNode) -> str:
    """The language that a code block, its `code` or a box around it names; `mermaid` for a diagram's source."""
    node: LexborNode | None = pre
    inner = pre.css_first("code")
    for names in chain((classes(inner) if inner is not None else (),), _around(node)):
        for name in names:
            if name == "mermaid":
                return name
            if (match := _LANGUAGE.fullmatch(name)) and match[1] not in ("text", "none"):
                return match[1]
    return ""


def code_blocks(box: LexborNode) -> tuple[str, list[LexborNode]]:
    """The file name or title over code, and the code under it."""
    found = box.css(_TITLES_AND_CODE)
    title = next((node for node in found if "filename" in classes(node)), None)
    blocks = [node for node in found if node.tag == "pre"]
    return shown(title).text if title is not None else "", blocks


def _around(node: LexborNode | None) -> Iterator[tuple[str, ...]]:
    """The classes of an element and of the three around it."""
    for _ in range(4):
        if node is None:
            break
        yield classes(node)
        node = node.parent
