"""What the index says that a reply rests on: while it is the same, and the pages of the reply are, so is the reply."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search.index import Index, Inquiry
from tests.search.test_full_text import without_fts5

WORDS = "keys tokens rotate expire client server backup restore limit days the of every".split()
OTHERS = [f"matter{number}" for number in range(50)]
QUERIES = ("How do I rotate keys?", "What is a token?", "backup limit", "expire", "How often does the client restore?")
SCOPES = (Scope(), Scope(include=("p1*.md",)), Scope(asked_on=("p2.md", "Rotate keys")))
Site = dict[str, tuple[str, str]]


def sentence(dice: random.Random, length: int, asked: float) -> str:
    """Words, of which a share is asked about; now and then with a link to another page."""
    words = " ".join(dice.choice(WORDS if dice.random() < asked else OTHERS) for _ in range(length))
    link = f'<a href="../p{dice.randrange(14)}/">{dice.choice(WORDS)}</a>' if dice.random() < 0.3 else ""
    return f"<p>{words.capitalize()} {link}.</p>"


def page(dice: random.Random) -> tuple[str, str]:
    sections = (
        f"<h2 id=s{n}>{dice.choice(WORDS)} {dice.choice(OTHERS)}</h2>{sentence(dice, 150, 0.03)}" for n in range(4)
    )
    return dice.choice(OTHERS), "".join(sections)


def edited(site: Site, dice: random.Random) -> Site:
    """The site after one edit, small or large."""
    src = dice.choice(list(site))
    title, html = site[src]
    match dice.randrange(6):
        case 0:
            return {name: text for name, text in site.items() if name != src}
        case 1:
            return {**site, f"p{dice.randrange(14)}.md": page(dice)}
        case 2:
            return {**site, src: (dice.choice(WORDS), html)}
        case 3:
            return {**site, src: (title, html.replace(".</p>", "!</p>"))}
        case _:
            return {**site, src: (title, html + sentence(dice, 5, 0.2))}


def documents(site: Site) -> list[tuple[Page, str]]:
    return [(Page(src, f"{src.removesuffix('.md')}/", title), html) for src, (title, html) in site.items()]


def found_in(site: Site, hits: Sequence[Hit]) -> Site:
    """The pages of some hits, as they are."""
    return {hit.passage.page.src: site[hit.passage.page.src] for hit in hits}


@pytest.mark.parametrize("opened", [Index.open, partial(Index.open, connect=without_fts5)])
@pytest.mark.parametrize("seed", range(3))
def test_a_reply_is_as_what_it_rests_on(opened: Callable[[None], Index], seed: int) -> None:
    """However a site is edited; and a fresh index of the same site says the same."""
    dice = random.Random(seed)
    site: Site = {f"p{number}.md": page(dice) for number in range(12)}
    index, same = opened(None), 0
    known: dict[Inquiry, tuple[str, Site, Sequence[Hit]]] = {}
    for _ in range(15):
        index.sync(documents(site))
        fresh = opened(None)
        fresh.sync(documents(site))
        for inquiry in (Inquiry("search", query, scope) for query in QUERIES for scope in SCOPES):
            hits = index.search(inquiry.text, scope=inquiry.scope, limit=6)
            now = (index.rests_on(inquiry), found_in(site, hits), hits)
            before = known.get(inquiry, now)
            if before[0] == now[0] and before[1].items() <= site.items():
                same += 1
                assert before == now
            assert fresh.rests_on(inquiry) == now[0]
            known[inquiry] = now
        site = edited(site, dice)
    assert same > 3 * len(known)


LINKING = '<p>Read how tokens are renewed: {}.</p><p><a href="../a/">{}</a></p>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(LINKING.format("renewed", "here"), LINKING.format("here", "renewed"), id="what links call a page"),
        pytest.param("<p>Much else.</p>", f"<p>{'Much else. ' * 50}</p>", id="how long texts are"),
        pytest.param("<p>Renewed.</p>", "<p>Anew.</p>", id="how rare words are"),
    ],
)
def test_what_counts_from_elsewhere(before: str, after: str) -> None:
    """What another page says changes the scores of one that is as it was, and what they rest on."""
    page = (Page("a.md", "a/", "A"), "<p>Tokens can be exchanged for renewed ones.</p>")
    inquiry, index, said = Inquiry("search", "renewed tokens", Scope(include=("a.md",))), Index.open(None), []
    for html in (before, after):
        index.sync([page, (Page("b.md", "b/", "B"), html)])
        (hit,) = index.search(inquiry.text, scope=inquiry.scope, limit=1)
        said.append((index.rests_on(inquiry), hit.strength))
    assert said[0][0] != said[1][0]
    assert said[0][1] != said[1][1]
