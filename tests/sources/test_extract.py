"""A page's HTML becomes what a reader can be shown: no more, no less, under ids that last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.source import Page, Passage, PassageKind, SourceType
from tests.corpora import extract

PAGE = Page("guide/page.md", "guide/page/", "Page")
CASES = yaml.safe_load(Path(__file__).with_name("extract.yml").read_text(encoding="utf-8"))


def shown(passage: Passage) -> str:
    lead = f" ← {passage.lead}" if passage.lead else ""
    return f"{passage.kind} {passage.section.anchor}: {passage.text}{lead}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_page_becomes_passages(case: dict[str, Any]) -> None:
    """The cases of `extract.yml`."""
    passages = extract(PAGE, case["html"])
    assert [shown(passage) for passage in passages] == case["passages"]
    assert len({passage.id for passage in passages}) == len(passages)
    assert [passage.position for passage in passages] == list(range(len(passages)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>On the free plan:</p><p>Ten.</p>", ["On the free plan: ", "Ten. < On the free plan:"]),
        ("<p>Not so:</p><ul><li>a<ul><li>b</li></ul></li></ul>", ["Not so: ", "a < Not so:", "b < Not so: < a"]),
        ("<p>Myth:</p><table><tr><th>k</th></tr><tr><td>v</td></tr></table>", ["Myth: ", "v < Myth:"]),
        (
            '<div class="admonition failure"><p class="admonition-title">Wrong</p><p>Use it.</p></div>',
            ["Use it. < failure: Wrong"],
        ),
        ('<div class="admonition note"><p class="admonition-title">Note</p><p>x</p></div>', ["x < note:"]),
        ('<div class="admonition failure"><p class="admonition-title">It works</p></div>', ["It works < failure:"]),
        (
            '<div class="tabbed-set"><div class="tabbed-labels"><label>Free</label><label>Pro</label></div>'
            '<div class="tabbed-content"><div class="tabbed-block"><p>1</p></div><div class="tabbed-block"><p>2</p>'
            "</div></div></div>",
            ["1 < Free", "2 < Pro"],
        ),
    ],
)
def test_what_stands_over_a_passage_is_told(html: str, expected: list[str]) -> None:
    """It may take back what the passage says: lead-ins, kinds and titles of boxes, labels of tabs, outermost first."""
    found = [f"{item.text} {''.join(f'< {label} ' for label in item.labels)}" for item in extract(PAGE, html)]
    assert [line.rstrip() for line in found] == [line.rstrip() for line in expected]


@pytest.mark.parametrize(
    "style",
    [
        "display:/**/none", "color: red; DISPLAY : none !important", "visibility: hidden", "opacity: .0", "opacity:0%",
        "font-size: 0px", "text-decoration: underline line-through", "text-decoration-line:line-through",
    ],
)  # fmt: skip
def test_a_style_that_hides_words_hides_them_from_us(style: str) -> None:
    """Nobody reads them on the page, so they prove nothing."""
    assert [item.text for item in extract(PAGE, f'<p>It is <span style="{style}">not</span> so.</p>')] == ["It is so."]


@pytest.mark.parametrize(
    "style",
    [
        "margin-left:-0.1667em", "color: #000", "color: rgb(0,0,0)", "color: hsl(120, 100%, 0%)", "color: transparent",
        "width: 0.5em", "opacity: 0.5", "transform: rotate(180deg)", "margin: var(--space-100)", "font-size: 0.85em",
    ],
)  # fmt: skip
def test_other_styles_hide_nothing(style: str) -> None:
    """Colour hides nothing, and what is moved or made smaller is read."""
    assert [item.text for item in extract(PAGE, f'<p style="{style}">So it is.</p>')] == ["So it is."]


@pytest.mark.parametrize("tag", ["del", "s", "strike"])
def test_what_is_struck_out_is_marked(tag: str) -> None:
    """The words stay, since a reader sees them; what a page states is without them."""
    html = f"<p>It does <{tag}>not <code>a</code></{tag}> work.</p><table><tr><th>k</th><th>l</th></tr><tr><td>a</td>"
    first, row = extract(PAGE, f"{html}<td><{tag}>b</{tag}></td></tr></table>")
    assert (first.text, first.stated) == ("It does not a work.", "It does       work.")
    assert row.stated.split() == ["a"]
    assert first.code_spans == ((12, 13),)


def test_ids_name_page_section_and_content() -> None:
    """The same text twice in a section is told apart by a number; types follow what a passage is."""
    first, second = extract(PAGE, '<h2 id="pip">Pip</h2><p>Run it.</p><p>Run it.</p>')
    assert first.id.startswith("guide/page.md#pip~")
    assert second.id == f"{first.id}.2"
    assert first.hash == second.hash
    (term,) = extract(PAGE, "<dl><dt>A</dt><dd>B</dd></dl>")
    assert (term.kind, term.type) == (PassageKind.DEFINITION, SourceType.DEFINITION)


def test_breadcrumbs_lead_from_the_page_down() -> None:
    """A heading that repeats the page's title adds nothing; one without an id is reached by the anchor before it."""
    html = '<h1 id="page">Page</h1><p>a</p><h2 id="b">B</h2><p>b</p><h4>C</h4><p>c</p><h2 id="d">D</h2><p>d</p>'
    found = [(item.section.anchor, item.section.breadcrumb) for item in extract(PAGE, html)]
    assert found == [
        ("page", ("Page",)),
        ("b", ("Page", "B")),
        ("b", ("Page", "B", "C")),
        ("d", ("Page", "D")),
    ]


def test_inline_code_cells_and_links_are_kept_beside_the_text() -> None:
    """Reviewers need to know what was code; ranking, where links lead."""
    (words, row) = extract(
        PAGE,
        '<p>Set  <code>max  age</code>, <a href="../x/" title="About x">see</a>.</p>'
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><code>two</code></td></tr></table>",
    )
    assert words.text == "Set max age, see."
    assert [words.text[start:end] for start, end in words.code_spans] == ["max age"]
    assert [(words.text[start:end], to) for start, end, to in words.targets] == [("see", "guide/x/")]
    assert (row.cells, row.header) == (("1", "two"), ("A", "B"))
    assert [row.text[start:end] for start, end in row.code_spans] == ["two"]


@given(st.lists(st.sampled_from(["a", " ", "<code>", "</code>", "<code></code>", "<b>", "</b>"])).map("".join))
def test_white_space_around_inline_code_collapses(html: str) -> None:
    """Marking code neither adds nor keeps a space that a browser would not show."""
    plain = html.replace("<code>", "<i>").replace("</code>", "</i>")
    passages = extract(PAGE, f"<p>{html}</p>")
    assert [item.text for item in passages] == [item.text for item in extract(PAGE, f"<p>{plain}</p>")]
    for item in passages:
        assert all(item.text[start:end].strip() == item.text[start:end] != "" for start, end in item.code_spans)


def test_a_definition_is_quoted_with_its_term() -> None:
    """The first sentence of a definition begins with the term, so that a quote says what it defines."""
    (term,) = extract(PAGE, "<dl><dt>A. B.</dt><dd>First one. Second one.</dd></dl>")
    assert term.sentence_texts() == ("A. B. First one.", "Second one.")


PIECES = st.sampled_from(
    ["<p>", "</p>", "<h2 id=a>", "</h2>", "<ul>", "<ol>", "<li>", "</li>", "</ul>", "<dl>", "<dt>", "<dd>", "</dl>",
     "<table>", "<tr>", "<td>", "<th>", "</table>", "<pre>", "<code>", "</code>", "</pre>", "<div class=highlight>",
     "<div class=admonition>", "<p class=admonition-title>", "<details>", "<summary>", "</details>", "<b>", "</b>",
     "<a href=b/>", "</a>", "<br>", "<sup id=fnref:1><a class=footnote-ref href=#fn:1>", "<div class=footnote>",
     "<div class=tabbed-set>", "<div class=tabbed-labels>", "<label>", "<div class=tabbed-content>",
     "<div class=tabbed-block>", "</div>", "<script>", "</script>", "<!--", "-->", "<template>", "<svg>", "<math>",
     "<span hidden>", "<div data-cited-answer>", "<abbr title=x>", "word ", "two words. ", "&amp;", "\x00", "é", "\n"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=40).map("".join))
def test_no_html_breaks_it_and_nothing_is_made_up(html: str) -> None:
    """Every passage but a definition, which repeats its term, stands in the page as a browser would show it, had its
    author closed tags."""
    body = LexborHTMLParser(html).body
    letters = "".join((body.text() if body is not None else "").split())
    for passage in extract(PAGE, html):
        assert passage.text == passage.text.strip("\n ") or passage.kind is PassageKind.CODE
        assert all(0 <= start < end <= len(passage.text) for start, end in passage.sentences)
        if passage.type is not SourceType.DEFINITION:
            rest = iter(letters)  # what is dropped may stand anywhere, what is kept keeps its order
            assert all(char in rest for char in "".join(passage.text.split()))


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=4).map(" ".join)
SECTIONS = st.dictionaries(st.sampled_from("abcdef"), st.lists(WORDS, min_size=1, max_size=4), min_size=2)


@given(SECTIONS, st.data())
def test_an_edit_elsewhere_leaves_ids_alone(sections: dict[str, list[str]], data: st.DataObject) -> None:
    """Changing one section, or the order of all, changes no id in the others."""

    def ids(of: dict[str, list[str]]) -> dict[str, list[str]]:
        html = "".join(f"<h2 id={a}>{a}</h2>" + "".join(f"<p>{t}</p>" for t in texts) for a, texts in of.items())
        found: dict[str, list[str]] = {}
        for passage in extract(PAGE, html):
            found.setdefault(passage.section.anchor, []).append(passage.id)
        return found

    before = ids(sections)
    edited = data.draw(st.sampled_from(sorted(sections)))
    moved = dict(data.draw(st.permutations(list(sections.items()))))
    moved[edited] = ["something else", *moved[edited]]
    after = ids(moved)
    assert {a: after[a] for a in sections if a != edited} == {a: before[a] for a in sections if a != edited}
    assert set(before[edited]) <= set(after[edited])


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "word " * 200_000,
        "<div>" * 200_000 + "deep",
        "<ul><li>" * 60_000 + "deep",
        "<div><p>deep</p>" * 50_000 + "</div>" * 50_000,
        "<b>" * 300_000 + "bold",
        "<p>" + "(“" * 300_000,
        "<" * 1_000_000,
        "<a" * 500_000,
        "<table><tr><td>" * 60_000,
        "<dl><dt>x<dd>" * 60_000,
    ],
    ids=lambda html: f"{html[:12]}… {len(html):,}",
)
def test_a_page_of_a_million_characters_is_read_in_seconds(html: str) -> None:
    """Depth and length exhaust neither the stack nor the author's patience, and no text is lost."""
    passages = extract(PAGE, html)
    text = collapse(LexborHTMLParser(html[-60:]).text())
    if "deep" in html or "bold" in html:
        assert text[-4:] in passages[-1].text


@pytest.mark.parametrize(
    ("coloured", "seen"),
    [
        ('<span class="k">if</span> <span class="n">a</span><span class="o">&lt;</span>1', "if a<1"),
        ('<span class="o">&</span><span class="n">lt;</span>', "&lt;"),
        ('<span class="n">a</span><span class="w">\n</span>  <span class="nb">b</span>', "a\n  b"),
        ('<span class="w">\n</span><span class="n">a</span>', "a"),
    ],
)
def test_colours_of_code_change_no_character_of_it(coloured: str, seen: str) -> None:
    """Whatever of them is taken out before a page is parsed, text and order are what a browser shows."""
    html = f'<p>Before.</p><div class="highlight"><pre><code>{coloured}</code></pre></div><p>After.</p>'
    assert [passage.text for passage in extract(PAGE, html)] == ["Before.", seen, "After."]


@pytest.mark.parametrize(
    ("icon", "sign"),
    [
        ('<img alt="❌" class="twemoji" src="https://x/274c.svg" title=":x:">', "❌"),
        ('<img alt="✅" src="https://x/2705.svg">', "✅"),
        (
            '<span class="twemoji"><svg viewBox="0 0 24 24"><path d="M19 6.41 17.59 5 12 10.59 6.41 5z"/></svg></span>',
            "❌",
        ),
        ('<span class="twemoji"><svg><path d="M21 7 9 19l-5.5-5.5 1.41-1.41L9 16.17z"/></svg></span>', "✅"),
        ('<svg class="octicon octicon-x"></svg>', "❌"),
        ("<svg><title>Yes</title></svg>", "✅"),
        ('<label class="task-list-control"><input type="checkbox" disabled></label>', "☐"),
        ('<input type="checkbox" disabled checked>', "☑"),
        ('<svg class="octicon-rocket"><path d="M1 1"/></svg>', ""),
        ('<img alt="Close the door" src="door.png">', ""),
    ],
)
def test_icons_that_say_yes_or_no_are_read(icon: str, sign: str) -> None:
    """In items and cells a sign stands for the word."""
    rows = f"<tr><th>a</th><th>b</th></tr><tr><td>Free</td><td>{icon}</td></tr>"
    html = f"<ul><li>{icon} SAML</li></ul><table>{rows}</table>"
    assert [item.text for item in extract(PAGE, html)] == [f"{sign} SAML".strip(), f"Free {sign}".strip()]


def test_remarks_of_reviewers_are_not_said() -> None:
    """pymdownx.critic shows them in the page; they are no text of it."""
    html = '<p>It is so.<span class="critic comment">not sure</span></p>'
    assert [item.text for item in extract(PAGE, html)] == ["It is so."]


def test_tags_that_authors_leave_open_cost_no_heading() -> None:
    """HTML ends a row, cell, item or paragraph where the next begins."""
    html = f"<table>{'<tr><td>a<td>b' * 600}</table><h2 id='next'>Next</h2><p>Behind it."
    last = extract(PAGE, html)[-1]
    assert (last.section.anchor, last.text) == ("next", "Behind it.")
