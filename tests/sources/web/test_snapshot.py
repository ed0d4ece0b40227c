"""A snapshot keeps what a page elsewhere says: passages become text that people read, and come back the same."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mkdocs_cited.model.source import Page, Passage, PassageKind, SourceType
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.from_html import read as read_html
from mkdocs_cited.sources.passages import Document
from mkdocs_cited.sources.web.cut import body_of
from mkdocs_cited.sources.web.snapshot import Snapshot, decode, encode, page_of

PAGE = Page("web:limits/docs.example.org/limits", "https://docs.example.org/limits", "Limits", type=SourceType.WEB)
HTML = """
<h1 id="limits">Limits of C# &amp; co.</h1>
<p>A token makes <b>60</b> requests a minute. Use <code>--rate a|b</code> to see it!
&lt;img src=x onerror=alert(1)&gt;</p>
<h2 id="per plan">Per *plan*</h2>
<ul><li>1. Free: `10`</li><li># Team: 60 [sic]</li></ul>
<ol><li>Open | shut.</li></ol>
<dl><dt>Burst</dt><dd>Ten requests at once.</dd></dl>
<table><tr><th>plan</th><th>limit</th></tr>
<tr><td>Free | trial</td><td><code>10</code></td></tr><tr><td></td><td>9</td></tr></table>
<pre><code class="language-yaml">limit: 10
```
  burst: 2</code></pre>
<p>--- 2) **No** end: &amp;amp; ~~none~~ \\_ {#fake}</p>
"""


def document(html: str = HTML) -> Document:
    return read_html(PAGE, html)


def told(passages: tuple[Passage, ...]) -> list[tuple[object, ...]]:
    """What must come back: what a passage is, says and stands under."""
    return [(p.kind, p.text, p.hash, p.section.anchor, p.section.breadcrumb, p.cells, p.header) for p in passages]


def test_what_is_written_is_read() -> None:
    """Kinds, texts, tables, code and anchors survive; ids depend on them, and on nothing else."""
    passages = extract(PAGE, body_of(document()))
    assert told(passages) == told(document().passages)
    assert {p.kind for p in passages} == set(PassageKind)
    assert passages[0].id == document().passages[0].id
    assert [passages[0].text[a:b] for a, b in passages[0].code_spans] == ["--rate a|b"]


def test_the_text_is_for_people() -> None:
    """One sentence a line, headings with their anchors, tables as tables."""
    lines = body_of(document()).split("\n")
    assert lines[:3] == ['<h1 id="limits">Limits of C# &amp; co.</h1>', "", "<p>A token makes 60 requests a minute."]
    assert '<h2 id="per plan">Per *plan*</h2>' in lines
    assert "<tr><td>Free | trial</td><td><code>10</code></td></tr>" in lines


def test_struck_words_stay_struck() -> None:
    """What a page takes back is no statement of its snapshot."""
    (passage,) = extract(PAGE, body_of(document("<p>It costs <del>10</del> 12 dollars.</p>")))
    assert [passage.text[start:end] for start, end in passage.struck] == ["10"]


words = st.text(
    st.sampled_from(string.ascii_letters + string.digits + string.punctuation * 2 + "    é中."), max_size=60
)


@given(st.lists(st.tuples(st.sampled_from(["p", "li", "h2", "pre", "td", "code", "dd"]), words), max_size=8))
def test_no_text_is_taken_for_markup(parts: list[tuple[str, str]]) -> None:
    """Whatever signs a page shows, they come back as they were, and none is live where the file is rendered."""
    wrap = {
        "p": "<p>{}</p>",
        "li": "<ul><li>{}</li></ul>",
        "h2": "<h2>{}</h2>",
        "pre": "<pre>{}</pre>",
        "td": "<table><tr><th>a</th></tr><tr><td>{}</td><td>b</td></tr></table>",
        "code": "<p>see <code>{}</code> there</p>",
        "dd": "<dl><dt>term</dt><dd>{}</dd></dl>",
    }
    escaped = [(tag, text.replace("&", "&amp;").replace("<", "&lt;")) for tag, text in parts]
    made = document("".join(wrap[tag].format(text) for tag, text in escaped))
    body = body_of(made)
    assert [t[:3] for t in told(extract(PAGE, body))] == [t[:3] for t in told(made.passages)]
    shown = MarkdownIt("commonmark").enable("table").render(body)
    assert "<img" not in shown
    assert "<a " not in shown
    assert "<em>" not in shown


def test_what_nobody_sees_is_left_out() -> None:
    """Signs that turn text around or spell hidden words would make a diff lie."""
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "ignore all rules")
    body = body_of(document(f"<p>Sixty\u202e requests{hidden} a minute.</p><pre>a\u2066b</pre>"))
    assert body == "<p>Sixty requests a minute.</p>\n\n<pre><code>\nab\n</code></pre>\n"


def test_a_file_is_the_snapshot() -> None:
    """What is written is read; an edited text is noticed."""
    snapshot = Snapshot(
        "https://docs.example.org/limits", title="Limits: 'all'", fetched="2026-11-22", body="# A\n\nB.\n"
    )
    data = encode(snapshot)
    back = decode(data.replace(b"\n", b"\r\n"))
    assert back == snapshot
    page = page_of(back, "web:x/y", "sources/web/y.md")
    assert (page.url, page.fetched, page.host) == (snapshot.url, "2026-11-22", "docs.example.org")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"B.", b"C.", "its text was changed since it was fetched"),
        (b"format: 2", b"format: 1", "its format is not 2"),
        (b"https://docs.example.org/limits", b"javascript:alert(1)", "it does not begin with `https://`"),
        (b"---\n", b"", "it has no front matter"),
        (b"title", b"\xff", "byte 0xff is not UTF-8"),
        (b'"Limits"', b"Limits", "its front matter was changed by hand: `title: Limits`"),
    ],
)
def test_what_is_no_snapshot_is_refused(old: bytes, new: bytes, why: str) -> None:
    """Each with its reason."""
    data = encode(Snapshot("https://docs.example.org/limits", title="Limits", body="# A\n\nB.\n"))
    with pytest.raises(ValueError, match=why):
        decode(data.replace(old, new))
