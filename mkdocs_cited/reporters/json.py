"""The report for programs of our users: JSON with a version of its own, described by `report.schema.json`."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec.structs import asdict

import mkdocs_cited
from mkdocs_cited.model.answer import Answer, Spend, Status
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    dumps,
    ordered,
)

VERSION = 3
"""Raised when a field changes its meaning or goes; a new field does not raise it."""


class FindingItem(Finding, frozen=True, kw_only=True):
    """A finding. Its `details` are the claims that it gathers; then `claim`, `marks` and `related` are empty."""

    name: str = msgspec.field(name="fingerprint")
    """Stable name: question and claim, never the line."""
    page: str
    """Path of the page under the docs folder; empty when no answer is concerned."""


class SuppressedItem(msgspec.Struct, frozen=True):
    """A finding that the project silences."""

    reason: str
    finding: FindingItem


class AnswerItem(msgspec.Struct, frozen=True):
    """An answer; its text and claims are in `cited.json`."""

    key: str
    page: str
    id: str
    question: str
    status: Status
    ok: bool
    provider: str
    model: str
    coverage: float
    """Cited claims ÷ claims, 0…1."""
    claims: int
    """How many it makes."""
    spend: Spend


class Totals(msgspec.Struct, frozen=True):
    """How many findings of each severity, suppressed and ignored ones, answers and claims there are."""

    error: int
    warning: int
    info: int
    suppressed: int
    ignored: int
    answers: int
    claims: int


class Document(msgspec.Struct, frozen=True):
    """The report."""

    version: int
    generator: str
    ok: bool
    """Whether no error was found."""
    totals: Totals
    spend: Spend
    """Of all answers together."""
    notices: tuple[str, ...]
    findings: tuple[FindingItem, ...]
    suppressed: tuple[SuppressedItem, ...]
    ignored: tuple[FindingItem, ...]
    """Those whose slug is set to `off`."""
    answers: tuple[AnswerItem, ...]


class Json(Reporter):
    """The whole report as JSON, with suppressed and ignored findings in lists of their own."""

    id: ClassVar[str] = "json"

    def render(self, report: Report) -> str:
        """The document as indented JSON; paths are relative to the folder of the configuration file."""
        return dumps(document(report))


def document(report: Report) -> Document:
    """The report as the values that the schema describes."""
    suppressed = [
        SuppressedItem(item.reason, _finding(item.finding))
        for item in report.suppressed
    ]
    suppressed.sort(key=lambda item: (item.finding.sort_key, item.reason))
    answers = sorted(report.answers, key=lambda answer: answer.key)
    return Document(
        version=VERSION,
        generator=f"mkdocs-cited {mkdocs_cited.__version__}",
        ok=not report.failed(),
        totals=Totals(
            error=report.count(Severity.ERROR),
            warning=report.count(Severity.WARNING),
            info=report.count(Severity.INFO),
            suppressed=len(report.suppressed),
            ignored=len(report.ignored),
            answers=len(report.answers),
            claims=sum(len(answer.claims) for answer in report.answers),
        ),
        spend=report.spent,
        notices=report.notices,
        findings=tuple(map(_finding, ordered(report.shown))),
        suppressed=tuple(suppressed),
        ignored=tuple(map(_finding, ordered(report.ignored))),
        answers=tuple(map(_answer, answers)),
    )


def schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the document; `report.schema.json` holds the same, checked by a test."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Report of mkdocs-cited, version {VERSION}",
    }
    made: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(msgspec.json.schema(Document))
    )
    for item in made["$defs"].values():
        if "properties" in item:  # all fields are written, those with defaults too
            item["required"] = [*item["properties"]]
    return head | made


def _finding(finding: Finding) -> FindingItem:
    page = finding.answer.rpartition("#")[0]
    return FindingItem(**asdict(finding), name=finding.fingerprint, page=page)


def _answer(answer: Answer) -> AnswerItem:
    return AnswerItem(
        key=answer.key,
        page=answer.page,
        id=answer.id,
        question=answer.question,
        status=answer.state,
        ok=answer.ok,
        provider=answer.provider,
        model=answer.model,
        coverage=round(answer.coverage, 4),
        claims=len(answer.claims),
        spend=answer.spend,
    )
