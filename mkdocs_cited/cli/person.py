"""Who decides at the command line, and what they have stored; how they answer a question: by quotations, which
keys select and take."""

from __future__ import annotations

import datetime
import getpass
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import git_or_nothing
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.cli.output import asked, choice, echo, emit_report
from mkdocs_cited.model.answer import (
    PERSON,
    Answer,
    Judgement,
    ReviewedClaim,
    Status,
    Verdict,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Passage
from mkdocs_cited.records import Record
from mkdocs_cited.reporters.console import for_stream

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

MOST = 9
"""Quotations that are offered: a key selects each."""
_SHOWN = 240
"""Characters of a passage that are shown."""
_KEYS = {
    "y": "take", "e": "take and edit", "/": "search in other words", "n": "not documented", "s": "skip", "q": "quit",
}  # fmt: skip
_AGAIN = {"e": "edit again", "s": "choose again"}
_DONE = {"y": "answered", "e": "edited", "n": "not documented", "s": "skipped", "q": ""}


class Person(Struct, frozen=True):
    """Who decides, and where decisions are stored."""

    site: Site
    name: str

    @classmethod
    def of(cls, site: Site, by: str | None) -> Person:
        """Who works here: the name that is given, or by which git knows its user, else the login.

        Raises:
            UsageError: none is known.
        """
        try:
            known = by or git_or_nothing(site.root, "config", "user.name")
            return cls(site, known or getpass.getuser())
        except (OSError, KeyError, ImportError) as error:
            raise UsageError(
                "your name is not known",
                tip="give `--by NAME`, or set git's `user.name`",
            ) from error

    def says(
        self,
        answer: Answer,
        claims: Sequence[ReviewedClaim],
        verdict: Verdict,
        reason: str = "",
        quotes: Sequence[str] = (),
    ) -> None:
        """Store a verdict on claims of an answer.

        Args:
            quotes: the words that it depends on; by default those that share most with the claim.

        Raises:
            CitedError: the answer's record cannot be read, and was left as it is.
        """
        on = _today()
        who = f"{PERSON}:{self.name}"
        judgement = Judgement(
            verdict, reason=reason, reviewer=who, date=on, quotes=tuple(quotes)
        )
        decisions = self.site.readonly_pipeline().decisions(claims, judgement)
        declaration = self.site.declaration(answer.key)
        self.site.store.decide(answer, declaration, decisions, on)

    def takes(
        self,
        declaration: Declaration,
        passages: Sequence[Passage],
        text: str | None = None,
        queries: Sequence[str] = (),
    ) -> Record:
        """Record passages as the answer to a question, with this person's approval.

        Args:
            declaration: the question.
            passages: what is quoted, in order.
            text: the person's own words, which cite the passages as `[^1]`, …; by default the passages' own.
            queries: other words by which they were found.

        Raises:
            CitedError: the record cannot be read, and was left as it is.
        """
        answer = self.site.readonly_pipeline().taken(declaration, passages, text)
        return self._records(replace(answer, queries=tuple(queries)), declaration)

    def denies(self, declaration: Declaration) -> Record:
        """Record that the docs do not answer a question.

        Raises:
            CitedError: the record cannot be read, and was left as it is.
        """
        from mkdocs_cited.pipeline.run import OFFLINE  # `--help` need not wait for it

        reason = "the docs do not answer it"
        answer = Answer.of(declaration, Status.ABSTAINED, reason=reason)
        return self._records(replace(answer, provider=OFFLINE), declaration)

    def _records(self, answer: Answer, declaration: Declaration) -> Record:
        record = Record.of(answer, declaration, None, _today())
        return self.site.store.take(record, self.name, _today())

    def accepts(self, key: str) -> None:
        """Accept a proposal, or approve the recorded text.

        Raises:
            CitedError: the record cannot be read.
        """
        self.site.store.accept(key, self.name, _today())


def _today() -> str:
    return datetime.date.today().isoformat()


def answered(person: Person, declaration: Declaration) -> str:
    """Show passages to a person until they have answered a question; what they did: `answered`, `edited`,
    `not documented`, `skipped`; empty to leave the session."""
    queries: list[str] = []
    selected: list[str] = []
    """Numbers of quotations."""
    offered = _shown(person.site, declaration, queries, [])
    while True:
        pressed = choice(_KEYS, numbers=len(offered))
        if pressed.isdigit():
            if pressed in selected:
                selected.remove(pressed)
            else:
                selected.append(pressed)
            echo(f"selected: {', '.join(selected) or 'none'}")
        elif pressed == "/":
            queries.append(asked("search for"))
            kept = [offered[int(number) - 1] for number in selected]
            offered = _shown(person.site, declaration, queries, kept)
            selected = [str(number) for number in range(1, len(kept) + 1)]
        elif pressed not in ("y", "e"):
            break
        elif not offered:
            echo("there is no passage to take")
        else:
            chosen = selected or ["1"]
            echo(f"{_KEYS[pressed]}: {', '.join(chosen)}")
            passages: list[Passage] = []
            for number in chosen:
                passages += offered[int(number) - 1]
            if pressed == "y":
                person.takes(declaration, passages, queries=queries)
            elif not _edits(person, declaration, passages, queries):
                continue
            return _DONE[pressed]
    if pressed == "n":
        person.denies(declaration)
    echo(_KEYS[pressed])
    return _DONE[pressed]


def _edits(
    person: Person,
    declaration: Declaration,
    passages: Sequence[Passage],
    queries: Sequence[str],
) -> bool:
    """Record passages as the answer, in the words that the person gives them in an editor; false if they leave it."""
    text = person.site.readonly_pipeline().taken(declaration, passages).content
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{declaration.id}.md"
        path.write_text(text, encoding="utf-8")
        while True:
            edit(path)
            text = path.read_text(encoding="utf-8").strip()
            try:
                person.takes(declaration, passages, text, queries)
                return True
            except UsageError as error:
                echo(str(error))
            if choice(_AGAIN) != "e":
                return False


def edit(path: Path) -> None:
    """Open a file in the person's editor (`$VISUAL`, `$EDITOR`), and wait. (That of click before 8.2 uses a shell.)

    Raises:
        UsageError: the editor cannot be run.
    """
    is_windows = os.name == "nt"
    default = "notepad" if is_windows else "vi"
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or default
    try:
        command = [*shlex.split(editor, posix=not is_windows), str(path)]
        subprocess.run(command, check=False)  # noqa: S603 -- no shell
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the editor `{editor}` cannot be run", tip="set `EDITOR` to a command"
        ) from error


def _shown(
    site: Site,
    declaration: Declaration,
    queries: Sequence[str],
    kept: Sequence[Sequence[Passage]],
) -> list[Sequence[Passage]]:
    """Show the quotations that are kept, then those that are offered."""
    layout = for_stream(sys.stdout).layout
    near = site.readonly_pipeline().offered(declaration, queries, MOST)
    quotations: dict[str, Sequence[Passage]] = {}
    for quotation in [*kept, *near]:
        if not quotation[0].is_private:
            words = " ".join(passage.hash for passage in quotation)
            quotations.setdefault(words, quotation)
    offered = list(quotations.values())[:MOST]
    if not offered:
        echo("no passage of the docs is near to it")
    for number, quotation in enumerate(offered, 1):
        lines: list[str] = []
        label = f"{number}  "
        for passage in quotation:
            text = shorten(" | ".join(passage.cells) or collapse(passage.text), _SHOWN)
            lines += layout.block(label, text)
            label = "   "
        lines += layout.block("", quotation[0].section.where, indent=3, style="dim")
        emit_report("".join(f"{line}\n" for line in lines))
    return offered
