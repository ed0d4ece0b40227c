"""What Claude is sent for each form of question, word for word, and what comes of its reply."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.providers.transcripts import INSTRUCTIONS, cases, played, read
from tests.servers.messages import KEY, MessagesServer


@pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)
def test_the_conversation_is_the_golden_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server, which keeps the API's rules, was sent what the file shows; `python -m tests.providers.transcripts`
    writes it anew."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    with MessagesServer() as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        case = read(path)
        assert played(case, api) == case


@pytest.mark.parametrize(
    "asked_for",
    [
        "Begin with the answer itself",
        "Call things what the sections call them",
        "character by character",
        '"Yes" or "No" first',
        "only the steps that are needed",
        "the sentence that defines it",
        "An error: what it means, then what to do",
        "[[NOT-DOCUMENTED]]",
        "[[NEAREST:",
        "Say that it is not documented only after one look",
    ],
)
def test_the_instructions_ask_for_it(asked_for: str) -> None:
    """Each habit of a good answer is asked for in so many words."""
    assert asked_for.casefold() in INSTRUCTIONS.read_text(encoding="utf-8").casefold()
