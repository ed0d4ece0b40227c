"""One connection to the API for a run: it sends, waits, retries and pays, and returns a reply or a fault."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from mkdocs_cited.anthropic_client.faults import LATE, MISSING, Trouble, credentials, scrub, trouble_of
from mkdocs_cited.anthropic_client.own_server import PUBLIC, in_plain, objection
from mkdocs_cited.anthropic_client.prices import FREE, Price, price_of, table_date
from mkdocs_cited.anthropic_client.reply import Reply, read_reply, spend_in
from mkdocs_cited.anthropic_client.transport import Limits
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.model.options import Anthropic as Options

if TYPE_CHECKING:
    import anthropic

    from mkdocs_cited.anthropic_client.reply import Body

ATTEMPTS = 3
"""Times that one request is sent before it is given up."""
FIRST_WAIT = 0.5
"""Seconds before the second attempt when the server does not say; twice as many before the third."""
OVERHEAD = 1_000
"""Input tokens that the API may add to a request of ours: tool use, citations, structured output."""
MOST_BYTES_OF_A_BATCH = 512 * 1024 * 1024
"""Of the results of a batch, which are many replies."""

T = TypeVar("T")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Client:
    """Sends requests for a whole run, from any number of threads: all who write and judge in it share one.

    The SDK's own retries are off: it would retry a spend limit, wait as long as a header says, and cannot resend
    what broke in the middle of a stream. Here one deadline, `anthropic.timeout`, holds for all attempts together.
    """

    def __init__(self, options: Options, ledger: Ledger | None = None) -> None:
        """`ledger` is what the run may spend in all; by default what the options allow."""
        self.options = options
        self.ledger = ledger or Ledger(options.max_cost)
        self._lock = threading.Lock()
        self._sdk: anthropic.Anthropic | None = None
        self._address = options.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")
        self._limits = Limits(self._address or PUBLIC)

    def check(self) -> Fault | None:
        """Whether requests can be sent at all: package, key, address and price. Sends nothing."""
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
        if (fault := self.check()) is not None:
            return fault
        return in_plain(self._send, body) if self.options.own_server else self._send(body)

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The work's result for each item, in order, several at once."""
        # Twice as many threads as requests: while some wait for the model, others audit and record.
        with ThreadPoolExecutor(2 * self.options.concurrency) as pool:
            return list(pool.map(work, items))

    def _send(self, body: Body) -> Reply | Fault:
        """The same, in just these words."""
        most = self.most(body)
        if isinstance(most, Fault):
            return most
        self._connected()  # loading the SDK is not the request's time
        self._limits.start(self.options.timeout)
        spend = Spend()

        def once() -> Reply | Fault | Trouble:  # an attempt that is paid for
            nonlocal spend
            with self._limits.stopped():  # waiting for one's turn is not the request's time
                reservation = self.ledger.reserve(most)
            if reservation is None:
                return self.over_limit(spend)
            outcome: Reply | Fault | Trouble = Trouble(Fault("the request was interrupted", ""), billed=True)
            cost = Spend()
            try:
                outcome, cost = self._attempt(body)
            finally:
                self.ledger.settle(reservation, cost, uncertain=isinstance(outcome, Trouble) and outcome.billed)
                spend += cost
            return outcome

        outcome: Reply | Fault = self._tried(once)
        if isinstance(outcome, Fault):
            return replace(outcome, reason=scrub(outcome.reason), spend=spend)
        return replace(outcome, spend=spend)

    def call(self, work: Callable[[anthropic.Anthropic], T], *, repeatable: bool = True) -> T | Fault:
        """Do something else with the SDK, with the same retries, time and faults.

        What is not `repeatable` is tried again only when the API has said that it did nothing.
        """
        if (fault := self.check()) is not None:
            return fault
        sdk = self._connected()
        self._limits.start(self.options.timeout, MOST_BYTES_OF_A_BATCH)

        def once() -> T | Trouble:
            try:
                with self._limits.enforced():
                    return work(sdk)
            except Exception as error:  # whatever SDK, HTTP client and parsers raise is a fault, never a crash
                trouble = trouble_of(error, started=False)
                return replace(trouble, transient=trouble.transient and (repeatable or trouble.rejected))

        return self._tried(once)

    def _tried(self, once: Callable[[], T | Trouble]) -> T | Fault:
        """What an attempt gives, made again where that may help and there is time."""
        for attempt in range(1, ATTEMPTS + 1):
            outcome = once()
            if not isinstance(outcome, Trouble):
                return outcome
            if outcome.transient and not outcome.rejected and self._limits.left < 0:
                return LATE
            pause = outcome.wait or FIRST_WAIT * 2 ** (attempt - 1) * random.uniform(0.75, 1)  # noqa: S311 # jitter
            if not outcome.transient or attempt == ATTEMPTS or pause > self._limits.left:
                return outcome.fault
            time.sleep(pause)
        raise AssertionError("the loop above returns")

    def most(self, body: Body, *, batch: bool = False) -> float | Fault:
        """US dollars that one sending of a request can cost at most: a token has at least one byte.

        A fault when the run has a limit and the price table does not have the model.
        """
        model = str(body["model"])
        price = self.price(model)
        if price is not None:
            size = len(json.dumps(body, ensure_ascii=False, default=str).encode("utf-8", "replace"))
            return price.most(size + OVERHEAD, body["max_tokens"], batch=batch)
        if self.ledger.limit is None:
            return 0.0
        tip = f"add `{model}` to `anthropic.prices`, or leave `anthropic.max_cost` out"
        return Fault(f"`anthropic.max_cost` cannot be enforced: the price of `{model}` is not known", tip)

    def price(self, model: str) -> Price | None:
        """What a model costs; on a server of one's own nothing, unless the options say so."""
        if self.options.own_server and model not in self.options.prices:
            return FREE
        return price_of(model, self.options.prices)

    def over_limit(self, spend: Spend) -> Fault:
        """The fault for a request that `max_cost` has no room for."""
        spent, limit = self.ledger.spent.cost, self.ledger.limit or 0.0
        tip = "raise `anthropic.max_cost`, or run `mkdocs-cited update` again: what is finished is stored"
        return Fault(
            f"the run has spent ${spent:.2f}, and one more request could exceed `max_cost` (${limit:.2f})", tip, spend
        )

    def notices(self, *models: str) -> tuple[str, ...]:
        """What a user should know of these models: that one is about to be withdrawn, that a price is missing."""
        out = []
        sdk = sys.modules.get("anthropic.resources.messages.messages")  # a run without a use for it does not import it
        deprecated: dict[str, str] = getattr(sdk, "DEPRECATED_MODELS", {})
        for model in dict.fromkeys(models):
            if model in deprecated:
                out.append(f"the model `{model}` is deprecated and ends on {deprecated[model]}: choose another one")
            if self.price(model) is None:
                out.append(f"the price table of {table_date()} does not have `{model}`: its cost is counted as 0")
        return tuple(out)

    def _attempt(self, body: Body) -> tuple[Reply | Fault | Trouble, Spend]:
        """One sending: what came of it, and what it is known to have cost."""
        price = self.price(str(body["model"]))
        message, finished = None, False
        try:
            seconds = max(0.1, self._limits.left)
            with self._limits.enforced(), self._connected().messages.stream(**body, timeout=seconds) as stream:
                for event in stream:
                    if event.type == "message_start":
                        message = stream.current_message_snapshot
                    finished = finished or event.type == "message_stop"
        except Exception as error:  # whatever SDK, HTTP client and parsers raise is a fault, never a crash
            known = spend_in(message, price) if message is not None else Spend(calls=1)
            return trouble_of(error, started=message is not None), known
        if message is None or not finished:
            # The SDK accepts a stream that ends early without a word.
            fault = Fault("the reply ended before it was complete", "run `mkdocs-cited update` again")
            return Trouble(fault, True, billed=True), spend_in(message, price) if message else Spend(calls=1)
        reply = read_reply(message, self.price(str(getattr(message, "model", ""))) or price)
        if isinstance(reply, Fault) and not reply.spend.output_tokens:
            return Trouble(reply, billed=True), reply.spend  # it does not tell what it cost
        return reply, reply.spend

    def _connected(self) -> anthropic.Anthropic:
        """The SDK's client, made on first use: importing it takes a second and 77 MB."""
        with self._lock:
            if self._sdk is None:
                import anthropic
                import httpx2

                # `notices` says the same where people see it; as an error, it would stop the request.
                warnings.filterwarnings("ignore", "The model '.*' is deprecated", DeprecationWarning)
                key = credentials(own_server=self.options.own_server)
                assert not isinstance(key, Fault)  # noqa: S101 # for the type checker: `check` has looked
                name, secret = key
                http = anthropic.DefaultHttpxClient(
                    event_hooks={"request": [self._limits.on_request], "response": [self._limits.on_response]},
                    headers={"accept-encoding": "identity"},
                    limits=httpx2.Limits(max_keepalive_connections=0),  # each request sees its connection open
                    trust_env=not self.options.own_server,  # a proxy to the outside knows no private addresses
                )
                weakref.finalize(self, http.close)
                sdk = anthropic.Anthropic(
                    api_key=secret if name == "ANTHROPIC_API_KEY" else None,
                    auth_token=secret if name == "ANTHROPIC_AUTH_TOKEN" else None,
                    base_url=self._limits.address,
                    timeout=self.options.timeout,
                    max_retries=0,
                    http_client=http,
                )
                _ = sdk.messages  # loads what sends them
                self._sdk = sdk
            return self._sdk

    @cached_property
    def _unsafe(self) -> Fault | None:
        """Why nothing may be sent to the address; looked up once."""
        options = self.options
        return objection(self._address, own=options.own_server, from_environment=not options.base_url)
