"""What a writer is given: whole sections, from several pages, nothing twice, within the budget, with a reason."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page, SourceType, Via
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import LONGEST_REASON, Selection, in_page_order, is_far, select

FILLER = [
    (
        Page(f"filler{n}.md", f"filler{n}/", f"Topic {n}"),
        f"<h2 id=a>Topic {n}</h2><p>Something else entirely, number {n}.</p>",
    )
    for n in range(12)
]
KEYS = (
    Page("guide/keys.md", "guide/keys/", "API keys"),
    """<h1 id="keys">API keys</h1><p>Keys open the doors of the service.</p>
    <h2 id="rotate">Rotate a key</h2><p>To rotate an API key, open the settings page and press “Rotate”.</p>
    <p>The old key works for another 24 hours.</p><ul><li>See also</li></ul>
    <h2 id="revoke">Revoke a key</h2><p>A revoked key stops working at once.</p>""",
)
SECURITY = (
    Page("security.md", "security/", "Security"),
    "<h2 id=advice>Advice</h2><p>We advise to rotate every API key once in ninety days.</p>",
)


def declaration(question: str, **options: object) -> Declaration:
    return replace(Declaration("faq.md", "q", question, Place("docs/faq.md")), **options)


def ask(question: str, *documents: tuple[Page, str], settings: Settings | None = None, **options: object) -> Selection:
    index = Index.open(None)
    index.sync([*(documents or (KEYS, SECURITY)), *FILLER])
    return select(declaration(question, **options), index, settings or Settings())


def texts(selection: Selection) -> list[str]:
    return [source.passage.text for source in selection.sources]


def test_the_best_passage_of_the_best_page_comes_first() -> None:
    """Numbered in rank order, with scores, a reason and the way it came in."""
    selection = ask("How do I rotate an API key?")
    first, second, *_ = selection.sources
    assert first.passage.text == "To rotate an API key, open the settings page and press “Rotate”."
    assert [source.sid for source in selection.sources] == list(range(1, len(selection.sources) + 1))
    assert first.via is Via.RETRIEVAL
    assert 0.5 < first.query_relevance <= 1
    assert "“rotate”" in first.reasoning
    assert second.passage.page.src == "security.md", "another page comes before a second section of the same one"


def test_it_is_never_empty_where_the_scope_holds_a_text() -> None:
    """What lies below the threshold is given, too, and can be told; where no word is found, where the docs begin."""
    settings = Settings()
    near = ask("How do I rotate an API key?").sources
    assert not is_far(near[0], settings)
    assert all(is_far(source, settings) for source in ask("How do I rotate the tires of my car?").sources)
    (first,) = ask("Wie backe ich Brot?").sources
    assert (first.passage.page.src, first.query_relevance, is_far(first, settings)) == ("filler0.md", 0.0, True)
    assert ask("How do I bake bread?", sources=("none/*",)).sources == ()


def test_a_section_comes_once_and_whole() -> None:
    """In page order, whichever of its passages are found; sections can be put in page order, too."""
    selection = ask("The old key works when I rotate it, or press Rotate on the settings page?")
    where = [source.passage.section.where for source in selection.sources]
    assert len(where) == len(set(where))
    rotate = next(source for source in selection.sources if source.passage.section.anchor == "rotate")
    assert [passage.text[:7] for passage in rotate.context] == ["To rota", "The old", "See als"]
    mine = [
        source.passage.section.anchor for source in in_page_order(selection.sources) if source.passage.page == KEYS[0]
    ]
    assert mine == [anchor for anchor in ("keys", "rotate", "revoke") if anchor in mine]


def test_the_best_sections_bring_along_what_is_below_them() -> None:
    """In page order, before what else was found."""
    page = Page("guide/data.md", "guide/data/", "Data")
    html = """<h2 id=make>Making a backup</h2><p>A backup is made in two ways.</p><h3 id=full>Full</h3><p>Run it with
    <code>--all</code>.</p><h3 id=part>Partial</h3><p>Run it with <code>--db</code>.</p><h2 id=when>When to make a
    backup</h2><p>Make a backup each day. A backup that was not made is none.</p>"""
    sources = ask("How is a backup made?", (page, html), sources=("guide/data.md",)).sources
    anchors = [source.passage.section.anchor for source in sources]
    assert sorted(anchors) == ["full", "make", "part", "when"]
    assert anchors.index("make") + 1 == anchors.index("full") == anchors.index("part") - 1


def test_phrasings_are_taken_in_turn() -> None:
    """Each phrasing brings its best."""
    selection = ask("What about safety?", queries=("rotate API key", "revoke a key"))
    by_anchor = {source.passage.section.anchor: source for source in selection.sources}
    assert {"rotate", "revoke"} <= by_anchor.keys()
    assert all(source.relevance <= source.query_relevance for source in selection.sources)


def test_twins_are_dropped_and_the_fresher_one_stays() -> None:
    """Two pages that say the same count once."""
    copy = (replace(SECURITY[0], src="security-new.md", modified="2026-05-01"), SECURITY[1])
    selection = ask("How often should I rotate an API key?", KEYS, SECURITY, copy)
    pages = [source.passage.page.src for source in selection.sources]
    assert "security-new.md" in pages
    assert "security.md" not in pages


def test_globs_languages_and_archives_hold() -> None:
    """A declaration is answered from the pages it names, in its language; superseded pages only when it names them."""
    question = "How do I rotate an API key?"
    assert {s.passage.page.src for s in ask(question, sources=("security.md",)).sources} == {"security.md"}
    assert ask(question, locale="de").sources == ()
    old = (replace(KEYS[0], src="old/keys.md", type=SourceType.ARCHIVE), KEYS[1])
    assert {s.passage.page.src for s in ask(question, old).sources}.isdisjoint({"old/keys.md"})
    assert ask(question, old, sources=("old/*",)).sources != ()


def test_notes_may_be_used_in_every_language() -> None:
    """A note helps to write and to review, whatever language the page is in."""
    note = (Page("notes/keys.md", "", "Maintainers", "", SourceType.NOTE), KEYS[1])
    assert ask("rotate API key", note, locale="de").sources != ()


def test_a_question_is_not_answered_by_its_own_heading() -> None:
    """What stands under the question on the page that asks it is left out; the rest of the page is not."""
    faq = (
        Page("faq.md", "faq/", "FAQ"),
        """<h2 id="q">How do I rotate an API key?</h2><p>How to rotate an API key is answered here:</p>
        <h2 id="more">More</h2><p>Whoever rotates an API key tells the others.</p>""",
    )
    found = texts(ask("How do I rotate an API key?", faq))
    assert found[0] == "Whoever rotates an API key tells the others."
    assert "How to rotate an API key is answered here:" not in found


@pytest.mark.parametrize(("extent", "count"), [("passage", 1), ("section", 3), ("page", 5)])
def test_context_is_what_the_options_say(extent: str, count: int) -> None:
    """The passage alone, its section or its page: in page order, with the passage itself."""
    selection = ask("press Rotate on the settings page", settings=Settings(context=extent))  # type: ignore[arg-type]
    context = selection.sources[0].context
    assert selection.sources[0].passage in context
    assert [item.position for item in context] == sorted(item.position for item in context)
    assert len(context) == count


def test_the_budget_holds() -> None:
    """Sections come whole as long as they fit; one may take a twelfth of the budget, and of a longer one what stands
    nearest to the best passage is left. That is whole in any case."""
    long = "".join(f"<p>{'word ' * 40}about rotation {n}.</p>" for n in range(40))
    page = (Page("long.md", "long/", "Rotation"), f"<h2 id=r>Rotation</h2>{long}<p>{'Rotate the key. ' * 100}</p>")
    for budget in (10, 4000):
        sources = ask("rotate the key", page, KEYS, settings=Settings(context_budget=budget)).sources
        for source in sources:
            size = sum(len(item.text) for item in source.context)
            assert size <= max(budget // 4, len(source.passage.text))
        assert sum(len(item.text) for source in sources[1:] for item in source.context) <= budget


def test_the_number_of_sections_and_the_length_of_reasons_hold() -> None:
    """Whoever asks may name the most of them."""
    index = Index.open(None)
    index.sync([KEYS, SECURITY, *FILLER])
    assert len(select(declaration("How do I rotate an API key?"), index, Settings(), 1).sources) == 1
    assert all(len(source.reasoning) <= LONGEST_REASON for source in ask("key " * 400 + "x" * 500).sources)
