"""An answer is stale only when its declaration or a passage that it cites changed; what moved is followed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mkdocs_cited.model.declaration import AnswerFormat, Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page
from mkdocs_cited.records import to_draft
from mkdocs_cited.records.following import Freshness, freshness
from mkdocs_cited.search.index import Index
from tests.records.site import DECLARATION, Sections, passage, record, site

LIMIT = "Each key may send sixty requests a minute."
MORE = "Write to support to get a higher limit."
OTHER = "Keys are rotated every quarter."
LIMITS: Sections = [("Rate limits", [LIMIT, MORE]), ("Rotation", [OTHER])]


def test_an_unchanged_site_is_fresh() -> None:
    """Nothing changed, nothing to do."""
    index = site({"api.md": LIMITS})
    known = record(index, LIMIT, MORE)
    assert freshness(known, DECLARATION, index) == Freshness(known)


@pytest.mark.parametrize(
    "sections",
    [
        [("Rate limits", [LIMIT, MORE]), ("Rotation", ["Keys are rotated every quarter, mostly."])],
        [("Rotation", [OTHER]), ("Rate limits", [LIMIT, MORE])],
        [("Rate limits", ["A new paragraph.", LIMIT, "And another.", MORE])],
        [("Rate limits", [LIMIT.replace(" ", "\n   "), MORE])],
    ],
    ids=["a typo elsewhere", "sections in another order", "new paragraphs", "white space"],
)
def test_edits_elsewhere_change_nothing(sections: Sections) -> None:
    """Not even the record: the ids of the passages stay the same."""
    before = record(site({"api.md": LIMITS}), LIMIT, MORE)
    assert freshness(before, DECLARATION, site({"api.md": sections})) == Freshness(before)


@pytest.mark.parametrize(
    ("pages", "where"),
    [
        ({"api.md": [("Limits", [LIMIT])]}, "api.md#limits"),
        ({"rates.md": [("Rate limits", [LIMIT])]}, "rates.md#rate"),
        ({"a.md": [("Quotas", [LIMIT])], "b.md": [("Rate", [LIMIT])], "api.md": [("New", [LIMIT])]}, "api.md#new"),
        ({"a.md": [("Quotas", [LIMIT])], "b.md": [("Rate", [LIMIT])]}, "b.md#rate"),
        ({"b.md": [("Quotas", [LIMIT])], "a.md": [("Other", [LIMIT])]}, "a.md#other"),
    ],
    ids=["another heading", "another page", "the same page first", "the same heading next", "else the first by id"],
)
def test_a_passage_that_moved_is_found_again(pages: dict[str, Sections], where: str) -> None:
    """The link follows it; text, verdicts and approval are as they were."""
    before = record(site({"api.md": LIMITS}), LIMIT)
    index = site(pages)
    moved = freshness(before, DECLARATION, index)
    assert moved.moved
    assert moved.record.citations[0].at == where
    assert replace(moved.record, citations=before.citations) == before
    assert to_draft(moved.record, index).sources[0].passage.text == LIMIT


def test_a_changed_passage_is_read_again_in_its_place() -> None:
    """Whether its claims still hold is decided claim by claim; the footnote quotes what is there today."""
    before = record(site({"api.md": LIMITS}), LIMIT, MORE)
    now = LIMIT.replace("sixty", "ninety")
    index = site({"api.md": [("Rate limits", [now, MORE])]})
    assert freshness(before, DECLARATION, index) == Freshness(before)
    draft = to_draft(before, index)
    assert [source.passage.text for source in draft.sources] == [now, MORE]
    assert [citation.quote for citation in draft.citations] == [now, MORE]


def test_a_passage_takes_no_refuge_in_an_equal_sentence_elsewhere() -> None:
    """While its page and heading are there, it has changed, or it is gone."""
    before = record(site({"api.md": LIMITS}), LIMIT)
    elsewhere: dict[str, Sections] = {"other.md": [("Rate limits", [LIMIT])]}
    changed = site({"api.md": [("Rate limits", [LIMIT.replace("sixty", "ninety")])], **elsewhere})
    assert to_draft(before, changed).sources[0].passage.page.src == "api.md"
    gone = site({"api.md": [("Rate limits", [OTHER])], **elsewhere})
    assert freshness(before, DECLARATION, gone).stale == (f"the cited passage “{LIMIT}” of api.md#rate is gone",)


def test_the_page_of_a_passage_is_gone() -> None:
    """The same when there is not even a page any more."""
    before = record(site({"api.md": LIMITS}), LIMIT)
    index = site({"other.md": [("Rotation", [OTHER])]})
    assert freshness(before, DECLARATION, index).stale
    assert to_draft(before, index).sources[0].passage.page.src == "api.md"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"question": "What are the limits?"}, "the question or its keys have changed"),
        ({"queries": ("throttling",)}, "the question or its keys have changed"),
        ({"sources": ("api.md",)}, "the question or its keys have changed"),
        ({"provider": "anthropic"}, "the question or its keys have changed"),
        ({"format": AnswerFormat.LIST}, "the question or its keys have changed"),
        ({"text": "Mine."}, "the question or its keys have changed"),
        ({"locale": "de"}, "the question or its keys have changed"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_changed_declaration_is_stale(changed: dict[str, object], reason: str) -> None:
    """Whatever in it can change the answer."""
    index = site({"api.md": LIMITS})
    declaration = replace(DECLARATION, **changed)
    assert freshness(record(index, LIMIT), declaration, index).stale == (reason,)


def test_what_cannot_change_the_answer_is_not_stale() -> None:
    """A declaration may move, and be placed by a marker."""
    index = site({"api.md": LIMITS})
    declaration = replace(DECLARATION, place=Place("docs/faq.md", 99))
    assert not freshness(record(index, LIMIT), declaration, index).stale


def test_a_page_that_was_superseded_supports_nothing() -> None:
    """Unless the declaration names it."""
    index = site({"api.md": LIMITS})
    before = record(index, LIMIT)
    archived = Index.open(None)
    page = Page("api.md", "api/", "api.md", type=passage(index, LIMIT).type.ARCHIVE)
    archived.sync([(page, f'<h2 id="rate">Rate limits</h2><p>{LIMIT}</p>')])
    assert freshness(before, DECLARATION, archived).stale == ("api.md, which it cites, is superseded now",)
    named = replace(DECLARATION, sources=("api.md",))
    assert not freshness(replace(before, declaration=named.hash), named, archived).stale


words = st.sampled_from("limit key request minute page token client server retry header cache index".split())
paragraph = st.lists(words, min_size=3, max_size=7).map(lambda parts: f"The {' '.join(parts)}.")
sections = st.lists(
    st.tuples(st.sampled_from(["Rate", "Keys", "Errors", "Usage"]), st.lists(paragraph, max_size=3)), max_size=4
)


@given(st.dictionaries(st.sampled_from(["a.md", "b.md", "c/d.md"]), sections, max_size=3), st.data())
def test_relocation(pages: dict[str, Sections], data: st.DataObject) -> None:
    """However a site is edited, a passage whose heading has gone is followed to where its words are."""
    before = site({"api.md": LIMITS, **pages})
    kept = record(before, LIMIT)
    page = data.draw(st.sampled_from(["a.md", "new.md"]), label="on")
    held = [("Somewhere", ["The first.", LIMIT]), *pages.get(page, ())]
    after = site({**pages, page: data.draw(st.permutations(held), label="in this order")})
    state = freshness(kept, DECLARATION, after)
    assert state.moved == (("api.md#rate", f"{page}#somewhere"),)
    assert to_draft(state.record, after).sources[0].passage.text == LIMIT
    assert freshness(state.record, DECLARATION, after) == Freshness(state.record)


@given(sections, sections)
def test_ids_are_stable_under_edits_elsewhere(before: Sections, after: Sections) -> None:
    """What stands before and behind a passage has no part in its id."""
    own = [("Limits", [LIMIT])]
    first = site({"api.md": [*before, *own]})
    second = site({"api.md": [*after, *own, *before]})
    assert passage(first, LIMIT).id == passage(second, LIMIT).id


def test_a_declaration_of_the_same_words_has_the_same_hash() -> None:
    """The hash is that of the words, not of the object."""
    assert Declaration("a.md", "x", "Why?", Place("a")).hash == Declaration("b.md", "y", "Why?", Place("b")).hash
