"""The console report: plain lines in a log, colours on a terminal, and marks under the right words."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mkdocs_cited.base.errors import starts_no_command
from mkdocs_cited.model.finding import Place, Severity, found
from mkdocs_cited.reporters.console import Console, Layout, for_stream
from mkdocs_cited.reporters.interface import (
    Report,
    one_line,
)
from tests.reporters.texts import hostile_text

ANSI = re.compile(r"\x1b\[[0-9;]*m")
REPORT = Report(
    shown=(
        found(
            "altered-number",
            Place("docs/faq.md", 3, 5),
            "`60` is not `600`.",
            answer="faq.md#x",
            claim="The limit is 60 requests.",
            marks=((13, 15),),
        ),
    )
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "CI", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


def test_a_file_gets_no_colours() -> None:
    """What is not a terminal gets plain lines, with the offending words underlined by a line of their own."""
    text = for_stream(io.StringIO()).render(REPORT)
    assert "\x1b" not in text
    claim, marks = next(
        (line, under) for line, under in zip(text.splitlines(), text.splitlines()[1:], strict=False) if "claim" in line
    )
    assert claim[marks.index("^") : marks.rindex("^") + 1] == "60"


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the words themselves are marked, and without the colours the text is the same."""
    monkeypatch.setenv("TERM", "xterm-256color")
    text = for_stream(Terminal()).render(REPORT)
    assert re.search(r"\x1b\[[0-9;]*4[0-9;]*m60\x1b\[0m", text), "the figure is underlined"
    plain = "".join(line + "\n" for line in Console().render(REPORT).splitlines() if "^" not in line)
    assert ANSI.sub("", text) == plain


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    """`NO_COLOR` and `TERM=dumb` switch colours off, on a terminal too."""
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in for_stream(Terminal()).render(REPORT)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in for_stream(Terminal()).render(REPORT)


def test_marks_stand_under_wide_characters() -> None:
    """A Chinese character takes two cells, and so does its mark."""
    (line, marks) = Layout(width=80).block("", "每分鐘 60 個", indent=2, marks=((4, 6),))
    assert (line, marks) == ("  每分鐘 60 個", "         ^^")


@given(text=hostile_text(), width=st.integers(20, 60))
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    """Every character that is not a space is on exactly one line, in order, and no line is too wide.

    A colon that a line break leaves at the start of a command (`::error`) has become a ratio sign.
    """
    lines = list(Layout(width=width).block("", text, indent=0))
    written = "".join(starts_no_command(one_line(text)).split())
    assert "".join("".join(lines).split()).replace("∶", ":") == written.replace("∶", ":")
    assert all(cell_len(line) <= width for line in lines)


@given(claim=hostile_text(), message=hostile_text(), first=st.integers(0, 80), last=st.integers(0, 80))
def test_no_text_steers_the_terminal(claim: str, message: str, first: int, last: int) -> None:
    """Whatever a claim holds, the plain report has no control characters besides line feeds."""
    finding = found("altered-number", Place("docs/a.md"), message, claim=claim, marks=((first, last),))
    text = Console().render(Report(shown=(finding,)))
    assert not [char for char in text if (ord(char) < 32 and char != "\n") or char in "\x7f\u202e\u2066"]
    text.encode("utf-8")


def test_an_error_is_explained_before_a_warning() -> None:
    """The last line points to the explanation of the gravest finding."""
    warning = found("partial-claim", Place("docs/a.md"), "Only a part.")
    assert warning.severity is Severity.WARNING
    text = Console().render(Report(shown=(warning, *REPORT.shown)))
    assert "explain altered-number" in text.splitlines()[-1]
