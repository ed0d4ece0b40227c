"""A text fragment never highlights what stands above its passage: titles that are known, and whatever a theme adds."""

from __future__ import annotations

import pytest

from mkdocs_cited.render.links import Links
from mkdocs_cited.render.text_fragment import Directive, astray, parse, without
from tests.projects import Project
from tests.render.values import passage

HTML = '<h2 id="pip">With pip</h2>\n<p>See also:</p><ul><li>How to install it</li><li>Other</li></ul>\n'
ITEM = passage("How to install it")
PAGE = (
    "<!doctype html><title>How to install it</title><body><nav><a>How to <b>install</b> it</a></nav>"
    '<p id=a1>See also:</p><ul><li id="cited-x">How to install it</li></ul>'
)


def test_where_the_same_words_may_be_above_those_before_them_are_named() -> None:
    alone = Links({"guide/install/": HTML}.get)(ITEM, ITEM.text)
    assert alone.text == ":~:text=How%20to%20install%20it"
    careful = Links({"guide/install/": HTML}.get, repeats=lambda *_: True)(ITEM, ITEM.text)
    assert parse(careful.text) == Directive("How to install it", prefix="See also:")


def test_what_a_theme_shows_above_a_passage_is_found_on_the_built_page() -> None:
    """In markup of any kind; not what only the head holds, what stands behind it, or half of the words."""
    plain, prefixed, anywhere = (
        f"#cited-x:~:text={text}"
        for text in ("How%20to%20install%20it", "See%20also%3A-,How%20to%20install%20it", "How%20to,it")
    )
    assert astray(PAGE, [plain, prefixed, anywhere]) == {plain, anywhere}
    assert astray(PAGE.replace("<nav>", "<nav hidden>"), [plain]) == frozenset()
    assert astray(PAGE.replace('"', ""), [plain]) == {plain}


def test_a_link_without_its_words_still_has_its_id() -> None:
    one, longer = "#cited-x:~:text=How", "#cited-x:~:text=How,it"
    html = f'<a href="../x/{one}">a</a> <a href=../x/{longer}>b</a>'
    assert without(html, {one}) == f'<a href="../x/#cited-x">a</a> <a href=../x/{longer}>b</a>'
    assert without(html, {longer}) == f'<a href="../x/{one}">a</a> <a href=../x/#cited-x>b</a>'
    assert without(f'{{"href": "x/{one}"}}\n<x/{one}>', {one}) == '{"href": "x/#cited-x"}\n<x/#cited-x>'


@pytest.mark.parametrize(
    ("link", "left"),
    [
        ('"#b:~:text=How&amp;text=why"', '"#b:~:text=why"'),
        ('"#b:~:text=why&amp;text=How"', '"#b:~:text=why"'),
        ('"#b:~:text=why&text=How&text=it"', '"#b:~:text=why&text=it"'),
    ],
)
def test_of_several_words_the_wrong_ones_go(link: str, left: str) -> None:
    assert without(link, {"#cited-x:~:text=How"}) == left


def test_a_build_tries_its_links_below_a_banner(project: Project) -> None:
    """Of two passages the banner repeats one: that link leads to its block, in the page and in what machines read."""
    project.page("other.md", "# Other\n\nThe server retries five times.\n\nIt stops at noon.\n")
    text = "The server retries five times [@other.md]. It stops at noon [@other.md]."
    project.page("faq.md", f"---\nanswers:\n  - id: q\n    question: How often?\n    text: {text!r}\n---\n# FAQ\n")
    banner = '{% extends "base.html" %}{% block site_nav %}<p>It stops at noon.</p>{{ super() }}{% endblock %}'
    project.write("overrides/main.html", banner)
    project.configure(theme={"name": "mkdocs", "custom_dir": "overrides"})
    for _ in range(2):  # the second time, the answers come from the build cache
        assert project.build().code == 0
        hrefs = [source["href"] for source in project.answers()["q"]["sources"]]
        assert ["five" in href for href in hrefs] == [True, False]
        assert ":~:" not in hrefs[1]
        assert "text=It%20stops" not in project.html("faq/index.html") + project.html("cited.md")
