"""One sitting: a person goes through everything that waits, a key each. What is shown of a claim stands in `beside`.

A decision is stored as it is made, so that a sitting may end at any moment and the next one goes on from there.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.terminal import shown, shown_line
from mkdocs_cited.cli.beside import show
from mkdocs_cited.cli.keys import Keys
from mkdocs_cited.cli.output import prose_diff
from mkdocs_cited.cli.waiting import Person, Waiting, WaitingClaim, WaitingProposal
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.model.finding import Place
from mkdocs_cited.records.store import Kept

MEANINGS = {
    "y": "confirm", "n": "reject", "e": "edit", "s": "skip", "a": "all of this answer", "u": "undo", "q": "quit",
}  # fmt: skip
_LINE_FIRST = frozenset({"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne"})
"""Editors that take the line as `+12` before the file."""


class End(Enum):
    """How a walk ended."""

    QUIT = "quit"
    """The person left, or there is nobody who could press a key."""
    DONE = "done"
    EDITED = "edited"
    """Files changed: what waits has to be found anew."""


class Step(Struct, frozen=True, dict=True):
    """What stood before a key was pressed."""

    files: Kept
    rest: tuple[Waiting, ...]
    tally: Counter[str]
    seen: frozenset[str]


@dataclass
class Sitting:
    """A walk through what waits."""

    person: Person
    console: Console
    keys: Keys
    tally: Counter[str] = field(default_factory=Counter)
    """What was done, and how often."""
    seen: set[str] = field(default_factory=set)
    """Names of the items that were decided or skipped: they are not asked again in this sitting."""

    def walk(self, items: Sequence[Waiting]) -> End:
        """Ask for each item, in order."""
        with self.keys.held():
            return self._walk(items)

    def _walk(self, items: Sequence[Waiting]) -> End:
        rest, changed = list(items), False
        steps: list[Step] = []
        while rest:
            item = rest.pop(0)
            self.keys.forget()
            self._show(item, len(items) - len(rest), len(items))
            choice = self._choice(may_undo=bool(steps))
            if choice == "q":
                return End.QUIT
            if choice == "u":
                rest = self._undo(steps.pop())
                continue
            before = Step(self.person.site.store.kept(item.key), (item, *rest), self.tally.copy(), frozenset(self.seen))
            steps = [*steps, before] if choice != "e" else []  # what an editor does is the editor's to undo
            if choice == "e":
                self._edit(item)
            proposed = isinstance(item, WaitingProposal)
            for each in (item, *(other for other in rest if other.key == item.key)) if choice == "a" else (item,):
                if each is item or not proposed:
                    self._do(each, choice)
            if choice == "e" or (proposed and choice in "ya"):
                changed = True  # the claims of the text that stands now are found anew
                rest = [other for other in rest if other.key != item.key]
            rest = [other for other in rest if other.name not in self.seen]
        return End.EDITED if changed else End.DONE

    def _show(self, item: Waiting, position: int, total: int) -> None:
        at = f"{position} of {total} · {item.key}"
        if isinstance(item, WaitingProposal):
            self._rule(f"{at} · a proposal", item.proposal.question)
            self.console.file.write(shown(prose_diff(item.stands, item.proposal.content)) + "\n")
            for citation in item.proposal.citations:
                self.console.file.write(shown_line(f"[{citation.sid}] {citation.passage}: {citation.quote}") + "\n")
            if item.proposal.reason:
                self.console.file.write(shown_line(f"waits because: {item.proposal.reason}") + "\n")
            return
        total_claims = len(item.answer.claims)
        self._rule(f"{at} · claim {item.detail.number} of {total_claims}", item.answer.question)
        show(item, self.console, self.person.site.url)

    def _rule(self, title: str, question: str) -> None:
        if self.console.is_terminal:
            self.console.file.write("\n")
            self.console.rule(shown_line(title).replace("[", "\\["), align="left")
        else:
            self.console.file.write(f"\n{shown_line(title)}\n")
        self.console.file.write(f"{shown_line(question)}\n")

    def _undo(self, step: Step) -> list[Waiting]:
        """Let stand what stood before a key; what is to be asked again, and after it."""
        self.person.site.store.put_back(step.files)
        self.tally.clear()
        self.tally.update(step.tally)
        self.seen = set(step.seen)
        return list(step.rest)

    def _choice(self, *, may_undo: bool) -> str:
        """The letter of what is to be done; `q` when nobody presses a key any more."""
        while True:
            self.console.file.write(f"{' · '.join(f'{key} {what}' for key, what in MEANINGS.items())}: ")
            self.console.file.flush()
            pressed = self.keys.next()
            if not pressed:
                self.console.file.write("\n")
                return "q"
            if pressed == "u" and not may_undo:
                self.console.file.write("nothing to undo\n")
            elif pressed in MEANINGS:
                self.console.file.write(f"{MEANINGS[pressed]}\n")
                return pressed
            else:
                self.console.file.write("that key means nothing here\n")

    def _do(self, item: Waiting, choice: str) -> None:
        """Store what was decided, and say what it does not change."""
        if choice != "e":
            self.seen.add(item.name)
        if isinstance(item, WaitingProposal):
            if choice in "ya":
                self.person.accepts(item.key)
            elif choice == "n":
                self.person.site.store.reject(item.key)
            self.tally[{"y": "accepted", "a": "accepted", "n": "rejected", "s": "skipped", "e": "edited"}[choice]] += 1
            return
        if choice in "ya":
            self.person.says(item.answer, item.claim, Verdict.SUPPORTED)
        elif choice == "n":
            self.person.says(item.answer, item.claim, Verdict.UNSUPPORTED)
            self._say(f"the build fails until the claim or its passages change: {item.detail.place}")
        self.tally[{"y": "confirmed", "a": "confirmed", "n": "rejected", "s": "skipped", "e": "edited"}[choice]] += 1

    def _say(self, text: str) -> None:
        self.console.file.write(f"  {shown_line(text)}\n")

    def _edit(self, item: Waiting) -> None:
        place = item.detail.place if isinstance(item, WaitingClaim) else Place(item.proposal.file)
        with self.keys.released():
            edit(self.person.site.root / place.file, place.line)


def edit(path: Path, line: int) -> None:
    """Open a file in the person's editor (`$VISUAL`, `$EDITOR`), at a line where the editor can, and wait.

    Raises:
        UsageError: the editor cannot be run.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    try:
        words = shlex.split(command, posix=os.name != "nt") or ["vi"]
        at = [f"+{line}"] if Path(words[0]).stem in _LINE_FIRST else []
        subprocess.run([*words, *at, str(path)], check=False)  # noqa: S603 -- the person's own editor, no shell
    except (OSError, ValueError) as error:
        raise UsageError(f"the editor `{command}` cannot be run", tip="set `EDITOR` to a command") from error
