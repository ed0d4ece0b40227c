"""Keeps answers as committed files: their format, their folder, and whether they still hold.

What an answer says and whether it is right is decided elsewhere.
"""

from mkdocs_cited.records.format import VERSION, decode, encode
from mkdocs_cited.records.freshness import (
    Fresh,
    Moved,
    Stale,
    advice,
    better_evidence,
    evidence_finding,
    freshness,
    with_known_sources,
)
from mkdocs_cited.records.record import (
    Absent,
    Approval,
    Broken,
    Record,
    RecordedCitation,
    edited,
    has_a_persons_word,
    nearest_of,
    text_hash,
    to_draft,
)
from mkdocs_cited.records.store import Outcome, Store
from mkdocs_cited.records.verdicts import RecordedVerdict

__all__ = [
    "VERSION",
    "Absent",
    "Approval",
    "Broken",
    "Fresh",
    "Moved",
    "Outcome",
    "Record",
    "RecordedCitation",
    "RecordedVerdict",
    "Stale",
    "Store",
    "advice",
    "better_evidence",
    "decode",
    "edited",
    "encode",
    "evidence_finding",
    "freshness",
    "has_a_persons_word",
    "nearest_of",
    "text_hash",
    "to_draft",
    "with_known_sources",
]
