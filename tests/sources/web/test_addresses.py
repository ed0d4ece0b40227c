"""Each external page is an entry of its own, with a name and an address."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.sources.snapshots import check


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example.org",
        "https://docs.example.org/limits?v=2",
        "https://b\u00fccher.example/a",
        "http://127.0.0.1:8000/",
    ],
)
def test_an_address_is_a_whole_one(url: str) -> None:
    """`http:` is for the hosts that an option names."""
    check(ExtraSource(type="web", name="a", url=url), [ExtraSource(glob="a.md", name="a")], ["127.0.0.1"])


@pytest.mark.parametrize(
    "url",
    ["", "docs.example.org", "ftp://a/", "javascript:alert(1)", "//a/b", "https://u:p@a/", "https://a/ b", "https:///x",
     "https://a:x/", "https://a/b#c", "https://[::1", "https://a\\b"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    """Only those of a page, without a password."""
    with pytest.raises(UsageError, match="is not the address of a page"):
        check(ExtraSource(type="web", name="a", url=url))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (ExtraSource(type="web", url="https://a.example", glob="a/*"), "`glob` names files"),
        (ExtraSource(type="web", url="https://a.example", name="a/b"), "is no name"),
        (ExtraSource(type="web", url="https://a.example"), "is no name"),
        (ExtraSource(type="web", url="http://a.example", name="a"), "not in the option `web.private_hosts`"),
        (ExtraSource(type="web", url="https://a.example", name="Taken"), "two sources have the name"),
        (ExtraSource(glob="a.md", url="https://a.example"), "is of `type: web`, and this is of `file`"),
    ],
)
def test_entries_that_cannot_be_meant_are_refused(entry: ExtraSource, why: str) -> None:
    """With what to write."""
    with pytest.raises(UsageError, match=why) as caught:
        check(entry, [ExtraSource(type="web", name="taken", url="https://b.example")])
    assert "`{type: web, name: limits, url: https://…}`" in caught.value.tip
