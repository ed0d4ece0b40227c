"""The lexical reviewer: goldens that read as documentation, and what must hold for any text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks.labelled import judge
from mkdocs_cited.model.answer import Claim, Evidence, Judgement
from mkdocs_cited.model.options import Settings
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.review.lexical import Lexical
from tests.review.site import Site, site

GOLDENS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("lexical.yml").read_text(encoding="utf-8"))
SENTENCES = [
    "The token is valid for 24 hours.",
    "Storage nodes do not create traces of their own.",
    "Use --overwrite newer to replace objects that are older than the backup.",
    "If a pod is not ready within 15 minutes, the operator pauses the upgrade.",
    "Objects smaller than 128 KiB are never moved to archive, even if a rule matches them.",
    "Upgrade the target before the source.",
    "A lock can be removed by owners only.",
    "Der Wartungsmodus endet spätestens nach 4 Stunden.",
]
ANY_TEXT = st.text(max_size=400)
HOSTILE = ["a" * 20_000, "1," * 10_000, "-" * 20_000, "“" * 10_000, "a.b" * 8_000, "no not " * 3_000, "(((" * 5_000]


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: str(case["name"]))
def test_goldens(case: dict[str, Any]) -> None:
    """The verdict is the one written down, and the reason mentions what a person would look for."""
    result = judge(case["claim"], [case["passage"]])
    assert result.verdict == case["verdict"], result.reason
    assert case.get("says", "") in result.reason


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.data())
def test_a_sentence_of_the_passage_passes(sentences: list[str], data: st.DataObject) -> None:
    """Whatever stands around it, a verbatim sentence is supported."""
    assert judge(data.draw(st.sampled_from(sentences)), [" ".join(sentences)]).verdict == "supported"


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_any_text_is_judged(claim: str, passages: list[str]) -> None:
    """No text raises; scores stay within 0…1 and ranges within the claim."""
    result = judge(claim, passages)
    assert all(0 <= start < end <= len(claim) for start, end in result.missing)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:4])
def test_a_long_text_is_judged(text: str) -> None:
    """Texts made to make regular expressions backtrack get a verdict that is no false pass."""
    assert judge("The token is valid for 12 hours.", [text]).verdict == "unchecked"


def said_of(case: Case) -> Judgement:
    """The judgement of one case."""
    review = Lexical(Settings()).review((case,), Site(tuple(item.passage for item in case.evidence)))
    assert isinstance(review, Review)
    return review.judgements[0]


def row_of_table(*cells: str) -> Evidence:
    """A row of a table of plans."""
    at_hand = site([{"at": "p.md#limits", "text": " ".join(cells), "kind": "row", "header": ["Limit", "Free", "Paid"]}])
    row = replace(at_hand.passages[0], cells=cells, block=1)
    return Evidence(row, row.text)


def test_a_row_needs_the_headers_of_its_table() -> None:
    """Equal cells under other headers say something else, another value is proven wrong, and a cell passes with the
    first cell and the header that lead into it."""
    row = row_of_table("Nodes", "up to 8", "up to 24")

    def verdict(text: str, header: str = "") -> str:
        return said_of(Case(Claim(text, (1,), header=header), (row,))).verdict

    assert verdict("Nodes up to 8 up to 24", "Limit Free Paid") == "supported"
    assert verdict("Nodes up to 8 up to 24", "Limit Free Trial") == "unchecked"
    assert verdict("Nodes up to 8 up to 25", "Limit Free Paid") == "contradicted"
    assert verdict("Nodes Paid up to 24") == "supported"
    assert verdict("The Free plan has up to 24 nodes.") == "unchecked"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Keys – once made – are valid.", "Keys — once made — are valid."),
        ("It’s “safe” to retry", 'It\'s "safe" to retry.'),
        ("keys are valid for a day.", "Keys are valid for a day."),
        ("Keys are valid. They can be renewed.", "Hello. Keys are valid. They can be renewed. Bye."),
        ("Backups   use\nencryption.", "Backups use encryption."),
    ],
)
def test_form_does_not_count(claim: str, passage: str) -> None:
    """White space, quotes, dashes, final punctuation and the case of the first letter."""
    assert judge(claim, [passage]).verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Backups use DES encryption.", "Backups use encryption."),
        ("Is it safe.", "Is it safe?"),
        ("Keys are valid for a day.", "Keys of guests are valid for a day."),
        ("No. Mealie does not support a subpath.", "Mealie does not support a subpath."),
        ("10² nodes are enough for all.", "102 nodes are enough for all."),
        ("Use -r to copy folders.", "Use -R to copy folders."),
        ("Keys are valid for a day", "Keys are valid for a day, for owners"),
    ],
)
def test_other_words_do_not_pass(claim: str, passage: str) -> None:
    """An article of another language, a question, a part of a sentence, a reply: nothing but the same words passes."""
    assert judge(claim, [passage]).verdict != "supported"


def test_a_line_of_code_is_quoted() -> None:
    """Whole lines in one run, and no part of a line."""
    code = site([{"at": "p.md#x", "text": "pip install lumen\nlumen init\nlumen run", "kind": "code"}]).passages[0]
    evidence = (Evidence(code, code.text),)
    assert said_of(Case(Claim("lumen init\nlumen run", (1,)), evidence)).verdict == "supported"
    assert said_of(Case(Claim("lumen", (1,)), evidence)).verdict == "unchecked"


def test_an_item_passes_with_what_leads_into_it() -> None:
    """And by itself."""
    item = replace(site([{"at": "p.md#x", "text": "rotate keys", "kind": "item"}]).passages[0], lead="Owners can:")
    evidence = (Evidence(item, item.text),)
    for claim in ("Owners can rotate keys.", "Rotate keys"):
        assert said_of(Case(Claim(claim, (1,)), evidence)).verdict == "supported"
    assert said_of(Case(Claim("Guests can rotate keys.", (1,)), evidence)).verdict == "unchecked"


def test_a_claim_may_rest_on_any_passage_of_its_section() -> None:
    """Nothing is proven wrong by one passage that another one of the same section says."""
    passages = site(
        [
            {"at": "a.md#keys", "text": "A new key is valid for 24 hours."},
            {"at": "a.md#keys", "text": "A renewed key is valid for 12 hours."},
        ]
    ).passages
    case = Case(Claim("A renewed key is valid for 12 hours.", (1,)), tuple(Evidence(p, p.text) for p in passages))
    assert said_of(case).verdict == "supported"
    alone = replace(case, evidence=case.evidence[:1])
    assert said_of(alone).verdict == "unchecked"


def test_a_language_without_words_is_read_by_its_figures() -> None:
    """Where no words are known, figures are still compared, and the reason says what was not."""
    passage = "Le jeton est valable pendant 24 heures au plus."
    assert judge("Le jeton est valable pendant 12 heures au plus.", [passage], language="fr").verdict == "contradicted"
    assert judge("Un jeton reste valable une journée.", [passage], language="fr").verdict == "unchecked"
