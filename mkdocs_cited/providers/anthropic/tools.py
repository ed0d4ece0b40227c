"""The two tools with which the writer may look further: both read the site's passages, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mkdocs_cited.anthropic_client import ToolCall
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Hit, Scope, Source, Via
from mkdocs_cited.providers.anthropic.search_results import Shelf
from mkdocs_cited.search.index import in_scope

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import ToolParam, ToolResultBlockParam, ToolResultContent

MOST_CALLS = 6
"""Calls that are carried out in one round; the others are told to wait."""
MOST_PASSAGES = 8
"""Passages that one call gives."""
MOST_CHARACTERS = 6_000
"""Characters that one call gives."""

TOOLS: list[ToolParam] = [
    {
        "name": "search_docs",
        "description": "Search the documentation's pages for passages that contain words of a query.",
        "strict": True,
        "input_schema": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "A few words, as a reader would type them."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
    {
        "name": "read_section",
        "description": "Read a section of a page: the `source` of a search result is `page#anchor`.",
        "strict": True,
        "input_schema": {
            "type": "object",
            "properties": {
                "page": {"type": "string", "description": "Path of the page, such as guide/install.md."},
                "anchor": {"type": "string", "description": "Anchor of the heading; empty for the whole page."},
            },
            "required": ["page", "anchor"],
            "additionalProperties": False,
        },
    },
]


def carry_out(
    calls: Sequence[ToolCall], declaration: Declaration, corpus: Corpus, shelf: Shelf, *, citable: bool
) -> list[ToolResultBlockParam]:
    """One result for each call. What is found goes on the shelf, if the declaration may be answered from it."""
    results: list[ToolResultBlockParam] = []
    for number, call in enumerate(calls):
        if number >= MOST_CALLS:
            results.append(_refusal(call, "Too many calls at once."))
            continue
        hits = _hits(call, declaration, corpus)
        if isinstance(hits, str):
            results.append(_refusal(call, hits))
            continue
        content = _shelved(hits, call, shelf, citable=citable)
        nothing: ToolResultContent = {"type": "text", "text": "Nothing that has not been given already."}
        results.append({"type": "tool_result", "tool_use_id": call.id, "content": content or [nothing]})
    return results


def _hits(call: ToolCall, declaration: Declaration, corpus: Corpus) -> list[Hit] | str:
    """What a call finds within the declaration's scope, or what is wrong with the call."""
    asked_on = (declaration.page, declaration.question)
    scope = Scope(include=declaration.sources, locale=declaration.locale, asked_on=asked_on)
    words = {name: value for name, value in call.input.items() if isinstance(value, str) and len(value) <= 500}
    if call.name == "search_docs" and words.get("query", "").strip():
        return list(corpus.search(words["query"], scope=scope, limit=MOST_PASSAGES))
    if call.name == "read_section" and words.get("page", "").strip():
        page, _, anchor = words["page"].strip().partition("#")
        passages = corpus.section(page.removeprefix("/"), words.get("anchor", "").strip().lstrip("#") or anchor)
        allowed = [passage for passage in passages if in_scope(passage.page, scope)]
        if not allowed:
            return "There is no such section. Use a page and an anchor of a search result."
        return [Hit(passage, 0.0, "read by the writer") for passage in allowed]
    return "Not a call of a tool that exists, with the input that it takes."


def _shelved(hits: Iterable[Hit], call: ToolCall, shelf: Shelf, *, citable: bool) -> list[ToolResultContent]:
    out: list[ToolResultContent] = []
    left = MOST_CHARACTERS
    for hit in hits:
        left -= len(hit.passage.text)
        if out and left < 0:
            break
        asked = call.input.get("query") or f"{call.input.get('page')}#{call.input.get('anchor')}"
        reasoning = f"found by the writer with {call.name}({asked!r}): {hit.reason}"[:320]
        source = Source(0, hit.passage, Via.TOOL, hit.relevance, hit.relevance, (), reasoning)
        block = shelf.add(source, citable=citable)
        if block is not None:
            out.append(block)
    return out


def _refusal(call: ToolCall, why: str) -> ToolResultBlockParam:
    return {"type": "tool_result", "tool_use_id": call.id, "content": why, "is_error": True}
