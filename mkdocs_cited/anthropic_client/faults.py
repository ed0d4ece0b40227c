"""What can go wrong on the way to the API and back, in words for a user, never with a key in them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.anthropic_client.reply import OddReplyError
from mkdocs_cited.anthropic_client.transport import StrayError
from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Fault

if TYPE_CHECKING:
    import anthropic

KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
MISSING = Fault("the package `anthropic` is not installed", "pip install 'mkdocs-cited[anthropic]'")
LATE = Fault("the API did not answer in time", "raise `anthropic.timeout`, or lower `anthropic.effort`")
LONGEST = 300
"""Characters of somebody else's message that a fault repeats."""
_KEYS = re.compile(r"sk-[A-Za-z0-9_-]{6,}|Bearer\s+[^\s'\"]+", re.IGNORECASE)
_TRANSIENT_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_TRANSIENT_TYPE = frozenset({"overloaded_error", "api_error", "timeout_error", "rate_limit_error"})
UNKNOWN = "the API does not know"
"""How the fault of what is not there, or not any more, begins."""
_AGAIN = "run `mkdocs-cited update` again; what is finished is stored"
_NAMES = "check `anthropic.model` and `base_url`"
_SLOWER = f"lower `anthropic.concurrency`, then {_AGAIN}"
_OPTIONS = "check the options under `anthropic:`; if they are right, report it to mkdocs-cited"
_CREDIT = "raise the limit or add credit in the Claude Console, then run `mkdocs-cited update` again"


class Trouble(Struct, frozen=True):
    """Why one attempt failed."""

    fault: Fault
    transient: bool = False
    """Whether a further attempt may succeed."""
    wait: float = 0.0
    """Seconds that the server asks to wait; 0 when it does not say."""
    billed: bool = False
    """Whether the attempt may have cost something all the same."""
    rejected: bool = False
    """Whether the API has said that it did nothing."""


def credentials(*, own_server: bool = False) -> tuple[str, str] | Fault:
    """The variable that holds a key, and the key. A server of one's own needs none, and never gets Anthropic's: where
    it wants a token, that is `ANTHROPIC_AUTH_TOKEN`."""
    for variable in KEY_VARIABLES[1:] if own_server else KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if key:
            if not key.isascii() or not key.isprintable() or " " in key:
                return Fault(f"the environment variable {variable} has no usable key", f"export {variable} again")
            return variable, key
    if own_server:
        return KEY_VARIABLES[1], "none"
    return Fault(
        "the environment variable ANTHROPIC_API_KEY is not set",
        "export ANTHROPIC_API_KEY with a key of the Claude Console, or set `update: never`",
    )


def scrub(text: str) -> str:
    """The text on one line, short, without anything that is or looks like a key, and without halves of characters."""
    text = text.encode("utf-8", "replace").decode()
    for variable in KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if len(key) >= 4:
            text = text.replace(key, "…")
    text = collapse(_KEYS.sub("…", text))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def trouble_of(error: BaseException, *, started: bool) -> Trouble:
    """What an exception of the SDK, of its HTTP client or of its parsers means.

    `started` says whether a reply had begun. The SDK lets through what its HTTP client and parsers raise inside a
    stream, so anything may arrive here; whatever is not known is a fault without a further attempt.
    """
    import anthropic
    import httpx2

    if isinstance(stray := error.__cause__ or error, StrayError):
        tip = "if that is where the API is, write it in `anthropic.base_url`"
        return Trouble(Fault(f"{stray}, and nothing was sent there", tip))
    if isinstance(error, anthropic.APIStatusError):
        return _status(error, started=started)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException, TimeoutError)):
        return Trouble(LATE, billed=True)
    if isinstance(error, (anthropic.APIConnectionError, httpx2.TransportError, httpx2.StreamError)):
        if started:
            return Trouble(Fault("the connection broke in the middle of the reply", _AGAIN), True, billed=True)
        why = scrub(str(error.__cause__ or error))
        tip = "check the network, and `anthropic.base_url` or ANTHROPIC_BASE_URL"
        return Trouble(Fault(f"the API cannot be reached ({why})", tip), True)
    if isinstance(error, OddReplyError):
        return Trouble(Fault(f"the reply cannot be read: {scrub(str(error))}", _AGAIN))
    if started or isinstance(error, (json.JSONDecodeError, anthropic.APIResponseValidationError)):
        return Trouble(Fault("the reply cannot be read: it is damaged or ended early", _AGAIN), True, billed=True)
    return Trouble(Fault(f"the request failed ({type(error).__name__}: {scrub(str(error))})", _AGAIN), billed=True)


def _status(error: anthropic.APIStatusError, *, started: bool) -> Trouble:
    kind, code, status = _text(error.type), _text(error.error_code), error.status_code
    said = scrub(_text(error.api_message) or _text(error.message))
    fault = fault_of(kind, code, status, said)
    final = error.response.headers.get("x-should-retry") == "false" or "limit" in code or code == "organization_on_hold"
    transient = not final and (kind in _TRANSIENT_TYPE or (status in _TRANSIENT_STATUS and kind != "billing_error"))
    rejected = 400 <= status < 500 or status == 529
    return Trouble(fault, transient, _asked_wait(error.response.headers), billed=started, rejected=rejected)


def _text(value: object) -> str:
    """What an error object says, where it is text at all."""
    return value if isinstance(value, str) else ""


_FAULTS: tuple[tuple[str, tuple[int, ...], str, str], ...] = (
    ("billing_error", (402,), "the organisation's spend limit or credit is used up ({said})", _CREDIT),
    ("authentication_error", (401,), "the API does not accept the key ({said})", "check ANTHROPIC_API_KEY"),
    (
        "permission_error",
        (403,),
        "the key may not be used for this ({said})",
        "check the key's workspace and the model's name",
    ),
    ("not_found_error", (404,), f"{UNKNOWN} the model or address ({{said}})", _NAMES),
    ("rate_limit_error", (429,), "the API's rate limit was reached ({said})", _SLOWER),
    ("overloaded_error", (529,), "the API is overloaded", _AGAIN),
    ("request_too_large", (413,), "the request is too large", "lower `context_budget`"),
    ("invalid_request_error", (400, 422), "the API does not accept the request ({said})", _OPTIONS),
)
"""Type and statuses of an error of the API, what it means, and what to do."""


def fault_of(kind: str, code: str, status: int, said: str) -> Fault:
    """The fault for an error object of the API: its `type`, its `error_code`, the HTTP status and its words."""
    if "limit_reached" in code or "ramp_limit" in code:
        kind = "billing_error"
    known = next((row for row in _FAULTS if kind == row[0]), None)
    known = known or next((row for row in _FAULTS if status in row[1]), None)
    reason, tip = known[2:] if known else ("the API failed ({said})", _AGAIN)
    return Fault(reason.replace("{said}", said), tip)


def _asked_wait(headers: Mapping[str, str]) -> float:
    """Seconds of `retry-after-ms` or `retry-after`; dates and nonsense count as 0."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name) or "") / unit
        except ValueError:
            continue
        if 0 < seconds < float("inf"):
            return seconds
    return 0.0
