"""Keeps answers as committed files: their format, their folder, and whether they still hold.

What an answer says and whether it is right is decided elsewhere.
"""

from mkdocs_cited.records.format import VERSION, decode, encode
from mkdocs_cited.records.record import (
    Absent,
    Approval,
    Broken,
    Record,
    RecordedCitation,
    edited,
    nearest_of,
    text_hash,
    to_draft,
)  # fmt: skip
from mkdocs_cited.records.store import Store
from mkdocs_cited.records.verdicts import RecordedVerdict

__all__ = [
    "VERSION", "Absent", "Approval", "Broken", "Record", "RecordedCitation", "RecordedVerdict", "Store",
    "decode", "edited", "encode", "nearest_of", "text_hash", "to_draft",
]  # fmt: skip
