"""What was asked of an index once is stored for as long as its documents are the same."""

from __future__ import annotations

from pathlib import Path

from msgspec.msgpack import Decoder

from mkdocs_cited.model.source import Page
from mkdocs_cited.search.index import Index

WORDS = Decoder(str)


def asked(folder: Path, html: str, answer: str) -> str:
    """What an index of one page says to a question that it would answer like this today."""
    index = Index.open(folder)
    index.sync([(Page("keys.md", "keys/", "Keys", "en"), html)])
    found = index.once("How long?", WORDS, lambda: answer)
    index.keep_found()
    index.close()
    return found


def test_what_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    assert asked(tmp_path, "<p>90 days</p>", "90") == "90"
    assert asked(tmp_path, "<p>90 days</p>", "not asked") == "90"


def test_another_text_is_asked_again(tmp_path: Path) -> None:
    asked(tmp_path, "<p>90 days</p>", "90")
    assert asked(tmp_path, "<p>30 days</p>", "30") == "30"
    assert asked(tmp_path, "<p>90 days</p>", "90 again") == "90 again"


def test_what_cannot_be_read_is_asked_again(tmp_path: Path) -> None:
    asked(tmp_path, "<p>90 days</p>", "90")
    index = Index.open(tmp_path)
    index.keep("found", dict.fromkeys(index.kept("found"), b"\xc1"))
    index.close()
    assert asked(tmp_path, "<p>90 days</p>", "once more") == "once more"
