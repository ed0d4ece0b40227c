"""The languages of a site, each built by itself, seen as one site: what commands, preview and report page read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import jinja2
from mkdocs.structure.files import Files

from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.model.page import main_locale
from mkdocs_cited.model.report import Report
from mkdocs_cited.render.report import NavEntry, report_page


def as_one(languages: Sequence[Build]) -> Build:
    """One build with the pages and declarations of every language, the site's own first.

    A page that stands in for its missing translation is told of once, where it stands in its own language.
    """
    first = languages[0]
    if len(languages) == 1:
        return first
    backwards = languages[::-1]  # so that the first of a name wins
    documents = {page.src: (page, html) for build in backwards for page, html in reversed(build.documents)}
    shown = {page.src: page for build in backwards for page in reversed([*build.shown_pages()])}
    declarations = {item.key: item for build in backwards for item in reversed(build.declarations)}
    return replace(
        first,
        locale=main_locale(page for page, _ in first.documents),
        files=Files([file for build in backwards for file in build.files]),
        order=tuple(src for build in languages for src in build.pages_in_order()),
        documents=list(reversed(documents.values())),
        shown=tuple(reversed(shown.values())),
        declarations=list(reversed(declarations.values())),
        urls={key: url for build in backwards for key, url in build.urls.items()},
        findings=list(dict.fromkeys(finding for build in languages for finding in build.findings)),
        fully_parsed={src for build in languages for src in build.fully_parsed},
        appended={key for build in languages for key in build.appended},
        languages=[],
    )


def report_of_all(build: Build, reports: Sequence[Report], loader: jinja2.BaseLoader | None) -> str:
    """The report page over every language of a build whose pages are all written.

    Args:
        build: which has built each of its languages.
        reports: each language's.
        loader: where a site's own templates are found.
    """
    whole = as_one(build.languages)
    answers = {answer.key: answer for report in reversed(reports) for answer in report.answers}
    answering = Answering(whole)
    return report_page(
        [answer for key, answer in answers.items() if key in whole.urls],
        answering.corpus,
        answering.links(),
        base=build.settings.render.report,
        url_of={page.src: page.url for page in whole.shown_pages()},
        nav=list(_navigation(build.languages)),
        site_name=build.config.site_name,
        loader=loader,
        edits_of=answering.edits(),
    )


def _navigation(languages: Sequence[Build]) -> Iterator[NavEntry]:
    """Every language's navigation under its name; a page that stands in for its translation, once."""
    told: set[str] = set()
    for build in languages:
        own = [page for page, _ in build.documents if page.src not in told]
        yield NavEntry(main_locale(own))
        for line in adapter.navigation(build.nav):
            entry = NavEntry(*line)
            if entry.src not in told:
                yield replace(entry, depth=entry.depth + 1)
        told |= {page.src for page in own}
