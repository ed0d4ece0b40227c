"""Pages, sections, passages, and the sources that an answer is written from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct, field

from mkdocs_cited.base.errors import readable
from mkdocs_cited.base.text import Spans, digest, language_of
from mkdocs_cited.model.declaration import Declaration


class SourceType(StrEnum):
    """What kind of document a passage comes from."""

    PAGE = "page"
    """A page of the site."""
    DEFINITION = "definition"
    """An entry of a definition list of a page."""
    FILE = "file"
    """A file of the repository that `extra_sources` names; cited by path and lines."""
    NOTE = "note"
    """A maintainers' note that `extra_sources` names: only its name may ever be published."""
    ARCHIVE = "archive"
    """A superseded page: used only by a declaration that names it."""
    WEB = "web"
    """A snapshot of an external page that `extra_sources` names, stored in the repository; cited by its address."""


class Page(Struct, frozen=True):
    """A page of the site, or a document of `extra_sources`, without its text."""

    src: str
    """Path under `docs_dir` (`guide/install.md`); for a file or note, its path in the repository; for an external page
    `web:NAME`."""
    url: str
    """Address relative to the site's root (`guide/install/`); for a file, a link into the repository or empty; for an
    external page, its own."""
    title: str
    locale: str = "en"
    """BCP 47 language of the page, as far as it is known."""
    type: SourceType = SourceType.PAGE
    """`page`, `file`, `note`, `archive` or `web`."""
    published: str = ""
    """ISO 8601 date, or empty."""
    modified: str = ""
    """ISO 8601 date, or empty."""
    file: str = ""
    """Path of the source file relative to the project, for findings: `docs/guide/install.md`."""
    fetched: str = ""
    """ISO 8601 date as of which the text of an external page holds; empty for what is our own."""

    @property
    def language(self) -> str:
        """The code of its language."""
        return language_of(self.locale)

    @property
    def host(self) -> str:
        """The host of an external page; empty for what is our own."""
        if self.type is SourceType.WEB:
            return urlsplit(self.url).hostname or ""
        return ""


class SitePage(Struct, frozen=True):
    """A page of a site, as far as answers are concerned."""

    src: str
    """Path under `docs_dir`; of a built page whose source is not known, its path in the site."""
    url: str
    """Address relative to the site's root."""
    html: str | None
    """Its content without answers; nothing where it was not rendered in this build (`--dirty`)."""
    locale: str = "en"
    file: str = ""
    """Path of its source in the project, as findings name it; of a page that a plugin makes, as `src`."""
    document: Page | None = None
    """What answers may depend on; nothing for a page that is no source."""
    dest: str = ""
    """Path of its file in the site."""
    whole: str = ""
    """All of its file, where the site is built already: what its elements' offsets are of."""
    marks: tuple[int | None, ...] = ()
    """For each mark, the number of the claim whose citations are shown in its place: -1 where nothing is shown, `None`
    where it stays as it is."""
    edit_url: str = ""
    """Where its source is edited, as its host says."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """Id → key of each answer that it shows: in a place of its own (`<!-- answer: ID -->`), or else at its end."""
    held: str = ""
    """Why it is held back from readers (`eligible`): no source, and in no file of ours. Empty for most."""

    @property
    def shown(self) -> str:
        """The HTML that answers are put into."""
        return self.whole or self.html or ""


class PassageKind(StrEnum):
    """The role that a passage plays on its page."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    """An item of an unordered list."""
    STEP = "step"
    """An item of an ordered list."""
    DEFINITION = "definition"
    """A term with its definition."""
    ROW = "row"
    """A row of a table, cells joined by one space."""
    CODE = "code"
    """A whole code block with its newlines."""


class Via(StrEnum):
    """How a source came into an answer."""

    RETRIEVAL = "retrieval"
    TOOL = "tool"
    AUTHOR = "author"


class Section(Struct, frozen=True):
    """The part of a page under one heading, down to the next heading of any level."""

    page: Page
    anchor: str
    """`id` of the heading; empty before the first heading that has one."""
    title: str
    """Text of the heading; the page's title before the first one."""
    level: int
    """1…6; 0 before the first heading."""
    breadcrumb: tuple[str, ...]
    """Titles from the page's title down to this heading."""
    position: int = 0
    """Ordinal on the page, from 0."""
    has_id: bool = True
    """Whether the anchor is the heading's own; else it is that of a heading before it."""

    @property
    def where(self) -> str:
        """Page and anchor, as authors write targets: `guide/keys.md#rotate`."""
        if self.anchor:
            return f"{self.page.src}#{self.anchor}"
        return self.page.src


NOTED = "footnote: "
"""How a footnote's text begins in `Passage.labels`."""
_KIND = re.compile(r"([a-z][\w-]*): ?.*", re.DOTALL)
"""An admonition's kind and title in `Passage.labels`."""


_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Element(Struct, frozen=True):
    """The element of a page that holds a passage."""

    at: int
    """Offset of its start tag in the page's HTML."""
    seams: tuple[int, ...] = ()
    """Offsets in the passage's text where the page shows otherwise than words that follow each other: a line break, a
    picture, a footnote's number, the end of a cell."""
    closed: bool = False
    """Whether it is in a content tab that is closed at first."""


class Passage(Struct, frozen=True):
    """The smallest thing that can be cited."""

    id: str
    """Content-addressed and stable: `guide/install.md#pip~k3f9ab` (page, section's anchor, hash of the text)."""
    section: Section
    kind: PassageKind
    text: str
    """What a reader sees, runs of white space collapsed to one space; code has its lines."""
    type: SourceType
    """The page's type, or `definition`."""
    hash: str
    """Digest of kind and text alone."""
    lead: str = ""
    """What a reader has read just before it: the sentence that opens the list, the table's header, the
    admonition's title, the term. Helps to read and to rank; never evidence, never quoted."""
    sentences: Spans = ()
    """Offsets of its sentences in `text`, in code points. Code is one sentence."""
    position: int = 0
    """Ordinal on the page, from 0."""
    block: int = 0
    """Number of the list, table or admonition on the page that it belongs to, from 1; 0 for none."""
    language: str = ""
    """Language of a code block, when the page names it."""
    cells: tuple[str, ...] = ()
    """The cells of a row, in order."""
    header: tuple[str, ...] = ()
    """The header cells of a row's table, in order."""
    code_spans: Spans = ()
    """Offsets in `text` of what the page shows as inline code."""
    lines: tuple[int, int] = (0, 0)
    """First and last line in a `file` or `note`; zeros on a page."""
    targets: tuple[tuple[int, int, str], ...] = ()
    """Offsets in `text` of its links, each with where it leads: relative to the site's root, or a whole address."""
    title: str = ""
    """Title that its author gave the admonition around it; of a code block, its own."""
    value: str = ""
    """The value of a key or name that its one sentence states, as the file writes it; else empty."""
    struck: Spans = ()
    """Offsets in `text` of what the page shows struck out: nobody states it any more."""
    emphasis: Spans = ()
    """Offsets in `text` of what the page sets in bold or italics."""
    number: int = 0
    """Of a step: which of its list it is, from 1."""
    labels: tuple[str, ...] = ()
    """What a reader sees over it besides the headings, outermost first: sentences that open the list, table or code
    around it, the items that it is nested in, an admonition's kind and title (`failure: Wrong`), a tab's label. Last
    what its footnotes say: `footnote: In Europe.`"""
    marked: bool = False
    """Whether its page cites something for it."""
    element: Element | None = None
    """Where it is on its page, for links; nothing for what is no element of a page."""

    @property
    def page(self) -> Page:
        return self.section.page

    @property
    def is_private(self) -> bool:
        """True if it is from a maintainers' note, of which only the name may ever be published."""
        return SourceType.NOTE in (self.type, self.page.type)

    @property
    def seen(self) -> str:
        """Digest of all that a reader sees of it, headings and lead-in included: a verdict holds as long as this is
        the same. Emphasis, links and the rest of its section are no part of it."""
        over = (
            self.section.breadcrumb,
            self.lead,
            self.labels,
            self.title,
            self.header,
        )
        return digest(
            "seen-1", self.hash, repr((over, self.cells, self.number, self.struck))
        )

    @property
    def url(self) -> str:
        """Where it is read: its page at the section's anchor, a file at its line."""
        part = self.section.anchor
        if self.page.type is SourceType.FILE:
            part = ""
            if self.page.url and self.lines[0]:
                part = f"L{self.lines[0]}"
        if part:
            return f"{self.page.url}#{part}"
        return self.page.url

    @property
    def under(self) -> str:
        """What stands over it and counts for decisions: the nearest heading below the page's title, column headers,
        and the kind of an admonition."""
        parts = []
        if self.section.level > 1:
            parts.append(self.section.title)
        parts.append(", ".join(self.header))
        for label in self.labels:
            kind = _KIND.fullmatch(label)
            if kind and not label.startswith(NOTED):
                parts.append(kind[1])
        return " · ".join(filter(None, parts))

    @property
    def stated(self) -> str:
        """The text with spaces in place of what is struck out, and with powers as such, `10³`: offsets stay."""
        text = self.text
        for start, end in self.struck:
            gap = " " * (end - start)
            if start and not text[start - 1].isspace():
                gap = "^" + gap[1:]
            if start and text[start - 1].isalnum() and text[start:end].isdecimal():
                gap = text[start:end].translate(_POWERS)
            text = text[:start] + gap + text[end:]
        return text

    @property
    def stated_cells(self) -> list[str]:
        """The cells of a row, with spaces in place of what is struck out."""
        return [self.stated[start:end] for start, end in self.cell_spans()]

    def sentence_texts(self) -> tuple[str, ...]:
        """The sentences as text, in order."""
        return tuple(self.text[start:end] for start, end in self.sentences)

    def cell_spans(self) -> Iterator[tuple[int, int]]:
        """Where each cell of a row is in its text."""
        end = 0
        for cell in self.cells:
            start = max(end, self.text.find(cell, end))
            end = start + len(cell)
            yield start, end

    def pieces(self) -> Iterator[tuple[int, int, int, int]]:
        """(first sentence, last one, start, end) of each piece that is cited alone: never cut within code or a name."""
        spans = self.sentences or ((0, len(self.text)),)
        first = 0
        for number, ((_, end), (following, _)) in enumerate(pairwise(spans)):
            if not self._is_within(end, following):
                yield first, number, spans[first][0], end
                first = number + 1
        yield first, len(spans) - 1, spans[first][0], spans[-1][1]

    def _is_within(self, end: int, following: int) -> bool:
        """True if code or a name goes on from the end of a sentence to the following one."""
        in_name = following == end and self.text[end - 1] == "."
        goes_on = self.text[following].islower()
        for start, stop in self.code_spans:
            if start < following < stop or (goes_on and stop == end):
                return True
        return in_name


class Hit(Struct, frozen=True):
    """A passage that a search found."""

    passage: Passage
    relevance: float
    """0…1, comparable between questions of one site."""
    score: float = 0.0
    """What its section is ranked by, 0…1 and beyond."""


class AskedWord(Struct, frozen=True):
    """A word of a question that says what it is about."""

    word: str
    """As it is written."""
    term: str
    """As the index knows it: stemmed."""
    weight: float
    """The share of the question's information that it carries, 0…1: the rarer on the site, the more."""
    known: bool = True
    """Whether the site has the word or a related one."""
    related: tuple[str, ...] = ()
    """Terms that the site may use instead of it."""


class Asked(Struct, frozen=True):
    """A question as a site understands it."""

    text: str
    language: str
    """Code of its language."""
    words: tuple[AskedWord, ...]
    """What it is about, in its order."""

    @property
    def sought(self) -> tuple[str, ...]:
        """The terms of its words, and those related to them."""
        terms = [word.term for word in self.words]
        for word in self.words:
            terms += word.related
        return tuple(terms)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Its words that appear nowhere in the docs."""
        return tuple(dict.fromkeys(word.word for word in self.words if not word.known))


class Source(Struct, frozen=True):
    """A passage registered for one answer under a number."""

    sid: int
    """Its number, from 1. Among the sources of a finished answer, contiguous by first appearance."""
    passage: Passage
    via: Via
    relevance: float = 0.0
    """0…1, of the phrasing that finds it best."""
    context: tuple[Passage, ...] = ()
    """What the writer may read and cite around it, in page order, itself included; within the budget."""
    also: tuple[str, ...] = ()
    """Addresses of further sections with an equal text."""

    @property
    def label(self) -> str:
        """`Page › Heading`, or the name of the file; for a note, its name alone; of an external page, with its host."""
        page = self.passage.page
        if page.type in (SourceType.FILE, SourceType.NOTE):
            return readable(page.title)
        crumbs = self.passage.section.breadcrumb
        name = readable(" › ".join(dict.fromkeys((page.title, *crumbs[-1:]))))
        if page.type is SourceType.WEB:
            return f"{name} ({page.host})"
        return name

    @property
    def detail(self) -> str:
        """Path and lines of a file, host and date of an external page, otherwise the whole breadcrumb."""
        page, (first, last) = self.passage.page, self.passage.lines
        if page.type is SourceType.NOTE:
            return ""
        if page.type is SourceType.FILE:
            if first == last:
                return f"{page.src}:{first}"
            return f"{page.src}:{first}-{last}"
        if page.type is SourceType.WEB:
            return f"{page.host}, {page.fetched}"
        return readable(" › ".join(self.passage.section.breadcrumb))


class Scope(Struct, frozen=True):
    """Which passages a question may be answered from."""

    include: tuple[str, ...] = ()
    """Globs of page paths; empty for all. A glob that starts with `!` excludes."""
    locale: str = ""
    """Only pages of this language; empty for all. What `extra_sources` names has every language."""
    asked_on: tuple[str, str] = ("", "")
    """(page, question): what is on this page under a heading that asks this question is left out."""


class Refused(Struct, frozen=True):
    """That an address leads nowhere, or may not."""

    message: str
    tip: str


class Corpus(Protocol):
    """What writers, reviewers and records may ask of the site's passages. `search.index.Index` is one."""

    def pages(self) -> Sequence[Page]:
        """Every page, file and note, ordered by path."""

    def passage(self, passage_id: str) -> Passage | None:
        """The passage with this id."""

    def section(self, page: str, anchor: str) -> Sequence[Passage]:
        """The passages of a section and of the sections below it, in page order; of the whole page for an
        empty anchor. Empty when there is no such page or anchor."""

    def anchors(self, page: str) -> Sequence[str]:
        """Every anchor of a page's headings, in page order; for `did you mean`."""

    def sections(self, page: str) -> Sequence[Section]:
        """Every section of a page, in page order, those without text of their own too; empty for an unknown page."""

    def named(self, path: str, declaration: Declaration) -> Page | Refused:
        """The page or file that a path means that is written in a declaration; as for `sources.cited.Reach.page`."""

    def date(self, page: Page) -> str:
        """The ISO 8601 date of a page: its own, or of a release note or post that has none, when git first had it."""

    def fault(self, page: str, anchor: str) -> Refused | None:
        """Why an address names no one thing: it fits several, no line has it, the file does not parse."""

    def search(self, query: str, *, scope: Scope, limit: int) -> Sequence[Hit]:
        """The passages that match best, best first, ties by id."""

    def once(
        self, searched: str, made: Callable[[], tuple[Source, ...]]
    ) -> tuple[Source, ...]:
        """What `made` finds by some searches: as an earlier run has stored it, where the documents are the same."""

    def asked(self, question: str, locale: str) -> Asked:
        """A question with its words, weighed by how rare they are on the site."""


def pages_of(passages: Iterable[Passage]) -> tuple[str, ...]:
    """Paths of the pages that hold these passages, each once, in order of appearance."""
    return tuple(dict.fromkeys(passage.page.src for passage in passages))


def main_locale(pages: Iterable[Page]) -> str:
    """The language of most pages of a site, for questions that no page asks; English without pages."""
    counted = Counter(page.locale for page in pages if page.type is SourceType.PAGE)
    if counted:
        return counted.most_common(1)[0][0]
    return "en"
