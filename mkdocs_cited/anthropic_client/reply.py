"""What the model said, as values of ours: held to its types as a whole, to having been finished, and to its schema; and
what it costs, by the dated table `prices.toml`.

The SDK builds its values without looking at them, so that anything may be anywhere in one. Here is the one place
where that is found out: a reply that is not of the API's form is a fault of the answer it was for.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from mkdocs_cited.model.answer import Fault, Spend

if TYPE_CHECKING:  # the SDK's own types of bodies, for annotations alone
    from anthropic.types import ContentBlockParam as ContentBlockParam
    from anthropic.types import Message as Message
    from anthropic.types import MessageParam as MessageParam
    from anthropic.types import SearchResultBlockParam as SearchResultBlockParam
    from anthropic.types import TextBlockParam as TextBlockParam
    from anthropic.types import ToolParam as ToolParam
    from anthropic.types import ToolResultBlockParam as ToolResultBlockParam
    from anthropic.types.message_create_params import MessageCreateParamsBase
    from anthropic.types.tool_result_block_param import Content

    Body: TypeAlias = MessageCreateParamsBase
    ToolResultContent: TypeAlias = Content

MILLION = 1_000_000
CACHE_WRITE, CACHE_READ = 1.25, 0.1
"""Shares of `input` that a token written to or read from the cache costs."""
BATCH = 0.5
"""Share of everything for Message Batches."""


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    input: float
    output: float
    cached: float | None = None
    """Of input that is read from the cache; a tenth of `input` where nobody says."""

    def cost(
        self,
        fresh: int,
        output: int,
        *,
        written: int = 0,
        read: int = 0,
        batch: bool = False,
    ) -> float:
        """US dollars for one call; `fresh`, `written` and `read` add up to its input tokens."""
        cached = self.cached
        if cached is None:
            cached = self.input * CACHE_READ
        tokens_in = fresh + written * CACHE_WRITE
        amount = tokens_in * self.input + read * cached + output * self.output
        dollars = amount / MILLION
        if batch:
            return dollars * BATCH
        return dollars


FREE = Price(0.0, 0.0)
"""What a model on a server of one's own costs."""


class _Table(Struct, frozen=True):
    as_of: date
    models: Mapping[str, Price]


def price_of(
    model: str, overrides: Mapping[str, Sequence[float]] | None = None
) -> Price | None:
    """The price of a model, the option's before the table's; the longest name that `model` starts with counts."""
    if overrides and model in overrides:
        return Price(*overrides[model])
    known = _table().models
    names = [name for name in known if model == name or model.startswith(f"{name}-")]
    return known[max(names, key=len)] if names else None


class Usage(Struct, frozen=True):
    """Tokens of a piece of work."""

    fresh: int
    output: int
    read: int = 0
    """From the cache."""

    def cost(
        self, model: str, overrides: Mapping[str, Sequence[float]]
    ) -> float | None:
        """US dollars for a model; `None` where nobody knows its price."""
        price = price_of(model, overrides)
        return price.cost(self.fresh, self.output, read=self.read) if price else None


WRITING = Usage(8_000, 200, read=5_000)
"""An answer, over all rounds of its writer: a median of other sites, in tokens of four characters."""
REVIEW = Usage(1_700, 200)
"""The review of an answer: a median of other sites."""
READING = Usage(2_500, 120)
"""A claim that is read with the five passages near to it: by their size."""


def table_date() -> str:
    """ISO 8601 date on which the table was last brought up to date."""
    return _table().as_of.isoformat()


@cache
def _table() -> _Table:
    data = tomllib.loads(
        files(__package__).joinpath("prices.toml").read_text(encoding="utf-8")
    )
    return msgspec.convert(data, _Table)


MOST_CHARACTERS = 200_000
"""Of a structured reply: as many as of any other answer."""


class Cited(
    Struct,
    frozen=True,
    tag_field="type",
    tag="search_result_location",
    rename={
        "result": "search_result_index",
        "start": "start_block_index",
        "end": "end_block_index",
        "text": "cited_text",
    },
):
    """A citation, as the API writes it: a run of whole content blocks of one search result."""

    result: int
    """Number of the search result, from 0, over all messages and tool results."""
    start: int
    """Number of the first block."""
    end: int
    """One past the last block."""
    text: str
    """The cited blocks' text, by the API's word."""


class Span(Struct, frozen=True):
    """A piece of the text, with what it cites."""

    text: str
    cited: tuple[Cited, ...] = ()


class ToolCall(Struct, frozen=True):
    """The model asks for a tool."""

    id: str
    name: str
    input: dict[str, Any]


class Reply(Struct, frozen=True):
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


class OddReplyError(ValueError):
    """A value of the API that is not of the form it promises."""


T = TypeVar("T")


def of_form(kind: type[T], value: Any) -> T:
    """A value of the SDK as one of ours, with all that is in it; text that UTF-8 cannot hold is no text.

    Raises:
        OddReplyError: it is of another form; says where.
    """
    try:
        plain = value
        if hasattr(value, "to_dict"):
            plain = value.to_dict(mode="python", warnings=False)
        return msgspec.json.decode(msgspec.json.encode(plain), type=kind)
    except Exception as error:  # whatever the SDK made of what it was sent
        raise OddReplyError(
            f"it is not of the API's form ({type(error).__name__}: {error})"
        ) from None


def read_reply(
    message: Message, price: Price | None, *, batch: bool = False
) -> Reply | Fault:
    """The reply in a message, or the reason why there is none: a turn counts only if it ended of its own accord.

    Raises:
        OddReplyError: it is of another form than the API's.
    """
    said = of_form(_Message, message)
    return _read(said, message, _spend(said.usage, price, batch=batch))


def _spend(usage: _Usage, price: Price | None, *, batch: bool) -> Spend:
    """Tokens and cost of one message. A model without a price costs 0 here, which `Client.notices` tells the user."""
    fresh, output = usage.input_tokens, usage.output_tokens
    written, read = (
        usage.cache_creation_input_tokens or 0,
        usage.cache_read_input_tokens or 0,
    )
    cost = 0.0
    if price:
        cost = price.cost(fresh, output, written=written, read=read, batch=batch)
    return Spend(1, fresh + written + read, output, read, round(cost, 6))


_MOST_TOKENS = 1_000_000_000
Tokens = Annotated[int, msgspec.Meta(ge=0, le=_MOST_TOKENS)]


class _Usage(msgspec.Struct):
    input_tokens: Tokens
    output_tokens: Tokens
    cache_creation_input_tokens: Tokens | None = None
    cache_read_input_tokens: Tokens | None = None


class _Details(msgspec.Struct):
    category: str | None = None


class _Block(msgspec.Struct):
    type: str
    text: str = ""
    citations: tuple[Cited, ...] | None = None
    id: str = ""
    name: str = ""
    input: dict[str, Any] = {}


class _Message(msgspec.Struct):
    model: str
    content: list[_Block]
    usage: _Usage
    stop_reason: str | None = None
    stop_details: _Details | None = None


# threads read it: msgspec 0.22 ends the process where two are the first to do so
msgspec.json.Decoder(_Message)


_UNSAID = ("thinking", "redacted_thinking")
"""Types of blocks that are no part of an answer."""
_AGAIN = "run it again"


def _read(said: _Message, message: Message, spend: Spend) -> Reply | Fault:
    if said.stop_reason not in ("end_turn", "tool_use"):
        return _stopped(said, spend)
    spans = []
    calls = []
    strange: dict[str, None] = {}
    for block in said.content:  # picked by type, never by position
        if block.type == "text":
            spans.append(Span(block.text, block.citations or ()))
        elif block.type == "tool_use":
            calls.append(ToolCall(block.id, block.name, block.input))
        elif block.type not in _UNSAID:
            strange[block.type] = None
    if strange:
        kinds = ", ".join(f"`{kind}`" for kind in strange)
        reason = f"the reply has blocks that this version does not know: {kinds}"
        return Fault(reason, "update mkdocs-cited, or choose another model", spend)
    if (said.stop_reason == "tool_use") != bool(calls):
        return Fault(
            "the reply contradicts itself about whether it calls a tool", _AGAIN, spend
        )
    return Reply(tuple(spans), tuple(calls), said.model, spend, message.to_param())


_STOPS = {
    "max_tokens": (
        "the reply was cut off at `max_tokens`",
        "raise `anthropic.max_tokens`, or lower `anthropic.effort` (thinking counts)",
    ),
    "model_context_window_exceeded": (
        "question and sources did not fit into the model's context window",
        "lower `context_budget`, or write `tools: false` under `anthropic`",
    ),
    None: ("the reply ended before it was complete", _AGAIN),
}


def _stopped(message: _Message, spend: Spend) -> Fault:
    stop, details = message.stop_reason, message.stop_details
    if stop == "refusal":
        why = ""
        if details is not None and details.category:
            why = f" ({details.category})"
        tip = "reword the question, or choose another `anthropic.model`"
        return Fault(f"the model refused to answer{why}", tip, spend)
    return Fault(
        *_STOPS.get(stop, (f"the reply stopped early (`{stop}`)", _AGAIN)), spend
    )


def parsed(text: str) -> Any:
    """The value of a JSON text that a model wrote.

    Raises:
        ValueError: it is no JSON (RFC 8259 has no `NaN`), too long, too deep, or holds what UTF-8 cannot.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"it has {len(text):,} characters; {MOST_CHARACTERS:,} are read"
        )
    try:
        value = json.loads(text)
        json.dumps(
            value, ensure_ascii=False, allow_nan=False
        ).encode()  # halves of characters, numbers past all bounds
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value
