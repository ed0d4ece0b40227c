"""For authors, in the preview: what was found, on the page that it concerns. Readers see nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import jinja2
from msgspec import Struct, field

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.render.labels import Labels
from mkdocs_cited.render.links import relative
from mkdocs_cited.render.templates import environment


class Apart(Struct, frozen=True):
    """Findings that no answer of a page shows."""

    of_pages: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    """Address of a page → those that stand in its file or concern an answer of it."""
    of_none: tuple[Finding, ...] = ()
    """Those of no page: of records without a question, of options, of files that are sources."""


def apart(findings: Iterable[Finding], shown: Collection[str], files: Mapping[str, str]) -> Apart:
    """The findings that stand on no answer, by page.

    Args:
        findings: of the whole site.
        shown: keys of the answers that pages show; what concerns them stands there.
        files: path of a page's file in the project, and path under the folder of the pages → its address.
    """
    of_pages: dict[str, list[Finding]] = {}
    of_none: list[Finding] = []
    for finding in findings:
        if finding.answer in shown:
            continue
        url = files.get(finding.place.file, files.get(finding.answer.rpartition("#")[0]))
        (of_none if url is None else of_pages.setdefault(url, [])).append(finding)
    return Apart({url: tuple(items) for url, items in of_pages.items()}, tuple(of_none))


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


def ask_box(
    base: str,
    endpoint: str,
    locale: str = "en",
    loader: jinja2.BaseLoader | None = None,
    findings: Sequence[Finding] = (),
) -> str:
    """What ends the page at `base`: findings of no page, and the box with which an author asks the docs a question.

    Args:
        base: address of the page, relative to the site's root.
        endpoint: where `preview.js` sends the question; empty for no box.
        locale: language of the page, in which the question is answered.
        loader: where a site's own templates are looked up first.
        findings: those of no page.
    """
    template = environment(loader).get_template("cited/ask.html")
    root = relative("", base)
    values = {"endpoint": endpoint, "root": root, "lang": locale, "findings": findings, "label": Labels(locale)}
    return template.render(values).strip() + "\n"
