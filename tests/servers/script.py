"""What a scripted Messages API answers: turns of the model, errors, and everything that goes wrong on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.servers.rules import search_results


@dataclass(frozen=True)
class Quote:
    """A piece of text that cites blocks `start`…`end` (exclusive) of search result `result`."""

    text: str
    result: int
    start: int = 0
    end: int = 1
    cited_text: str = ""
    """What the API says was cited; by default what was sent, as the API promises."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Thinking:
    """A thinking block, which stands before the text by default on these models."""

    text: str = "…"


@dataclass(frozen=True)
class Other:
    """A block of a type that is not known today."""

    type: str


@dataclass(frozen=True)
class Turn:
    """A reply of the model."""

    parts: tuple[str | Quote | Call | Thinking | Other, ...]
    stop: str | None = "end_turn"
    stop_details: dict[str, Any] | None = None
    delay: float = 0.0
    """Seconds before the first byte."""
    hang_up: bool = False
    """Whether the connection is closed in the middle of it."""
    output_tokens: int = 50
    model: str = ""
    """The model that answers; by default the one that is asked."""


@dataclass(frozen=True)
class Refused:
    """An error instead of a reply."""

    status: int
    type: str = "api_error"
    message: str = "something went wrong"
    code: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    """A body that is no error object."""


Answer = Turn | Refused
Script = Callable[[dict[str, Any]], Answer]


def say(*parts: str | Quote | Call | Thinking | Other, **more: Any) -> Turn:
    """A finished turn; it stops to use a tool if it calls one."""
    stop = "tool_use" if any(isinstance(part, Call) for part in parts) else "end_turn"
    return replace(Turn(parts, stop), **more)


def say_json(value: Any, **more: Any) -> Turn:
    """A turn of structured output."""
    return say(Thinking(), json.dumps(value), **more)


def overloaded(**headers: str) -> Refused:
    """A 529, with `retry_after` and the like as headers."""
    return _refused(529, "overloaded_error", "Overloaded", headers)


def limited(**headers: str) -> Refused:
    """A 429."""
    return _refused(429, "rate_limit_error", "This request would exceed your rate limit", headers)


def spent() -> Refused:
    """The organisation's spend limit, which is a 429 as well."""
    return Refused(429, "rate_limit_error", "You have reached your limit", "enforced_spend_limit_reached")


def _refused(status: int, kind: str, message: str, headers: dict[str, str]) -> Refused:
    return Refused(
        status, kind, message, headers=tuple((key.replace("_", "-"), value) for key, value in headers.items())
    )


def message_of(turn: Turn, body: dict[str, Any], usage: dict[str, int]) -> dict[str, Any]:
    """The message object of a turn."""
    content = [_content(part, number, body) for number, part in enumerate(turn.parts)]
    return {
        "id": "msg_0001",
        "type": "message",
        "role": "assistant",
        "model": turn.model or body["model"],
        "content": content,
        "stop_reason": turn.stop,
        "stop_sequence": None,
        "stop_details": turn.stop_details,
        "usage": {**usage, "output_tokens": turn.output_tokens},
    }


def _content(part: str | Quote | Call | Thinking | Other, number: int, body: dict[str, Any]) -> dict[str, Any]:
    match part:
        case str():
            return {"type": "text", "text": part}
        case Call(name, given):
            return {"type": "tool_use", "id": f"toolu_{number}_{len(body['messages'])}", "name": name, "input": given}
        case Other(kind):
            return {"type": kind, "id": "other_1"}
        case Thinking(text):
            return {"type": "thinking", "thinking": text, "signature": "c2ln"}
        case Quote():
            return {"type": "text", "text": part.text, "citations": [_citation(part, body)]}


def _citation(quote: Quote, body: dict[str, Any]) -> dict[str, Any]:
    results = search_results(body)
    nothing: dict[str, Any] = {"source": "", "title": "", "content": []}
    result = results[quote.result] if 0 <= quote.result < len(results) else nothing
    sent = "".join(block["text"] for block in result["content"][quote.start : quote.end])
    return {
        "type": "search_result_location",
        "search_result_index": quote.result,
        "source": result["source"],
        "title": result["title"],
        "start_block_index": quote.start,
        "end_block_index": quote.end,
        "cited_text": quote.cited_text or sent,
    }
