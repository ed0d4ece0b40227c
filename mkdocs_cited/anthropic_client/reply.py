"""What the model said, as values of ours, and the check that it had finished saying it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mkdocs_cited.anthropic_client.prices import Price, spend_of
from mkdocs_cited.model.answer import Fault, Spend

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import Message, MessageParam


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation: a run of whole content blocks of one search result."""

    result: int
    """Number of the search result, from 0, over all messages and tool results."""
    start: int
    """Number of the first block."""
    end: int
    """One past the last block."""
    text: str
    """The cited blocks' text, by the API's word."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the text, with what it cites."""

    text: str
    cited: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model asks for a tool."""

    id: str
    name: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished turn of the model."""

    spans: tuple[Span, ...]
    calls: tuple[ToolCall, ...]
    model: str
    spend: Spend
    turn: MessageParam
    """The turn as it goes back into the conversation."""

    @property
    def text(self) -> str:
        """All its text."""
        return "".join(span.text for span in self.spans)


def read_reply(message: Message, price: Price | None, *, batch: bool = False) -> Reply | Fault:
    """The reply in a message, or the reason why there is none: a turn counts only if it ended of its own accord."""
    spend = spend_in(message, price, batch=batch)
    stop = message.stop_reason
    if stop not in ("end_turn", "tool_use"):
        return _stopped(message, spend)
    spans: list[Span] = []
    calls: list[ToolCall] = []
    for block in message.content:  # thinking and the like are left out: blocks are picked by type, never by position
        if block.type == "text":
            cited = _citations(block.citations or ())
            if cited is None:
                return Fault("the reply cites a kind of document that was never sent", _REPORT, spend)
            spans.append(Span(block.text, cited))
        elif block.type == "tool_use":
            if not isinstance(block.input, dict):
                return Fault(f"the model called `{block.name}` with something that is no object", _AGAIN, spend)
            calls.append(ToolCall(block.id, block.name, dict(block.input)))
    if (stop == "tool_use") != bool(calls):
        return Fault("the reply contradicts itself about whether it calls a tool", _AGAIN, spend)
    return Reply(tuple(spans), tuple(calls), message.model, spend, message.to_param())


def spend_in(message: Message, price: Price | None, *, batch: bool = False) -> Spend:
    """Tokens and cost of one message, as far as it tells."""
    usage = message.usage
    written, read = usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0
    return spend_of(price, usage.input_tokens or 0, usage.output_tokens or 0, written, read, batch=batch)


_AGAIN = "run `mkdocs-cited update` again"
_REPORT = "run `mkdocs-cited update` again; if it stays, report it to mkdocs-cited"


def _citations(citations: Any) -> tuple[Cited, ...] | None:
    out = []
    for citation in citations:
        if citation.type != "search_result_location":
            return None
        out.append(
            Cited(
                citation.search_result_index,
                citation.start_block_index,
                citation.end_block_index,
                citation.cited_text,
            )
        )
    return tuple(out)


def _stopped(message: Message, spend: Spend) -> Fault:
    stop = message.stop_reason
    if stop == "refusal":
        details = message.stop_details
        why = f" ({details.category})" if details is not None and details.category else ""
        return Fault(
            f"the model refused to answer{why}", "reword the question, or choose another `anthropic.model`", spend
        )
    if stop == "max_tokens":
        tip = "raise `anthropic.max_tokens`, or lower `anthropic.effort` (thinking counts)"
        return Fault("the reply was cut off at `max_tokens`", tip, spend)
    if stop == "model_context_window_exceeded":
        tip = "lower `context_budget`, `max_sources` or `anthropic.max_rounds`"
        return Fault("question and sources did not fit into the model's context window", tip, spend)
    if stop is None:
        return Fault("the reply ended before it was complete", _AGAIN, spend)
    return Fault(f"the reply stopped early (`{stop}`)", _AGAIN, spend)
