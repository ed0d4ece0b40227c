"""The marks of claims in a page's Markdown: `The TTL is 30 seconds [@../values.yaml#cache.ttl].`

A mark covers the sentence, list item or cell before it. Those in code and comments are left alone, as is whatever
cannot be a path, such as `[@somebody]`; in a heading, a title or raw HTML a mark is a finding. All claims of a page
together are one declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import SourceText
from mkdocs_cited.declarations.markers import hidden_ranges, is_indented_code
from mkdocs_cited.language.tokens import negates
from mkdocs_cited.model.address import is_mark
from mkdocs_cited.model.declaration import AUTHORED, Declaration, ProseClaim, Target
from mkdocs_cited.model.finding import Finding, Place, found

ID = "claims"
"""The id of the declaration: `guide/keys.md#claims`."""
SLOT = '<span data-cited-mark="{}"></span>'
"""Stands in the Markdown where a citation shall be shown."""
MOST = 2_000
"""Marks of one page."""
_NEAR = 300
"""Characters of each neighbour that are told with a claim."""

_MARK = re.compile(
    r"[ \t]*(?:\n[ \t>]*)?(?<!\\)\[@(?P<quiet>!?)(?P<target>[^\[\]\n]{1,500}?)[ \t]*(?:\n[ \t>]*)?\](?![(\[])"
)
_BREAK = re.compile(r"[ \t>]*(?:$|#{1,6}[ \t]|(?:!!!|\?\?\?\+?|===)[ \t]|```|~~~)")
"""Lines that belong to no paragraph: blank ones, headings, boxes, fences, raw HTML."""
_HEADING = re.compile(r"[ \t>]*(#{1,6})[ \t]+(.*?)[ \t#]*$")
_BOX = re.compile(r"[ \t>]*(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+(.*)")
"""Opens an admonition or a tab."""
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)]|:)[ \t]+")
_RULE = re.compile(r"[ \t>]*(?:-{2,}|={2,})[ \t]*")
"""Makes a heading of the line above."""
_DELIMITER = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\|?[ \t]*$")
_FOOTNOTE = r"\[\^[^\]\n]{1,100}\]"  # the author's own, which is no citation
_UNSHOWN = re.compile(r"</?[a-zA-Z][^<>\n]{0,500}>|\{ ?[:.#][^{}\n]{0,300}\}|<!--.{0,500}?-->")
_HIDING = re.compile(
    r"~~(?=[^\s~])|<(?:del|s|strike|script|template)\b|<[a-zA-Z][^<>\n]{0,500}\s(?:style|hidden)\b|\{[^{}\n]{0,300}\b(?:style|hidden)\b"
)
"""Markup by which readers see other words than the claim has."""
_POWER = re.compile(r"(?<=\d)<su[bp]>(?=[-+−]?\d)")
_CODE = re.compile(r"(`+[^`]*`+)")
_HTML_LINE = re.compile(
    r"[ \t]*<(?!span\b|kbd\b|code\b|em\b|strong\b|b\b|i\b|a\b|abbr\b|sup\b|sub\b|https?:)[a-zA-Z/!]"
)
_HAS_MARKDOWN = re.compile(r"\smarkdown\b")
"""What `md_in_html` asks of an element whose content is Markdown."""


class Marked(Struct, frozen=True):
    """A page with marks."""

    declaration: Declaration | None
    markdown: str
    """The page's Markdown with a slot for each claim that readers see cited, and without the marks."""
    findings: tuple[Finding, ...] = ()
    """Marks that cover no claim."""


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
    begin: int
    end: int
    target: str
    quiet: bool


class _Block(Struct, frozen=True):
    """A paragraph, item, cell or title."""

    start: int
    end: int
    is_item: bool = False
    label: str = ""
    """Of a cell: what its row and its column are called, `TTL, default: `; of an item: what denies it from above."""
    title: str = ""
    """Of what is no sentence: what it is."""
    over: tuple[str, ...] = ()
    """Headings of the page, boxes and tabs that it is in, and the head of its column, outermost first."""
    before: str = ""
    """The block before it under the same headings, or what leads into its list."""
    after: str = ""
    """The block behind it under the same headings."""


def read_prose(source: SourceText, markdown: str, *, page: str, locale: str, quiet: bool = False) -> Marked:
    """The marked claims of a page.

    Args:
        source: the page's file.
        markdown: the page's text as the plugins before us have left it, without front matter.
        page: its path under `docs_dir`.
        locale: its language.
        quiet: whether readers see nothing of any.
    """
    marks = list(_marks(markdown)) if "[@" in markdown else []
    if not marks:
        return Marked(None, markdown)
    places = _Places(source, markdown)
    texts: list[str] = []
    claims: list[ProseClaim] = []
    findings: list[Finding] = []
    slots: dict[int, str] = {}
    """End of each mark that covers a claim → what is there instead."""
    unread: dict[int, str] = {}
    """End of each other mark → what it is in."""
    for block in _blocks(markdown):
        inside = [mark for mark in marks[:MOST] if block.start <= mark.begin and mark.end <= block.end]
        behind = [mark for mark in inside if mark.start > block.start and not block.title]
        for text, start, covered in _claims(markdown, block, behind, locale) if behind else ():
            if markup := _HIDING.search(_CODE.sub("", text)):
                message = f"`{markup[0]}` strikes out or hides words of this claim: readers see another text"
                tip = "take out what is not so"
                findings.append(found("unsafe-markup", places.of(start, covered[-1]), message, tip=tip))
            hidden = quiet or all(mark.quiet for mark in covered)
            slots.update((mark.end, slots.get(mark.end, "")) for mark in covered)
            if not hidden:
                slots[covered[-1].end] = SLOT.format(len(texts))
            texts.append(text)
            around = _around(markdown, block, start, covered[-1].end)
            claims.append(ProseClaim(places.of(start, covered[-1]), hidden, around))
        unread.update((mark.end, block.title) for mark in inside)
    for mark in marks:
        if mark.end in unread and mark.end not in slots:
            where = f"stands in {unread[mark.end]}" if unread[mark.end] else "has no sentence before it"
            message = f"the citation `[@{mark.target}]` {where}, so that nothing is checked"
            tip = "put it behind a sentence that states the same, before the full stop"
            findings.append(found("invalid-declaration", places.of(mark.begin, mark), message, tip=tip))
    if len(marks) > MOST:
        message = f"this page has {len(marks):,} citations, of which {MOST:,} are checked"
        place = places.of(marks[MOST].begin, marks[MOST])
        findings.append(found("invalid-declaration", place, message, tip="share the text out over several pages"))
    declaration = None
    if texts:
        declaration = Declaration(
            page, ID, f"Claims of {page}", claims[0].place, locale, provider=AUTHORED, text="\n\n".join(texts),
            text_place=claims[0].place, target=Target.PROSE, prose=tuple(claims),
        )  # fmt: skip
    out, at = [], 0
    for mark in marks:
        if mark.end in slots:
            out += [markdown[at : mark.start], slots[mark.end]]
            at = mark.end
    named = tuple(replace(item, answer=f"{page}#{ID}") for item in findings)
    return Marked(declaration, "".join((*out, markdown[at:])), named)


def without_slots(markdown: str) -> str:
    """The Markdown without the slots of `read_prose`."""
    return re.sub(SLOT.format(r"\d+"), "", markdown)


def statements(markdown: str, locale: str) -> Iterator[Statement]:
    """What a page states and could mark: sentences, items and cells in order, without code, headings and raw HTML."""
    for block in _blocks(markdown):
        text, origins = _flat(markdown, block, ())
        for claim in split(text, locale) if not block.title else ():
            last = origins[claim.end - 1] + 1
            if "[@" not in markdown[origins[claim.start] : last + 3]:
                yield Statement(claim.text, origins[claim.start], last - (markdown[last - 1] in ".!?"))


def _marks(markdown: str) -> Iterator[_Mark]:
    """What can be a mark, outside of inline code and comments."""
    hidden = hidden_ranges(markdown, 0)
    for match in _MARK.finditer(markdown):
        if not is_mark(match["target"]):
            continue
        at = match.end() - 1
        before, after = markdown[markdown.rfind("\n", 0, at) + 1 : at], markdown[match.end() :].partition("\n")[0]
        code = before.count("`") % 2 and "`" in after
        defines = after.startswith(":") and before.lstrip().startswith("[@")  # a link
        if not code and not defines and not any(start <= at < end for start, end, _ in hidden):
            yield _Mark(match.start(), markdown.rindex("[@", 0, at), match.end(), match["target"], bool(match["quiet"]))


def _blocks(markdown: str) -> Iterator[_Block]:
    """The paragraphs, items, cells and titles of a page in order, without code and raw HTML."""
    pieces = list(_pieces(markdown))
    lead = ""
    for number, block in enumerate(pieces):
        near = [pieces[at] if 0 <= at < len(pieces) else None for at in (number - 1, number + 1)]
        before, after = (
            markdown[item.start : item.end].strip() if item and item.over == block.over else "" for item in near
        )
        label = block.label
        if not block.is_item:
            lead = markdown[block.start : block.end].strip()
        elif lead.endswith((":", "：")):
            before = lead
            label = f"{lead} " if negates(lead) else label
        yield replace(block, label=label, before=before[-_NEAR:], after=after[:_NEAR])


def _around(markdown: str, block: _Block, start: int, end: int) -> str:
    """What a reader has around a claim on its page, as Markdown; no more than `_NEAR` characters of a neighbour, and
    nothing of one behind it that has a mark of its own."""
    own = markdown[max(block.start, start - _NEAR) : min(block.end, end + _NEAR)]
    heads = [f"{'#' * min(level, 6)} {text}" for level, text in enumerate(block.over, 1)]
    after = "" if _MARK.search(block.after) else block.after
    return _MARK.sub("", "\n\n".join(filter(None, (*heads, block.before, f"{'- ' * block.is_item}{own}", after))))


def _pieces(markdown: str) -> Iterator[_Block]:
    hidden = hidden_ranges(markdown, 0)[::-1]
    block: _Block | None = None
    head: list[str] | None = None
    raw, above, end = False, "", -1
    over = _Over()
    for line in markdown.split("\n"):
        before, start = end, end + 1
        end = start + len(line)
        while hidden and hidden[-1][1] <= start:
            hidden.pop()
        html = _HTML_LINE.match(line)
        broken = _BREAK.match(line)
        covered = bool(hidden and hidden[-1][0] <= start)
        if not covered:
            over.read(line)
        if html or broken or covered:
            if block:
                yield block
            block, head = None, None
            raw = bool(html and not _HAS_MARKDOWN.search(line)) or (raw and bool(line.strip(" \t>")))
            if "[@" in line and (raw or broken) and not is_indented_code(markdown, 0, start):
                title = "a heading" if line.lstrip(" \t>").startswith("#") else "the title of a box or tab"
                yield _Block(start, end, title="raw HTML" if raw else title)
        elif block and _RULE.fullmatch(line):
            over.head(2 - ("=" in line), markdown[block.start : block.end], line)
            yield replace(block, title="a heading")
            block = None
        elif block and "|" in above + line and "-" in line and _DELIMITER.match(line):
            if block.start < before - len(above):
                yield replace(block, end=before - len(above) - 1)
            yield _Block(before - len(above), before, title="the head of a table")
            block, head = None, _cells(above)
        elif head is not None and "|" in line:
            yield from _row(line, start, head, over.texts)
        elif item := _ITEM.match(line):
            if block:
                yield block
            block = _Block(start + item.end(), end, is_item=True, over=over.texts)
        elif block:
            block = replace(block, end=end)
        elif raw and "[@" in line:
            yield _Block(start, end, title="raw HTML")
        elif not raw and not is_indented_code(markdown, 0, start):
            block = _Block(start, end, over=over.texts)
        above = line
    if block:
        yield block


class _Over:
    """The headings, boxes and tabs that a line is under."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int, str]] = []
        """Indent, level of a heading or 0, text."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Outermost first."""
        return tuple(text for _, _, text in self._open)

    def read(self, line: str) -> None:
        """Go on to the next line of the page."""
        indent = _indent(line)
        if line.strip():
            self._open = [item for item in self._open if item[1] or item[0] < indent]
        if heading := _HEADING.match(line):
            self.head(len(heading[1]), heading[2], line)
        elif box := _BOX.match(line):
            self._open.append((indent, 0, " ".join(box[1].replace('"', " ").split())))

    def head(self, level: int, text: str, line: str) -> None:
        """Go below a heading, which ends all of its level."""
        self._open = [item for item in self._open if not item[1] or item[1] < level]
        self._open.append((_indent(line), level, " ".join(text.split())))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _row(line: str, start: int, head: Sequence[str], over: tuple[str, ...]) -> Iterator[_Block]:
    """The cells of a table's row that hold something."""
    bars = [match.start() for match in re.finditer(r"(?<!\\)\|", line)]
    edges = [-1, *bars, len(line)] if line[: bars[0]].strip(" \t>") else [*bars, len(line)]
    name = _cells(line)[0]
    for column, (first, last) in enumerate(pairwise(edges)):
        if line[first + 1 : last].strip():
            label = ", ".join(filter(None, (name, head[column] if column < len(head) else ""))) if column else ""
            above = (*over, *([name] if column else ()), *head[column : column + 1])
            yield _Block(start + first + 1, start + last, label=f"{label}: " if label else "", over=above)


def _cells(row: str) -> list[str]:
    """What is in a row of a table, without marks."""
    text = re.sub(_FOOTNOTE, "", _MARK.sub("", row)).strip(" \t>").removeprefix("|")
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
            label = block.label if block.is_item or not states(claim.text, locale) else ""
            said = f"{'- ' * block.is_item}{label}{text[start : claim.end]}"
            named = {f"[^{number}]": f"[@{mark.target}]" for number, mark in enumerate(marks, 1)}
            parts = re.split(r"(\[\^\d+\])", said)
            cited = "".join(named.get(part, "") if number % 2 else part for number, part in enumerate(parts))
            yield _as_shown(cited), origins[start], covered


def _as_shown(text: str) -> str:
    """The text without tags and attribute lists, which code keeps."""
    parts = _CODE.split(text)
    for number in range(0, len(parts), 2):
        plain = _POWER.sub("^", parts[number])
        parts[number] = _UNSHOWN.sub(lambda match: match[0] if _HIDING.match(match[0]) else "", plain)
    return re.sub(r" {2,}", " ", "".join(parts))


def _flat(markdown: str, block: _Block, marks: Sequence[_Mark]) -> tuple[str, list[int]]:
    """The block on one line, with numbers for its marks, and the offset of each character in the Markdown."""
    chars: list[str] = ["-", " "] if block.is_item else []
    origins = [block.start] * len(chars)
    at = block.start
    for number, mark in enumerate([*marks, None], 1):
        for line in re.finditer(r"[^\n]+", markdown[at : mark.start if mark else block.end]):
            opens = line.start() or at == block.start
            begin = len(line[0]) - len(line[0].lstrip(" \t>")) if opens else 0
            if chars and chars[-1] != " " and line.start():
                chars.append(" ")
                origins.append(at + line.start())
            for part in re.finditer(rf"(?:(?!{_FOOTNOTE}).)+", line[0][begin:]):
                chars += part[0]
                origins += range(at + line.start() + begin + part.start(), at + line.start() + begin + part.end())
        if mark:
            written = f" [^{number}]"
            chars += written
            origins += [mark.start] * len(written)
            at = mark.end
    return "".join(chars), origins


class _Places:
    """Where the page's Markdown is in its file; what other plugins made of it is looked up mark by mark."""

    def __init__(self, source: SourceText, markdown: str) -> None:
        self.source = source
        whole = markdown.strip("\n")
        self.whole = source.text.find(whole)
        self.by = self.whole - markdown.find(whole)
        self.at = 0

    def of(self, start: int, mark: _Mark) -> Place:
        if self.whole >= 0:
            return self.source.place(start + self.by)
        at = self.source.text.find(f"{mark.target}]", self.at)
        if at < 0:
            return Place(self.source.file)
        self.at = at + 1
        return self.source.place(at)
