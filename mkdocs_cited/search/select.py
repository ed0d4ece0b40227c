"""Which sections a writer is given for a question: whole, nearest first, not twice the same, within a budget; and the
table of contents that it may have at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from msgspec import Struct

from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Hit, Page, Passage, Scope, Section, Source, SourceType, Via
from mkdocs_cited.search.as_markdown import with_what_follows
from mkdocs_cited.search.index import asks_itself, in_scope

MOST = 40
"""Sections that a model is given at most: what bounds them is the budget of characters."""
LONGEST_REASON = 320
"""Characters of a source's one-line reason."""
_LOOKED_AT = 200
"""Passages that each phrasing may bring in."""
_PER_SECTION = 10
"""And for each section that is asked for: a writer that is given few needs no more."""
_BREADTH = 5
"""Sections at the top that come from different pages, as far as there are so many: another page's view counts more to
a writer than a page's second best section."""
_WITH_THOSE_BELOW = 5
"""Sections at the top that bring along the sections under their headings: a lead says little without its parts."""
_MOST_BELOW = 8
"""Sections that one section brings along."""
_SHARE = 16
"""A section may take the budget divided by this, and is cut around what was found in it where it is longer."""
_SAME = 0.85
"""Share of common words from which two sections say the same."""


class Selection(Struct, frozen=True):
    """What selection took of the site for one question."""

    sources: tuple[Source, ...]
    """One for each section, numbered in rank order: the passage that matches best, with its section as `context`.
    Empty only where the scope holds no text. A source whose `query_relevance` is below `cite_threshold` is far."""


class Heading(Struct, frozen=True):
    """One line of a table of contents."""

    where: str
    """Its address: `guide/keys.md` for a page, `guide/keys.md#rotate` for a section."""
    title: str
    level: int
    """0 for a page, 1…6 for a heading."""


class _Found(Struct, frozen=True):
    """A section that some phrasing found."""

    hits: tuple[Hit, ...]
    """Its passages, best first."""
    scores: dict[int, float]
    """Phrasing → relevance 0…1 of its best."""


def scope_of(declaration: Declaration) -> Scope:
    """Where an answer may come from: its globs, its language, and of its own page all but the question's heading."""
    return Scope(
        include=declaration.sources,
        locale=declaration.locale,
        asked_on=(declaration.page, declaration.question),
    )


def select(declaration: Declaration, corpus: Corpus, settings: Settings, most: int = MOST) -> Selection:
    """The sections for a declaration's question and its other phrasings, nearest first; `most` of them at most.

    Never nothing while the scope holds a text: what is below `cite_threshold` fills up what is left, and where no
    word of the question is found, the first section of the scope's first page comes, with a relevance of 0.
    """
    found = _found(declaration, corpus, most)
    distinct = _without_duplicates(found or _first(declaration, corpus), most)
    phrasings = len(declaration.phrasings)
    sources: list[Source] = []
    left = settings.context_budget
    for item in islice(_with_those_below(distinct, declaration, corpus, settings), most):
        context = _context(item, corpus, settings, min(left, settings.context_budget // _SHARE))
        size = sum(len(passage.text) for passage in context)
        if sources and size > left:
            continue
        left -= size
        page = item.hits[0].passage.page.src
        others = [other.hits[0].score for other in found if other.hits[0].passage.page.src != page]
        sources.append(_source(len(sources) + 1, item, phrasings, context, max(others, default=0.0)))
    return Selection(tuple(sources))


def outline(corpus: Corpus, scope: Scope, order: Sequence[str] = ()) -> tuple[Heading, ...]:
    """The pages of a scope and the headings on them, in the order of the navigation.

    Args:
        order: paths of pages as the navigation has them; pages that it lacks follow, by path. Notes are left out.
    """
    rank = {src: number for number, src in enumerate(order)}
    pages = [page for page in corpus.pages() if page.type is not SourceType.NOTE and in_scope(page, scope)]
    pages.sort(key=lambda page: (rank.get(page.src, len(rank)), page.src))
    return tuple(heading for page in pages for heading in _of_page(page, corpus, scope))


def near(declaration: Declaration, corpus: Corpus, limit: int) -> tuple[Heading, ...]:
    """The headings of the sections that a declaration's question and its other phrasings find, best first.

    Args:
        limit: most headings, each counted once.
    """
    found = (item.hits[0].passage.section for item in _found(declaration, corpus, limit))
    sections = (section for section in found if section.page.type is not SourceType.NOTE)
    return tuple({section.where: _heading(section) for section in sections}.values())[:limit]


def is_far(source: Source, settings: Settings) -> bool:
    """Whether a source is below the threshold: it may be read, and nothing that asks no model goes by it."""
    return source.query_relevance < settings.cite_threshold


def in_page_order(sources: Iterable[Source]) -> tuple[Source, ...]:
    """The sources page by page, the page of the first one first, and on each page from its top."""
    rank: dict[str, int] = {}
    for source in sources:
        rank.setdefault(source.passage.page.src, len(rank))
    return tuple(sorted(sources, key=lambda item: (rank[item.passage.page.src], item.passage.position)))


def _found(declaration: Declaration, corpus: Corpus, most: int) -> list[_Found]:
    """The sections that the phrasings find, taken in turn, each once."""
    scope = scope_of(declaration)
    rankings = [
        _broad(corpus.search(query, scope=scope, limit=min(_LOOKED_AT, _PER_SECTION * most)))
        for query in declaration.phrasings
    ]
    out: dict[str, _Found] = {}
    for row in zip_longest(*rankings):
        for number, hits in enumerate(row):
            if hits:
                known = out.setdefault(_key(hits[0]), _Found(tuple(hits), {}))
                known.scores[number] = max(hit.relevance for hit in hits)
    return list(out.values())


def _broad(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The hits of each section, best section first, but the best of the first pages before all."""
    sections: dict[str, list[Hit]] = {}
    for hit in hits:
        sections.setdefault(_key(hit), []).append(hit)
    first: dict[str, str] = {}
    for key, members in sections.items():
        first.setdefault(members[0].passage.page.src, key)
    leading = list(islice(first.values(), _BREADTH))
    return [sections[key] for key in (*leading, *(key for key in sections if key not in leading))]


def _key(hit: Hit) -> str:
    section = hit.passage.section
    return f"{section.page.src}#{section.position}"


def _first(declaration: Declaration, corpus: Corpus) -> list[_Found]:
    """The first section of a scope, for a question of which nothing is found."""
    scope = scope_of(declaration)
    for page in corpus.pages():
        if in_scope(page, scope) and (text := _opening(page, corpus, scope)):
            return [_Found((Hit(text, 0.0, "nothing matches; this is where the docs begin"),), {0: 0.0})]
    return []


def _opening(page: Page, corpus: Corpus, scope: Scope) -> Passage | None:
    passages = corpus.section(page.src, "")
    return next((passage for passage in passages if not asks_itself(passage.section, scope)), None)


def _without_duplicates(found: Sequence[_Found], most: int) -> list[_Found]:
    """The first `most` that say something new; of two that say the same the fresher one comes in the first's place, and
    the site's own before an external one."""
    taken: list[tuple[_Found, Counter[str]]] = []
    for item in found:
        passage = item.hits[0].passage
        words = Counter(stems(passage.text, passage.page.language))
        twin = next((place for place, (_, other) in enumerate(taken) if _alike(words, other)), None)
        if twin is not None:
            if _precedence(passage) > _precedence(taken[twin][0].hits[0].passage):
                taken[twin] = (item, words)
        elif len(taken) < most:
            taken.append((item, words))
        else:
            break
    return [item for item, _ in taken]


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    """Whether two passages have nearly the same words: the Jaccard index of their multisets."""
    common = (one & other).total()
    return common > 0 and common >= _SAME * (one.total() + other.total() - common)


def _precedence(passage: Passage) -> tuple[bool, str]:
    """What decides between passages that say the same: whether it is the site's own, then when its page was changed."""
    return passage.page.type is not SourceType.WEB, passage.page.modified or passage.page.published


def _with_those_below(
    found: Sequence[_Found], declaration: Declaration, corpus: Corpus, settings: Settings
) -> Iterator[_Found]:
    """What was found, each section once, those at the top followed by the sections below them."""
    known = {_key(item.hits[0]): item for item in found}
    given: set[str] = set()
    for number, item in enumerate(found):
        family = [item]
        if number < _WITH_THOSE_BELOW and settings.context == "section":
            family += (known.get(_key(hit), _Found((hit,), {0: 0.0})) for hit in _below(item, declaration, corpus))
        for member in family:
            if (key := _key(member.hits[0])) not in given:
                given.add(key)
                yield member


def _below(item: _Found, declaration: Declaration, corpus: Corpus) -> Iterator[Hit]:
    """The first passage of each section below a section, in page order."""
    section, scope = item.hits[0].passage.section, scope_of(declaration)
    around = corpus.section(section.page.src, section.anchor) if section.anchor else ()
    first = {text.section.position: text for text in reversed(around) if not asks_itself(text.section, scope)}
    first.pop(section.position, None)
    for position in sorted(first)[:_MOST_BELOW]:
        yield Hit(first[position], 0.0, f"is below “{section.title}”, which was found")


def _context(item: _Found, corpus: Corpus, settings: Settings, room: int) -> tuple[Passage, ...]:
    """The section of what was found (or the passage alone, or the page, as the options say), in page order; of a longer
    one what is nearest to the best passage. That one is always there, however long it is."""
    best = item.hits[0].passage
    if settings.context == "passage":
        return (best,)
    around = section_of(best, corpus) if settings.context == "section" else corpus.section(best.page.src, "")
    return excerpt(best, around, room)


def section_of(passage: Passage, corpus: Corpus) -> tuple[Passage, ...]:
    """All passages of a passage's own section, without those below it, in page order."""
    around = corpus.section(passage.page.src, passage.section.anchor)
    return tuple(item for item in around if item.section.position == passage.section.position)


def excerpt(best: Passage, section: Sequence[Passage], room: int) -> tuple[Passage, ...]:
    """What of a section is given where there is room for so many characters: the best passage, however long it is, and
    what is nearest to it; nothing that ends in a colon without what it introduces. In page order."""
    return with_what_follows(_within(best, section, room), section)


def _within(best: Passage, around: Iterable[Passage], room: int) -> Iterator[Passage]:
    """The best passage, and those next to it while there is room; of two as near, the one before leads in."""
    yield best
    left = room - len(best.text)
    for passage in sorted(around, key=lambda item: (abs(item.position - best.position), item.position)):
        if passage.id != best.id and len(passage.text) <= left:
            yield passage
            left -= len(passage.text)


def _source(sid: int, item: _Found, phrasings: int, context: tuple[Passage, ...], others: float) -> Source:
    hit = item.hits[0]
    return Source(
        sid=sid,
        passage=hit.passage,
        via=Via.RETRIEVAL,
        relevance=round(sum(item.scores.values()) / phrasings, 4),
        query_relevance=max(item.scores.values()),
        reasoning=hit.reason if len(hit.reason) <= LONGEST_REASON else f"{hit.reason[: LONGEST_REASON - 1]}…",
        context=context,
        nearness=hit.nearness,
        lead=hit.score - others,
    )


def _of_page(page: Page, corpus: Corpus, scope: Scope) -> Iterator[Heading]:
    yield Heading(page.src, page.title, 0)
    for section in corpus.sections(page.src):
        opens = section.level == 1 and section.title == page.title  # the page's own heading says the same
        if section.anchor and section.level and not opens and not asks_itself(section, scope):
            yield _heading(section)


def _heading(section: Section) -> Heading:
    return Heading(section.where, section.title if section.anchor else section.page.title, section.level)
