"""A page's HTML is read as a browser's search sees it: blocks apart, white space collapsed, the unseen left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.render.page_text import read
from tests.hangs import guarded


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one\n  <b>two</b>, three</p><p>four</p>", "one two, three\nfour\n"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "a\nb\nc\n"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc\n"),
        ("<p>a<div>b</div>c", "a\nb\nc"),
        ("<pre><code>\n  a\n   b</code></pre>", "  a\n   b\n"),
        ("a<br>b<img src=x>c<wbr>d", "a\nb\nc\nd"),
        ("<p>a</p><!-- <p>no</p> --><script>'<p>no</p>'</script><style>p{}</style><p>b</p>", "a\nb\n"),
        ("<p hidden>no</p><svg><text>no</text></svg><template><p>no</p></template>yes", "yes"),
        ("<p title='a > b' data-x=\"<i>\">shown</p>", "shown\n"),
        ("<P CLASS='x'>upper</P>", "upper\n"),
        ("<p>1 &lt; 2 &amp;amp; 3 < 4</p>", "1 < 2 &amp; 3 < 4\n"),
        ("<p>open", "open"),
        ("</p>a</div>", "a"),
        ("<p>a&nbsp;b</p>", "a b\n"),
    ],
)
def test_text_is_what_a_reader_sees(html: str, text: str) -> None:
    assert read(html).text == text


def test_ids_headings_and_blocks_are_where_they_are_shown() -> None:
    page = read('<h2 id="a">A</h2><a id=b></a><p class="x" id=\'c&amp;\'>Text</p><div><h3 id="d">D</h3></div>')
    assert page.ids == {"a": 0, "b": 2, "c&": 2, "d": 7}
    assert page.headings == [0, 7]
    owner = page.owner(3)
    assert owner is not None
    assert (owner.tag, owner.id) == ("p", "c&")


def test_parts_that_are_shown_otherwise_are_known() -> None:
    html = '<p>a<sup><a class="footnote-ref">1</a></sup> <kbd>C</kbd></p><div><div class="tabbed-block">x</div>'
    page = read(html + '<div class="tabbed-block">y</div></div>')
    assert page.text == "a1 \nC\nx\ny\n"
    assert [page.text[slice(*span)] for span in page.spans["ignored"]] == ["1"]
    assert [page.text[slice(*span)] for span in page.spans["opaque"]] == ["C"]
    assert [page.text[slice(*span)] for span in page.spans["hidden"]] == ["y"]


TOKENS = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<li id=x>",
        "<td class='a b'>",
        "</td>",
        "<",
        ">",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        '"',
        "'",
        "<pre>",
        "</pre>",
        "<h2 id='y'>",
        "</h2>",
        "word ",
        "\n",
        "&amp;",
        "&#x",
        "<br/>",
        "<!x>",
        "<a b='",
        "é",
        "=",
    ]
)


@given(st.lists(TOKENS, max_size=40))
def test_any_text_is_read_and_every_offset_holds(parts: list[str]) -> None:
    html = "".join(parts)
    page = read(html)
    assert "\n\n" not in page.text or "<pre>" in html
    for offset, element in page.owners:
        assert 0 <= offset < len(page.text)
        assert html[element.start] == "<"
        assert html[element.start + 1 : element.name_end].lower() == element.tag
    for spans in page.spans.values():
        assert all(0 <= start < end <= len(page.text) for start, end in spans)


@pytest.mark.parametrize(
    "piece", ["<", "<a '", '<a b="', "<p>", "</p>", "<!--", "&amp;", "<a b=c ", "<b><i>", "<x ", "<b>x"]
)
def test_no_page_hangs(piece: str) -> None:
    """A page of hundreds of thousands of characters of anything is read."""
    with guarded():
        read(piece * (400_000 // len(piece)))
