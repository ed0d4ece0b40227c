"""The text of a snapshot: passages as CommonMark that a person can read in a diff, and back to the same passages.

Everything that CommonMark gives a meaning is escaped, so that whatever shows the file as Markdown shows plain text. One
sentence stands on a line. Headings bear the anchors of the page elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.source import Passage, PassageKind, Section
from mkdocs_cited.sources.passages import Builder, Document

_SPECIAL = re.compile(r"[\\`*_\[\]<>&|~{}$]")
_MEANT = re.compile(r"[\\`*_\[\]<&]")
"""What inline CommonMark begins with."""
_OPENER = re.compile(r"([#+\-=>:!])|(\d{1,9})([.)])")
"""What begins another block at the start of a line."""
_ANCHOR = re.compile(r" \{#([^\s{}]+)\}$")
_RUNS = re.compile("`+")
_UNSEEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]")
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""
_DEFINED = ": "
"""Starts the paragraph of a definition; its term is strong."""


def visible(text: str) -> str:
    """The text without characters that nobody sees: they could hide words from whoever reads the diff."""
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


def read(builder: Builder, text: str, first: int = 1) -> None:
    """Add the sections and passages of a snapshot's body to a document; `first` is the line that it begins on."""
    reader = _Reader(builder, first - 1)
    tokens = _BLOCKS.parse(text)
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        reader.read(token, following)


_BLOCKS = MarkdownIt("commonmark", {"html": False}).enable("table").disable("inline")
_INLINE = MarkdownIt("commonmark", {"html": False})


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
    return _lines(passage, _DEFINED if passage.kind is PassageKind.DEFINITION else "")


def _lines(passage: Passage, mark: str) -> str:
    """A passage with one sentence on a line, behind its mark."""
    text, spans = _seen(passage)
    if not text:
        return ""
    term = len(passage.lead) if mark == _DEFINED and passage.lead and text.startswith(f"{passage.lead} ") else 0
    starts = [term and term + 1]
    for start, _ in passage.sentences[1:] if text == passage.text else ():
        if start > starts[-1] and text[start - 1] == " " and not any(a < start < b for a, b in spans):
            starts.append(start)
    lines = [
        _opened(_prose(text[a:b].rstrip(" "), [(s - a, e - a) for s, e in spans if a <= s and e <= b]))
        for a, b in pairwise([*starts, len(text)])
    ]
    head = f"{mark}**{_prose(text[:term], ())}** " if term else mark
    indent = "" if mark in ("", _DEFINED) else " " * len(mark)
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


class _Reader:
    """Turns markdown-it's tokens into passages, in order."""

    def __init__(self, builder: Builder, offset: int) -> None:
        self.builder = builder
        self.offset = offset
        """Lines of the file above the text."""
        self.lists: list[PassageKind] = []
        self.own = False
        """Whether the paragraph of a list item is still to come."""
        self.lead = ""
        self.blocks = 0
        self.header: tuple[str, ...] | None = None
        """The cells of the table's first row, once it is read."""
        self.row: list[tuple[str, tuple[tuple[int, int], ...]]] = []
        self.lines = (0, 0)

    def read(self, token: Token, following: Token) -> None:
        """Read one token; `following` is the one behind it."""
        if token.map:
            self.lines = (token.map[0] + 1 + self.offset, max(token.map) + self.offset)
        match token.type:
            case "heading_open":
                self._heading(int(token.tag[1]), following)
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(PassageKind.STEP if token.type.startswith("ordered") else PassageKind.ITEM)
                self.blocks += 1
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.own = True
            case "paragraph_open":
                self._paragraph(following)
            case "fence":
                code, language = token.content.removesuffix("\n"), token.info.strip()
                first, last = self.lines[0] + 1, self.lines[1] - 1
                self.builder.add(PassageKind.CODE, code, lead=self.lead, language=language, lines=(first, last))
            case "table_open":
                self.header, self.blocks = None, self.blocks + 1
            case "th_open" | "td_open":
                self.row.append(_inline(following.content))
            case "tr_close":
                self._end_row()
            case _:
                pass

    def _heading(self, level: int, inline: Token) -> None:
        anchor = _ANCHOR.search(inline.content)
        title, _ = _inline(inline.content[: anchor.start()] if anchor else inline.content)
        self.builder.open_section(title, level, unquote(anchor[1]) if anchor else "")
        self.lead = ""

    def _paragraph(self, inline: Token) -> None:
        text, spans = _inline(inline.content)
        in_list, self.own = self.own and bool(self.lists), False
        if inline.content.startswith(_DEFINED):
            term = _term(inline.content)
            text, spans = text[len(_DEFINED) :], tuple((s - len(_DEFINED), e - len(_DEFINED)) for s, e in spans)
            self.builder.add(PassageKind.DEFINITION, text, lead=term, code_spans=spans, lines=self.lines)
        elif in_list:
            lead = self.lead
            self.builder.add(self.lists[-1], text, lead=lead, block=self.blocks, code_spans=spans, lines=self.lines)
        else:
            self.builder.add(PassageKind.PARAGRAPH, text, code_spans=spans, lines=self.lines)
            self.lead = text[-240:]

    def _end_row(self) -> None:
        row, self.row = self.row, []
        texts = tuple(text for text, _ in row)
        while texts and not texts[-1]:
            texts = texts[:-1]
        if self.header is None:
            self.header = texts
            return
        joined, spans = "", []
        for text, marked in row:
            if text:
                joined += " " if joined else ""
                spans += [(start + len(joined), end + len(joined)) for start, end in marked]
                joined += text
        lead = " | ".join(filter(None, self.header))
        self.builder.add(
            PassageKind.ROW, joined, lead=lead, block=self.blocks, cells=texts, header=self.header,
            code_spans=tuple(spans), lines=self.lines,
        )  # fmt: skip


def _inline(content: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text that a reader sees of a line or more, with the ranges of its inline code."""
    if not _MEANT.search(content):  # most lines, and parsing is slow
        return content.replace("\n", " "), ()
    text, spans = "", []
    for child in _INLINE.parseInline(content)[0].children or ():
        if child.type == "code_inline":
            spans.append((len(text), len(text) + len(child.content)))
            text += child.content
        elif child.type in ("softbreak", "hardbreak"):
            text += " "
        elif child.type in ("text", "text_special"):
            text += child.content
    return text, tuple(spans)


def _term(content: str) -> str:
    """The strong words that a definition begins with."""
    inside, words = False, ""
    for child in _INLINE.parseInline(content)[0].children or ():
        if child.type == "strong_open":
            inside = True
        elif child.type == "strong_close":
            return words
        elif inside:
            words += child.content
    return ""
