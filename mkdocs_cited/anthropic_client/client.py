"""One connection to the API for a run: it sends, waits and pays, and returns a reply or a fault."""

from __future__ import annotations

import json
import os
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from mkdocs_cited.anthropic_client.faults import (
    MISSING,
    credentials,
    fault_of_error,
    is_refused,
)
from mkdocs_cited.anthropic_client.own_server import PUBLIC, in_plain, objection
from mkdocs_cited.anthropic_client.reply import (
    FREE,
    Price,
    Reply,
    price_of,
    read_reply,
    table_date,
)
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.options import OFFLINE, offline
from mkdocs_cited.model.options import Anthropic as Options
from mkdocs_cited.model.report import Ledger

if TYPE_CHECKING:
    import anthropic

    from mkdocs_cited.anthropic_client.reply import Body, Message

RETRIES = 2
"""Times that the SDK sends a request again that the API was too busy for, or that got lost on the way."""
OVERHEAD = 1_000
"""Input tokens that the API may add to a request of ours: tool use, citations, structured output."""

T = TypeVar("T")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Client:
    """Sends requests for a whole run, from any number of threads: all who write and judge in it share one."""

    def __init__(self, options: Options, ledger: Ledger | None = None) -> None:
        """`ledger` is what the run may spend in all; by default what the options allow."""
        self.options = options
        self.ledger = ledger or Ledger(options.max_cost)
        self._lock = threading.Lock()
        self._sdk: anthropic.Anthropic | None = None
        self._address = options.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")

    def check(self) -> Fault | None:
        """Whether requests can be sent at all: allowed, package, key, address and price. Sends nothing."""
        if offline():
            return Fault(f"{OFFLINE} is set, so no model is asked", "unset it")
        key = credentials(own_server=self.options.own_server)
        if isinstance(key, Fault):
            return key
        try:
            import anthropic  # noqa: F401
        except ImportError:
            return MISSING
        return self._unsafe

    def send(self, body: Body) -> Reply | Fault:
        """Send a request and wait for its reply: within `anthropic.timeout`, within the ledger's limit."""
        fault = self.check()
        if fault is not None:
            return fault
        if self.options.own_server:
            return in_plain(self._send, body)
        return self._send(body)

    def each(
        self, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> list[Result]:
        """The work's result for each item, in order, several at once."""
        with ThreadPoolExecutor(self.options.concurrency) as pool:
            return list(pool.map(work, items))

    def _send(self, body: Body) -> Reply | Fault:
        """The same, in just these words."""
        most = self.most(body)
        if isinstance(most, Fault):
            return most
        sdk = self._connected()  # loading the SDK is not the request's time
        if not self.ledger.reserve(most):
            return self.over_limit()
        spend, uncertain = Spend(calls=1), True
        try:
            message = within(
                self.options.timeout,
                lambda: sdk.messages.create(**body, timeout=self.options.timeout),
            )
            reply = self.read(message, str(body["model"]))
            spend, uncertain = reply.spend, not reply.spend.output_tokens
        except Exception as error:  # whatever SDK, HTTP client and parsers raise is a fault, never a crash
            uncertain = not is_refused(error)
            return replace(fault_of_error(error), spend=spend)
        finally:
            self.ledger.settle(most, spend, uncertain=uncertain)
        return reply

    def read(
        self, message: Message, asked: str, *, batch: bool = False
    ) -> Reply | Fault:
        """The reply in a message, at the price of the model that gave it: a server may let another one answer than was
        asked."""
        known = self.price(str(getattr(message, "model", "")))
        return read_reply(message, known or self.price(asked), batch=batch)

    def call(
        self, work: Callable[[anthropic.Anthropic], T], *, retries: int = RETRIES
    ) -> T | Fault:
        """Do something else with the SDK, within the same time and with the same faults."""
        fault = self.check()
        if fault is not None:
            return fault
        sdk = self._connected().with_options(max_retries=retries)
        try:
            return within(self.options.timeout, lambda: work(sdk))
        except Exception as error:  # whatever SDK, HTTP client and parsers raise is a fault, never a crash
            return fault_of_error(error)

    def most(self, body: Body, *, batch: bool = False) -> float | Fault:
        """US dollars that one sending of a request can cost at most: a token has at least one byte.

        A fault when the run has a limit and the price table does not have the model.
        """
        model = str(body["model"])
        price = self.price(model)
        if price is not None:
            size = len(
                json.dumps(body, ensure_ascii=False, default=str).encode(
                    "utf-8", "replace"
                )
            )
            most = size + OVERHEAD  # and all of it written to the cache
            return price.cost(0, body["max_tokens"], written=most, batch=batch)
        if self.ledger.limit is None:
            return 0.0
        tip = f"add `{model}` to `anthropic.prices`, or leave `anthropic.max_cost` out"
        return Fault(
            f"`anthropic.max_cost` cannot be enforced: the price of `{model}` is not known",
            tip,
        )

    def price(self, model: str) -> Price | None:
        """What a model costs; on a server of one's own nothing, unless the options say so."""
        if self.options.own_server and model not in self.options.prices:
            return FREE
        return price_of(model, self.options.prices)

    def over_limit(self) -> Fault:
        """The fault for a request that `max_cost` has no room for."""
        spent, limit = self.ledger.spent.cost, self.ledger.limit or 0.0
        tip = "raise `anthropic.max_cost`, or run it again: what is finished is stored"
        return Fault(
            f"the run has spent ${spent:.2f}, and one more request could exceed `max_cost` (${limit:.2f})",
            tip,
        )

    def notices(self, model: str) -> tuple[str, ...]:
        """What a user should know of a model: that its price is missing."""
        if self.price(model):
            return ()
        return (
            f"the price table of {table_date()} does not have `{model}`: its cost is counted as 0",
        )

    def _connected(self) -> anthropic.Anthropic:
        """The SDK's client, made on first use: importing it takes a second and 77 MB."""
        with self._lock:
            if self._sdk is None:
                import anthropic

                # as an error, it would stop the request
                warnings.filterwarnings(
                    "ignore", "The model '.*' is deprecated", DeprecationWarning
                )
                key = credentials(own_server=self.options.own_server)
                assert not isinstance(key, Fault)  # noqa: S101 # for the type checker: `check` has looked
                name, secret = key
                http = anthropic.DefaultHttpxClient(
                    follow_redirects=False,  # key and texts go where the options say
                    trust_env=not self.options.own_server,  # a proxy to the outside knows no private addresses
                )
                weakref.finalize(self, http.close)
                sdk = anthropic.Anthropic(
                    api_key=secret if name == "ANTHROPIC_API_KEY" else None,
                    auth_token=secret if name == "ANTHROPIC_AUTH_TOKEN" else None,
                    base_url=self._address or PUBLIC,
                    timeout=self.options.timeout,
                    max_retries=RETRIES,
                    http_client=http,
                )
                _ = sdk.messages  # loads what sends them
                self._sdk = sdk
            return self._sdk

    @cached_property
    def _unsafe(self) -> Fault | None:
        """Why nothing may be sent to the address; looked up once."""
        options = self.options
        return objection(
            self._address, own=options.own_server, from_environment=not options.base_url
        )


def within(seconds: float, work: Callable[[], T]) -> T:
    """What a piece of work gives. The HTTP client bounds the silence between two reads, not the whole: a server that
    sends a byte now and then is left alone in its thread when its time is over.

    Raises:
        TimeoutError: it took longer; or whatever the work raises.
    """
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return result.result(seconds)
