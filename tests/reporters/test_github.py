"""GitHub annotations: one command a line, escaped so that the runner reads back what was meant."""

from __future__ import annotations

import re

from hypothesis import given

from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.reporters.forges import GitHub
from mkdocs_cited.reporters.interface import (
    Report,
    described,
    printable,
)
from tests.reporters.texts import findings, reports

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def read_back(text: str) -> list[tuple[str, dict[str, str], str]]:
    """What the runner makes of an output: kind, properties, message, all unescaped as it does."""
    out = []
    for line in re.split(r"\r\n|\r|\n", text):
        if match := COMMAND.fullmatch(line):
            pairs = (part.partition("=") for part in match[2].split(","))
            out.append((match[1], {name: unescape(value) for name, _, value in pairs}, unescape(match[3])))
    return out


def unescape(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def readable(text: str) -> str:
    """A text as an annotation shows it: one kind of line ends, pictures of control characters."""
    return printable(text.replace("\r\n", "\n").replace("\r", "\n"))


def many(number: int, slug: str = "unsupported-claim") -> tuple[Finding, ...]:
    return tuple(found(slug, Place("docs/a.md", line), f"number {line}") for line in range(1, number + 1))


@given(finding=findings())
def test_the_runner_reads_back_what_was_meant(finding: Finding) -> None:
    """File, title and message survive, whatever they hold; control characters alone become pictures."""
    kind, properties, message = read_back(GitHub().render(Report(shown=(finding,), prefix="site/")))[0]
    assert kind == {"error": "error", "warning": "warning", "info": "notice"}[finding.severity]
    assert properties["file"] == readable("site/" + finding.place.file)
    assert properties["line"] == str(finding.place.line)
    assert properties["title"].startswith(finding.slug)
    whole = readable("\n".join(described(finding)))  # marks of direction stay where a text has letters for them
    assert message.startswith(whole[: len(readable(finding.message))])


@given(report=reports())
def test_nothing_but_our_commands_starts_a_line(report: Report) -> None:
    """No text of a finding becomes a command of its own, and the last line is the total."""
    *lines, last, end = re.split(r"\r\n|\r|\n", GitHub().render(report))
    assert (last.startswith("mkdocs-cited: "), end) == (True, "")
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert len(lines) == len(report.shown) + len(report.notices)


def test_at_most_ten_of_a_kind_and_the_tenth_tells_how_many_more() -> None:
    """The runner shows ten of each kind and drops the rest without a word; the tenth says it."""
    report = Report(shown=(*many(25), *many(11, "partial-claim"), *many(10, "not-documented")))
    shown = read_back(GitHub().render(report))
    kinds = [kind for kind, _, _ in shown]
    assert {kind: kinds.count(kind) for kind in kinds} == {"error": 10, "warning": 10, "notice": 10}
    errors = [message for kind, _, message in shown if kind == "error"]
    assert errors[:2] == ["number 1", "number 2"]
    assert errors[9].startswith("16 more findings")
    assert [message for kind, _, message in shown if kind == "notice"][9] == "number 10"
    assert GitHub().render(report).endswith("mkdocs-cited: 25 errors, 11 warnings, 10 for your information\n")


def test_a_long_message_is_cut_within_the_runners_limit() -> None:
    """The runner cuts at 4,096 characters; ours ends with an ellipsis before."""
    finding = found("unsupported-claim", Place("a.md"), "x" * 10_000)
    assert finding.severity is Severity.ERROR
    (_, _, message), *_ = read_back(GitHub().render(Report(shown=(finding,))))
    assert len(message) < 4096
    assert message.endswith("…")
