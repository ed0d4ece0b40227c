"""Many questions on a page: answers that fold, a line about the page, links to copy, and a field to ask."""

from __future__ import annotations

import json
from typing import Any

from mkdocs_cited.model.answer import Status
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.render.publish import Host, PageHtml, publish
from tests.dom import Dom
from tests.render.values import answer, faq, passage, site

INSTALL = PageHtml("guide/install.md", "guide/install/", '<h2 id="pip">With pip</h2>\n<p>It retries 5 times.</p>')
ITEM = answer("Five.[^1]", passage("It retries 5 times."), accepted_on="2026-11-03", question="How `often`?")
PAGE = faq(ITEM.key, html='<h1>FAQ</h1>\n<p>Hi.</p>\n<h2 id="q">How often?</h2>\n')


def page(**options: Any) -> Dom:
    host = Host(queries={"faq.md#limits": ("retry count",)})
    out = publish([ITEM], site(INSTALL, PAGE), Settings(render=Render(**options)), host)
    assert json.loads(out.files["cited.questions.json"])[0]["queries"] == ["retry count"]
    return Dom.parse(out.pages["faq/"])


def test_an_answer_folds_under_its_heading() -> None:
    fold = page(collapse=True).one("details.cited-fold:not([open])")
    assert fold.one("summary > h2#q").text == "How often?"
    assert "Five." in fold.one(".cited-answer").text
    assert page().all(".cited-fold") == []


def test_a_line_says_what_the_answers_come_from() -> None:
    shown = page(summary=True)
    assert shown.one("h1 + .cited-summary").text == "Answered from 1 pages of this site · Last checked 2026-11-03"
    assert page().all(".cited-summary") == []


def test_a_link_is_there_to_be_copied() -> None:
    assert page(copy_link=True).one("a.cited-copy").attr("href") == "#cited-limits"


def test_without_a_script_the_field_is_a_list_of_questions() -> None:
    form = page(ask=True).one("form.cited-find")
    assert form.attr("data-index") == "../cited.questions.json"
    assert [(link.attr("href"), link.text) for link in form.all("li a")] == [("#cited-limits", "How often?")]


def test_what_waits_is_in_no_list() -> None:
    item = answer("Five.[^1]", passage("It retries 5 times."), status=Status.PENDING)
    out = publish([item], site(INSTALL, faq(item.key)), Settings(render=Render(ask=True, summary=True)))
    assert Dom.parse(out.pages["faq/"]).all(".cited-find li") == []
