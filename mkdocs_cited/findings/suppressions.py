"""Findings that a project silences on purpose: in its options, in a declaration, or in a baseline file.

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

from mkdocs_cited.base.bounded_yaml import compose, doubled, dump, value_of, where
from mkdocs_cited.base.errors import UnreadableError
from mkdocs_cited.base.files import read_bounded, write_atomically
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration, Suppression
from mkdocs_cited.model.finding import Finding, Place, Suppressed, found

VERSION = 1
"""Of the baseline file."""
MOST_CHARACTERS = 20_000_000
"""Longest baseline that is read."""
MOST_NODES = 2_000_000
"""Keys and values of a baseline, eight or so a finding."""

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
    findings: Iterable[Finding], suppressions: Sequence[Suppression], today: str, *, others: Collection[str] = ()
) -> Sorted:
    """Set aside what is suppressed.

    Args:
        suppressions: those of a declaration with `answer` filled in, as `of_declarations()` gives them.
        today: ISO 8601 date; a suppression holds through the day on which it expires.
        others: keys of answers that are not looked at here. What silences theirs is not unused for that.
    """
    left_out = {*others, *(key.rpartition("#")[2] for key in others)}
    late = [item for item in suppressions if item.expires and item.expires < today]
    valid = [item for item in suppressions if item not in late]
    shown, suppressed = [], []
    used: set[int] = set()
    numbers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, item in enumerate(valid):
        numbers[item.slug, item.claim].append(number)
    for finding in findings:
        same = (*numbers[finding.slug, ""], *numbers[finding.slug, finding.fingerprint])
        fitting = [number for number in same if _is_of(valid[number], finding)]
        used.update(fitting)
        if fitting:
            suppressed.append(Suppressed(finding, valid[fitting[0]].reason))
        else:
            shown.append(finding)
    idle = [item for number, item in enumerate(valid) if number not in used and item.answer not in left_out]
    if others:  # what names no answer may silence any; the findings of a baseline are those of one answer, or of none
        idle = [item for item in idle if item.answer or item.claim]
    unused = [*_unused(idle), *(_lapsed(item) for item in late if item.answer not in left_out)]
    return Sorted(tuple(shown), tuple(suppressed), tuple(unused))


def of_declarations(declarations: Iterable[Declaration]) -> tuple[Suppression, ...]:
    """The suppressions of declarations, each bound to its answer."""
    return tuple(replace(item, answer=declaration.key) for declaration in declarations for item in declaration.suppress)


def refused(item: Suppression) -> Finding:
    """The finding for a page's suppression of what no page may silence."""
    return found(
        "unused-suppression",
        item.place or Place(item.answer.partition("#")[0]),
        f"a page may not silence `{item.slug}`, which is a proof",
        tip=f"correct the claim or overrule it (`mkdocs-cited review {item.answer}`); or write "
        f"`page_suppress: [{item.slug}]` in mkdocs.yml",
        answer=item.answer,
    )


def write_baseline(path: Path, shown: Iterable[Finding], suppressed: Iterable[Suppressed] = ()) -> bool:
    """Write the findings of today into a baseline file; whether its bytes changed.

    Args:
        shown: what is to be silent from now on.
        suppressed: what is silent already; of these, what an earlier baseline silences stays.

    Raises:
        CitedError: the file cannot be written.
    """
    silenced = (item.finding for item in suppressed if item.reason == _REASON)
    silent = (finding for finding in (*shown, *silenced) if finding.slug != "unused-suppression")
    entries = sorted(
        {entry for finding in silent for entry in _entries(finding)}, key=lambda entry: msgspec.structs.astuple(entry)
    )
    plain = {"version": VERSION, "findings": [msgspec.to_builtins(entry) for entry in entries]}
    return write_atomically(path, f"{_HEAD}{dump(plain)}".encode())


def read_baseline(path: Path, file: str) -> tuple[Suppression, ...]:
    """The suppressions of a baseline file.

    Args:
        file: its path relative to the project, for places.

    Raises:
        UnreadableError: it is not there, or not a baseline; says on which line, and what to run.
    """
    tip = _AGAIN
    try:
        text = read_bounded(path).decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UnreadableError(f"{file}: the baseline cannot be read: {error.strerror}", tip=tip) from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{file}: the baseline is not UTF-8 at byte {error.start}", tip=tip) from error
    try:
        root = compose(text, most_characters=MOST_CHARACTERS, most_nodes=MOST_NODES)
        if root is not None and (twice := doubled(root)) is not None:
            line = twice.start_mark.line + 1
            raise UnreadableError(f"{file}:{line}: the key `{twice.value}` appears twice in the baseline", tip=tip)
        baseline = msgspec.convert(value_of(root) if root else None, _Baseline)
    except yaml.YAMLError as error:
        at, problem = where(text, error)
        line = text.count("\n", 0, at) + 1
        raise UnreadableError(f"{file}:{line}: the baseline is not valid YAML: {problem}", tip=tip) from error
    except ValueError as error:
        raise UnreadableError(f"{file}: this is not a baseline: {error}", tip=tip) from error
    lines = _entry_lines(root) if root else []
    return tuple(
        Suppression(entry.slug, _REASON, entry.answer, claim=entry.fingerprint, place=Place(file, line))
        for entry, line in zip(baseline.findings, lines, strict=True)
    )


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
    """What a baseline keeps of a finding: an entry for each claim that it gathers, so that a new one is not silent."""
    gathered = [(detail.claim, finding.fingerprint_of(detail)) for detail in finding.details]
    named = gathered or [(finding.claim or finding.message, finding.fingerprint)]
    return [_Entry(finding.answer, finding.slug, _few(words), fingerprint) for words, fingerprint in named]


def _few(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 120 else f"{words[:119]}…"


def _entry_lines(root: yaml.Node) -> list[int]:
    """Line of each entry of a baseline that has been read."""
    nodes = next(value for key, value in root.value if key.value == "findings")
    return [node.start_mark.line + 1 for node in nodes.value]


def _is_of(item: Suppression, finding: Finding) -> bool:
    """Whether a suppression's answer is that of the finding: by key, by id, or any where it names none."""
    name = item.answer
    return name in ("", finding.answer) or ("#" not in name and name == finding.answer.rpartition("#")[2])


def _unused(idle: Sequence[Suppression]) -> list[Finding]:
    """A finding for each suppression without a finding; one for all of a baseline's."""
    plain = [item for item in idle if not item.claim]
    findings = [
        _idle(item, f"the suppression of `{item.slug}`{_of(item)} silences nothing", "delete it") for item in plain
    ]
    gone = [item for item in idle if item.claim]
    if gone:
        message = f"{len(gone)} of the baseline's findings are gone, such as `{gone[0].slug}`{_of(gone[0])}"
        findings.append(_idle(replace(gone[0], answer=""), message, _AGAIN))
    return findings


def _lapsed(item: Suppression) -> Finding:
    message = f"the suppression of `{item.slug}`{_of(item)} expired on {item.expires}"
    return _idle(item, message, "delete it, or write a later date with the reason why")


def _idle(item: Suppression, message: str, tip: str) -> Finding:
    key = item.answer if "#" in item.answer else ""
    return found("unused-suppression", item.place or Place("mkdocs.yml"), message, tip=tip, answer=key)


def _of(item: Suppression) -> str:
    return f" for `{item.answer}`" if item.answer else ""
