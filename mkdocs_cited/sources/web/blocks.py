"""The text of a snapshot: passages as CommonMark that a person can read in a diff; `from_files` reads it back.

Everything that CommonMark gives a meaning is escaped, so that programs that render Markdown show plain text. Each
sentence has a line of its own. Headings carry the anchors of the external page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from urllib.parse import quote

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.source import Passage, PassageKind, Section
from mkdocs_cited.sources.from_files import DEFINED
from mkdocs_cited.sources.passages import Document

_SPECIAL = re.compile(r"[\\`*_\[\]<>&|~{}$]")
_OPENER = re.compile(r"([#+\-=>:!])|(\d{1,9})([.)])")
"""What begins another block at the start of a line."""
_RUNS = re.compile("`+")
_UNSEEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]")
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""


def visible(text: str) -> str:
    """The text without characters that nobody sees: they could hide words from who reads the diff."""
    return _UNSEEN.sub("", text)


def write(document: Document) -> str:
    """The sections and passages of a document as the body of a snapshot."""
    blocks: list[str] = []
    written = -1
    ordered = sorted(document.passages, key=lambda passage: passage.section.position)  # footnotes stand at the end
    for (position, kind, block), group in groupby(ordered, key=_group):
        blocks += [_heading(section) for section in document.sections[written + 1 : position + 1] if section.level]
        written = position
        passages = list(group)
        if kind is PassageKind.ROW and block:
            blocks.append(_table(passages))
        elif kind in (PassageKind.ITEM, PassageKind.STEP):
            blocks.append("\n".join(_lines(item, "1. " if kind is PassageKind.STEP else "- ") for item in passages))
        else:
            blocks += [_block(passage) for passage in passages]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _group(passage: Passage) -> tuple[int, PassageKind, int]:
    return passage.section.position, passage.kind, passage.block


def _heading(section: Section) -> str:
    title = _prose(collapse(visible(section.title)), ()).replace("#", "\\#")
    anchor = f" {{#{quote(visible(section.anchor), safe='-._~:@!$,;=')}}}" if section.anchor else ""
    return f"{'#' * section.level} {title}{anchor}" if title else ""


def _block(passage: Passage) -> str:
    if passage.kind is PassageKind.CODE:
        code = visible(passage.text)
        fence = "`" * max(3, 1 + max((len(run) for run in _RUNS.findall(code)), default=0))
        language = re.sub(r"[^\w+#.-]", "", passage.language)
        return f"{fence}{language}\n{code}\n{fence}" if code.strip() else ""
    return _lines(passage, DEFINED if passage.kind is PassageKind.DEFINITION else "")


def _lines(passage: Passage, mark: str) -> str:
    """A passage with one sentence on a line, behind its mark."""
    text, spans = _seen(passage)
    if not text:
        return ""
    term = len(passage.lead) if mark == DEFINED and passage.lead and text.startswith(f"{passage.lead} ") else 0
    starts = [term and term + 1]
    for start, _ in passage.sentences[1:] if text == passage.text else ():
        if start > starts[-1] and text[start - 1] == " " and not any(a < start < b for a, b in spans):
            starts.append(start)
    lines = [
        _opened(_prose(text[a:b].rstrip(" "), [(s - a, e - a) for s, e in spans if a <= s and e <= b]))
        for a, b in pairwise([*starts, len(text)])
    ]
    head = f"{mark}**{_prose(text[:term], ())}** " if term else mark
    indent = "" if mark in ("", DEFINED) else " " * len(mark)
    return head + f"\n{indent}".join(lines)


def _seen(passage: Passage) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The visible text of a passage, with its inline code; where something was hidden in it, without."""
    text = collapse(visible(passage.text))
    return (text, passage.code_spans) if text == passage.text else (text, ())


def _table(rows: Sequence[Passage]) -> str:
    """Rows under their header; a table without one has an empty one, as GitHub's tables need it."""
    width = max(len(cells) for row in rows for cells in (row.header, row.cells or (row.text,)))
    header = [_prose(collapse(visible(cell)), ()) for cell in rows[0].header]
    lines = [header, ["---"] * width, *(list(_cells(row)) for row in rows)]
    return "\n".join(f"| {' | '.join([*line, *[''] * (width - len(line))])} |" for line in lines)


def _cells(row: Passage) -> Iterator[str]:
    text, spans = _seen(row)
    at = 0
    for cell in row.cells or (text,):
        cell = collapse(visible(cell))
        at = max(text.find(cell, at), 0)
        inside = [(s - at, e - at) for s, e in spans if at <= s and e <= at + len(cell)]
        yield _prose(cell, [span for span in inside if "|" not in cell[slice(*span)]])  # tables take every bar
        at += len(cell)


def _prose(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Text with everything escaped that CommonMark would read, and its inline code as such."""
    out, at = [], 0
    for start, end in spans:
        if start > at or not at:  # the ticks of two that touch would be taken together
            out += [_escaped(text[at:start]), _code(text[start:end])]
            at = end
    return "".join([*out, _escaped(text[at:])])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _code(text: str) -> str:
    if not text.strip():
        return _escaped(text)
    ticks = "`" * (1 + max((len(run) for run in _RUNS.findall(text)), default=0))
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _opened(line: str) -> str:
    """A line that begins no other block."""
    match = _OPENER.match(line)
    if not match:
        return line
    return f"\\{line}" if match[1] else f"{match[2]}\\{line[match.end(2) :]}"
