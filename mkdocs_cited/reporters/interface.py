"""What a reporter is: a pure function of a report to text; and what all do to findings: order, count, describe.

Texts of documentation and models are made harmless here for the readers of a report: terminals, XML, Markdown, JSON.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec

from mkdocs_cited.base.errors import without_commands, without_marks
from mkdocs_cited.base.text import encodable, shorten, ticks
from mkdocs_cited.model.answer import Spend
from mkdocs_cited.model.declaration import PROSE
from mkdocs_cited.model.finding import IS, WAS, Finding, Severity, in_order
from mkdocs_cited.model.report import Estimate, Report

__all__ = ["Report", "Reporter"]


class Reporter(ABC):
    """Writes reports in one format. Pure: it reads a report and returns text."""

    @abstractmethod
    def render(self, report: Report) -> str:
        """The whole text, deterministic and within the limits of the format's readers."""


def by_page(report: Report) -> list[tuple[str, list[Finding]]]:
    """The shown findings under the file they concern, files by path: (`docs/faq.md`, its findings).

    A finding about an answer is under the page that asks its question, wherever its record is.
    """
    pages = defaultdict(list)
    for finding in in_order(report.shown):
        place = report.places.get(finding.answer, finding.place)
        pages[place.file].append(finding)
    return sorted(pages.items())


def most_severe(findings: Sequence[Finding], limit: int) -> tuple[Finding, ...]:
    """At most `limit` findings, errors before warnings before infos, in the order of a report."""
    ranked = sorted(in_order(findings), key=lambda finding: -finding.severity.rank)
    return in_order(ranked[:limit])


def unique_fingerprints(findings: Sequence[Finding]) -> list[str]:
    """A fingerprint for each finding, in order: `…`, and `…:2` for the second of the same question and claim.

    Consumers drop findings whose fingerprint they have already seen.
    """
    seen: Counter[str] = Counter()
    names = []
    for finding in findings:
        name = finding.fingerprint
        seen[name] += 1
        if seen[name] > 1:
            name += f":{seen[name]}"
        names.append(name)
    return names


_SIDES = {WAS: "Was", IS: "Is"}


def described(finding: Finding, longest: int = 1_000) -> list[str]:
    """What a finding says: its message, the claims, the nearest passage, and what to do.

    Args:
        longest: characters of a claim or passage.
    """
    lines = [finding.message]
    if finding.claim:
        lines.append(f"Claim: {shorten(finding.claim, longest)}")
    for detail in finding.details:
        about = "; ".join(filter(None, (detail.hint, str(detail.place))))
        lines.append(
            f"{detail.number}. {shorten(detail.claim, min(longest, 300))} ({about})"
        )
    sides = [related for related in finding.related if related.message in _SIDES]
    for related in sides or finding.related[:1]:
        label = _SIDES.get(related.message, "Passage")
        where = related.place or related.passage
        if where:
            label += f" ({where})"
        if related.text:
            lines.append(f"{label}: {shorten(related.text, longest)}")
    if finding.tip:
        lines.append(f"→ {finding.tip}")
    return lines


def totals(report: Report) -> str:
    """Return what was found, in a phrase: `2 errors, 1 warning (1 suppressed)`, or `no findings`."""
    text = summary(
        ("{:,} error{s}", report.count(Severity.ERROR)),
        ("{:,} warning{s}", report.count(Severity.WARNING)),
        ("{:,} for your information", report.count(Severity.INFO)),
    )
    text = text or "no findings"
    if report.suppressed:
        return f"{text} ({len(report.suppressed):,} suppressed)"
    return text


def checked(report: Report) -> str:
    """What was looked at: `12 answers, 3 pages with marks, 61 claims`; empty when the report holds none of them."""
    pages = sum(answer.target == PROSE for answer in report.answers)
    return summary(
        ("{:,} answer{s}", len(report.answers) - pages),
        ("{:,} page{s} with marks", pages),
        ("{:,} claim{s}", report.claims),
    )


def cost_of(spend: Spend) -> str:
    """What model calls cost, in words; empty when there were none."""
    if not spend.calls:
        return ""
    tokens = ("{:,} token{s}", spend.input_tokens + spend.output_tokens)
    used = summary(("{:,} model call{s}", spend.calls), tokens)
    return f"{used}, ${spend.cost:,.2f}"


def priced(estimate: Estimate, asked: str = "") -> str:
    """What models would cost, in a line.

    Args:
        asked: what they would do; by default they write answers, which are then reviewed.
    """
    if not (estimate.answers or estimate.reviews):
        return "No model would be asked."
    each = ""
    price = estimate.each
    if not asked:
        kept = ("{} review{s} of answers that are kept", estimate.reviews)
        asked = summary(("{} answer{s} from a model", estimate.answers), kept)
        if estimate.answers:
            whose = summary(("{} recorded answer{s}", estimate.measured))
            whose = whose or "answers on other sites, without what the model thinks"
            each = f" (${price or 0:.3f} an answer with its review, in the median of {whose})"
        else:
            price = estimate.review
    if price is None:
        return f"{asked}: the price table does not have the model."
    return f"{asked}: about ${estimate.cost:.2f}{each}."


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `25,000 errors`."""
    return summary((f"{{:,}} {noun}{{s}}", number))


def summary(*parts: tuple[str, int]) -> str:
    """Counts in one line, those of nothing left out: `("wrote {}", 2), ("{} proposal{s}", 1)` → `wrote 2, 1 proposal`.

    `{s}` is a plural's.
    """
    told = []
    for words, count in parts:
        if count:
            told.append(words.format(count, s="" if count == 1 else "s"))
    return ", ".join(told)


_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, bidirectional overrides and isolates (which make a line read otherwise than it is), lone
surrogates, and the rest of what XML 1.0 §2.2 refuses. A line feed and a tab are left."""
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&~$@#]|^(?:[-+=]|\d{1,9}[.)])")
"""What starts something in Markdown: inline anywhere, a list or a rule at the start of a line."""
_PARTS = re.compile(r"`([^`\n]+)`")


def printable(text: str) -> str:
    """The text without anything that steers a terminal or that XML refuses; each such character becomes one other.

    Lengths and offsets stay as they are.
    """
    return without_marks(_UNSEEN.sub("�", text), lambda _: "�")


def one_line(text: str) -> str:
    """`printable` text on one line, without commands to what keeps a job's log; offsets stay as they are."""
    if not text.isprintable():  # most texts are, and this asks it faster than a pattern
        text = printable(_BREAKS.sub(" ", text))
    return without_commands(text)


def dumps(value: Any) -> str:
    """The JSON text of a value, indented by two, with a line feed at its end; always valid UTF-8."""
    return (
        encodable(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))
        + "\n"
    )


def markdown(text: str) -> str:
    """Plain text as one line of Markdown that shows just this text: no markup, no HTML, nobody mentioned.

    A zero-width space behind `@` and `#` keeps GitHub and GitLab from turning them into mentions and references.
    """
    return _MARKDOWN.sub(_escape, one_line(text).strip())


def markdown_code(text: str) -> str:
    """Text as a code span."""
    inside = one_line(text).strip()
    if not inside:
        return ""
    fence = ticks(inside)
    space = ""
    if "`" in (inside[0], inside[-1]):
        space = " "
    return f"{fence}{space}{inside}{space}{fence}"


def markdown_message(text: str) -> str:
    """A message of ours as Markdown: what is in single backticks becomes code, all else stays plain text."""
    written = ""
    for number, part in enumerate(_PARTS.split(one_line(text).strip())):
        if number % 2:
            written += markdown_code(part)
        else:
            written += _MARKDOWN.sub(_escape, part)
    return written


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    if found in "&<>":
        return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}[found]
    if found in "@#":
        return f"\\{found}&#8203;"
    return f"{found[:-1]}\\{found[-1]}"
