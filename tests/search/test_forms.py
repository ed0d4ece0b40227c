"""Whether a question asks what something is, or for a figure."""

from __future__ import annotations

import pytest

from mkdocs_cited.search.terms import asks_figure, asks_what
from tests.hangs import guarded


@pytest.mark.parametrize(
    ("question", "language", "what", "figure"),
    [
        ("What is a workspace?", "en", True, False),
        ("When is a task called late?", "en", True, False),
        ("How do I rotate a key?", "en", False, False),
        ("How many seats does a team have?", "en", False, True),
        ("How long is a session kept, and who can see it?", "en", False, True),
        ("Wozu dient ein Token?", "de", True, False),
        ("Wie lange gilt ein Token?", "de", False, True),
        ("Was ist das?", "ja", False, False),
    ],
)
def test_what_a_question_asks_for(question: str, language: str, what: bool, figure: bool) -> None:
    assert (asks_what(question, language), asks_figure(question, language)) == (what, figure)


@pytest.mark.parametrize("part", ["x", "? ", "when is ", "what ", "how  "])
def test_no_question_takes_long(part: str) -> None:
    with guarded():
        for opening in ("", "when is ", "how "):
            asks_what(opening + part * (2_000 // len(part)) + ".", "en")
            asks_figure(opening + part * (2_000 // len(part)) + ".", "en")
