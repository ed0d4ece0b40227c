"""The report for code scanning and editors: SARIF 2.1.0 (OASIS, errata 01), within what GitHub takes.

GitHub ignores `suppressions`, so suppressed findings are left out. It takes 25,000 results a run, reads the first
1,000 characters of a message, and tells findings apart by `primaryLocationLineHash`, which is ours: question and
claim, never the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import quote

import mkdocs_cited
from mkdocs_cited.base.text import encodable, shorten
from mkdocs_cited.model.finding import (
    CATALOGUE,
    Finding,
    Place,
    Related,
    Severity,
    explain,
)
from mkdocs_cited.reporters.interface import (
    Report,
    Reporter,
    counted,
    described,
    most_severe,
    totals,
    unique_fingerprints,
)
from mkdocs_cited.reporters.safety import dumps, one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
MOST_RESULTS = 25_000
MOST_RELATED = 10
LONGEST = 1_000
"""Characters of a message or passage."""
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
ROOT = "%SRCROOT%"
"""Name of the repository's root, by convention of SARIF §3.14.14 and of GitHub."""


class Sarif(Reporter):
    """One run, a rule for each slug that was found, a result for each finding."""

    id: ClassVar[str] = "sarif"
    description: ClassVar[str] = "For code scanning and editors: SARIF 2.1.0."

    def __init__(self, most_results: int = MOST_RESULTS) -> None:
        self.most_results = most_results

    def render(self, report: Report) -> str:
        """The log as indented JSON; paths are relative to the repository's root."""
        findings = most_severe(report.shown, self.most_results)
        slugs = sorted({finding.slug for finding in findings})
        run = {
            "tool": {
                "driver": {
                    "name": "mkdocs-cited",
                    "version": mkdocs_cited.__version__,
                    "rules": [_rule(slug) for slug in slugs],
                }
            },
            "invocations": [_invocation(report, len(report.shown) - len(findings))],
            "originalUriBaseIds": {
                ROOT: {"description": {"text": "The root of the repository."}}
            },
            "automationDetails": {"id": "mkdocs-cited/"},
            "columnKind": "unicodeCodePoints",
            "results": [
                _result(finding, slugs.index(finding.slug), fingerprint, report.prefix)
                for finding, fingerprint in zip(
                    findings, unique_fingerprints(findings), strict=True
                )
            ],
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


def _invocation(report: Report, left_out: int) -> dict[str, Any]:
    """That the tool ran, and what else must be said (§3.20)."""
    notes = [*report.notices]
    if left_out:
        notes.append(
            f"{counted(left_out, 'finding')} of {totals(report)} left out: a run takes {MOST_RESULTS:,}."
        )
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if notes:
        invocation["toolExecutionNotifications"] = [
            {"level": "note", "message": {"text": note}} for note in notes
        ]
    return invocation


def _result(
    finding: Finding, rule: int, fingerprint: str, prefix: str
) -> dict[str, Any]:
    """One finding (§3.27)."""
    placed = _placed(finding)
    result: dict[str, Any] = {
        "ruleId": encodable(finding.slug),
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": _message(finding, placed),
        "locations": [{"physicalLocation": _location(finding.place, prefix)}],
        "partialFingerprints": {
            "primaryLocationLineHash": fingerprint,
            "questionAndClaim/v1": fingerprint,
        },
    }
    related = [
        _related(number, item, prefix) for number, item in enumerate(placed, start=1)
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _message(finding: Finding, placed: Sequence[Related]) -> dict[str, str]:
    """What is wrong, its places, the claims with their passage, and what to do (§3.11). GitHub shows a related location
    only where the message links to its number."""
    lines = [_plain(line, 300) for line in described(finding, 250)]
    links: list[str] = []
    for number, item in enumerate(placed, start=1):
        links.append(f"[{_plain(str(item.place), 120)}]({number})")
    if links:
        lines.insert(1, f"Compare {', '.join(links)}")
    return {"text": "\n".join(lines)}


def _plain(text: str, limit: int) -> str:
    """Plain text of a message, in which `[…](…)` would be a link (§3.11.6) and `{0}` a placeholder (§3.11.5)."""
    text = shorten(one_line(text), limit)
    if "](" in text:
        text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return _PLACEHOLDER.sub(r"{{\1}}", text)


def _placed(finding: Finding) -> list[Related]:
    """The claims that it gathers, then the passages, whose place is known: GitHub refuses a location without one."""
    claims: list[Related] = []
    passages = [*finding.related]
    for detail in finding.details:
        claims.append(Related("a claim that waits", detail.place, text=detail.claim))
        passages += detail.related
    placed = [item for item in dict.fromkeys(passages) if item.place]
    return [*claims, *placed][:MOST_RELATED]


def _related(number: int, related: Related, prefix: str) -> dict[str, Any]:
    """A passage in the sources (§3.28), with its words."""
    words = ": ".join(filter(None, (related.message, related.text)))
    place = related.place or Place("")
    return {
        "id": number,
        "message": {"text": _plain(words, LONGEST)},
        "physicalLocation": _location(place, prefix),
    }


def _location(place: Place, prefix: str) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    if place.end_line:
        region["endLine"] = place.end_line
    if place.end_column:
        region["endColumn"] = place.end_column
    uri = quote(encodable(prefix + place.file).replace("\\", "/"), safe="/")
    return {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}, "region": region}
