"""What a writer is given: whole sections, from several pages, nothing twice, within the budget, with a reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page, Source, SourceType, Via
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import is_far, nearest, select

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


def ask(
    question: str, *documents: tuple[Page, str], settings: Settings | None = None, **options: object
) -> tuple[Source, ...]:
    index = Index.open(None)
    index.sync([*(documents or (KEYS, SECURITY)), *FILLER])
    return select(declaration(question, **options), index, settings or Settings())


def texts(selection: Sequence[Source]) -> list[str]:
    return [source.passage.text for source in selection]


def test_the_best_passage_of_the_best_page_comes_first() -> None:
    """Numbered in rank order, with scores and the way it came in."""
    selection = ask("How do I rotate an API key?")
    first, second, *_ = selection
    assert first.passage.text == "To rotate an API key, open the settings page and press “Rotate”."
    assert [source.sid for source in selection] == list(range(1, len(selection) + 1))
    assert first.via is Via.RETRIEVAL
    assert 0.5 < first.relevance <= 1
    assert second.passage.page.src == "security.md", "another page comes before a second section of the same one"


def test_what_is_far_is_given_too() -> None:
    """And can be told; nothing is, where no word is found."""
    settings = Settings()
    near = ask("How do I rotate an API key?")
    assert not is_far(near[0], settings)
    assert all(is_far(source, settings) for source in ask("How do I rotate the tires of my car?"))
    assert ask("Wie backe ich Brot?") == ()


def test_a_section_comes_once_and_whole() -> None:
    """In page order, whichever of its passages are found."""
    selection = ask("The old key works when I rotate it, or press Rotate on the settings page?")
    where = [source.passage.section.where for source in selection]
    assert len(where) == len(set(where))
    rotate = next(source for source in selection if source.passage.section.anchor == "rotate")
    assert [passage.text[:7] for passage in rotate.context] == ["To rota", "The old", "See als"]


def test_the_rest_of_a_page_that_was_found_comes_as_well() -> None:
    """It may say in other words what is asked."""
    page = Page("guide/data.md", "guide/data/", "Data")
    html = """<h2 id=make>Making a backup</h2><p>A backup is made in two ways.</p><h3 id=full>Full</h3><p>Run it with
    <code>--all</code>.</p><h3 id=part>Partial</h3><p>Run it with <code>--db</code>.</p><h2 id=when>When to make a
    backup</h2><p>Make a backup each day. A backup that was not made is none.</p>"""
    sources = ask("How is a backup made?", (page, html), sources=("guide/data.md",))
    assert sorted(source.passage.section.anchor for source in sources) == ["full", "make", "part", "when"]


def test_phrasings_are_taken_in_turn() -> None:
    """Each phrasing brings its best."""
    selection = ask("What about safety?", queries=("rotate API key", "revoke a key"))
    by_anchor = {source.passage.section.anchor: source for source in selection}
    assert {"rotate", "revoke"} <= by_anchor.keys()


def test_an_equal_text_comes_once_with_the_addresses_of_the_others() -> None:
    """Under equal headings; with another figure it is another text."""
    copy = (replace(SECURITY[0], src="old/security.md"), SECURITY[1])
    other = (replace(SECURITY[0], src="v2/security.md"), SECURITY[1].replace("ninety", "91"))
    sources = ask("How often should I rotate an API key?", KEYS, SECURITY, copy, other)
    by_page = {source.passage.page.src: source for source in sources}
    given = [page for page in ("security.md", "old/security.md") if page in by_page]
    assert len(given) == 1
    assert {*given, *(where.partition("#")[0] for where in by_page[given[0]].also)} == {
        "security.md",
        "old/security.md",
    }
    assert "v2/security.md" in by_page


@pytest.mark.parametrize("version", ["v1", "v2", "v3"])
def test_a_version_that_the_question_names_comes_before_others(version: str) -> None:
    """The question's words are held against the parts of the paths."""
    html = "<h2 id=ttl>Time to live</h2><p>By default, the key lives for {} days.</p>"
    pages = [
        (Page(f"docs/v{number}/keys.md", f"docs/v{number}/keys/", "Keys"), html.format(number * 10))
        for number in (1, 2, 3)
    ]
    first = ask(f"How long does a key live in {version}?", *pages)[0]
    assert first.passage.page.src == f"docs/{version}/keys.md"


@pytest.mark.parametrize("named", ["v3.6", "3.6", "version 3.6"])
def test_another_version_than_the_question_names_counts_against(named: str) -> None:
    """Its own page comes in the place of others, wherever words alone would find them."""
    pages = []
    for number in range(1, 8):
        extra = "" if number == 6 else "<p>A quota limits the storage; the default storage quota fits most.</p>"
        html = f"<h2 id=quota>Quota</h2>{extra}<p>It is {number} GB, the default.</p>"
        pages.append((Page(f"docs/v3.{number}/run/quota.md", f"docs/v3.{number}/run/quota/", "Storage"), html))
    sources = ask(f"What is the default storage quota in {named}?", *pages, settings=Settings(context_budget=1000))
    given = [(source.passage.page.src, item.text) for source in sources for item in source.context]
    assert given[0] == ("docs/v3.6/run/quota.md", "It is 6 GB, the default.")


def test_another_provider_than_the_question_names_counts_against() -> None:
    """Where a page has its name in place of one, and mostly the same headings."""
    pages = []
    for name in ("docker", "nomad", "consul"):
        also = "" if name == "nomad" else "<p>Poll: how often is it polled, and when.</p>"
        html = f"<h2 id=options>Options</h2>{also}<p>It asks {name} each 15 seconds.</p><h2 id=tls>TLS</h2><p>On.</p>"
        pages.append((Page(f"providers/{name}.md", f"providers/{name}/", name.title()), html))
    overview = "<h2 id=poll>How often it polls</h2><p>Nomad or not: each is polled.</p>"
    pages.append((Page("providers/overview.md", "providers/overview/", "Overview"), overview))
    sources = ask("How often is Nomad polled?", *pages, settings=Settings(context_budget=600))
    on = list(dict.fromkeys(source.passage.page.src for source in sources))
    assert "providers/nomad.md" in on
    assert not {"providers/docker.md", "providers/consul.md"} & {*on[:2]}


def test_a_page_with_a_date_counts_less_unless_it_is_named() -> None:
    """It told what was new that day."""
    html = "<h2 id=ttl>Time to live</h2><p>By default, the key lives for {} days.</p>"
    post = Page("blog/2024/june-release.md", "blog/june/", "News", published="2024-06-01")
    pages = ((post, html.format(10)), (Page("keys.md", "keys/", "News"), html.format(20)))
    assert ask("How long does a key live?", *pages)[0].passage.page.src == "keys.md"
    named = ask("How long does a key live since the June release of 2024?", *pages)[0]
    assert named.passage.page is not None
    assert named.passage.page.src == post.src


def test_of_a_table_the_rows_that_are_asked_for_come() -> None:
    """With their header row, which each has."""
    rows = "".join(f"<tr><td>option{number}</td><td>Does {'thing ' * 30}{number}</td></tr>" for number in range(60))
    table = f"<table><tr><th>Name</th><th>What</th></tr>{rows}<tr><td>ttl</td><td>Seconds a key lives</td></tr></table>"
    page = (Page("options.md", "options/", "Options"), f"<h2 id=all>All</h2>{table}")
    context = ask("How many seconds does a key live?", page, settings=Settings(context_budget=2000))[0].context
    assert "ttl Seconds a key lives" in [passage.text for passage in context]
    assert len(context) < 10


def test_globs_languages_and_archives_hold() -> None:
    """A declaration is answered from the pages it names, in its language; superseded pages only when it names them."""
    question = "How do I rotate an API key?"
    assert {s.passage.page.src for s in ask(question, sources=("security.md",))} == {"security.md"}
    assert ask(question, locale="de") == ()
    old = (replace(KEYS[0], src="old/keys.md", type=SourceType.ARCHIVE), KEYS[1])
    assert {s.passage.page.src for s in ask(question, old)}.isdisjoint({"old/keys.md"})
    assert ask(question, old, sources=("old/*",)) != ()


def test_notes_may_be_used_in_every_language() -> None:
    """A note helps to write and to review, whatever language the page is in."""
    note = (Page("notes/keys.md", "", "Maintainers", "", SourceType.NOTE), KEYS[1])
    assert ask("rotate API key", note, locale="de") != ()


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


def test_the_budget_holds() -> None:
    """But for the best passage, which is given however long it is; a page takes a third of it at most."""
    long = "".join(f"<p>{'word ' * 40}about rotation {n}.</p>" for n in range(40))
    page = (Page("long.md", "long/", "Long"), f"<h2 id=r>More</h2>{long}<p>{'Rotate the key. ' * 100}</p>")
    for budget in (10, 4000):
        sources = ask("rotate the key", page, KEYS, settings=Settings(context_budget=budget))
        sizes = [len(item.text) for source in sources for item in source.context]
        assert sum(sizes[1:]) <= budget
        for source in sources[1:]:
            assert sum(len(item.text) for item in source.context) <= budget // 3


def test_the_number_of_sections_holds() -> None:
    """Whoever asks for the nearest names the most of them."""
    index = Index.open(None)
    index.sync([KEYS, SECURITY, *FILLER])
    assert len(nearest(declaration("How do I rotate an API key?"), index, 1)) == 1
