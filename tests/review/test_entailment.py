"""The reviewer `entailment`: what it reads, what it may decide, and what it does without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.local_models.calibration import Calibration, write_calibration
from mkdocs_cited.local_models.classifier import Classifier
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.model.answer import Claim, Evidence, Fault, Judgement, Verdict
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.review.entailment import Entailment, pair_of, pair_of_texts
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import Local, Settings
from tests.local_models import tiny
from tests.review.site import Site, passage

CLAIM = "a backup is kept for thirty days"
SAME, OTHER = passage(1, "a.md#kept", CLAIM), passage(2, "a.md#logs", "logs can be on")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny model in a home of its own."""
    monkeypatch.setenv("MKDOCS_CITED_MODELS", str(tmp_path / "models"))
    return tiny.classifier(tmp_path / "models" / "tiny")


def case(*passages: Passage, claim: str = CLAIM) -> Case:
    """The claim, citing these."""
    return Case(Claim(claim, (1,)), tuple(Evidence(item, item.text) for item in passages))


def judged(*cases: Case) -> tuple[Judgement, ...]:
    """What the reviewer says."""
    review = Entailment(Settings(local=Local(entailment="tiny"))).review(cases, Site(()))
    assert isinstance(review, Review)
    return review.judgements


def test_without_a_calibration_it_only_hints(folder: Path) -> None:
    """Whatever the score: `unchecked`, with the score as a hint that orders the sitting."""
    same, other = judged(case(SAME), case(OTHER))
    assert (same.verdict, other.verdict) == (Verdict.UNCHECKED, Verdict.UNCHECKED)
    assert same.score > other.score
    assert "tiny" in same.reason


def test_it_decides_what_its_calibration_lets_it(folder: Path) -> None:
    """At or above one cut it confirms, at or below the other it fails, and between them it hints."""
    write_calibration(folder, Calibration(0.9, 0.1, 50, 50, 0.9, 0.5, 0.5))
    half = passage(3, "a.md#kept", "a backup is for day")
    verdicts = [item.verdict for item in judged(case(SAME), case(half), case(OTHER))]
    assert verdicts == [Verdict.SUPPORTED, Verdict.UNCHECKED, Verdict.UNSUPPORTED]


def test_a_claim_that_cites_nothing_is_unsupported(folder: Path) -> None:
    """No model is asked about nothing."""
    assert judged(Case(Claim("Yes", ()), ()))[0].verdict is Verdict.UNSUPPORTED


def read(folder: Path, *passages: Passage, claim: str = CLAIM) -> str:
    """What the model is given beside the claim."""
    pair = pair_of(case(*passages, claim=claim), Classifier(read_layout(folder), "tiny"))
    assert pair
    return pair[0]


def test_the_nearest_place_is_read_and_not_all_that_is_cited(folder: Path) -> None:
    """The sentence that carries the claim, under its headings, wherever it stands; for the more a small model reads,
    the more of it seems to support anything."""
    long = passage(4, "a.md#kept", "Logs can be on. " * 30 + f"{CLAIM.capitalize()}. " + "Keys can be at it. " * 30)
    near = f"A › Kept\n{CLAIM.capitalize()}."
    assert read(folder, long) == near
    assert read(folder, passage(5, "a.md#kept", "Logs can be on."), long) == near


def test_a_claim_that_cites_two_sections_rests_on_both(folder: Path) -> None:
    """One place of each; what stands around a cited passage is read with it, and adds none."""
    around = Evidence(passage(6, "a.md#around", "Logs are kept."), "", shown=False)
    both = case(SAME, OTHER)
    pair = pair_of(replace(both, evidence=(*both.evidence, around)), Classifier(read_layout(folder), "tiny"))
    assert pair
    assert pair[0] == f"A › Kept\n{CLAIM}\nA › Logs\nlogs can be on"


def test_structure_is_kept(folder: Path) -> None:
    """A row is read with its header; headings and what leads in stand before a passage."""
    row = replace(
        passage(5, "a.md#limits", "Team 30", kind=PassageKind.ROW, header=("Plan", "Seats")), cells=("Team", "30")
    )
    assert read(folder, row, claim="The team plan has 30 seats") == "A › Limits\nPlan: Team; Seats: 30"


def test_of_long_code_the_lines_that_the_claim_speaks_of_are_read(folder: Path) -> None:
    """A model that reads little sees the flag, and not the first lines of the block."""
    lines = "\n".join(f"step-{number} --keep {number}" for number in range(60))
    code = passage(7, "a.md#run", lines, kind=PassageKind.CODE)
    given = read(folder, code, claim="`step-44` is run with `--keep 44`.")
    assert "step-44 --keep 44" in given
    assert len(given) < 200


def test_a_claim_that_leaves_no_room_waits(folder: Path) -> None:
    """A model that cannot read all of a claim says nothing of it."""
    write_calibration(folder, Calibration(0.0, None, 50, 50, 0.9, 0.5, 0.5))
    (judgement,) = judged(case(SAME, claim=f"{CLAIM} " * 5))
    assert judgement.verdict is Verdict.UNCHECKED
    assert "longer than tiny reads" in judgement.reason


@pytest.mark.parametrize("evidence", ["", " ", "Plan | Days\n--- | ---", "```\n```"])
def test_evidence_that_says_nothing(folder: Path, evidence: str) -> None:
    """A labelled row may hold anything: a table without rows, for one."""
    pair = pair_of_texts(CLAIM, [evidence], Classifier(read_layout(folder), "tiny"))
    assert pair is None or pair[1] == CLAIM


def test_what_is_known_loads_no_model(folder: Path) -> None:
    """A score that is kept is found without the network."""
    (before,) = judged(case(SAME))
    (folder / "tokenizer.json").write_text("damaged")
    assert judged(case(SAME)) == (before,)
    assert isinstance(Entailment(Settings(local=Local(entailment="tiny"))).review([case(OTHER)], Site(())), Fault)


def test_a_model_that_is_not_there_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a pass; and it says which command fetches it."""
    monkeypatch.setenv("MKDOCS_CITED_MODELS", str(tmp_path))
    fault = Entailment(Settings(local=Local(entailment="nli-xsmall"))).review([case(SAME)], Site(()))
    assert isinstance(fault, Fault)
    assert "models get nli-xsmall" in fault.tip
