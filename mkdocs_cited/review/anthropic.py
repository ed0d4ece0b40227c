"""The reviewer that asks Claude: claims with their passages, as data, in a call of its own with a form to fill in.

Only what it says of every claim it was sent counts, and a `supported` counts only with a quote that is in the
passage. How requests travel is `anthropic_client`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_cited.anthropic_client import Client
from mkdocs_cited.model.answer import Fault, Judgement
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import request
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.request import ReviewRequest
from mkdocs_cited.search.select import section_key

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
        """That the model has no price."""
        return self._client.notices(self.settings.anthropic.review_model)

    def check(self) -> Fault | None:
        """Whether requests can be sent at all; sends nothing."""
        return self._client.check()

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge the claims of one answer: in one request, or in several where its sections would not fit into one."""
        whole = Review(())
        judged: dict[int, Judgement] = {}
        for numbers in self._parts(cases, corpus):
            sheet = ReviewRequest.of([cases[number] for number in numbers], corpus)
            reply = self._client.send(self.body(sheet))
            spend = whole.spend + reply.spend
            if isinstance(reply, Fault):
                return replace(reply, spend=spend)
            part = sheet.read(reply.text)
            if isinstance(part, Fault):
                return replace(part, spend=spend)
            conflicts = dict.fromkeys((*whole.conflicts, *part.conflicts))
            by = self._key(reply.model)
            for number, judgement in zip(numbers, part.judgements, strict=True):
                judged[number] = replace(judgement, reviewer=by)
            check = whole.check  # each has read the whole answer
            if check is None and part.check:
                check = replace(part.check, reviewer=by)
            whole = Review((), spend, tuple(conflicts), check=check)
        judgements = [judged[number] for number in sorted(judged)]
        return replace(whole, judgements=tuple(judgements))

    def _parts(self, cases: Sequence[Case], corpus: Corpus) -> list[list[int]]:
        """The numbers of the claims that go into each request: those of one section stay together, and a request holds
        as many characters of sections as a writer is sent, and `MOST_CASES` claims."""
        by_section: dict[str, list[int]] = {}
        for number, case in enumerate(cases):
            key = section_key(case.evidence[0].passage.section)
            by_section.setdefault(key, []).append(number)
        parts: list[list[int]] = []
        left = 0
        for numbers in by_section.values():
            sheet = ReviewRequest.of([cases[n] for n in numbers], corpus)
            size = sum(map(len, sheet.texts.values()))
            if not parts or size > left:
                parts.append([])
                left = self.settings.context_budget
            left -= size
            for number in numbers:
                if len(parts[-1]) == MOST_CASES:
                    parts.append([])
                    left = self.settings.context_budget - size
                parts[-1].append(number)
        return [sorted(part) for part in parts]

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
