"""What a reader sees of a code block: its text without gutters and annotation marks, its language, its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from selectolax.lexbor import LexborNode

from mkdocs_cited.base.text import collapse
from mkdocs_cited.sources.dom import HIGHLIGHTED, classes, shown

_LANGUAGE = re.compile(r"(?:language|lang)-([\w+#.-]+)")
_ANNOTATION = re.compile(r"\(\d{1,3}\)(!?)\s*$")
_MAY_ANNOTATE = re.compile(r"\(\d")
_COMMENTS = "span.c, span.c1, span.cm, span.ch, span.cp"
_TITLES_AND_CODE = ".filename, pre"
_BOXES = frozenset(("highlight", "codehilite", "highlighttable", "codehilitetable"))


def is_code_box(names: tuple[str, ...]) -> bool:
    """Whether an element of these classes only frames a code block."""
    return not _BOXES.isdisjoint(names)


def code_text(pre: LexborNode) -> tuple[str, tuple[int, ...]]:
    """The lines of a code block, as they are, with the numbers of those that are highlighted, from 1; blank lines
    around it are left out."""
    raw = pre.text()
    if _MAY_ANNOTATE.search(raw):
        _take_annotations_out(pre)
        raw = pre.text()
    if highlighted := pre.css(".hll"):
        for line in highlighted:
            line.insert_before(HIGHLIGHTED)
        raw = pre.text()
    lines = shown_lines(raw)
    if HIGHLIGHTED not in raw:
        return "\n".join(lines), ()
    marked = tuple(number for number, line in enumerate(lines, 1) if HIGHLIGHTED in line)
    return "\n".join(line.replace(HIGHLIGHTED, "").rstrip() for line in lines), marked


def _take_annotations_out(pre: LexborNode) -> None:
    """Remove the marks of annotations; `(1)!` takes the comment's own characters along."""
    annotated = _is_annotated(pre)
    for comment in pre.css(_COMMENTS):
        mark = _ANNOTATION.search(comment.text())
        if mark and (mark[1] or annotated):
            kept = comment.text()[: mark.start()].rstrip()
            comment.replace_with("" if mark[1] and not any(map(str.isalnum, kept)) else kept)


def shown_lines(raw: str) -> list[str]:
    """Lines without trailing white space, from the first that holds something to the last."""
    lines = [line.rstrip() for line in raw.replace("\r\n", "\n").split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


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
    return collapse(shown(title.text()).text) if title is not None else "", blocks


def _around(node: LexborNode | None) -> Iterator[tuple[str, ...]]:
    """The classes of an element and of the three around it."""
    for _ in range(4):
        if node is None:
            break
        yield classes(node)
        node = node.parent


def _is_annotated(pre: LexborNode) -> bool:
    """Whether a list of annotations follows, as Material wants it."""
    box: LexborNode | None = pre
    while box is not None and box.parent is not None and is_code_box(classes(box.parent)):
        box = box.parent
    following = box.next if box is not None else None
    while following is not None and following.tag == "-text" and not (following.text_content or "").strip():
        following = following.next
    return following is not None and following.tag == "ol"
