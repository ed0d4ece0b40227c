"""The two tools with which the writer may look further: both read the site's passages, and nothing else.

A call that is not of a tool's form is answered with the form, and counts as no look.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct

from mkdocs_cited.anthropic_client import ToolCall
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Hit, Passage, Source, Via
from mkdocs_cited.providers.anthropic.shelf import Shelf
from mkdocs_cited.search.index import asks_itself, in_scope
from mkdocs_cited.search.select import (
    excerpt,
    scope_of,
    section_key,
    section_of,
)

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import (
        TextBlockParam,
        ToolParam,
        ToolResultBlockParam,
        ToolResultContent,
    )

MOST_CALLS = 6
"""Calls that are carried out in one round; the others are told to wait."""
MOST_ADDRESSES = 6
"""Addresses that one call reads."""
MOST_SECTIONS = 5
"""Sections that one search gives."""
MOST_CHARACTERS = 12_000
"""Characters that one call gives, besides the first section that it asks for."""
LONGEST_SECTION = 60_000
"""Characters of the first section, which is given as far as that."""
MOST_NAMES = 60
"""Headings that are named where an address is wrong."""
MOST_PAGES = 200
"""Pages of a folder that are named."""
_LONGEST_QUERY = 200
"""Characters of a search that is stored as other words for the question."""
_LOOKED_AT = 60
"""Passages that a search brings in, of which the sections are given."""

_Asked = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]
"""An address or a query: a text of sensible length."""


class _Query(Struct):
    """The input of a search."""

    query: _Asked


class _Addresses(Struct):
    """The input of a reading; one address needs no list."""

    addresses: _Asked | Annotated[list[_Asked], msgspec.Meta(min_length=1)]


SEARCH, READ = "search_docs", "read_section"

# threads read it: msgspec 0.22 ends the process where two are the first to do so
msgspec.json.Decoder(_Query)
msgspec.json.Decoder(_Addresses)


_FORMS = (
    f'Call {SEARCH} with {{"query": "key expiry"}}, or {READ} with {{"addresses": ["guide/keys.md#rotate"]}}. '
    "This was not counted as a look."
)


def _tool(name: str, description: str, **properties: Any) -> ToolParam:
    """A tool that takes exactly these properties."""
    return {
        "name": name,
        "description": description,
        "strict": True,
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }


TOOLS: list[ToolParam] = [
    _tool(
        SEARCH,
        "Search the site for sections with the words of a query.",
        query={
            "type": "string",
            "description": "A few words, as a reader would type them: key expiry",
        },
    ),
    _tool(
        READ,
        "Read sections with those below them, whole pages, or a folder's list of pages, by their addresses.",
        addresses={
            "type": "array",
            "items": {"type": "string"},
            "description": f"Such as guide/keys.md#rotate, guide/keys.md or guide; {MOST_ADDRESSES} at most.",
        },
    ),
]


class Carried(Struct, frozen=True):
    """The results of the calls of one turn."""

    results: tuple[ToolResultBlockParam, ...]
    looked: bool
    """Whether any of them was of a tool's form."""
    found: bool
    """Whether any of them brought something new."""


class ToolRunner:
    """Runs the tools that the writer of one answer calls. What they find goes on the shelf, if the declaration may be
    answered from it."""

    def __init__(
        self, declaration: Declaration, corpus: Corpus, shelf: Shelf, *, least: float
    ) -> None:
        """`least` is the relevance from which what a search finds is close, 0…1."""
        self._corpus, self._shelf, self._least = corpus, shelf, least
        self._scope = scope_of(declaration)
        self._found: dict[str, set[str]] = {}
        """Query → ids of passages that it brought in."""

    def run(self, calls: Sequence[ToolCall]) -> Carried:
        """One result for each call."""
        results = []
        looked = False
        shown = len(self._shelf.results)
        for number, call in enumerate(calls):
            content: list[ToolResultContent] | str = "Too many calls at once."
            if number < MOST_CALLS:
                content = self._content(call)
            result: ToolResultBlockParam = {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": content,
            }
            if isinstance(content, str):
                result["is_error"] = True
            else:
                looked = True
            results.append(result)
        found = len(self._shelf.results) > shown
        return Carried(tuple(results), looked=looked, found=found)

    def queries(self, cited: Collection[str]) -> tuple[str, ...]:
        """The searches that brought in passages which were cited, by their ids."""
        useful = []
        for query, found in self._found.items():
            if len(query) <= _LONGEST_QUERY and not found.isdisjoint(cited):
                useful.append(query)
        return tuple(useful)

    def _content(self, call: ToolCall) -> list[ToolResultContent] | str:
        """What a call gives, or what is wrong with it."""
        try:
            if call.name == SEARCH:
                query = msgspec.convert(call.input, _Query).query.strip()
                return self._search(query)
            if call.name == READ:
                asked = msgspec.convert(call.input, _Addresses).addresses
                return self._read([asked] if isinstance(asked, str) else asked)
        except msgspec.ValidationError:
            pass
        return _FORMS

    def _read(self, addresses: Sequence[str]) -> list[ToolResultContent]:
        """The sections at these addresses, each address with what it gives."""
        out: list[ToolResultContent] = []
        left = MOST_CHARACTERS
        for address in addresses[:MOST_ADDRESSES]:
            page, anchor = self._place(address)
            sections = self._sections(page, anchor)
            if not sections:
                out.append(text_block(self._wrong(page, anchor)))
                continue
            given = []
            too_long = []
            for section in sections:
                if all(passage.id in self._shelf.shown for passage in section):
                    continue
                size = _size(section)
                room = left
                if left == MOST_CHARACTERS:  # the first one is given
                    room = LONGEST_SECTION
                elif size > left:
                    where = section[0].section.where
                    too_long.append(f"{where} ({size:,} characters)")
                    continue
                shown = excerpt(section[0], section, room)
                given.append(Source(0, section[0], Via.TOOL, context=shown))
                left -= _size(shown)
            heading = f"`{address}`: all of it was given before."
            if given or too_long:
                heading = f"`{address}`, without what was given before:"
            out += [text_block(heading), *self._shelf.add(given)]
            if too_long:
                out.append(
                    text_block(f"Left out, read by itself: {', '.join(too_long)}")
                )
        return out

    def _place(self, address: str) -> tuple[str, str]:
        """Page and anchor of an address as the sections, their links or the table of contents have it."""
        page, _, anchor = address.strip().lstrip("/").partition("#")
        if self._corpus.sections(page):
            return page, anchor
        for known in self._corpus.pages():
            if known.url.strip("/") == page.strip("/"):
                return known.src, anchor
        return page, anchor

    def _search(self, query: str) -> list[ToolResultContent]:
        """The sections that lie close to a query, without what was given before."""
        close: dict[tuple[str, str], list[Hit]] = {}
        """Heading and words → the best hit of each section that has both."""
        seen = set()
        for hit in self._corpus.search(query, scope=self._scope, limit=_LOOKED_AT):
            section = hit.passage.section
            if hit.relevance >= self._least and section_key(section) not in seen:
                seen.add(section_key(section))
                close.setdefault((section.title, hit.passage.hash), []).append(hit)
        if not close:
            return [text_block(f"Nothing in the docs lies close to “{query}”.")]
        given: list[Source] = []
        brought = self._found.setdefault(query, set())
        left = MOST_CHARACTERS
        for hit, *copies in islice(close.values(), MOST_SECTIONS):
            whole = section_of(hit.passage, self._corpus)
            shown = []
            for passage in excerpt(hit.passage, whole, left):
                if passage.id not in self._shelf.shown:
                    shown.append(passage)
            if not shown or (given and _size(shown) > left):
                continue
            source = Source(
                0,
                hit.passage,
                Via.TOOL,
                relevance=hit.relevance,
                context=tuple(shown),
                also=tuple(copy.passage.section.where for copy in copies),
            )
            given.append(source)
            left -= _size(shown)
            brought.update(passage.id for passage in shown)
        if not given:
            return [text_block(f"All that lies close to “{query}” was given before.")]
        return [
            text_block(f"Found for “{query}”; what was given before is left out:"),
            *self._shelf.add(given),
        ]

    def _sections(self, page: str, anchor: str) -> list[list[Passage]]:
        """What is at an address, section by section, as far as the declaration may be answered from it."""
        sections: dict[int, list[Passage]] = {}
        for passage in self._corpus.section(page, anchor):
            inside = in_scope(passage.page, self._scope)
            if inside and not asks_itself(passage.section, self._scope):
                sections.setdefault(passage.section.position, []).append(passage)
        return list(sections.values())

    def _wrong(self, page: str, anchor: str) -> str:
        """What to read instead of what is not there."""
        pages = []
        for item in self._corpus.pages():
            if in_scope(item, self._scope):
                pages.append(item.src)
        if page in pages:
            anchors = self._corpus.anchors(page)[:MOST_NAMES]
            named = ", ".join(f"#{name}" for name in anchors)
            return f"`{page}` has no section `#{anchor}` with a text. Its headings: {named}"
        below = [src for src in pages if src.startswith(f"{page.rstrip('/')}/")]
        if below:
            named = ", ".join(below[:MOST_PAGES])
            return f"`{page}` is a folder with {len(below)} pages: {named}."
        return f"There is no page `{page}`; {did_you_mean(page, pages)}"


def _size(passages: Sequence[Passage]) -> int:
    """Characters of their texts."""
    return sum(len(passage.text) for passage in passages)


def text_block(text: str) -> TextBlockParam:
    """A text as the API takes it."""
    return {"type": "text", "text": text}
