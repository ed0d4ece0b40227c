"""What kind of answer a question asks for."""

from __future__ import annotations

import pytest

from mkdocs_cited.search.terms import Form, form_of
from tests.hangs import guarded

ASKED = {
    "How do I rotate a key?": Form.HOW,
    "The token is lost. What do I do?": Form.HOW,
    "What is a workspace?": Form.WHAT,
    "When is a task called late?": Form.WHAT,
    "How many seats does a team have?": Form.AMOUNT,
    "What is the default port?": Form.AMOUNT,
    "How long is a session kept, and who can see it?": Form.AMOUNT,
    "Which option turns the cache off?": Form.WHICH,
    "What command lists the users?": Form.WHICH,
    "Can I run it on Windows?": Form.WHETHER,
    "I have two accounts. Do they share their files?": Form.WHETHER,
    "push vs pull?": Form.DIFFERENCE,
    "What is the difference between a tag and a label?": Form.DIFFERENCE,
    'I get "permission denied (publickey)" when I push. What now?': Form.ERROR,
    "It stops with an error: disk full": Form.ERROR,
    "Why is my build slow?": Form.WHY,
    "keyboard shortcuts": Form.OTHER,
}


@pytest.mark.parametrize(("question", "form"), ASKED.items())
def test_form(question: str, form: Form) -> None:
    """The sentence that asks decides, not what is told before it."""
    assert form_of(question) is form


@pytest.mark.parametrize("part", ["x", "?", "! ", "“", "the ", "is the x ", "or ", "x or x ", "what is ", "get “"])
def test_no_question_takes_long(part: str) -> None:
    """Each pattern takes a time in proportion to the text, or to its square."""
    with guarded():
        for opening in ("", "a or ", "“", "when is "):
            form_of(opening + part * (2_000 // len(part)) + ".")


def test_other_languages_have_forms_of_their_own() -> None:
    assert form_of("Wie lange gilt ein Token?", "de") is Form.AMOUNT
    assert form_of("Pourquoi est-ce lent ?", "fr") is Form.WHY
    assert form_of("How do I rotate a key?", "ja") is Form.OTHER
