"""The default provider: it shows the nearest passage as a quotation with its source. Offline, repeatable.

It claims no more than that the docs say so. Whether the quotation answers the question is a person's word, in
`mkdocs-cited review`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import Quote, Registry, best_quotes
from mkdocs_cited.base.text import ticks
from mkdocs_cited.model.answer import Abstention, Draft
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import (
    Corpus,
    Passage,
    PassageKind,
    Source,
    Via,
)
from mkdocs_cited.providers.interface import Outcome, Provider, Request
from mkdocs_cited.search.as_markdown import fenced
from mkdocs_cited.search.select import is_far, section_of

MOST_WORDS = 200
"""Words of a list or table that is quoted whole; of a longer one its one item is."""
_MOST_BESIDES = 4
"""Words besides a link with which a sentence only refers elsewhere: “See … for details”."""
_SPECIAL = re.compile(r"[\\`*\[\]<>~^$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_LINE_START = re.compile(r"^(\s*)([-+#=]|:(?=\s)|\d{1,9}(?=[.)]\s))")
_BAR = re.compile(r"(?<!\\)\|")
_OPENING = (":", "：")
_JOINED = (PassageKind.ITEM, PassageKind.STEP, PassageKind.ROW)


class QuoteProvider(Provider):
    """Quotes the passage that is nearest to the question."""

    id = "quote"

    def write(self, request: Request) -> Outcome:
        """The nearest passage, or an abstention where none is near enough."""
        shown = [source for source in request.sources if not source.passage.is_private]
        for source in shown:
            if is_far(source, self.settings):
                continue
            passage = _followed(source.passage, request.corpus)
            if passage is not None:
                return quoted(with_its_list(passage, request.corpus), source)
        reason = "no passage of the docs is near enough to it"
        return Abstention(reason, tuple(shown), self.id)


def quoted(passages: Sequence[Passage], source: Source | None = None) -> Draft:
    """Passages as Markdown, each with its number.

    Args:
        passages: what is quoted, in order.
        source: how the first of them was found; a person took them where it is left out.
    """
    registry = Registry()
    via, relevance = Via.AUTHOR, 1.0
    if source:
        via, relevance = source.via, source.relevance
    blocks = []
    for _, joined in groupby(passages, _joined):
        group = list(joined)
        marks = []
        for passage in group:
            entry = Source(0, passage, via, relevance=relevance)
            marks.append(f"[^{registry.cite(Quote.whole(passage), entry)}]")
        blocks.append(_block(group, marks))
    return Draft(
        "\n\n".join(blocks), registry.citations, registry.sources, QuoteProvider.id
    )


def _followed(passage: Passage, corpus: Corpus) -> Passage | None:
    """A passage, or what it leads to where it only refers elsewhere (`See Backups and Restore.`), if that is there."""
    linked = " ".join(passage.text[start:end] for start, end, _ in passage.targets)
    besides = len(passage.text.split()) - len(linked.split())
    if not linked or len(passage.sentences) > 1 or besides > _MOST_BESIDES:
        return passage
    for _, _, address in passage.targets:
        url, _, anchor = address.partition("#")
        for page in corpus.pages():
            if page.url.rstrip("/") != url.rstrip("/"):
                continue
            for found in corpus.section(page.src, anchor):
                if not found.is_private:
                    return found
    return None


def of_section(
    section: Sequence[Passage], question: Declaration, corpus: Corpus
) -> Sequence[Passage]:
    """The passage of a section that is nearest to a question, with all of its list."""
    nearest = best_quotes(question.question, section, question.language)[0].passage
    return with_its_list(nearest, corpus)


def with_its_list(passage: Passage, corpus: Corpus) -> Sequence[Passage]:
    """A passage with what it is only understood with: the rest of its list or table, what it introduces, or what
    introduces it."""
    section = section_of(passage, corpus)
    groups = [
        tuple(group)
        for _, group in groupby(section, lambda item: item.block or item.id)
    ]
    for number, group in enumerate(groups):
        if passage not in group:
            continue
        if number and groups[number - 1][-1].text.endswith(_OPENING):
            group = (groups[number - 1][-1], *group)
        if group[-1].text.endswith(_OPENING) and number + 1 < len(groups):
            group += groups[number + 1]
        if sum(len(each.text.split()) for each in group) <= MOST_WORDS:
            return group
    return (passage,)


def _joined(passage: Passage) -> object:
    """The same for items of one list, and for rows of one table."""
    if passage.block and passage.kind in _JOINED:
        return passage.block, passage.kind
    return passage.id


def _block(group: Sequence[Passage], marks: Sequence[str]) -> str:
    """One block of Markdown with its numbers: of a paragraph one behind each sentence, which is a claim of its own."""
    first = group[0]
    if first.kind is PassageKind.CODE:
        language = re.sub(r"[^A-Za-z0-9_+#.-]", "", first.language)
        code = fenced(replace(first, language=language, title=""))
        return f"{code}\n\n{marks[0]}"
    lines = []
    if first.kind is PassageKind.ROW:
        width = max(len(passage.cells) for passage in group)
        header = (*first.header, *[""] * width)[:width]
        lines += [_row(header, ""), f"|{' --- |' * width}"]
    for number, (passage, mark) in enumerate(zip(group, marks, strict=True), 1):
        whole = _inline(passage, 0, len(passage.text)) + mark
        match passage.kind:
            case PassageKind.ROW:
                lines.append(_row(passage.cells, mark))
            case PassageKind.STEP:
                lines.append(f"{number}. {whole}")
            case PassageKind.ITEM:
                lines.append(f"- {whole}")
            case PassageKind.PARAGRAPH:
                said = [_inline(passage, *piece[2:]) for piece in passage.pieces()]
                lines.append(f"{mark} ".join(said) + mark)
            case _:
                lines.append(whole)
    return "\n".join(lines)


def _inline(passage: Passage, start: int, end: int) -> str:
    """A part of a passage as Markdown, its code between backticks."""
    text = ""
    at = start
    for first, last in passage.code_spans:
        if start <= first and last <= end:
            code = _in_ticks(passage.text[first:last])
            text += _escaped(passage.text[at:first]) + code
            at = last
    text += _escaped(passage.text[at:end])
    return _LINE_START.sub(r"\1\\\2", text)


def _in_ticks(code: str) -> str:
    fence = ticks(code)
    blank = " " if "`" in code else ""
    return f"{fence}{blank}{code}{blank}{fence}"


def _escaped(text: str) -> str:
    """Plain text as Markdown that shows just that text: no emphasis, links, HTML or entities."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _row(cells: Sequence[str], mark: str) -> str:
    """A row of a table; the number is in its last cell with a text."""
    written = [_BAR.sub(r"\\|", _escaped(cell)) for cell in cells]
    last = 0
    for number, cell in enumerate(written):
        if cell:
            last = number
    written[last] += mark
    return f"| {' | '.join(written)} |"
