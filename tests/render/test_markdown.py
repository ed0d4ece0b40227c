"""An answer's Markdown becomes HTML in the markup of footnotes, and nothing unsafe comes through."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.answer_text.markdown import LONGEST, passable
from mkdocs_cited.render.markdown import Mark, Numbers, code_block, to_html
from tests.dom import Dom

MARKS = {n: Mark(n, f"Source {n}: Install") for n in (1, 2)}


def html(content: str) -> str:
    return to_html(content, Numbers("cited-q", MARKS))


def test_a_marker_is_a_footnote_reference() -> None:
    """Its class is our own, since it has a card of ours: Material's tooltips would be in its way."""
    assert html("Five [^1].") == (
        '<p>Five<sup id="fnref:cited-q-1" data-search-exclude=""><a class="cited-ref" href="#fn:cited-q-1"'
        ' data-at="0" role="doc-noteref" aria-label="Source 1: Install">[1]</a></sup>.</p>'
    )


def test_each_use_of_a_number_has_an_id_and_a_name() -> None:
    numbers = Numbers("cited-q", MARKS)
    shown = to_html("A.[^1] B.[^2] C.[^1]", numbers)
    assert re.findall(r"<sup([^>]*)>", shown) == [
        ' id="fnref:cited-q-1" data-search-exclude=""',
        ' id="fnref:cited-q-2" data-search-exclude=""',
        ' id="fnref:cited-q-1-2" data-search-exclude=""',
    ]
    assert shown.count('aria-label="Source 1: Install"') == 2
    assert numbers.used == {1: 2, 2: 1}


@pytest.mark.parametrize(
    "content",
    ["`a[^1]`", "```\na[^1]\n```", "~~~yaml\na[^1]\n~~~", "1. Do\n\n    ```\n    a[^1]\n    ```", "``a ` [^1]``"],
)
def test_a_marker_inside_code_is_shown_as_written(content: str) -> None:
    assert "[^1]" in html(content)
    assert "<sup" not in html(content)


@pytest.mark.parametrize("content", ["A.[^9]", "A.\\[^1]", "A.[^x]"])
def test_a_marker_that_means_nothing_is_shown_as_written(content: str) -> None:
    assert "cited-ref" not in html(content)
    assert "[^" in html(content)


def test_a_definition_of_a_footnote_or_link_does_not_swallow_text() -> None:
    assert "the words" in html("[^1]: the words\n\n[1]: the words")


@pytest.mark.parametrize(
    "text", ["{{ config }}", "{% raw %}", "--8<-- &quot;x.md&quot;", "&lt;b&gt;", "&lt;!-- x --&gt;"]
)
def test_what_other_tools_would_evaluate_is_shown_as_text(text: str) -> None:
    plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    assert Dom.parse(html(plain)).text == plain


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("https://example.org/a?b=1", True),
        ("mailto:a@example.org", True),
        ("../install/#pip", True),
        ("#pip", True),
        ("javascript:alert(1)", False),
        ("JAVASCRIPT:alert(1)", False),
        ("data:text/html,x", False),
        ("//evil.example/x", False),
        ("vbscript:x", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_site_and_the_web_are_linked(target: str, kept: bool) -> None:
    assert passable(target) == (target if kept else None)
    assert (f'href="{target}"' in html(f"[see](<{target}>)")) is kept


def test_a_link_goes_through_the_resolver() -> None:
    shown = to_html("[a](x.md) [b](y.md)", Numbers("p", {}), resolve={"x.md": "../x/"}.get)
    assert '<a href="../x/">a</a>' in shown
    assert "y.md" not in shown


def test_an_image_from_elsewhere_is_only_its_words() -> None:
    assert html("![a cat](https://tracker.example/1.png)") == "<p>a cat</p>"
    assert html("![a cat](cat.png)") == '<p><img src="cat.png" alt="a cat"></p>'


def test_code_is_in_the_markup_that_themes_style() -> None:
    assert html("```own title=x\na: <b>\n```") == (
        '<div class="language-own highlight"><pre><code class="language-own">a: &lt;b&gt;\n</code></pre></div>'
    )
    assert 'class="highlight"' in code_block("x", '"><script>')
    assert "script" not in code_block("x", '"><script>')


def test_steps_keep_their_code() -> None:
    tree = Dom.parse(
        html("1. One[^1]\n\n    ```sh\n    pip install x\n    ```\n2. Two\n\n| a | b |\n|---|--:|\n| 1 | 2[^2] |")
    )
    assert len(tree.all("ol > li")) == 2
    assert tree.one("ol > li pre code").text == "pip install x\n"
    assert tree.one("td[style='text-align:right'] sup")


def test_headings_of_an_answer_stand_below_its_question() -> None:
    assert html("# A\n\n#### B") == "<h3>A</h3>\n<h4>B</h4>"


def test_a_text_beyond_all_bounds_is_shown_and_not_parsed() -> None:
    assert "**" in to_html("**a** " * LONGEST, Numbers("p", {}))


ALLOWED = re.compile(
    r"</?(?:p|br|hr|em|strong|s|code|pre|div|span|sup|a|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|h[3-6]|img)\b"
)


@given(st.text(st.sampled_from("<>&\"'[]()`*_~^1!:/ \n-|#{}%aimgsrcptonelh="), max_size=200))
def test_no_tag_or_attribute_of_the_text_survives(content: str) -> None:
    """Whatever is written, only tags of the allow-list come out, and no handler, style sheet or script with them."""
    out = html(content)
    for tag in Dom.parse(out).all("body *"):
        assert ALLOWED.match(f"<{tag.tag}"), out
        assert not any(name.startswith("on") for name in tag.attributes), out
        assert not tag.attr("href").lower().startswith(("javascript", "data", "//")), out
