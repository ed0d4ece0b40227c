"""Files and notes of the repository become passages with line ranges; what cannot be read is a finding."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.model.source import Page, Passage, PassageKind, SourceType
from mkdocs_cited.sources.files import MOST_BYTES, Repository, read_files
from mkdocs_cited.sources.from_files import document_of
from mkdocs_cited.sources.snapshots import Store
from tests.hangs import guarded

CHANGELOG = """---
draft: true
---
# Changelog

## 2.1

- Retries are **five**,
  not three.
- [Keys](x.md) rotate.

To see it, run:

```bash
example --version
```

| option | default |
|---|---|
| `retries` | 5 |
"""
OPENAPI = """# Limits of the API
limits:
  requests_per_minute: 60
""" + "\n".join(f"service_{n}:\n  image: nginx\n  replicas: {n}" for n in range(20))
MODULE = '''"""What the module is for.

And more
about it.
"""

# Seconds to wait
# for a server.
TIMEOUT = 30


class Client:
    """Talks to a server."""

    def send(self, retries: int = 5) -> None:
        """Send it.

        At most `retries` times.
        """
'''


def write(root: Path, **files: str | bytes) -> None:
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def documents(files: Iterable[Any]) -> list[tuple[Page, tuple[Passage, ...]]]:
    """What was read; nothing else may have been found."""
    found = list(files)
    assert not [item for item in found if isinstance(item, Finding)]
    return [(page, document.passages) for page, document in found]


def read(text: str, suffix: str) -> list[tuple[PassageKind, tuple[int, int], str]]:
    page = Page("f", "", "f", type=SourceType.FILE)
    return [(item.kind, item.lines, item.text) for item in document_of(page, text, suffix).passages]


def test_markdown_keeps_its_roles_and_lines() -> None:
    """Line numbers count the front matter; text is what a reader sees."""
    assert read(CHANGELOG, ".md") == [
        (PassageKind.ITEM, (8, 9), "Retries are five, not three."),
        (PassageKind.ITEM, (10, 10), "Keys rotate."),
        (PassageKind.PARAGRAPH, (12, 12), "To see it, run:"),
        (PassageKind.CODE, (15, 15), "example --version"),
        (PassageKind.ROW, (20, 20), "retries 5"),
    ]


def test_html_in_markdown_is_read_as_it_is_shown() -> None:
    """With the lines that it stands on; what nobody sees is left out."""
    text = "<details><summary>Why</summary>\n\nIt is <b hidden>not</b> so.\n\n</details>\n\n"
    text += "<p>Or\nso.</p>\n<main>Last.</main>\n"
    assert read(text, ".md") == [
        (PassageKind.PARAGRAPH, (3, 3), "It is so."),
        (PassageKind.PARAGRAPH, (7, 9), "Or so."),
        (PassageKind.PARAGRAPH, (7, 9), "Last."),
    ]


def test_a_comment_stands_between_nothing() -> None:
    """What leads into a list does so over a comment that no reader sees."""
    page = Page("f", "", "f", type=SourceType.FILE)
    *_, item = document_of(page, "Do this:\n\n<!-- later: more -->\n\n- Rotate the key.\n", ".md").passages
    assert (item.lead, item.lines) == ("Do this:", (5, 5))


def test_data_files_are_cut_by_their_keys() -> None:
    """Every line of a data file is in exactly one passage, and short blocks stay together."""
    found = read(OPENAPI, ".yaml")
    assert found[0][2].startswith("# Limits of the API\nlimits:\n  requests_per_minute: 60")
    assert [line for _, (first, last), _ in found for line in range(first, last + 1)] == list(range(1, 64))
    assert all(last - first < 24 for _, (first, last), _ in found)


def test_a_large_data_file_is_cut_in_time_of_its_length() -> None:
    """Of 160,000 keys on one level, each block looked for the keys over it up to the first line."""
    text = "{\n" + "".join(f'  "key{number}": {number},\n' for number in range(160_000)) + '  "z": 1\n}\n'
    with guarded():
        found = read(text, ".json")
    assert (found[-1][1][1], found[1][2].partition("\n")[0]) == (160_003, '  "key23": 23,')
    page = Page("f", "", "f", type=SourceType.FILE)
    nested = "a:\n  b:\n" + "    c: 1\n" * 60 + "  d: 2\n"
    sections = document_of(page, nested, ".yaml").sections
    assert [section.breadcrumb[1:] for section in sections] == [(), ("a",), ("a", "b"), ("a",)]


def test_python_gives_its_words_and_its_constants() -> None:
    """Docstrings by paragraph, signatures and assignments, at the line of their name; no bodies."""
    assert read(MODULE, ".py") == [
        (PassageKind.PARAGRAPH, (1, 1), "What the module is for."),
        (PassageKind.PARAGRAPH, (1, 1), "And more about it."),
        (PassageKind.CODE, (9, 9), "TIMEOUT = 30"),
        (PassageKind.CODE, (12, 12), "class Client:"),
        (PassageKind.PARAGRAPH, (12, 12), "Talks to a server."),
        (PassageKind.CODE, (15, 15), "    def send(self, retries: int = 5) -> None:"),
        (PassageKind.PARAGRAPH, (15, 15), "Send it."),
        (PassageKind.PARAGRAPH, (15, 15), "At most `retries` times."),
    ]


@given(st.text(max_size=400), st.sampled_from([".md", ".txt", ".yml", ".json", ".toml", ".py", ""]))
def test_no_text_breaks_a_format(text: str, suffix: str) -> None:
    """Lines lie within the file, whatever stands in it."""
    height = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for passage in document_of(Page("f", "", "f", type=SourceType.FILE), text, suffix).passages:
        first, last = passage.lines
        assert 1 <= first <= last <= height


def test_files_have_links_and_notes_have_none(tmp_path: Path) -> None:
    """A file is cited by path and lines and linked; of a note only the name is known."""
    write(tmp_path, **{"CHANGELOG.md": "# Changes\n\nFive retries.", "notes__keys.md": "Secret lore."})
    entries = [ExtraSource(glob="*.md"), ExtraSource(type="note", glob="notes/*.md", name="Maintainers")]
    files = read_files(Repository(tmp_path, link="https://example.org/blob/main/{path}"), entries)
    (changelog, (passage,)), (notes, _) = documents(files)
    assert (changelog.url, changelog.title) == ("https://example.org/blob/main/CHANGELOG.md", "CHANGELOG.md")
    assert (passage.type, passage.lines) == (SourceType.FILE, (3, 3))
    assert (notes.url, notes.title, notes.type) == ("", "Maintainers", SourceType.NOTE)


def test_a_file_is_told_from_a_page_of_the_same_path(tmp_path: Path) -> None:
    """`README.md` of the repository is not `README.md` of the docs."""
    write(tmp_path, **{"README.md": "Hello."})
    ((page, _),) = documents(read_files(Repository(tmp_path, taken={"README.md"}), [ExtraSource(glob="README.md")]))
    assert page.src == "./README.md"


@pytest.mark.parametrize(
    ("glob", "says"),
    [
        ("../secret.md", "names no file of the project"),
        ("/etc/passwd", "names no file of the project"),
        ("C:\\x", "names no file of the project"),
        ("nothing/*.md", "names no file"),
        ("latin.txt", "byte 0xe9 is not UTF-8"),
        ("link.md", "outside the project"),
        ("large.txt", "it has more than 2,000,000 bytes"),
    ],
)
def test_what_cannot_be_read_is_a_finding(tmp_path: Path, glob: str, says: str) -> None:
    """Each names the place, the thing and the next step."""
    root = tmp_path / "project"
    write(tmp_path, **{"secret.md": b"secret", "project__latin.txt": b"ab\ncaf\xe9", "project__large.txt": b"x"})
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    with (root / "large.txt").open("ab") as file:
        file.truncate(MOST_BYTES + 1)
    (finding,) = read_files(Repository(root), [ExtraSource(glob=glob)])
    assert isinstance(finding, Finding)
    assert says in finding.message
    assert finding.tip
    if glob == "latin.txt":
        assert (finding.place.file, finding.place.line, finding.place.column) == ("latin.txt", 2, 4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
@pytest.mark.parametrize("glob", ["pipes/a.md", "pipes/*", "zero.md"])
def test_what_never_ends_is_not_read(tmp_path: Path, glob: str) -> None:
    """A pipe or device is told, not waited for."""
    (tmp_path / "pipes").mkdir()
    os.mkfifo(tmp_path / "pipes/a.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    with guarded():
        (finding,) = read_files(Repository(tmp_path), [ExtraSource(glob=glob)])
        assert isinstance(finding, Finding)
        with pytest.raises(ValueError, match="it is a device or a pipe"):
            Store(tmp_path, "pipes").read(ExtraSource(type="web", name="a"))
    assert "it is a device or a pipe" in finding.message or "outside the project" in finding.message


def test_hidden_and_installed_folders_are_not_entered(tmp_path: Path) -> None:
    """`**` means the project's own files."""
    write(tmp_path, **{".cache__a.md": "x", "node_modules__b.md": "x", "c__d.md": "Words.", ".github__e.md": "Words."})
    files = read_files(Repository(tmp_path), [ExtraSource(glob="**/*.md"), ExtraSource(glob=".github/*.md")])
    assert [page.src for page, _ in documents(files)] == ["c/d.md", ".github/e.md"]


def texts(passages: tuple[Passage, ...]) -> list[str]:
    return [passage.text for passage in passages]


def test_python_that_does_not_parse_is_read_as_text() -> None:
    """A file for another version of Python is still found."""
    page = Page("f", "", "f", type=SourceType.FILE)
    assert texts(document_of(page, "def broken(:\n\nwords here", ".py").passages) == ["def broken(:", "words here"]
