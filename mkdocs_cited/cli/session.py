"""A review session: a person goes through everything that waits, a key each.

A decision is stored as it is made, so that a session may end at any moment and the next one goes on from there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from mkdocs_cited.base.text import Spans
from mkdocs_cited.cli.output import (
    asked,
    choice,
    difference,
    echo,
    emit_report,
    say,
)
from mkdocs_cited.cli.person import Person, answered, edit
from mkdocs_cited.cli.status import (
    Waiting,
    WaitingClaim,
    WaitingProposal,
    WaitingQuestion,
)
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.model.finding import IS, Detail
from mkdocs_cited.model.source import Passage
from mkdocs_cited.reporters.console import for_stream

_NUMBER = re.compile(r"\d{1,4}")
_WORD = re.compile(r"[^\W_](?:[\w.+/-]*\w)?")

MEANINGS = {
    "y": "confirm", "n": "reject", "e": "edit", "s": "skip", "a": "all of this answer", "q": "quit",
}  # fmt: skip
OF_CLAIMS = {"y": "confirm", "w": "confirm by other words"} | MEANINGS
DONE = {
    "y": "confirmed",
    "w": "confirmed",
    "a": "confirmed",
    "n": "rejected",
    "s": "skipped",
}
VERDICTS = {"confirmed": Verdict.SUPPORTED, "rejected": Verdict.UNSUPPORTED}


@dataclass
class Session:
    """A walk through what waits."""

    person: Person
    done: dict[str, str] = field(default_factory=dict)
    """Name of each item that was decided or skipped → how: it is not asked again in this session."""
    edited: int = 0
    """How often an editor was opened."""

    def walk(self, items: Sequence[Waiting]) -> bool:
        """Ask for each item, in order; true if what waits has to be found again, as files have changed; false if
        nothing is left or the person leaves."""
        # keys of the answers whose text has changed
        later = set()
        for number, item in enumerate(items, 1):
            if item.name in self.done or item.key in later:
                continue
            self._show(item, f"{number} of {len(items)} · {item.key}")
            if isinstance(item, WaitingQuestion):
                declaration = self.person.site.declaration(item.key)
                done = answered(self.person, declaration)
                if not done:
                    return False
                self.done[item.name] = done
                later.add(item.key)
                continue
            is_claim = isinstance(item, WaitingClaim)
            pressed = choice(OF_CLAIMS if is_claim else MEANINGS)
            echo(OF_CLAIMS[pressed])
            if pressed == "q":
                return False
            if self._decided(item, pressed, items[number:]):
                later.add(item.key)
        return bool(later)

    def _decided(
        self,
        item: WaitingProposal | WaitingClaim,
        pressed: str,
        rest: Sequence[Waiting],
    ) -> bool:
        """Do what a key means; true if what waits of the answer has to be found again, as its text has changed.

        Args:
            rest: what comes behind the item.
        """
        if pressed == "e":
            path = self.person.site.root / item.place.file
            before = path.read_bytes()
            edit(path)
            self.edited += path.read_bytes() != before
            return True
        done = DONE[pressed]
        if isinstance(item, WaitingClaim):
            quotes = self._picked(item) if pressed == "w" else ()
            self._decide_claim(item, done, quotes)
            if pressed == "a":
                self._confirm_others(item, rest)
            return False
        if done == "confirmed":
            self.person.accepts(item.key)
            done = "accepted"
        elif done == "rejected":
            self.person.site.store.reject(item.key)
        self.done[item.name] = done
        return done == "accepted"

    def _show(self, item: Waiting, at: str) -> None:
        echo()
        if isinstance(item, WaitingQuestion):
            say(f"{at} · a question")
            say(item.question)
        elif isinstance(item, WaitingProposal):
            proposal = item.proposal
            say(f"{at} · a proposal")
            say(proposal.question)
            echo(difference("accepted", "proposed", item.accepted, proposal.content))
            for citation in proposal.citations:
                say(f"[{citation.sid}] {citation.at}: {citation.quote}")
            if proposal.reason:
                say(f"waits because: {proposal.reason}")
        else:
            count = len(item.answer.claims)
            say(f"{at} · claim {item.detail.number} of {count}")
            say(item.answer.question)
            emit_report(for_stream(sys.stdout).claim(_seen(item)))
            claim = item.detail.claim
            words = [claim[start:end] for start, end in _unseen_words(item.detail)]
            # a reviewer's marks may be on others
            figures = [word for word in words if any(map(str.isdigit, word))]
            if figures:
                say(f"not in the passage, written like this: {', '.join(figures)}")

    def _picked(self, item: WaitingClaim) -> list[str]:
        """Let the person pick the sentences, rows and lines that prove a claim."""
        words = self.person.site.readonly_pipeline().cited_words(item.claim)
        for number, text in enumerate(words, 1):
            say(f"{number:4}  {text}")
        picked: list[str] = []
        while not picked:
            said = asked("which of them prove it (numbers, such as 2 or 1, 3)")
            numbers = set(map(int, _NUMBER.findall(said)))
            for number in sorted(numbers.intersection(range(1, len(words) + 1))):
                picked.append(words[number - 1])
        return picked

    def _decide_claim(
        self, item: WaitingClaim, done: str, quotes: Sequence[str]
    ) -> None:
        """Store what was decided, by which words, and say what it does not change."""
        if done in VERDICTS:
            why = ""
            if item.claim.objection and done == "confirmed":
                why = asked("why it is right all the same")
            self.person.says(item.answer, [item.claim], VERDICTS[done], why, quotes)
        if done == "rejected":
            said = "the build fails until the claim or its passages change"
            echo(f"  {said}: {item.place}")
        self.done[item.name] = done

    def _confirm_others(self, item: WaitingClaim, rest: Sequence[Waiting]) -> None:
        """Confirm the other claims of an answer, but those that were found wrong: its record is written once."""
        others = []
        for other in rest:
            if not isinstance(other, WaitingClaim) or other.key != item.key:
                continue
            if not other.claim.objection:
                others.append(other.claim)
                self.done[other.name] = "confirmed"
        if others:
            self.person.says(item.answer, others, Verdict.SUPPORTED)


def _seen(item: WaitingClaim) -> Detail:
    """A claim as a person sees it: with the words to look at, which are those that the reviewer named or else those
    that no passage has, and each passage under its headings, rows with their column headers."""
    detail = item.detail
    evidence = {each.passage.id: each for each in item.claim.evidence}
    related = []
    for side in detail.related:
        each = evidence.get(side.passage)
        if each and side.message != IS:
            text = _with_headers(each.passage) or side.text
            side = replace(side, message=each.heading, text=text)
        related.append(side)
    return replace(
        detail,
        marks=detail.marks or _unseen_words(detail),
        related=tuple(related),
    )


def _unseen_words(detail: Detail) -> Spans:
    """Where a claim has words that no passage has, as offsets."""
    said = " ".join(side.text for side in detail.related)
    known = set(_WORD.findall(said.casefold()))
    words = _WORD.finditer(detail.claim)
    return tuple(word.span() for word in words if word[0].casefold() not in known)


def _with_headers(passage: Passage) -> str:
    """A table's row, each cell after the header of its column; empty for other passages."""
    if len(passage.header) != len(passage.cells):
        return ""
    pairs = []
    for header, cell in zip(passage.header, passage.cells, strict=True):
        if cell:
            pairs.append(f"{header}: {cell}".removeprefix(": "))
    return " · ".join(pairs)
