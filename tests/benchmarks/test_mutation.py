"""The gate's own test: wrong claims are made as `mutants.yml` says, put to every rule and a judge, and counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.mutants import KINDS, MAKERS, Material, mutant, seeded, shuffled
from benchmarks.mutation import run
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.review.interface import Case
from tests.review.site import Site, site

GOLDEN = yaml.safe_load((Path(__file__).parent / "mutants.yml").read_text(encoding="utf-8"))
PAGES = site(
    [
        {
            "at": "retries.md#limits",
            "text": "The client retries 5 times by default. It waits for 30 seconds in between.",
        },
        {"at": "keys.md#expiry", "text": "If a key is older than 90 days, the server rejects it without a warning."},
        {"at": "keys.md#list", "text": "What is a key? The keys are kept in one file that only the server reads."},
        {"at": "log.md#log", "text": "A log of every request is written to the folder of the server."},
        {"at": "keys.md#code", "text": "The client prints a key.", "kind": "code"},
        {"at": "run.md#flags", "text": "Set the option --max-age so that all clients agree on the age of their keys."},
    ]
)


@pytest.mark.parametrize(("kind", "case"), [(kind, case) for kind, cases in GOLDEN.items() for case in cases])
def test_mutant(kind: str, case: dict[str, Any]) -> None:
    """A kind makes the wrong claim that the golden shows, or none."""
    material = Material(case["claim"], case.get("said", case["claim"]))
    assert mutant(kind, material, seeded(0, kind, case["claim"])) == case.get("wrong")


def test_every_kind_of_words_has_its_golden() -> None:
    """No kind is made that nobody has looked at."""
    assert GOLDEN.keys() == MAKERS.keys()
    assert set(KINDS) == {*MAKERS, "swapped citation"}


def naive(case: Case) -> Judgement:
    """Passes what stands in the passage letter by letter, fails what shares no word with it."""
    text = " ".join(item.passage.text for item in case.evidence)
    if case.claim.text in text:
        return Judgement(Verdict.SUPPORTED)
    shared = set(case.claim.text.split()) & set(text.split())
    return Judgement(Verdict.UNCHECKED if len(shared) > 3 else Verdict.UNSUPPORTED)


def blind(case: Case) -> Judgement:
    return Judgement(Verdict.SUPPORTED)


def test_sentences_of_the_pages_are_tried_() -> None:
    """Whole statements are taken, questions and code are not, and every one passes as it stands."""
    report = run(PAGES, naive, seed=1)
    tried = {trial.original for trial in report.right}
    assert "What is a key?" not in tried
    assert "The client prints a key." not in tried
    assert tried <= {sentence for passage in PAGES.passages for sentence in passage.sentence_texts()}
    assert (report.right_rate.claims, report.right_rate.passed) == (6, 6)


def test_a_gate_that_reads_letter_by_letter_catches_every_mutant() -> None:
    """Nothing that was changed passes it, so there are no survivors; what it cannot tell is counted apart."""
    report = run(PAGES, naive, seed=1)
    assert not report.survivors
    assert all(rate.caught == 1.0 for rate in report.rates if rate.claims)
    assert sum(rate.unconfirmed for rate in report.rates) > 0


def test_a_gate_that_passes_everything_is_shown_up() -> None:
    """Its survivors are listed with what they were made from."""
    report = run(PAGES, blind, seed=1)
    assert {trial.kind for trial in report.survivors} >= {"added clause"}
    assert all(trial.text != trial.original for trial in report.survivors if "citation" not in trial.kind)
    assert [rate.kind for rate in report.rates] == list(KINDS)


def test_a_report_is_repeatable_and_the_seed_decides() -> None:
    """The same seed gives the same report; another seed may choose other claims; a limit is kept."""
    assert run(PAGES, blind, seed=3) == run(PAGES, blind, seed=3)
    chosen = {run(PAGES, blind, seed=seed, limit=1).right[0].original for seed in range(12)}
    assert len(chosen) > 1
    assert run(PAGES, blind, limit=2).right_rate.claims == 2


def test_what_a_seed_draws_is_the_same_on_every_machine() -> None:
    """The draws are pinned."""
    assert [seeded(7, "a", "b").randrange(100), seeded(7, "a").randrange(100)] == [20, 0]
    assert shuffled("abcdef", seeded(7, "order")) == list("ebdcfa")


def test_nothing_to_measure() -> None:
    """An empty site and no answers are no error."""
    report = run(Site(()), blind)
    assert (report.wrong, report.right) == ((), ())
    assert all(rate.caught == 0 for rate in report.rates)


@given(st.text(max_size=200))
def test_any_text_can_be_mutated(text: str) -> None:
    """Makers never raise, and what they make is another text."""
    for kind in MAKERS:
        assert mutant(kind, Material(text, text), seeded(0, kind)) != text
