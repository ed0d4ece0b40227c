"""From a page's HTML to its passages: what a reader sees, cut where it can be cited.

How HTML is parsed and cleaned lives in `dom`; how passages get their ids, in `passages`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from selectolax.lexbor import LexborNode

from mkdocs_cited.base.html import offset
from mkdocs_cited.base.text import Spans, slugify
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.source import (
    NOTED,
    Element,
    Page,
    Passage,
    PassageKind,
    Section,
)
from mkdocs_cited.sources import Builder, Document, in_site
from mkdocs_cited.sources.dom import (
    BLOCKS,
    HEADINGS,
    Text,
    classes,
    code_language,
    code_text,
    holds_block,
    is_code_box,
    joined,
    parse,
    text_of,
)

LINES = "data-cited-lines"
"""Attribute that names the first and last line of an element in its file."""
VERSION = "20"
"""Changes whenever the same HTML may give other passages: part of the index's key."""

_LINES = re.compile(r"(\d{1,7}) (\d{1,7})")
_LONGEST_LEAD = 240
_DEEPEST = 80
"""Boxes in each other; what is deeper is read as one text."""
_INNER_END = re.compile("[.!?] |[。！？].")
_IN_LAYOUT = "table table, h1, h2, h3"
"""What lies only in a table that sets things side by side."""
_KINDS = {
    "ul": PassageKind.ITEM,
    "menu": PassageKind.ITEM,
    "ol": PassageKind.STEP,
    "dl": PassageKind.DEFINITION,
}
"""What the items of lists are."""


class Marked(Struct, frozen=True):
    """A passage with marks in it."""

    position: int
    """Of the passage."""
    marks: Spans
    """Offset in the passage's text, and number, of each of its marks."""
    powers: Spans = ()
    """Offsets in the text of what is set as a power: `10<sup>6</sup>`."""


def read_marked(
    page: Page, html: str
) -> tuple[Document, Sequence[Marked], Mapping[str, Passage]]:
    """The sections and passages of a rendered page; those with marks in them, each an element (`ATTRIBUTE`); and
    by the id of each answer that has a place on the page a passage without words in that place."""
    reader = _Reader(page, html, lined=False)
    return reader.builder.document(), reader.marked, reader.places


def read(page: Page, html: str, *, lined: bool = False) -> Document:
    """The sections and passages of a rendered page; `lined` where elements name the lines of the text that they were
    made of, and a heading's id is made of its words. Never raises on malformed HTML."""
    return _Reader(page, html, lined=lined).builder.document()


class _Over(Struct, frozen=True):
    """What a reader has over a text: see the fields of these names in `Passage`."""

    lead: str = ""
    block: int = 0
    title: str = ""
    labels: tuple[str, ...] = ()
    closed: bool = False
    """Whether it is in a content tab that is not the first of its set."""


_NOTHING = Text("")


@dataclass(slots=True)
class _Box:
    """An element whose children are being read, one behind the other."""

    over: _Over
    depth: int
    kind: PassageKind = PassageKind.PARAGRAPH
    """What its first text is, if that is its `own`; in a list, what its items are."""
    own: bool = False
    """Whether the own text of an item or definition is still to come; later ones are paragraphs."""
    number: int = 0
    """Of a list: how many items were read; of an item: which it is."""
    opener: str = ""
    """The paragraph directly before, which may open a list or code."""
    terms: Text = _NOTHING
    """In a definition list: the terms that wait for their definition."""
    tabs: tuple[str, ...] = ()
    """In a set of content tabs: the labels of those that are still to come."""
    tab_set: bool = False
    tab_open: bool = False
    """Whether the first tab of a set was read, which is open; the others are closed."""
    awaits_title: bool = False
    """Whether the title of an admonition may still come."""
    kinds: tuple[str, ...] = ()
    """The classes of an admonition: a title that is one of them says nothing."""

    def inside(self, **changes: Any) -> _Box:
        """A box in this one."""
        return _Box(self.over, self.depth + 1, **changes)

    def lead(self) -> str:
        """What a reader has just read: the last sentence of the paragraph before, else what leads into the box."""
        if not self.opener:
            return self.over.lead
        opener = self.opener
        if _INNER_END.search(opener):
            start, end = sentences(opener)[-1]
            opener = opener[start:end]
        return shortened(opener)

    def labels(self, *, announced: bool = False) -> tuple[str, ...]:
        """What is over a list, table or code: with the sentence that opens it; if `announced`, only one that says so,
        as it does before a paragraph or a box."""
        if self.opener and (not announced or self.opener.endswith((":", "："))):
            return (*self.over.labels, self.lead())
        return self.over.labels


class _Reader:
    """Reads a tree in document order."""

    def __init__(self, page: Page, html: str, *, lined: bool) -> None:
        self.builder = Builder(page)
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
        self.notes: dict[str, str] = {}
        """Id of each footnote → its text."""
        self.marked: list[Marked] = []
        self.places: dict[str, Passage] = {}
        root = parse(html, whole=lined)
        for item in root.css(".footnote li[id]"):
            self.notes[item.id or ""] = text_of(item).text
        self._children(_Box(_Over(), 0), root)

    def _children(self, box: _Box, element: LexborNode) -> None:
        """Read what is in an element: blocks one by one, and what flows between them as a paragraph."""
        inline: list[LexborNode] = []
        for node in element.iter(include_text=True):
            tag = node.tag or ""
            if tag == "label" and box.tab_set:
                # each is before its tab, where not all are together
                box.tabs = (self._text_of(node).text,)
                continue
            is_flow = tag not in BLOCKS and (tag == "-text" or not holds_block(node))
            if is_flow or box.depth == _DEEPEST:
                # most of what is between blocks is the end of a line
                if inline or not (node.text_content or "").isspace():
                    inline.append(node)
                continue
            self._flow(box, inline)
            inline = []
            if tag in BLOCKS:
                self._block(box, node, tag)
            else:
                self._children(self._transparent(box), node)
        self._flow(box, inline)

    def _flow(self, box: _Box, nodes: list[LexborNode]) -> None:
        """Text that was in a box without a paragraph of its own is one."""
        if nodes:
            self.node = nodes[0].parent
            self._text(box, self._text_of(*nodes))

    def _text_of(self, *nodes: LexborNode) -> Text:
        """What a reader sees of nodes, whose footnotes are remembered."""
        return self._remembered(text_of(*nodes))

    def _remembered(self, text: Text) -> Text:
        """A text whose footnotes belong to the section that is read."""
        for span in text.spans:
            if span.kind == "footnote":
                self.footnotes.setdefault(span.to.lstrip("#"), self.builder.section)
        return text

    def _block(self, box: _Box, node: LexborNode, tag: str) -> None:
        """Read one block."""
        self._place(node)
        self.node = node
        names = classes(node)
        if tag == "p" and not holds_block(node):
            is_title = box.awaits_title and "admonition-title" in names
            box.awaits_title = False
            if is_title:
                self._take_title(box, node)
            else:
                self._text(box, self._text_of(node))
            return
        if tag in HEADINGS:
            self._heading(node, tag)
        elif tag == "pre":
            self._code(box, node)
        elif tag in _KINDS:
            inner = self._group(box, box.labels(), kind=_KINDS[tag])
            self._children(inner, node)
        elif tag in ("li", "dt", "dd"):
            self._item(box, node, tag)
        elif tag == "summary":
            self._take_title(box, node)
        elif (
            tag == "table" and not is_code_box(names) and not node.css_first(_IN_LAYOUT)
        ):
            self._table(box, node)
        else:
            self._division(box, node, names)
        box.opener = ""

    def _item(self, box: _Box, node: LexborNode, tag: str) -> None:
        """An item of a list, a term, or its definition."""
        if tag == "li":
            box.number += 1
            item = box.inside(kind=box.kind, own=True, number=box.number)
            self._children(item, node)
        elif tag == "dt":
            box.terms = joined(box.terms, self._text_of(node))
        else:
            item = box.inside(kind=PassageKind.DEFINITION, own=True, terms=box.terms)
            item.over = replace(box.over, lead=box.terms.text)
            self._children(item, node)
            box.terms = _NOTHING

    def _division(self, box: _Box, node: LexborNode, names: tuple[str, ...]) -> None:
        """A box: most only hold others, some give what they hold a title."""
        if is_code_box(names):
            self._code_box(box, node)
        elif "footnote" in names:
            self._footnotes(node)
        elif node.tag == "details" or "admonition" in names:
            self._admonition(box, node, names)
        elif "tabbed-labels" in names:
            # They are before the blocks they name, in the same set.
            box.tabs = tuple(self._text_of(label).text for label in node.css("label"))
        else:
            self._children(self._tab(box, node, names), node)

    def _place(self, node: LexborNode) -> None:
        """Note the lines of an element in its file."""
        if self.lined:
            match = _LINES.fullmatch(node.attributes.get(LINES) or "")
            if match:
                self.lines = (int(match[1]), int(match[2]))

    def _transparent(self, box: _Box) -> _Box:
        """A box for an element that only holds others, as if they were in the box around it."""
        kind = box.kind if box.own else PassageKind.PARAGRAPH
        inner = box.inside(kind=kind, own=box.own, number=box.number, terms=box.terms)
        inner.opener = box.opener
        box.own, box.terms = False, _NOTHING
        return inner

    def _tab(self, box: _Box, node: LexborNode, names: tuple[str, ...]) -> _Box:
        """A box that says nothing of what is in it, unless it is a content tab: that has its label."""
        inner = self._transparent(box)
        inner.tab_set = "tabbed-set" in names
        is_content = "tabbed-content" in names
        if is_content and any("tabbed-block" in classes(tab) for tab in node.iter()):
            inner.tabs = box.tabs
        elif box.tabs and (is_content or "tabbed-block" in names):
            label, *rest = box.tabs
            box.tabs = tuple(rest)
            inner.over = replace(
                inner.over,
                lead=f"{inner.lead()} {label}".strip(),
                labels=(*inner.labels(announced=True), label),
                closed=inner.over.closed or box.tab_open,
            )
            inner.opener = ""
            box.tab_open = True
        return inner

    def _group(self, box: _Box, labels: tuple[str, ...], **changes: Any) -> _Box:
        """A box whose passages belong together: a list, a definition list or an admonition."""
        self.blocks += 1
        inner = box.inside(**changes)
        inner.over = replace(
            box.over, block=self.blocks, lead=box.lead(), labels=labels
        )
        return inner

    def _admonition(self, box: _Box, node: LexborNode, names: tuple[str, ...]) -> None:
        """A box with a kind, mostly with a title; where it has no text, its title is all that it says."""
        kinds = tuple(name for name in names if name != "admonition")
        labels = box.labels(announced=True)
        if kinds:
            labels = (*labels, f"{kinds[0]}:")
        inner = self._group(box, labels, awaits_title=True, kinds=kinds)
        before = len(self.builder.passages)
        self._children(inner, node)
        title = inner.over.title
        if title and names and before == len(self.builder.passages):
            over = _Over(labels=labels, closed=box.over.closed)
            self._add(PassageKind.PARAGRAPH, Text(title), over)

    def _take_title(self, box: _Box, node: LexborNode) -> None:
        """An admonition has a title; one that only names its kind says nothing to those who see no box."""
        title = self._text_of(node).text
        over = replace(box.over, lead=title or box.over.lead, title="")
        if title and title.casefold() not in box.kinds:
            label, labels = title, over.labels
            if box.kinds:
                label = f"{labels[-1]} {title}"
                labels = labels[:-1]
            over = replace(over, title=title, labels=(*labels, label))
        box.over = over

    def _text(self, box: _Box, text: Text) -> None:
        """A paragraph, or the own text of an item or definition; what follows in that is read under it."""
        for span in text.spans:
            if span.kind == "answer":
                self.places[span.to] = Passage(
                    "",
                    self.builder.section,
                    PassageKind.PARAGRAPH,
                    "",
                    self.builder.page.type,
                    "",
                    labels=box.labels(announced=True),
                )
        if not text.text:
            return
        if not box.own:
            over = replace(box.over, labels=box.labels(announced=True))
            self._add(PassageKind.PARAGRAPH, text, over)
        elif box.kind is PassageKind.DEFINITION:
            lead = box.terms.text or box.over.lead
            over = replace(box.over, lead=lead, title="")
            self._add(box.kind, joined(box.terms, text), over)
            box.over = replace(box.over, labels=(*box.over.labels, lead))
        else:
            number = box.number if box.kind is PassageKind.STEP else 0
            self._add(box.kind, text, box.over, number=number)
            lead = shortened(text.text)
            labels = (*box.over.labels, lead)
            box.over = replace(box.over, lead=lead, labels=labels)
        box.own = False
        box.opener = text.text

    def _heading(self, node: LexborNode, tag: str) -> None:
        """Begin a section."""
        heading = text_of(node)
        title = heading.text
        if heading.ranges("struck"):
            title = f"~~{title}~~"
        anchor = node.id
        inner = node.css_first("[id]")
        if not anchor and inner is not None:
            anchor = inner.id
        if not anchor and self.lined:
            anchor = slugify(title, fallback="section")
        self.builder.open_section(title, int(tag[1]), anchor or "")
        self._remembered(heading)
        # Material's tag listings are under headings made of tags; they repeat the titles of other pages.
        is_listing = node.css_first(".md-tag") is not None
        self.silent = is_listing or "data-search-exclude" in node.attributes

    def _code_box(self, box: _Box, node: LexborNode) -> None:
        """Code blocks under a file name or title."""
        title = node.css_first(".filename")
        written = ""
        if title is not None:
            written = text_of(title).text
        blocks = node.css("pre")
        for pre in blocks:
            # Scripts of themes give `pre` an id of their own.
            self.node = node if len(blocks) == 1 else pre
            self._code(box, pre, written)

    def _code(self, box: _Box, pre: LexborNode, title: str = "") -> None:
        inner = pre.css_first("code")
        if inner is not None:
            self._place(inner)
        lead = f"{box.lead()} {title}".strip()
        over = replace(box.over, lead=lead, title=title, labels=box.labels())
        text, language = Text(code_text(pre)), code_language(pre)
        self._add(PassageKind.CODE, text, over, language=language)

    def _table(self, box: _Box, table: LexborNode) -> None:
        """The rows of a table, under its header row."""
        self.blocks += 1
        lead, labels = box.lead(), box.labels()
        caption = table.css_first("caption")
        if caption is not None:
            lead = self._text_of(caption).text
            labels = (*labels, lead)
        header: tuple[str, ...] = ()
        rows = table.css("tr")
        for number, row in enumerate(rows):
            self._place(row)
            self.node = row
            cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
            texts = [self._text_of(cell) for cell in cells]
            columns = tuple(text.text for text in texts)
            if not header and number + 1 < len(rows) and _is_header(row, cells):
                header = columns
                continue
            opened_by = " | ".join(filter(None, header)) or lead
            over = _Over(opened_by, self.blocks, "", labels, box.over.closed)
            self._add(
                PassageKind.ROW, joined(*texts), over, cells=columns, header=header
            )

    def _footnotes(self, node: LexborNode) -> None:
        """An author's footnotes belong to the section of their first mark, not to the page's last one."""
        for item in node.css("li"):
            self.node = item
            section = self.footnotes.get(item.id or "")
            self._add(PassageKind.PARAGRAPH, text_of(item), _Over(), section=section)

    def _add(
        self,
        kind: PassageKind,
        text: Text,
        over: _Over,
        *,
        section: Section | None = None,
        **details: Any,
    ) -> None:
        """Add a passage, unless it has no text; `details` are other fields of it."""
        if self.silent or not text.text:
            return
        labels = list(over.labels)
        marks = []
        targets = []
        for span in text.spans:
            if span.kind == "link" and span.start < span.end:
                to = in_site(span.to, self.builder.page.url)
                if to:
                    targets.append((span.start, span.end, to))
            elif span.kind == "cited" and span.to.isdecimal():
                marks.append((span.start, int(span.to)))
            elif span.kind == "footnote" and span.to.lstrip("#") in self.notes:
                labels.append(f"{NOTED}{self.notes[span.to.lstrip('#')]}")
        if marks:
            position = len(self.builder.passages)
            self.marked.append(Marked(position, tuple(marks), text.ranges("power")))
        self.builder.add(
            kind,
            text.text,
            section=section,
            lead=over.lead,
            block=over.block,
            title=over.title,
            labels=tuple(dict.fromkeys(filter(None, labels))),
            targets=tuple(targets),
            code_spans=text.ranges("code"),
            struck=tuple(sorted(text.ranges("struck", "power"))),
            emphasis=text.ranges("stressed"),
            lines=self.lines,
            marked=bool(marks),
            element=self._element(text, over.closed),
            **details,
        )

    def _element(self, text: Text, closed: bool) -> Element | None:
        """Where the text that was read last is on its page."""
        at = -1 if self.lined else offset(self.node)
        if at < 0:
            return None
        seams = set[int]()
        for span in text.spans:
            if span.kind in ("seam", "footnote"):
                seams.update((span.start, span.end))
        return Element(at, tuple(sorted(seams)), closed)


def shortened(text: str) -> str:
    """The end of a text, at most a long sentence, as it is in `Passage.labels`."""
    if len(text) <= _LONGEST_LEAD:
        return text
    return "…" + text[-_LONGEST_LEAD:].partition(" ")[2]


def _is_header(row: LexborNode, cells: list[LexborNode]) -> bool:
    """True if a row names the columns."""
    in_head = row.parent is not None and row.parent.tag == "thead"
    return in_head or (bool(cells) and all(cell.tag == "th" for cell in cells))
