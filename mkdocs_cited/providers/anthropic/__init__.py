"""The provider that asks Claude: it sends passages, and turns the reply and its citations into a draft. One
conversation for each answer, several at a time.

How requests travel is `anthropic_client`'s business; whether the draft is right is decided by audit and review.
"""

from __future__ import annotations

from msgspec.structs import replace

from mkdocs_cited.anthropic_client import Batches, Client
from mkdocs_cited.model.answer import Abstention, Draft, Fault, Spend
from mkdocs_cited.model.options import Settings
from mkdocs_cited.providers.anthropic import prompt
from mkdocs_cited.providers.anthropic.conversation import MOST_ROUNDS, Conversation
from mkdocs_cited.providers.anthropic.prompt import Contents
from mkdocs_cited.providers.interface import Outcome, Provider, Request

MOST_IN_BATCH = 2
"""Of `MOST_ROUNDS`, within a batch."""


class Anthropic(Provider):
    """Claude writes, with the API's own citations."""

    id = "anthropic"
    version = prompt.VERSION
    calls_model = True
    corrects = True

    def __init__(self, settings: Settings, access: Client | None = None) -> None:
        self.client = access or Client(settings.anthropic)
        super().__init__(settings, self.client)
        self._contents = Contents()

    @property
    def model(self) -> str:
        """The option's."""
        return self.settings.anthropic.model

    @property
    def _looks(self) -> int:
        """Times that the writer may look further. Servers of one's own know no tools; in a batch each may take an
        hour."""
        if not self.settings.anthropic.tools or self.settings.anthropic.own_server:
            return 0
        if isinstance(self.client, Batches):
            return MOST_IN_BATCH
        return MOST_ROUNDS

    def check(self) -> Fault | None:
        """Whether requests can be sent at all; sends nothing."""
        return self.client.check()

    def notices(self) -> tuple[str, ...]:
        """That the model has no price."""
        return self.client.notices(self.model)

    def write(self, request: Request) -> Outcome:
        """One answer: with tools, it looks further up to `_looks` times before the last word."""
        if not request.sources and not self._looks:  # a model could only invent
            return Abstention("no passage of the site is relevant enough", (), self.id)
        fault = self.client.check()
        if fault is not None:
            return fault
        talk, spend = self.conversation(request), Spend()
        while True:
            reply = self.client.send(talk.body())
            spend += reply.spend
            if isinstance(reply, Fault):
                return replace(reply, spend=spend)
            if reply.calls and talk.last_round:
                tip = "run it again, or write `tools: false` under `anthropic`"
                return Fault(
                    "the model went on calling tools after the last round", tip, spend
                )
            if reply.calls:
                talk.look_further(reply)
                continue
            outcome = talk.outcome(reply)
            if not talk.gave_up_early(outcome):
                return self._signed(outcome, reply.model, spend)
            talk.urge(reply)

    def conversation(self, request: Request) -> Conversation:
        """The conversation for an answer, of which nothing is sent yet."""
        return Conversation(
            request,
            self.settings,
            self._contents,
            looks=self._looks,
            soon=not isinstance(self.client, Batches),
        )

    def _signed(self, outcome: Outcome, model: str, spend: Spend) -> Outcome:
        """The outcome of the last reply, with its writer and everything the conversation has cost."""
        if isinstance(outcome, Fault):
            return replace(outcome, spend=spend)
        signed = replace(outcome, provider=self.id, model=model, spend=spend)
        if isinstance(signed, Draft):
            return replace(signed, prompt_version=prompt.VERSION)
        return signed
