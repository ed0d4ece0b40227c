"""Who outranks whom: a person, then a model, then words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import (
    Change,
    Claim,
    Evidence,
    Excerpt,
    Judgement,
    Known,
    Recalled,
    ReviewedClaim,
    Verdict,
)
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.review.decisions import decided
from mkdocs_cited.review.ensemble import Ensemble
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.review.lexical import Lexical
from tests.review.site import Site, passage

CASE = Case(Claim("a claim", (1,)), (Evidence(passage(1, "a.md#b", "a passage"), "a passage"),))
RIGHT, WRONG, UNTOLD = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNCHECKED


class Says(Lexical):
    """Gives one verdict, whatever it reads."""

    id: ClassVar[str] = "words"

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(Settings())
        self.verdict = verdict
        self.cases: list[Case] = []

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review:
        self.cases += cases
        proof = "altered-number" if self.verdict is WRONG and self.id == "words" else ""
        said = Judgement(self.verdict, f"{self.id} says {self.verdict}", self.key, proof=proof)
        return Review((said,) * len(cases))


class Model(Says):
    """As one behind an API."""

    id: ClassVar[str] = "model"


def recalled(judgement: Judgement, change: Change | None = None) -> Recalled:
    """What somebody has decided."""
    return Recalled(judgement, decided(CASE.claim, CASE.evidence, judgement), change)


def opinion(
    words: Verdict, model: Verdict | None, person: Verdict | None, change: Change | None = None
) -> ReviewedClaim:
    known = Known()
    if person:
        known = Known(person=recalled(Judgement(person, reviewer="person:Ann"), change))
    reader = Model(model) if model else None
    opinions = Ensemble(Says(words), reader, may_call=True).judge((CASE,), (known,), Site(()))
    return opinions.claims[0]


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
    assert opinion(words, model, person).judgement.verdict is outcome


CHANGED = Change(was=Excerpt(at="a.md#b", text="It is 48."), now="It is 24.", values=(("48", "24"),))


@pytest.mark.parametrize(
    ("words", "change", "person", "outcome", "proof"),
    [
        (UNTOLD, CHANGED, RIGHT, WRONG, "outdated-claim"),
        (UNTOLD, replace(CHANGED, values=()), RIGHT, UNTOLD, "changed-evidence"),
        (RIGHT, replace(CHANGED, values=()), RIGHT, RIGHT, ""),
        (RIGHT, CHANGED, WRONG, UNTOLD, "changed-evidence"),
        (UNTOLD, CHANGED, WRONG, UNTOLD, "changed-evidence"),
    ],
)
def test_what_a_decision_rested_on_has_changed(
    words: Verdict, change: Change, person: Verdict, outcome: Verdict, proof: str
) -> None:
    """A value that has gone is an error with the old and the new one; any other change waits; what is word for word
    today passes; and a refusal never lapses into a pass."""
    change = replace(change, verdict=person)
    said = opinion(words, None, person, change)
    assert (said.judgement.verdict, said.judgement.proof) == (outcome, proof)
    if proof == "outdated-claim":
        assert said.judgement.reason == "it was “48”, it is “24”"


def test_what_words_prove_wrong_is_a_doubt_for_the_model() -> None:
    """The model is told what words see, and only where they prove something."""
    model = Model(RIGHT)
    for words in (WRONG, UNTOLD):
        Ensemble(Says(words), model, may_call=True).judge((CASE,), (Known(),), Site(()))
    assert [case.doubts for case in model.cases] == [("words says contradicted",), ()]


def test_the_record_keeps_what_the_model_and_the_person_said() -> None:
    """Each for itself, so that a person's word can be taken back."""
    known = Known(recalled(Judgement(WRONG, reviewer="person:Ann")), recalled(Judgement(RIGHT, reviewer="model")))
    (kept,) = Ensemble(Says(WRONG), Model(UNTOLD)).judge((CASE,), (known,), Site(())).claims
    assert [(item.reviewer, item.verdict) for item in kept.said] == [("model", RIGHT), ("", WRONG)]


@pytest.mark.parametrize("may_call", [False, True])
def test_a_claim_that_a_person_decided_on_waits_for_no_model(may_call: bool) -> None:
    """A build has what it needs, with a key and without; what nobody read is not stored as read."""
    person, model = recalled(Judgement(RIGHT, reviewer="person:Ann")), Model(WRONG)
    judge = Ensemble(Says(UNTOLD), model, may_call=may_call).judge
    decided = judge((CASE,), (Known(person=person),), Site(()))
    assert (decided.unread, decided.claims[0].said, model.cases) == (False, (person.decision,), [])
    assert judge((CASE,), (Known(),), Site(())).unread is not may_call
