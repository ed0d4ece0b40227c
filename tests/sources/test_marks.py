"""Marks of a rendered page become claims with places, and elements for their citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import markdown
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.declarations import PageDeclarations
from mkdocs_cited.declarations.front_matter import source_text
from mkdocs_cited.declarations.in_markdown import Places, without_marks
from mkdocs_cited.mkdocs_host.claims import claims_of
from mkdocs_cited.model.source import Page, SitePage
from mkdocs_cited.sources.marks import read_marks

CASES = yaml.safe_load(Path(__file__).with_name("marks.yml").read_text(encoding="utf-8"))
EXTENSIONS = ["admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc"]
EXTENSIONS += ["pymdownx.blocks.admonition", "pymdownx.critic", "pymdownx.emoji", "pymdownx.magiclink"]
EXTENSIONS += ["pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tilde"]
PAGE = Page("page.md", "page/", "Page")


def rendered(text: str) -> tuple[str, PageDeclarations]:
    """A page's HTML with elements for its citations, and its claims."""
    html = markdown.markdown(text, extensions=[*EXTENSIONS, Places()])
    marks = read_marks(PAGE, html)
    file = PageDeclarations(source_text("docs/page.md", text))
    return marks.html, claims_of(SitePage("page.md", "page/", html, "en"), marks, file, quiet=False)


def told(found: PageDeclarations) -> list[str]:
    if not found.declarations:
        return []
    (declaration,) = found.declarations
    return [
        f"{claim.place.line}:{claim.place.column} {text}{' (quiet)' * claim.quiet}"
        for text, claim in zip(declaration.text.split("\n\n"), declaration.prose, strict=True)
    ]


def reported(found: PageDeclarations) -> list[str]:
    return [f"{item.place.line}:{item.place.column} {item.message}" for item in found.findings]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_marks_become_claims(case: dict[str, Any]) -> None:
    """The cases of `marks.yml`."""
    html, found = rendered(case["markdown"])
    assert told(found) == case["claims"]
    assert reported(found) == case.get("reported", [])
    shown = sum(not claim.endswith("(quiet)") for claim in case["claims"])
    assert html.count("<span data-cited-mark=") == shown


def test_an_element_stands_where_the_number_is_shown() -> None:
    """Right behind the word, once a claim, and before its full stop."""
    html, _ = rendered("It is fast [@a.md#x] and small [@b.md#y; c.md]. So it is. [@a.md]")
    assert html == (
        '<p>It is fast and small<span data-cited-mark="0"></span>. So it is.<span data-cited-mark="1"></span></p>'
    )


@pytest.mark.parametrize(
    "html",
    [
        "<p>It is 30 [@../src/a.py#TTL].</p>",  # of a notebook, or of any other generator
        "<div>It is 30\n[@../src/a.py#TTL].</div>",
        '<p>It is 30<span data-cited-mark="../src/a.py#TTL"></span>.</p>',
    ],
)
def test_a_mark_that_nothing_interpreted_is_found(html: str) -> None:
    """As text, outside of code; or as the element that stands for it in a built page."""
    marks = read_marks(PAGE, html)
    assert [claim.text for claim in marks.claims] == ["It is 30 [@../src/a.py#TTL]."]
    assert '30<span data-cited-mark="0"></span>.' in marks.html


@pytest.mark.parametrize(
    "html",
    [
        "<p>It is <code>[@a.md#x]</code>.</p>",
        "<pre>[@a.md#x]</pre>",
        "<script>[@a.md#x]</script>",
        '<p title="30 [@a.md#x]">It is.</p>',
        "<!-- It is 30 [@a.md#x]. -->",
        "<p>It is said [@Jarse.2023], [@doi:10.7554/eLife.32822], [@a.md](b).</p>",
    ],
)
def test_code_comments_and_keys_of_others_are_left_alone(html: str) -> None:
    """Byte for byte."""
    assert read_marks(PAGE, html).html == html


def test_a_mark_that_no_reader_sees_is_told() -> None:
    """It is not silently taken for proof."""
    marks = read_marks(PAGE, "<p hidden>It is 30 [@a.md#x].</p><p>It is 31 [@a.md#y].</p>")
    assert [marks.targets[number] for number in marks.unread] == ["a.md#x"]


def test_feeds_show_no_marks() -> None:
    """They are taken out of the Markdown; what is none of ours stays."""
    assert without_marks("It is 30 [@a.md#x]. See [@smith2020].") == "It is 30. See [@smith2020]."


PIECES = [*"It is 60. so [@a.md#x] [@!b.md] ` | - > |-|-| <b> *".split(), "\n", "\n\n", "    ", "```\n", "<!--", "</p>"]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_page_stops_it(parts: list[str]) -> None:
    """Each claim has a block of its own, and each mark is a claim's or is told."""
    marks = read_marks(PAGE, markdown.markdown(" ".join(parts), extensions=[*EXTENSIONS, Places()]))
    assert all("\n\n" not in claim.text for claim in marks.claims)
    covered = [number for claim in marks.claims for number in claim.marks]
    assert sorted({*covered, *marks.unread}) == list(range(len(marks.targets)))


@given(st.text(st.sampled_from("<>/!-\"'= abcode[@].#\n"), max_size=200))
def test_no_html_stops_it(html: str) -> None:
    """Whatever is between the tags."""
    read_marks(PAGE, html + "[@a.md#x]")
