"""Which footnotes an answer has: neighbouring passages that belong together share one.

A lead-in with its list, a sentence with its code block, the rows of a table, and whatever neighbours one claim cites
together are one place to a reader. Elsewhere (records, `cited.json`) each passage keeps a number of its own, its `sid`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Passage, PassageKind, Source, SourceType
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.plain import as_text
from mkdocs_cited.render.quotes import CUT, beginning

_WHOLE, _FIRST, _LAST = 90, 35, 25
"""Characters that a footnote shows of what stands in the answer as it is: of a short quote all of it, else so many at
the beginning and at the end."""
_WORD = re.compile(r"\w+")
_READ_ON = (PassageKind.ITEM, PassageKind.STEP, PassageKind.CODE)
"""What the passage before it leads in to."""
_CLOSED = (PassageKind.ROW, PassageKind.CODE, PassageKind.DEFINITION)
"""What leads in to nothing."""
_JOINED = (SourceType.PAGE, SourceType.ARCHIVE, SourceType.DEFINITION, SourceType.FILE)
"""Of other types, no link can lead to more than one passage."""


class Part(Struct, frozen=True):
    """A cited passage, with what is quoted of it."""

    source: Source
    passage: Passage
    quote: str
    repeated: bool = False
    """Whether the answer says the same, word for word."""
    shown: str = ""
    """What the footnote shows of the quote: of what the answer repeats, the first words of the first passage and the
    last ones of the last, with an ellipsis for all between."""


class Group(Struct, frozen=True):
    """The passages of one footnote."""

    n: int
    """Its number on the page, by first appearance in the text, from 1."""
    parts: tuple[Part, ...]
    """In the order of their page."""

    @property
    def sids(self) -> frozenset[int]:
        return frozenset(part.source.sid for part in self.parts)


def grouped(answer: Answer, shared: Mapping[int, tuple[int, ...]] | None = None) -> tuple[Group, ...]:
    """The footnotes of an answer, in order of their numbers.

    Args:
        answer: the answer.
        shared: `sid` → what its record says of the footnote that it shares (`RecordedCitation.note`), for hosts that do
            not know what neighbours it has.
    """
    said = _words(as_text(answer))
    parts = [_part(answer, source, said) for source in answer.sources]
    runs = _neighbours(answer, parts) if shared is None else _recorded(parts, shared)
    runs.sort(key=lambda run: min(part.source.sid for part in run))
    return tuple(Group(n, tuple(_shown(run))) for n, run in enumerate(runs, 1))


def numbers(groups: Iterable[Group]) -> dict[int, int]:
    """The `sid` of each source → the number of its footnote."""
    return {sid: group.n for group in groups for sid in group.sids}


def uses(content: str, number_of: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Each number that a reader sees in an answer's text, with its offset: one that would repeat directly behind itself
    is shown once."""
    shown, end = 0, -1
    for sid, start, after in markers(content):
        number = number_of.get(sid, 0)
        if number and (number != shown or content[end:start].strip(" \t")):
            yield number, start
        shown, end = number, after


def _neighbours(answer: Answer, parts: Iterable[Part]) -> list[list[Part]]:
    """Parts as their pages have them, those that are one place together."""
    together = [frozenset(item.claim.sids) for item in answer.claims]
    runs: list[list[Part]] = []
    for part in sorted(parts, key=lambda part: (part.passage.page.src, part.passage.position, part.source.sid)):
        if runs and _belong(runs[-1][-1], part, together):
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def _recorded(parts: Iterable[Part], shared: Mapping[int, tuple[int, ...]]) -> list[list[Part]]:
    runs: dict[tuple[int, ...], list[Part]] = {}
    for part in sorted(parts, key=lambda part: shared.get(part.source.sid, ())):
        runs.setdefault(shared.get(part.source.sid, ())[:1] or (0, part.source.sid), []).append(part)
    return list(runs.values())


def _part(answer: Answer, source: Source, said: str) -> Part:
    passage, quote = cited_passage(answer, source)
    return Part(source, passage, quote, repeated=_words(quote) in said)


def _shown(run: Sequence[Part]) -> Iterator[Part]:
    together = list(takewhile(lambda part: part.repeated, run))
    for position, part in enumerate(run):
        if not part.repeated:
            yield replace(part, shown=part.quote)
        else:
            yield part if position else replace(part, shown=_ends(together))


def _words(text: str) -> str:
    """The words of a text, to be looked for in another."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _ends(parts: Sequence[Part]) -> str:
    """Where what the answer repeats begins and ends on its page."""
    quote, last = parts[0].quote, parts[-1]
    if parts[0].passage.kind is PassageKind.CODE or (len(parts) == 1 and len(quote) <= _WHOLE):
        return beginning(parts[0].passage, quote, _WHOLE, 1)
    first = beginning(parts[0].passage, quote, _FIRST, 1).removesuffix(CUT) + CUT
    if last.passage.kind is PassageKind.CODE:
        return first
    end = last.passage.cells[-1] if last.passage.kind is PassageKind.ROW and last.passage.cells else last.quote
    return f"{first} {end if len(end) <= _LAST else (end[-_LAST:].partition(' ')[2] or end[-_LAST:]).lstrip()}"


def _belong(first: Part, second: Part, together: Iterable[frozenset[int]]) -> bool:
    """Whether a passage and the next one that is cited on its page are one place."""
    one, other = first.passage, second.passage
    if one.type not in _JOINED or one.section != other.section or other.position - one.position not in (0, 1):
        return False
    if one.id != other.id and (one.block == other.block != 0 or (one.kind not in _CLOSED and _leads_to(one, other))):
        return True
    return any({first.source.sid, second.source.sid} <= sids for sids in together)


def _leads_to(one: Passage, other: Passage) -> bool:
    return other.kind in _READ_ON or (other.kind is PassageKind.ROW and one.text.endswith((":", "：")))
