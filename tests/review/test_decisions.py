"""What a decision rests on is kept as text, and only a change of those words asks again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Change, Decision, Evidence, ReviewedClaim, Verdict
from mkdocs_cited.model.source import Page, Passage
from mkdocs_cited.records import Record
from tests.corpora import extract
from tests.records.site import DECLARATION, REVIEWER, TODAY, Sections, answer, confirmed, recalled, site

CLAIM = "A login is valid for 48 hours by default."
TABLE = """<h2 id="general">{heading}</h2><p>These are the settings.</p>
<table><thead><tr><th>Variables</th><th>{column}</th><th>Description</th></tr></thead><tbody>
<tr><td>DATA_DIR</td><td>/data</td><td>{other}</td></tr>
<tr><td>TOKEN_TIME</td><td>{value}</td><td>The time in hours that a login is valid</td></tr>
</tbody></table>"""
AS_IT_WAS = {"heading": "General", "column": "Default", "value": "48", "other": "Where data is"}


def passages(html: str) -> list[Passage]:
    page = Page("guide/config.md", "guide/config/", "Backend Configuration")
    return list(extract(page, html))


def evidence(**changes: str) -> tuple[Evidence, ...]:
    """The cited section, of which a footnote shows the row of TOKEN_TIME."""
    found = passages(TABLE.format(**{**AS_IT_WAS, **changes}))
    return tuple(Evidence(item, item.text, shown="TOKEN" in item.text) for item in found)


def decided(verdict: Verdict = Verdict.SUPPORTED) -> Record:
    given = answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM)
    claim = ReviewedClaim(given.claims[0].claim, evidence(), given.claims[0].judgement)
    return Record("faq.md#limits", "How long?").decided(confirmed(claim, verdict))


def change(*items: Evidence) -> Change | None:
    """What has changed of the words that the decision rests on."""
    record = decided()
    claim = replace(answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0].claim)
    said = recalled(record, claim, items).person
    assert said is not None
    return said.change


def test_a_decision_is_kept_with_the_row_that_bears_it() -> None:
    """The row with bars between its cells, under the nearest heading and the column headers."""
    (decision,) = decided().claims
    (excerpt,) = decision.evidence
    assert excerpt.at == "guide/config.md#general"
    assert excerpt.under == "General · Variables, Default, Description"
    assert excerpt.text == "TOKEN_TIME | 48 | The time in hours that a login is valid"


def test_a_cell_that_begins_with_a_unit_is_no_part_of_the_value_before_it() -> None:
    """“48” and “hours that …” are two cells: the row is the same as when it was decided on."""
    row = "<tr><td>TOKEN_TIME</td><td>48</td><td>hours that a login is valid</td></tr>"
    (passage,) = passages(f"<h2 id='general'>General</h2><table>{row}</table>")
    cited = Evidence(passage, passage.text)
    given = replace(answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0], evidence=(cited,))
    record = Record("faq.md#limits", "How long?").decided(confirmed(given))
    assert recalled(record, given.claim, (cited,)).holds


def test_a_sentence_with_common_words_alone_bears_nothing() -> None:
    """“The” and “gets” of the claim are in no other cell of the section."""
    html = "<table><tr><td>Team</td><td>600</td></tr></table><p>Who gets more? Ask the server.</p>"
    found = passages(f"<h2 id='plans'>Plans</h2>{html}")
    cited = tuple(Evidence(item, item.text, shown=True) for item in found)
    given = replace(answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0], evidence=cited)
    given = replace(given, claim=replace(given.claim, text="The Team plan gets 600."))
    (decision,) = Record("faq.md#q", "How?").decided(confirmed(given)).claims
    assert [item.text for item in decision.evidence] == ["Team | 600"]


@pytest.mark.parametrize(
    "changes",
    [
        {"other": "Where all data is stored"},
        {"value": "<b>48</b>"},
        {"value": "<code>48</code>"},
        {"heading": "<em>General</em>"},
        {"heading": "general"},
    ],
    ids=["another row", "emphasis", "code", "markup of the heading", "case of the heading"],
)
def test_what_changes_beside_it_asks_nobody(changes: dict[str, str]) -> None:
    assert change(*evidence(**changes)) is None


def test_a_value_that_the_claim_states_has_gone() -> None:
    """It is told with the value in its place."""
    found = change(*evidence(value="24"))
    assert found is not None
    assert found.values == (("48", "24"),)
    assert found.now == "TOKEN_TIME | 24 | The time in hours that a login is valid"
    assert (found.by, found.on) == ("Ann", TODAY)


@pytest.mark.parametrize(
    "changes", [{"heading": "Only for guests"}, {"column": "Maximum"}], ids=["the heading", "a column header"]
)
def test_the_context_that_counts(changes: dict[str, str]) -> None:
    """The nearest heading and the column headers, when their words change."""
    found = change(*evidence(**changes))
    assert found is not None
    assert found.values == ()
    assert found.was.under != found.under


@pytest.mark.parametrize(
    ("was", "now"), [("✓", "✗"), ("✅", "❌"), ("in C++", "in C"), ("<code>a == b</code>", "<code>a != b</code>")]
)
def test_signs_that_say_something_count(was: str, now: str) -> None:
    """A table of what is supported where may have nothing else."""
    row = "<table><tr><td>Windows</td><td>{0}</td></tr></table>"
    (before,) = passages(row.format(was))
    (after,) = passages(row.format(now))
    given = answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0]
    given = replace(given, evidence=(Evidence(before, before.text),))
    record = Record("faq.md#q", "How?").decided(confirmed(given))
    assert recalled(record, given.claim, given.evidence).holds
    assert not recalled(record, given.claim, (Evidence(after, after.text),)).holds


def test_a_row_that_is_gone() -> None:
    """Its value is gone with it."""
    rest = [item for item in evidence() if "TOKEN" not in item.passage.text]
    found = change(*rest)
    assert found is not None
    assert (found.now, found.values) == ("", (("48", ""),))


SENTENCE = "The client retries five times. It waits for `RETRY_DELAY` between two attempts."
CLAIMED = "Between attempts, RETRY_DELAY is waited for."


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        ("The client retries five times. It waits for <em>RETRY_DELAY</em> between two attempts.", True),
        ("It waits for <code>RETRY_DELAY</code> between two attempts!", True),
        ("It waits for <code>RETRY_DELAY</code> betwen two attempts.", True),
        ("Some client retries seven times. It waits for <code>RETRY_DELAY</code> between two attempts.", True),
        ("It waits for <code>RETRY_PAUSE</code> between two attempts.", False),
        ("It never waits for <code>RETRY_DELAY</code> between two attempts.", False),
        ("It waits for <code>RETRY_DELAY</code> after two attempts.", False),
    ],
    ids=["emphasis", "punctuation", "spelling", "another sentence", "a name", "a negation", "another word"],
)
def test_a_sentence(now: str, holds: bool) -> None:
    """Only the quoted sentence counts, and of it only the words."""
    before = passages("<h2 id='x'>Retries</h2><p>" + SENTENCE.replace("`RETRY_DELAY`", "<code>RETRY_DELAY</code>"))
    first = before[0].sentences[1]
    cited = Evidence(before[0], before[0].text[first[0] : first[1]])
    given = answer(site({"api.md": [("Limits", [CLAIMED])]}), CLAIMED).claims[0]
    record = Record("faq.md#q", "How?").decided(confirmed(replace(given, evidence=(cited,))))
    today = tuple(Evidence(item, item.text) for item in passages(f"<h2 id='x'>Retries</h2><p>{now}</p>"))
    said = recalled(record, given.claim, today).person
    assert said is not None
    found = said.change
    assert (found is None) is holds
    if "PAUSE" in now and found:
        assert found.values == (("RETRY_DELAY", "RETRY_PAUSE"),)


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("Nobody can bring a lost key back.", ["A lost key cannot be restored."]),
        ("You make a new one with harbor key new.", ["Make a new one with `harbor key new`."]),
        (
            "A lost key is gone: make a new one.",
            ["A lost key cannot be restored.", "Make a new one with `harbor key new`."],
        ),
        ("Schlüssel sind weg.", ["A lost key cannot be restored.", "Make a new one with `harbor key new`."]),
    ],
    ids=["the first", "the second", "both", "no word in common"],
)
def test_the_sentences_of_a_paragraph_that_bear_a_claim(claim: str, kept: list[str]) -> None:
    """A paragraph is no evidence as a whole where a part of it bears the claim; each sentence changes by itself."""
    html = "<h2 id='x'>Help</h2><p>A lost key cannot be restored. Make a new one with <code>harbor key new</code>.</p>"
    cited = tuple(Evidence(item, item.text) for item in passages(html))
    given = replace(answer(site({"api.md": [("Limits", [claim])]}), claim).claims[0], evidence=cited)
    record = Record("faq.md#q", "How?").decided(confirmed(given))
    assert [excerpt.text for excerpt in record.claims[0].evidence] == kept
    changed = html.replace("cannot be restored", "is restored by support")
    today = tuple(Evidence(item, item.text) for item in passages(changed))
    said = recalled(record, given.claim, today).person
    assert said is not None
    found = said.change
    if kept[0].startswith("Make"):
        assert found is None
    else:
        assert found is not None
        assert (found.was.text, found.now) == (kept[0], "A lost key is restored by support.")


@pytest.mark.parametrize("seen", ["", "k3f9abcd", "k3f9abcd {hash}"])
def test_a_decision_of_0_2_holds_for_the_passages_that_it_knew(seen: str) -> None:
    """It had hashes in place of evidence. One that no cited passage has any more is a change."""
    given = answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0]
    known = given.evidence[0].passage.hash[:8]
    (old,) = Record("faq.md#q", "How?").decided(confirmed(given)).claims
    record = Record("faq.md#q", "How?", claims=(replace(old, evidence=(), seen=known),))
    assert recalled(record, given.claim, given.evidence).holds
    lapsed = replace(record, claims=(replace(old, evidence=(), seen=seen.format(hash=known)),))
    assert not recalled(lapsed, given.claim, given.evidence).holds


def test_of_two_people_the_later_one_counts() -> None:
    """A merge of two branches may keep what both decided, in any order. Of one day, who refused counts."""
    given = answer(site({"api.md": [("Limits", [CLAIM])]}), CLAIM).claims[0]
    refused = confirmed(given, Verdict.UNSUPPORTED, "Bob", "2027-01-02")
    for on in ("2027-01-01", "2027-01-02"):
        confirming = confirmed(given, Verdict.SUPPORTED, "Ann", on)
        check_that_bob_counts(given, (refused, confirming))
        check_that_bob_counts(given, (confirming, refused))


def check_that_bob_counts(given: ReviewedClaim, claims: tuple[Decision, ...]) -> None:
    record = Record("faq.md#q", "How?", claims=claims)
    said = recalled(record, given.claim, given.evidence).person
    assert said is not None
    assert said.judgement.reviewer == "person:Bob"


LIMIT = "Each key may send sixty requests a minute."
MORE = "Write to support to get a higher limit."
PAGES: dict[str, Sections] = {"api.md": [("Rate limits", [LIMIT, MORE])]}


def test_deciding_one_claim_keeps_what_is_known_of_another() -> None:
    """Whether that still holds or not, and what a model said next to it."""
    index = site(PAGES)
    given = answer(index, LIMIT, MORE, verdict=Verdict.UNCHECKED)
    record = Record.of(given, DECLARATION, None, TODAY)
    for item in given.claims:
        record = record.decided(confirmed(item, reason="I run support."))
    changed = site({"api.md": [("Rate limits", [LIMIT, "Nobody gets a higher limit."])]})
    (again,) = answer(changed, LIMIT).claims
    record = record.decided(confirmed(again, Verdict.UNSUPPORTED, "Bob", "2027-01-01"))
    people = [(item.claim, item.by) for item in record.claims if item.by]
    assert people == [(LIMIT, "Bob"), (MORE, "Ann")]
    assert [item.claim for item in record.claims if item.reviewer == REVIEWER] == [LIMIT, MORE]


def test_a_review_keeps_a_decision_that_has_lapsed() -> None:
    """Until somebody decides again: what was decided is what a reader of the change wants to see."""
    index = site(PAGES)
    given = answer(index, LIMIT)
    record = Record.of(given, DECLARATION, None, TODAY).decided(confirmed(given.claims[0]))
    changed = site({"api.md": [("Rate limits", ["Each key may send ninety requests a minute."])]})
    other = answer(changed, "Each key may send ninety requests a minute.").claims[0]
    lapsed = replace(given.claims[0], evidence=other.evidence, said=())
    assert record.with_review(replace(given, claims=(lapsed,))).claims == record.claims
