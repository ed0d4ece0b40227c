"""The SDK's own types of request bodies, for annotations alone: nothing of it is imported at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anthropic.types import (
        ContentBlockParam,
        Message,
        MessageParam,
        SearchResultBlockParam,
        TextBlockParam,
        ToolParam,
        ToolResultBlockParam,
    )
    from anthropic.types.message_create_params import MessageCreateParamsBase as Body
    from anthropic.types.tool_result_block_param import Content as ToolResultContent

    __all__ = [
        "Body",
        "ContentBlockParam",
        "Message",
        "MessageParam",
        "SearchResultBlockParam",
        "TextBlockParam",
        "ToolParam",
        "ToolResultBlockParam",
        "ToolResultContent",
    ]
