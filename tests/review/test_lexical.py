"""The lexical reviewer: goldens that read as documentation, and what must hold for any text."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mkdocs_cited.model.answer import Claim, Evidence
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical.alignment import align
from mkdocs_cited.review.lexical.disagreements import BLOCKING, HARD, KINDS, disagreements
from mkdocs_cited.review.lexical.features import DIRECTIONS, features
from mkdocs_cited.review.lexical.reading import read
from mkdocs_cited.review.lexical.reviewer import Lexical, in_passage_words, judge
from mkdocs_cited.review.lexical.weights import registers, shipped
from mkdocs_cited.settings import Cuts, Settings, parse
from tests.review.site import site

GOLDENS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("lexical.yml").read_text(encoding="utf-8"))
SENTENCES = [
    "The token is valid for 24 hours.",
    "Storage nodes do not create traces of their own.",
    "Use --overwrite newer to replace objects that are older than the backup.",
    "If a pod is not ready within 15 minutes, the operator pauses the upgrade.",
    "Objects smaller than 128 KiB are never moved to archive, even if a rule matches them.",
    "Upgrade the target before the source.",
    "Only owners can remove a lock.",
    "Der Wartungsmodus endet spätestens nach 4 Stunden.",
]
WORDS = st.sampled_from([word.strip(".,") for sentence in SENTENCES for word in sentence.split()])
OTHER_WORDS = st.sampled_from("delete owner permit forbidden created begins prior later item every newest hour".split())
ANY_TEXT = st.text(max_size=400)
HOSTILE = ["a" * 20_000, "1," * 10_000, "-" * 20_000, "“" * 10_000, "a.b" * 8_000, "no not " * 3_000, "(((" * 5_000]


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: str(case["name"]))
def test_goldens(case: dict[str, Any]) -> None:
    """The verdict is the one written down; the reason mentions what a person would look for, and nothing false."""
    reading = judge(case["claim"], [case["passage"]])
    if "verdict" in case:
        assert reading.verdict == case["verdict"], (reading.score, reading.reason)
    if "not" in case:
        assert reading.verdict != case["not"], (reading.score, reading.reason)
    messages = " / ".join([reading.reason, *(piece.message for piece in reading.disagreements)])
    assert case.get("says", "") in messages
    assert not {piece.kind for piece in reading.disagreements} & set(case.get("silent", ())), messages


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.data())
def test_a_sentence_of_the_passage_passes(sentences: list[str], data: st.DataObject) -> None:
    """Whatever stands around it, a verbatim sentence is supported with a high score."""
    reading = judge(data.draw(st.sampled_from(sentences)), [" ".join(sentences)])
    assert reading.verdict == "supported"
    assert reading.score >= 0.9


@settings(max_examples=200)
@given(st.sampled_from(SENTENCES), st.lists(WORDS, min_size=1, max_size=12))
def test_support_never_falls_when_a_claim_comes_closer(passage: str, words: list[str]) -> None:
    """No claim made of anything scores above the passage's own words."""
    assert judge(" ".join(words), [passage]).score <= judge(passage, [passage]).score


@settings(max_examples=200)
@given(st.sampled_from(SENTENCES), st.lists(st.one_of(WORDS, OTHER_WORDS), min_size=1, max_size=10))
def test_the_passage_s_own_words_never_score_less(passage: str, words: list[str]) -> None:
    """A claim whose synonyms and inflections give way to the words they were aligned with is supported no less."""
    claim = " ".join(words)
    nearer = in_passage_words(align(read(claim, "en"), read(passage, "en")))
    if in_passage_words(align(read(nearer, "en"), read(passage, "en"))) == nearer:
        assert judge(nearer, [passage], language="en").score >= judge(claim, [passage], language="en").score


def test_each_feature_only_works_in_its_direction() -> None:
    """More of a feature never works against its direction: the tables of all that have one are monotone."""
    for tables in shipped().tables.values():
        for name, points in tables.items():
            steps = [right[1] - left[1] for left, right in pairwise(points)]
            assert all(step * DIRECTIONS[name] >= 0 for step in steps), name


def test_features_without_direction_are_of_the_passage_alone() -> None:
    """What the model may weigh either way is the same for every claim, so that no claim gains by it."""
    passage = read("Upgrade the target before the source. Port 8443 must be open in the firewall of Example Cloud.")
    free = {name for name, direction in DIRECTIONS.items() if not direction}
    for claim in ("Port 8443 is open.", "The source comes second, and Zebra Cloud has 17 of them in its firewall"):
        alignment = align(read(claim), passage)
        found = features(alignment, disagreements(alignment))
        assert {name: found[name] for name in free} == {
            "length": pytest.approx(4.17, abs=0.01),
            "names-in-passage": pytest.approx(2 / 17),
            "figures-in-passage": pytest.approx(1 / 17),
            "technical": pytest.approx(0.63, abs=0.1),
        }


@given(st.floats(0, 14), st.floats(0, 1.5))
def test_registers_share_a_passage(length: float, technical: float) -> None:
    """Each register has a part from nothing to all, and together they have all of it."""
    parts = registers({"length": length, "technical": technical})
    assert set(parts) == set(shipped().tables)
    assert all(-1e-9 <= part <= 1 + 1e-9 for part in parts.values())
    assert sum(parts.values()) == pytest.approx(1)


def test_every_kind_of_disagreement_is_known() -> None:
    """Kinds that decide verdicts are kinds that the questions yield, and the model may weigh all of them."""
    assert set(KINDS) >= BLOCKING >= HARD
    assert set(KINDS) <= set(DIRECTIONS)


@given(st.sampled_from(SENTENCES), st.lists(WORDS, max_size=12))
def test_pieces_are_of_known_kinds(passage: str, words: list[str]) -> None:
    """Every piece has a kind, a weight that is no credit, and ranges within its texts."""
    claim = " ".join(words)
    alignment = align(read(claim), read(passage))
    found = disagreements(alignment)
    for piece in found:
        assert piece.kind in KINDS
        assert piece.weight >= 0
        assert 0 <= piece.claim[0] <= piece.claim[1] <= len(claim)
        assert piece.passage is None or 0 <= piece.passage[0] < piece.passage[1] <= len(passage)
    assert set(features(alignment, found)) == set(DIRECTIONS)


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), st.lists(ANY_TEXT, max_size=2))
def test_any_text_is_judged(claim: str, passages: list[str], contexts: list[str]) -> None:
    """No text raises; scores stay within 0…1 and ranges within the claim."""
    reading = judge(claim, passages, contexts)
    assert 0 <= reading.score <= 1
    assert all(0 <= start < end <= len(claim) for start, end in reading.matched)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:4])
def test_no_text_is_slow(text: str) -> None:
    """Texts made to make regular expressions backtrack take no longer than their length asks for."""
    judge("warm up", ["the word lists"])
    start = time.perf_counter()
    judge(text[:2000], [text])
    assert time.perf_counter() - start < 5


def test_context_explains_and_states_nothing() -> None:
    """A word that only the heading has costs little; a figure that only the heading has is still missing."""
    passage = "It protects versions from deletion until the end date."
    claim = "A retention lock protects versions from deletion until the end date."
    assert judge(claim, [passage], ["Retention lock"]).score > judge(claim, [passage]).score
    assert judge("It protects versions for 30 days.", [passage], ["30 days"]).verdict != "supported"


def test_a_row_is_read_under_its_header() -> None:
    """What a cell says counts for its own column, and the quote is the row as the page shows it."""
    at_hand = site(
        [
            {
                "at": "plans.md#limits",
                "text": "Nodes; up to 8; up to 24",
                "kind": "row",
                "header": ["Limit", "Free", "Paid"],
            }
        ]
    )
    row = replace(at_hand.passages[0], cells=("Nodes", "up to 8", "up to 24"))
    verdicts = {}
    for text in ("The Paid plan allows up to 24 nodes.", "The Free plan allows up to 24 nodes."):
        case = Case(Claim(text, (1,)), (Evidence(row, row.text),))
        verdicts[text] = Lexical(Settings()).judge(case)
    whole = Case(Claim(row.text, (1,)), (Evidence(row, row.text),))
    assert Lexical(Settings()).judge(whole).verdict == "supported"
    right, wrong = verdicts.values()
    assert right.score > wrong.score
    assert wrong.verdict != "supported"
    assert right.evidence_quote in row.text


def test_the_cuts_are_the_reader_s_to_set() -> None:
    """A team may ask for more before a claim passes, or let the reviewer fail none."""
    passage = "The token is valid for 24 hours."
    rephrased, wrong = "For 24 hours, the token is valid.", "The token is valid for 12 hours."

    def verdict(claim: str, **cuts: float) -> str:
        model = shipped().cut(cuts.get("passes"), cuts.get("fails"))
        return judge(claim, [passage], model=model).verdict

    assert verdict(rephrased) == "supported"
    assert verdict(rephrased, passes=0.99) == "unchecked"
    assert verdict(passage, passes=0.9) == "supported"
    assert verdict(wrong) == "contradicted"
    assert verdict(wrong, fails=0.0) == "unchecked"
    strict = Lexical(parse({"lexical": {"passes": 0.99, "fails": 0}}))
    assert (strict.model.passes, strict.model.fails, strict.model.lacks) == (0.99, 0.0, 0.0)


def test_the_documented_cuts_are_those_of_the_model() -> None:
    """The options say what holds unless they are set."""
    words = {option.name: option.metadata["doc"] for option in fields(Cuts)}
    assert f"{shipped().passes:g} unless set" in words["passes"]
    assert f"{shipped().fails:g} unless set" in words["fails"]


def test_a_verdict_does_not_hang_on_the_process() -> None:
    """Related words come in one order, whatever seed Python hashes texts with: partners of equal merit are a tie."""
    script = "from mkdocs_cited.language.lexicon import relatives; print(list(relatives('lower', 'lower')))"
    orders = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(orders) == 1
