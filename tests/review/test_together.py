"""Who outranks whom: a person, then a model, then words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from mkdocs_cited.model.answer import PERSON, Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review.ensemble import Ensemble, Opinion
from mkdocs_cited.review.interface import Case, Review, Reviewer
from tests.review.site import Site, passage

CASE = Case(Claim("a claim", (1,)), (Evidence(passage(1, "a.md#b", "a passage"), "a passage"),))
RIGHT, WRONG, UNTOLD = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNCHECKED


class Says(Reviewer):
    """Gives one verdict, whatever it reads."""

    id: ClassVar[str] = "words"

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(Settings())
        self.verdict = verdict
        self.cases: list[Case] = []

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review:
        self.cases += cases
        proof = "altered-number" if self.verdict is WRONG and self.id == "words" else ""
        return Review((Judgement(self.verdict, 0.2, f"{self.id} says {self.verdict}", self.key, proof=proof),))


class Model(Says):
    """As one behind an API."""

    id: ClassVar[str] = "model"


def opinion(words: Verdict, model: Verdict | None, person: Verdict | None) -> Opinion:
    def recall(_: Case, reviewer: str) -> Judgement | None:
        return Judgement(person, reviewer="person:Ann") if person and reviewer == PERSON else None

    reader = Model(model) if model else None
    return Ensemble(Says(words), reader, may_call=True).judge((CASE,), recall, Site(()))


@pytest.mark.parametrize(
    ("words", "model", "person", "outcome"),
    [
        (WRONG, None, None, WRONG),
        (WRONG, RIGHT, None, RIGHT),
        (RIGHT, WRONG, None, WRONG),
        (UNTOLD, RIGHT, None, RIGHT),
        (WRONG, None, RIGHT, RIGHT),
        (RIGHT, RIGHT, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED),
        (WRONG, WRONG, RIGHT, RIGHT),
    ],
)
def test_a_person_outranks_a_model_and_a_model_outranks_words(
    words: Verdict, model: Verdict | None, person: Verdict | None, outcome: Verdict
) -> None:
    """The first of them that has read the claim decides."""
    (judgement,) = opinion(words, model, person).judgements
    assert judgement.verdict is outcome


def test_what_words_prove_wrong_is_a_doubt_for_the_model() -> None:
    """The model is told what words see, and only where they prove something."""
    model = Model(RIGHT)
    for words in (WRONG, UNTOLD):
        Ensemble(Says(words), model, may_call=True).judge((CASE,), lambda *_: None, Site(()))
    assert [case.doubts for case in model.cases] == [("words says contradicted",), ()]


def test_the_record_keeps_what_the_model_and_the_person_said() -> None:
    """Each for itself, so that a person's word can be taken back."""
    person = Judgement(WRONG, reviewer="person:Ann")
    judge = Ensemble(Says(WRONG), Model(UNTOLD)).judge
    (kept,) = judge(
        (CASE,), lambda _, who: person if who == PERSON else Judgement(RIGHT, reviewer=who), Site(())
    ).stored
    assert [(item.reviewer, item.verdict) for item in kept] == [("model-1", RIGHT), ("person:Ann", WRONG)]


@pytest.mark.parametrize("may_call", [False, True])
def test_a_claim_that_a_person_decided_on_waits_for_no_model(may_call: bool) -> None:
    """A build has what it needs, with a key and without; what nobody read is not stored as read."""
    person, model = Judgement(RIGHT, reviewer="person:Ann"), Model(WRONG)
    judge = Ensemble(Says(UNTOLD), model, may_call=may_call).judge
    decided = judge((CASE,), lambda _, who: person if who == PERSON else None, Site(()))
    assert (decided.unread, decided.stored, model.cases) == (0, ((person,),), [])
    assert judge((CASE,), lambda *_: None, Site(())).unread == (0 if may_call else 1)
