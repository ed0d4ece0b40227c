"""The default provider: it shows the nearest passage as a quotation with its source. Offline, repeatable.

It claims no more than that the docs say so. Whether the quotation answers the question is a person's word, in
`mkdocs-cited review`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import Quote, Registry, best_quotes
from mkdocs_cited.model.answer import Abstention, Draft
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import (
    Corpus,
    Passage,
    PassageKind,
    Source,
    SourceType,
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
_TICKS = re.compile(r"`+")
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
        reason = "no passage of the docs is near enough to the question"
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
    blocks: list[str] = []
    for group in _groups(passages):
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
    pages = {}
    for page in corpus.pages():
        if page.type is not SourceType.NOTE:
            pages[page.url.rstrip("/")] = page.src
    for _, _, address in passage.targets:
        url, _, anchor = address.partition("#")
        section = corpus.section(pages.get(url.rstrip("/"), ""), anchor)
        if section:
            return section[0]
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
    if passage not in section:
        return (passage,)
    first, last = _block_around(section, section.index(passage))
    if first and section[first - 1].text.endswith(_OPENING):
        first -= 1
    if section[last].text.endswith(_OPENING) and last + 1 < len(section):
        _, last = _block_around(section, last + 1)
    group = section[first : last + 1]
    if sum(len(each.text.split()) for each in group) <= MOST_WORDS:
        return group
    return (passage,)


def _block_around(section: Sequence[Passage], at: int) -> tuple[int, int]:
    """The first and the last place of the list, table or admonition that a passage is in; its own, if it is in none."""
    block = section[at].block
    first = last = at
    while block and first and section[first - 1].block == block:
        first -= 1
    while block and last + 1 < len(section) and section[last + 1].block == block:
        last += 1
    return first, last


def _groups(passages: Iterable[Passage]) -> list[list[Passage]]:
    """Items of one list and rows of one table together, in order."""
    groups: list[list[Passage]] = []
    for passage in passages:
        if groups and passage.block and passage.kind in _JOINED:
            last = groups[-1][0]
            if (last.block, last.kind) == (passage.block, passage.kind):
                groups[-1].append(passage)
                continue
        groups.append([passage])
    return groups


def _block(group: Sequence[Passage], marks: Sequence[str]) -> str:
    """One block of Markdown with its numbers."""
    first = group[0]
    if first.kind is PassageKind.CODE:
        return f"{_code(first)}\n\n{marks[0]}"
    if first.kind is PassageKind.ROW:
        return _table(group, marks)
    lines = []
    for number, (passage, mark) in enumerate(zip(group, marks, strict=True), 1):
        sign = ""
        if first.kind is PassageKind.STEP:
            sign = f"{number}. "
        elif first.kind is PassageKind.ITEM:
            sign = "- "
        lines.append(f"{sign}{_sentences(passage, mark)}")
    return "\n".join(lines)


def _sentences(passage: Passage, mark: str) -> str:
    """A passage as Markdown, of a paragraph a number behind each sentence: each is a claim of its own."""
    if passage.kind is not PassageKind.PARAGRAPH or len(passage.sentences) < 2:
        return inline(passage, 0, len(passage.text)) + mark
    return " ".join(
        inline(passage, start, end) + mark for start, end in passage.sentences
    )


def inline(passage: Passage, start: int, end: int) -> str:
    """A part of a passage as Markdown, its code between backticks."""
    parts = []
    at = start
    for first, last in passage.code_spans:
        if start <= first and last <= end:
            parts.append(escape(passage.text[at:first], starts_line=at == start))
            parts.append(_in_ticks(passage.text[first:last]))
            at = last
    parts.append(escape(passage.text[at:end], starts_line=at == start))
    return "".join(parts)


def _in_ticks(code: str) -> str:
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(code)), default=0))
    blank = ""
    if code.startswith("`") or code.endswith("`"):
        blank = " "
    return f"{fence}{blank}{code}{blank}{fence}"


def escape(text: str, *, starts_line: bool = True) -> str:
    """Plain text as Markdown that shows just that text: no emphasis, links, HTML, lists, entities or rules."""
    text = _SPECIAL.sub(lambda match: f"\\{match[0]}", text)
    if starts_line:
        return _LINE_START.sub(r"\1\\\2", text)
    return text


def _code(passage: Passage) -> str:
    language = re.sub(r"[^A-Za-z0-9_+#.-]", "", passage.language)
    return fenced(replace(passage, language=language, title=""))


def _table(group: Sequence[Passage], marks: Sequence[str]) -> str:
    width = max(len(passage.cells) or 1 for passage in group)
    lines = [_row(group[0].header, width), f"|{' --- |' * width}"]
    for passage, mark in zip(group, marks, strict=True):
        lines.append(_row(passage.cells or (passage.text,), width, mark))
    return "\n".join(lines)


def _row(cells: Sequence[str], width: int, mark: str = "") -> str:
    """A row of a table; the number is in its last cell with a text."""
    written = [_BAR.sub(r"\\|", escape(cell, starts_line=False)) for cell in cells]
    written = [*written[:width], *[""] * (width - len(cells))]
    last = 0
    for number, cell in enumerate(written):
        if cell:
            last = number
    written[last] += mark
    return f"| {' | '.join(written)} |"
