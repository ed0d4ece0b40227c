"""The languages of a site, each built by itself, seen as one site: its pages, its files and its report page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mkdocs.structure.files import Files

from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import main_locale
from mkdocs_cited.render.report import report_page


def as_one(languages: Sequence[Build]) -> Build:
    """One build with the pages and declarations of every language, the site's own first.

    A page that stands in for its missing translation appears once, in its own language.
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
        languages=[],
    )


def report_of_all(build: Build, reports: Sequence[Report]) -> str:
    """The report page over every language of a build whose pages are all written.

    Args:
        build: which has built each of its languages.
        reports: each language's.
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
        site_name=build.config.site_name,
        loader=build.config.theme.get_env().loader,
        edits_of=answering.edits(),
    )


def merged(all_files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Path → text. What one language has alone stays as it is; what all have holds the answers of all."""
    together: dict[str, str] = {}
    for files in all_files:
        for path, text in files.items():
            combine = _COMBINED.get(path)
            together[path] = combine(together[path], text) if combine and path in together else text
    return together


def _as_json(combine: Callable[[Any, Any], Any]) -> Callable[[str, str], str]:
    def combined(first: str, second: str) -> str:
        data = combine(json.loads(first), json.loads(second))
        concise = "\n" not in first.rstrip()
        layout: dict[str, Any] = {"separators": (",", ":")} if concise else {"indent": 1}
        return json.dumps(data, ensure_ascii=False, **layout) + "\n"

    return combined


_COMBINED: dict[str, Callable[[str, str], str]] = {
    "cited.json": _as_json(lambda first, second: {**first, "answers": first["answers"] + second["answers"]}),
    "cited.questions.json": _as_json(lambda first, second: first + second),
    "cited.md": lambda first, second: "\n".join(filter(None, (first, second))),
}
"""Files with the answers of a whole site, and how two languages' become one."""
