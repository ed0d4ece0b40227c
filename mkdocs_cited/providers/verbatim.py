"""From passages to an answer's Markdown: blocks as the page has them, each sentence with its number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.numbering import Registry
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.source import Passage, PassageKind, Source, Via
from mkdocs_cited.providers.inline import Inline, escape

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
    blocks: list[str] = []
    groups = list(_groups(passages))
    title = ""
    for number, group in enumerate(groups):
        first, prose_before = group[0], bool(number) and groups[number - 1][0].kind is PassageKind.PARAGRAPH
        if first.kind is not PassageKind.CODE and first.title != title:
            title = first.title
            blocks += [f"**{escape(title)}**"] if _is_label(title, first.page.locale) else []
        blocks.append(layout.group(group, groups[number + 1] if number + 1 < len(groups) else ()))
        if first.kind is PassageKind.CODE and not prose_before:
            # Its number has a paragraph of its own, since no sentence before it carries it.
            blocks.append(layout.mark(layout.quote(first)))
    citations = tuple(Citation(sid, quote.passage.id, quote.text) for sid, quote in layout.quotes.items())
    return Draft("\n\n".join(blocks), citations, layout.registry.sources, provider)


def _groups(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Each paragraph and code block by itself, and all of a list or table."""
    group: list[Passage] = []
    for passage in passages:
        if group and not (passage.block and passage.block == group[-1].block and group[0].kind not in _ALONE):
            yield group
            group = []
        group.append(passage)
    if group:
        yield group


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

    def group(self, group: Sequence[Passage], following: Sequence[Passage]) -> str:
        """The Markdown of one paragraph, code block, list or table."""
        first = group[0]
        if first.kind is PassageKind.CODE:
            return self._code(first)
        if first.kind is PassageKind.ROW:
            return self._table(group)
        if len(group) > 1:
            return self._list(group)
        code = following[0] if following and following[0].kind is PassageKind.CODE else None
        return self._marked(first) + (self.mark(self.quote(code)) if code else "")

    def _list(self, group: Sequence[Passage]) -> str:
        """A list; what an item holds besides its first text, a paragraph or code, is indented under it."""
        lines: list[str] = []
        number = 0
        for passage, behind in zip(group, (*group[1:], None), strict=True):
            if passage.kind is PassageKind.CODE and number:
                lines.append("\n" + _indented(self._code(passage)) + "\n")
                continue
            text = self._marked(passage)
            if behind is not None and behind.kind is PassageKind.CODE:
                text += self.mark(self.quote(behind))
            if passage.kind is PassageKind.PARAGRAPH and number:
                lines.append("\n" + _indented(text) + "\n")
                continue
            number += 1
            lines.append(f"{f'{number}.' if group[0].kind is PassageKind.STEP else '-'} {text}")
        return "\n".join(lines).rstrip("\n").replace("\n\n\n", "\n\n")

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
