"""A tag that an author forgot to close, or to put in backticks, takes nothing of the page with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.model.source import Page
from mkdocs_cited.render.pagereader import read
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.unclosed_tags import unclosed_tags, without_unclosed
from tests.projects import Project

TAGS = ["button", "select", "textarea", "object", "svg", "iframe", "video", "audio", "canvas", "noscript", "template"]
TAGS += ["script", "style", "title", "nav"]
PAGE = Page("a.md", "a/", "A")
REST = '<h2 id="b">B</h2><p>It is blue.</p><section><h2 id="c">C</h2><p>It is red.</p></section>'


def passages(html: str) -> list[tuple[str, str]]:
    return [(item.section.anchor, item.text) for item in extract(PAGE, html)]


@pytest.mark.parametrize("tag", TAGS)
def test_what_follows_an_unclosed_tag_is_kept(tag: str) -> None:
    """Passages under their headings; links find them too."""
    html = f"<h1 id='a'>A</h1><p>Put the <{tag} class='x'> on top.</p>{REST}"
    assert passages(html) == [("a", "Put the on top."), ("b", "It is blue."), ("c", "It is red.")]
    assert [(item.tag, html[item.start :][:1], html[item.end - 1]) for item in unclosed_tags(html)] == [(tag, "<", ">")]
    page = read(html)
    assert page.find("It is red.", "c") is not None
    assert not page.within("opaque", *(page.find("It is red.", "c") or (0, 0)))


@pytest.mark.parametrize("tag", ["button", "object"])
def test_a_heading_that_a_browser_shows_is_kept(tag: str) -> None:
    """Closed too late, or around a section on purpose."""
    assert passages(f"<{tag}>{REST}</{tag}><p>It is on.</p>") == [
        ("b", "It is blue."), ("c", "It is red."), ("c", "It is on.")
    ]  # fmt: skip


@pytest.mark.parametrize("tag", TAGS)
def test_what_is_closed_stays_out(tag: str) -> None:
    """Controls, pictures and code that runs are no sources."""
    html = f"<p>It <{tag}>hides</{tag}> this.</p>{REST}"
    assert unclosed_tags(html) == ()
    assert "hides" not in str(passages(html))


@pytest.mark.parametrize(
    "html",
    [
        "<p><code>&lt;button&gt;</code></p>",
        "<!-- <button> -->",
        '<p title="a <button> b">x</p>',
        "<script>x = '<button>'</script>",
        "<textarea><button></textarea>",
        "<svg viewBox='0 0 1 1'/>",
        "<p><buttons></p>",
    ],
)
def test_what_only_looks_like_a_tag_is_none(html: str) -> None:
    assert unclosed_tags(html) == ()


@given(
    st.lists(
        st.sampled_from(["<button>", "</button>", "<h2>", "</h2>", "<svg", "/>", "<!--", "-->", "a", '"', "<textarea>"])
    )
)
def test_offsets_stay(pieces: list[str]) -> None:
    """Nothing moves, and nothing but tags goes."""
    html = "".join(pieces)
    mended = without_unclosed(html)
    assert len(mended) == len(html)
    assert all(after in (before, " ") for before, after in zip(html, mended, strict=True))


def test_the_build_names_page_and_line(project: Project) -> None:
    """For information on a page that declares no answer; on one that does a warning, so an error under `--strict`. The
    answer rests on what stands behind the tag."""
    forms = "# Forms\n\nUse `<button>` or:\n\nPut the <button> on top.\n\n## Limits\n\nA form has 40 fields.\n"
    asking = "---\nanswers:\n  - question: How many fields does a form have?\n---\n"
    project.page("forms.md", forms)
    project.page("faq.md", f"{asking}# FAQ\n")
    result = project.build("--strict")
    assert result.code == 0, result.output
    assert "40 fields" in project.answers()["how-many-fields-does-a-form-have"]["content"]
    said = project.cited("check").output
    assert "docs/forms.md:5:9  info  broken-page" in said
    assert "`<button>` is not closed" in said
    project.page("faq.md", f"{asking}{forms}")
    result = project.build("--strict")
    assert (result.code, "docs/faq.md:9:9  warning  broken-page" in result.output) == (1, True)
