"""What makes one passage answer a question better than another."""

from __future__ import annotations

from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search.index import Index
from tests.hangs import guarded

FILLER = [(f"filler{number}.md", f"Topic {number}", f"<p>Other matters, number {number}.</p>") for number in range(10)]


def search(question: str, *pages: tuple[str, str, str]) -> list[Hit]:
    """The best hit of each page, best first; pages are (path, title, HTML)."""
    index = Index.open(None)
    index.sync((Page(src, f"{src.removesuffix('.md')}/", title), html) for src, title, html in (*pages, *FILLER))
    best: dict[str, Hit] = {}
    for hit in index.search(question, scope=Scope(), limit=40):
        best.setdefault(hit.passage.page.src, hit)
    return list(best.values())


def pages(hits: list[Hit]) -> list[str]:
    return [hit.passage.page.src for hit in hits]


def test_a_heading_says_more_than_a_mention() -> None:
    """A section about a thing comes before one that names it in passing."""
    mention = ("a.md", "A", "<h2 id=x>Notes</h2><p>Backups are mentioned here, among other things.</p>")
    about = ("b.md", "B", "<h2 id=x>Backups</h2><p>They are made every night.</p>")
    assert pages(search("How do backups work?", mention, about)) == ["b.md", "a.md"]


def test_prose_comes_before_code_that_says_the_same() -> None:
    """A sentence answers; code shows. Both are found."""
    html = "<h2 id=x>Upgrade</h2><pre><code>pip install --upgrade example</code></pre><p>Upgrade example with pip.</p>"
    hits = search("How do I upgrade example with pip?", ("a.md", "A", html))
    assert hits[0].passage.text == "Upgrade example with pip."


def test_an_edit_elsewhere_changes_no_score() -> None:
    """The measures of a whole site, which every score is made of too, are known to three digits."""
    keys = ("keys.md", "Keys", "<h2 id=x>Rotate keys</h2><p>A key lives for ninety days.</p>")
    others = [(f"{number}.md", f"Topic {number}", f"<p>{'Other matters. ' * 10}</p>") for number in range(200)]
    edited = ("0.md", "Topic 0", f"<p>{'Other matters. ' * 11}</p>")
    before, after = (search("How do I rotate a key?", keys, *site) for site in (others, [edited, *others[1:]]))
    assert before == after


def test_an_empty_site_has_no_answers() -> None:
    """Nothing to find is not a fault."""
    index = Index.open(None)
    assert index.search("anything", scope=Scope(), limit=5) == ()
    index.sync([])
    assert index.search("anything", scope=Scope(), limit=5) == ()
    assert (index.pages(), index.section("a.md", ""), index.anchors("a.md")) == ((), (), ())


def test_a_question_without_words_finds_nothing() -> None:
    """Neither punctuation nor emptiness is a question."""
    for question in ("", "?!", "--", "👍"):
        assert search(question) == []


def test_long_questions_are_bounded() -> None:
    """Ten thousand characters make no search hang."""
    with guarded():
        search(" ".join(f"number{n} topic{n}" for n in range(700)), *FILLER[:1])
