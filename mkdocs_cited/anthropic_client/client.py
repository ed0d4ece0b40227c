"""One connection to the API for a run: it sends a request, counts its cost, and returns a reply or a fault.

The SDK retries what may succeed later. One time limit, `anthropic.timeout`, holds for all attempts together.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from mkdocs_cited.anthropic_client.faults import LATE, MISSING, credentials, fault_from, scrub
from mkdocs_cited.anthropic_client.own_server import PUBLIC, in_plain, objection
from mkdocs_cited.anthropic_client.prices import FREE, Price, price_of, table_date
from mkdocs_cited.anthropic_client.reply import Reply, read_reply, spend_in
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Fault, Spend
from mkdocs_cited.model.ledger import Ledger
from mkdocs_cited.model.options import Anthropic as Options

if TYPE_CHECKING:
    import anthropic

    from mkdocs_cited.anthropic_client.reply import Body

RETRIES = 2
"""Further attempts of one request."""

T = TypeVar("T")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Client:
    """Sends the requests of a run, from any number of threads: all who write and judge in it share one."""

    def __init__(self, options: Options, ledger: Ledger | None = None) -> None:
        """`ledger` counts what the run spends; by default it has the limit of the options."""
        self.options = options
        self.ledger = ledger or Ledger(options.max_cost)
        self._lock = threading.Lock()
        self._sdk: anthropic.Anthropic | None = None
        self.address = options.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")

    def check(self) -> Fault | None:
        """Why no request can be sent: package, key or address. Sends nothing."""
        key = credentials(own_server=self.options.own_server)
        if isinstance(key, Fault):
            return key
        try:
            import anthropic  # noqa: F401
        except ImportError:
            return MISSING
        return self._unsafe

    def send(self, body: Body) -> Reply | Fault:
        """Send a request and wait for its reply, for `anthropic.timeout` seconds at most."""
        fault = self.check() or self.refusal(str(body["model"]))
        if fault:
            return fault
        return in_plain(self._send, body) if self.options.own_server else self._send(body)

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """The work's result for each item, in order, several at once."""
        with ThreadPoolExecutor(self.options.concurrency) as pool:
            return list(pool.map(work, items))

    def refusal(self, model: str) -> Fault | None:
        """Why `max_cost` allows no further request: it is spent, or the model's price is not known."""
        limit, spent, price = self.ledger.limit, self.ledger.spent.cost, self.price(model)
        if limit is None or price == FREE:
            return None
        if price is None:
            tip = f"add `{model}` to `anthropic.prices`, or leave `anthropic.max_cost` out"
            return Fault(f"`anthropic.max_cost` cannot be enforced: the price of `{model}` is not known", tip)
        if spent >= limit:
            tip = "raise `anthropic.max_cost`, or run `mkdocs-cited update` again: what is finished is stored"
            return Fault(f"the run has spent ${spent:.2f}, and `max_cost` is ${limit:.2f}", tip)
        return None

    def price(self, model: str) -> Price | None:
        """The price of a model; on a server of one's own nothing, unless the options have one."""
        if self.options.own_server and model not in self.options.prices:
            return FREE
        return price_of(model, self.options.prices)

    def notices(self, *models: str) -> tuple[str, ...]:
        """What a user should know of these models: that one is about to be withdrawn, that a price is missing."""
        notices = []
        sdk = sys.modules.get("anthropic.resources.messages.messages")  # a run without a use for it does not import it
        deprecated: dict[str, str] = getattr(sdk, "DEPRECATED_MODELS", {})
        for model in dict.fromkeys(models):
            if model in deprecated:
                notices.append(f"the model `{model}` is deprecated and ends on {deprecated[model]}: choose another one")
            if self.price(model) is None:
                notices.append(f"the price table of {table_date()} does not have `{model}`: its cost is counted as 0")
        return tuple(notices)

    def call(self, work: Callable[[anthropic.Anthropic], T]) -> T | Fault:
        """The result of calling the SDK, or the fault that it ended in, after `anthropic.timeout` seconds at most.

        The SDK's own time limit is for the silence between two reads: a server that sends `100 Continue` or a ping now
        and then could hold a request open for ever. The thread of a call that is given up ends with the process.
        """
        outcome: queue.SimpleQueue[T | Fault] = queue.SimpleQueue()
        sdk = self._connected()

        def run() -> None:
            try:
                outcome.put(work(sdk))
            except Exception as error:  # whatever SDK, HTTP client and parsers raise is a fault, never a crash
                outcome.put(fault_from(error))

        threading.Thread(target=run, daemon=True).start()
        try:
            return outcome.get(timeout=self.options.timeout)
        except queue.Empty:
            return LATE

    def _send(self, body: Body) -> Reply | Fault:
        """Send a request as it is, and count its cost."""
        outcome = self.call(lambda sdk: self._streamed(sdk, body))
        if isinstance(outcome, Fault):
            outcome = replace(outcome, reason=scrub(outcome.reason), spend=outcome.spend + _call_of(outcome))
        self.ledger.add(outcome.spend)
        return outcome

    def _streamed(self, sdk: anthropic.Anthropic, body: Body) -> Reply | Fault:
        """The reply to one request, or a fault with the cost that is known."""
        price = self.price(str(body["model"]))
        message = None
        try:
            with sdk.messages.stream(**body) as stream:
                for _ in stream:
                    message = stream.current_message_snapshot
        except Exception as error:  # as in `call`
            known = spend_in(message, price) if message is not None else Spend()
            return replace(fault_from(error), spend=known)
        if message is None:
            return Fault("the reply ended before it began", "run `mkdocs-cited update` again")
        return read_reply(message, price)

    def _connected(self) -> anthropic.Anthropic:
        """The SDK's client, made on first use: importing it takes a second and 77 MB."""
        with self._lock:
            if self._sdk is None:
                self._sdk = self._connection()
            return self._sdk

    def _connection(self) -> anthropic.Anthropic:
        import anthropic

        # `notices` says the same where people see it; as an error, it would stop the request.
        warnings.filterwarnings("ignore", "The model '.*' is deprecated", DeprecationWarning)
        key = credentials(own_server=self.options.own_server)
        assert not isinstance(key, Fault)  # noqa: S101 # for the type checker: `check` has looked
        name, secret = key
        http = anthropic.DefaultHttpxClient(
            follow_redirects=False,  # a redirect could lead key and texts to another host
            trust_env=not self.options.own_server,  # a proxy to the outside knows no private addresses
        )
        weakref.finalize(self, http.close)
        return anthropic.Anthropic(
            api_key=secret if name == "ANTHROPIC_API_KEY" else None,
            auth_token=secret if name == "ANTHROPIC_AUTH_TOKEN" else None,
            base_url=self.address or PUBLIC,
            timeout=self.options.timeout,
            max_retries=RETRIES,
            http_client=http,
        )

    @cached_property
    def _unsafe(self) -> Fault | None:
        """Why nothing may be sent to the address; looked up once."""
        options = self.options
        return objection(self.address, own=options.own_server, from_environment=not options.base_url)


def _call_of(fault: Fault) -> Spend:
    """One call, where the fault does not count it."""
    return Spend() if fault.spend.calls else Spend(calls=1)
