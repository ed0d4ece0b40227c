"""Addresses have one spelling, and every one its own file below the folder of snapshots."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.sources.snapshots import check, normal, snapshot_path, src_of, with_whole_names


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("HTTPS://Docs.Example.org:443#top", "https://docs.example.org/"),
        ("https://bücher.example/a?b=c#d", "https://xn--bcher-kva.example/a?b=c"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
    ],
)
def test_an_address_has_one_spelling(url: str, wanted: str) -> None:
    """Scheme and host in lower case, without what changes nothing."""
    assert normal(url) == wanted
    assert normal(wanted) == wanted


@pytest.mark.parametrize(
    "url", ["ftp://a/", "javascript:alert(1)", "//a/b", "https://u:p@a/", "https://a/ b", "https:///x", "https://a:x/"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    """Only whole `http:` and `https:` addresses without a password."""
    with pytest.raises(ValueError, match=r"it|port|Port"):
        normal(url)


def test_paths_are_readable_where_they_can_be() -> None:
    """Host, folders, page."""
    assert snapshot_path("https://docs.example.org/guide/limits") == "docs.example.org/guide/limits.md"
    assert snapshot_path("https://docs.example.org/") == "docs.example.org/index.md"
    assert snapshot_path("https://a.example/x?y=1").startswith("a.example/x~")


addresses = st.builds(
    "https://a.example/{}{}".format,
    st.text("aA1./%2FconéE~-_:\\ ", max_size=30).map(lambda text: text.replace("\\", "").replace(" ", "")),
    st.sampled_from(["", "?q", "?q=2"]),
)


@given(st.lists(addresses, unique=True, max_size=6))
def test_every_address_has_its_own_file(urls: list[str]) -> None:
    """No two share one, on file systems that ignore case too; none leaves its host's folder."""
    paths = [snapshot_path(normal(url)) for url in urls]
    assert len({path.casefold() for path in paths}) == len({normal(url) for url in urls})
    for path in map(PurePosixPath, paths):
        assert path.parts[0] == "a.example"
        assert not any(part.startswith(".") or part in ("", "..") for part in path.parts)
        assert not any(part.endswith(".md") for part in path.parts[:-1])


def test_a_name_stands_for_all_its_pages() -> None:
    """`web:NAME` and `!web:NAME` as `sources:` writes them."""
    one, other = src_of("limits", "docs.example.org/a.md"), src_of("docs.example.org", "docs.example.org/a.md")
    assert (one, other) == ("web:limits/docs.example.org/a", "web:docs.example.org/a")
    assert glob_matches(one, with_whole_names(("web:limits",)))
    assert not glob_matches(other, with_whole_names(("web:limits",)))
    assert not glob_matches(one, with_whole_names(("!web:limits",)))
    assert glob_matches("guide/a.md", with_whole_names(("!web:limits",)))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (ExtraSource(type="web"), "needs an address"),
        (ExtraSource(type="web", url="docs.example.org"), "is not an address"),
        (ExtraSource(type="web", url="https://a.example", glob="a/*"), "`glob` names files"),
        (ExtraSource(type="web", url="https://a.example", name="a/b"), "is no name"),
        (ExtraSource(glob="a.md", url="https://a.example"), "`file` has no address"),
    ],
)
def test_entries_that_cannot_be_meant_are_refused(entry: ExtraSource, why: str) -> None:
    """With what to write."""
    check(ExtraSource(glob="x.md"))
    with pytest.raises(UsageError, match=why) as caught:
        check(entry)
    assert caught.value.tip
