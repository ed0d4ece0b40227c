"""Digests: base 32 of SHA-256, whatever way it is come by. They stand in records, so they never change."""

from __future__ import annotations

import base64
import hashlib

from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.text import digest, digest_after


@given(parts=st.lists(st.text()), length=st.integers(1, 51))
def test_a_digest_is_the_start_of_a_sha256_in_base_32(parts: list[str], length: int) -> None:
    """Of all parts, each behind its length in bytes."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    hashed = hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in encoded)).digest()
    assert digest(*parts, length=length) == base64.b32encode(hashed).decode().lower()[:length]


@given(first=st.lists(st.text()), last=st.text())
def test_a_digest_with_parts_that_many_share_is_the_same(first: list[str], last: str) -> None:
    """What they were hashed along with makes no difference."""
    assert digest_after(*first)(last) == digest(*first, last)
