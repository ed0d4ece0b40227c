"""A whole build's answers stand in their pages, with footnotes, links and data beside them."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import jinja2
import jsonschema
import pytest
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.finding import Detail, Place, Related, found
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import Page, PassageKind, SitePage, SourceType
from mkdocs_cited.render import Published, publish
from mkdocs_cited.render.answer import Host
from mkdocs_cited.render.labels import Labels, _all
from tests.dom import Dom
from tests.render.values import NOTE, answer, faq, in_page, passage, site

HTML = '<h2 id="pip">With pip</h2>\n<p>It retries 5 times. Then it stops.</p>\n<p>Run <code>pip</code>.</p>\n'
INSTALL = SitePage("guide/install.md", "guide/install/", HTML)
RETRIES = in_page("It retries 5 times. Then it stops.", HTML)
RUN = in_page("Run pip.", HTML)
SECRET = passage("The secret launch is on Friday.", page=NOTE)


def published(*answers: Answer, settings: Settings | None = None, serve: bool = False, **options: object) -> Published:
    pages = site(INSTALL, faq(*(item.key for item in answers)))
    host = Host(**options)  # type: ignore[arg-type]
    return publish(answers, pages, settings or Settings(), host, serve=serve)


def block(page: str) -> Dom:
    return Dom.parse(page).one(".cited-answer")


def test_a_reader_gets_from_the_number_to_the_passage() -> None:
    """Number → footnote with heading, byline, quote and link → the passage's block; and back."""
    out = published(answer("It retries 5 times.[^1]", RETRIES, quotes=("It retries 5 times.",)))
    page = block(out.pages["faq/"])
    reference = page.one("sup > a.cited-ref")
    note = page.one(f'ol.cited-notes > li[id="{reference.attr("href")[1:]}"]')
    assert note.one("a.cited-link").text == "Install › With pip"
    assert note.one(".cited-aside").text == "updated 2026-02-01"
    assert note.one("blockquote").text.strip() == "It retries 5 times. Then it stops."
    target = urlsplit(urljoin("https://x.example/docs/faq/", note.one("a.cited-link").attr("href")))
    assert target.path == "/docs/guide/install/"
    anchor, _, text = target.fragment.partition(":~:text=")
    assert Dom.parse(out.pages["guide/install/"]).one(f"p#{anchor}")
    assert text == "It%20retries%205%20times."
    back = note.one("a.cited-back").attr("href")
    assert page.one(f'sup[id="{back[1:]}"]')


def test_answers_and_the_authors_footnotes_on_one_page_do_not_clash() -> None:
    own = '<p>x<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup></p>'
    first, second = answer("A.[^1]", RETRIES, id="a"), answer("B.[^1] C.[^2]", RUN, RETRIES, id="a-1")
    page = replace(faq(first.key, second.key), html=own + faq(first.key, second.key).shown)
    tree = Dom.parse(publish([first, second], site(INSTALL, page), Settings()).pages["faq/"])
    ids = [node.attr("id") for node in tree.all("[id]")]
    assert len(ids) == len(set(ids))
    assert all(name.isascii() for name in ids)
    assert len(tree.all(".cited-answer")) == 2


def test_footnotes_are_named_for_assistive_technology_and_kept_from_the_search_index() -> None:
    """The list has a name that is also shown; each reference and each way back has one (DPUB-ARIA 1.1)."""
    page = block(published(answer("A.[^1]", RETRIES)).pages["faq/"])
    assert page.one("section[data-search-exclude] > ol.cited-notes").attr("aria-label") == "Sources"
    assert page.one("section > .cited-head").text.startswith("Sources (1)")
    assert page.one("a[role=doc-noteref]").attr("aria-label") == "Source 1: Install › With pip"
    assert page.one("a.cited-back").attr("aria-label") == "Back to where 1 is cited"


def test_of_a_note_only_its_name_is_published() -> None:
    finding = found("altered-number", Place("docs/faq.md"), "Friday is not in the secret note", claim="It is soon.")
    item = answer("It is soon.[^1]", SECRET, findings=(finding,))
    item = replace(item, consulted=item.sources)
    settings = Settings(footnotes="folded", render=Render(report="cited/report.html"))
    out = published(item, settings=settings)
    everything = "".join([*out.pages.values(), *out.files.values()])
    assert "Release plan" in everything
    assert "secret" not in everything.lower()
    assert "Friday" not in everything
    assert "notes/plan.md" not in everything


def test_the_preview_names_each_claim_that_waits_with_its_number_and_the_doubt() -> None:
    related = (Related("the cited passage", passage="guide/install.md#pip~1"),)
    detail = Detail(1, "A.", Place("docs/faq.md", 6), "nothing says “A”", related=related)
    message = "1 of 1 claim waits for a person: `mkdocs-cited review faq.md#limits`"
    waits = replace(found("unconfirmed-claim", Place("docs/faq.md", 6), message), details=(detail,))
    item = answer("A.[^1]", RETRIES, verdict=Verdict.UNCHECKED, findings=(waits,))
    page = block(published(item, serve=True).pages["faq/"])
    notice = page.one(".cited-notice")
    assert notice.one(".admonition-title").text == "Claims wait for a person"
    assert (notice.one("ol > li").attr("value"), "nothing says “A”" in notice.text) == ("1", True)


def test_a_passage_is_quoted_as_it_is_on_its_page() -> None:
    """Code as code, a row under the heads of its table, a box with its title."""
    code = replace(passage("pip install <x>", kind=PassageKind.CODE, language="sh"), title="Shell")
    row = passage("retries 5", kind=PassageKind.ROW, cells=("retries", "", "5"))
    row = replace(row, header=("Option", "Unit", "Default"))
    box = replace(passage("Keep it."), title="Mind")
    page = block(published(answer("A.[^1] B.[^2] C.[^3]", code, row, box)).pages["faq/"])
    assert page.one("li pre.cited-code").text == "pip install <x>"
    assert [title.text for title in page.all("li strong")] == ["Shell", "Mind"]
    assert [cell.text for cell in page.all(".cited-row th")] == ["Option", "Unit", "Default"]
    assert [cell.text for cell in page.all(".cited-row td")] == ["retries", "", "5"]


def test_an_abstention_says_so_and_shows_the_nearest_passages() -> None:
    item = replace(answer("x", RETRIES, SECRET), content="", status=Status.ABSTAINED, citations=(), claims=())
    item = replace(item, consulted=item.sources, sources=(), model="claude")
    page = block(published(item).pages["faq/"])
    assert page.one(".cited-lead").text == "Not documented"
    assert [link.text for link in page.all("li a.cited-link")] == ["Install › With pip"]


def test_without_an_answer_readers_are_told_and_sent_to_the_closest_sections() -> None:
    """Words cannot tell that it is not documented; a model or a person can. What is found is a link, and no code."""
    code = passage("pip install x", kind=PassageKind.CODE, anchor="code", title="Code")
    code = replace(code, section=replace(code.section, position=9))
    item = replace(answer("x", RETRIES, code), content="", status=Status.ABSTAINED, citations=(), claims=())
    item = replace(item, consulted=item.sources, sources=())
    box = block(published(item).pages["faq/"])
    assert box.one(".cited-lead").text == "The docs do not answer this yet."
    assert [link.text for link in box.all("li a.cited-link")] == ["Install › With pip", "Install › Code"]
    assert "pip install x" not in box.text
    accepted = block(published(replace(item, accepted_by="Ada")).pages["faq/"])
    assert accepted.one(".cited-lead").text == "Not documented"


def test_an_abstention_is_told_in_one_box() -> None:
    """In the preview with its findings, and to readers without."""
    finding = found("not-documented", Place("docs/faq.md", 3), "The docs do not answer it.", tip="document it")
    item = replace(
        answer("x", RETRIES, findings=(finding,)), content="", status=Status.ABSTAINED, citations=(), claims=(),
        model="claude",
    )  # fmt: skip
    (box,) = block(published(item, serve=True).pages["faq/"]).all(".admonition")
    assert all(words in box.text for words in ("Not documented", "docs/faq.md:3", "document it"))
    assert "docs/faq.md:3" not in published(item).pages["faq/"]


def test_states_and_findings_are_for_the_preview_only() -> None:
    finding = found("missing-citation", Place("docs/faq.md", 3), "A claim has no citation.", tip="add `[^1]`")
    item = answer("A.", status=Status.FAILED, findings=(finding,), reason="It fell short.")
    assert "missing-citation" not in published(item).pages["faq/"]
    shown = block(published(item, serve=True).pages["faq/"]).one(".cited-notice").text
    for words in ("Did not pass the review", "It fell short.", "missing-citation", "docs/faq.md:3", "add [^1]"):
        assert words in shown


def test_a_wrong_answer_waits_for_its_author_and_a_right_one_for_an_approval() -> None:
    """Both are pending; pages and the preview say which of the two it is."""
    text = passage("Requests are limited to 600 per minute.")
    titles, states = [], []
    for slug in ("altered-number", "unapproved-answer"):
        finding = found(slug, Place("docs/faq.md", 3), "It says so.", answer="faq.md#limits")
        item = answer("There is a limit.[^1]", text, status=Status.WAITING, findings=(finding,))
        titles.append(block(published(item, serve=True).pages["faq/"]).one(".cited-notice .admonition-title").text)
        states.append(block(published(item).pages["faq/"]).one(".cited-state").text)
    assert titles == states == ["Did not pass the review", "Waiting for approval"]


def test_lines_under_an_answer_are_opted_into() -> None:
    options = Render(disclosure="Written by a model.")
    item = answer("A.[^1]", RETRIES, model="m")
    page = block(published(item, settings=Settings(footnotes="folded", render=options)).pages["faq/"])
    assert page.one(".cited-foot ~ .cited-aside").text == "Written by a model."
    assert page.one("details > summary.cited-head").text.startswith("Sources (1)")
    never = Settings(footnotes="open")
    assert block(published(item, settings=never).pages["faq/"]).all(".cited-foot ~ .cited-aside, details") == []


@pytest.mark.parametrize("several", [False, True])
def test_footnotes_are_folded_on_pages_with_several_answers(several: bool) -> None:
    """All of a page are shown in one way."""
    items = [answer("Five.[^1]", RETRIES, id=name) for name in ("limits", "other")[: 1 + several]]
    page = Dom.parse(published(*items).pages["faq/"])
    assert len(page.all("details:not([open]) > ol.cited-notes")) == (2 if several else 0)
    assert len(page.all(".cited-notes li")) == len(items)


def test_code_in_a_question_and_in_a_quote_is_code() -> None:
    run = replace(RUN, code_spans=((4, 7),))
    item = answer("Run it.[^1]", run, question="What does `pip` do?")
    out = published(item)
    assert block(out.pages["faq/"]).one("blockquote code").text == "pip"


def test_links_in_the_text_are_relative_to_the_page_that_shows_it() -> None:
    text = "[a](guide/install.md#pip) [b](https://x.example) [c](img/c.png) [d](../../etc) [e](/abs)"
    out = block(published(answer(text)).pages["faq/"])
    assert [link.attr("href") for link in out.all("p a")] == [
        "../guide/install/#pip",
        "https://x.example",
        "../img/c.png",
        "",
        "/abs",
    ]


def test_an_answer_that_repeats_its_source_on_the_same_page_links_past_itself() -> None:
    """A quoted answer is verbatim: the browser must not stop at the answer, so the element alone is named."""
    item = answer("It retries 5 times. Then it stops.[^1]", RETRIES, page="guide/install.md")
    html = f"{HTML}<!-- answer: limits -->"
    page = SitePage("guide/install.md", "guide/install/", html, asks={"limits": item.key})
    out = publish([item], site(page), Settings()).pages["guide/install/"]
    link = block(out).one("a.cited-link").attr("href")
    assert re.fullmatch("#cited-block-[a-z2-7]{10}", link)
    assert f'<p id="{link[1:]}">It retries' in out


def test_a_site_can_override_a_template() -> None:
    loader = jinja2.DictLoader({"cited/source.html": "<p>my {{ note.label }}</p>"})
    assert "<p>my Install › With pip</p>" in published(answer("A.[^1]", RETRIES), loader=loader).pages["faq/"]


def test_a_template_that_cannot_be_filled_is_named(tmp_path: Path) -> None:
    """With its line: which of a site's templates is meant, Jinja's own words do not say."""
    template = tmp_path / "cited/source.html"
    template.parent.mkdir()
    for text, says in (("<p>\n{{ nonesuch }}", "2: .*'nonesuch' is undefined"), ("{% if %}", "1: .*Expected")):
        template.write_text(text, encoding="utf-8")
        loader = jinja2.FileSystemLoader(tmp_path)
        with pytest.raises(CitedError, match=f"cited/source.html:{says}"):
            published(answer("A.[^1]", RETRIES), loader=loader)


def test_hostile_words_are_escaped_everywhere() -> None:
    bad = '<img src=x onerror=alert(1)>"'
    item = answer(f"{bad}[^1]", passage(bad, title=bad), id="x", question=bad, reason=bad, status=Status.WAITING)
    out = published(item, serve=True)
    assert "<img" not in out.pages["faq/"]


def test_characters_that_steer_are_spelled_out_in_pages_and_their_notices() -> None:
    """In messages, names, answers and quotes; marks of direction go, but for those of Hebrew and Arabic prose."""
    said = "Keys\x1b[31m last \u202e24\x00 \u200f hours."
    finding = found("unknown-option", Place("faq.md"), said, tip=said)
    item = answer(f"{said}[^1]", passage(said), findings=(finding,), question=said, reason=said)
    other = answer("\u05d0\u200f 24.[^1]", RETRIES, id="other")
    page = published(item, other, serve=True).pages["faq/"]
    assert not re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert page.count("\u200f") == page.count("\u05d0") > 0
    assert "␛[31m last ⟨U+202E⟩24␀" in page


@pytest.mark.parametrize("language", sorted(_all()))
def test_every_language_has_every_label(language: str) -> None:
    """And each keeps the places for its values."""
    own, english = Labels(language)._words, Labels("en")._words
    assert own.keys() == english.keys()
    for key, text in english.items():
        assert {part.partition("}")[0] for part in text.split("{")[1:]} == {
            part.partition("}")[0] for part in own[key].split("{")[1:]
        }, key


def test_labels_follow_the_language_of_the_page() -> None:
    item = answer("A.[^1]", RETRIES)
    page = replace(faq(item.key), locale="de-CH")
    assert 'aria-label="Quellen"' in publish([item], site(INSTALL, page), Settings()).pages["faq/"]


def test_cited_json_holds_to_its_schema() -> None:
    item = answer("A.[^1]\nB.[^2]", RETRIES, SECRET)
    item = replace(item, consulted=item.sources, retries=1)
    schema = json.loads(files("mkdocs_cited.render").joinpath("cited.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(published(item).files["cited.json"]), schema)


def test_cited_json_holds_no_texts_of_passages() -> None:
    """Readers load it: what is cited is there with its quote, and nothing that was only consulted."""
    item = answer("A.[^1]", passage("It retries 5 times. " * 30), quotes=("It retries 5 times.",))
    item = replace(item, accepted_by="Ann", accepted_on="2026-11-03", consulted=item.sources)
    (data,) = json.loads(published(item).files["cited.json"])["answers"]
    assert data["sources"][0]["quote"] == "It retries 5 times."
    assert (data["anchor"], data["accepted_by"], data["accepted_on"]) == ("cited-limits", "Ann", "2026-11-03")
    assert not {"consulted", "unknown", "value"} & data.keys()
    assert not {"text", "reasoning"} & data["sources"][0].keys()


def test_answers_come_in_the_order_of_their_page() -> None:
    later, first = answer("A.[^1]", RETRIES, id="a"), answer("B.[^1]", RETRIES, id="b")
    page = faq(first.key, later.key)
    data = json.loads(publish([later, first], site(INSTALL, page), Settings()).files["cited.json"])
    assert [(item["id"], item["position"]) for item in data["answers"]] == [("b", 1), ("a", 2)]


def test_addresses_in_cited_json_start_at_the_root() -> None:
    (data,) = json.loads(published(answer("A.[^1]", RETRIES)).files["cited.json"])["answers"]
    assert data["url"] == "faq/"
    assert data["sources"][0]["href"].startswith("guide/install/#cited-")


def test_what_is_published_twice_is_the_same_to_the_byte() -> None:
    items = [answer("A.[^1]", RETRIES, id="a"), answer("B.[^1]", RUN, id="b")]
    first, second = published(*items), published(*items)
    assert dict(first.pages) == dict(second.pages)
    assert dict(first.files) == dict(second.files)


def test_code_of_an_answer_is_highlighted() -> None:
    """And no more of a language's name is taken than what it is."""
    item = answer('So:[^1]\n\n```python\nif x: <b>\n```\n\n```x" onclick=\nif x\n```', RETRIES)
    first, second = block(published(item).pages["faq/"]).all("div.highlight > pre > code")
    assert first.text == "if x: <b>\n"
    assert "if" in [span.text for span in first.all("span.k")]
    assert (second.text, second.all("span")) == ("if x\n", [])


def test_a_file_is_named_once() -> None:
    """With its lines; one that has a name of its own, by both."""
    code = Page("src/cache.py", "https://x.example/src/cache.py", "src/cache.py", type=SourceType.FILE)
    named = replace(code, src="CHANGES.md", title="the changelog")
    cited = [replace(passage("TTL is 30.", page=page), lines=(3, 4)) for page in (code, named)]
    notes = block(published(answer("A.[^1] B.[^2]", *cited)).pages["faq/"]).all(".cited-notes li > p")
    shown = [" ".join(note.text.replace("↩\ufe0e", "").split()) for note in notes]
    assert shown == ["src/cache.py:3-4", "the changelog CHANGES.md:3-4"]
