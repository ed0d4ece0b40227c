"""The two tools with which the writer may look further: both read the site's passages, and nothing else.

A call that is not of a tool's form is answered with the form, and counts as no look.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mkdocs_cited.anthropic_client import ToolCall
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Hit, Passage, Source, Via
from mkdocs_cited.providers.anthropic.shelf import Shelf, size_of
from mkdocs_cited.search.index import asks_itself, in_scope
from mkdocs_cited.search.select import excerpt, scope_of, section_of

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import (
        SearchResultBlockParam,
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

SEARCH, READ = "search_docs", "read_section"
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
    """What came of the calls of one turn."""

    results: tuple[ToolResultBlockParam, ...]
    looked: bool
    """Whether any of them was of a tool's form."""
    found: bool
    """Whether any of them brought something new."""


class Reading:
    """Carries out what the writer of one answer asks for. What is found goes on the shelf, if the declaration may be
    answered from it."""

    def __init__(
        self, declaration: Declaration, corpus: Corpus, shelf: Shelf, *, least: float
    ) -> None:
        """`least` is the relevance from which what a search finds is close, 0…1."""
        self._corpus, self._shelf, self._least = corpus, shelf, least
        self._scope = scope_of(declaration)
        self._found: dict[str, set[str]] = {}
        """Query → ids of passages that it brought in."""

    def carry_out(self, calls: Sequence[ToolCall]) -> Carried:
        """One result for each call."""
        results: list[ToolResultBlockParam] = []
        looked = False
        shown = len(self._shelf.results)
        for number, call in enumerate(calls):
            content = (
                self._content(call)
                if number < MOST_CALLS
                else "Too many calls at once."
            )
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
        return Carried(
            tuple(results), looked=looked, found=len(self._shelf.results) > shown
        )

    def read(self, addresses: Sequence[str]) -> list[ToolResultContent]:
        """The sections at these addresses, each address with what it gives."""
        out: list[ToolResultContent] = []
        left = MOST_CHARACTERS
        for address in addresses[:MOST_ADDRESSES]:
            page, anchor = self._place(address)
            sections = self._sections(page, anchor)
            new = [
                part
                for part in sections
                if any(passage.id not in self._shelf.shown for passage in part)
            ]
            if not new:
                before = f"`{address}`: all of it was given before."
                out.append(_text(before if sections else self._wrong(page, anchor)))
                continue
            given = (
                ", without what was given before" if len(new) < len(sections) else ""
            )
            out.append(_text(f"`{address}`{given}:"))
            too_long = []
            for number, section in enumerate(new):
                room = left if number else LONGEST_SECTION
                size = sum(len(passage.text) for passage in section)
                if (number or left < MOST_CHARACTERS) and size > left:
                    too_long.append(f"{section[0].section.where} ({size:,} characters)")
                    continue
                shown = excerpt(section[0], section, room)
                if block := self._shelved(
                    Hit(shown[0], 0.0, ""), shown, "read by the writer"
                ):
                    out.append(block)
                    left -= size_of(block)
            if too_long:
                out.append(_text(f"Left out, read by itself: {', '.join(too_long)}"))
        return out

    def queries(self, cited: Collection[str]) -> tuple[str, ...]:
        """The searches that brought in passages which were cited, by their ids."""
        useful = (
            query for query, found in self._found.items() if not found.isdisjoint(cited)
        )
        return tuple(query for query in useful if len(query) <= _LONGEST_QUERY)

    def _content(self, call: ToolCall) -> list[ToolResultContent] | str:
        """What a call gives, or what is wrong with it."""
        query, addresses = call.input.get("query"), call.input.get("addresses")
        if isinstance(addresses, str):
            addresses = [addresses]
        if call.name == SEARCH and is_address(query):
            return self._search(str(query).strip())
        if (
            call.name == READ
            and isinstance(addresses, list)
            and addresses
            and all(map(is_address, addresses))
        ):
            return self.read(addresses)
        return _FORMS

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
        found: dict[tuple[str, int], Hit] = {}
        for hit in self._corpus.search(query, scope=self._scope, limit=_LOOKED_AT):
            found.setdefault((hit.passage.page.src, hit.passage.section.position), hit)
        hits = list(found.values())[:MOST_SECTIONS]
        close = [hit for hit in hits if hit.relevance >= self._least]
        if not close:
            shared = (
                f" Only single words of it are found, in {_names(hits)}."
                if hits
                else ""
            )
            return [_text(f"Nothing in the docs lies close to “{query}”.{shared}")]
        out: list[ToolResultContent] = []
        left = MOST_CHARACTERS
        for hit in close:
            section = excerpt(hit.passage, section_of(hit.passage, self._corpus), left)
            if out and sum(len(passage.text) for passage in section) > left:
                continue
            reason = f"found by the writer with search_docs({query!r}): {hit.reason}"
            if block := self._shelved(hit, section, reason):
                out.append(block)
                left -= size_of(block)
                self._found.setdefault(query, set()).update(
                    passage.id for passage in section
                )
        if not out:
            return [
                _text(
                    f"All that lies close to “{query}” was given before: {_names(close)}."
                )
            ]
        return [_text(f"Found for “{query}”; what was given before is left out:"), *out]

    def _shelved(
        self, hit: Hit, shown: Sequence[Passage], reason: str
    ) -> SearchResultBlockParam | None:
        relevance = hit.relevance
        source = Source(
            0,
            hit.passage,
            Via.TOOL,
            relevance,
            relevance,
            reason[:320],
            context=tuple(shown),
        )
        return self._shelf.add(source)

    def _sections(self, page: str, anchor: str) -> list[list[Passage]]:
        """What is at an address, section by section, as far as the declaration may be answered from it."""
        passages = [
            passage
            for passage in self._corpus.section(page, anchor)
            if in_scope(passage.page, self._scope)
            and not asks_itself(passage.section, self._scope)
        ]
        return [
            list(part)
            for _, part in groupby(
                passages, key=lambda passage: passage.section.position
            )
        ]

    def _wrong(self, page: str, anchor: str) -> str:
        """What to read instead of what is not there."""
        headings = [
            f"#{item.anchor} {item.title}"
            for item in self._corpus.sections(page)
            if item.anchor and in_scope(item.page, self._scope)
        ][:MOST_NAMES]
        if headings:
            return f"`{page}` has no section `#{anchor}` with a text. Its headings: {'; '.join(headings)}"
        pages = [
            item.src for item in self._corpus.pages() if in_scope(item, self._scope)
        ]
        below = [src for src in pages if src.startswith(f"{page.rstrip('/')}/")]
        if below:
            more = (
                f" and {len(below) - MOST_PAGES} more"
                if len(below) > MOST_PAGES
                else ""
            )
            return f"`{page}` is a folder with {', '.join(below[:MOST_PAGES])}{more}."
        like = difflib.get_close_matches(page, pages, n=5, cutoff=0.5)
        nearest = f" There are {', '.join(like)}." if like else ""
        return f"There is no page `{page}`.{nearest}"


def is_address(value: object) -> bool:
    """Whether a value may be an address, or a query: a text of sensible length."""
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 500


def _names(hits: Sequence[Hit]) -> str:
    """The sections of hits, each once, by address and title."""
    return ", ".join(
        dict.fromkeys(
            f"{hit.passage.section.where} ({hit.passage.section.title})" for hit in hits
        )
    )


def _text(text: str) -> ToolResultContent:
    return {"type": "text", "text": text}
