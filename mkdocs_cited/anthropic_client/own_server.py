"""A model server of one's own: where it may be, and finding out by what it answers whether it knows more than text.

Ollama, vLLM, LM Studio and llama.cpp speak the Messages API without its citations, and leave out in silence what they
do not know; a gateway in front of Claude knows them. Nobody's word is taken for it: one small question per run tells.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mkdocs_cited.anthropic_client.plain import PlainRequest, plain
from mkdocs_cited.anthropic_client.reply import Reply
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import Body

_MOST_TOKENS = 1_000
"""Of the reply to the question that tells what a server knows."""
PUBLIC = "https://api.anthropic.com"
"""Where the API is unless the options say otherwise."""
_PRIVATE = tuple(
    map(
        ipaddress.ip_network,
        (
            *("127.0.0.0/8", "::1/128"),  # this machine
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),  # RFC 1918, RFC 4193
            "100.64.0.0/10",  # shared (RFC 6598): overlays use it
        ),
    )
)
_METADATA = tuple(map(ipaddress.ip_network, ("100.100.100.200/32", "fd00:ec2::/32")))
"""Of these, what clouds tell a machine about itself."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_OWN = "for a server of your own, on this machine or in a private network, set `anthropic.own_server: true`"
_AGAIN = "run `mkdocs-cited update` again, or choose a model that follows instructions better"

Send = Callable[["Body"], "Reply | Fault"]


def objection(address: str, *, own: bool, from_environment: bool) -> Fault | None:
    """Why requests may not go to an address: in the clear they go to a server of one's own only, and with the explicit
    word that it is one. A key may go in the clear to this machine where the environment itself says so (a proxy)."""
    try:
        parts = urlsplit(address or "https://")
        host = parts.hostname or ""
        _ = parts.port  # raises for nonsense
    except ValueError:
        return Fault(
            f"`{address[:100]}` is no address", "write one like http://127.0.0.1:11434 in `anthropic.base_url`"
        )
    if own and not address:
        return Fault("`anthropic.own_server` has no address", "write it in `anthropic.base_url` or ANTHROPIC_BASE_URL")
    if parts.scheme == "https":
        return None
    if parts.scheme != "http":
        return Fault(f"`{address[:100]}` is no address", "begin `anthropic.base_url` with https:// or http://")
    if own:
        if is_private(host):
            return None
        return Fault(f"`{host}` is not on this machine or in a private network", "write an https:// address for it")
    if from_environment and host in _LOOPBACK:
        return None
    tip = f"write an https:// address in `anthropic.base_url` or ANTHROPIC_BASE_URL; {_OWN}"
    return Fault("the API's address is not encrypted, and a key would be readable on the way", tip)


def is_private(host: str) -> bool:
    """Whether a host is this machine or one in a private network: every address that its name stands for."""
    try:
        found = {str(item[4][0]) for item in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return False
    return bool(found) and all(map(_private, found))


def _private(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return any(ip in network for network in _PRIVATE) and not any(ip in network for network in _METADATA)


class OwnServer:
    """Sends requests as the server understands them. Any number of threads may."""

    def __init__(self, send: Send, model: str) -> None:
        """`send` sends a request as it is; `model` is asked what the server knows."""
        self._send = send
        self._model = model
        self._alone = threading.Lock()
        self._knows: bool | Fault | None = None

    def knows_citations(self) -> bool | Fault:
        """Whether it has the API's own citations, and so the whole API; asked once. A fault when it is not there."""
        with self._alone:
            if self._knows is None:
                self._knows = self._asked()
            return self._knows

    def send(self, body: Body) -> Reply | Fault:
        """The reply to a request, in plain text where the server knows no more."""
        knows = self.knows_citations()
        if isinstance(knows, Fault):
            return knows
        return self._send(body) if knows else self._in_plain(plain(body))

    def _asked(self) -> bool | Fault:
        """Ask for a word that stands in a search result: who cites it, has read it there."""
        word = secrets.token_hex(4)
        body: Any = {
            "model": self._model,
            "max_tokens": _MOST_TOKENS,
            "messages": [{"role": "user", "content": [_result(f"The word of the day is {word}."), _QUESTION]}],
        }
        reply = self._send(body)
        if isinstance(reply, Reply):
            return any(word in cited.text for span in reply.spans for cited in span.cited)
        # Refusing what it does not know is an answer, too; whether it is there at all, a plain request tells.
        answered = self._send(plain(body).body)
        return False if isinstance(answered, Reply) or _answers(answered) else answered

    def _in_plain(self, request: PlainRequest) -> Reply | Fault:
        """The reply to a plain request; one that is not in the form is asked for once more, told what was wrong."""
        reply = self._send(request.body)
        if isinstance(reply, Fault):
            return reply
        try:
            return request.read(reply)
        except ValueError as error:
            again = self._send(request.repaired(reply, str(error)).body)
        spend = reply.spend + again.spend
        if isinstance(again, Fault):
            return replace(again, spend=spend)
        try:
            return request.read(replace(again, spend=spend))
        except ValueError as error:
            return Fault(f"the model's answer does not count: {error}", _AGAIN, spend)


_QUESTION = {"type": "text", "text": "What is the word of the day? Answer from the search result, and cite it."}


def _result(text: str) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": "words.md",
        "title": "Words",
        "content": [{"type": "text", "text": text}],
        "citations": {"enabled": True},
    }


def _answers(fault: Fault) -> bool:
    """Whether a model was at work behind a fault: the reply was cut off, say, and not refused or never there."""
    return fault.spend.output_tokens > 0
