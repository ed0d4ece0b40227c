"""A review session: a person goes through everything that waits, a key each. How a claim is shown is in `claim_view`.

A decision is stored as it is made, so that a session may end at any moment and the next one goes on from there.
"""

from __future__ import annotations

import datetime
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.terminal import shown, shown_line
from mkdocs_cited.cli.claim_view import show
from mkdocs_cited.cli.output import command, prose_diff
from mkdocs_cited.cli.status import Waiting, WaitingClaim, WaitingProposal
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Verdict
from mkdocs_cited.records import Broken, Record
from mkdocs_cited.records.store import Kept

try:
    import termios
except ImportError:  # Windows, where a key needs no preparation
    termios = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from rich.console import Console

    from mkdocs_cited.mkdocs_host.site import Site

MEANINGS = {
    "y": "confirm", "n": "reject", "e": "edit", "s": "skip", "a": "all of this answer", "u": "undo", "q": "quit",
}  # fmt: skip


class Person(Struct, frozen=True):
    """Who decides, and where decisions are stored."""

    site: Site
    name: str

    def says(self, answer: Answer, claim: ReviewedClaim, verdict: Verdict, reason: str = "") -> None:
        """Store a verdict on a claim.

        Raises:
            CitedError: the answer's record cannot be read, and was left as it is.
        """
        declaration = next(item for item in self.site.declarations if item.key == answer.key)
        stored = self.site.store.decide(answer, declaration, claim, verdict, self.name, _today(), reason)
        if isinstance(stored, Broken):
            raise CitedError(f"{stored.file}:{stored.line}: the record {stored.reason}", tip=stored.finding().tip)

    def accepts(self, key: str) -> Record:
        """Accept a proposal, or approve the recorded text.

        Raises:
            CitedError: there is neither.
        """
        done = self.site.store.accept(key, self.name, _today())
        if isinstance(done, Broken):
            raise CitedError(f"{done.file}:{done.line}: the record {done.reason}", tip=done.finding().tip)
        if not isinstance(done, Record):
            raise CitedError(f"{key}: there is no record to accept", tip=f"run `{command('update', key)}` first")
        return done


def _today() -> str:
    return datetime.date.today().isoformat()


class End(Enum):
    """How a walk ended."""

    QUIT = "quit"
    """The person left, or there is nobody who could press a key."""
    DONE = "done"
    EDITED = "edited"
    """Files changed: what waits has to be found again."""


class Step(Struct, frozen=True, dict=True):
    """What was so before a key was pressed."""

    files: Kept
    rest: tuple[Waiting, ...]
    tally: Counter[str]
    seen: frozenset[str]


@dataclass
class Session:
    """A walk through what waits."""

    person: Person
    console: Console
    tally: Counter[str] = field(default_factory=Counter)
    """What was done, and how often."""
    seen: set[str] = field(default_factory=set)
    """Names of the items that were decided or skipped: they are not asked again in this session."""

    def walk(self, items: Sequence[Waiting]) -> End:
        """Ask for each item, in order."""
        rest, changed = list(items), False
        steps: list[Step] = []
        while rest:
            item = rest.pop(0)
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
                changed = True  # the claims of the accepted text are found again
                rest = [other for other in rest if other.key != item.key]
            rest = [other for other in rest if other.name not in self.seen]
        return End.EDITED if changed else End.DONE

    def _show(self, item: Waiting, position: int, total: int) -> None:
        at = f"{position} of {total} · {item.key}"
        if isinstance(item, WaitingProposal):
            self._rule(f"{at} · a proposal", item.proposal.question)
            self.console.file.write(shown(prose_diff(item.accepted, item.proposal.content)) + "\n")
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
        """Take back what a key did; what is to be asked again, and after it."""
        self.person.site.store.put_back(step.files)
        self.tally.clear()
        self.tally.update(step.tally)
        self.seen = set(step.seen)
        return list(step.rest)

    def _choice(self, *, may_undo: bool) -> str:
        """The letter of what is to be done; `q` when nobody presses a key any more."""
        while True:
            pressed = key(f"{' · '.join(f'{key} {what}' for key, what in MEANINGS.items())}: ", self.console)
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
        place = item.detail.place if isinstance(item, WaitingClaim) else item.proposal.place
        edit(self.person.site.root / place.file)


def key(prompt: str, screen: Console) -> str:
    """The next key, lower case; empty when there will be none. A cursor key and the like is no letter: `?`.

    Without a terminal, the first letter of each line of standard input is a key.
    """
    with _single_keys():
        screen.file.write(prompt)
        screen.file.flush()
        if not sys.stdin.isatty():
            return next((line.strip() for line in sys.stdin if line.strip()), "")[:1].lower()
        try:
            pressed = os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace") if termios else click.getchar()
        except (EOFError, KeyboardInterrupt):
            return ""
    return "?" if pressed.startswith("\x1b") else pressed[:1].lower().strip("\x04")


@contextmanager
def _single_keys() -> Iterator[None]:
    """Have the terminal give each key at once, and drop those pressed before: what they would decide is not on the
    screen yet."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def edit(path: Path) -> None:
    """Open a file in the person's editor (`$VISUAL`, `$EDITOR`), and wait. (That of click before 8.2 uses a shell.)

    Raises:
        UsageError: the editor cannot be run.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    try:
        subprocess.run([*shlex.split(editor, posix=os.name != "nt"), str(path)], check=False)  # noqa: S603 -- no shell
    except (OSError, ValueError) as error:
        raise UsageError(f"the editor `{editor}` cannot be run", tip="set `EDITOR` to a command") from error
