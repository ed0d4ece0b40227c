"""What a page states, sentence by sentence, and where each is in the page's file: what could carry a mark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from mkdocs_cited.answer_text.connectives import connective
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.sources.locate import SourceText


class Statement(Struct, frozen=True):
    """A sentence, item or cell without a mark."""

    text: str
    start: int
    """Offset in the page's Markdown."""
    stop: int
    """Where a mark for it goes: before its full stop."""


def statements(passages: Iterable[Passage], markdown: str, locale: str) -> Iterator[Statement]:
    """The statements of a page that have no mark and are written in its own file, in order.

    Args:
        passages: of the rendered page, in page order.
        markdown: of the page's file, without front matter.
        locale: the page's language.
    """
    source, at = SourceText.of(markdown), 0
    for passage in passages:
        for said in _sentences(passage):
            found = None if connective(said, locale) else source.span(said, at)
            if found is None:
                continue
            start, at = found
            if "[@" not in markdown[start : at + 4]:
                yield Statement(said, start, at)


def _sentences(passage: Passage) -> Iterator[str]:
    """What states something by itself in a passage."""
    match passage.kind:
        case PassageKind.CODE:
            return
        case PassageKind.ROW:
            yield from passage.cells
        case PassageKind.ITEM | PassageKind.STEP:
            yield passage.text
        case _:
            yield from passage.sentence_texts()
