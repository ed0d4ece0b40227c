"""A passage's words lead back to the lines of the Markdown they were rendered from."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.finding import Place, Related, found
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.sources.locate import Locator, SearchedText, with_places
from tests.hangs import guarded

PAGE = """\
---
title: Limits
---
# API

Intro with **bold**, `code_name` and a [link to *keys*](guide/keys.md "Keys"){ .external }.

## Limits

Each key may send **600** requests
per minute, unless the [plan][plans] says otherwise.

- First item.
- Second item with <kbd>Ctrl</kbd>+<kbd>C</kbd>.

| Plan | Requests |
| ---- | -------- |
| Free | 600      |

## Errors

Each key may send **600** requests
per minute, unless the [plan][plans] says otherwise.

```python
limit = max(600, 2)  # {not an attribute list}
```

每個金鑰每分鐘可以發送六百個請求。

[plans]: https://example.org/plans
"""

PIECES = ["Keys", "rotate", "*every*", "`30`", "漢字", "ß", "İ", "é", "[see](x.md)", "&", "<b>bold</b>", "\\_", "1."]


def text_at(source: str, place: Place) -> str:
    """What stands between the two ends of a place."""
    lines = source.split("\n")[place.line - 1 : place.end_line]
    lines[-1] = lines[-1][: place.end_column - 1]
    lines[0] = lines[0][place.column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("passage", "heading", "line", "stretch"),
    [
        ("Intro with bold, code_name and a link to keys.", "API", 6, "Intro with"),
        ("Second item with Ctrl+C.", "Limits", 14, "Second item with <kbd>Ctrl</kbd>+<kbd>C</kbd>."),
        ("Free 600", "Limits", 18, "Free | 600"),
        (
            "limit = max(600, 2)  # {not an attribute list}",
            "Errors",
            26,
            "limit = max(600, 2)  # {not an attribute list}",
        ),
        ("每個金鑰每分鐘可以發送六百個請求。", "Errors", 29, "每個金鑰每分鐘可以發送六百個請求。"),
        ("First item.", "Limits", 13, "First item."),
    ],
)
def test_a_passage_is_found_through_its_markup(passage: str, heading: str, line: int, stretch: str) -> None:
    """Emphasis, links, tags, attribute lists, tables, code and CJK do not hide it; the range is what it covers."""
    place = SearchedText(PAGE).passage(passage, "docs/api.md", heading=heading)
    assert place is not None
    assert (place.file, place.line) == ("docs/api.md", line)
    assert text_at(PAGE, place).startswith(stretch)


def test_the_heading_chooses_between_equal_passages() -> None:
    """A paragraph that stands in two sections is found in its own."""
    source = SearchedText(PAGE)
    words = "Each key may send 600 requests per minute, unless the plan says otherwise."
    places = [source.passage(words, "a.md", heading=title) for title in ("Limits", "Errors")]
    assert [(place.line, place.end_line) for place in places if place] == [(10, 11), (22, 23)]


def test_a_passage_whose_words_are_not_in_the_file_has_the_place_of_its_heading() -> None:
    """A macro's value is not in the file."""
    text = "# T\n\nText.\n\n## Limits\n\nEach key may send {{ limits.requests }} requests per minute.\n"
    words = "Each key may send 600 requests per minute."
    place = SearchedText(text).passage(words, "a.md", heading="Limits")
    assert place
    assert (place.line, text_at(text, place)) == (5, "Limits")
    assert SearchedText(text).passage(words, "a.md") is None


@pytest.mark.parametrize("words", ["", "…", "Nothing of this stands there at all, not a word of it.", "key", "may"])
def test_what_is_not_there_is_not_found(words: str) -> None:
    """Texts of macros and includes, and single words in the middle of a line, get no place."""
    assert SearchedText(PAGE).passage(words, "a.md") is None


@pytest.mark.parametrize(("start", "end"), [("", "\n"), ("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_lines_and_columns_whatever_the_file_is_written_with(tmp_path: Path, start: str, end: str) -> None:
    """A byte order mark is no column, CRLF is one line end, a tab is one column."""
    (tmp_path / "docs").mkdir()
    text = start + "# T\n\n-\tItem with 漢字.\n-\tThe last one.\n".replace("\n", end)
    (tmp_path / "docs/a.md").write_bytes(text.encode("utf-8"))
    place = Locator(tmp_path).place(passage_of("Item with 漢字.", "docs/a.md"))
    assert place == Place("docs/a.md", 3, 3, 3, 16)


@given(
    blocks=st.lists(
        st.lists(st.sampled_from(PIECES), min_size=3, max_size=9).map(" ".join), min_size=1, max_size=6, unique=True
    )
)
def test_every_paragraph_of_a_page_is_found(blocks: list[str]) -> None:
    """What Python-Markdown renders is found on its own line, or, when another holds the same words, on that one's."""
    text = "\n\n".join(f"Opening {number}: {block}" for number, block in enumerate(blocks))
    html = LexborHTMLParser(markdown.markdown(text))
    source = SearchedText(text)
    for number, node in enumerate(html.css("p")):
        place = source.passage(node.text(), "a.md")
        assert place is not None
        assert place.line == 1 + 2 * number


@given(text=st.text(), words=st.text())
def test_no_text_breaks_it(text: str, words: str) -> None:
    """Whatever the file and the passage hold, a place lies inside of the file."""
    place = SearchedText(text).passage(words, "a.md")
    if place:
        assert 1 <= place.line <= place.end_line <= text.count("\n") + 1
        assert text_at(text, place)


def test_no_text_hangs() -> None:
    """Hundreds of thousands of characters of anything."""
    for piece in ("](", "<a ", "{ ", "&a", "word word word ", "# h\n"):
        with guarded():
            text = SearchedText(piece * (400_000 // len(piece)))
            text.passage("word word other word thing " * 20, "a.md", heading="word")


class Passages:
    """A corpus with one passage."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    def passage(self, passage_id: str) -> Passage | None:
        return self._passage if passage_id == self._passage.id else None


def passage_of(text: str, file: str, lines: tuple[int, int] = (0, 0)) -> Passage:
    page = Page("a.md", "a/", "T", file=file)
    section = Section(page, "t", "T", 1, ("T",))
    return Passage("a.md#t~1", section, PassageKind.PARAGRAPH, text, SourceType.PAGE, "h", lines=lines)


def test_findings_get_the_lines_of_the_passages_they_name(tmp_path: Path) -> None:
    """A related passage without a place gets one; one that has its place, or is unknown, stays as it is."""
    (tmp_path / "a.md").write_text("# T\n\nSix hundred.\n", encoding="utf-8")
    known = Related("elsewhere", Place("b.md", 7), "b.md#~2")
    finding = found("altered-number", Place("r.md"), "m", related=(Related("it", None, "a.md#t~1"), known,
                    Related("gone", None, "z.md#~3")))  # fmt: skip
    corpus = Passages(passage_of("Six hundred.", "a.md"))
    (placed,) = with_places([finding], corpus, Locator(tmp_path))  # type: ignore[arg-type]  # only `passage` is asked
    assert [item.place for item in placed.related] == [Place("a.md", 3, 1, 3, 13), Place("b.md", 7), None]


def test_files_that_cannot_be_read_have_no_places(tmp_path: Path) -> None:
    """Missing, not text, or a passage of a page that has no file: nothing is found, and nothing raised."""
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe\x00")
    locator = Locator(tmp_path)
    assert [locator.place(passage_of("x y z", file)) for file in ("gone.md", "binary.md", "")] == [None] * 3


def test_a_file_of_the_repository_knows_its_lines(tmp_path: Path) -> None:
    """A passage of `extra_sources` carries them already."""
    assert Locator(tmp_path).place(passage_of("x", "CHANGELOG.md", (4, 6))) == Place("CHANGELOG.md", 4, 1, 6, 0)


AUTHORED = """\
---
title: FAQ
answers:
  - question: What are the limits?
    text: |
      The limit is **60** requests [@api/limits.md#limits]
      a minute. Keys never expire [@api/keys.md]. It is blue.
  - question: And more?
    text: >
      Folded text that runs
      over lines. 漢字 is here.
---
It is blue. Nothing else.
"""


@pytest.mark.parametrize(
    ("claim", "line", "stretch"),
    [
        (
            "The limit is 60 requests a minute.",
            6,
            "The limit is **60** requests [@api/limits.md#limits]\n      a minute.",
        ),
        ("Keys never expire.", 7, "Keys never expire"),
        ("It is blue.", 7, "It is blue."),
        ("Folded text that runs over lines.", 10, "Folded text that runs\n      over lines."),
        ("漢字 is here.", 10, "漢字 is here."),
    ],
)
@pytest.mark.parametrize(("start", "end"), [("", "\n"), ("\ufeff", "\r\n")])
def test_a_claim_is_found_in_its_authors_text(
    tmp_path: Path, claim: str, line: int, stretch: str, start: str, end: str
) -> None:
    """Citations in the text, indentation, folding, line ends and a byte order mark do not move its columns."""
    (tmp_path / "faq.md").write_bytes((start + AUTHORED.replace("\n", end)).encode())
    declared = Place("faq.md", 6 if line < 9 else 10, 1)
    place = Locator(tmp_path).claim(found("altered-number", declared, "m", claim=claim))
    assert text_at(AUTHORED.replace("\n", end), place) == stretch.replace("\n", end)


def test_a_claim_is_found_in_its_record(tmp_path: Path) -> None:
    """Below the line that the finding names, never above it."""
    (tmp_path / "r.md").write_text("---\nquote: It is 60.\n---\nIt was.[^1] It is 60.[^2]\n", encoding="utf-8")
    finding = found("altered-number", Place("r.md", 4, 13), "m", claim="It is 60.")
    assert Locator(tmp_path).claim(finding) == Place("r.md", 4, 13, 4, 26)


@pytest.mark.parametrize("claim", ["Nothing else.", "This is written nowhere.", ""])
def test_a_claim_that_is_not_written_there_keeps_its_place(tmp_path: Path, claim: str) -> None:
    """An answer made in memory has the place of its question; the same words in the page's prose are not it."""
    (tmp_path / "faq.md").write_text(AUTHORED, encoding="utf-8")
    finding = found("unsupported-claim", Place("faq.md", 4, 5), "m", claim=claim)
    assert Locator(tmp_path).claim(finding) == Place("faq.md", 4, 5)
