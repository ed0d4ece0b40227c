"""Keeps answers as committed files: their format, their folder, and whether they still hold.

What an answer says and whether it is right is decided elsewhere.
"""

from mkdocs_cited.records.following import to_draft
from mkdocs_cited.records.format import VERSION, decode, encode
from mkdocs_cited.records.record import (
    Approval,
    Broken,
    Record,
    RecordedCitation,
    edited,
    text_hash,
)  # fmt: skip
from mkdocs_cited.records.store import Store

__all__ = [
    "VERSION",
    "Approval",
    "Broken",
    "Record",
    "RecordedCitation",
    "Store",
    "decode",
    "edited",
    "encode",
    "text_hash",
    "to_draft",
]  # fmt: skip
