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


class Evidence(TypedDict):
    """A passage beside a claim that waits."""

    passage: str
    place: str
    text: str


class Undecided(TypedDict):
    """A claim (`number` from 1) or a proposal (`number` 0) that waits, as `review` shows it."""

    key: str
    question: str
    number: int
    text: str
    stands: str
    place: str
    hint: str
    passages: list[Evidence]


class Decided(TypedDict):
    """What `accept` or `reject` did about a claim (`number` from 1) or a text (`number` 0)."""

    key: str
    number: int
    text: str
    done: str
    by: str


class Change(TypedDict):
    """A file that `init` or `add` writes; `written` is false in a dry run."""

    path: str
    before: str
    after: str
    written: bool


class Added(TypedDict):
    """The question that `add` wrote; of an authored answer nothing is asked, and `answered` is null."""

    key: str
    question: str
    change: Change
    answered: bool | None
    reason: str
    pages: list[str]


class Renamed(TypedDict):
    """What `rename` did; of a page, with each of its records."""

    old: str
    new: str
    record: bool
    still_named_in: list[str]


class Snapshot(TypedDict):
    """What became of a page elsewhere."""

    name: str
    url: str
    path: str
    state: str
    detail: str
    answers: list[str]


class Planned(TypedDict):
    """A request that `snapshot` would make."""

    would: str
    url: str
    path: str


class Model(TypedDict):
    """A local model, as `models list` tells of it."""

    name: str
    here: bool
    folder: str
    wrong: str
    megabytes: int
    licence: str
    languages: str
    repository: str
    revision: str
    published: str
    measured: str


class Fetched(TypedDict):
    """A model that `models get` has brought."""

    name: str
    folder: str
    files: list[str]
    bytes: int


class Orphan(TypedDict):
    """A record without its declaration; `moved_to` is the page that declares the same today."""

    key: str
    deleted: bool
    moved_to: str


class Forgotten(TypedDict):
    """A file of the cache that `prune --cache` deletes."""

    file: str
    bytes: int
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


class Rate(TypedDict):
    """What became of claims of one kind."""

    kind: str
    claims: int
    failed: int
    unconfirmed: int
    passed: int


class Caught(Rate):
    """What became of one kind of claim that was made wrong."""

    caught: float


class Tried(TypedDict):
    """One claim that was put to the gate."""

    kind: str
    text: str
    original: str
    passages: list[str]
    fate: str
    reason: str


class Measured(TypedDict):
    """How good the gate is on a site, as `eval` tells."""

    seed: int
    claims: int
    wrong: list[Caught]
    right: list[Rate]
    survivors: list[Tried]
    not_passed: list[Tried]


class MeasuredClaims(TypedDict):
    """How good the gate is on labelled claims, as `eval --claims` tells."""

    rows: int
    right: Rate
    wrong: Rate


BY_COMMAND: dict[str, Any] = {
    "accept": Decided,
    "add": Added,
    "diff": Proposed,
    "doctor": Examined,
    "find": Found,
    "init": Change,
    "models list": Model,
    "prune": Orphan,
    "prune --cache": Forgotten,
    "reject": Decided,
    "rename": Renamed,
    "review": Undecided,
    "snapshot": Snapshot,
    "snapshot --dry-run": Planned,
    "status": Standing,
    "update": Updated,
    "update --dry-run": Foretold,
    "verify": Verified,
}
"""Command → what stands in the list that it prints."""
ALONE: dict[str, Any] = {
    "eval": Measured,
    "eval --claims": MeasuredClaims,
    "explain": Explained,
    "models get": Fetched,
}
"""Command → the one object that it prints."""
