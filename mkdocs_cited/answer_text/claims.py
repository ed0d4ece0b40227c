"""An answer is split into claims, each with the numbers that it cites. Whether a claim holds is not asked here.

- A claim is a sentence, a list item, a table row or a code block. Its numbers may be before or behind the full stop.
- **Numbers cover the sentence that they are in, and no more**: at the end of a paragraph they cover its last
  sentence only. A list item is one claim, unless numbers are inside it too.
- A code block takes the numbers of a paragraph behind it that holds nothing else (`[^2]`), otherwise those of the
  last sentence of the paragraph right before it (`Install it with pip:[^2]`).
- Questions, headings, labels (`Note:`), names of images and a table's head are claims only when they cite. One that
  holds a figure, a flag or file, or a negation is a claim too.
- A claim that leads into a list, table or code without a number of its own, and a heading that is a claim, depend on
  all that is cited below them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.markdown import Block, BlockKind, Run, RunKind, blocks
from mkdocs_cited.base.text import Spans, collapse, language_of
from mkdocs_cited.language import Kind, tokens
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Claim

_CLOSING = frozenset(".,;:!?…)]}»”’。，、；：！？）」』】؟،؛")
_TERMINATORS = tuple(".!?…")
_MARKUP_BEHIND = re.compile(
    r"(?:[*_~\"')»”’]|\](?:\([^()\n]{0,2000}\))?){1,9}(?=\s|\||$)"
)
_QUESTION = ("?", "？", "؟")
_COLON = (":", "：")
_REPLIES = ("yes", "no", "ja", "nein")
_WORDS_OF_LABEL = 2
_WORDS_OF_TITLE = 10
_LED = (BlockKind.ITEM, BlockKind.HEADER, BlockKind.ROW, BlockKind.CODE)
"""Blocks that a sentence may lead into."""


def split(content: str, locale: str = "en") -> tuple[Claim, ...]:
    """The claims of an answer's Markdown in order, with offsets into it; ranges do not overlap. Never raises.

    Args:
        content: the Markdown, with its markers.
        locale: language of the answer.
    """
    splitter = _Splitter(language_of(locale))
    before = None
    for block in blocks(content):
        splitter.read(block, before)
        before = block
    return splitter.claims()


def statements(content: str, locale: str) -> Spans:
    """The sentences and table rows of an answer's Markdown: where each starts, and the offset behind it and its
    markup, where its numbers go. Code and the head of a table are none.
    """
    found = []
    for block in blocks(content):
        if block.kind in (BlockKind.CODE, BlockKind.HEADER):
            continue
        plain = _Plain(block)
        spans = plain.sentences(language_of(locale))
        if block.kind is BlockKind.ROW and plain.text:
            spans = [(0, len(plain.text))]
        for start, end in spans:
            found.append((plain.origins[start], plain.behind(end, content)))
    return tuple(found)


def tells(text: str) -> bool:
    """True if a heading or name holds a figure, a flag or file, or a negation, which what is under it must bear
    out."""
    has_digit = any(map(str.isdigit, text))
    return has_digit or any(token.kind is not Kind.WORD for token in tokens(text))


class _Splitter:
    """Reads the blocks of an answer one by one."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.found: list[Claim] = []
        self.below: dict[int, list[int]] = {}
        """Position of a claim that depends on what is below it → the numbers there."""
        self.heading = self.lead = -1
        """Positions of those of them that the next block is below; -1 for none."""
        self.last: tuple[int, ...] = ()
        """Numbers of the last sentence of the block before."""

    def claims(self) -> tuple[Claim, ...]:
        """All claims, once every block is read."""
        for at, sids in self.below.items():
            self.found[at] = replace(self.found[at], sids=tuple(dict.fromkeys(sids)))
        return tuple(self.found)

    def read(self, block: Block, before: Block | None) -> None:
        """Add the claims of a block."""
        if block.kind is BlockKind.CODE:
            sids = self.last if before is not None and _leads(before, block) else ()
            if block.text.strip():
                self._add(Claim(block.text, sids, block.start, block.end))
            return
        plain = _Plain(block)
        if not plain.text:
            if plain.markers and self.found and before is not None:
                self._cite_last(plain.markers, before.kind is BlockKind.CODE)
            return
        if block.kind not in _LED:
            self.lead = -1
        if block.kind is BlockKind.HEADING:
            self.heading = -1
        if block.kind in (BlockKind.ROW, BlockKind.HEADER):
            if block.kind is BlockKind.ROW or plain.markers:
                self._add(plain.claim(0, len(plain.text), plain.markers))
        elif plain.markers or not _is_title(block, plain.text):
            self._read_prose(block, plain)
        elif tells(plain.text):
            self.heading = len(self.found)
            self.below[self.heading] = []
            self.found.append(plain.claim(0, len(plain.text), ()))

    def _add(self, claim: Claim) -> None:
        self.found.append(claim)
        self._cite_above(claim.sids)

    def _cite_above(self, sids: Sequence[int]) -> None:
        """Tell what depends on what is below it of numbers."""
        for at in (self.heading, self.lead):
            if at >= 0:
                self.below[at] += sids

    def _cite_last(self, markers: Sequence[_Marker], is_code: bool) -> None:
        """Give the last claim the numbers of a paragraph that holds nothing else; for code they are the only ones."""
        claim = self.found[-1]
        sids = [marker.sid for marker in markers]
        self._cite_above(sids)
        if not is_code:
            sids = [*claim.sids, *sids]
        self.found[-1] = replace(
            claim, sids=tuple(dict.fromkeys(sids)), end=markers[-1].end
        )

    def _read_prose(self, block: Block, plain: _Plain) -> None:
        """Add the claims of a paragraph, list item or heading."""
        spans = plain.sentences(self.language)
        shares = plain.inside(spans)
        if block.kind is BlockKind.ITEM and len(spans) > 1 and not any(shares[:-1]):
            spans, shares = [(spans[0][0], spans[-1][1])], shares[-1:]
        for (start, end), share in zip(spans, shares, strict=True):
            text = plain.text[start:end]
            self.last = tuple(dict.fromkeys(marker.sid for marker in share))
            if share:
                self._add(plain.claim(start, end, share))
            elif _states(text, is_name=plain.is_name(start, end)):
                if text.endswith(_COLON) and end == len(plain.text):
                    self.lead = len(self.found)
                    self.below[self.lead] = []
                self.found.append(plain.claim(start, end, ()))


def _states(text: str, *, is_name: bool) -> bool:
    """True if a sentence that cites nothing is a claim: no question, no label and no mere name, unless it `tells`."""
    if text.endswith(_QUESTION) or not any(map(str.isalnum, text)):
        return False
    is_label = text.endswith(_COLON) and len(text.split()) <= _WORDS_OF_LABEL
    return not (is_label or is_name) or tells(text)


def _leads(before: Block, code: Block) -> bool:
    """True if a block is prose that introduces the code behind it."""
    is_prose = before.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
    return is_prose and before.container == code.container


def _is_title(block: Block, text: str) -> bool:
    """True for a heading, and for a paragraph that is one in all but name: `**On Linux**`."""
    if block.kind is BlockKind.HEADING:
        return True
    is_bold = all(run.strong for run in block.runs if run.text.strip())
    is_short = len(text.split()) <= _WORDS_OF_TITLE
    return is_bold and is_short and not text.endswith(_TERMINATORS)


class _Marker(Struct, frozen=True):
    """A citation marker, and how much plain text is before it."""

    at: int
    sid: int
    end: int
    """Offset behind it in the content."""


class _Plain:
    """A block's text as a reader sees it, with its markers taken out."""

    def __init__(self, block: Block) -> None:
        self.text = ""
        self.masked = ""
        """The same characters with letters for code, in which no sentence ends."""
        self.origins: list[int] = []
        """Offset in the content of each character."""
        self.markers: list[_Marker] = []
        self.images: list[tuple[int, int]] = []
        """Ranges of what images are called."""
        self.stops: dict[int, int] = {}
        """How many characters there are at the end of each run → the offset behind it in the content."""
        is_behind_marker = False
        for run in block.runs:
            if run.kind is RunKind.MARKER:
                self.markers.append(_Marker(self._end(), run.number, run.end))
                is_behind_marker = True
                continue
            if is_behind_marker:
                self._join(run)
            self._put(run)
            is_behind_marker = False
        self._cut()

    def _end(self) -> int:
        """How many characters there are without white space at the end: a number belongs before the space."""
        return len(self.masked.rstrip())

    def _cut(self) -> None:
        end = self._end()
        self.text, self.masked = self.text[:end], self.masked[:end]
        del self.origins[end:]

    def _join(self, run: Run) -> None:
        """Prepare for a run that is right behind a marker."""
        first = run.text[:1]
        if first in _CLOSING:  # `a [^1].` is shown as `a.`
            self._cut()
        elif first.isalnum() and self.text.endswith(_TERMINATORS):
            # two sentences: `A is x.[^1]B is y.`
            self.text += " "
            self.masked += " "
            self.origins.append(run.start)

    def _put(self, run: Run) -> None:
        start = len(self.text)
        self.text += run.text
        self.origins += run.origins
        masked = run.text
        if run.kind is RunKind.CODE:
            masked = ("x" * len(run.text)).capitalize()  # code may begin a sentence
        self.masked += masked
        self.stops[len(self.text)] = run.end
        if run.kind is RunKind.IMAGE:
            self.images.append((start, len(self.text)))

    def claim(self, start: int, end: int, markers: Sequence[_Marker]) -> Claim:
        """The claim that is in a range of the text."""
        sids = tuple(dict.fromkeys(marker.sid for marker in markers))
        last = max([self.origins[end - 1] + 1, *(marker.end for marker in markers)])
        return Claim(collapse(self.text[start:end]), sids, self.origins[start], last)

    def behind(self, end: int, content: str) -> int:
        """The offset in the content behind so many characters and what closes them: emphasis, a quotation, a link."""
        at = self.stops.get(end, self.origins[end - 1] + 1)
        closing = _MARKUP_BEHIND.match(content, at)
        return closing.end() if closing else at

    def is_name(self, start: int, end: int) -> bool:
        """True if a range of the text is only what an image is called."""
        return any(first <= start and end <= last for first, last in self.images)

    def sentences(self, language: str) -> list[tuple[int, int]]:
        """Ranges of its sentences: none ends inside code."""
        spans = list(sentences(self.masked, language))
        if len(spans) > 1:
            (start, end), (_, behind) = spans[:2]
            if self.text[start:end].rstrip(".!").lower() in _REPLIES:
                # alone it states nothing
                spans[:2] = [(start, behind)]
        return spans

    def inside(self, spans: Sequence[tuple[int, int]]) -> list[list[_Marker]]:
        """The markers of each range. A marker belongs to the last range that starts before it, or to the first."""
        shares: list[list[_Marker]] = [[] for _ in spans]
        starts = [start for start, _ in spans]
        for marker in self.markers:
            shares[max(0, bisect_left(starts, marker.at) - 1)].append(marker)
        return shares
