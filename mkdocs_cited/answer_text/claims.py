"""An answer is split into claims, each with the numbers that it cites. Whether a claim holds is not asked here.

- A claim is a sentence, a list item, a table row, a code block, or a clause where one sentence makes two statements
  each with its own citation. Its numbers may be before or behind the full stop.
- **Numbers cover the sentence that they are in, and no more**: at the end of a paragraph they cover its last
  sentence only. A list item is one claim, unless numbers are inside it too.
- A code block takes the numbers of a paragraph behind it that holds nothing else (`[^2]`), otherwise those of the
  last sentence of the paragraph right before it (`Install it with pip:[^2]`).
- Questions, labels, lead-ins, headings and a table's head state nothing, and are claims only when they cite. A heading
  that holds a figure, a flag or file, or a negation is one, too: it depends on what is cited below it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from mkdocs_cited.answer_text.connectives import connective, states
from mkdocs_cited.answer_text.markdown import Block, BlockKind, Run, RunKind, blocks
from mkdocs_cited.base.text import language_of
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.language.tokens import negates, states_value
from mkdocs_cited.model.answer import Claim

_CLOSING = frozenset(".,;:!?…)]}»”’。，、；：！？）」』】؟،؛")
_TERMINATORS = frozenset(".!?…")
_COMMAS = ",;–— "
_REPLIES = ("yes", "no", "ja", "nein")
_JOINT = re.compile(
    r"\s*(?:(?P<strong>[;–—])|,)?\s*"
    r"(?:(?P<word>and|but|while|whereas|or|so|yet|und|aber|während|doch|oder|et|mais|tandis que|ou|y|pero|"
    r"mientras que)\s)?\s*",
    re.IGNORECASE,
)


def split(content: str, locale: str = "en") -> tuple[Claim, ...]:
    """The claims of an answer's Markdown in order, with offsets into it; ranges do not overlap. Never raises.

    Args:
        content: the Markdown, with its markers.
        locale: language of the answer.
    """
    found: list[Claim] = []
    headings: list[int] = []
    parts = blocks(content)
    for number, block in enumerate(parts):
        after = parts[number + 1] if number + 1 < len(parts) else None
        if block.kind is BlockKind.CODE:
            if block.code.strip():
                found.append(
                    _code(block, parts[number - 1] if number else None, locale)
                )
            continue
        plain = _Plain(block)
        if not plain.text:
            if plain.markers and found:
                found[-1] = _cited_behind(
                    found[-1], plain.markers, parts[number - 1].kind is BlockKind.CODE
                )
        elif block.kind in (BlockKind.ROW, BlockKind.HEADER):
            if block.kind is BlockKind.ROW or plain.markers:
                found.append(plain.claim(0, len(plain.text), plain.markers))
        else:
            if (
                block.kind is BlockKind.HEADING
                and not plain.markers
                and tells(plain.text)
            ):
                headings.append(len(found))
                found.append(plain.claim(0, len(plain.text), ()))
            found += _prose(block, plain, locale, leads_code=_leads(block, after))
    for at, end in pairwise((*headings, len(found))):
        below = (sid for claim in found[at + 1 : end] for sid in claim.sids)
        found[at] = replace(found[at], sids=tuple(dict.fromkeys(below)))
    return tuple(found)


def tells(text: str) -> bool:
    """True if a heading or name holds a figure, a flag or file, or a negation, which what is under it must bear
    out."""
    return any(map(str.isdigit, text)) or states_value(text) or negates(text)


class _Marker(Struct, frozen=True):
    """A citation marker, and how much plain text is before it."""

    at: int
    sid: int
    start: int
    end: int


class _Plain:
    """A block's text as a reader sees it, white space collapsed, with its markers taken out."""

    def __init__(self, block: Block) -> None:
        self.chars: list[str] = []
        self.origins: list[int] = []
        """Offset in the content of each character."""
        self.markers: list[_Marker] = []
        self.behind_marker = False
        ranges: dict[RunKind, list[tuple[int, int]]] = {
            RunKind.CODE: [],
            RunKind.IMAGE: [],
        }
        for run in block.runs:
            start = len(self.chars)
            if run.kind is RunKind.MARKER:
                at = start
                if self.chars and self.chars[-1] == " ":
                    at -= 1  # a number belongs before the space
                self.markers.append(_Marker(at, run.number, run.start, run.end))
                self.behind_marker = True
                continue
            self._put(run)
            if run.kind in ranges:
                ranges[run.kind].append((start, len(self.chars)))
        self.text = "".join(self.chars).rstrip(" ")
        self.code = self._within(ranges[RunKind.CODE])
        """Ranges of inline code."""
        self.images = self._within(ranges[RunKind.IMAGE])
        """Ranges of what images are called."""

    def _within(self, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return ranges without what is behind the end of the text."""
        length = len(self.text)
        return [
            (start, min(end, length))
            for start, end in ranges
            if start < min(end, length)
        ]

    def _put(self, run: Run) -> None:
        for char, origin in zip(run.text, run.origins, strict=True):
            last = " "
            if self.chars:
                last = self.chars[-1]
            if char.isspace():
                if last != " ":
                    self._append(" ", origin)
                self.behind_marker = False
                continue
            if self.behind_marker and last == " " and self.chars and char in _CLOSING:
                self.chars.pop()  # `a [^1].` is shown as `a.`
                self.origins.pop()
            elif self.behind_marker and last in _TERMINATORS and char.isalnum():
                self._append(" ", origin)  # `A is x.[^1]B is y.` are two sentences
            self._append(char, origin)
            self.behind_marker = False

    def _append(self, char: str, origin: int) -> None:
        self.chars.append(char)
        self.origins.append(origin)

    def claim(self, start: int, end: int, markers: Sequence[_Marker]) -> Claim:
        """The claim that is in a range of the text."""
        sids = tuple(dict.fromkeys(marker.sid for marker in markers))
        last = max([self.origins[end - 1] + 1, *(marker.end for marker in markers)])
        return Claim(self.text[start:end], sids, self.origins[start], last)

    def sentences(self, locale: str) -> tuple[tuple[int, int], ...]:
        """Ranges of its sentences: none ends inside code, and one ends where a number follows a full stop."""
        masked = list(self.text)
        for start, end in self.code:
            masked[start:end] = "X" + "x" * (end - start - 1)
        spans: list[tuple[int, int]] = []
        stops = list(self._stops())
        for start, end in sentences("".join(masked), language_of(locale)):
            for stop in stops[bisect_right(stops, start) : bisect_left(stops, end)]:
                if stop > start:  # two numbers may name the same one
                    spans.append((start, stop))
                    start = stop + 1
            spans.append((start, end))
        return tuple(spans)

    def _stops(self) -> Iterator[int]:
        """Offsets of the spaces behind a full stop that has a number right before or behind it."""
        for marker in self.markers:
            stop = marker.at
            while stop < len(self.text) and self.text[stop] in _CLOSING:
                stop += 1
            ends = self.text[max(stop - 1, 0) : stop] in _TERMINATORS
            if (
                ends
                and self.text[stop : stop + 1] == " "
                and not self.text[stop + 1 : stop + 2].islower()
            ):
                yield stop

    def inside(self, spans: Sequence[tuple[int, int]]) -> list[list[_Marker]]:
        """The markers of each range. A marker belongs to the last range that starts before it, or to the first."""
        shares: list[list[_Marker]] = [[] for _ in spans]
        if not spans:
            return shares
        number = 0
        for marker in self.markers:
            while number + 1 < len(spans) and spans[number + 1][0] < marker.at:
                number += 1
            shares[number].append(marker)
        return shares


def _prose(
    block: Block, plain: _Plain, locale: str, *, leads_code: bool
) -> Iterator[Claim]:
    """The claims of a paragraph, list item or heading."""
    if not plain.markers and (
        block.kind is BlockKind.HEADING or _is_title(block, plain, locale)
    ):
        return
    spans = _with_answer(plain.sentences(locale), plain)
    shares = plain.inside(spans)
    if block.kind is BlockKind.ITEM and len(spans) > 1 and not any(shares[:-1]):
        spans, shares = ((spans[0][0], spans[-1][1]),), shares[-1:]
    for (start, end), share in zip(spans, shares, strict=True):
        text = plain.text[start:end]
        if not share and _is_name(plain, start, end, locale):
            continue
        if connective(text, locale) and (
            not share or (leads_code and end == len(plain.text))
        ):
            continue  # it states nothing; its numbers, if any, are those of the code behind it
        for clause, markers in _clauses(plain, (start, end), share, locale):
            yield plain.claim(*clause, markers)


def _with_answer(
    spans: tuple[tuple[int, int], ...], plain: _Plain
) -> tuple[tuple[int, int], ...]:
    """The sentences, with a `Yes.` or `No.` that opens them as a part of the one behind it: alone it states nothing."""
    if (
        len(spans) < 2
        or plain.text[slice(*spans[0])].rstrip(".!").lower() not in _REPLIES
    ):
        return spans
    return (spans[0][0], spans[1][1]), *spans[2:]


def _is_title(block: Block, plain: _Plain, locale: str) -> bool:
    """True if a paragraph is a heading in all but name: `**On Linux**`, but not `**The limit is 5**`."""
    shown = []
    for run in block.runs:
        if run.text.strip():
            shown.append(run)
    bold = all(run.strong for run in shown) and plain.text[-1:] not in _TERMINATORS
    return bold and len(plain.text.split()) <= 10 and not states(plain.text, locale)


def _is_name(plain: _Plain, start: int, end: int, locale: str) -> bool:
    """True if a sentence is only what an image is called: `Settings page`, but not `The limit is 5`, `Limit: 5`."""
    if not any(first <= start and end <= last for first, last in plain.images):
        return False
    text = plain.text[start:end]
    return not states(text, locale) and not tells(text)


def _clauses(
    plain: _Plain, span: tuple[int, int], markers: list[_Marker], locale: str
) -> Iterator[tuple[tuple[int, int], list[_Marker]]]:
    """Cut a sentence behind numbers in its midst, where what is on both sides can stand on its own."""
    start, end = span
    groups = [
        list(group) for _, group in groupby(markers, key=lambda marker: marker.at)
    ]
    taken: list[_Marker] = []
    for number, group in enumerate(groups):
        taken += group
        at = group[0].at
        if number + 1 == len(groups) or at <= start:
            continue
        stop = len(plain.text[:at].rstrip(_COMMAS))
        joint = _JOINT.match(plain.text, stop, end)
        if not joint or joint.end() <= at or not (joint["strong"] or joint["word"]):
            continue
        left, right = (
            plain.text[start:stop],
            plain.text[joint.end() : groups[number + 1][0].at],
        )
        if states(right, locale) and states(left, locale):
            yield (start, stop), taken
            start, taken = joint.end(), []
    yield (start, end), taken


def _leads(before: Block, after: Block | None) -> bool:
    """True if one block is prose and the next one is code that it introduces."""
    return (
        after is not None
        and before.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
        and after.kind is BlockKind.CODE
        and before.container == after.container
    )


def _code(block: Block, before: Block | None, locale: str) -> Claim:
    sids: tuple[int, ...] = ()
    if before is not None and _leads(before, block):
        plain = _Plain(before)
        shares = plain.inside(plain.sentences(locale))
        sids = tuple(
            dict.fromkeys(marker.sid for share in shares[-1:] for marker in share)
        )
    return Claim(block.code, sids, block.start, block.end)


def _cited_behind(claim: Claim, markers: list[_Marker], code: bool) -> Claim:
    """A claim with the numbers of a paragraph behind it that holds nothing else; for code they are the only ones."""
    sids = [marker.sid for marker in markers]
    if not code:
        sids = [*claim.sids, *sids]
    return replace(claim, sids=tuple(dict.fromkeys(sids)), end=markers[-1].end)
