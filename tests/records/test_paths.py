"""Every answer has its own file, inside the records' folder, on every system."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.records.format import key_of, path_of


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("faq.md#limits", "faq/limits.md"),
        ("guide/install.md#why", "guide/install/why.md"),
        ("常见/问题.md#answer-2glymwxl", "常见/问题/answer-2glymwxl.md"),
        ("faq.markdown#limits", "faq.markdown/limits.md"),
        ("faq.mkd.md#limits", "faq.mkd.md/limits.md"),
        ("../../etc/passwd.md#x", "%2E%2E/%2E%2E/etc/passwd/x.md"),
        ("/etc/passwd.md#x", "%/etc/passwd/x.md"),
        ("faq.md#../../../x", "faq/%2E%2E%2F%2E%2E%2F%2E%2E%2Fx.md"),
        ("C:\\faq.md#x", "C%3A%5Cfaq/x.md"),
        ("aux.md#con", "%61ux/%63on.md"),
        (".hidden.md#x", "%2Ehidden/x.md"),
        ("questions.yml#limits", "questions.yml/limits.md"),
        ("guide/index.html#claims", "guide/index.html/claims.md"),
        ("notes.ipynb#claims", "notes.ipynb/claims.md"),
        ("questions.yml.md#limits", "questions.yml.md/limits.md"),
    ],
)
def test_paths(key: str, path: str) -> None:
    """Readable where it can be, escaped where it must be."""
    assert path_of(key) == path
    assert key_of(path) == key


def test_a_proposal_stands_beside_its_record() -> None:
    """Under a name that no id can have."""
    assert path_of("faq.md#limits", proposal=True) == "faq/limits.new.md"
    assert key_of("faq/limits.new.md") == "faq.md#limits"


@pytest.mark.parametrize("path", ["README.md", "faq/notes.txt", "faq/.limits.md.12.tmp", ".git/x.md", "faq/a b?.md"])
def test_other_files_are_no_records(path: str) -> None:
    """People may keep a README and their editor's files in the folder."""
    assert key_of(path) == ""


pages = st.text(st.sampled_from("ab.mdk/\\:~% \0\x7fAÉ日\ud800"), max_size=12) | st.text(max_size=8)
ids = st.text(st.characters(exclude_characters="#"), max_size=8)


@given(pages, ids, st.booleans())
@example("a.md", "..", False)
def test_no_key_leads_out_of_the_folder(page: str, name: str, proposal: bool) -> None:
    """Whatever a page or an id is called, its file is below the folder and nothing in it is special."""
    path = PurePosixPath(path_of(f"{page}#{name}", proposal=proposal))
    assert not path.is_absolute()
    for part in path.parts:
        assert part not in ("", ".", "..")
        assert not re.search('[\0\\\\:*?"<>|\ud800-\udfff]', part)


@given(st.lists(st.tuples(pages, ids), min_size=2, max_size=4, unique=True))
def test_no_two_keys_share_a_file(pairs: list[tuple[str, str]]) -> None:
    """Neither as records, nor as proposals, nor one as the other."""
    keys = [f"{page}.md#{name}" for page, name in pairs]
    files = {path_of(key, proposal=proposal) for key in keys for proposal in (False, True)}
    assert len(files) == 2 * len(keys)
