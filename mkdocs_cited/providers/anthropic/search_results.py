"""What the model was shown, block by block, and the way back from a citation to our own passages and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.answer_text.numbering import Registry
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.anthropic_client import Cited
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.source import Passage, PassageKind, Source, SourceType, Via

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import SearchResultBlockParam

_WHOLE = frozenset({PassageKind.CODE, PassageKind.ITEM, PassageKind.STEP, PassageKind.ROW, PassageKind.DEFINITION})
_REPORT = "run `mkdocs-cited update` again; if it stays, report it to mkdocs-cited"


class Block(Struct, frozen=True):
    """One content block as it was sent: a sentence of a paragraph, or a whole passage of any other kind."""

    passage: Passage
    first: int
    """Number of its first sentence in the passage."""
    last: int
    """Number of its last sentence."""
    text: str
    """As sent; what leads into the passage stands before it in brackets."""


@dataclass
class Shelf:
    """The search results of one conversation, in the order in which the API counts them."""

    results: list[tuple[Source, tuple[Block, ...]]] = field(default_factory=list)
    shown: dict[str, Source] = field(default_factory=dict)
    """Id of each passage on the shelf → the source that brought it."""

    def add(self, source: Source, *, citable: bool) -> SearchResultBlockParam | None:
        """Put a source and what stands around it on the shelf; `None` when all of it is there already."""
        blocks: list[Block] = []
        for passage in source.context or (source.passage,):
            if passage.id not in self.shown:
                self.shown[passage.id] = source
                blocks += _blocks(passage, blocks)
        if not blocks:
            return None
        self.results.append((source, tuple(blocks)))
        page = source.passage.page
        label = f"{source.label} (internal note)" if page.type is SourceType.NOTE else source.label
        title = label if citable else f"[{len(self.results)}] {label}"
        return {
            "type": "search_result",
            "source": source.passage.section.where,
            "title": title,
            "content": [{"type": "text", "text": block.text} for block in blocks],
            "citations": {"enabled": citable},
        }

    def resolve(self, cited: Cited) -> tuple[Quote, ...] | Fault:
        """What of our passages a citation means. It is ours to publish only if the API's text is the one we sent."""
        if not 0 <= cited.result < len(self.results):
            return Fault(f"the reply cites search result {cited.result}, which was never sent", _REPORT)
        blocks = self.results[cited.result][1]
        if not 0 <= cited.start < cited.end <= len(blocks):
            return Fault(f"the reply cites blocks {cited.start}–{cited.end} of {len(blocks)}", _REPORT)
        run = blocks[cited.start : cited.end]
        if _squeezed(cited.text) != _squeezed("".join(block.text for block in run)):
            return Fault("the text that the reply cites is not the text that was sent", _REPORT)
        quotes: dict[str, Quote] = {}
        for block in run:
            quote = Quote(block.passage, block.first, block.last)
            known = quotes.get(block.passage.id)
            quotes[block.passage.id] = known.joined(quote) if known else quote
        return tuple(quotes.values())

    def numbered(self, number: int) -> tuple[Quote, ...]:
        """The source that result `number`, from 1, was sent for: its own passage, whole. Empty for an unknown one."""
        if not 1 <= number <= len(self.results):
            return ()
        source, blocks = self.results[number - 1]
        own = next((block.passage for block in blocks if block.passage.id == source.passage.id), blocks[0].passage)
        return (whole(own),)

    def named(self, where: str) -> Source | None:
        """The first source that was sent under this `source`: `page#anchor` or a page."""
        return next((source for source, _ in self.results if source.passage.section.where == where), None)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage on the shelf, once, in order."""
        blocks = (block for _, content in self.results for block in content)
        return tuple({block.passage.id: block.passage for block in blocks}.values())

    def source_of(self, passage: Passage) -> Source:
        """The source for a passage on the shelf; one from around a source inherits how that came in."""
        source = self.shown[passage.id]
        if source.passage.id == passage.id:
            return source
        return replace(source, passage=passage, phrasings=(), reasoning=f"stands beside what was found: {source.label}")

    def found_by_tools(self, given: int) -> tuple[Source, ...]:
        """What came by tools, numbered on from the `given` sources of the request."""
        found = [source for source, _ in self.results if source.via is Via.TOOL]
        return tuple(replace(source, sid=given + number, context=()) for number, source in enumerate(found, 1))


class Numbering(Registry):
    """The numbers of one answer, for what stands on a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        super().__init__()
        self.shelf = shelf

    def sids(self, quotes: Iterable[Quote]) -> tuple[int, ...]:
        """The numbers of these quotes, each once, ascending."""
        return tuple(sorted({self.cite(quote, self.shelf.source_of(quote.passage)) for quote in quotes}))


def whole(passage: Passage) -> Quote:
    """All sentences of a passage."""
    return Quote(passage, 0, max(0, len(passage.sentences) - 1))


def _blocks(passage: Passage, before: Sequence[Block]) -> list[Block]:
    """A passage as content blocks, which the API does not split further: each is the least that can be cited.

    What leads into it (the table's header, the term) is needed to understand it, and is put before it unless it has
    just been shown.
    """
    lead = passage.lead.strip()
    if before and lead and (before[-1].passage.lead.strip() == lead or before[-1].passage.text.endswith(lead)):
        lead = ""
    columns = " | ".join(passage.header)  # with every row: a cell without its column says nothing
    prefix = "".join(f"[{part}] " for part in (lead, columns) if part)
    last = max(0, len(passage.sentences) - 1)
    if passage.kind in _WHOLE or last == 0:
        text = f"```{passage.language}\n{passage.text}\n```" if passage.kind is PassageKind.CODE else passage.text
        text = " | ".join(passage.cells) if passage.cells else text
        return [Block(passage, 0, last, prefix + text)] if passage.text.strip() else []
    sentences = passage.sentence_texts()
    return [
        Block(passage, number, number, (prefix if number == 0 else "") + text)
        for number, text in enumerate(sentences)
        if text.strip()
    ]


def _squeezed(text: str) -> str:
    """The text without white space: how the API joins blocks is not part of what they say."""
    return "".join(text.split())
