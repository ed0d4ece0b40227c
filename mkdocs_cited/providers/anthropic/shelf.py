"""What the model was shown, block by block, and the way back from a citation to our own passages and sentences."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import Quote, Registry
from mkdocs_cited.anthropic_client import Cited
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.source import Corpus, Page, Passage, Source, SourceType, Via
from mkdocs_cited.search.as_markdown import Block, blocks
from mkdocs_cited.search.select import section_of

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import SearchResultBlockParam

GAP = "[…]"
"""Where a section goes on that was not sent whole."""
_MOST_ALSO = 3
"""Further addresses of an equal text that are named."""
_REPORT = "run it again; if it stays, report it to mkdocs-cited"


@dataclass
class Shelf:
    """The pages of one conversation, in the order in which the API counts its search results."""

    corpus: Corpus
    results: list[tuple[Block, ...]] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    """What brought sections, in order."""
    shown: dict[str, Source] = field(default_factory=dict)
    """Id of each passage on the shelf → the source that brought it."""

    def add(self, sources: Iterable[Source]) -> list[SearchResultBlockParam]:
        """Put the sections of sources on the shelf, each as far as its source has it as context: a search result for
        each page, from its top, with what was not there already."""
        pages: dict[str, list[Source]] = {}
        for source in sources:
            pages.setdefault(source.passage.page.src, []).append(source)
        results: list[SearchResultBlockParam] = []
        for src, part in pages.items():
            page = part[0].passage.page
            content: list[Block] = []
            for source in sorted(part, key=lambda item: item.passage.position):
                content += self._blocks(source)
            if content:
                self.results.append(tuple(content))
                results.append(
                    {
                        "type": "search_result",
                        "source": src,
                        "title": _title(page, self.corpus.date(page)),
                        "content": [
                            {"type": "text", "text": item.text} for item in content
                        ],
                        "citations": {"enabled": True},
                    }
                )
        return results

    def _blocks(self, source: Source) -> list[Block]:
        """What a source brings that is not on the shelf, under its headings."""
        whole = section_of(source.passage, self.corpus)
        brought = source.context or (source.passage,)
        new = [passage for passage in brought if passage.id not in self.shown]
        self.shown.update((passage.id, source) for passage in new)
        content = list(_with_gaps(blocks(new), whole, self.shown))
        if content:
            self.sources.append(source)
            text = _heading(source) + content[0].text
            content[0] = replace(content[0], text=text)
        return content

    def resolve(self, cited: Cited) -> tuple[Quote, ...] | Fault:
        """What of our passages a citation means. It is ours to publish only if the API's text is the one we sent."""
        shown: tuple[Block, ...] = ()
        if 0 <= cited.result < len(self.results):
            shown = self.results[cited.result]
        is_there = 0 <= cited.start < cited.end <= len(shown)
        run = shown[cited.start : cited.end]
        sent = _squeezed("".join(block.text for block in run))
        if not is_there or _squeezed(cited.text) != sent:
            return Fault(
                "the text that the reply cites is not the text that was sent", _REPORT
            )
        return tuple(Quote(block.passage, block.first, block.last) for block in run)

    def named(self, where: str) -> Source | None:
        """The first source that was sent under this address, or from this page."""
        for source in self.sources:
            section = source.passage.section
            if where in (section.where, section.page.src):
                return source
        return None

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage on the shelf, once, in order."""
        shown = {}
        for content in self.results:
            for block in content:
                shown[block.passage.id] = block.passage
        return tuple(shown.values())

    def sids(self, quotes: Iterable[Quote], registry: Registry) -> tuple[int, ...]:
        """The numbers of these quotes in an answer, each once, ascending."""
        numbers = set()
        for quote in quotes:
            # what is around a source inherits how that came in
            source = replace(self.shown[quote.passage.id], passage=quote.passage)
            numbers.add(registry.cite(quote, source))
        return tuple(sorted(numbers))

    def found_by_tools(self, given: int) -> tuple[Source, ...]:
        """What came by tools, numbered on from the `given` sources of the request."""
        found: list[Source] = []
        for source in self.sources:
            if source.via is Via.TOOL:
                number = given + len(found) + 1
                found.append(replace(source, sid=number, context=()))
        return tuple(found)


def _with_gaps(
    content: Sequence[Block], section: Sequence[Passage], shown: Container[str]
) -> Iterator[Block]:
    """The blocks of a section, with a sign where passages of it were never shown."""
    cut = set()
    for before, passage in pairwise(section):
        if before.id not in shown:
            cut.add(passage.id)
    for number, block in enumerate(content, 1):
        text = block.text
        if block.passage.id in cut and not block.first:
            text = f"{GAP}\n{text}"
        if number == len(content) and section and section[-1].id not in shown:
            text += f"\n{GAP}"
        yield replace(block, text=text)


def _title(page: Page, date: str) -> str:
    """A page's title with its date; that an internal note is one."""
    if page.type is SourceType.NOTE:
        return f"{page.title} (internal note)"
    if date:
        return f"{page.title} ({date})"
    return page.title


def _heading(source: Source) -> str:
    """The line over a section: the headings that it is under, its anchor, and where else the same text is."""
    section = source.passage.section
    page = section.page
    crumbs = [
        crumb for crumb in dict.fromkeys(section.breadcrumb) if crumb != page.title
    ]
    line = " › ".join(crumbs)
    if section.anchor and page.type is not SourceType.NOTE:
        line += f" (#{section.anchor})"
    if source.also:
        line += f" (equal: {', '.join(source.also[:_MOST_ALSO])})"
    if not line:
        return ""
    return f"## {line.strip()}\n"


def _squeezed(text: str) -> str:
    """The text without white space: how the API joins blocks is not part of what they say."""
    return "".join(text.split())
