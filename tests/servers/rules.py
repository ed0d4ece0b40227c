"""What the Messages API refuses with a 400, as far as this project could get it wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

GONE = ("temperature", "top_p", "top_k")


def objection(body: dict[str, Any]) -> str:
    """The first rule that a request breaks, or nothing."""
    return next(_objections(body), "")


def text_objection(body: dict[str, Any]) -> str:
    """The same for a server that knows nothing new: text in, text out, and no field besides."""
    known = {"model", "max_tokens", "messages", "system"}
    if strange := sorted(body.keys() - known):
        return f"{strange[0]}: Extra inputs are not permitted"
    for role, block in _blocks(body):
        if block.get("type") != "text" or block.keys() > {"type", "text"}:
            return f"messages: {role}: Input tag {block.get('type')!r} does not match any of the expected tags: 'text'"
    return "" if isinstance(body.get("system", ""), str) else "system: Input should be a valid string"


def said(part: dict[str, Any]) -> str:
    """The words of a content block, without the line with the headings over its section."""
    heading, line_break, text = str(part["text"]).partition("\n")
    return text if line_break and heading.startswith("## ") else heading + line_break + text


def search_results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The search results of a request, over all messages and tool results, in the order in which the API counts."""
    return [block for _, block in _blocks(body) if block.get("type") == "search_result"]


def _objections(body: dict[str, Any]) -> Iterator[str]:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            yield f"{name}: Field required"
    yield from (f"{name}: Extra inputs are not permitted" for name in GONE if name in body)
    messages = body.get("messages", [])
    if not messages or messages[0]["role"] != "user":
        yield "messages: first message must use the user role"
    elif messages[-1]["role"] == "assistant":
        yield "messages: this model does not support prefill"
    if body.get("tool_choice", {}).get("type") in ("any", "tool"):
        yield "tool_choice: forced tool use is not supported with thinking"
    if body.get("thinking", {}).get("type") in ("disabled", "enabled"):
        yield "thinking: not supported for this model"
    yield from _block_objections(body)
    schema = body.get("output_config", {}).get("format", {}).get("schema")
    if schema is not None:
        yield from _schema_objections(schema)
    yield from _tool_objections(body)


def _block_objections(body: dict[str, Any]) -> Iterator[str]:
    settings = set()
    marked = sum("cache_control" in block for block in body.get("system", []) if isinstance(block, dict))
    for role, block in _blocks(body):
        kind = block.get("type")
        marked += "cache_control" in block
        if kind == "text" and not block.get("text", "").strip():
            yield "messages: text content blocks must be non-empty"
        if kind == "text" and role == "user" and block.get("citations"):
            yield "messages: citations are not permitted on user text blocks"
        if kind == "document" and role == "assistant":
            yield "messages: document blocks are not permitted in assistant messages"
        if kind == "search_result":
            settings.add(bool(block.get("citations", {}).get("enabled")))
            if not block.get("content"):
                yield "search_result: content must hold at least one text block"
            for part in block.get("content", []):
                if not part.get("text", "").strip():
                    yield "search_result: text content blocks must be non-empty"
    if len(settings) > 1:
        yield "citations must be enabled on all documents or on none"
    if True in settings and body.get("output_config", {}).get("format"):
        yield "output_config.format: incompatible with citations"
    if marked > 4:
        yield "cache_control: a maximum of 4 blocks may be marked"


def _schema_objections(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            yield "output_config.format.schema: additionalProperties must be false for objects"
        for name in ("minimum", "maximum", "minLength", "maxLength", "pattern", "maxItems"):
            if name in schema and not isinstance(schema[name], dict):
                yield f"output_config.format.schema: {name} is not supported"
        for part in schema.values():
            yield from _schema_objections(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _schema_objections(part)


def _tool_objections(body: dict[str, Any]) -> Iterator[str]:
    """Each call of a tool is answered in the next message, and tools stay declared while their results are there."""
    open_calls: set[str] = set()
    used = False
    for message in body.get("messages", []):
        content = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in content if block.get("type") == "tool_result"}
        if answered != open_calls:
            yield "messages: tool_use ids were found without tool_result blocks immediately after"
        open_calls = {block["id"] for block in content if block.get("type") == "tool_use"}
        used = used or bool(open_calls)
    if used and not body.get("tools"):
        yield "tools: must be given when messages hold tool_use or tool_result blocks"


def _blocks(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for message in body.get("messages", []):
        if isinstance(message["content"], str):
            continue
        for block in message["content"]:
            yield message["role"], block
            if block.get("type") == "tool_result" and isinstance(block.get("content"), list):
                yield from ((message["role"], inner) for inner in block["content"])
