"""The reviewer that asks Claude: claims beside their passages, as data, in a call of its own with a form to fill in.

Only what it says of every claim it was sent counts, and a `supported` counts only with a quote that stands in the
passage. How requests travel is `anthropic_client`'s business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mkdocs_cited.anthropic_client import Access, Client, Reply
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import AnswerCheck, Fault, Judgement, Spend, Verdict
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review import request
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.request import ReviewRequest
from mkdocs_cited.settings import Settings

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.wire import Body, TextBlockParam

MOST_CASES = 40
"""Claims that are judged in one call."""
_SCORES = {
    Verdict.SUPPORTED: 1.0,
    Verdict.PARTIAL: 0.5,
    Verdict.UNCHECKED: 0.5,
    Verdict.UNSUPPORTED: 0.0,
    Verdict.CONTRADICTED: 0.0,
}


class Anthropic(Reviewer):
    """Claude reads, once or several times (`anthropic.votes`)."""

    id = "anthropic"
    version = request.VERSION
    calls_model = True

    def __init__(self, settings: Settings, access: Access | None = None) -> None:
        self._models = access or Access.alone(settings.anthropic)
        super().__init__(settings, self._models)

    @property
    def key(self) -> str:
        """Prompt, model and votes: a change of any may change a verdict."""
        options = self.settings.anthropic
        return f"{self.id}-{self.version}-{options.review_model}-{self._needed}/{options.votes}"

    @property
    def _needed(self) -> int:
        """Verdicts that must agree: more than half."""
        return self.settings.anthropic.votes // 2 + 1

    @property
    def client(self) -> Client:
        """The connection of the run."""
        return self._models.client

    def notices(self) -> tuple[str, ...]:
        """That the model is about to be withdrawn, or has no price."""
        return self.client.notices(self.settings.anthropic.review_model)

    def check(self) -> Fault | None:
        """Whether requests can be sent at all; sends nothing."""
        return self.client.check()

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge the claims of one answer, `MOST_CASES` at a time."""
        whole = Review(())
        for part_ in _requests(cases, corpus):
            part = self._judged(part_)
            if isinstance(part, Fault):
                return replace(part, spend=whole.spend + part.spend)
            whole = _joined(whole, part)
        return whole

    def body(self, page: ReviewRequest) -> Body:
        """The request for one sheet of claims."""
        options = self.settings.anthropic
        system: TextBlockParam = {"type": "text", "text": request.SYSTEM, "cache_control": {"type": "ephemeral"}}
        body: Body = {
            "model": options.review_model,
            "max_tokens": options.max_tokens,
            "system": [system],
            "messages": [{"role": "user", "content": [{"type": "text", "text": page.text()}]}],
            "output_config": {"effort": options.effort, "format": {"type": "json_schema", "schema": request.FORM}},
        }
        if options.votes > 1:  # the same question is asked again at once
            body["cache_control"] = {"type": "ephemeral"}
        return body

    def _judged(self, page: ReviewRequest) -> Review | Fault:
        """The votes on one request; as soon as every claim has enough of them, no more are cast."""
        cast: list[Review] = []
        spend = Spend()
        for _ in range(self.settings.anthropic.votes):
            vote = self._read(page, self.client.send(self.body(page)))
            spend += vote.spend
            if isinstance(vote, Fault):
                return replace(vote, spend=spend)
            cast.append(vote)
            if all(_leading(_votes_on(cast, claim))[1] >= self._needed for claim in range(len(page.cases))):
                break
        judgements = tuple(self._decided(_votes_on(cast, claim)) for claim in range(len(page.cases)))
        conflicts = tuple(dict.fromkeys(conflict for vote in cast for conflict in vote.conflicts))
        return Review(judgements, spend, conflicts, self._of_answer([vote.check for vote in cast if vote.check]))

    def _of_answer(self, checks: Sequence[AnswerCheck]) -> AnswerCheck | None:
        """The word that most votes give on the whole answer; of as many, the one that sees less of it answered."""
        if not checks:
            return None
        counted = Counter(check.fit for check in checks)
        fit = min(counted, key=lambda fit: (-counted[fit], request.SCORES[fit]))
        return replace(next(check for check in checks if check.fit is fit), reviewer=self.key)

    def _decided(self, votes: Sequence[Judgement]) -> Judgement:
        """The judgement that enough votes agree on; without one nobody can tell."""
        verdict, count = _leading(votes)
        if count >= self._needed:
            return next(vote for vote in votes if vote.verdict is verdict)
        said = ", ".join(f"{sum(vote.verdict is kind for vote in votes)} {kind}" for kind in _kinds(votes))
        return replace(
            votes[0],
            verdict=Verdict.UNCHECKED,
            score=_SCORES[Verdict.UNCHECKED],
            reason=f"the votes differ ({said})",
        )

    def _read(self, page: ReviewRequest, reply: Reply | Fault) -> Review | Fault:
        """One filled-in request."""
        if isinstance(reply, Fault):
            return reply
        review = page.read(reply.text)
        if isinstance(review, Fault):
            return replace(review, spend=reply.spend)
        judgements = tuple(replace(item, score=_SCORES[item.verdict], reviewer=self.key) for item in review.judgements)
        return replace(review, judgements=judgements, spend=reply.spend)


def _requests(cases: Sequence[Case], corpus: Corpus | None = None) -> list[ReviewRequest]:
    return [ReviewRequest.of(cases[at : at + MOST_CASES], corpus) for at in range(0, len(cases), MOST_CASES)]


def _joined(first: Review, second: Review) -> Review:
    conflicts = tuple(dict.fromkeys((*first.conflicts, *second.conflicts)))
    check = first.check or second.check  # every request holds the whole answer
    return Review(first.judgements + second.judgements, first.spend + second.spend, conflicts, check)


def _votes_on(cast: Sequence[Review], claim: int) -> list[Judgement]:
    return [vote.judgements[claim] for vote in cast]


def _leading(votes: Sequence[Judgement]) -> tuple[Verdict, int]:
    """The verdict with most votes, and how many."""
    counted = [(kind, sum(vote.verdict is kind for vote in votes)) for kind in _kinds(votes)]
    return max(counted, key=lambda item: item[1])


def _kinds(votes: Sequence[Judgement]) -> list[Verdict]:
    return list(dict.fromkeys(vote.verdict for vote in votes))
