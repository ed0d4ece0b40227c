"""Answers without a marker are appended under their question, of which Markdown interprets nothing."""

from __future__ import annotations

import html
import re

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.declarations.markers import find_markers, place_markers
from mkdocs_cited.declarations.page import read_page
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place

EXTENSIONS = ["attr_list", "footnotes", "toc", "wikilinks", "pymdownx.arithmatex", "pymdownx.betterem"]
EXTENSIONS += ["pymdownx.caret", "pymdownx.critic", "pymdownx.emoji", "pymdownx.highlight", "pymdownx.keys"]
EXTENSIONS += ["pymdownx.magiclink", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.tilde"]


def answer(question: str, name: str = "limits") -> Declaration:
    return Declaration("faq.md", name, question, Place("docs/faq.md"))


def test_only_answers_without_a_marker_are_appended() -> None:
    """They come at the end, in the order of the declarations."""
    page = "# FAQ\n\n<!-- answer: b -->\n"
    placed = place_markers(page, [answer("A?", "a"), answer("B?", "b"), answer("C?", "c")])
    assert placed == (
        "# FAQ\n\n<!-- answer: b -->\n\n## A? { #a }\n\n<!-- answer: a -->\n\n\n## C? { #c }\n\n<!-- answer: c -->\n"
    )
    assert place_markers(placed, [answer("A?", "a"), answer("B?", "b"), answer("C?", "c")]) == placed


def test_heading_level_and_no_attribute_lists() -> None:
    """The level is the option's; without the extension there are no braces to show."""
    assert place_markers("", [answer("A?", "a")], heading=3, attr_list=False) == "\n\n### A?\n\n<!-- answer: a -->\n"


@pytest.mark.parametrize(
    "page",
    [
        "## Limits",
        "Limits\n------",
        "## *Limits*! ##",
        "## Quotas { #limits }",
        '<a id="limits"></a>\n\n## Quotas',
        "## Límits",
    ],
)
def test_an_anchor_of_the_page_stays_where_it_is(page: str) -> None:
    """Links to it from elsewhere must not lead to the answer."""
    before = markdown.markdown(page, extensions=EXTENSIONS)
    after = markdown.markdown(place_markers(page, [answer("What are the limits?")]), extensions=EXTENSIONS)
    assert after.startswith(before)
    assert after.count('id="limits"') == 1
    assert '<h2 id="what-are-the-limits">' in after


def test_markers_in_code_do_not_place_an_answer() -> None:
    """An answer whose only marker is in code is appended, so that it is not lost."""
    page = "```\n<!-- answer: a -->\n```\n"
    assert find_markers(page) == ()
    assert place_markers(page, [answer("A?", "a")]).count("<!-- answer: a -->") == 2


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


def test_an_appended_marker_is_found_where_it_was_put() -> None:
    """What is appended counts as a marker on the next reading."""
    page = place_markers("Text.\n", [answer("What is it?", "what-is-it")])
    read = read_page("faq.md", "docs/faq.md", f"---\nanswers:\n- question: What is it?\n---\n{page}".encode())
    assert read.findings == ()
    assert find_markers(page) == ("what-is-it",)


def test_code_in_a_question_is_code_in_its_heading() -> None:
    """Whatever extensions make of code, and in the table of contents too."""
    page = markdown.Markdown(extensions=[*EXTENSIONS, "pymdownx.inlinehilite"])
    heading = html.unescape(page.convert(place_markers("", [answer("What does `#!py --x` do to `a`?")])))
    assert '<h2 id="limits">What does <code>#!py --x</code> do to <code>a</code>?</h2>' in heading
    assert html.unescape(vars(page)["toc_tokens"][0]["name"]) == "What does #!py --x do to a?"


def with_code(question: str) -> str:
    """A question with what stands between backticks as a browser's markup has it."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", question)


def shown(question: str) -> str:
    """The heading as a browser shows it, its code between tags."""
    page = markdown.markdown(place_markers("Text.", [answer(question)]), extensions=EXTENSIONS)
    heading = re.fullmatch(r'<p>Text.</p>\n<h2 id="limits">((?:[^<]|</?code>)*)</h2>\n<!-- answer: limits -->', page)
    assert heading, page
    return html.unescape(heading[1])
