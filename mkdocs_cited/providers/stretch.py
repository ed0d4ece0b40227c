"""The stretch of a section that answers a question, in the section's own order. How it becomes Markdown is `verbatim`.

A stretch grows from one passage: the sentences that hold a thought, a lead-in with its list or code, the rows that
matter. It is cut by leaving out whole blocks at its end, or whole sentences of a long paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeGuard

from msgspec import Struct

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Length
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.providers.part import Part
from mkdocs_cited.providers.standing import opens_midway
from mkdocs_cited.providers.tidying import leans, tidied, trimmed
from mkdocs_cited.search.evidence import IDENTIFIER, Asked, fits, is_task, said_by, terms_of, worth_of
from mkdocs_cited.search.forms import Form

MOST_ROWS = 3
MOST_TITLE = 8
"""Words of a heading that may stand over a code block that nothing leads into."""
_LEAD_IN = (":", "：")
_LISTS = (PassageKind.ITEM, PassageKind.STEP)
_SHOWING = (PassageKind.STEP, PassageKind.CODE)
"""What shows how something is done."""
_ALONE = (PassageKind.PARAGRAPH, PassageKind.CODE)
"""What stands in a box, not in a list or table."""
_LIMITS_IT = re.compile(
    r"(?:however|but|otherwise|where ?as|jedoch|allerdings|sonst|cependant|sin embargo)\b", re.IGNORECASE
)
"""How a paragraph starts without which the one before it would say too much."""
_NAMES = (Form.WHICH, Form.HOW, Form.AMOUNT, Form.OTHER)
"""What is asked where the name in a heading may be the answer, or a part of it."""
_SHOWN = (Form.HOW, Form.WHICH, Form.AMOUNT, Form.ERROR)
"""What is asked where an example helps."""


class Limits(Struct, frozen=True):
    """How long a stretch may be, in words."""

    prose: int
    """Of prose: what is less may grow to it."""
    most: int
    """With a list, table or code."""


LIMITS = {Length.SHORT: Limits(40, 60), Length.NORMAL: Limits(80, 110), Length.FULL: Limits(150, 300)}


def stretch(asked: Asked, passages: Sequence[Passage], anchor: Passage, limits: Limits) -> tuple[Part, ...]:
    """The parts that answer, around the anchor, one of the section's passages."""
    return tidied(_Stretch(asked, passages, limits).around(anchor))


class _Stretch:
    """One section under one question."""

    def __init__(self, asked: Asked, passages: Sequence[Passage], limits: Limits) -> None:
        self.asked = asked
        self.limits = limits
        self.units: list[list[Passage]] = []
        """Its passages, those of one list or table together."""
        for passage in passages:
            last = self.units[-1] if self.units else None
            if last and passage.block and last[-1].block == passage.block and last[0].kind not in _ALONE:
                last.append(passage)
            else:
                self.units.append([passage])

    def around(self, anchor: Passage) -> tuple[Part, ...]:
        at = next(number for number, unit in enumerate(self.units) if any(item.id == anchor.id for item in unit))
        anchor = next(item for item in self.units[at] if item.id == anchor.id)
        if self.asked.form is Form.ERROR and (behind := self._remedy(at, anchor)) is not None:
            message = Part((_whole(anchor),))
            room = self.limits.most // 2
            return (*((message,) if _words(anchor) <= room else ()), *self._around(*behind))
        parts = _titled(self._entire(anchor) or self._around(at, anchor))
        if not parts[0].title and (title := self._name(anchor, parts)):
            parts = (replace(parts[0], title=title), *parts[1:])
        return parts

    def _entire(self, anchor: Passage) -> tuple[Part, ...]:
        """The whole section, where it is short, names the very task that is asked about, and shows it in code: steps
        are whole by themselves."""
        kinds = {unit[0].kind for unit in self.units}
        size = sum(sum(map(_words, unit)) for unit in self.units)
        shown = PassageKind.CODE in kinds and PassageKind.STEP not in kinds
        if not shown or size > self.limits.most or not is_task(self.asked, anchor.section):
            return ()
        first = Part(
            tuple(map(_whole, self.units[0])), _title(anchor) if self.units[0][0].kind is PassageKind.CODE else ""
        )
        return (first, *(Part(tuple(map(_whole, unit))) for unit in self.units[1:]))

    def _around(self, at: int, anchor: Passage) -> tuple[Part, ...]:
        unit = self.units[at]
        if anchor.kind is PassageKind.ROW:
            return (self._rows(unit, anchor),)
        if unit[0].kind in _LISTS:
            lead = self._lead(at)
            return (*lead, self._list(unit, anchor, self.limits.most - _size(lead)))
        if anchor.kind is PassageKind.CODE:
            lead = self._lead(at)
            return (*lead, Part((_whole(anchor),), "" if lead else _title(anchor)))
        return self._prose(at, anchor)

    def _remedy(self, at: int, anchor: Passage) -> tuple[int, Passage] | None:
        """What explains a message stands behind it: prose that gives a reason or a remedy, else the first there is.
        None where the anchor itself does."""
        if fits(self.asked, anchor) > 0:
            return None
        behind = [
            (number, passage)
            for number, unit in enumerate(self.units[at + 1 :], at + 1)
            for passage in unit
            if passage.kind is not PassageKind.CODE
        ]
        telling = [found for found in behind if fits(self.asked, found[1]) > 0]
        return next(iter(telling or behind), None)

    def _name(self, anchor: Passage, parts: Sequence[Part]) -> str:
        """The heading, where it names an endpoint, option or command that the stretch does not, and a name may be
        asked for."""
        title = anchor.section.title
        found = IDENTIFIER.search(title) if self.asked.form in _NAMES else None
        told = found is None or any(found[0] in quote.text for part in parts for quote in part.quotes)
        return "" if told else _title(anchor)

    def _lead(self, at: int) -> tuple[Part, ...]:
        """The paragraph before a list or code block; of a long one the last sentence."""
        before = self.units[at - 1][-1] if at else None
        if before is None or before.kind is not PassageKind.PARAGRAPH:
            return ()
        last = max(len(before.sentences) - 1, 0)
        return (Part((Quote(before, 0 if _words(before) <= self.limits.prose // 2 else last, last),)),)

    def _rows(self, unit: Sequence[Passage], anchor: Passage) -> Part:
        """The rows that speak of the question as much as the anchor, or nearly so; a short table whole when all do."""
        worth = {row.id: said_by(self.asked, row) + fits(self.asked, row) for row in unit}
        near = [row for row in unit if row is not anchor and worth[row.id] >= 0.9 * worth[anchor.id]]
        if len(near) + 1 > MOST_ROWS and (len(near) + 1 < len(unit) or sum(map(_words, unit)) > self.limits.most):
            near = sorted(near, key=lambda row: -worth[row.id])[: MOST_ROWS - 1]
        return Part(tuple(_whole(row) for row in unit if row is anchor or row in near))

    def _list(self, unit: Sequence[Passage], anchor: Passage, room: int) -> Part:
        """The whole list where it fits, steps in twice the room; else what of it fits from the anchor on."""
        steps = unit[0].kind is PassageKind.STEP
        room *= 2 if steps else 1
        if sum(map(_words, unit)) > room:
            start = next(number for number, item in enumerate(unit) if item is anchor)
            while start and unit[start].kind not in _LISTS:
                start -= 1
            if unit[start].kind is PassageKind.STEP and self.asked.form is Form.HOW:
                start = next(number for number, item in enumerate(unit) if item.kind is PassageKind.STEP)
            unit = unit[start:]
        taken: list[Passage] = []
        for item in unit:
            if taken and sum(map(_words, taken)) + _words(item) > room:
                break
            taken.append(item)
        return Part(tuple(map(_whole, taken)), cut=steps and len(taken) < len(unit))

    def _prose(self, at: int, anchor: Passage) -> tuple[Part, ...]:
        """A paragraph, with what it announces or what shows it, and its neighbours while there is room."""
        parts = [Part((self._sentences(anchor),))]
        behind = at
        if anchor is self.units[at][-1] and parts[0].quotes[-1].last == max(len(anchor.sentences) - 1, 0):
            announced = self._announced(at, anchor, self.limits.most - _size(parts))
            parts += announced
            behind += bool(announced)
        elif parts[0].quotes[0].text != anchor.text:
            behind = len(self.units)  # it was cut: what comes behind would not follow on it
        parts = parts if len(parts) > 1 else _closed(parts)
        grown = self._grown(parts, at, behind)
        return tuple(grown + self._done(grown, anchor))

    def _done(self, parts: Sequence[Part], anchor: Passage) -> list[Part]:
        """Where prose alone would say how to do something: the first steps or code behind it in its section, with
        what leads in, as far as they fit whole."""
        if self.asked.form is not Form.HOW or any(part.kind in _SHOWING for part in parts):
            return []
        told = {quote.passage.id for part in parts for quote in part.quotes}
        for at, unit in enumerate(self.units):
            if unit[0].position > anchor.position and unit[0].kind in _SHOWING and unit[0].id not in told:
                lead = [part for part in self._lead(at) if part.quotes[0].passage.id not in told]
                fits_in = _size(parts) + _size(lead) + sum(map(_words, unit)) <= self.limits.most
                return [*lead, Part(tuple(map(_whole, unit)))] if fits_in else []
        return []

    def _announced(self, at: int, anchor: Passage, room: int) -> list[Part]:
        """The list or code behind a paragraph that ends in a colon; code also where an example helps."""
        after = self.units[at + 1] if at + 1 < len(self.units) else None
        if after is None:
            return []
        opens = anchor.text.rstrip().endswith(_LEAD_IN)
        if after[0].kind is PassageKind.CODE:
            wanted = opens or self.asked.form in _SHOWN
            return [Part((_whole(after[0]),))] if wanted and _words(after[0]) <= room else []
        if not opens or not after[0].block:
            return []
        if after[0].kind is PassageKind.ROW:
            best = max(after, key=lambda row: (said_by(self.asked, row), -row.position))
            return [self._rows(after, best)]
        return [self._list(after, after[0], room)]

    def _grown(self, parts: list[Part], at: int, behind: int) -> list[Part]:
        """With the paragraphs next to it, those behind first, as long as they fit whole."""
        core = parts[0]

        def goes(more: Passage | None) -> TypeGuard[Passage]:
            return more is not None and _size(parts) + _words(more) <= self.limits.prose

        while goes(more := self._neighbour(behind + 1)):
            parts, behind = [*parts, Part((trimmed(self.asked, more),))], behind + 1
        while goes(more := self._neighbour(at - 1, leant_on=leans(parts[0].quotes[0].text))):
            parts, at = [Part((_whole(more),)), *parts], at - 1
        while parts[0] is not core and opens_midway(parts):
            parts = parts[1:]
        return parts

    def _neighbour(self, at: int, *, leant_on: bool = False) -> Passage | None:
        """The unit there, if it is a paragraph that stands by itself and speaks of what is asked, that limits what
        stands before it, or that what stands behind it leans on."""
        unit = self.units[at] if 0 <= at < len(self.units) else ()
        if len(unit) != 1 or unit[0].kind is not PassageKind.PARAGRAPH or unit[0].text.rstrip().endswith(_LEAD_IN):
            return None
        wanted = leant_on or _LIMITS_IT.match(unit[0].text) or self._bears(unit[0].text)
        return unit[0] if wanted else None

    def _sentences(self, passage: Passage) -> Quote:
        """A paragraph whole, or the run of its sentences that says most of what is asked within the limit."""
        texts = passage.sentence_texts()
        if len(texts) < 2:
            return _whole(passage)
        if _words(passage) <= self.limits.prose:
            # What is compared is told apart by sentences that name neither, too.
            return _whole(passage) if self.asked.sides else trimmed(self.asked, passage)
        sizes = [text.count(" ") + 1 for text in texts]
        best, held = (0, 0), -1.0
        for first in range(len(texts)):
            last = first
            while last + 1 < len(texts) and sum(sizes[first : last + 2]) <= self.limits.prose:
                last += 1
            terms = terms_of(" ".join(texts[first : last + 1]), self.asked.language)
            worth = sum(worth_of(word, terms) for word in self.asked.words)
            if worth > held + 1e-9:
                best, held = (first, last), worth
        return Quote(passage, *best)

    def _bears(self, text: str) -> bool:
        """Whether a text speaks of anything that is asked."""
        terms = terms_of(text, self.asked.language)
        return any(worth_of(word, terms) for word in self.asked.words)


def _closed(parts: list[Part]) -> list[Part]:
    """Prose that announces what does not follow loses the sentence that does so, if another is left."""
    quote = parts[0].quotes[0]
    if quote.text.rstrip().endswith(_LEAD_IN) and quote.last > quote.first:
        return [Part((Quote(quote.passage, quote.first, quote.last - 1),))]
    return parts


def _titled(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """With the title of an admonition over the first part of it: what stands in a box holds for what its title says."""
    before = ""
    out = []
    for part in parts:
        passage = part.quotes[0].passage
        title = "" if passage.kind is PassageKind.CODE or passage.title == before else _label(passage.title, passage)
        out.append(replace(part, title=part.title or title))
        before = passage.title if passage.kind is not PassageKind.CODE else before
    return tuple(out)


def _title(passage: Passage) -> str:
    """The heading over a code block, where it is short and states nothing."""
    return _label(passage.section.title, passage)


def _label(title: str, passage: Passage) -> str:
    """A title, where it is short and states nothing: it stands in the answer without a number."""
    short = 0 < len(title.split()) <= MOST_TITLE and title[-1:] not in ".!?…"
    return title if short and not states(title, passage.page.locale) else ""


def _whole(passage: Passage) -> Quote:
    return Quote(passage, 0, max(len(passage.sentences) - 1, 0))


def _words(passage: Passage) -> int:
    return len(passage.text.split())


def _size(parts: Sequence[Part]) -> int:
    return sum(len(quote.text.split()) for part in parts for quote in part.quotes)
