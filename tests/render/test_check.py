"""The fact-check view shows each claim with its verdict and footnotes, without a script."""

from __future__ import annotations

from typing import Literal

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Verdict
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.render.publish import PageHtml, publish
from tests.dom import Dom
from tests.render.values import NOTE, answer, faq, in_page, passage, site

HTML = '<h2 id="pip">With pip</h2><p>It retries 5 times. Then it stops.</p>'
RETRIES = in_page("It retries 5 times. Then it stops.", HTML)
SECRET = passage("Launch on Friday.", page=NOTE)
INSTALL = PageHtml("guide/install.md", "guide/install/", HTML)


def block(
    item: Answer, *, serve: bool = False, fact_check: bool = False, footnotes: Literal["auto", "none"] = "auto"
) -> Dom:
    settings = Settings(render=Render(fact_check=fact_check), footnotes=footnotes)
    out = publish([item], site(INSTALL, faq(item.key)), settings, findings=() if serve else None)
    return Dom.parse(out.pages["faq/"]).one(".cited-answer")


def test_the_view_is_for_the_preview_unless_it_is_published() -> None:
    item = answer("It retries 5 times.[^1]", RETRIES)
    assert block(item).all(".cited-check") == []
    assert block(item, serve=True).one(".cited-check")
    assert block(item, fact_check=True).one(".cited-check li p").text.startswith("It retries 5 times.")


def test_each_claim_shows_verdict_reason_and_evidence() -> None:
    item = answer("It retries 9 times.[^1]", RETRIES, verdict=Verdict.CONTRADICTED)
    said = replace(item.claims[0].judgement, reason="9 is not 5.", missing=((11, 12),))
    item = replace(item, claims=(replace(item.claims[0], judgement=said),))
    check = block(item, fact_check=True).one(".cited-check li")
    assert check.one("mark").text == "9"
    assert check.one(".cited-verdict").text == "contradicted by the source"
    assert "9 is not 5." in check.text
    assert [(link.text, link.attr("href")) for link in check.all("a")] == [("[1]", "#fn:cited-limits-1")]


def test_a_footnote_is_named_once_for_all_that_a_claim_cites_of_its_section() -> None:
    """What it quotes is in the footnote; without footnotes the number leads to the passage."""
    code = passage("pip install it", kind=PassageKind.CODE, language="sh")
    other = passage("Now it runs.", anchor="run", title="Running")
    item = answer("It is so.[^1][^2][^3]", RETRIES, code, other)
    check = block(item, fact_check=True).one(".cited-check li")
    assert [link.attr("href") for link in check.all("a")] == ["#fn:cited-limits-1", "#fn:cited-limits-2"]
    check = block(item, fact_check=True, footnotes="none").one(".cited-check li")
    assert check.all("a")[0].attr("href").startswith("../guide/install/#cited-")


def test_what_was_said_of_a_note_is_not_published() -> None:
    item = answer("Soon.[^1]", SECRET)
    said = replace(item.claims[0].judgement, reason="The note says Friday.", evidence_quote="Friday")
    item = replace(item, claims=(replace(item.claims[0], judgement=said),))
    assert "Friday" not in block(item, fact_check=True).text


def test_a_proposal_is_shown_to_authors() -> None:
    item = answer("It retries 3 times.[^1]", RETRIES, proposal="It retries 5 times.[^1]")
    shown = block(item, serve=True).one(".cited-diff")
    assert shown.text == "It retries 5 times.[^1]"
    assert block(item).all(".cited-diff") == []
