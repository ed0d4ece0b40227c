"""What `--json` prints, command by command: their JSON schema is made from these types (`reference/commands.md`).

`check --json` is the report `json`, with a schema of its own; `ask --json` is an answer as in `cited.json`.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Standing(TypedDict):
    """An answer, as `status` lists it."""

    key: str
    page: str
    id: str
    question: str
    state: str
    ok: bool
    waiting: int
    findings: list[str]
    written_on: str
    cites: list[str]
    approved_by: str
    approved_on: str
    advice: list[str]


class Updated(TypedDict):
    """What `update` did about an answer."""

    key: str
    done: str
    state: str
    cost: float
    change: str
    findings: list[str]


class Foretold(TypedDict):
    """What `update --dry-run` would do about an answer."""

    key: str
    changes: bool
    does: str
    why: str


class Proposed(TypedDict):
    """A proposal that waits, as `diff` shows it."""

    key: str
    stands: str
    proposed: str


class Orphan(TypedDict):
    """A record that `prune` deletes."""

    key: str
    deleted: bool


class Examined(TypedDict):
    """One thing that `doctor` looked at; `wrong` is empty when nothing is."""

    what: str
    found: str
    wrong: str


class Explained(TypedDict):
    """A finding, as `explain` tells of it."""

    slug: str
    severity: str
    summary: str
    explanation: str


class VerifiedBy(TypedDict):
    """A passage beside a claim."""

    passage: str
    url: str
    text: str


class Verified(TypedDict):
    """A claim that `verify` held against the docs."""

    claim: str
    verdict: str
    score: float
    reason: str
    evidence: list[VerifiedBy]


class Phrasing(TypedDict):
    """How relevant a candidate is to one phrasing of the question."""

    qid: int
    score: float


class Found(TypedDict):
    """A candidate, as `find` lists it."""

    relevance: float
    reason: str
    passage: str
    page: str
    section: str
    url: str
    title: str
    kind: str
    text: str
    fate: str
    says: list[str]
    lacks: list[str]
    q_relevance: list[Phrasing]


BY_COMMAND: dict[str, Any] = {
    "diff": Proposed,
    "doctor": Examined,
    "find": Found,
    "prune": Orphan,
    "status": Standing,
    "update": Updated,
    "update --dry-run": Foretold,
    "verify": Verified,
}
"""Command → what stands in the list that it prints."""
