"""The table of contents that the writer has at hand: what is in it, what is left out first, and that it is said."""

from __future__ import annotations

from mkdocs_cited.model.source import Page
from mkdocs_cited.providers.anthropic.contents import Contents, nearby, within
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import Heading
from tests.providers.site import KEYS, SITE, declaration
from tests.search.test_select import FILLER, SECURITY
from tests.search.test_select import KEYS as KEYS_PAGE

HEADINGS = (
    Heading("keys.md", "Keys", 0),
    Heading("keys.md#rotate-a-key", "Rotate a key", 2),
    Heading("keys.md#why", "Why it matters", 3),
    Heading("limits.md", "Limits", 0),
    Heading("limits.md#burst", "Burst", 2),
)


def test_each_heading_has_its_address() -> None:
    """A title that the anchor says already is not said twice."""
    text, complete = within(HEADINGS, 1000)
    assert text.endswith("\n\nkeys.md — Keys\n #rotate-a-key\n  #why Why it matters\nlimits.md — Limits\n #burst")
    assert complete


def test_the_deepest_headings_go_first_and_the_last_pages_last() -> None:
    """What is left out is said."""
    without_third, complete = within(HEADINGS, 60)
    assert without_third.endswith("\n\nkeys.md — Keys\n #rotate-a-key\nlimits.md — Limits\n #burst")
    assert not complete
    assert "It is not complete: deeper headings are left out." in without_third
    pages, _ = within(HEADINGS, 20)
    assert pages.endswith("\n\nkeys.md — Keys")
    assert "1 further pages" in pages


def test_the_pages_follow_the_navigation() -> None:
    """Where it is known; it is made once for all questions of a scope."""
    contents = Contents()
    text, _ = contents.of(declaration(), SITE, ("guide/options.md", "guide/keys.md"))
    assert [line.split(" — ")[0] for line in text.splitlines() if " — " in line] == [
        "guide/options.md",
        "guide/keys.md",
        "guide/limits.md",
    ]
    assert contents.of(declaration(question="Another?"), SITE) == (text, True)
    scoped, _ = contents.of(declaration(sources=("guide/keys.md",)), SITE)
    assert "guide/options.md" not in scoped
    assert KEYS.page.title in scoped


def test_a_heading_without_a_text_is_left_out() -> None:
    """Such as the question of an answer on the page that asks it."""
    asked = Page("faq.md", "faq/", "FAQ"), "<h2 id=q>May I?</h2><h2 id=more>More</h2><p>There is more.</p>"
    index = Index.open(None)
    index.sync([asked])
    text, complete = Contents().of(declaration(), index)
    assert text.endswith("\n\nfaq.md — FAQ\n #more")
    assert complete


def test_headings_near_the_question_are_named_where_it_is_not_complete() -> None:
    """Without those whose sections are given."""
    index = Index.open(None)
    index.sync([KEYS_PAGE, SECURITY, *FILLER])
    asked = declaration("How do I rotate an API key?")
    assert "guide/keys.md#rotate Rotate a key" in nearby(asked, index, ())
    assert "guide/keys.md#rotate Rotate" not in nearby(asked, index, ("guide/keys.md#rotate",))
