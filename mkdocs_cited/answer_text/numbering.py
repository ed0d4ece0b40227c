"""Numbers for the sources of one answer: one passage, one number, contiguous by first appearance in the text."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Citation, Draft
from mkdocs_cited.model.source import Source


class Registry:
    """Gives each passage that comes into an answer its number, from 1, and keeps the one quote it stands for."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self.quotes: dict[str, Quote] = {}
        """Id of a passage → what of it is quoted, in order of first use."""

    def add(self, source: Source) -> Source:
        """The source that stands for a passage: the one it already has, with more context, or this one under the next
        number; the number it came with is not kept."""
        known = self._sources.get(source.passage.id)
        if known is None:
            numbered = replace(source, sid=len(self._sources) + 1)
        else:
            context = {passage.id: passage for passage in (*known.context, *source.context)}
            numbered = replace(known, context=tuple(context.values()))
        self._sources[source.passage.id] = numbered
        return numbered

    def cite(self, quote: Quote, source: Source) -> int:
        """The number of a quote. Two quotes of one passage become the shortest that holds both.

        Args:
            quote: what is cited.
            source: what its passage is registered as, if it has no number yet.
        """
        name = quote.passage.id
        known = self.quotes.get(name)
        self.quotes[name] = known.joined(quote) if known else quote
        return self.add(source).sid

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The quotes as citations, by number."""
        cited = (Citation(self._sources[name].sid, name, quote.text) for name, quote in self.quotes.items())
        return tuple(sorted(cited, key=lambda citation: citation.sid))

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every source, by number."""
        return tuple(self._sources.values())


def renumber(draft: Draft, markers: Sequence[tuple[int, int, int]]) -> Draft:
    """The draft with numbers 1…n by first appearance, and without sources and citations that nothing uses.

    Args:
        markers: (number, start, end) of each `[^n]` outside code, in order: `review.markdown.markers`.

    What has no marker (`used`, `pointers`) is numbered after what has one. Two numbers of one passage become one. A
    number without a source stays without one: it is put behind the last number that has one, for the audit to find.
    """
    passages = {source.sid: source.passage.id for source in draft.sources}
    first_sid: dict[str, int] = {}
    for source in draft.sources:
        first_sid.setdefault(source.passage.id, source.sid)
    wanted = [number for number, _, _ in markers]
    wanted += [number for _, numbers in draft.pointers for number in numbers]
    wanted += draft.used
    cited = dict.fromkeys(passages[number] for number in wanted if number in passages)
    number_of = {passage: place for place, passage in enumerate(cited, start=1)}
    lost = dict.fromkeys(number for number in wanted if number not in passages)
    to = {number: number_of[passage] for number, passage in passages.items() if passage in number_of}
    to |= {number: len(number_of) + place for place, number in enumerate(lost, start=1)}
    by_sid = {source.sid: source for source in draft.sources}
    return replace(
        draft,
        content=_rewritten(draft.content, markers, to),
        sources=tuple(replace(by_sid[first_sid[passage]], sid=number) for passage, number in number_of.items()),
        citations=tuple(
            sorted(
                (replace(citation, sid=to[citation.sid]) for citation in draft.citations if citation.sid in to),
                key=lambda citation: citation.sid,
            )
        ),
        used=tuple(sorted({to[number] for number in draft.used})),
        pointers=tuple((path, tuple(dict.fromkeys(to[n] for n in numbers))) for path, numbers in draft.pointers),
    )


def _rewritten(content: str, markers: Sequence[tuple[int, int, int]], to: dict[int, int]) -> str:
    out, done = [], 0
    for number, start, end in markers:
        out += [content[done:start], f"[^{to[number]}]"]
        done = end
    return "".join([*out, content[done:]])
