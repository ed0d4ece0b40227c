"""A snapshot is a file that says of what page it is, and whose text nobody has changed."""

from __future__ import annotations

import pytest

from mkdocs_cited.sources.snapshots import Snapshot, decode, encode, page_of


def test_a_file_is_the_snapshot() -> None:
    """What is written is read; an edited text is noticed."""
    snapshot = Snapshot(
        url="https://docs.example.org/limits", title="Limits: 'all'", fetched="2026-11-22", body="# A\n\nB.\n"
    )
    data = encode(snapshot)
    back = decode(data.replace(b"\n", b"\r\n"))
    assert back == snapshot
    page = page_of(back, "y", "sources/web/y.md")
    assert (page.src, page.url, page.fetched, page.host) == ("web:y", snapshot.url, "2026-11-22", "docs.example.org")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"B.", b"C.", "its text was changed since it was fetched"),
        (b"---\n", b"", "it has no front matter"),
        (b"title", b"\xff", "byte 0xff"),
        (b"Limits", b"[1]", "Expected `str`"),
        (b"url: ", b"at: ", "missing required field `url`"),
    ],
)
def test_what_is_no_snapshot_is_refused(old: bytes, new: bytes, why: str) -> None:
    """Each with its reason."""
    data = encode(Snapshot(url="https://docs.example.org/limits", title="Limits", body="# A\n\nB.\n"))
    with pytest.raises(ValueError, match=why):
        decode(data.replace(old, new))
