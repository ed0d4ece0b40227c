"""The offline reader and a small local model: what each may say where the other cannot tell."""

from __future__ import annotations

from typing import ClassVar

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review.ensemble import Ensemble
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.settings import Settings
from tests.review.site import Site, passage

CASE = Case(Claim("a claim", (1,)), (Evidence(passage(1, "a.md#b", "a passage"), "a passage"),))


class Says(Reviewer):
    """Gives one verdict, whatever it reads."""

    id: ClassVar[str] = "words"
    verdict = Verdict.UNCHECKED

    def review(self, cases: object, corpus: Corpus) -> Review:
        return Review((Judgement(self.verdict, 0.2, f"{self.id} says {self.verdict}", self.key),))


class Small(Says):
    """As `entailment`: it outranks no words."""

    id: ClassVar[str] = "small"
    outranks_words: ClassVar[bool] = False


def together(words: Verdict, small: Verdict) -> Judgement:
    offline, model = Says(Settings()), Small(Settings())
    offline.verdict, model.verdict = words, small
    (judgement,) = Ensemble(offline, model, may_call=True).judge((CASE,), lambda *_: None, Site(())).judgements
    return replace(judgement)


S, U, C, X = Verdict.UNCHECKED, Verdict.UNSUPPORTED, Verdict.CONTRADICTED, Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("words", "small", "outcome"),
    [(X, S, X), (S, X, X), (S, U, U), (S, S, S), (C, X, C), (U, X, U), (C, S, C), (X, U, S), (X, X, X)],
)
def test_what_one_cannot_tell_the_other_may(words: Verdict, small: Verdict, outcome: Verdict) -> None:
    """A hint takes nothing back, a proof of a fault is not outvoted, and a fault that only the model sees waits."""
    assert together(words, small).verdict is outcome


def test_where_nobody_can_tell_both_are_named_and_the_models_score_orders() -> None:
    """The hint stands beside the doubt."""
    judgement = together(S, S)
    assert "words says" in judgement.reason
    assert "small says" in judgement.reason
    assert judgement.score == 0.2
