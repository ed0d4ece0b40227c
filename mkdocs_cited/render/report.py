"""The report page: what a docs team plans from. One HTML file that needs no server, no network and no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import jinja2
from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.model.answer import Answer, Fit, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE, Finding
from mkdocs_cited.model.source import Corpus, Passage, Source, SourceType
from mkdocs_cited.render.answer import Edits, no_edits
from mkdocs_cited.render.cited import cited_passage, is_private, last_review
from mkdocs_cited.render.labels import Labels, environment
from mkdocs_cited.render.links import LinkOf, relative


class NavEntry(Struct, frozen=True):
    """A line of the site's navigation, in its order."""

    title: str
    depth: int = 0
    """0 for the top level."""
    src: str = ""
    """Path of its page under `docs_dir`; empty for a group."""


class AnswerRow(Struct, frozen=True):
    """An answer in the table."""

    question: str
    href: str
    page: str
    status: str
    ok: bool
    verdicts: tuple[tuple[str, int], ...]
    """(verdict, claims that have it), worst last; those with none left out."""
    claims: int
    coverage: float
    date: str
    """ISO 8601 date of the last change of text or review; empty without a record."""
    provider: str
    reviewer: str
    cost: float
    issues: tuple[tuple[str, str], ...]
    """(slug, what it stands for) of its findings."""
    reason: str
    fit: str
    """Whether it answers its question: `yes`, `in part`, `no`; empty for one without a text."""
    missing: str
    """Why not, in words."""
    elsewhere: int
    """Claims that depend on external pages alone."""
    edits: Edits
    """Where question and record can be edited."""


class Heat(Struct, frozen=True):
    """A page of the site."""

    title: str
    citations: int
    share: float
    """Of the most cited page's citations, 0…1."""
    sections: tuple[tuple[str, str, int], ...]
    """(heading, address, citations) of its sections, in page order."""

    @property
    def uncited(self) -> int:
        """How many of its sections no answer cites."""
        return sum(not count for _, _, count in self.sections)


class Gap(Struct, frozen=True):
    """A question that the docs do not answer."""

    question: str
    href: str
    reason: str
    nearest: tuple[tuple[str, str], ...]
    """(label, address) of the best that was found."""
    unknown: tuple[str, ...] = ()
    """Words of the question that stand nowhere in the docs."""


def report_page(
    answers: Iterable[Answer],
    corpus: Corpus,
    link_of: LinkOf,
    *,
    base: str,
    url_of: Mapping[str, str],
    nav: Sequence[NavEntry] = (),
    site_name: str = "",
    locale: str = "en",
    loader: jinja2.BaseLoader | None = None,
    edits_of: Callable[[Answer], Edits] = no_edits,
) -> str:
    """The whole page.

    Args:
        answers: all answers of the site.
        corpus: its pages and passages.
        link_of: the way to a quote.
        base: path of the report in the site, which its links are relative to.
        url_of: path under `docs_dir` → address.
        nav: the navigation; by default the pages in order of their paths.
        site_name: for the title.
        locale: language of the labels.
        loader: where a site's own `cited/report.html` is looked up first.
        edits_of: where an answer's question and its record can be edited.
    """
    ordered = sorted(answers, key=lambda item: item.key)
    uses = Counter((passage.page.src, passage.section.anchor) for passage in _cited(ordered))
    heat = _heat(nav or _by_path(corpus), corpus, uses, url_of, base)
    rows = [_row(item, url_of, base, edits_of) for item in ordered]
    rows.sort(key=lambda row: (row.ok and not row.issues, row.ok))  # what needs somebody comes first
    verdicts = Counter(item.judgement.verdict.value for answer in ordered for item in answer.claims)
    return (
        environment(loader)
        .get_template("cited/report.html")
        .render(
            label=Labels(locale),
            language=Labels(locale).language,
            site_name=site_name,
            generator=f"mkdocs-cited {__version__}",
            rows=rows,
            verdicts=[(verdict.value, verdicts[verdict.value]) for verdict in Verdict if verdicts[verdict.value]],
            claims=verdicts.total(),
            elsewhere=sum(row.elsewhere for row in rows),
            waiting=sum(len(finding.details) for answer in ordered for finding in answer.findings),
            cost=round(sum(row.cost for row in rows), 4),
            heat=heat,
            pages=len(heat),
            cited_pages=sum(bool(item.citations) for item in heat),
            uncited=sum(item.uncited for item in heat),
            gaps=[_gap(item, link_of, url_of, base) for item in ordered if item.status is Status.ABSTAINED],
        )
    )


def _cited(answers: Iterable[Answer]) -> Iterable[Passage]:
    """Every published passage behind a number, once for each answer."""
    for answer in answers:
        for source in answer.sources:
            passage, _ = cited_passage(answer, source)
            if not is_private(passage):
                yield passage


def _by_path(corpus: Corpus) -> list[NavEntry]:
    return [
        NavEntry(page.title, page.src.count("/"), page.src) for page in corpus.pages() if page.type is SourceType.PAGE
    ]


def _heat(
    nav: Sequence[NavEntry], corpus: Corpus, counts: Counter[tuple[str, str]], url_of: Mapping[str, str], base: str
) -> list[Heat]:
    pages: Counter[str] = Counter()
    for (src, _), count in counts.items():
        pages[src] += count
    most = max(pages.values(), default=1)
    heat = []
    for entry in nav:
        url = url_of.get(entry.src, "")
        sections = tuple(
            (title, relative(url, base, f"#{anchor}" if anchor else ""), counts[entry.src, anchor])
            for anchor, title in _sections(corpus, entry.src)
        )
        if sections:
            heat.append(Heat(entry.title, pages[entry.src], pages[entry.src] / most, sections))
    return heat


def _sections(corpus: Corpus, src: str) -> list[tuple[str, str]]:
    """(anchor, heading) of a page's sections that hold a passage, in page order."""
    if not src:
        return []
    found = ((passage.section.anchor, passage.section.title) for passage in corpus.section(src, ""))
    return list(dict(found).items())


def _row(answer: Answer, url_of: Mapping[str, str], base: str, edits_of: Callable[[Answer], Edits]) -> AnswerRow:
    verdicts = Counter(item.judgement.verdict for item in answer.claims)
    private = any(is_private(source.passage) for source in (*answer.sources, *answer.consulted))
    date, people = last_review(answer)
    return AnswerRow(
        question=answer.question,
        href=_answer_href(answer, url_of, base),
        page=answer.page,
        status=answer.status.value,
        ok=answer.ok,
        verdicts=tuple((verdict.value, verdicts[verdict]) for verdict in Verdict if verdicts[verdict]),
        claims=len(answer.claims),
        coverage=round(answer.coverage, 4),
        date=date,
        provider=" ".join(filter(None, (answer.provider, answer.model))),
        reviewer=", ".join(people) or answer.reviewer,
        cost=answer.spend.cost,
        issues=tuple(sorted({(item.slug, _meaning(item)) for item in answer.findings})),
        reason="" if private else answer.reason,
        fit=answer.check.fit.value if answer.check else "",
        missing="" if private or answer.check is None or answer.check.fit is Fit.YES else answer.check.reason,
        elsewhere=sum(_rests_elsewhere(answer, item.claim.sids) for item in answer.claims),
        edits=edits_of(answer),
    )


def _rests_elsewhere(answer: Answer, sids: Sequence[int]) -> bool:
    """Whether all that a claim cites are pages elsewhere."""
    types = {cited_passage(answer, source)[0].page.type for source in answer.sources if source.sid in sids}
    return types == {SourceType.WEB}


def _meaning(finding: Finding) -> str:
    """What a finding stands for; how many claims wait, where it gathers those."""
    return finding.message.replace("`", "") if finding.details else CATALOGUE[finding.slug].summary


def _answer_href(answer: Answer, url_of: Mapping[str, str], base: str) -> str:
    return relative(url_of[answer.page], base, f"#cited-{answer.id}") if answer.page in url_of else ""


def _gap(answer: Answer, link_of: LinkOf, url_of: Mapping[str, str], base: str) -> Gap:
    def public(source: Source) -> bool:
        return not is_private(source.passage)

    shown = [source for source in answer.consulted if public(source)][:3]
    reason = answer.reason if all(map(public, answer.consulted)) else ""
    nearest = tuple((source.label, link_of(source.passage, "").href(base)) for source in shown)
    return Gap(answer.question, _answer_href(answer, url_of, base), reason, nearest, answer.unknown)
