"""The text of a snapshot: passages as plain HTML that a person can read in a diff, and that is read as pages are.

Each sentence has a line of its own. Headings carry the anchors of the external page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise

from mkdocs_cited.model.source import Passage, PassageKind, Section
from mkdocs_cited.sources.passages import Document

_UNSEEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]")
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""
_LISTS = {PassageKind.ITEM: "ul", PassageKind.STEP: "ol", PassageKind.ROW: "table"}
_Span = tuple[int, int, str]


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
        if kind in _LISTS and (block or kind is not PassageKind.ROW):
            head = "".join(f"<th>{_escaped(cell)}</th>" for cell in passages[0].header)
            lines = ([f"<tr>{head}</tr>"] if head else []) + [*map(_block, passages)]
            blocks.append("\n".join((f"<{_LISTS[kind]}>", *lines, f"</{_LISTS[kind]}>")))
        else:
            blocks += [f"<table>{row}</table>" if kind is PassageKind.ROW else row for row in map(_block, passages)]
    return visible("\n\n".join(blocks) + "\n")


def _group(passage: Passage) -> tuple[int, PassageKind, int]:
    return passage.section.position, passage.kind, passage.block


def _heading(section: Section) -> str:
    name = f' id="{escape(section.anchor)}"' if section.anchor else ""
    return f"<h{section.level}{name}>{_escaped(section.title)}</h{section.level}>"


def _block(passage: Passage) -> str:
    """A passage as an element, one sentence on a line."""
    text = passage.text
    if passage.kind is PassageKind.CODE:
        language = re.sub(r"[^\w+#.-]", "", passage.language)
        name = f' class="language-{language}"' if language else ""
        return f"<pre><code{name}>\n{_escaped(text)}\n</code></pre>"
    marked = (("code", passage.code_spans), ("del", passage.struck))
    spans = sorted((*span, tag) for tag, spans in marked for span in spans)
    if passage.kind is PassageKind.ROW:
        return f"<tr>{''.join(_cells(text, spans, passage.cells))}</tr>"
    is_term = passage.kind is PassageKind.DEFINITION and passage.lead and text.startswith(f"{passage.lead} ")
    term = len(passage.lead) if is_term else 0
    starts = [term and term + 1]
    for start, _ in passage.sentences[1:]:
        if start > starts[-1] and text[start - 1] == " " and not any(a < start < b for a, b, _ in spans):
            starts.append(start)
    lines = "\n".join(_prose(text, spans, a, b).rstrip(" ") for a, b in pairwise([*starts, len(text)]))
    if passage.kind is PassageKind.DEFINITION:
        named = f"<dt>{_prose(text, spans, 0, term)}</dt>\n" if term else ""
        return f"<dl>{named}<dd>{lines}</dd></dl>"
    tag = "li" if passage.kind in _LISTS else "p"
    return f"<{tag}>{lines}</{tag}>"


def _cells(text: str, spans: Sequence[_Span], cells: Sequence[str]) -> Iterator[str]:
    at = 0
    for cell in cells or (text,):
        at = max(text.find(cell, at), 0)
        yield f"<td>{_prose(text, spans, at, at + len(cell))}</td>"
        at += len(cell)


def _prose(text: str, spans: Sequence[_Span], first: int, last: int) -> str:
    """A part of a text, with its inline code and what is struck out."""
    out, at = [], first
    for start, end, tag in spans:
        if at <= start and end <= last:
            out += [_escaped(text[at:start]), f"<{tag}>{_escaped(text[start:end])}</{tag}>"]
            at = end
    return "".join([*out, _escaped(text[at:last])])


def _escaped(text: str) -> str:
    return escape(text, quote=False)
