"""The report as Markdown: a comment on a pull request, or the summary of a job.

It is cut to the limit of its reader, gravest findings first kept, and says what it leaves out. The hidden first line
lets a workflow find its earlier comment and write over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Detail, Finding, Related, Severity
from mkdocs_cited.reporters.interface import Report, Reporter
from mkdocs_cited.reporters.safety import markdown, markdown_code, markdown_inline, markdown_message, one_line, shorten
from mkdocs_cited.reporters.selection import by_page, checked, counted, most_severe, totals

MARKER = "<!-- mkdocs-cited -->"
COMMENT_BYTES = 60_000
"""A comment on GitHub takes 65,536 characters; on GitLab, a million."""
SUMMARY_BYTES = 1_048_576
"""Most that a step may write into its summary on GitHub: 1 MiB."""
LONGEST = 500
"""Characters of a claim, message or passage."""
ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


class Markdown(Reporter):
    """A heading with the totals, then the findings page by page."""

    id: ClassVar[str] = "markdown"
    description: ClassVar[str] = "For a comment on a pull request: Markdown."

    def __init__(self, max_bytes: int = COMMENT_BYTES) -> None:
        self.max_bytes = max_bytes

    def render(self, report: Report) -> str:
        """The text, at most `max_bytes` long in UTF-8; empty when not even the totals fit."""
        head = "".join(f"{line}\n" for line in _head(report))
        end = _end(report)
        room = self.max_bytes - _size(head) - _size(_left_out(len(report.shown))) - _size(end)
        if room < 0:
            return ""
        kept = _fitting(report, room)
        body = "".join(_pages(replace(report, shown=tuple(kept))))
        return (head + body + _left_out(len(report.shown) - len(kept)) + end).rstrip("\n") + "\n"


def write_summary(report: Report, environ: Mapping[str, str]) -> bool:
    """Append the report to the summary of the running step (`$GITHUB_STEP_SUMMARY`), within its limit.

    Returns whether there is such a summary. Rendering writes nothing: the command line calls this.
    """
    path = environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return False
    file = Path(path)
    used = file.stat().st_size if file.exists() else 0
    text = Markdown(SUMMARY_BYTES - used - 1).render(report)
    with file.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    return True


def _head(report: Report) -> Iterator[str]:
    seen = checked(report)
    yield MARKER
    yield f"### Cited answers: {totals(report)}"
    yield ""
    if seen:
        yield f"Checked {seen}."
        yield ""
    for notice in report.notices:
        yield f"> {markdown_message(shorten(notice, LONGEST))}"
        yield ""


def _fitting(report: Report, room: int) -> list[Finding]:
    """The gravest findings that fit into `room` bytes, their pages' headings included."""
    kept: list[Finding] = []
    pages: set[str] = set()
    ranked = sorted(most_severe(report.shown, len(report.shown)), key=lambda finding: -finding.severity.rank)
    page_of = {id(finding): page for page, findings in by_page(report) for finding in findings}
    for finding in ranked:
        page = page_of[id(finding)]
        room -= _size(_finding(finding)) + (0 if page in pages else _size(_heading(page)))
        if room < 0:
            break
        pages.add(page)
        kept.append(finding)
    return kept


def _pages(report: Report) -> Iterator[str]:
    for page, findings in by_page(report):
        yield _heading(page)
        yield from map(_finding, findings)


def _heading(page: str) -> str:
    return f"#### {markdown_code(page)}\n\n"


def _finding(finding: Finding) -> str:
    """An item of a list, with the claim and its first passages as quotations."""
    lines = [
        f"- {ICONS[finding.severity]} **{markdown(finding.slug)}** {markdown_code(str(finding.place))}<br>"
        f"{markdown_message(shorten(finding.message, LONGEST))}"
    ]
    if finding.claim:
        lines += ["", f"  > {_marked(finding)}"]
    for detail in finding.details:
        hint = f" ({markdown(shorten(detail.hint, LONGEST))})" if detail.hint else ""
        where = markdown_code(str(detail.place))
        lines += ["", f"  {detail.number}\\. {_marked(detail)}{hint} {where}"]
        for item in detail.related[:1]:
            lines += ["", f"  > {markdown(shorten(item.text, LONGEST))}"] if item.text else []
    for related in finding.related[:2]:
        lines += ["", f"  {_where(related)}", "", f"  > {markdown(shorten(related.text, LONGEST))}"]
    if finding.tip:
        lines += ["", f"  → {markdown_message(shorten(finding.tip, LONGEST))}"]
    return "\n".join((*lines, "", ""))


def _where(related: Related) -> str:
    where = str(related.place) if related.place else related.passage
    return ": ".join(filter(None, (markdown(related.message), markdown_code(where)))) or "passage"


def _marked(finding: Finding | Detail) -> str:
    """The claim with its offending words in bold; what is around them keeps its spaces."""
    claim, out, at = one_line(shorten(finding.claim, LONGEST)), [], 0
    for start, end in sorted(finding.marks):
        start, end = max(start, at), min(end, len(claim))
        words = claim[start:end]
        if words and words == words.strip():
            out += [markdown_inline(claim[at:start]), f"<b>{markdown_inline(words)}</b>"]
            at = end
    return "".join((*out, markdown_inline(claim[at:]))).strip()


def _left_out(number: int) -> str:
    return f"… and {counted(number, 'more finding')}: run `mkdocs-cited check` to see them.\n\n" if number else ""


def _end(report: Report) -> str:
    if not report.shown:
        return ""
    return "`mkdocs-cited explain SLUG` shows an example of each and how to mend it.\n"


def _size(text: str) -> int:
    return len(text.encode("utf-8"))
