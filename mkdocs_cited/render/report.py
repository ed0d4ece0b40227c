"""The report page: what a docs team plans from. It needs no server and no network, and runs nothing inline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib import resources
from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited import __version__
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE, Finding
from mkdocs_cited.render.answer import closest
from mkdocs_cited.render.cited import last_review
from mkdocs_cited.render.labels import Context, Labels
from mkdocs_cited.render.links import relative


class Row(Struct, frozen=True, kw_only=True):
    """An answer, with what the page says of it besides its own fields. Of a note it says nothing."""

    answer: Answer
    href: str
    checked: int
    """Claims that are supported."""
    date: str
    """ISO 8601 date of the last review by a person; empty for none."""
    people: str
    issues: tuple[str, ...]
    """What its findings mean."""
    reason: str
    nearest: tuple[tuple[str, str], ...]
    """(label, address) of the best that was found for a question without an answer."""


def report_page(
    answers: Iterable[Answer], context: Context, *, base: str, site_name: str = ""
) -> str:
    """The whole page, what needs somebody first.

    Args:
        answers: all answers of the site.
        context: of its build.
        base: path of the report in the site, which its links are relative to.
        site_name: for the title.
    """
    rows = [
        _row(item, context, base) for item in sorted(answers, key=lambda item: item.key)
    ]
    rows.sort(key=lambda row: (row.answer.ok and not row.issues, row.answer.ok))
    verdicts = Counter(
        item.judgement.verdict for row in rows for item in row.answer.claims
    )
    return context.filled(
        "report",
        Labels("en"),
        name=PurePosixPath(base).stem,
        site_name=site_name,
        generator=f"mkdocs-cited {__version__}",
        rows=rows,
        gaps=[row for row in rows if row.answer.status is Status.ABSTAINED],
        claims=verdicts.total(),
        checked=verdicts[Verdict.SUPPORTED],
        waiting=verdicts[Verdict.UNCHECKED],
        cost=sum(row.answer.spend.cost for row in rows),
    )


def assets_of(path: str) -> dict[str, str]:
    """Path in the site → text of the style sheet and the script of the report page at a path."""
    folder = resources.files("mkdocs_cited.render") / "assets"
    return {
        PurePosixPath(path).with_suffix(suffix).as_posix(): (
            folder / f"report{suffix}"
        ).read_text("utf-8")
        for suffix in (".css", ".js")
    }


def _row(answer: Answer, context: Context, base: str) -> Row:
    private = any(
        source.passage.is_private for source in (*answer.sources, *answer.consulted)
    )
    date, people = last_review(answer)
    href = ""
    if answer.page in context.addresses:
        href = relative(context.addresses[answer.page], base, f"#cited-{answer.id}")
    near = closest(answer.consulted)
    return Row(
        answer=answer,
        href=href,
        checked=sum(
            item.judgement.verdict is Verdict.SUPPORTED for item in answer.claims
        ),
        date=date,
        people=", ".join(people),
        issues=tuple(
            sorted({f"{item.slug}: {_meaning(item)}" for item in answer.findings})
        ),
        reason="" if private else answer.reason,
        nearest=tuple(
            (source.label, context.links(source.passage, "").href(base))
            for source in near
        ),
    )


def _meaning(finding: Finding) -> str:
    """What a finding means; how many claims wait, where it gathers those."""
    if finding.details:
        return finding.message.replace("`", "")
    return CATALOGUE[finding.slug].summary
