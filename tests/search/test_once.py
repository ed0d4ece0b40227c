"""What searches find is stored for as long as the documents are the same."""

from __future__ import annotations

from pathlib import Path

from mkdocs_cited.model.source import Page, Source, Via
from mkdocs_cited.search.index import Index

KEYS = "<p>A key is valid for 90 days.</p>"


def asked(folder: Path, pages: dict[str, str], answer: str, question: str = "How long is a key valid?") -> str:
    """What is told of the searches of a question, for which it would be this answer today."""
    index = Index.open(folder)
    index.sync([(Page(src=src, url=src, title=src, locale="en"), html) for src, html in pages.items()])
    source = Source(1, index.section("keys.md", "")[0], Via.RETRIEVAL, also=(answer,))
    (found,) = index.once(question, lambda: (source,))
    index.keep_found()
    index.close()
    return found.also[0]


def test_what_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    assert asked(tmp_path, {"keys.md": KEYS}, "90") == "90"
    assert asked(tmp_path, {"keys.md": KEYS}, "not asked") == "90"


def test_another_text_is_asked_again(tmp_path: Path) -> None:
    asked(tmp_path, {"keys.md": KEYS}, "90")
    changed = {"keys.md": KEYS.replace("90 days.", "90 days!")}
    assert asked(tmp_path, changed, "90!") == "90!"
    assert asked(tmp_path, {"keys.md": KEYS}, "90 again") == "90 again"


def test_another_page_is_asked_again(tmp_path: Path) -> None:
    asked(tmp_path, {"keys.md": KEYS}, "90")
    assert asked(tmp_path, {"keys.md": KEYS, "more.md": KEYS}, "more") == "more"


def test_another_question_is_asked(tmp_path: Path) -> None:
    asked(tmp_path, {"keys.md": KEYS}, "90")
    assert asked(tmp_path, {"keys.md": KEYS}, "nothing", "the of?") == "nothing"


def test_what_cannot_be_read_is_asked_again(tmp_path: Path) -> None:
    asked(tmp_path, {"keys.md": KEYS}, "90")
    index = Index.open(tmp_path)
    index.keep("found", dict.fromkeys(index.stored("found"), b"\xc1"))
    index.close()
    assert asked(tmp_path, {"keys.md": KEYS}, "once more") == "once more"
