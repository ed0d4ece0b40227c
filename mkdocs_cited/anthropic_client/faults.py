"""What can go wrong on the way to the API and back, in words for a user, never with a key in them."""

from __future__ import annotations

import json
import os
import re

from mkdocs_cited.anthropic_client.reply import OddReplyError
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Fault

KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
MISSING = Fault(
    "the package `anthropic` is not installed", "pip install 'mkdocs-cited[anthropic]'"
)
LATE = Fault(
    "the API did not answer in time",
    "raise `anthropic.timeout`, or lower `anthropic.effort`",
)
LONGEST = 300
"""Characters of somebody else's message that a fault repeats."""
_KEYS = re.compile(r"sk-[A-Za-z0-9_-]{6,}|Bearer\s+[^\s'\"]+", re.IGNORECASE)
UNKNOWN = "the API does not know"
"""How the fault of what is not there, or not any more, begins."""
_AGAIN = "run it again; what is finished is stored"
_NAMES = "check `anthropic.model` and `base_url`"
_SLOWER = f"lower `anthropic.concurrency`, then {_AGAIN}"
_OPTIONS = (
    "check the options under `anthropic:`; if they are right, report it to mkdocs-cited"
)
_MOVED = "nothing was sent there: if that is where the API is, write it in `anthropic.base_url`"
_CREDIT = "raise the limit or add credit in the Claude Console, then run it again"


def credentials(*, own_server: bool = False) -> tuple[str, str] | Fault:
    """The variable that holds a key, and the key. A server of one's own needs none, and never gets Anthropic's: where
    it wants a token, that is `ANTHROPIC_AUTH_TOKEN`."""
    for variable in KEY_VARIABLES[1:] if own_server else KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if key:
            if not key.isascii() or not key.isprintable() or " " in key:
                return Fault(
                    f"the environment variable {variable} has no usable key",
                    f"export {variable} again",
                )
            return variable, key
    if own_server:
        return KEY_VARIABLES[1], "none"
    return Fault(
        "the environment variable ANTHROPIC_API_KEY is not set",
        "export ANTHROPIC_API_KEY with a key of the Claude Console; under `update: never`, builds need none",
    )


def scrub(text: str) -> str:
    """The text on one line, short, without anything that is or looks like a key, and without halves of characters."""
    text = text.encode("utf-8", "replace").decode()
    for variable in KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if len(key) >= 4:
            text = text.replace(key, "…")
    return shorten(collapse(_KEYS.sub("…", text)), LONGEST)


def is_refused(error: Exception) -> bool:
    """True if the API has said that it did nothing, so that it cost nothing."""
    import anthropic

    return isinstance(error, anthropic.APIStatusError)


def fault_of_error(error: Exception) -> Fault:
    """What an exception of the SDK, of its HTTP client or of its parsers means."""
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        said = scrub(_text(error.api_message) or _text(error.message))
        return fault_of(
            _text(error.type), _text(error.error_code), error.status_code, said
        )
    if isinstance(error, (anthropic.APITimeoutError, TimeoutError)):
        return LATE
    if isinstance(error, anthropic.APIConnectionError):
        why = scrub(str(error.__cause__ or error))
        tip = "check the network, and `anthropic.base_url` or ANTHROPIC_BASE_URL"
        return Fault(f"the API cannot be reached ({why})", tip)
    if isinstance(
        error,
        (OddReplyError, json.JSONDecodeError, anthropic.APIResponseValidationError),
    ):
        return Fault(f"the reply cannot be read: {scrub(str(error))}", _AGAIN)
    return Fault(
        f"the request failed ({type(error).__name__}: {scrub(str(error))})", _AGAIN
    )


def _text(value: object) -> str:
    """What an error object says, where it is text at all."""
    if isinstance(value, str):
        return value
    return ""


_FAULTS = {
    "billing_error": (
        "the organisation's spend limit or credit is used up ({said})",
        _CREDIT,
    ),
    "authentication_error": (
        "the API does not accept the key ({said})",
        "check ANTHROPIC_API_KEY",
    ),
    "permission_error": (
        "the key may not be used for this ({said})",
        "check the key's workspace and the model's name",
    ),
    "not_found_error": (f"{UNKNOWN} the model or address ({{said}})", _NAMES),
    "rate_limit_error": ("the API's rate limit was reached ({said})", _SLOWER),
    "overloaded_error": ("the API is overloaded", _AGAIN),
    "request_too_large": ("the request is too large", "lower `context_budget`"),
    "redirect": ("the server leads on to another address", _MOVED),
    "invalid_request_error": ("the API does not accept the request ({said})", _OPTIONS),
}
"""Type of an error of the API → what it means, and what to do."""
_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error",
    529: "overloaded_error",
}  # fmt: skip
"""HTTP status → the type of the error that it stands for."""


def fault_of(kind: str, code: str, status: int, said: str) -> Fault:
    """The fault for an error object of the API: its `type`, its `error_code`, the HTTP status and its words."""
    if "limit_reached" in code or "ramp_limit" in code:
        kind = "billing_error"
    by_status = _TYPES.get(status, "redirect" if 300 < status < 400 else "")
    other = ("the API failed ({said})", _AGAIN)
    reason, tip = _FAULTS.get(kind) or _FAULTS.get(by_status, other)
    return Fault(reason.replace("{said}", said), tip)
