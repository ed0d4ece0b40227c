"""What the model was shown, block by block, and the way back from a citation to our own passages and sentences."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mkdocs_cited.answer_text.citing import Quote, Registry
from mkdocs_cited.anthropic_client import Cited
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.source import Corpus, Passage, Source, SourceType, Via
from mkdocs_cited.search.as_markdown import Block, blocks
from mkdocs_cited.search.select import section_of

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import SearchResultBlockParam

GAP = "[…]"
"""Where a section goes on that was not sent whole."""
_MOST_ALSO = 3
"""Further addresses of an equal text that are named."""
_REPORT = "run `mkdocs-cited update` again; if it stays, report it to mkdocs-cited"


@dataclass
class Shelf:
    """The sections of one conversation, in the order in which the API counts its search results."""

    corpus: Corpus
    results: list[tuple[Source, tuple[Block, ...]]] = field(default_factory=list)
    shown: dict[str, Source] = field(default_factory=dict)
    """Id of each passage on the shelf → the source that brought it."""

    def add(self, source: Source) -> SearchResultBlockParam | None:
        """Put the section of a source on the shelf, as far as the source has it as context; `None` when all of it is
        there already."""
        whole = section_of(source.passage, self.corpus)
        known = any(passage.id in self.shown for passage in whole)
        new = [
            passage
            for passage in source.context or (source.passage,)
            if passage.id not in self.shown
        ]
        self.shown.update((passage.id, source) for passage in new)
        content = tuple(_with_gaps(blocks(new), whole, self.shown))
        if not content:
            return None
        self.results.append((source, content))
        part = ""
        if known:
            part = " (the rest of it)"
        return {
            "type": "search_result",
            "source": source.passage.section.where,
            "title": f"{_title(source)}{part}",
            "content": [{"type": "text", "text": block.text} for block in content],
            "citations": {"enabled": True},
        }

    def resolve(self, cited: Cited) -> tuple[Quote, ...] | Fault:
        """What of our passages a citation means. It is ours to publish only if the API's text is the one we sent."""
        shown: tuple[Block, ...] = ()
        if 0 <= cited.result < len(self.results):
            shown = self.results[cited.result][1]
        run = shown[cited.start : cited.end]
        is_there = 0 <= cited.start < cited.end <= len(shown)
        if not is_there or _squeezed(cited.text) != _squeezed(
            "".join(block.text for block in run)
        ):
            return Fault(
                "the text that the reply cites is not the text that was sent", _REPORT
            )
        return tuple(Quote(block.passage, block.first, block.last) for block in run)

    def named(self, where: str) -> Source | None:
        """The first source that was sent under this address, or from this page."""
        for source, _ in self.results:
            if source.passage.section.where == where:
                return source
        for source, _ in self.results:
            if source.passage.page.src == where:
                return source
        return None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Those of the sections on the shelf, in order."""
        return tuple(
            dict.fromkeys(source.passage.section.where for source, _ in self.results)
        )

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage on the shelf, once, in order."""
        shown = {}
        for _, content in self.results:
            for block in content:
                shown[block.passage.id] = block.passage
        return tuple(shown.values())

    def source_of(self, passage: Passage) -> Source:
        """The source for a passage on the shelf; one from around a source inherits how that came in."""
        return replace(self.shown[passage.id], passage=passage)

    def sids(self, quotes: Iterable[Quote], registry: Registry) -> tuple[int, ...]:
        """The numbers of these quotes in an answer, each once, ascending."""
        numbers = set()
        for quote in quotes:
            numbers.add(registry.cite(quote, self.source_of(quote.passage)))
        return tuple(sorted(numbers))

    def found_by_tools(self, given: int) -> tuple[Source, ...]:
        """What came by tools, numbered on from the `given` sources of the request."""
        found = []
        number = given
        for source, _ in self.results:
            if source.via is Via.TOOL:
                number += 1
                found.append(replace(source, sid=number, context=()))
        return tuple(found)


def size_of(result: SearchResultBlockParam) -> int:
    """Characters of a search result."""
    return sum(len(block["text"]) for block in result["content"])


def _with_gaps(
    content: Sequence[Block], section: Sequence[Passage], shown: Container[str]
) -> Iterator[Block]:
    """The blocks of a section, with a sign where passages of it were never shown."""
    left_out = [passage.id not in shown for passage in section]
    cut = set()
    for is_cut, passage in zip(left_out, section[1:], strict=False):
        if is_cut:
            cut.add(passage.id)
    for number, block in enumerate(content, 1):
        before = ""
        if block.passage.id in cut and not block.first:
            before = GAP + "\n"
        after = ""
        if number == len(content) and left_out[-1:] == [True]:
            after = "\n" + GAP
        yield replace(block, text=f"{before}{block.text}{after}")


def _title(source: Source) -> str:
    """The headings over a section, its page's date, and where else the same text is; of a note or file its name."""
    page = source.passage.page
    if page.type is SourceType.NOTE:
        return f"{source.label} (internal note)"
    title = source.label
    if page.type is not SourceType.FILE and page.type is not SourceType.WEB:
        title = (
            " › ".join(dict.fromkeys(source.passage.section.breadcrumb)) or source.label
        )
    if page.published:
        title += f" ({page.published})"
    if source.also:
        more = len(source.also) - _MOST_ALSO
        rest = ""
        if more > 0:
            rest = f" and {more} more"
        title += f" (equal: {', '.join(source.also[:_MOST_ALSO])}{rest})"
    return title


def _squeezed(text: str) -> str:
    """The text without white space: how the API joins blocks is not part of what they say."""
    return "".join(text.split())
