"""The table of contents that the writer has at hand: what is in it, what is left out first, and that it is said."""

from __future__ import annotations

from mkdocs_cited.model.source import Page, Scope
from mkdocs_cited.providers.anthropic.prompt import Contents, Heading, nearby, outline, within
from mkdocs_cited.search.index import Index
from tests.providers.site import KEYS, SITE, declaration
from tests.search.test_select import FILLER, SECURITY
from tests.search.test_select import KEYS as KEYS_PAGE


def site(pages: int, folders: int = 1) -> Index:
    """Pages with one heading each, in folders."""
    index = Index.open(None)
    html = "<h2 id=rotate>Rotate a key</h2><p>Press it.</p><h3 id=why>Why it matters</h3><p>It does.</p>"
    index.sync(
        (Page(f"f{number % folders}/page{number}.md", f"f{number % folders}/page{number}/", f"Page {number}"), html)
        for number in range(pages)
    )
    return index


def headings(index: Index) -> tuple[Heading, ...]:
    return outline(index, Scope())


def test_each_page_has_its_path_and_title() -> None:
    """Headings are those of the pages near a question, and follow behind its sections."""
    assert within(headings(site(1)), 1000).endswith("\n\nf0/page0.md — Page 0")


def test_folders_are_folded_where_there_is_no_room() -> None:
    """What is left out is said, and counted."""
    index = site(8, folders=2)
    assert "f1/page7.md — Page 7" in within(headings(index), 200)
    assert within(headings(index), 60).endswith("\n\nf0/ (4 pages)\nf1/ (4 pages)")


def test_a_page_without_text_is_no_place_to_read() -> None:
    """A page that only asks questions is in no table of contents, of a large site neither."""
    index = Index.open(None)
    pages = [
        (Page(f"f/page{number}.md", f"f/page{number}/", f"Page {number}"), "<p>It does.</p>") for number in range(9)
    ]
    index.sync([*pages, (Page("f/faq.md", "f/faq/", "FAQ"), "<h1>FAQ</h1><h2 id=q>How?</h2>")])
    assert "FAQ" not in within(headings(index), 1000)
    assert within(headings(index), 60).endswith("\n\nf/ (9 pages)")


def test_the_pages_follow_the_navigation() -> None:
    """Where it is known; it is made once for all questions of a scope."""
    contents = Contents()
    text = contents.of(declaration(), SITE, ("guide/options.md", "guide/keys.md"))
    assert [line.split(" — ")[0] for line in text.splitlines() if " — " in line] == [
        "guide/options.md",
        "guide/keys.md",
        "guide/limits.md",
    ]
    assert contents.of(declaration(question="Another?"), SITE) == text
    scoped = contents.of(declaration(sources=("guide/keys.md",)), SITE)
    assert "guide/options.md" not in scoped
    assert KEYS.page.title in scoped


def test_a_heading_without_a_text_is_left_out() -> None:
    """Such as the question of an answer on the page that asks it."""
    asked = Page("faq.md", "faq/", "FAQ"), "<h2 id=q>May I?</h2><h2 id=more>More</h2><p>There is more.</p>"
    index = Index.open(None)
    index.sync([asked])
    assert nearby(declaration(), index, index.pages(), ()).endswith("\nfaq.md\n #more")


def test_headings_near_the_question_are_named() -> None:
    """Without those whose sections are given."""
    index = Index.open(None)
    index.sync([KEYS_PAGE, SECURITY, *FILLER])
    asked = declaration("How do I rotate an API key?")
    text = nearby(asked, index, index.pages(), ())
    assert "guide/keys.md\n #rotate Rotate a key\n #revoke Revoke a key" in text
    assert "#rotate" not in nearby(asked, index, index.pages(), ("guide/keys.md#rotate",))


def test_of_pages_with_equal_headings_the_first_stands_for_all() -> None:
    """Such as the same page of another version."""
    index = Index.open(None)
    copies = [(Page(f"v{number}/keys.md", f"v{number}/keys/", "API keys"), KEYS_PAGE[1]) for number in (1, 2)]
    index.sync(copies)
    text = nearby(declaration(), index, reversed(index.pages()), ())
    assert "v2/keys.md" in text
    assert "v1/keys.md" not in text


def test_of_a_long_page_some_headings_are_named() -> None:
    """While there is room, in the order of the page."""
    sections = "".join(f"<h2 id=s{number}>Section number {number} of it</h2><p>Text.</p>" for number in range(300))
    index = Index.open(None)
    index.sync([(Page("guide/all.md", "guide/all/", "All"), sections), *FILLER])
    text = nearby(declaration("How do I rotate an API key?"), index, index.pages(), ())
    assert "#s0 " in text
    assert "#s299" not in text


def test_a_page_that_only_asks_is_left_out() -> None:
    """It has nothing to read."""
    index = Index.open(None)
    index.sync([KEYS_PAGE, (Page("faq.md", "faq/", "FAQ"), "<h1 id=faq>FAQ</h1><h2 id=q>May I?</h2>")])
    assert "faq.md" not in Contents().of(declaration(), index)


def test_headings_that_have_no_room_are_counted() -> None:
    """So that a list that was cut does not look whole."""
    html = "".join(f"<h2 id=h{n}>Heading of the part with the number {n}</h2><p>Text.</p>" for n in range(90))
    index = Index.open(None)
    index.sync([(Page("long.md", "long/", "Long"), html)])
    *shown, last = nearby(declaration(), index, index.pages(), ()).splitlines()
    index.close()
    assert last == f" … and {90 - len(shown) + 2} more"
