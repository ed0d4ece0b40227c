"""The marks of claims in a page's Markdown: `The TTL is 30 seconds [@../values.yaml#cache.ttl].`

A mark covers the sentence, list item or cell before it. Those in code, comments and raw HTML are left alone, as is
whatever cannot be a path, such as `[@somebody]`. All claims of a page together are one declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.declarations.markers import hidden_ranges, is_indented_code
from mkdocs_cited.declarations.source_text import SourceText
from mkdocs_cited.model.declaration import AUTHORED, Declaration, ProseClaim, Target
from mkdocs_cited.model.finding import Place

ID = "claims"
"""The id of the declaration: `guide/keys.md#claims`."""
SLOT = '<span data-cited-mark="{}"></span>'
"""Stands in the Markdown where a citation shall be shown."""
MOST = 2_000
"""Marks of one page."""
_LOOK_BACK = 20_000
"""Characters above a line in which the head of its table, or the block that holds it, is looked for."""

_MARK = re.compile(r"[ \t]*(?:\n[ \t>]*)?\[@(?P<quiet>!?)(?P<target>[^\[\]\n]{1,500})\](?![(\[:])")
_PATH = re.compile(r"@?!?(?:[^\s#;@]*\.[\w-]{1,20})?(?:#[^\s;]{1,300})?")
_BREAK = re.compile(r"[ \t>]*(?:$|#{1,6}[ \t]|(?:!!!|\?\?\?\+?|===)[ \t]|```|~~~)")
"""Lines that belong to no paragraph: blank ones, headings, boxes, fences, raw HTML."""
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)]|:)[ \t]+")
_PREFIX = re.compile(r"[ \t>]*")
_DELIMITER = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\|?[ \t]*$")
_UNSHOWN = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>|\{ ?[:.#][^{}\n]{0,300}\}")
_HTML_LINE = re.compile(
    r"[ \t]*<(?!span\b|kbd\b|code\b|em\b|strong\b|b\b|i\b|a\b|abbr\b|sup\b|sub\b|https?:)[a-zA-Z/!]"
)


_HAS_MARKDOWN = re.compile(r"\smarkdown\b")
"""What `md_in_html` asks of an element whose content is Markdown."""


class Marked(Struct, frozen=True):
    """A page with marks."""

    declaration: Declaration
    markdown: str
    """The page's Markdown with a slot for each claim that readers see cited, and without the marks."""


class Statement(Struct, frozen=True):
    """A sentence, item or cell without a mark."""

    text: str
    start: int
    """Offset in the Markdown."""
    stop: int
    """Where a mark for it goes: before its full stop."""


class _Mark(Struct, frozen=True):
    start: int
    """Offset of the white space before it."""
    end: int
    target: str
    quiet: bool


class _Block(Struct, frozen=True):
    """The paragraph, item or cell that holds a mark."""

    start: int
    end: int
    is_item: bool
    label: str = ""
    """Of a cell: what its row and its column are called, `TTL, default: `."""


def read_prose(source: SourceText, markdown: str, *, page: str, locale: str, quiet: bool = False) -> Marked | None:
    """The marked claims of a page; None where it has none.

    Args:
        source: the page's file.
        markdown: the page's text as the plugins before us have left it, without front matter.
        page: its path under `docs_dir`.
        locale: its language.
        quiet: whether readers see nothing of any.
    """
    marks = list(_marks(markdown)) if "[@" in markdown else []
    if not marks:
        return None
    places = _Places(source, markdown)
    texts: list[str] = []
    claims: list[ProseClaim] = []
    slots: dict[int, str] = {}
    """End of each mark that covers a claim → what stands there instead."""
    for block, inside in _blocks(markdown, marks):
        for text, start, covered in _claims(markdown, block, inside, locale):
            hidden = quiet or all(mark.quiet for mark in covered)
            slots.update((mark.end, slots.get(mark.end, "")) for mark in covered)
            if not hidden:
                slots[covered[-1].end] = SLOT.format(len(texts))
            texts.append(text)
            claims.append(ProseClaim(places.of(start, covered[-1]), hidden))
    if not texts:
        return None
    declaration = Declaration(
        page, ID, f"Claims of {page}", claims[0].place, locale, provider=AUTHORED, text="\n\n".join(texts),
        text_place=claims[0].place, target=Target.PROSE, prose=tuple(claims),
    )  # fmt: skip
    out, at = [], 0
    for mark in marks:
        if mark.end in slots:
            out += [markdown[at : mark.start], slots[mark.end]]
            at = mark.end
    return Marked(declaration, "".join((*out, markdown[at:])))


def without_slots(markdown: str) -> str:
    """The Markdown without the slots of `read_prose`."""
    return re.sub(SLOT.format(r"\d+"), "", markdown)


def statements(markdown: str, locale: str) -> Iterator[Statement]:
    """What a page states and could mark: sentences, items and cells in order, without code, headings and raw HTML."""
    hidden = hidden_ranges(markdown, 0)
    seen: set[tuple[int, int]] = set()
    at = 0
    while at < len(markdown):
        end = _line_end(markdown, at)
        inside = any(start <= at < stop for start, stop, _ in hidden) or _BREAK.match(markdown[at:end])
        if not inside and not _in_code(markdown, end):
            row = _is_row(markdown, at, end) and not _DELIMITER.match(markdown[at:end])
            ends = [m.start() + at for m in re.finditer(r"(?<!\\)\|", markdown[at:end])] if row else [end]
            for stop in ends:
                block = _block(markdown, _Mark(stop, stop, "", quiet=False)) if markdown[at:end].strip() else None
                if block and (block.start, block.end) not in seen:
                    seen.add((block.start, block.end))
                    yield from _stated(markdown, block, locale)
        at = end + 1


def _stated(markdown: str, block: _Block, locale: str) -> Iterator[Statement]:
    text, origins = _flat(markdown, block, ())
    for claim in split(text, locale):
        last = origins[claim.end - 1] + 1
        if "[@" not in markdown[origins[claim.start] : last + 3]:
            stop = last - (markdown[last - 1] in ".!?")
            yield Statement(claim.text, origins[claim.start], stop)


def _in_code(markdown: str, at: int) -> bool:
    """Whether a place stands in inline or indented code."""
    line = markdown.rfind("\n", 0, at) + 1
    before, after = markdown[line:at], markdown[at:].partition("\n")[0]
    if before.count("`") % 2 and "`" in after:
        return True
    indent = before[: len(before) - len(before.lstrip(" \t>"))]
    width = 0 if ">" in indent else len(indent.expandtabs(4))
    return is_indented_code(markdown, max(0, line - _LOOK_BACK), line, width)


def _marks(markdown: str) -> Iterator[_Mark]:
    hidden = hidden_ranges(markdown, 0)
    for number, match in enumerate(_MARK.finditer(markdown)):
        parts = match["target"].split(";")
        if number >= MOST or not all(_PATH.fullmatch(part.strip()) and part.strip(" @!") for part in parts):
            continue
        at = match.end() - 1
        if not _in_code(markdown, at) and not any(start <= at < end for start, end, _ in hidden):
            yield _Mark(match.start(), match.end(), match["target"], bool(match["quiet"]))


def _blocks(markdown: str, marks: Sequence[_Mark]) -> Iterator[tuple[_Block, list[_Mark]]]:
    """The blocks that hold marks, in order, with their marks; none for marks in headings and raw HTML."""
    found: dict[tuple[int, int], tuple[_Block, list[_Mark]]] = {}
    for mark in marks:
        block = _block(markdown, mark)
        if block is not None:
            found.setdefault((block.start, block.end), (block, []))[1].append(mark)
    return iter(found.values())


def _block(markdown: str, mark: _Mark) -> _Block | None:
    first = markdown.rfind("\n", 0, mark.start) + 1
    lines_end = _line_end(markdown, mark.end)
    line = markdown[first:lines_end]
    if _HTML_LINE.match(line) or re.match(r"[ \t>]*#{1,6}[ \t]", line):
        return None
    if _is_row(markdown, first, lines_end):
        return _cell(markdown, first, lines_end, mark)
    start = first
    while start > 0 and not _ITEM.match(markdown[start:]):
        above = markdown.rfind("\n", 0, start - 1) + 1
        text = markdown[above : start - 1]
        if _HTML_LINE.match(text) and not _HAS_MARKDOWN.search(text):
            return None
        if _BREAK.match(text) or _HTML_LINE.match(text):
            break
        start = above
    end = lines_end
    while end < len(markdown):
        below = _line_end(markdown, end + 1)
        text = markdown[end + 1 : below]
        if _BREAK.match(text) or _ITEM.match(text):
            break
        end = below
    item = _ITEM.match(markdown[start:end])
    return _Block(start + (item.end() if item else 0), end, item is not None)


def _is_row(markdown: str, first: int, end: int) -> bool:
    """Whether a line is a row of a table: some line above it, without a blank one between, rules off its head."""
    if "|" not in markdown[first:end]:
        return False
    above = markdown[max(0, first - _LOOK_BACK) : first].rstrip("\n").split("\n")
    for line in reversed(above):
        if "|" not in line and not _DELIMITER.match(line):
            return False
        if _DELIMITER.match(line) and "-" in line:
            return True
    return False


def _cell(markdown: str, first: int, end: int, mark: _Mark) -> _Block:
    """The cell that a mark stands in."""
    bars = [m.start() + first for m in re.finditer(r"(?<!\\)\|", markdown[first:end])]
    start = max([bar + 1 for bar in bars if bar < mark.start], default=first)
    stop = min([bar for bar in bars if bar >= mark.end], default=end)
    above = markdown[max(0, first - _LOOK_BACK) : first].split("\n")
    ruled = next(
        number for number in range(len(above) - 1, -1, -1) if "-" in above[number] and _DELIMITER.match(above[number])
    )
    row, head = _cells(markdown[first:end]), _cells(above[ruled - 1]) if ruled else []
    column = len(_cells(f"{markdown[first:start]}x")) - 1
    label = ", ".join(filter(None, (row[0] if column else "", head[column] if column < len(head) else "")))
    return _Block(start, stop, False, f"{label}: " if label and column else "")


def _cells(row: str) -> list[str]:
    """What stands in a row of a table, without marks."""
    text = _MARK.sub("", row).strip(" \t>").removeprefix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", text)]


def _claims(
    markdown: str, block: _Block, marks: Sequence[_Mark], locale: str
) -> Iterator[tuple[str, int, tuple[_Mark, ...]]]:
    """The claims of a block that marks cover: text with citations, offset in the Markdown, marks."""
    text, origins = _flat(markdown, block, marks)
    for claim in split(text, locale):
        covered = tuple(marks[sid - 1] for sid in claim.sids if sid <= len(marks))
        if covered:
            start = len(text[: claim.start].rstrip("`*_~["))  # what opens the markup that the claim begins with
            label = "" if states(claim.text, locale) else block.label
            said = f"{'- ' * block.is_item}{label}{text[start : claim.end]}"
            cited = re.sub(r"\[\^(\d+)\]", lambda match: f"[@{marks[int(match[1]) - 1].target}]", said)
            yield _as_shown(cited), origins[start], covered


def _as_shown(text: str) -> str:
    """The text without tags and attribute lists, which code keeps."""
    parts = re.split(r"(`+[^`]*`+)", text)
    shown = "".join(part if number % 2 else _UNSHOWN.sub("", part) for number, part in enumerate(parts))
    return re.sub(r" {2,}", " ", shown)


def _flat(markdown: str, block: _Block, marks: Sequence[_Mark]) -> tuple[str, list[int]]:
    """The block on one line, with numbers for its marks, and the offset of each character in the Markdown."""
    chars: list[str] = ["-", " "] if block.is_item else []
    origins = [block.start] * len(chars)
    at = block.start
    for number, mark in enumerate([*marks, None], 1):
        for line in re.finditer(r"[^\n]+", markdown[at : mark.start if mark else block.end]):
            skip = _PREFIX.match(line[0])
            begin = skip.end() if skip and (line.start() or at == block.start) else 0
            if chars and chars[-1] != " " and line.start():
                chars.append(" ")
                origins.append(at + line.start())
            chars += line[0][begin:]
            origins += range(at + line.start() + begin, at + line.end())
        if mark:
            written = f" [^{number}]"
            chars += written
            origins += [mark.start] * len(written)
            at = mark.end
    return "".join(chars), origins


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


class _Places:
    """Where the page's Markdown stands in its file; what other plugins made of it is looked up mark by mark."""

    def __init__(self, source: SourceText, markdown: str) -> None:
        self.source = source
        whole = markdown.strip("\n")
        self.whole = source.text.find(whole)
        self.by = self.whole - markdown.find(whole)
        self.at = 0

    def of(self, start: int, mark: _Mark) -> Place:
        if self.whole >= 0:
            return self.source.place(start + self.by)
        found = self.source.text.find(f"{mark.target}]", self.at)
        if found < 0:
            return Place(self.source.file)
        self.at = found + 1
        return self.source.place(found)
