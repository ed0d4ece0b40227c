"""From a page's HTML to its passages: what a reader sees, cut where it can be cited.

How HTML is parsed and cleaned lives in `dom`; how passages get their ids, in `passages`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborNode

from mkdocs_cited.base.html import offset
from mkdocs_cited.base.text import slugify
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.source import (
    NOTED,
    Element,
    Page,
    Passage,
    PassageKind,
    Section,
)
from mkdocs_cited.sources.dom import (
    BLOCKS,
    HEADINGS,
    Shown,
    classes,
    code_blocks,
    code_language,
    code_text,
    holds_block,
    is_code_box,
    joined,
    parse,
    shown,
)  # fmt: skip
from mkdocs_cited.sources.passages import Builder, Document, in_site

LINES = "data-cited-lines"
"""Attribute that names the first and last line of an element in its file."""
VERSION = "15"
"""Changes whenever the same HTML may give other passages: part of the index's key."""

_LINES = re.compile(r"(\d{1,7}) (\d{1,7})")
_LONGEST_LEAD = 240
_INNER_END = re.compile("[.!?] |[。！？].")
_LONGEST_LINKS = 500
_BOX = "the title of a box or tab"
_LISTS = {"ul": PassageKind.ITEM, "menu": PassageKind.ITEM, "ol": PassageKind.STEP}


def extract(page: Page, html: str) -> tuple[Passage, ...]:
    """The passages of a rendered page, in page order, with their sentences. Never raises on malformed HTML."""
    return read(page, html).passages


class Marked(Struct, frozen=True):
    """A passage with marks in it."""

    position: int
    """Of the passage."""
    marks: tuple[tuple[int, int], ...]
    """Offset in the passage's text, and number, of each of its marks."""
    powers: tuple[tuple[int, int], ...] = ()
    """Offsets in the text of what is set as a power: `10<sup>6</sup>`."""


class MarkedDocument(Struct, frozen=True):
    """A page with its marks."""

    document: Document
    marked: tuple[Marked, ...]
    elsewhere: Mapping[int, str]
    """Number of each mark in what is no passage → what that is, in words; empty where it has no text."""


def read_marked(page: Page, html: str) -> MarkedDocument:
    """The passages of a rendered page, and the marks in it, each an element that has the attribute `MARK`."""
    builder = Builder(page)
    root = parse(html)
    if root is None:
        return MarkedDocument(builder.document(), (), {})
    walk = _Walk(builder, root, lined=False)
    walk.run()
    return MarkedDocument(builder.document(), tuple(walk.marked), walk.elsewhere)


def read(page: Page, html: str, *, lined: bool = False) -> Document:
    """The sections and passages of a rendered page; `lined` where elements name the lines of the text that they were
    made of, and a heading's id is made of its words."""
    builder = Builder(page)
    root = parse(html, whole=lined)
    if root is not None:
        _Walk(builder, root, lined=lined).run()
    return builder.document()


_NOTHING = Shown("")


@dataclass(slots=True)
class _Frame:
    """An element whose children are being read."""

    node: LexborNode | None
    """The next child."""
    kind: PassageKind = PassageKind.PARAGRAPH
    """What its own text is, as long as `own` holds; in a list, what its items are."""
    number: int = 0
    """Of a list: how many items were read; of an item: which it is."""
    own: bool = False
    """Whether its first text is still to come: an item's or definition's, whose later texts are paragraphs."""
    lead: str = ""
    block: int = 0
    opener: str = ""
    """The paragraph directly before, which may open a list or code."""
    terms: Shown = _NOTHING
    """In a definition list: the terms that wait for their definition."""
    labels: tuple[str, ...] = ()
    """What a reader sees over what is in it: see `Passage.labels`."""
    tabs: tuple[str, ...] = ()
    """In a set of content tabs: the labels of those that are still to come."""
    tab_set: bool = False
    closed: bool = False
    """Whether it is in a content tab that is not the first of its set."""
    titled: bool = False
    """Whether the title of an admonition may still come."""
    title: str = ""
    """The title that its author gave the admonition around it."""
    kinds: tuple[str, ...] = ()
    """The classes of an admonition: a title that is one of them says nothing."""
    first: int = 0
    """Of an admonition: how many passages are before it."""
    inline: list[LexborNode] = field(default_factory=list)
    """What flows together, until the next block."""


class _Walk:
    """Reads a tree in document order, with a stack of its own: no depth of nesting exhausts Python's."""

    def __init__(self, builder: Builder, root: LexborNode, *, lined: bool) -> None:
        self.builder = builder
        self.lined = lined
        self.lines = (0, 0)
        """Of what is being read."""
        self.blocks = 0
        self.node: LexborNode | None = None
        """The element of what is being read."""
        self.silent = False
        """Whether the section being read is left out of everything."""
        self.footnotes: dict[str, Section] = {}
        """Id of a footnote → the section of its first mark."""
        self.abbreviations: dict[tuple[str, str], Section] = {}
        """Short and long form → the section of its first use."""
        self.notes = {
            item.id or "": shown(item).text for item in root.css(".footnote li[id]")
        }
        """Id of each footnote → its text."""
        self.stack = [_Frame(root.first_child)]
        self.marked: list[Marked] = []
        self.elsewhere: dict[int, str] = {}

    def run(self) -> None:
        while self.stack:
            frame = self.stack[-1]
            node = frame.node
            if node is None:
                self._flush(frame)
                self.stack.pop()
                if (
                    frame.kinds
                    and frame.title
                    and frame.first == len(self.builder.passages)
                ):
                    # A box without a text: its title is all that it says.
                    kind = frame.labels[-1].partition(": ")[0]
                    self._add(
                        PassageKind.PARAGRAPH,
                        Shown(frame.title),
                        labels=(*frame.labels[:-1], kind),
                    )
                continue
            frame.node = node.next
            tag = node.tag or ""
            if tag in BLOCKS:
                self._flush(frame)
                self._block(frame, node, tag)
            # each is before its tab, where not all are together
            elif tag == "label" and frame.tab_set:
                frame.tabs = (self._title(node, _BOX),)
            elif tag == "-text" or not holds_block(node):
                frame.inline.append(node)
            else:
                self._flush(frame)
                self._box(frame, node)
        self.node = None
        for (short, long), section in self.abbreviations.items():
            if short and short != long:
                self._add(
                    PassageKind.DEFINITION,
                    Shown(f"{short}: {long}"),
                    lead=short,
                    section=section,
                )

    def _shown(self, *nodes: LexborNode) -> Shown:
        """What a reader sees of nodes, whose footnotes and abbreviations are remembered."""
        text = shown(*nodes)
        for mark in text.marks:
            if mark.kind == "footnote":
                self.footnotes.setdefault(mark.to.lstrip("#"), self.builder.section)
            elif mark.kind == "abbreviation":
                self.abbreviations.setdefault(
                    (text.text[mark.start : mark.end], mark.name), self.builder.section
                )
        return text

    def _block(self, frame: _Frame, node: LexborNode, tag: str) -> None:
        """Read one block; those that hold others are put on the stack."""
        self._place(node)
        self.node = node
        if tag == "p" and not holds_block(node):
            first, frame.titled = frame.titled, False
            if first and "admonition-title" in classes(node):
                self._titled(frame, self._title(node, _BOX))
            else:
                self._text(frame, self._shown(node))
            return
        if tag in HEADINGS:
            self._heading(node, tag)
        elif tag == "pre":
            self._code(frame, node)
        elif tag in _LISTS:
            self._group(frame, node, _LISTS[tag])
        elif tag == "li":
            frame.number += 1
            self._push(frame, node, kind=frame.kind, own=True, number=frame.number)
        elif tag == "dl":
            self._group(frame, node, PassageKind.DEFINITION)
        elif tag == "dt":
            frame.terms = joined((frame.terms, self._shown(node)))
        elif tag == "dd":
            self._push(
                frame,
                node,
                kind=PassageKind.DEFINITION,
                own=True,
                terms=frame.terms,
                lead=frame.terms.text,
            )
            frame.terms = _NOTHING
        elif (
            tag == "table"
            and not is_code_box(classes(node))
            and node.css_first("table table, h1, h2, h3") is None
        ):
            self._table(frame, node)
        elif tag == "summary":
            self._titled(frame, self._title(node, _BOX))
        else:
            self._division(frame, node, tag)
        frame.opener = ""

    def _place(self, node: LexborNode) -> None:
        match = (
            _LINES.fullmatch(node.attributes.get(LINES) or "") if self.lined else None
        )
        if match:
            self.lines = (int(match[1]), int(match[2]))

    def _division(self, frame: _Frame, node: LexborNode, tag: str) -> None:
        """A box: most only hold others, some give what they hold a title."""
        names = classes(node)
        if is_code_box(names):
            title, blocks = code_blocks(node)
            for pre in blocks:
                # Scripts of themes give `pre` an id of their own.
                self.node = node if len(blocks) == 1 else pre
                self._code(frame, pre, title)
        elif "footnote" in names:
            self._footnotes(node)
        elif tag == "details" or "admonition" in names:
            self._group(frame, node, None)
        elif "tabbed-labels" in names:
            # They are before the blocks they name, in the same set.
            frame.tabs = tuple(self._title(label, _BOX) for label in node.css("label"))
        elif "tabbed-content" in names and any(
            "tabbed-block" in classes(inner) for inner in node.iter()
        ):
            self._box(frame, node).tabs = frame.tabs
        elif frame.tabs and ("tabbed-block" in names or "tabbed-content" in names):
            label, *rest = frame.tabs
            frame.tabs = tuple(rest)
            inner = self._box(frame, node)
            inner.closed = frame.closed or _follows_another(node, names)
            inner.labels = (*inner.labels, *_announced(inner), label)
            inner.lead, inner.opener = f"{_lead(inner)} {label}".strip(), ""
        else:
            self._box(frame, node).tab_set = "tabbed-set" in names

    def _box(self, frame: _Frame, node: LexborNode) -> _Frame:
        """An element that only holds others: what it holds is as if it were in the frame."""
        kind = frame.kind if frame.own else PassageKind.PARAGRAPH
        inner = self._push(frame, node, kind=kind, own=frame.own, terms=frame.terms)
        inner.opener, inner.number = frame.opener, frame.number
        frame.own, frame.terms = False, _NOTHING
        return inner

    def _group(self, frame: _Frame, node: LexborNode, kind: PassageKind | None) -> None:
        """A list, definition list or admonition: what it holds belongs together."""
        self.blocks += 1
        inner = self._push(frame, node, kind=kind or PassageKind.PARAGRAPH)
        inner.block, inner.lead, inner.titled = self.blocks, _lead(frame), kind is None
        inner.labels = (
            *frame.labels,
            *(_announced(frame) if kind is None else _opening(frame)),
        )
        if kind is None:
            inner.kinds, inner.first = classes(node), len(self.builder.passages)
            inner.labels = (
                *inner.labels,
                " ".join(name for name in inner.kinds if name != "admonition"),
            )

    def _titled(self, frame: _Frame, title: str) -> None:
        """An admonition has a title; one that only names its kind says nothing to those who see no box."""
        frame.lead = title or frame.lead
        frame.title = "" if title.casefold() in frame.kinds else title
        if frame.title and frame.labels:
            frame.labels = (
                *frame.labels[:-1],
                ": ".join(filter(None, (frame.labels[-1], title))),
            )

    def _push(self, frame: _Frame, node: LexborNode, **changes: Any) -> _Frame:
        """Read what is in an element next, under what its frame is under but for the changes."""
        inherited: dict[str, Any] = {
            "lead": frame.lead,
            "block": frame.block,
            "title": frame.title,
            "labels": frame.labels,
            "closed": frame.closed,
        }
        self.stack.append(_Frame(node.first_child, **inherited | changes))
        return self.stack[-1]

    def _flush(self, frame: _Frame) -> None:
        """Text that was in a box without a paragraph of its own is one."""
        nodes, frame.inline = frame.inline, []
        if nodes:
            self.node = nodes[0].parent
            self._text(frame, self._shown(*nodes))

    def _text(self, frame: _Frame, text: Shown) -> None:
        if not text.text:
            self._note(text, "")
            return
        if frame.own:
            frame.own = False
            self._own_text(frame, text)
        else:
            self._add(
                PassageKind.PARAGRAPH,
                text,
                lead=frame.lead,
                block=frame.block,
                title=frame.title,
                labels=(*frame.labels, *_announced(frame)),
            )
        frame.opener = text.text

    def _own_text(self, frame: _Frame, text: Shown) -> None:
        """The first text of an item or definition; what follows in it is read under it."""
        if frame.kind is PassageKind.DEFINITION:
            lead = frame.terms.text or frame.lead
            self._add(
                frame.kind,
                joined((frame.terms, text)),
                lead=lead,
                block=frame.block,
                labels=frame.labels,
            )
            frame.labels = (*frame.labels, lead)
        else:
            self._add(
                frame.kind,
                text,
                lead=frame.lead,
                block=frame.block,
                title=frame.title,
                labels=frame.labels,
                number=frame.number if frame.kind is PassageKind.STEP else 0,
            )
            frame.lead = _shortened(text.text)
            frame.labels = (*frame.labels, frame.lead)

    def _heading(self, node: LexborNode, tag: str) -> None:
        inner = node.css_first("[id]") if not node.id else None
        heading = shown(node)
        title = f"~~{heading.text}~~" if heading.ranges("struck") else heading.text
        made = ""
        if self.lined:
            made = slugify(title, fallback="section")
        anchor = node.id or (inner.id if inner is not None else None) or made
        self.builder.open_section(title, int(tag[1]), anchor)
        # its footnotes belong to the section that it opens
        self._title(node, "a heading")
        # Material's tag listings are under headings made of tags; they repeat the titles of other pages.
        self.silent = (
            "data-search-exclude" in node.attributes
            or node.css_first(".md-tag") is not None
        )

    def _code(self, frame: _Frame, pre: LexborNode, title: str = "") -> None:
        if self.lined and (inner := pre.css_first("code")) is not None:
            self._place(inner)
        self._add(
            PassageKind.CODE,
            Shown(code_text(pre)),
            lead=f"{_lead(frame)} {title}".strip(),
            block=frame.block,
            language=code_language(pre),
            title=title,
            labels=(*frame.labels, *_opening(frame)),
        )

    def _table(self, frame: _Frame, table: LexborNode) -> None:
        self.blocks += 1
        header: tuple[str, ...] = ()
        caption = table.css_first("caption")
        lead = (
            self._title(caption, "the caption of a table")
            if caption is not None
            else _lead(frame)
        )
        labels = (
            *frame.labels,
            *_opening(frame),
            *([lead] if caption is not None else ()),
        )
        rows = [
            (row, [cell for cell in row.iter() if cell.tag in ("td", "th")])
            for row in table.css("tr")
        ]
        for number, (row, cells) in enumerate(rows):
            self._place(row)
            self.node = row
            texts = [self._shown(cell) for cell in cells]
            if not header and len(rows) > number + 1 and _is_header(row, cells):
                header = tuple(text.text for text in texts)
                self._note(joined(texts), "the head of a table")
                continue
            self._add(
                PassageKind.ROW,
                joined(texts),
                lead=" | ".join(filter(None, header)) or lead,
                block=self.blocks,
                cells=tuple(text.text for text in texts),
                header=header,
                labels=labels,
            )

    def _footnotes(self, node: LexborNode) -> None:
        """An author's footnotes belong to the section of their first mark, not to the page's last one."""
        for item in node.css("li"):
            self.node = item
            self._add(
                PassageKind.PARAGRAPH,
                shown(item),
                section=self.footnotes.get(item.id or ""),
            )

    def _add(
        self,
        kind: PassageKind,
        text: Shown,
        *,
        section: Section | None = None,
        **details: Any,
    ) -> None:
        if self.silent or not text.text:
            self._note(text, "")
            return
        words: list[str] = []
        targets, noted = [], list[str]()
        for mark in text.marks:
            if mark.kind == "link":
                words += [mark.name, mark.to]
                targets.append(
                    (mark.start, mark.end, in_site(mark.to, self.builder.page.url))
                )
            elif mark.kind == "footnote" and (
                note := self.notes.get(mark.to.lstrip("#"))
            ):
                noted.append(f"{NOTED}{note}")
            elif mark.kind == "image":
                words.append(mark.name)
        details["links"] = " ".join(dict.fromkeys(filter(None, words)))[:_LONGEST_LINKS]
        details["targets"] = tuple(
            target for target in targets if target[2] and target[0] < target[1]
        )
        details["code_spans"], details["struck"] = (
            text.ranges("code"),
            tuple(sorted((*text.ranges("struck"), *text.ranges("power")))),
        )
        details["emphasis"] = text.ranges("stressed")
        details["labels"] = tuple(
            dict.fromkeys(filter(None, (*details.get("labels", ()), *noted)))
        )
        details["lines"] = self.lines
        details["element"] = self._element(text)
        marks = _numbers(text)
        if marks:
            self.marked.append(
                Marked(len(self.builder.passages), marks, text.ranges("power"))
            )
        self.builder.add(kind, text.text, section=section, **details)

    def _title(self, node: LexborNode, what: str) -> str:
        """The text of what is no passage; a mark in it covers nothing."""
        text = self._shown(node)
        self._note(text, what)
        return text.text

    def _note(self, text: Shown, where: str) -> None:
        """Note the marks that cover nothing."""
        for _, number in _numbers(text):
            self.elsewhere[number] = where

    def _element(self, text: Shown) -> Element | None:
        """Where the text that was read last is on its page."""
        at = -1 if self.lined else offset(self.node)
        if at < 0:
            return None
        seams = set[int]()
        for mark in text.marks:
            if mark.kind in ("seam", "image", "footnote"):
                seams.update((mark.start, mark.end))
        return Element(
            at, tuple(sorted(seams)), bool(self.stack) and self.stack[-1].closed
        )


def _numbers(text: Shown) -> tuple[tuple[int, int], ...]:
    """Offset and number of each mark of a text."""
    return tuple(
        (mark.start, int(mark.to))
        for mark in text.marks
        if mark.kind == "cited" and mark.to.isdecimal()
    )


def _follows_another(tab: LexborNode, names: tuple[str, ...]) -> bool:
    """True if a content tab is not the first of its set: another of its kind is before it."""
    before = tab.prev
    while before is not None:
        if before.tag != "-text" and not set(names).isdisjoint(classes(before)):
            return True
        before = before.prev
    return False


def _lead(frame: _Frame) -> str:
    """What a reader has just read: the last sentence of the paragraph before, else what leads into the box."""
    if not frame.opener:
        return frame.lead
    opener = frame.opener
    if _INNER_END.search(opener):  # mostly it is one sentence, and cutting costs
        start, end = sentences(opener)[-1]
        opener = opener[start:end]
    return _shortened(opener)


def _opening(frame: _Frame) -> tuple[str, ...]:
    """The sentence that opens a list, table or code."""
    if frame.opener:
        return (_lead(frame),)
    return ()


def _announced(frame: _Frame) -> tuple[str, ...]:
    """The sentence before a paragraph or a box, where it says that something follows."""
    if frame.opener.endswith((":", "：")):
        return _opening(frame)
    return ()


def _shortened(text: str) -> str:
    """The end of a text, at most a long sentence."""
    if len(text) <= _LONGEST_LEAD:
        return text
    return "…" + text[-_LONGEST_LEAD:].partition(" ")[2]


def _is_header(row: LexborNode, cells: list[LexborNode]) -> bool:
    in_head = row.parent is not None and row.parent.tag == "thead"
    return in_head or (bool(cells) and all(cell.tag == "th" for cell in cells))
