"""What a page gets besides its answers: for readers of many questions a line, a field and folded answers; for authors,
in the preview alone, what was found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import jinja2

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.render.cited import cited_passage, is_private, last_review
from mkdocs_cited.render.labels import Labels, environment
from mkdocs_cited.render.links import relative
from mkdocs_cited.settings.options import Render

QUESTIONS = "cited.questions.json"
"""Path in the site of the questions that the field searches."""


def folded(html: str, slot: str) -> str:
    """A page's HTML with the heading right before a place and the place itself in `details`."""
    heading = r"(<h([2-6])\b[^<>]*>(?:(?!</h\2>).)*</h\2>)\s*"
    summary = r'<details class="cited-fold"><summary>\1</summary>\n'
    return re.sub(heading + f"({re.escape(slot)})", summary + r"\3\n</details>", html, count=1, flags=re.DOTALL)


def top_of_page(
    answers: Sequence[Answer],
    asked: Sequence[tuple[str, str]],
    options: Render,
    base: str,
    locale: str,
    loader: jinja2.BaseLoader | None,
) -> str:
    """What the options put on top of a page with answers.

    Args:
        answers: of the page.
        asked: question and address, relative to the site's root, of each answer of the site.
        options: the block `render`.
        base: address of the page.
        locale: its language.
        loader: where a site's own templates are found.
    """
    labels = Labels(locale)
    passages = [cited_passage(answer, source)[0] for answer in answers for source in answer.sources]
    pages = {passage.page.src for passage in passages if not is_private(passage)}
    date = max((last_review(answer)[0] for answer in answers if answer.status is Status.ACCEPTED), default="")
    lines = [labels("page_summary", pages=len(pages)), *([labels("checked_on", date=date)] if date else [])]
    values = {
        "summary": lines if options.summary and pages else (),
        "questions": [(question, relative(url, base)) for question, url in asked] if options.ask else (),
        "index": relative(QUESTIONS, base),
        "root": relative("", base),
        "label": labels,
    }
    return environment(loader).get_template("cited/top.html").render(values).strip()


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
