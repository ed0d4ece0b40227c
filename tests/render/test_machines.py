"""What is made of answers besides their pages: `cited.json`, plain Markdown, and the report page."""

from __future__ import annotations

import json
import re

from msgspec.structs import replace

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.render import Published, publish
from mkdocs_cited.render.answer import Host
from tests.dom import Dom
from tests.render.values import NOTE, answer, faq, in_page, passage, site

HTML = """<h1 id="install">Install</h1>
<p>Read on.</p>
<h2 id="pip">With pip</h2>
<p>It retries 5 times.</p>
<div><h3 id="boxed">Boxed</h3></div>
<p>More of it.</p>
<h2 id="conda">With conda</h2>
<p>Use conda.</p>
"""
RETRIES = in_page("It retries 5 times.", HTML)
SECRET = passage("Launch on Friday.", page=NOTE)


def published(*answers: Answer, **render: object) -> Published:
    pages = site(SitePage("guide/install.md", "guide/install/", HTML), faq(*(item.key for item in answers)))
    settings = Settings(render=Render(**render))  # type: ignore[arg-type]
    return publish(list(answers), pages, settings, Host("Thing"))


def test_files_of_the_answers_stand_at_the_root() -> None:
    item = answer("A.[^1]", RETRIES)
    out = published(item)
    assert out.files.keys() - out.loaded == {"cited.json"}


def test_the_report_shows_what_a_docs_team_plans_from() -> None:
    good = answer("A.[^1]\nB.[^1]", RETRIES, id="good", accepted_on="2026-11-01")
    gap = replace(answer("x", RETRIES, id="gap", question="On the moon?"), content="", status=Status.ABSTAINED)
    gap = replace(gap, sources=(), citations=(), claims=(), reason="Nothing was relevant.")
    files = published(good, gap, report="cited/report.html").files
    out = files["cited/report.html"]
    page = Dom.parse(out)
    assert '<link rel="stylesheet" href="report.css">' in out  # a strict policy allows no inline style or script
    assert ("<style" in out, "<script>" in out, "cited/report.css" in files) == (False, False, True)
    tiles = [" ".join(tile.text.split()) for tile in page.all(".tiles li")]
    assert tiles == [
        "1 / 2 answers in order",
        "1 without an answer",
        "2 / 2 sentences checked",
    ]
    assert page.one("#table tbody a").attr("href") == "../faq/#cited-gap"
    assert "Nothing was relevant." in page.text
    assert [cell.text for cell in page.all("td.date")] == ["2026-11-01"]
    assert all("://" not in value for value in re.findall(r'(?:src|href)="([^"]*)"', out))


def test_the_report_begins_with_what_needs_somebody() -> None:
    good, bad = answer("A.[^1]", RETRIES, id="a"), answer("B.[^1]", RETRIES, id="b", status=Status.WAITING)
    page = Dom.parse(published(good, bad, report="report.html").files["report.html"])
    assert [row.one(".state").text for row in page.all("#table tbody tr")] == ["waiting", "accepted"]


def test_of_a_note_the_report_shows_nothing_but_counts() -> None:
    item = answer("Soon.[^1]", SECRET, reason="It says: Launch on Friday.", status=Status.WAITING)
    out = published(item, report="report.html", checks="claims")
    assert "Friday" not in "".join([*out.pages.values(), *out.files.values()])


def test_programs_learn_who_decided_and_what_rests_on_a_passage() -> None:
    """Of a maintainers' note nothing is said."""
    other = passage("Run pip.")
    item = answer("A.[^1]\nB.[^1][^2]\nC.[^3]", RETRIES, other, SECRET)
    said = replace(item.claims[1].judgement, reviewer="person:Ann")
    item = replace(item, claims=(item.claims[0], replace(item.claims[1], judgement=said), item.claims[2]))
    data = json.loads(published(item).files["cited.json"])
    assert [claim.get("by", "") for claim in data["answers"][0]["claims"]] == ["", "Ann", ""]
    assert data["usage"] == {
        RETRIES.id: [{"answer": "faq.md#limits", "claims": [0, 1]}],
        other.id: [{"answer": "faq.md#limits", "claims": [1]}],
    }
