"""The round before the writing, within a batch: a form that only names the sections to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs_cited.anthropic_client import Reply
from mkdocs_cited.anthropic_client.schemas import parsed
from mkdocs_cited.providers.anthropic import prompt
from mkdocs_cited.providers.anthropic.contents import Contents, nearby
from mkdocs_cited.providers.anthropic.tools import MOST_ADDRESSES, is_address
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.settings import Settings

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import Body, ContentBlockParam


def choosing(request: Request, settings: Settings, contents: Contents) -> Body:
    """The request: the table of contents, what is given anyway, and the question; no section's text."""
    declaration, options = request.declaration, settings.anthropic
    text, complete = contents.of(declaration, request.corpus, request.order)
    given = tuple(dict.fromkeys(source.passage.section.where for source in request.sources))
    lines = ["Given anyway, as data:", *given]
    if not complete and (near := nearby(declaration, request.corpus, given)):
        lines += ["", near]
    lines += ["", f"Question: {declaration.question}"]
    if declaration.queries:
        lines.append(f"Asked in other words: {'; '.join(declaration.queries)}")
    content: list[ContentBlockParam] = [
        {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "\n".join(lines)},
    ]
    return {
        "model": options.model,
        "max_tokens": options.max_tokens,
        "system": [{"type": "text", "text": prompt.CHOOSE}],
        "messages": [{"role": "user", "content": content}],
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": prompt.CHOICE}},
    }


def addresses_in(reply: Reply) -> tuple[str, ...]:
    """The addresses that the form names; none where it is not filled in right."""
    try:
        data = parsed(reply.text)
    except ValueError:
        return ()
    named = data.get("addresses") if isinstance(data, dict) else None
    return tuple(filter(is_address, named if isinstance(named, list) else ()))[:MOST_ADDRESSES]
