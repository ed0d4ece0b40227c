"""The reviewer that asks Claude: claims with their passages, as data, in a call of its own with a form to fill in.

Only what it says of every claim it was sent counts, and a `supported` counts only with a quote that is in the
passage. How requests travel is `anthropic_client`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.model.answer import Fault
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import request
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.request import ReviewRequest

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import Body, TextBlockParam

MOST_CASES = 40
"""Claims that are judged in one call."""


class Anthropic(Reviewer):
    """Claude reads every claim once."""

    id = "anthropic"
    version = request.VERSION
    calls_model = True

    def __init__(self, settings: Settings, access: Client | None = None) -> None:
        self._client = access or Client(settings.anthropic)
        super().__init__(settings, self._client)

    @property
    def key(self) -> str:
        """Prompt and model: a change of either may change a verdict."""
        return self._key(self.settings.anthropic.review_model)

    def _key(self, model: str) -> str:
        """The key of the model that answered: a server may let another one do it than was asked."""
        asked = self.settings.anthropic.review_model
        if model.startswith(asked):  # or a dated snapshot of it
            model = asked
        return f"{self.id}-{self.version}-{model}"

    def notices(self) -> tuple[str, ...]:
        """That the model is about to be withdrawn, or has no price."""
        return self._client.notices(self.settings.anthropic.review_model)

    def check(self) -> Fault | None:
        """Whether requests can be sent at all; sends nothing."""
        return self._client.check()

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge the claims of one answer, `MOST_CASES` at a time."""
        whole = Review(())
        for at in range(0, len(cases), MOST_CASES):
            sheet = ReviewRequest.of(cases[at : at + MOST_CASES], corpus)
            reply = self._client.send(self.body(sheet))
            spend = whole.spend + reply.spend
            if isinstance(reply, Fault):
                return replace(reply, spend=spend)
            part = sheet.read(reply.text)
            if isinstance(part, Fault):
                return replace(part, spend=spend)
            conflicts = dict.fromkeys((*whole.conflicts, *part.conflicts))
            by = self._key(reply.model)
            judgements = list(whole.judgements)
            for judgement in part.judgements:
                judgements.append(replace(judgement, reviewer=by))
            check = whole.check  # each has read the whole answer
            if check is None and part.check:
                check = replace(part.check, reviewer=by)
            whole = Review(tuple(judgements), spend, tuple(conflicts), check=check)
        return whole

    def body(self, sheet: ReviewRequest) -> Body:
        """The request for one sheet of claims, as the API takes it."""
        options = self.settings.anthropic
        system: TextBlockParam = {
            "type": "text",
            "text": request.SYSTEM,
            "cache_control": {"type": "ephemeral"},
        }
        return {
            "model": options.review_model,
            "max_tokens": options.max_tokens,
            "system": [system],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": sheet.text()}]}
            ],
            "output_config": {
                "effort": options.effort,
                "format": {"type": "json_schema", "schema": request.FORM},
            },
        }
