"""Findings that a project silences on purpose: in its options, or in a baseline file.

Which findings there are, and how severe each is, is decided by `model.finding` and the checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import compose, dump, value_of
from mkdocs_cited.base.errors import UnreadableError
from mkdocs_cited.base.files import read_bounded, write_atomically
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.model.finding import Finding, Place, Suppressed, found

VERSION = 1
"""Of the baseline file."""
_LARGEST = 20_000_000
"""Characters of a baseline, and values in it."""

_REASON = "in the baseline"
_AGAIN = "write it again: `mkdocs-cited check --write-baseline`"
_HEAD = """\
# Findings that were there when the baseline was written; each is silent until it is gone or its words change.
# Written by `mkdocs-cited check --write-baseline`.
"""


class Sorted(Struct, frozen=True):
    """Findings, shown and suppressed apart."""

    shown: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    unused: tuple[Finding, ...]
    """One for each suppression that silences nothing, or that has expired."""


def apply(
    findings: Iterable[Finding],
    suppressions: Sequence[Suppression],
    today: str,
    *,
    others: Collection[str] = (),
) -> Sorted:
    """Return the findings, with what is suppressed set aside.

    Args:
        suppressions: those of the options and of the baseline.
        today: ISO 8601 date; a suppression holds through the day on which it expires.
        others: keys of answers that are not looked at here. What silences theirs is not unused for that.
    """
    valid: defaultdict[tuple[str, str], list[Suppression]] = defaultdict(list)
    for item in suppressions:
        if not _has_expired(item, today):
            valid[item.slug, item.claim].append(item)
    shown: list[Finding] = []
    suppressed: list[Suppressed] = []
    used: set[Suppression] = set()
    for finding in findings:
        candidates = (
            *valid[finding.slug, ""],
            *valid[finding.slug, finding.fingerprint],
        )
        fitting = [item for item in candidates if _is_of(item, finding)]
        used.update(fitting)
        if fitting:
            suppressed.append(Suppressed(finding, fitting[0].reason))
        else:
            shown.append(finding)
    elsewhere = {*others, *(key.rpartition("#")[2] for key in others)}
    late: list[Finding] = []
    idle: list[Suppression] = []
    for item in suppressions:
        if item.answer in elsewhere:
            continue
        if _has_expired(item, today):
            late.append(_lapsed(item))
        # one without either may silence others
        elif item not in used and (item.answer or item.claim or not others):
            idle.append(item)
    return Sorted(tuple(shown), tuple(suppressed), (*_unused(idle), *late))


def write_baseline(
    path: Path, shown: Iterable[Finding], suppressed: Iterable[Suppressed] = ()
) -> bool:
    """Write the findings of today into a baseline file; return whether its bytes changed.

    Args:
        shown: what is to be silent from now on.
        suppressed: what is silent already; of these, what an earlier baseline silences stays.

    Raises:
        CitedError: the file cannot be written.
    """
    silent = list(shown)
    for item in suppressed:
        if item.reason == _REASON:
            silent.append(item.finding)
    entries: set[_Entry] = set()
    for finding in silent:
        if finding.slug != "unused-suppression":
            entries.update(_entries(finding))
    baseline = _Baseline(VERSION, tuple(sorted(entries)))
    return write_atomically(
        path, f"{_HEAD}{dump(msgspec.to_builtins(baseline))}".encode()
    )


def read_baseline(path: Path, file: str) -> tuple[Suppression, ...]:
    """Return the suppressions of a baseline file.

    Args:
        file: its path relative to the project, for places.

    Raises:
        UnreadableError: it is not there, or not a baseline; says what to run.
    """
    try:
        root = compose(
            read_bounded(path).decode("utf-8-sig"),
            most_characters=_LARGEST,
            most_nodes=_LARGEST,
        )
        baseline = msgspec.convert(value_of(root) if root else None, _Baseline)
    except OSError as error:
        raise UnreadableError(
            f"{file}: the baseline cannot be read: {error.strerror}", tip=_AGAIN
        ) from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise UnreadableError(
            f"{file}: this is not a baseline: {error}", tip=_AGAIN
        ) from error
    found_before: list[Suppression] = []
    for entry in baseline.findings:
        item = Suppression(
            entry.slug,
            _REASON,
            entry.answer,
            claim=entry.fingerprint,
            place=Place(file),
        )
        found_before.append(item)
    return tuple(found_before)


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    answer: str
    slug: str
    claim: str
    """For people."""
    fingerprint: Annotated[str, msgspec.Meta(min_length=1)]


class _Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)]
    findings: tuple[_Entry, ...]


def _entries(finding: Finding) -> list[_Entry]:
    """Return what a baseline keeps of a finding: an entry for each claim that it gathers, so that a new one is not
    silent."""
    named = [(finding.claim or finding.message, finding.fingerprint)]
    if finding.details:
        named = [
            (detail.claim, finding.fingerprint_of(detail)) for detail in finding.details
        ]
    entries: list[_Entry] = []
    for words, fingerprint in named:
        entries.append(
            _Entry(finding.answer, finding.slug, shorten(collapse(words)), fingerprint)
        )
    return entries


def _has_expired(item: Suppression, today: str) -> bool:
    return bool(item.expires) and item.expires < today


def _is_of(item: Suppression, finding: Finding) -> bool:
    """True if a suppression names the finding's answer, by key or by id, or names none."""
    return item.answer in ("", finding.answer, finding.answer.rpartition("#")[2])


def _unused(idle: Sequence[Suppression]) -> list[Finding]:
    """Return a finding for each suppression without a finding; one for all of a baseline's."""
    findings: list[Finding] = []
    gone: list[Suppression] = []
    for item in idle:
        if item.claim:
            gone.append(item)
        else:
            findings.append(
                _idle(
                    item,
                    f"the suppression of `{item.slug}`{_of(item)} silences nothing",
                    "delete it",
                )
            )
    if gone:
        message = f"{len(gone)} of the baseline's findings are gone, such as `{gone[0].slug}`{_of(gone[0])}"
        findings.append(_idle(replace(gone[0], answer=""), message, _AGAIN))
    return findings


def _lapsed(item: Suppression) -> Finding:
    message = f"the suppression of `{item.slug}`{_of(item)} expired on {item.expires}"
    return _idle(item, message, "delete it, or write a later date with the reason why")


def _idle(item: Suppression, message: str, tip: str) -> Finding:
    key = ""
    if "#" in item.answer:
        key = item.answer
    return found(
        "unused-suppression",
        item.place or Place("mkdocs.yml"),
        message,
        tip=tip,
        answer=key,
    )


def _of(item: Suppression) -> str:
    if item.answer:
        return f" for `{item.answer}`"
    return ""
