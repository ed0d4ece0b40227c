"""What a writer is given for a question: the passages nearest to it, by their sections, nothing twice, within a budget.

Every passage of the pages that were found is scored by what it and its headings say of the question, and by how well
its page was found. The best are taken, each with what leads into it. No page takes more than its share.
The weights were chosen on half of the sites of `benchmarks.requests`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import islice, zip_longest

from msgspec.structs import replace

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import (
    Asked,
    Corpus,
    Hit,
    Page,
    Passage,
    Scope,
    Section,
    Source,
    Via,
)
from mkdocs_cited.search.as_markdown import with_what_belongs
from mkdocs_cited.search.index import asks_itself, in_scope
from mkdocs_cited.search.ranking import share
from mkdocs_cited.search.rows import WORD, joined_terms, own_text, place_of, terms_of

LONGEST = 12_000
"""Characters of a section that a writer is given again, as of what one of its looks gives."""
MOST = 40
"""Sections that a model is given at most: what bounds them is the budget of characters."""
_LOOKED_AT = 200
"""Passages that each phrasing may bring in."""
_PER_SECTION = 10
"""And for each section that is asked for: a writer that is given few needs no more."""
_BREADTH = 5
"""Sections at the top that come from different pages, as far as there are so many: another page's view counts more to
a writer than a page's second best section."""
_PAGES = 16
"""Pages whose passages are looked at."""
_FIRST_SHARE, _PAGE_SHARE = 1 / 3, 1 / 6
"""What a page may take of the budget: the first that was found, and any other one. One that the question names may
take as much of it as its title and path have of the question."""
_FRAME, _SECTION_FRAME = 45, 60
"""Characters of a request around each passage, and around each section."""
_HEADINGS, _PAGE_PLACE, _LENGTH = 0.4, 0.3, 0.06
"""What counts next to the share of the question that a passage and its headings speak of: that share for the headings
alone, being on the first page, and what an e times longer passage loses."""
_OTHER = 0.5
"""What a passage loses on a page of another version, product or provider than the question names."""


def scope_of(declaration: Declaration) -> Scope:
    """Where an answer may come from: its globs, its language, and of its own page all but the question's heading."""
    return Scope(
        include=declaration.sources,
        locale=declaration.locale,
        asked_on=(declaration.page, declaration.question),
    )


def select(
    declaration: Declaration, corpus: Corpus, settings: Settings
) -> tuple[Source, ...]:
    """The passages for a declaration's question and its other phrasings, by their sections, nearest first.

    One source for each section, numbered in rank order: the passage that matches best, with what of its section is
    given as `context`. One whose `relevance` is below `cite_threshold` is far, and fills up what is left. There is none
    where no word of the question is found.
    """
    found = _found(declaration, corpus, MOST)
    asked = corpus.asked(declaration.question, declaration.locale)
    taken = _Taken(asked, corpus, settings.context_budget)
    for passage in _candidates(found, declaration, asked, corpus):
        taken.take(passage)
    order = {key: place for place, key in enumerate(found)}
    keys = sorted(taken.sections, key=lambda key: order.get(key, len(order)))
    sources = []
    for number, key in enumerate(keys[:MOST], 1):
        given = taken.sections[key]
        context = tuple(sorted(given.values(), key=lambda item: item.position))
        source = Source(
            number,
            context[0],
            Via.RETRIEVAL,
            context=context,
            also=tuple(taken.also[key]),
        )
        if key in found:
            source = _as_found(source, found[key], given)
        sources.append(source)
    return tuple(sources)


def nearest(declaration: Declaration, corpus: Corpus, most: int) -> tuple[Source, ...]:
    """The sections that a declaration's question and its other phrasings find, nearest first: of each its best passage
    alone, and none that says what an earlier one says.

    Args:
        most: sections that are given at most.
    """
    searched = (declaration.phrasings, scope_of(declaration), _PER_SECTION * most)
    return corpus.once(repr(searched), lambda: _nearest(declaration, corpus, most))


def _nearest(declaration: Declaration, corpus: Corpus, most: int) -> tuple[Source, ...]:
    sources: dict[str, Source] = {}
    for hits in _found(declaration, corpus, most).values():
        best = hits[0].passage
        if best.hash not in sources and len(sources) < most:
            source = Source(len(sources) + 1, best, Via.RETRIEVAL)
            sources[best.hash] = _as_found(source, hits, {best.id})
    return tuple(sources.values())


def _as_found(source: Source, hits: Sequence[Hit], given: Container[str]) -> Source:
    """A source with what was found of its section, by the best of its passages that are given, by their ids."""
    passage = source.passage
    for hit in hits:
        if hit.passage.id in given:
            passage = hit.passage
            break
    relevance = max(hit.relevance for hit in hits)
    return replace(source, passage=passage, relevance=relevance)


class _Taken:
    """What was taken so far, within a budget of characters."""

    def __init__(self, asked: Asked, corpus: Corpus, budget: int) -> None:
        self.sections: dict[str, dict[str, Passage]] = defaultdict(dict)
        """Key of each section → what is given of it, by id, best first."""
        self.also: dict[str, dict[str, None]] = defaultdict(dict)
        """Key of a section → addresses where the same text is."""
        self._asked, self._corpus = asked, corpus
        self._budget = self._left = budget
        self._of_page: Counter[str] = Counter()
        """Path of each page → characters that it has taken."""
        self._first_page = ""
        self._said: dict[tuple[str, ...], Passage] = {}
        """Headings and words of each passage that was taken → the first one."""

    def take(self, passage: Passage) -> None:
        """Take a passage with what belongs to it, where there is room. The first one is always taken."""
        key, page = section_key(passage.section), passage.page.src
        given = self.sections.get(key, {})
        if passage.id in given or self._left < _FRAME:
            return
        copied = self._said.get(_said(passage), passage)
        if copied.page.src != page:
            self.also[section_key(copied.section)][passage.section.where] = None
            return
        family = with_what_belongs(passage, section_of(passage, self._corpus))
        new, size = [], 0
        for item in family:
            if item.id not in given:
                new.append(item)
                size += len(item.text) + _FRAME
        if not given:
            size += _SECTION_FRAME
        self._first_page = self._first_page or page
        left_of_page = self._budget * self._share(passage.page) - self._of_page[page]
        if self.sections and size > min(self._left, left_of_page):
            return
        self._left -= size
        self._of_page[page] += size
        for item in new:
            self.sections[key][item.id] = item
            self._said.setdefault(_said(item), item)

    def _share(self, page: Page) -> float:
        """The part of the budget that a page may take in all."""
        least = _PAGE_SHARE
        if page.src == self._first_page:
            least = _FIRST_SHARE
        names = terms_of(f"{page.title} {place_of(page)}", self._asked.language)
        return max(least, share(self._asked, names))


def _said(passage: Passage) -> tuple[str, ...]:
    """The same for passages that say the same under the same headings."""
    return (*passage.section.breadcrumb, passage.hash)


def with_what_was_cut(
    given: Sequence[Source], cited: Sequence[Source], corpus: Corpus
) -> tuple[Source, ...]:
    """The sources that a writer was given, those of sections that it cites with all of their section, as far as
    `LONGEST` characters take it."""
    keys = {section_key(source.passage.section) for source in cited}
    sources = []
    for source in given:
        if section_key(source.passage.section) in keys:
            section = section_of(source.passage, corpus)
            more = excerpt(source.passage, section, LONGEST)
            whole = sorted({*source.context, *more}, key=lambda item: item.position)
            source = replace(source, context=tuple(whole))
        sources.append(source)
    return tuple(sources)


def hits_of(declaration: Declaration, corpus: Corpus, most: int) -> tuple[Hit, ...]:
    """The best passage of each section that a declaration's question and its other phrasings find, best first.

    Args:
        most: sections that are given at most.
    """
    found = _found(declaration, corpus, most).values()
    return tuple(hits[0] for hits in islice(found, most))


def section_key(section: Section) -> str:
    """What tells a section from any other of the site: headings may share an anchor."""
    return f"{section.page.src}#{section.position}"


def is_far(source: Source, settings: Settings) -> bool:
    """True if a source is below the threshold: it may be read, and nothing that asks no model goes by it."""
    return source.relevance < settings.cite_threshold


def section_of(passage: Passage, corpus: Corpus) -> tuple[Passage, ...]:
    """All passages of a passage's own section, without those below it, in page order."""
    page = corpus.section(passage.page.src, "")
    return tuple(item for item in page if item.section == passage.section)


def excerpt(
    best: Passage, section: Sequence[Passage], room: int
) -> tuple[Passage, ...]:
    """What of a section is given where there is room for so many characters: the best passage, however long it is, and
    what is nearest to it, each with what belongs to it; of a longer table no other row. In page order."""
    if sum(len(passage.text) for passage in section) <= room:
        return tuple(section)
    near = [passage for passage in section if not passage.header]
    near.sort(key=lambda item: (abs(item.position - best.position), item.position))
    shown: dict[str, Passage] = {}
    left = room
    for passage in (best, *near):
        new, size = [], 0
        for item in with_what_belongs(passage, section):
            if item.id not in shown:
                new.append(item)
                size += len(item.text)
        if not shown or size <= left:
            for item in new:
                shown[item.id] = item
            left -= size
    return tuple(sorted(shown.values(), key=lambda passage: passage.position))


def _found(declaration: Declaration, corpus: Corpus, most: int) -> dict[str, list[Hit]]:
    """The sections that the phrasings find, taken in turn, by their keys: of each its hits, best first."""
    scope = scope_of(declaration)
    limit = min(_LOOKED_AT, _PER_SECTION * most)
    rankings = []
    for query in declaration.phrasings:
        rankings.append(_broad(corpus.search(query, scope=scope, limit=limit)))
    found: dict[str, list[Hit]] = defaultdict(list)
    for sections in zip_longest(*rankings, fillvalue=()):
        for hits in sections:
            for hit in hits:
                found[section_key(hit.passage.section)].append(hit)
    return found


def _broad(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The hits of each section, best section first, but the best of the first pages before all."""
    sections: dict[str, list[Hit]] = {}
    first: dict[str, str] = {}
    for hit in hits:
        key = section_key(hit.passage.section)
        sections.setdefault(key, []).append(hit)
        first.setdefault(hit.passage.page.src, key)
    keys = dict.fromkeys([*islice(first.values(), _BREADTH), *sections])
    return [sections[key] for key in keys]


def _candidates(
    found: Mapping[str, Sequence[Hit]],
    declaration: Declaration,
    asked: Asked,
    corpus: Corpus,
) -> list[Passage]:
    """The passages of the pages that were found, best first; the best of all found before all. In place of a page of
    another version, product or provider than the question names come first those of the one that it names."""
    scope = scope_of(declaration)
    first = [hits[0].passage for hits in found.values()]
    found_on = dict.fromkeys(passage.page.src for passage in first)
    instead = _copies(found_on, asked, corpus, scope)
    pages = dict.fromkeys([*(instead.get(src, src) for src in found_on), *found_on])
    scored = []
    for number, src in enumerate(islice(pages, _PAGES)):
        for passage in corpus.section(src, ""):
            if asks_itself(passage.section, scope):
                continue
            above = " ".join(passage.section.breadcrumb[1:])
            headings = terms_of(above, asked.language)
            score = _with_what_is_above(passage, asked) + _PAGE_PLACE / (1 + number)
            score += _HEADINGS * share(asked, headings)
            score -= _LENGTH * math.log(1 + len(passage.text) / 200)
            if src in instead:
                score -= _OTHER
            scored.append((score, passage))
    scored.sort(key=lambda item: -item[0])
    best = [passage for passage in first if passage.page.src not in instead]
    return [*best[:1], *(passage for _, passage in scored)]


def _copies(
    found: Iterable[str], asked: Asked, corpus: Corpus, scope: Scope
) -> dict[str, str]:
    """Path of each page that speaks of another version, product or provider than the question names → path of the same
    page for the one that it names: it has the name in place of one part of the path, and mostly the same headings."""
    named = {word.term for word in asked.words}
    paths = set()
    names = set()
    for page in corpus.pages():
        if in_scope(page, scope):
            paths.add(page.src)
            names.update(page.src.removesuffix(".md").split("/"))
    names = {name for name in names if _is_named(name, named, asked.language)}
    copies = {}
    for src in found:
        parts = src.removesuffix(".md").split("/")
        for at, part in enumerate(parts):
            if part in names:
                continue
            for name in sorted(names):
                copy = "/".join([*parts[:at], name, *parts[at + 1 :]]) + ".md"
                is_file = at == len(parts) - 1
                if copy in paths and not (is_file and _differ(src, copy, corpus)):
                    copies[src] = copy
    return copies


def _is_named(name: str, named: Collection[str], language: str) -> bool:
    """True if a question has each word of a name."""
    words = WORD.findall(name)
    for word in words:
        if not any(term in named for term in joined_terms(word, language).split()):
            return False
    return bool(words)


def _differ(src: str, copy: str, corpus: Corpus) -> bool:
    """True if a page has not most headings of another one."""
    titles = {section.title for section in corpus.sections(src)}
    shared = titles & {section.title for section in corpus.sections(copy)}
    return 2 * len(shared) <= len(titles)


def _with_what_is_above(passage: Passage, asked: Asked) -> float:
    """The share of a question that a passage speaks of, with its lead, its headings and its page's path: it may name a
    version, a product or a provider."""
    above = " ".join((place_of(passage.page), *passage.section.breadcrumb))
    return share(asked, terms_of(f"{own_text(passage)}\n{above}", asked.language))
