"""The reports for programs: JSON with a version of its own, described by `report.schema.json`; and SARIF 2.1.0 (OASIS,
errata 01) for code scanning and editors, within what GitHub takes.

GitHub ignores `suppressions`, so suppressed findings are left out of SARIF. It reads the first 1,000 characters of a
message, and tells findings apart by `primaryLocationLineHash`, which is ours: question and claim, never the line.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import asdict

import mkdocs_cited
from mkdocs_cited.base.text import encodable, shorten
from mkdocs_cited.model.answer import Answer, Spend, Status
from mkdocs_cited.model.finding import (
    CATALOGUE,
    Finding,
    Place,
    Severity,
    explain,
    in_order,
)
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    described,
    dumps,
    one_line,
    unique_fingerprints,
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
            claims=report.claims,
        ),
        spend=report.spent,
        notices=report.notices,
        findings=tuple(map(_finding, in_order(report.shown))),
        suppressed=tuple(suppressed),
        ignored=tuple(map(_finding, in_order(report.ignored))),
        answers=tuple(map(_answer, answers)),
    )


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


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MOST_RELATED = 10
LONGEST = 1_000
"""Characters of a message or passage."""
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
ROOT = "%SRCROOT%"
"""Name of the repository's root, by convention of SARIF §3.14.14 and of GitHub."""


class Sarif(Reporter):
    """One run, a rule for each slug that was found, a result for each finding."""

    def render(self, report: Report) -> str:
        """The log as indented JSON; paths are relative to the repository's root."""
        findings = in_order(report.shown)
        slugs = sorted({finding.slug for finding in findings})
        results = []
        for finding, name in zip(findings, unique_fingerprints(findings), strict=True):
            rule = slugs.index(finding.slug)
            results.append(_result(finding, rule, name, report.prefix))
        driver = {
            "name": "mkdocs-cited",
            "version": mkdocs_cited.__version__,
            "rules": list(map(_rule, slugs)),
        }
        root = {"description": {"text": "The root of the repository."}}
        notices = [{"level": "note", "message": {"text": it}} for it in report.notices]
        invocation = {
            "executionSuccessful": True,
            "toolExecutionNotifications": notices,
        }
        run = {
            "tool": {"driver": driver},
            "invocations": [invocation],
            "originalUriBaseIds": {ROOT: root},
            "automationDetails": {"id": "mkdocs-cited/"},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }
        return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(slug: str) -> dict[str, Any]:
    """What a slug means (§3.49). Slugs of other people's rules have no entry in the catalogue."""
    kind = CATALOGUE.get(slug)
    if kind is None:
        return {"id": encodable(slug)}
    return {
        "id": slug,
        "shortDescription": {"text": kind.summary},
        "help": {
            "text": f"{kind.summary} `mkdocs-cited explain {slug}` shows an example and how to fix it.",
            "markdown": explain(slug),
        },
        "defaultConfiguration": {"level": LEVELS[kind.severity]},
        "properties": {"tags": ["documentation", kind.group]},
    }


def _result(
    finding: Finding, rule: int, fingerprint: str, prefix: str
) -> dict[str, Any]:
    """One finding (§3.27): what is wrong, its places, the claims with their passage, and what to do. GitHub shows a
    related location only where the message links to its number."""
    links, related = [], []
    for number, (place, words) in enumerate(_placed(finding), start=1):
        links.append(f"[{_plain(str(place), 120)}]({number})")
        location = {
            "id": number,
            "message": {"text": _plain(words, LONGEST)},
            "physicalLocation": _location(place, prefix),
        }
        related.append(location)
    lines = [_plain(line, 300) for line in described(finding, 250)]
    if links:
        lines.insert(1, f"Compare {', '.join(links)}")
    return {
        "ruleId": encodable(finding.slug),
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": "\n".join(lines)},
        "locations": [{"physicalLocation": _location(finding.place, prefix)}],
        "partialFingerprints": {
            "primaryLocationLineHash": fingerprint,
            "questionAndClaim/v1": fingerprint,
        },
        "relatedLocations": related,
    }


def _plain(text: str, limit: int) -> str:
    """Plain text of a message, in which `[…](…)` would be a link (§3.11.6) and `{0}` a placeholder (§3.11.5)."""
    text = shorten(one_line(text), limit)
    if "](" in text:
        text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return _PLACEHOLDER.sub(r"{{\1}}", text)


def _placed(finding: Finding) -> list[tuple[Place, str]]:
    """The claims that it gathers, then the passages, whose place is known: GitHub refuses a location without one. Each
    has its words."""
    passages = [*finding.related]
    placed: dict[tuple[Place, str], None] = {}
    for detail in finding.details:
        placed[detail.place, f"a claim that waits: {detail.claim}"] = None
        passages += detail.related
    for item in passages:
        if item.place:
            words = ": ".join(filter(None, (item.message, item.text)))
            placed[item.place, words] = None
    return [*placed][:MOST_RELATED]


def _location(place: Place, prefix: str) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_line:
        region["endLine"] = place.end_line
    if place.end_column:
        region["endColumn"] = place.end_column
    uri = quote(encodable(prefix + place.file).replace("\\", "/"), safe="/")
    return {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}, "region": region}
