"""From passages to an answer's Markdown: blocks as the page has them, each sentence with its number; and their words on
one line, escaped, with the code, links and images that the page shows in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from urllib.parse import quote as percent
from urllib.parse import unquote

from msgspec import Struct

from mkdocs_cited.answer_text.citing import Quote, Registry
from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.dialect import is_whole
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Section, Source
from mkdocs_cited.search.answering import Found
from mkdocs_cited.search.as_markdown import together

_BAR = re.compile(r"(?<!\\)\|")
_ALONE = (PassageKind.PARAGRAPH, PassageKind.CODE)
"""What is in a box, not in a list or table."""
_TITLE = re.compile(r"[\w.@/\\~+-]{1,100}")
"""A code block's title that is shown: a file's name or path, which states nothing."""
MOST_TITLE = 10
"""Words of a heading or of an admonition's title that may be over what it holds."""


def compose(found: Found, source: Source, inline: Inline, provider: str, findings: tuple[Finding, ...]) -> Draft:
    """One draft of all that answers: prose, lists, tables and code as they are on the page.

    Args:
        found: what is quoted.
        source: how its section was found.
        inline: writes the words of passages.
        provider: who writes.
        findings: what is wrong with it.
    """
    said = f"quoted with certainty {found.certainty:.2f}: {found.reason}"
    layout = _Layout(replace(source, reasoning=said), inline)
    heads = _heads(found.passages[0].section) if found.whole else ()
    content = "\n\n".join([*heads, *layout.blocks(found.passages)])
    return Draft(content, layout.registry.citations, layout.registry.sources, provider, findings=findings)


def _heads(section: Section) -> list[str]:
    """The headings of a section that are labels: in one line where that is short, else a line each."""
    shown = (title.rstrip("?？ ") for title in section.breadcrumb)
    titles = dict.fromkeys(title for title in shown if _is_label(title, section.page.locale))
    path = " – ".join(titles)
    lines = [path] if _is_label(path, section.page.locale) else titles
    return [f"**{escape(line)}**" for line in lines]


def _is_label(title: str, locale: str) -> bool:
    """Whether a title is short and states nothing: it appears in the answer without a number."""
    return 0 < len(title.split()) <= MOST_TITLE and title[-1:] not in ".!?…" and not states(title, locale)


class _Layout:
    """Gives numbers to quotes while they are written down."""

    def __init__(self, source: Source, inline: Inline) -> None:
        self.source, self.inline = source, inline
        self.registry = Registry()

    def blocks(self, passages: Sequence[Passage], *, led_in: bool = False) -> list[str]:
        """The Markdown of each paragraph, code block, list and table. `led_in` says that the words before carry the
        number of a code block that comes first; one without such words has a paragraph for its number."""
        out: list[str] = []
        groups, title = list(together(passages, _ALONE)), ""
        for number, group in enumerate(groups):
            first, following = group[0], groups[number + 1][0] if number + 1 < len(groups) else None
            if first.kind is not PassageKind.CODE and first.title != title:
                title = first.title
                out += [f"**{escape(title)}**"] if _is_label(title, first.page.locale) else []
            if first.kind is PassageKind.CODE:
                out += [self._code(first), *([] if led_in else [self.mark(Quote.whole(first))])]
            elif first.kind is PassageKind.ROW:
                out.append(self._table(group))
            elif first.kind is PassageKind.PARAGRAPH or len(group) == 1:
                out.append(self._leading(first, following))
            else:
                out.append(self._list(group))
            led_in = first.kind is PassageKind.PARAGRAPH
        return out

    def _list(self, group: Sequence[Passage]) -> str:
        """A list; what an item holds besides its first text (paragraphs, code, notes, further lists) is indented under
        it."""
        starts = [at for at, item in enumerate(group) if item.block == group[0].block and item.kind not in _ALONE]
        lines: list[str] = []
        for number, (at, end) in enumerate(zip(starts, (*starts[1:], len(group)), strict=True), 1):
            inside = group[at + 1 : end]
            sign = f"{number}." if group[0].kind is PassageKind.STEP else "-"
            lines.append(f"{sign} {self._leading(group[at], inside[0] if inside else None)}")
            lines += [f"\n{_indented(block)}" for block in self.blocks(inside, led_in=True)]
            lines += [""] if inside and end < len(group) else []
        return "\n".join(lines)

    def _leading(self, passage: Passage, following: Passage | None) -> str:
        """A passage with its mark, and that of the code that it leads into."""
        code = following if following is not None and following.kind is PassageKind.CODE else None
        return self._marked(passage) + (self.mark(Quote.whole(code)) if code else "")

    def _marked(self, passage: Passage) -> str:
        """A passage with its mark; in prose behind each sentence, since each is a claim of its own."""
        if passage.kind is not PassageKind.PARAGRAPH or len(passage.sentences) < 2:
            quote = Quote.whole(passage)
            return self.inline.of(quote) + self.mark(quote)
        sentences = [Quote(passage, number, number) for number in range(len(passage.sentences))]
        return " ".join(self.inline.of(sentence) + self.mark(sentence) for sentence in sentences)

    def mark(self, quote: Quote) -> str:
        """The number of a quote's source."""
        return f"[^{self.registry.cite(quote, replace(self.source, passage=quote.passage))}]"

    def _code(self, passage: Passage) -> str:
        self.mark(Quote.whole(passage))
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", passage.text)), default=0))
        return f"{fence}{_info(passage)}\n{passage.text}\n{fence}"

    def _table(self, group: Sequence[Passage]) -> str:
        rows = [self._cells(passage) for passage in group]
        width = max(len(row) for row in rows)
        heads = [_cell(escape(cell)) for cell in _padded(group[0].header, width)]
        lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * width}"]
        for passage, row in zip(group, rows, strict=True):
            cells = _padded(row, width)
            last = max((i for i, cell in enumerate(cells) if cell), default=0)
            cells[last] += self.mark(Quote.whole(passage))
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)

    def _cells(self, passage: Passage) -> list[str]:
        """The cells of a row as Markdown; a bar in code is escaped too, as tables want it."""
        out, at = [], 0
        for cell in passage.cells or (passage.text,):
            start = passage.text.find(cell, at)
            if start < 0:
                out.append(_cell(escape(cell)))
                continue
            at = start + len(cell)
            out.append(_cell(self.inline.range(passage, start, at)))
        return out


def _info(code: Passage) -> str:
    """What is behind a fence: language, the title if it is a file's name, and the highlighted lines."""
    language = re.sub(r"[^A-Za-z0-9_+#.-]", "", code.language)
    title = f' title="{code.title}"' if _TITLE.fullmatch(code.title) else ""
    lines = f' hl_lines="{" ".join(map(str, code.marked_lines))}"' if code.marked_lines else ""
    return f"{language or 'text'}{title}{lines}" if title or lines else language


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else line for line in text.split("\n"))


def _cell(markdown: str) -> str:
    """Markdown within a table."""
    return _BAR.sub(r"\\|", markdown)


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells[:width], *[""] * (width - len(cells))]


_SPECIAL = re.compile(r"(?P<plain>(?<=\w)\[\d+\](?![\[(:]))|[\\`*\[\]<>~^$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
"""What Markdown and its common extensions give a meaning within a line; `_` inside a word and a subscript (`args[0]`)
have none, and a bar has one in tables only."""
_LINE_START = re.compile(r"^(\s*)([-+#=]|:(?=\s)|\d{1,9}(?=[.)]\s))")
_CLOSES = frozenset(".,;:!?)]}»”’")


def escape(text: str, *, starts_line: bool = True) -> str:
    """Plain text as Markdown that shows just that text: no emphasis, links, HTML, lists, entities or rules."""
    text = _SPECIAL.sub(lambda match: match[0] if match["plain"] else f"\\{match[0]}", text)
    return _LINE_START.sub(r"\1\\\2", text) if starts_line else text


class Inline(Struct, frozen=True, dict=True):
    """Writes quotes into an answer of one page."""

    page: str
    """Path of the page under `docs_dir`, which links are relative to."""
    corpus: Corpus

    def of(self, quote: Quote) -> str:
        """A quote, what the page shows as code between backticks, and its links as links. A term stands out from what
        defines it."""
        passage, (start, end) = quote.passage, quote.range
        term = len(passage.lead)
        if passage.kind is not PassageKind.DEFINITION or start or not passage.text.startswith(f"{passage.lead} "):
            return self.range(passage, start, end)
        name = self.range(passage, 0, term)
        return f"{name if name.startswith('`') else f'**{name}**'}: {self.range(passage, term + 1, end)}"

    def range(self, passage: Passage, start: int, end: int) -> str:
        """A range of a passage's text."""
        out, done = [], start
        for first, last, address in passage.targets:
            if first < done or last > end or _cuts(passage, first, last):
                continue
            out.append(_plain(passage, done, first, self))
            out.append(f"[{_plain(passage, first, last, self)}]({self.target(address)})")
            done = last
        return "".join([*out, _plain(passage, done, end, self)])

    def target(self, address: str) -> str:
        """An address within the site as this page's author would write it: relative, with the page's file."""
        if is_whole(address):
            return percent(address, safe="/:?&=#%@!$',;+~*")
        path, mark, anchor = address.partition("#")
        source = self._sources.get(unquote(path), unquote(path))
        if source == self.page and mark:
            return f"#{anchor}"
        return percent(posixpath.relpath(source or ".", posixpath.dirname(self.page) or ".")) + mark + anchor

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {page.url: page.src for page in self.corpus.pages()}


def _cuts(passage: Passage, first: int, last: int) -> bool:
    """Whether a range begins or ends within inline code: Markdown has no links there."""
    return any(start < first < end or start < last < end for start, end in passage.code_spans)


def _plain(passage: Passage, start: int, end: int, inline: Inline) -> str:
    """A range without links: code, and images where they are."""
    out, done = [], start
    for first, last, markdown in sorted((*_codes(passage, start, end), *_images(passage, start, end, inline))):
        if first >= done:
            out += [escape(passage.text[done:first], starts_line=not done), markdown]
            done = last
    return "".join([*out, escape(passage.text[done:end], starts_line=not done)])


def _codes(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for first, last in passage.code_spans:
        code = passage.text[first:last]
        if start <= first and last <= end and code.strip():
            ticks = "`" * (1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
            pad = " " if code.startswith("`") or code.endswith("`") else ""
            yield first, last, f"{ticks}{pad}{code}{pad}{ticks}"


def _images(passage: Passage, start: int, end: int, inline: Inline) -> Iterator[tuple[int, int, str]]:
    """Images within the words; one behind the last of them is an illustration, which no words need,
    and one from elsewhere would not be shown."""
    for at, address, name in passage.images:
        if start <= at < end and name and not is_whole(address):
            space = "" if passage.text[at] in _CLOSES or passage.text[at].isspace() else " "
            yield at, at, f"![{escape(name, starts_line=False)}]({inline.target(address)}){space}"
