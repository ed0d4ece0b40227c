"""How sure a stretch is: what counts for it, what against, and from when it is given."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.answer import AnswerCheck, Fit
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, Source, SourceType, Via
from mkdocs_cited.providers.certainty import BY_WORDS, Signs, signs


def source(page: str, section: int, worth: float) -> Source:
    """A source of this worth in a section of a page."""
    of = Page(page, page, page)
    place = Section(of, f"s{section}", f"Section {section}", 2, (page,), section)
    passage = Passage(f"{page}#{section}", place, PassageKind.PARAGRAPH, "Text.", SourceType.PAGE, "h")
    return Source(1, passage, Via.RETRIEVAL, query_relevance=0.5, worth=worth)


def test_what_speaks_for_an_answer_makes_it_surer() -> None:
    """More of the question, more of its words, a greater lead; a great relevance without them is a doubt."""
    plain = Signs(check=0.5, words=2.0, lead=0.1, relevance=0.6)
    assert 0 < plain.certainty < 1
    for better in (
        Signs(check=0.9, words=2.0, lead=0.1, relevance=0.6),
        Signs(check=0.5, words=4.0, lead=0.1, relevance=0.6),
        Signs(check=0.5, words=2.0, lead=0.6, relevance=0.6),
        Signs(check=0.5, words=2.0, lead=0.1, relevance=0.4),
    ):
        assert better.certainty > plain.certainty


@pytest.mark.parametrize(("check", "sure"), [(0.2, False), (1.4, True)])
def test_it_is_given_from_the_bound_on(check: float, sure: bool) -> None:
    """And what defines the thing that is asked about is given in any case."""
    item = Signs(check=check, words=2.0, lead=0.1, relevance=0.6)
    assert (item.certainty >= BY_WORDS.enough, item.sure) == (sure, sure)
    assert Signs(check=check, words=2.0, lead=0.1, relevance=0.6, direct=True).sure


def test_the_lead_is_over_other_pages() -> None:
    """Another passage of the same page is no rival."""
    judged = AnswerCheck(Fit.YES, 0.8)
    found = (source("a", 1, 2.0), source("a", 1, 1.9), source("a", 2, 1.5), source("b", 1, 1.2))
    told = signs(judged, 3.0, found)
    assert (round(told.lead, 6), told.relevance, told.likeness) == (0.8, 0.5, None)
    assert signs(judged, 3.0, found[:1]).lead == 2.0


def test_with_an_encoder_likeness_counts() -> None:
    """The nearer a stretch lies in meaning, the surer it is, whatever its words."""
    judged = AnswerCheck(Fit.PART, 0.6)
    found = (source("a", 1, 1.0), source("b", 1, 1.0))
    near, far = (signs(judged, 0.2, found, likeness) for likeness in (0.9, 0.1))
    assert (near.sure, far.sure) == (True, False)
    assert near.certainty > far.certainty
