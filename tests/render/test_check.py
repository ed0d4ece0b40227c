"""What is proven looks proven, and nothing else does: the line under an answer, its numbers, its sentences."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Answer, Change, Excerpt, Status, Verdict
from mkdocs_cited.model.declaration import ATTRIBUTE
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import PassageKind, SitePage
from mkdocs_cited.render import publish
from tests.dom import Dom
from tests.render.values import NOTE, answer, faq, in_page, passage, site

HTML = '<h2 id="pip">With pip</h2><p>It retries 5 times. Then it stops.</p>'
RETRIES = in_page("It retries 5 times. Then it stops.", HTML)
SECRET = passage("Launch on Friday.", page=NOTE)
INSTALL = SitePage("guide/install.md", "guide/install/", HTML)


def block(item: Answer, *, serve: bool = False, **options: Any) -> Dom:
    settings = Settings(render=Render(**options))
    out = publish([item], site(INSTALL, faq(item.key)), settings, serve=serve)
    return Dom.parse(out.pages["faq/"]).one(".cited-answer")


def judged(item: Answer, *verdicts: Verdict) -> Answer:
    claims = zip(item.claims, verdicts, strict=True)
    return replace(
        item, claims=tuple(replace(it, judgement=replace(it.judgement, verdict=said)) for it, said in claims)
    )


def numbers(shown: Dom) -> list[str]:
    return [link.text for link in shown.all("sup > a")]


def test_a_line_counts_what_is_checked() -> None:
    item = answer("A.[^1]\n\nB.[^1]\n\nC.[^1]", RETRIES)
    assert block(item).one(".cited-head").text == "Sources (1) · 3 of 3 sentences checked"
    item = judged(item, Verdict.SUPPORTED, Verdict.UNCHECKED, Verdict.PARTIAL)
    said = "Sources (1) · 1 of 3 sentences checked; 1 not confirmed yet; 1 not supported by the source"
    assert block(item).one(".cited-head").text == said
    assert block(item, checks="none").one(".cited-head").text == "Sources (1)"
    one = answer("A.[^1]", RETRIES)
    assert block(one).one(".cited-head").text == "Sources (1) · Checked against its source"


def test_the_line_names_the_people_and_models_that_decided() -> None:
    """Not those who wait or refuse, and nobody who approved a text that is out of date."""
    item = judged(answer("A.[^1]\n\nB.[^1]\n\nC.[^1]", RETRIES), Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.PARTIAL)
    reviewers = ("anthropic-6f3a1c2b-claude-opus-5-5", "lexical-3", "person:Bob")
    claims = tuple(
        replace(claim, judgement=replace(claim.judgement, reviewer=reviewer))
        for claim, reviewer in zip(item.claims, reviewers, strict=True)
    )
    item = replace(item, claims=claims, accepted_by="Ann")
    said = "2 of 3 sentences checked (Ann, claude-opus-5-5); 1 not supported by the source"
    assert block(item).one(".cited-head").text == f"Sources (1) · {said}"
    old = block(replace(item, status=Status.STALE)).one(".cited-head").text
    assert "(claude-opus-5-5)" in old


def test_nothing_is_said_of_a_review_where_nobody_reviewed() -> None:
    item = answer("A.[^1]", RETRIES, reviewed=False)
    shown = block(replace(item, claims=()))
    assert shown.one(".cited-head").text == "Sources (1)"
    assert shown.all(".cited-answer > .cited-aside") == []


@pytest.mark.parametrize("verdict", [Verdict.UNCHECKED, Verdict.PARTIAL, Verdict.UNSUPPORTED, Verdict.CONTRADICTED])
def test_the_number_of_what_is_not_proven_has_a_question_mark(verdict: Verdict) -> None:
    item = answer("A.[^1]\nB.[^1]\nC.[^1]", RETRIES)
    assert numbers(block(item)) == ["[1]", "[1]", "[1]"]
    shown = block(judged(item, Verdict.SUPPORTED, verdict, Verdict.SUPPORTED), checks="none")
    assert numbers(shown) == ["[1]", "[1?]", "[1]"]
    doubt = shown.one(".cited-unsure")
    assert doubt.attr("aria-label") == f"Source 1: Install › With pip ({doubt.attr('data-doubt')})"
    assert [link.attr("href")[1:] for link in shown.all(".cited-back")] == [sup.attr("id") for sup in shown.all("sup")]


def test_a_mark_shows_the_doubt_of_its_own_claim_behind_one_that_nobody_sees() -> None:
    """Of the quiet claim there is neither number nor footnote."""
    item = judged(answer("A.[^1]\n\nB.[^2]", RETRIES, passage("B.")), Verdict.SUPPORTED, Verdict.UNCHECKED)
    item = replace(item, target="prose", quiet=(0,))
    html = f'<p>B.<span {ATTRIBUTE}="1"></span></p>\n<!-- answer: limits -->'
    page = SitePage("faq.md", "faq/", html, asks={"limits": item.key})
    shown = Dom.parse(publish([item], site(INSTALL, page), Settings()).pages["faq/"])
    assert numbers(shown) == ["[1?]"]
    assert len(shown.all(".cited-notes > li")) == 1
    assert shown.one(".cited-head").text == "Sources of this page (1) · 1 not confirmed yet"


def test_an_answer_out_of_date_says_so_and_quotes_nothing_that_is_gone() -> None:
    item = answer(
        "It retries 5 times.[^1]", passage("It retries 9 times."), accepted_on="2026-11-03", accepted_by="Ann"
    )
    shown = block(replace(item, status=Status.STALE, claims=()))
    state = "Out of date, at least in part: a source has changed since this was checked"
    assert shown.one(".cited-state").text == state
    assert numbers(shown) == ["[1?]"]
    assert shown.one(".cited-head").text == "Sources (1)"
    assert "9 times" not in shown.text
    assert "2026-11-03" not in shown.text


def test_of_an_answer_out_of_date_each_sentence_says_whether_it_holds() -> None:
    """What it quotes is what its page says today."""
    item = judged(answer("A.[^1]\n\nB.[^1]", RETRIES, status=Status.STALE), Verdict.SUPPORTED, Verdict.UNCHECKED)
    changed = replace(
        item.claims[1], change=Change(was=Excerpt(at="guide/install.md#pip", text="It was so."), now="It is so.")
    )
    shown = block(replace(item, claims=(item.claims[0], changed)))
    assert numbers(shown) == ["[1]", "[1?]"]
    assert shown.one(".cited-unsure").attr("data-doubt") == "source changed since the check"
    assert shown.one(".cited-head").text == "Sources (1) · 1 of 2 sentences checked; 1 out of date"
    assert "It was so." not in shown.text


def test_sentences_are_for_the_preview_unless_they_are_published() -> None:
    item = answer("It retries 5 times.[^1]", RETRIES)
    assert block(item).all(".cited-checks") == []
    assert block(item, serve=True).one(".cited-checks")
    shown = block(item, checks="claims").one(".cited-checks li").text
    assert " ".join(shown.split()) == "It retries 5 times. [1] checked"


def test_each_claim_shows_verdict_and_reason() -> None:
    item = answer("It retries 9 times.[^1]", RETRIES, verdict=Verdict.CONTRADICTED)
    said = replace(item.claims[0].judgement, reason="9 is not 5.")
    item = replace(item, claims=(replace(item.claims[0], judgement=said),))
    check = block(item, checks="claims").one(".cited-checks li")
    assert check.one(".cited-verdict").text == "contradicted by the source"
    assert "9 is not 5." in check.text


def test_a_footnote_is_named_once_for_all_that_a_claim_cites_of_its_section() -> None:
    code = passage("pip install it", kind=PassageKind.CODE, language="sh")
    other = passage("Now it runs.", anchor="run", title="Running")
    item = answer("It is so.[^1][^2][^3]", RETRIES, code, other)
    assert "[1][2] " in block(item, checks="claims").one(".cited-checks li").text


def test_what_was_said_of_a_note_is_not_published() -> None:
    item = answer("Soon.[^1]", SECRET)
    said = replace(item.claims[0].judgement, reason="The note says Friday.", evidence_quote="Friday")
    item = replace(item, claims=(replace(item.claims[0], judgement=said),))
    assert "Friday" not in block(item, checks="claims").text


def test_a_proposal_is_shown_to_authors() -> None:
    item = answer("It retries 3 times.[^1]", RETRIES, proposal="It retries 5 times.[^1]")
    shown = block(item, serve=True).one(".cited-diff")
    assert shown.text == "It retries 5 times.[^1]"
    assert block(item).all(".cited-diff") == []


def test_a_quotation_that_nobody_has_looked_at_says_so_and_nothing_of_checks() -> None:
    item = answer("It retries 5 times.[^1]", RETRIES, status=Status.QUOTED)
    assert block(item).one(".cited-state").text == "Quoted from the docs; not reviewed yet"
    assert block(item).one(".cited-head").text == "Sources (1)"
    assert block(item, serve=True).one(".cited-notice .admonition-title").text.startswith("Quoted")


def test_a_quotation_shows_the_number_of_its_passage_once_a_paragraph() -> None:
    """It is one passage; of an answer, each sentence shows its own."""
    text = "It retries 5 times.[^1] Then it gives up.[^1]\n\nIt retries 5 times.[^1]"
    quotation = answer(text, RETRIES, status=Status.QUOTED)
    assert len(block(quotation).all(".cited-ref")) == 2
    assert len(block(answer(text, RETRIES)).all(".cited-ref")) == 3
