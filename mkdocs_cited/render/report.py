"""The report page: what a docs team plans from. One HTML file that needs no server, no network and no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.model.answer import Answer, Fit, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE, Finding
from mkdocs_cited.model.source import Corpus, SourceType
from mkdocs_cited.render.cited import cited_passage, is_private, last_review
from mkdocs_cited.render.labels import Context, Labels
from mkdocs_cited.render.links import relative


class Row(Struct, frozen=True):
    """An answer, with what the page says of it besides its own fields. Of a note it says nothing."""

    answer: Answer
    href: str
    verdicts: tuple[tuple[str, int], ...]
    """(verdict, claims that have it), worst last; those with none left out."""
    date: str
    """ISO 8601 date of the last change of text or review; empty without a record."""
    reviewer: str
    issues: tuple[tuple[str, str], ...]
    """(slug, what it means) of its findings."""
    reason: str
    missing: str
    """In what it does not answer its question; empty where it does."""
    external: int
    """Claims that depend on external pages alone."""
    nearest: tuple[tuple[str, str], ...]
    """(label, address) of the best that was found for a question without an answer."""


class Used(Struct, frozen=True):
    """A page of the site, and how often answers cite it."""

    title: str
    citations: int
    sections: tuple[tuple[str, str, int], ...]
    """(heading, address, citations) of its sections, in page order."""


def report_page(answers: Iterable[Answer], corpus: Corpus, context: Context, *, base: str, site_name: str = "") -> str:
    """The whole page.

    Args:
        answers: all answers of the site.
        corpus: its pages and passages.
        context: of its build.
        base: path of the report in the site, which its links are relative to.
        site_name: for the title.
    """
    ordered = sorted(answers, key=lambda item: item.key)
    rows = [_row(item, context, base) for item in ordered]
    rows.sort(key=lambda row: (row.answer.ok and not row.issues, row.answer.ok))  # what needs somebody comes first
    verdicts = Counter(item.judgement.verdict for answer in ordered for item in answer.claims)
    used = _used(corpus, ordered, context.addresses, base)
    return context.filled(
        "report",
        Labels("en"),
        language="en",
        site_name=site_name,
        generator=f"mkdocs-cited {__version__}",
        rows=rows,
        gaps=[row for row in rows if row.answer.status is Status.ABSTAINED],
        verdicts=_counted(verdicts),
        claims=verdicts.total(),
        external=sum(row.external for row in rows),
        waiting=sum(len(finding.details) for answer in ordered for finding in answer.findings),
        cost=sum(row.answer.spend.cost for row in rows),
        used=used,
        uncited=sum(not count for page in used for _, _, count in page.sections),
    )


def _used(corpus: Corpus, answers: Sequence[Answer], url_of: Mapping[str, str], base: str) -> list[Used]:
    """The pages of the site, those that most answers cite first."""
    passages = (cited_passage(answer, source)[0] for answer in answers for source in answer.sources)
    counts = Counter((item.page.src, item.section.anchor) for item in passages if not is_private(item))
    pages = []
    for page in corpus.pages():
        if page.type is SourceType.PAGE:
            url = url_of.get(page.src, page.url)
            titles = {item.section.anchor: item.section.title for item in corpus.section(page.src, "")}
            sections = tuple(
                (title, relative(url, base, f"#{anchor}" if anchor else ""), counts[page.src, anchor])
                for anchor, title in titles.items()
            )
            pages.append(Used(page.title, sum(count for _, _, count in sections), sections))
    return sorted(pages, key=lambda page: -page.citations)


def _row(answer: Answer, context: Context, base: str) -> Row:
    url_of = context.addresses
    private = any(is_private(source.passage) for source in (*answer.sources, *answer.consulted))
    unfit = answer.check is not None and answer.check.fit is not Fit.YES and answer.check.reason != answer.reason
    near = [source for source in answer.consulted if not is_private(source.passage)][:3]
    types = {source.sid: cited_passage(answer, source)[0].page.type for source in answer.sources}
    date, people = last_review(answer)
    return Row(
        answer,
        relative(url_of[answer.page], base, f"#cited-{answer.id}") if answer.page in url_of else "",
        tuple(_counted(Counter(item.judgement.verdict for item in answer.claims))),
        date,
        ", ".join(people) or answer.reviewer,
        tuple(sorted({(item.slug, _meaning(item)) for item in answer.findings})),
        reason="" if private else answer.reason,
        missing=f"answers {answer.check.fit}: {answer.check.reason}" if answer.check and unfit and not private else "",
        external=sum({types.get(sid) for sid in item.claim.sids} == {SourceType.WEB} for item in answer.claims),
        nearest=tuple((source.label, context.links(source.passage, "").href(base)) for source in near),
    )


def _counted(verdicts: Counter[Verdict]) -> list[tuple[str, int]]:
    return [(verdict.value, verdicts[verdict]) for verdict in Verdict if verdicts[verdict]]


def _meaning(finding: Finding) -> str:
    """What a finding means; how many claims wait, where it gathers those."""
    return finding.message.replace("`", "") if finding.details else CATALOGUE[finding.slug].summary
