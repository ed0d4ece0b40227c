"""What can go wrong on the way to the API and back, in words for a user, never with a key in them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from mkdocs_cited.anthropic_client.reply import OddReplyError
from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Fault

if TYPE_CHECKING:
    import anthropic

KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
MISSING = Fault("the package `anthropic` is not installed", "pip install 'mkdocs-cited[anthropic]'")
LATE = Fault("the API did not answer in time", "raise `anthropic.timeout`, or lower `anthropic.effort`")
LONGEST = 300
"""Characters of a message of the API that a fault repeats."""
UNKNOWN = "the API does not know"
"""How the fault for an unknown model, address or batch begins (status 404)."""
_KEYS = re.compile(r"sk-[A-Za-z0-9_-]{6,}|Bearer\s+[^\s'\"]+", re.IGNORECASE)
_AGAIN = "run `mkdocs-cited update` again; what is finished is stored"
_NAMES = "check `anthropic.model` and `base_url`"
_SLOWER = f"lower `anthropic.concurrency`, then {_AGAIN}"
_OPTIONS = "check the options under `anthropic:`; if they are right, report it to mkdocs-cited"
_CREDIT = "raise the limit or add credit in the Claude Console, then run `mkdocs-cited update` again"

_FAULTS: tuple[tuple[str, tuple[int, ...], str, str], ...] = (
    ("billing_error", (402,), "the organisation's spend limit or credit is used up ({said})", _CREDIT),
    ("authentication_error", (401,), "the API does not accept the key ({said})", "check ANTHROPIC_API_KEY"),
    ("permission_error", (403,), "the key may not do this ({said})", "check the key's workspace and the model's name"),
    ("not_found_error", (404,), f"{UNKNOWN} the model or address ({{said}})", _NAMES),
    ("rate_limit_error", (429,), "the API's rate limit was reached ({said})", _SLOWER),
    ("overloaded_error", (529,), "the API is overloaded", _AGAIN),
    ("request_too_large", (413,), "the request is too large", "lower `context_budget`"),
    ("invalid_request_error", (400, 422), "the API does not accept the request ({said})", _OPTIONS),
)
"""Type and statuses of an error of the API, its meaning, and the next step."""


def credentials(*, own_server: bool = False) -> tuple[str, str] | Fault:
    """The variable that holds a key, and the key. A server of one's own needs none, and never gets Anthropic's: where
    it wants a token, that is `ANTHROPIC_AUTH_TOKEN`."""
    for variable in KEY_VARIABLES[1:] if own_server else KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if key:
            if not key.isascii() or not key.isprintable() or " " in key:
                return Fault(f"the environment variable {variable} holds no usable key", f"export {variable} again")
            return variable, key
    if own_server:
        return KEY_VARIABLES[1], "none"
    return Fault(
        "the environment variable ANTHROPIC_API_KEY is not set",
        "export ANTHROPIC_API_KEY with a key of the Claude Console, or set `provider: extractive`",
    )


def scrub(text: str) -> str:
    """The text on one line, of at most `LONGEST` characters, without keys and without halves of characters."""
    text = text.encode("utf-8", "replace").decode()
    for variable in KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if len(key) >= 4:
            text = text.replace(key, "…")
    text = collapse(_KEYS.sub("…", text))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def fault_from(error: Exception) -> Fault:
    """The fault for an exception of the SDK, of its HTTP client or of its parsers."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException, TimeoutError)):
        return LATE
    if isinstance(error, anthropic.APIConnectionError):
        tip = "check the network, and `anthropic.base_url` or ANTHROPIC_BASE_URL"
        return Fault(f"the API cannot be reached ({scrub(str(error.__cause__ or error))})", tip)
    if isinstance(error, (httpx2.TransportError, httpx2.StreamError)):
        return Fault("the connection broke in the middle of the reply", _AGAIN)
    if isinstance(error, OddReplyError):
        return Fault(f"the reply cannot be read: {scrub(str(error))}", _AGAIN)
    return Fault(f"the reply cannot be read ({type(error).__name__}: {scrub(str(error))})", _AGAIN)


def _of_status(error: anthropic.APIStatusError) -> Fault:
    if 300 <= error.status_code < 400:
        tip = "if that is where the API is, write it in `anthropic.base_url`"
        return Fault("the server leads on to another address, and nothing was sent there", tip)
    said = scrub(_text(error.api_message) or _text(error.message))
    return fault_of(_text(error.type), _text(error.error_code), error.status_code, said)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def fault_of(kind: str, code: str, status: int, said: str) -> Fault:
    """The fault for an error object of the API: its `type`, its `error_code`, the HTTP status and its message."""
    if "limit_reached" in code or "ramp_limit" in code:
        kind = "billing_error"
    for name, _, reason, tip in _FAULTS:
        if name == kind:
            return Fault(reason.replace("{said}", said), tip)
    for _, statuses, reason, tip in _FAULTS:
        if status in statuses:
            return Fault(reason.replace("{said}", said), tip)
    return Fault(f"the API failed ({said})", _AGAIN)
