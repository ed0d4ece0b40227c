"""Passages as a person would read them: the Markdown of a section, block by block, each of which can be cited alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from mkdocs_cited.base.text import ticks
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.sources.from_html import shortened

_OPENING = (":", "：", ",")
_LISTED = frozenset((PassageKind.ITEM, PassageKind.STEP))
LONGEST_STEPS = 1_600
"""Characters of the steps of a list that go together."""


class Block(Struct, frozen=True):
    """The least that can be cited: a sentence of a paragraph, or any other passage as a whole."""

    passage: Passage
    first: int
    """Number of its first sentence in the passage."""
    last: int
    """Number of its last sentence."""
    text: str
    """Markdown. What is over it and was not shown before comes in brackets, on lines of its own."""


def blocks(passages: Sequence[Passage]) -> tuple[Block, ...]:
    """The blocks of passages of one page, which come in page order and with their sentences."""
    return tuple(_Writer().blocks(passages))


def passage_texts(passages: Sequence[Passage]) -> dict[str, str]:
    """Id of each passage of one section → its Markdown; a row's cells go each with its head."""
    texts: dict[str, list[str]] = defaultdict(list)
    for block in blocks(passages):
        text = block.text
        if block.passage.header:
            text = _paired(block.passage)
        texts[block.passage.id].append(text)
    return {name: " ".join(parts) for name, parts in texts.items()}


def with_what_belongs(
    passage: Passage, section: Sequence[Passage]
) -> tuple[Passage, ...]:
    """A passage of a section with what is only understood together with it, in page order: the passages that lead into
    it (a sentence that opens its list, table or code; the item that it is nested in), behind one that ends in a colon
    or comma the next one, which it introduces, and the other steps of a numbered list, unless that is long."""
    over = tuple(
        label.removeprefix("…") for label in (*passage.labels, passage.lead) if label
    )
    together = {passage.id}
    for item, following in pairwise(section):
        if item.id == passage.id and item.text.endswith(_OPENING):
            together.add(following.id)
    if passage.kind is PassageKind.STEP:
        steps = [item for item in section if item.block == passage.block]
        if sum(len(step.text) for step in steps) <= LONGEST_STEPS:
            together.update(step.id for step in steps)
    found = []
    for item in section:
        leads = item.position < passage.position and item.text.endswith(over)
        if leads or item.id in together:
            found.append(item)
    return tuple(found) or (passage,)


class _Writer:
    """Writes block by block, and remembers what a person would have read by then."""

    def __init__(self) -> None:
        self._read: list[str] = []
        """Texts that were shown."""
        self._items: set[str] = set()
        """Texts of items, as labels give them: what is nested below one is indented."""
        self._open: tuple[str, ...] = ()
        """What is over the passage before."""
        self._table = -1

    def blocks(self, passages: Sequence[Passage]) -> Iterator[Block]:
        for passage in passages:
            over = self._over(passage)
            for first, last, text in self._pieces(passage):
                yield Block(passage, first, last, over + text)
                over = ""
            self._read.append(passage.text)
            self._open = self._labels(passage)
            self._table = passage.block if passage.kind is PassageKind.ROW else -1
            if passage.kind in _LISTED:
                self._items.add(shortened(passage.text))

    def _over(self, passage: Passage) -> str:
        """What a reader sees over a passage and was not shown yet."""
        over = ""
        for label in self._labels(passage):
            if label not in self._open and not self._was_read(label):
                over += f"[{label}]\n"
        return over

    @staticmethod
    def _labels(passage: Passage) -> tuple[str, ...]:
        """Its labels, else its lead: unless the passage itself shows it (a header row, a term, a title of code)."""
        if passage.labels:
            return passage.labels
        is_term = passage.kind is PassageKind.DEFINITION
        if is_term or passage.header or passage.lead in ("", passage.title):
            return ()
        return (passage.lead,)

    def _was_read(self, label: str) -> bool:
        words = label.removeprefix("…")
        return any(text.endswith(words) for text in self._read)

    def _pieces(self, passage: Passage) -> Iterator[tuple[int, int, str]]:
        last = max(0, len(passage.sentences) - 1)
        whole = (0, len(passage.text))
        match passage.kind:
            case PassageKind.CODE:
                yield 0, last, fenced(passage)
            case PassageKind.ROW:
                yield 0, last, self._row(passage)
            case PassageKind.DEFINITION:
                yield 0, last, f"- {_definition(passage)}"
            case PassageKind.ITEM | PassageKind.STEP:
                sign = "-"
                if passage.kind is PassageKind.STEP:
                    sign = f"{passage.number or 1}."
                indent = "   " * sum(label in self._items for label in passage.labels)
                yield 0, last, f"{indent}{sign} {marked(passage, *whole)}"
            case _:
                for first, final, start, end in passage.pieces():
                    yield first, final, marked(passage, start, end)

    def _row(self, passage: Passage) -> str:
        cells = [_cell(text) for text in marked_cells(passage)]
        line = f"| {' | '.join(cells)} |"
        if not passage.header or self._table == passage.block:
            return line
        heads = [_cell(head) for head in passage.header]
        heads += [""] * (len(cells) - len(heads))
        return f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n{line}"


def _definition(passage: Passage) -> str:
    """A definition with its term, if it has one, in bold."""
    at, length = len(passage.lead), len(passage.text)
    if not at or not passage.text.startswith(passage.lead):
        return marked(passage, 0, length)
    words = marked(passage, at, length).lstrip(": ")
    return f"**{marked(passage, 0, at)}** {words}"


def fenced(passage: Passage) -> str:
    """A code block between fences, with its language and title."""
    fence = ticks(passage.text, 3)
    title = ""
    if passage.title:
        title = f' title="{passage.title}"'
    return f"{fence}{passage.language}{title}\n{passage.text}\n{fence}"


def marked(passage: Passage, start: int, end: int) -> str:
    """A part of a passage's text with its inline code, emphasis, struck-out words and links to other pages of the site
    marked as Markdown marks them."""
    # at one place, the inner closes first and the outer opens first
    signs = []
    for rank, (first, last, before, behind) in enumerate(_spans(passage)):
        opening, closing = max(first, start), min(last, end)
        if opening < closing:
            size = closing - opening
            signs.append((opening, 1, -size, rank, before))
            signs.append((closing, 0, size, -rank, behind))
    out = []
    at = start
    for place, *_, sign in sorted(signs):
        out += [passage.text[at:place], sign]
        at = place
    return "".join([*out, passage.text[at:end]]).strip()


def _spans(passage: Passage) -> Iterator[tuple[int, int, str, str]]:
    """The parts of a passage's text that are marked, with what is written before and behind each."""
    for start, end, where in passage.targets:
        page = where.partition("#")[0].strip("/")
        if ":" not in where and page != passage.page.url.strip("/"):
            yield start, end, "[", f"]({where})"
    for start, end in passage.struck:
        yield start, end, "~~", "~~"
    for start, end in passage.emphasis:
        yield start, end, "**", "**"
    for start, end in passage.code_spans:
        sign = ticks(passage.text[start:end])
        yield start, end, sign, sign


def marked_cells(row: Passage) -> list[str]:
    """The cells of a row, marked."""
    return [marked(row, start, end) for start, end in row.cell_spans()]


def _paired(row: Passage) -> str:
    """A row whose every cell names its column."""
    cells = marked_cells(row)
    heads = (*row.header, *[""] * (len(cells) - len(row.header)))
    paired = []
    for head, cell in zip(heads, cells, strict=False):
        paired.append(f"{head}: {cell}".removeprefix(": "))
    return " | ".join(paired)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
