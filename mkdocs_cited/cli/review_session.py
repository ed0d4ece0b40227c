"""A review session: a person goes through everything that waits, a key each.

A decision is stored as it is made, so that a session may end at any moment and the next one goes on from there.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.terminal import harmless_line
from mkdocs_cited.base.text import language_of
from mkdocs_cited.cli.output import asked, echo, key, prose_diff
from mkdocs_cited.cli.person import Person
from mkdocs_cited.cli.review_questions import Choice, ask
from mkdocs_cited.cli.status import (
    Waiting,
    WaitingClaim,
    WaitingProposal,
    WaitingQuestion,
)
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.answer import Change, Evidence, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Passage
from mkdocs_cited.records.store import Stored
from mkdocs_cited.reporters.console import Layout, Marks

if TYPE_CHECKING:
    from rich.console import Console


WIDEST = 120
"""Cells of a line."""
MOST = 6
"""Passages that are shown."""
_SHORT = 3
"""Letters of the words (`the`, `to`) that say little."""
_WORD = re.compile(r"[^\W_](?:[\w.+/-]*\w)?")

MEANINGS = {
    "y": "confirm", "n": "reject", "e": "edit", "s": "skip", "a": "all of this answer", "u": "undo", "q": "quit",
}  # fmt: skip
DONE = {"y": "confirmed", "a": "confirmed", "n": "rejected", "s": "skipped"}
VERDICTS = {"confirmed": Verdict.SUPPORTED, "rejected": Verdict.UNSUPPORTED}


@dataclass
class Session:
    """A walk through what waits."""

    person: Person
    console: Console
    done: dict[str, str] = field(default_factory=dict)
    """Name of each item that was decided or skipped → how: it is not asked again in this session."""
    edited: int = 0
    """How often an editor was opened."""

    def walk(self, items: Sequence[Waiting]) -> bool:
        """Ask for each item, in order, until the person leaves; whether what waits has to be found again, as files have
        changed."""
        store, rest, changed = self.person.site.store, list(items), False
        # What was so before each key: the answer's files, what was left to ask, and what was done.
        steps: list[tuple[Stored, list[Waiting], dict[str, str]]] = []
        while rest:
            item, *after = rest
            self._show(item, f"{len(items) - len(after)} of {len(items)} · {item.key}")
            if isinstance(item, WaitingQuestion):
                if not self._answer(item):
                    return False
                changed, rest = True, after
                continue
            choice = self._choice(may_undo=bool(steps))
            if choice == "q":
                return False
            if choice == "u":
                files, rest, self.done = steps.pop()
                store.put_back(files)
                continue
            before = store.stored(item.key), rest, dict(self.done)
            # what an editor does is the editor's to undo
            steps = [*steps, before] if choice != "e" else []
            proposed = isinstance(item, WaitingProposal)
            others = []
            for other in after:
                if (
                    isinstance(other, WaitingClaim)
                    and other.key == item.key
                    and not other.claim.wrong
                ):
                    others.append(other)
            self._do(item, choice)
            if choice == "a" and not proposed:
                for each in others:
                    self._do(each, choice)
            if choice == "e" or (proposed and choice in "ya"):
                changed = True  # the claims of the accepted text are found again
                after = [other for other in after if other.key != item.key]
            rest = [other for other in after if other.name not in self.done]
        return changed

    def _show(self, item: Waiting, at: str) -> None:
        if isinstance(item, WaitingQuestion):
            self._title(f"{at} · a question", item.answer.question)
            return
        if isinstance(item, WaitingProposal):
            self._title(f"{at} · a proposal", item.proposal.question)
            echo(prose_diff(item.accepted, item.proposal.content))
            for citation in item.proposal.citations:
                echo(harmless_line(f"[{citation.sid}] {citation.at}: {citation.quote}"))
            if item.proposal.reason:
                echo(harmless_line(f"waits because: {item.proposal.reason}"))
            return
        self._title(
            f"{at} · claim {item.detail.number} of {len(item.answer.claims)}",
            item.answer.question,
        )
        for line in claim_lines(item, self.console, self.person.site.url):
            self.console.file.write(f"{line}\n")  # harmless, and coloured

    def _answer(self, item: WaitingQuestion) -> bool:
        """Let the person answer a question; whether they go on."""
        declaration = next(
            each for each in self.person.site.declarations if each.key == item.key
        )
        choice = ask(self.person, declaration, self.console, self._layout())
        if not choice.done:
            return False
        self.done[item.name] = choice.done
        if choice.done == "rejected":
            self.person.denies(declaration)
        elif choice.passages:
            self._take(declaration, choice)
        return True

    def _take(self, declaration: Declaration, choice: Choice) -> None:
        self.person.takes(declaration, choice.passages, queries=choice.queries)
        if choice.done == "edited":
            store = self.person.site.store
            edit(store.root / store.path(declaration.key))
            self.edited += 1

    def _layout(self) -> Layout:
        console = self.console
        return Layout(
            width=min(console.width, WIDEST),
            color=console.is_terminal and not console.no_color,
        )

    def _title(self, title: str, question: str) -> None:
        echo()
        if self.console.is_terminal:
            self.console.rule(harmless_line(title).replace("[", "\\["), align="left")
        else:
            echo(harmless_line(title))
        echo(harmless_line(question))

    def _choice(self, *, may_undo: bool) -> str:
        """The letter of what is to be done; `q` when nobody presses a key any more."""
        while True:
            pressed = key(MEANINGS) or "q"
            if pressed in MEANINGS and (pressed != "u" or may_undo):
                echo(MEANINGS[pressed])
                return pressed
            echo(
                "nothing to undo" if pressed == "u" else "that key has no meaning here"
            )

    def _do(self, item: WaitingClaim | WaitingProposal, choice: str) -> None:
        """Store what was decided, and say what it does not change."""
        person = self.person
        if choice == "e":
            edit(
                person.site.root
                / (
                    item.detail.place
                    if isinstance(item, WaitingClaim)
                    else item.proposal.place
                ).file
            )
            self.edited += 1
            return
        done = DONE[choice]
        if isinstance(item, WaitingProposal):
            if done == "confirmed":
                person.accepts(item.key)
                done = "accepted"
            elif done == "rejected":
                person.site.store.reject(item.key)
        elif done in VERDICTS:
            why = ""
            if item.claim.wrong and done == "confirmed":
                why = asked("why it is right all the same")
            person.says(item.answer, [item.claim], VERDICTS[done], why)
            if done == "rejected":
                echo(
                    f"  the build fails until the claim or its passages change: {item.detail.place}"
                )
        self.done[item.name] = done


def edit(path: Path) -> None:
    """Open a file in the person's editor (`$VISUAL`, `$EDITOR`), and wait. (That of click before 8.2 uses a shell.)

    Raises:
        UsageError: the editor cannot be run.
    """
    editor = (
        os.environ.get("VISUAL")
        or os.environ.get("EDITOR")
        or ("notepad" if os.name == "nt" else "vi")
    )
    command = [*shlex.split(editor, posix=os.name != "nt"), str(path)]
    try:
        subprocess.run(command, check=False)  # noqa: S603 -- no shell
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the editor `{editor}` cannot be run", tip="set `EDITOR` to a command"
        ) from error


def _words(texts: Iterable[str]) -> set[str]:
    return {match[0].casefold() for text in texts for match in _WORD.finditer(text)}


def _said(claim: str, evidence: Evidence) -> int:
    """How much of a claim a passage has: its figures and names before its words."""
    passage = evidence.passage
    locale = language_of(passage.page.locale)
    words = set()
    for word in stems(claim, locale):
        if len(word) >= _SHORT or any(map(str.isdigit, word)):
            words.add(word)
    names = {word for word in _words([claim]) if not word.isalpha()}
    return len(words.intersection(stems(passage.text, locale))) + 2 * len(
        names & _words([passage.text])
    )


def _marks(item: WaitingClaim) -> Marks:
    """The words of the claim to look at: those the reviewer named, else those that no passage has."""
    known = _words(each.passage.text for each in item.claim.evidence)
    words = _WORD.finditer(item.detail.claim)
    return item.detail.marks or tuple(
        word.span() for word in words if word[0].casefold() not in known
    )


def _text(passage: Passage) -> str:
    """What a passage says; of a table's row, each cell after its head."""
    if not passage.cells or len(passage.header) != len(passage.cells):
        return passage.text
    pairs = zip(passage.header, passage.cells, strict=True)
    return " · ".join(": ".join(filter(None, pair)) for pair in pairs if pair[1])


def change_lines(change: Change, layout: Layout) -> Iterator[str]:
    """What the words were that a decision depends on, and what they are."""
    was, now = change.was.text, change.now
    if was == now:
        was, now = (
            f"under “{change.was.under}”: {was}",
            f"under “{change.under}”: {now}",
        )
    yield from layout.block("was      ", was, indent=0)
    yield from layout.block("is       ", now or "gone", indent=0, style="bold")


def claim_lines(item: WaitingClaim, console: Console, site_url: str) -> Iterator[str]:
    """A claim with its passages, the words that differ, the reviewer's hint, and the places of all of it: those
    passages first that are new since a person decided, then those that say most of the claim."""
    layout = Layout(
        width=min(console.width, WIDEST),
        color=console.is_terminal and not console.no_color,
    )
    yield from layout.block(
        "claim    ", item.detail.claim, indent=0, style="bold", marks=_marks(item)
    )
    yield from layout.block("", str(item.detail.place), indent=9, style="dim")
    if item.claim.change:
        yield from change_lines(item.claim.change, layout)
    places = {related.passage: related.place for related in item.detail.related}
    ranked = sorted(
        item.claim.evidence, key=lambda each: -_said(item.detail.claim, each)
    )
    for evidence in ranked[:MOST]:
        passage = evidence.passage
        place = str(places.get(passage.id) or passage.page.file or passage.page.src)
        url = ""
        if site_url:
            url = urljoin(site_url, passage.url)
        yield from layout.block("passage  ", _text(passage), indent=0)
        yield from layout.block(
            "",
            " · ".join(filter(None, (evidence.heading, place, url))),
            indent=9,
            style="dim",
        )
    more = len(item.claim.evidence) - MOST
    if more > 0:
        yield f"         and {more} more of what it cites"
    if item.detail.hint:
        yield from layout.block("hint     ", item.detail.hint, indent=0)
