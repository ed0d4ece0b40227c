"""From quotes to an answer's Markdown: laid out in the format asked for, each part with its number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.answer_text.numbering import Registry
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.declaration import AnswerFormat
from mkdocs_cited.model.source import Passage, PassageKind, Source, Via
from mkdocs_cited.providers.inline import Inline, escape
from mkdocs_cited.providers.part import Part

_BAR = re.compile(r"(?<!\\)\|")
_LISTS = (PassageKind.ITEM, PassageKind.STEP)
_TITLE = re.compile(r"[\w.@/\\~+-]{1,100}")
"""A code block's title that is shown: a file's name or path, which states nothing."""


def compose(
    parts: Sequence[Part], wanted: AnswerFormat, provider: str, sources: Sequence[Source], inline: Inline
) -> Draft:
    """One draft of all parts: prose joined into paragraphs, lists, tables and code as they are on the page."""
    layout = _Layout(sources, inline, has_list=any(part.kind in _LISTS for part in parts))
    laid_out: list[tuple[str, str]] = []
    for part, following in zip(parts, (*(parts[i : i + 1] for i in range(1, len(parts))), ()), strict=True):
        if part.title:
            laid_out.append(("title", f"**{escape(part.title)}**"))
        led = bool(laid_out) and laid_out[-1][0] == "prose"
        laid_out.append(layout.part(part, following, wanted))
        if part.kind is PassageKind.CODE and not led:
            # Its number stands in a paragraph of its own, since no sentence before it carries it.
            laid_out.append(("mark", layout.mark(part.quotes[0])))
    content = _joined(laid_out, wanted)
    citations = tuple(Citation(sid, quote.passage.id, quote.text) for sid, quote in layout.quotes.items())
    return Draft(content, citations, layout.registry.sources, provider)


class _Layout:
    """Gives numbers to quotes while they are written down."""

    def __init__(self, sources: Sequence[Source], inline: Inline, *, has_list: bool) -> None:
        self.inline = inline
        self.has_list = has_list
        """Whether the docs have a list on it, so that prose beside it stays prose."""
        self.registry = Registry()
        self.known = {source.passage.id: source for source in sources}
        self.quotes: dict[int, Quote] = {}

    def part(self, part: Part, following: Sequence[Part], wanted: AnswerFormat) -> tuple[str, str]:
        """The Markdown of one block, and how it is laid out: `prose`, `list`, `steps`, `table` or `code`."""
        if part.kind is PassageKind.CODE:
            return "code", self._code(part.quotes[0])
        if part.kind is PassageKind.ROW:
            return "table", self._table(part)
        several = part.kind is PassageKind.DEFINITION and len(part.quotes) > 1
        listed = wanted in (AnswerFormat.LIST, AnswerFormat.STEPS) and not self.has_list
        if part.kind in _LISTS or several or listed:
            steps = part.kind is PassageKind.STEP or wanted is AnswerFormat.STEPS
            return ("steps" if steps else "list"), self._list(part, numbered=steps)
        text = " ".join(self._marked(quote) for quote in part.quotes)
        code_behind = following[0].quotes[0] if following and following[0].kind is PassageKind.CODE else None
        return "prose", text + (self.mark(code_behind) if code_behind is not None else "")

    def _list(self, part: Part, *, numbered: bool) -> str:
        """A list; what stands in an item besides its first text, a paragraph or code, is indented under it."""
        lines: list[str] = []
        number = 0
        for quote, behind in zip(part.quotes, (*part.quotes[1:], None), strict=True):
            if quote.passage.kind is PassageKind.CODE and number:
                lines.append("\n" + _indented(self._code(quote)) + "\n")
                continue
            text = self._marked(quote)
            if behind is not None and behind.passage.kind is PassageKind.CODE:
                text += self.mark(behind)
            if quote.passage.kind is PassageKind.PARAGRAPH and part.kind is not PassageKind.PARAGRAPH and number:
                lines.append("\n" + _indented(text) + "\n")
                continue
            number += 1
            lines.append(f"{f'{number}.' if numbered else '-'} {text}")
        return "\n".join(lines).rstrip("\n").replace("\n\n\n", "\n\n")

    def _marked(self, quote: Quote) -> str:
        """A quote with its mark; in prose behind each sentence, since each is a claim of its own."""
        if quote.passage.kind is not PassageKind.PARAGRAPH or quote.first == quote.last:
            return self.inline.of(quote) + self.mark(quote)
        sentences = (replace(quote, first=i, last=i) for i in range(quote.first, quote.last + 1))
        return " ".join(self.inline.of(sentence) + self.mark(sentence) for sentence in sentences)

    def mark(self, quote: Quote) -> str:
        """The number of a quote's source."""
        known = self.known.get(quote.passage.id)
        source = self.registry.add(known) if known else self.registry.register(quote.passage, Via.RETRIEVAL)
        earlier = self.quotes.get(source.sid)
        self.quotes[source.sid] = earlier.joined(quote) if earlier else quote
        return f"[^{source.sid}]"

    def _code(self, quote: Quote) -> str:
        self.mark(quote)
        text = quote.passage.text
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
        return f"{fence}{_info(quote.passage)}\n{text}\n{fence}"

    def _table(self, part: Part) -> str:
        rows = [self._cells(quote.passage) for quote in part.quotes]
        width = max(len(row) for row in rows)
        header = part.quotes[0].passage.header
        lines = [
            "| " + " | ".join(_cell(escape(cell)) for cell in _padded(header, width)) + " |",
            "|" + " --- |" * width,
        ]
        for quote, row in zip(part.quotes, rows, strict=True):
            cells = _padded(row, width)
            last = max((i for i, cell in enumerate(cells) if cell), default=0)
            cells[last] += self.mark(quote)
            lines.append("| " + " | ".join(cells) + " |")
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
    """What stands behind a fence: language, the title if it is a file's name, and the highlighted lines."""
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


def _joined(parts: Sequence[tuple[str, str]], wanted: AnswerFormat) -> str:
    """Paragraphs that follow each other become one, unless one announces what comes next; items join their list."""
    out: list[tuple[str, str]] = []
    for kind, text in parts:
        if out and kind == out[-1][0] == "prose" and wanted is not AnswerFormat.LIST:
            out[-1] = (kind, f"{out[-1][1]} {text}")
        elif out and kind == out[-1][0] == "list" and wanted is AnswerFormat.LIST:
            out[-1] = (kind, f"{out[-1][1]}\n{text}")
        else:
            out.append((kind, text))
    return "\n\n".join(text for _, text in out)
