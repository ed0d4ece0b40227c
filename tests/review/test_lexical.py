"""The lexical reviewer: goldens that read as documentation, and what must hold for any text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reasons import untrue
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Claim, Evidence
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical.reviewer import Lexical, judge
from mkdocs_cited.settings import Settings
from tests.docs.roots import ROOT
from tests.review.site import site

GOLDENS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("lexical.yml").read_text(encoding="utf-8"))
OPEN_SET = [
    json.loads(line)
    for line in (ROOT / "benchmarks" / "claims-set" / "claims.jsonl").read_text(encoding="utf-8").splitlines()
]
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
ANY_TEXT = st.text(max_size=400)
HOSTILE = ["a" * 20_000, "1," * 10_000, "-" * 20_000, "“" * 10_000, "a.b" * 8_000, "no not " * 3_000, "(((" * 5_000]


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: str(case["name"]))
def test_goldens(case: dict[str, Any]) -> None:
    """The verdict is the one written down, and the reason mentions what a person would look for."""
    result = judge(case["claim"], [case["passage"]], question=case.get("question", ""))
    assert result.verdict == case["verdict"], result.reason
    assert case.get("says", "") in result.reason


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.data())
def test_a_sentence_of_the_passage_passes(sentences: list[str], data: st.DataObject) -> None:
    """Whatever stands around it, a verbatim sentence is supported."""
    assert judge(data.draw(st.sampled_from(sentences)), [" ".join(sentences)]).verdict == "supported"


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), st.lists(ANY_TEXT, max_size=2))
def test_any_text_is_judged(claim: str, passages: list[str], contexts: list[str]) -> None:
    """No text raises; scores stay within 0…1 and ranges within the claim."""
    result = judge(claim, passages, contexts)
    assert 0 <= result.score <= 1
    assert all(0 <= start < end <= len(claim) for start, end in (*result.matched, *result.missing))


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:4])
def test_a_long_text_is_judged(text: str) -> None:
    """Texts made to make regular expressions backtrack get a verdict that is no false pass."""
    assert judge("The token is valid for 12 hours.", [text]).verdict == "unchecked"


@pytest.mark.parametrize("row", OPEN_SET, ids=lambda row: str(row["id"]))
def test_every_reason_is_true(row: dict[str, str]) -> None:
    """What a reason says of claim and passage can be read there: words that it quotes stand, or do not, as it says."""
    result = judge(row["claim"], [row["evidence"]])
    assert untrue(result, row["claim"], row["evidence"]) == ""


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: str(case["name"]))
def test_every_reason_of_a_golden_is_true(case: dict[str, str]) -> None:
    """The same of the sets that tests are made of."""
    result = judge(case["claim"], [case["passage"]], question=case.get("question", ""))
    assert untrue(result, case["claim"], case["passage"]) == ""


def test_context_explains_and_states_nothing() -> None:
    """A word that only the heading has may be a pronoun's name; a figure that only the heading has is missing."""
    passage = "It protects versions from deletion until the end date."
    claim = "A retention lock protects versions from deletion until the end date."
    assert judge(claim, [passage], ["Retention lock"]).verdict == "supported"
    assert judge(claim, [passage]).verdict == "unchecked"
    assert judge("It protects versions for 30 days.", [passage], ["30 days"]).verdict == "unchecked"


def test_a_figure_that_only_a_heading_has_is_not_what_the_passage_says() -> None:
    """It does not keep the figure of the passage from proving a claim wrong that otherwise repeats it."""
    heading = ["Timeout of 30 seconds"]
    assert judge("The timeout is 30 seconds.", ["The timeout is 60 seconds."], heading).verdict == "contradicted"
    free = judge("A client gives up after 30 seconds.", ["No reply is waited for after 60 seconds."], heading)
    assert (free.verdict, free.reason) == ("unchecked", "only what stands above the cited passages has “30 seconds”")


def row_of_table(*cells: str) -> Evidence:
    """A row of a table of plans."""
    at_hand = site([{"at": "p.md#limits", "text": " ".join(cells), "kind": "row", "header": ["Limit", "Free", "Paid"]}])
    row = replace(at_hand.passages[0], cells=cells, block=1)
    return Evidence(row, row.text)


def test_a_row_is_read_under_its_header() -> None:
    """A value is right under its own column, and proven wrong under another's; so is another row's."""
    evidence = (row_of_table("Nodes", "up to 8", "up to 24"), row_of_table("Users", "5", "50"))

    def verdict(text: str) -> str:
        return Lexical(Settings()).judge(Case(Claim(text, (1,)), evidence)).verdict

    assert verdict("The Free plan has up to 24 nodes.") == "contradicted"
    assert verdict("The Paid plan has up to 24 nodes.") != "contradicted"
    assert verdict("The Free plan has up to 8 nodes.") != "contradicted"
    assert verdict("The Free plan has 50 nodes.") == "contradicted"
    assert verdict(evidence[0].passage.text) == "supported"


def test_a_bare_number_has_the_unit_of_its_column() -> None:
    """What decided is told in the words of the passage, which has no unit."""
    at_hand = site(
        [{"at": "p.md#limits", "text": "idle time 60000", "kind": "row", "header": ["Option", "Value in ms"]}]
    )
    row = replace(at_hand.passages[0], cells=("idle time", "60000"), block=1)
    case = Case(Claim("The idle time is one minute.", (1,)), (Evidence(row, row.text),))
    said = Lexical(Settings()).judge(case)
    assert (said.verdict, said.evidence_quote) == ("supported", "idle time 60000")
    said = Lexical(Settings()).judge(replace(case, claim=Claim("The idle time is 90 seconds.", (1,))))
    assert (said.verdict, said.evidence_quote) == ("contradicted", "idle time 60000")


def test_a_claim_may_rest_on_any_passage_of_its_section() -> None:
    """Nothing is proven wrong by one passage that another one of the same section says."""
    passages = site(
        [
            {"at": "a.md#keys", "text": "A new key is valid for 24 hours."},
            {"at": "a.md#keys", "text": "A renewed key is valid for 12 hours."},
        ]
    ).passages
    case = Case(Claim("A renewed key is valid for 12 hours.", (1,)), tuple(Evidence(p, p.text) for p in passages))
    assert Lexical(Settings()).judge(case).verdict == "supported"
    alone = replace(case, evidence=case.evidence[:1])
    assert Lexical(Settings()).judge(alone).verdict == "contradicted"


def test_a_language_without_words_is_read_by_its_figures() -> None:
    """Where no words are known, figures are still compared, and the reason says what was not."""
    passage = "Le jeton est valable pendant 24 heures au plus."
    assert judge("Le jeton est valable pendant 12 heures au plus.", [passage], language="fr").verdict == "contradicted"
    other = judge("Un jeton reste valable une journée.", [passage], language="fr")
    assert other.verdict == "unchecked"
    assert "knows no words of this language" in other.reason


def of_list(kind: str, lead: str, *texts: str) -> tuple[Evidence, ...]:
    """The items of one list."""
    at_hand = site([{"at": "p.md#list", "text": text, "kind": kind} for text in texts])
    items = (replace(each, lead=lead, block=1, position=at) for at, each in enumerate(at_hand.passages))
    return tuple(Evidence(item, item.text) for item in items)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The loader first reads the system file, then the user file.", "contradicted"),
        ("The loader reads the environment before the user file.", "contradicted"),
        ("After the system file, the loader reads the user file.", "contradicted"),
        ("The loader first reads the user file, then the system file.", "unchecked"),
        ("The loader reads the user file before the environment.", "unchecked"),
        ("The loader reads the environment after the user file.", "unchecked"),
    ],
)
def test_a_numbered_list_has_an_order(claim: str, verdict: str) -> None:
    """A claim is wrong that puts a step before one which stands above it; the list's own order proves nothing wrong."""
    lead = "The loader reads settings in this order:"
    evidence = of_list("step", lead, "User file: in your home.", "System file: in /etc.", "Environment: variables.")
    assert Lexical(Settings()).judge(Case(Claim(claim, (1,)), evidence)).verdict == verdict
    loose = of_list("item", lead, *(each.passage.text for each in evidence))
    assert Lexical(Settings()).judge(Case(Claim(claim, (1,)), loose)).verdict == "unchecked"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("With `--keep`, temporary folders are preserved after a run.", "supported"),
        ("With `--dry`, temporary folders are preserved after a run.", "contradicted"),
        ("With `--dry` and `--keep`, temporary folders are preserved after a run.", "unchecked"),
        ("With `--dry`, nothing is written, so no temporary folders are preserved.", "unchecked"),
    ],
)
def test_what_a_list_says_of_one_flag_is_not_said_of_another(claim: str, verdict: str) -> None:
    """A claim is wrong that gives one flag the meaning of another, as long as nothing of its own is in it."""
    evidence = of_list(
        "item", "Options:", "--keep: Preserve temporary folders after a run.", "--dry: Show what would be written."
    )
    assert Lexical(Settings()).judge(Case(Claim(claim, (1,)), evidence)).verdict == verdict
