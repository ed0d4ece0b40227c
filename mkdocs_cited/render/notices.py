"""For authors, in the preview: what was found, on the page that it concerns. Readers see nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import jinja2

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.templates import environment


def by_page(
    findings: Iterable[Finding], shown: Collection[str], files: Mapping[str, str], home: str
) -> dict[str, list[Finding]]:
    """Address of a page → the findings of its file or its answers that no answer shows.

    Args:
        findings: of the whole site.
        shown: keys of the answers that pages show; what concerns them stands there.
        files: path of a page's file in the project, and path under the folder of the pages → its address.
        home: address of the page that gets those of none: of options, of records without a question.
    """
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.answer not in shown:
            url = files.get(finding.place.file, files.get(finding.answer.rpartition("#")[0], home))
            found.setdefault(url, []).append(finding)
    return found


def gravity(findings: Sequence[Finding], *, failed: bool = False) -> str:
    """The kind of admonition for findings; all themes have these three."""
    worst = max((finding.severity.rank for finding in findings), default=Severity.INFO.rank)
    if failed or worst >= Severity.ERROR.rank:
        return "danger"
    return "warning" if worst >= Severity.WARNING.rank else "note"


def page_notice(
    findings: Sequence[Finding], failing: Sequence[Answer], locale: str, loader: jinja2.BaseLoader | None = None
) -> str:
    """What is at the top of a page: findings that no answer of it shows, and ways to its answers that fail."""
    template = environment(loader).get_template("cited/findings.html")
    all_of_them = [*findings, *(finding for answer in failing for finding in answer.findings)]
    worst = gravity(all_of_them, failed=any(not answer.ok for answer in failing))
    values = {"findings": findings, "failing": failing, "gravity": worst, "label": Labels(locale)}
    return template.render(values).strip() + "\n"
