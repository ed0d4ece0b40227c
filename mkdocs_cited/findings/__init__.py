"""Which findings are shown, ignored and suppressed: in the options, or in a baseline file; and the
claims of an answer that wait, as one finding.

Which findings there are, and how severe each is, is decided by `model.finding` and the checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import yaml
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import compose, dump, value_of
from mkdocs_cited.base.errors import UnreadableError, command
from mkdocs_cited.base.files import read_bounded, write_atomically
from mkdocs_cited.base.text import collapse, digest, shorten
from mkdocs_cited.model.answer import Answer, ReviewedClaim
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.model.finding import (
    Detail,
    Finding,
    Place,
    Severity,
    Suppressed,
    found,
    in_order,
)
from mkdocs_cited.model.report import Report

WAITING = "unconfirmed-claim"
"""The slug whose findings are gathered."""
DECIDABLE = frozenset(
    "partial-claim contradicted-claim unsupported-claim wrong-citation altered-number altered-identifier "
    "flipped-polarity outdated-claim changed-evidence".split()
)
"""Findings about one claim that a person's word overrules."""
VERSION = 1
"""Of the baseline file."""
_LARGEST = 20_000_000
"""Characters of a baseline, and values in it."""
_REASON = "in the baseline"
_HEAD = """\
# Findings that were there when the baseline was written; each is silent until it is gone, or its claim or passage
# changes.
# Written by `mkdocs-cited check --write-baseline`.
"""


def _again() -> str:
    """The step that writes a baseline anew."""
    return f"write it again: `{command('check', '--write-baseline')}`"


class Triage(Struct, frozen=True):
    """The rules by which the findings of one run are sorted."""

    today: str
    """ISO 8601 date, for suppressions that expire."""
    severity: Mapping[str, Severity]
    """Slug → what the option `severity` makes of it."""
    suppress: tuple[Suppression, ...]
    """What the option `suppress` and the baseline silence."""

    def errors(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that keep one answer from being accepted: of severity `error`, and not suppressed."""
        errors = []
        for finding in self.sort(findings, whole=False).shown:
            if finding.severity is Severity.ERROR:
                errors.append(finding)
        return tuple(errors)

    def sort(
        self,
        findings: Iterable[Finding],
        *,
        whole: bool = True,
        others: Collection[str] = (),
    ) -> Report:
        """Every finding in its place, each once, in the order of all reports.

        Args:
            findings: those made so far.
            whole: whether these are all findings of the site, so that a suppression which silences none is unused.
            others: keys of answers whose findings are left to another run.
        """
        valid: defaultdict[tuple[str, str], list[Suppression]] = defaultdict(list)
        for item in self.suppress:
            if not self._has_expired(item):
                valid[item.slug, item.claim].append(item)
        shown, ignored, suppressed, used = [], [], [], set[Suppression]()
        for finding in dict.fromkeys(findings):
            names = ("", finding.answer, finding.answer.rpartition("#")[2])
            fitting = []
            for claim in ("", finding.fingerprint, _compared(finding)):
                for item in valid[finding.slug, claim]:
                    if item.answer in names:
                        fitting.append(item)
            used.update(fitting)
            if fitting:
                suppressed.append(Suppressed(finding, fitting[0].reason))
            else:
                shown.append(finding)
        if whole:
            shown += self._unused(used, others)
        graded = []
        for finding in shown:
            severity = self.severity.get(finding.slug, finding.severity)
            finding = replace(finding, severity=severity)
            if severity is Severity.OFF:
                ignored.append(finding)
            else:
                graded.append(finding)
        return Report(in_order(graded), tuple(suppressed), tuple(ignored))

    def _has_expired(self, item: Suppression) -> bool:
        """True after the day on which it expires."""
        return item.expires is not None and item.expires.isoformat() < self.today

    def _unused(
        self, used: Collection[Suppression], others: Collection[str]
    ) -> Iterator[Finding]:
        """A finding for each suppression that has expired or silences nothing; one for all of a baseline.

        Args:
            used: those that silence a finding.
            others: keys of answers that are not looked at here. What silences theirs is not unused for that.
        """
        elsewhere = {*others, *(key.rpartition("#")[2] for key in others)}
        gone = []
        for item in self.suppress:
            if self._has_expired(item) and item.answer not in elsewhere:
                message = f"{_named(item)} expired on {item.expires}"
                tip = "delete it, or write a later date with the reason why"
                yield _unneeded(item, message, tip)
            elif item in used or item.answer in elsewhere:
                continue
            elif item.claim:
                gone.append(item)
            elif item.answer or not others:  # one without a name may silence others
                message = f"{_named(item)} silences nothing"
                yield _unneeded(item, message, "delete it")
        if gone:
            such = _named(gone[0]).removeprefix("the suppression of ")
            count = len(gone)
            message = f"findings of the baseline that are gone or have changed: {count}, such as {such}"
            tip = f"decide about all other findings, then {_again()}, which silences what is left"
            yield _unneeded(replace(gone[0], answer=""), message, tip)


def _compared(finding: Finding) -> str:
    """The fingerprint of a finding with that of the passages that its claim was compared with: what a baseline silences
    is told again when they change. A baseline of 0.2 has the first one alone."""
    is_compared = finding.slug in DECIDABLE or finding.slug == WAITING
    if not (is_compared and finding.related):
        return finding.fingerprint
    texts = [side.text for side in finding.related]
    return f"{finding.fingerprint}-{digest('compared', *texts, length=8)}"


def _unneeded(item: Suppression, message: str, tip: str) -> Finding:
    key = item.answer if "#" in item.answer else ""
    place = item.place or Place("mkdocs.yml")
    return found("unused-suppression", place, message, tip=tip, answer=key)


def _named(item: Suppression) -> str:
    named = f"the suppression of `{item.slug}`"
    if item.answer:
        return f"{named} for `{item.answer}`"
    return named


class _Entry(Struct, frozen=True, forbid_unknown_fields=True, order=True):
    answer: str
    slug: str
    claim: str
    """For people."""
    fingerprint: Annotated[str, msgspec.Meta(min_length=1)]


class _Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)]
    findings: tuple[_Entry, ...]


def write_baseline(
    path: Path, shown: Iterable[Finding], suppressed: Iterable[Suppressed] = ()
) -> bool:
    """Write the findings of today into a baseline file; return whether its bytes changed.

    Args:
        path: of the file.
        shown: what is to be silent from now on.
        suppressed: what is silent already; of these, what an earlier baseline silences stays.

    Raises:
        CitedError: the file cannot be written.
    """
    silent = list(shown)
    for item in suppressed:
        if item.reason == _REASON:
            silent.append(item.finding)
    entries = set()
    for finding in silent:
        if finding.slug == "unused-suppression":
            continue
        each = [finding]
        if finding.details:  # an entry for each claim, so that a new one is not silent
            each = list(map(finding.about, finding.details))
        for one in each:
            claim = shorten(collapse(one.claim or one.message))
            entries.add(_Entry(one.answer, one.slug, claim, _compared(one)))
    baseline = _Baseline(VERSION, tuple(sorted(entries)))
    text = f"{_HEAD}{dump(msgspec.to_builtins(baseline))}"
    return write_atomically(path, text.encode())


def read_baseline(path: Path, file: str) -> tuple[Suppression, ...]:
    """Return the suppressions of a baseline file.

    Args:
        path: of the file.
        file: its path relative to the project, for places.

    Raises:
        UnreadableError: it is not there, or not a baseline; says what to run.
    """
    try:
        text = read_bounded(path).decode("utf-8-sig")
        root = compose(text, most_characters=_LARGEST, most_nodes=_LARGEST)
        baseline = msgspec.convert(value_of(root) if root else None, _Baseline)
    except OSError as error:
        message = f"{file}: the baseline cannot be read: {error.strerror}"
        raise UnreadableError(message, tip=f"delete it, then {_again()}") from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        message = f"{file}: this is not a baseline: {error}"
        raise UnreadableError(message, tip=f"delete it, then {_again()}") from error
    silenced = []
    for entry in baseline.findings:
        item = Suppression(
            entry.slug,
            _REASON,
            entry.answer,
            claim=entry.fingerprint,
            place=Place(file),
        )
        silenced.append(item)
    return tuple(silenced)


def gathered(report: Report, answers: Iterable[Answer]) -> Report:
    """The report of these answers, with one finding an answer for the claims that no reviewer could decide and nobody
    has decided; each answer has those of its findings that are shown."""
    report = replace(report, answers=tuple(answers))
    by_key = report.by_key
    shown = _gathered(report.shown, by_key)
    ignored = _gathered(report.ignored, by_key)
    of_answers: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in shown:
        of_answers[finding.answer].append(finding)
    with_findings = []
    for answer in report.answers:
        findings = tuple(of_answers[answer.key])
        with_findings.append(replace(answer, findings=findings))
    return replace(report, shown=shown, ignored=ignored, answers=tuple(with_findings))


def waiting(report: Report) -> dict[str, dict[int, Detail]]:
    """Key of an answer → number of a claim → what a person should decide: claims that no reviewer could decide, and
    those with a finding that a person may overrule. Findings of severity `off` count, suppressed ones do not."""
    answers = report.by_key
    waits: dict[str, dict[int, Detail]] = {}
    findings = (*report.shown, *report.ignored)
    for finding in findings:
        for detail in finding.details:
            waits.setdefault(finding.answer, {})[detail.number] = detail
    for finding in findings:
        item = _claim_of(finding, answers)
        if item is None or finding.slug not in DECIDABLE:
            continue
        if not item.judgement.person:
            of_answer = waits.setdefault(finding.answer, {})
            of_answer.setdefault(finding.number, _detail(item, finding))
    return waits


def _claim_of(finding: Finding, answers: Mapping[str, Answer]) -> ReviewedClaim | None:
    """The claim that a finding is about; None where it is about none, or about one of a text that is not shown: of a
    proposal that falls short."""
    answer = answers.get(finding.answer)
    if answer and 0 < finding.number <= len(answer.claims):
        item = answer.claims[finding.number - 1]
        if item.claim.text == finding.claim:
            return item
    return None


def _detail(item: ReviewedClaim, finding: Finding) -> Detail:
    """A claim that a finding is about, as one of several."""
    hint = finding.message
    if not item.change and not item.is_of_a_note:
        hint = item.judgement.reason
    return Detail(
        finding.number,
        finding.claim,
        finding.place,
        hint,
        finding.marks,
        finding.related,
    )


def _gathered(
    findings: Iterable[Finding], answers: Mapping[str, Answer]
) -> tuple[Finding, ...]:
    others = []
    first: dict[str, Finding] = {}
    details: defaultdict[str, list[Detail]] = defaultdict(list)
    for finding in findings:
        item = _claim_of(finding, answers)
        if item is None or finding.slug != WAITING:
            others.append(finding)
        else:
            first.setdefault(finding.answer, finding)
            details[finding.answer].append(_detail(item, finding))
    for key, of_answer in details.items():
        others.append(_one(answers[key], first[key], of_answer))
    return in_order(others)


def _one(answer: Answer, first: Finding, details: list[Detail]) -> Finding:
    """The finding for all claims of an answer that wait."""
    details.sort(key=lambda detail: detail.number)
    total = len(answer.claims)
    claims = "claim" if total == 1 else "claims"
    wait = "waits" if len(details) == 1 else "wait"
    return replace(
        first,
        place=details[0].place,
        message=f"{len(details)} of {total} {claims} {wait} for a person",
        tip=f"run `{command('review', answer.key)}`: a decision holds until the claim or its passages change",
        number=0,
        claim="",
        marks=(),
        related=(),
        details=tuple(details),
    )
