"""Answers without a marker are appended under their question, of which Markdown interprets nothing."""

from __future__ import annotations

import html
import re
from pathlib import Path

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown.extensions import Extension

from mkdocs_cited.declarations.in_markdown import Places
from mkdocs_cited.model.declaration import SLOT, Declaration
from mkdocs_cited.model.finding import Place

EXTENSIONS = ["attr_list", "footnotes", "toc", "wikilinks", "pymdownx.arithmatex", "pymdownx.betterem"]
EXTENSIONS += ["pymdownx.caret", "pymdownx.critic", "pymdownx.emoji", "pymdownx.highlight", "pymdownx.keys"]
EXTENSIONS += ["pymdownx.magiclink", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.tilde"]


def page(text: str, *asked: Declaration, heading: int = 2) -> str:
    """A page's HTML, rendered with its answers' places."""
    places = Places(heading=heading)
    places.asked = asked
    return markdown.markdown(text, extensions=[*EXTENSIONS, places])


def answer(question: str, name: str = "limits") -> Declaration:
    return Declaration("page.md", name, question, Place("docs/page.md"))


def test_only_answers_without_a_marker_are_appended() -> None:
    """They come at the end, in the order of the declarations."""
    html = page("# FAQ\n\n<!-- answer: b -->\n", answer("A?", "a"), answer("B?", "b"), answer("C?", "c"))
    assert html == (
        '<h1 id="faq">FAQ</h1>\n<!-- answer: b -->\n\n<h2 id="a">A?</h2>\n<!-- answer: a -->\n'
        '<h2 id="c">C?</h2>\n<!-- answer: c -->'
    )


def test_the_level_of_a_heading_is_the_options() -> None:
    """And the table of contents knows it."""
    places = Places(heading=3)
    places.asked = (answer("A?", "a"),)
    page = markdown.Markdown(extensions=["toc", places])
    assert page.convert("<!-- -->").removeprefix("<!-- -->").strip() == '<h3 id="a">A?</h3>\n<!-- answer: a -->'
    assert vars(page)["toc_tokens"][0]["id"] == "a"


@pytest.mark.parametrize(
    "text",
    [
        "## Limits",
        "Limits\n------",
        "## *Limits*! ##",
        "## Quotas { #limits }",
        '<a id="limits"></a>\n\n## Quotas',
        "## Límits",
    ],
)
def test_an_anchor_of_the_page_stays_where_it_is(text: str) -> None:
    """Links to it from elsewhere must not lead to the answer."""
    before = markdown.markdown(text, extensions=EXTENSIONS)
    after = page(text, answer("What are the limits?"))
    assert after.startswith(before)
    assert after.count('id="limits"') == 1
    assert '<h2 id="what-are-the-limits">' in after


def test_markers_in_code_do_not_place_an_answer() -> None:
    """An answer whose only marker is in code is appended, so that it is not lost."""
    for text in ("```\n<!-- answer: a -->\n```\n", "    <!-- answer: a -->", "`<!-- answer: a -->`"):
        places = Places()
        places.asked = (answer("A?", "a"),)
        html = markdown.markdown(text, extensions=["fenced_code", places])
        assert len(SLOT.findall(html)) == 1
        assert "<h2>A?</h2>" in html or '<h2 id="a">' in html


def test_a_marker_that_a_snippet_brings_places_an_answer(tmp_path: Path) -> None:
    """What counts is the page as it is rendered."""
    (tmp_path / "part.md").write_text("<!-- answer: a -->\n")
    places = Places()
    places.asked = (answer("A?", "a"),)
    options = {"pymdownx.snippets": {"base_path": [str(tmp_path)]}}
    extensions: list[str | Extension] = ["pymdownx.snippets", places]
    html = markdown.markdown('One.\n\n--8<-- "part.md"\n\nTwo.', extensions=extensions, extension_configs=options)
    assert html == "<p>One.</p>\n<!-- answer: a -->\n\n<p>Two.</p>"


def test_what_is_rendered_within_a_page_gets_no_answers() -> None:
    """Docstrings and excerpts are rendered with the same extensions."""
    places = Places()
    places.asked = (answer("A?", "a"),)
    assert "answer: a" in markdown.markdown("One.", extensions=[places])
    assert markdown.markdown("One.", extensions=[places]) == "<p>One.</p>"


@pytest.mark.parametrize(
    "question",
    [
        "What is `x` & *y* __z__ <b>bold</b> [l](u) ![i](u) <https://a.b>?",
        "How do {{ macros }} and {% raw %} and {: .attr } { #id } behave?",
        '--8<-- "secret.txt"',
        "What costs $5 :smile: ~~s~~ ==m== ^^i^^ H~2~O (c) a --> b ++ctrl+c++ {++x++}",
        "https://a.b/c www.example.com me@example.com @user #1 [[wiki]] [^1] &amp; &copy; \\*e C#",
        "Is 1. a list, or - this, or > that | so?",
        "#",
    ],
)
def test_a_question_is_shown_as_it_is_written(question: str) -> None:
    """Neither Markdown, nor its extensions, nor HTML change a character of it; between backticks stands code."""
    assert shown(question) == with_code(question)


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1).filter(str.strip))
def test_any_ascii_question_is_shown_as_it_is_written(question: str) -> None:
    """The same for everything that can be typed; white space is collapsed."""
    assert shown(question) == with_code(" ".join(question.split()))


def test_code_in_a_question_is_code_in_its_heading() -> None:
    """Whatever extensions make of code, and in the table of contents too."""
    places = Places()
    places.asked = (answer("What does `#!py --x` do to `a`?"),)
    page = markdown.Markdown(extensions=[*EXTENSIONS, "pymdownx.inlinehilite", places])
    heading = html.unescape(page.convert("Text."))
    assert '<h2 id="limits">What does <code>#!py --x</code> do to <code>a</code>?</h2>' in heading
    assert html.unescape(vars(page)["toc_tokens"][0]["name"]) == "What does #!py --x do to a?"


def with_code(question: str) -> str:
    """A question with what stands between backticks as a browser's markup has it."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", question)


def shown(question: str) -> str:
    """The heading as a browser shows it, its code between tags."""
    shown = page("Text.", answer(question))
    heading = re.fullmatch(r'<p>Text.</p>\n<h2 id="limits">((?:[^<]|</?code>)*)</h2>\n<!-- answer: limits -->', shown)
    assert heading, shown
    return html.unescape(heading[1])
