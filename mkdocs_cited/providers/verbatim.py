"""From passages to an answer's Markdown: blocks as the page has them, each sentence with its number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.numbering import Registry
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.source import Passage, PassageKind, Source, Via
from mkdocs_cited.providers.inline import Inline, escape
from mkdocs_cited.search.as_markdown import together

_BAR = re.compile(r"(?<!\\)\|")
_ALONE = (PassageKind.PARAGRAPH, PassageKind.CODE)
"""What is in a box, not in a list or table."""
_TITLE = re.compile(r"[\w.@/\\~+-]{1,100}")
"""A code block's title that is shown: a file's name or path, which states nothing."""
MOST_TITLE = 8
"""Words of an admonition's title that may stand over what it holds."""


def compose(passages: Sequence[Passage], provider: str, sources: Sequence[Source], inline: Inline) -> Draft:
    """One draft of all passages: prose, lists, tables and code as they are on the page.

    Args:
        passages: what is quoted, in page order.
        provider: who writes.
        sources: what is known of these passages.
        inline: writes their words.
    """
    layout = _Layout(sources, inline)
    content = "\n\n".join(layout.blocks(passages))
    citations = tuple(Citation(sid, quote.passage.id, quote.text) for sid, quote in layout.quotes.items())
    return Draft(content, citations, layout.registry.sources, provider)


def _is_label(title: str, locale: str) -> bool:
    """Whether a title is short and states nothing: it appears in the answer without a number."""
    return 0 < len(title.split()) <= MOST_TITLE and title[-1:] not in ".!?…" and not states(title, locale)


class _Layout:
    """Gives numbers to quotes while they are written down."""

    def __init__(self, sources: Sequence[Source], inline: Inline) -> None:
        self.inline = inline
        self.registry = Registry()
        self.known = {source.passage.id: source for source in sources}
        self.quotes: dict[int, Quote] = {}

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
                out += [self._code(first), *([] if led_in else [self.mark(self.quote(first))])]
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
        return self._marked(passage) + (self.mark(self.quote(code)) if code else "")

    def _marked(self, passage: Passage) -> str:
        """A passage with its mark; in prose behind each sentence, since each is a claim of its own."""
        if passage.kind is not PassageKind.PARAGRAPH or len(passage.sentences) < 2:
            quote = self.quote(passage)
            return self.inline.of(quote) + self.mark(quote)
        sentences = [Quote(passage, number, number) for number in range(len(passage.sentences))]
        return " ".join(self.inline.of(sentence) + self.mark(sentence) for sentence in sentences)

    @staticmethod
    def quote(passage: Passage) -> Quote:
        """All of a passage."""
        return Quote(passage, 0, max(len(passage.sentences) - 1, 0))

    def mark(self, quote: Quote) -> str:
        """The number of a quote's source."""
        known = self.known.get(quote.passage.id)
        source = self.registry.add(known) if known else self.registry.register(quote.passage, Via.RETRIEVAL)
        earlier = self.quotes.get(source.sid)
        self.quotes[source.sid] = earlier.joined(quote) if earlier else quote
        return f"[^{source.sid}]"

    def _code(self, passage: Passage) -> str:
        self.mark(self.quote(passage))
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", passage.text)), default=0))
        return f"{fence}{_info(passage)}\n{passage.text}\n{fence}"

    def _table(self, group: Sequence[Passage]) -> str:
        rows = [self._cells(passage) for passage in group]
        width = max(len(row) for row in rows)
        header = group[0].header
        lines = [
            "| " + " | ".join(_cell(escape(cell)) for cell in _padded(header, width)) + " |",
            "|" + " --- |" * width,
        ]
        for passage, row in zip(group, rows, strict=True):
            cells = _padded(row, width)
            last = max((i for i, cell in enumerate(cells) if cell), default=0)
            cells[last] += self.mark(self.quote(passage))
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
