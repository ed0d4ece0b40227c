"""How a person answers a question in a review session: numbered passages, a key each to take one or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.output import asked, echo, key
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.reporters.console import Layout

if TYPE_CHECKING:
    from rich.console import Console

    from mkdocs_cited.cli.person import Person

MOST = 9
"""Passages that are offered: a key each."""
_SHOWN = 240
"""Characters of a passage that are shown."""
_CODE_LINES = 3
"""Lines of code that are shown."""
_KEYS = {
    "y": "take", "e": "take and edit", "/": "search in other words", "n": "not documented", "s": "skip", "q": "quit",
}  # fmt: skip


class Choice(Struct, frozen=True):
    """What a person wants of a question."""

    done: str
    """`answered`, `edited`, `rejected`, `skipped`; empty to leave the session."""
    passages: tuple[Passage, ...] = ()
    queries: tuple[str, ...] = ()
    """Other words that were searched with."""


def ask(
    person: Person, declaration: Declaration, console: Console, layout: Layout
) -> Choice:
    """Show passages to a person until they have decided."""
    queries: list[str] = []
    passages = _found(person, declaration, queries)
    taken: list[Passage] = []
    _show(passages, console, layout)
    while True:
        numbers = {str(number): "" for number in range(1, len(passages) + 1)}
        pressed = (
            key(
                {_range(len(passages)): "take or leave", **_KEYS} if passages else _KEYS
            )
            or "q"
        )
        if pressed in numbers:
            _toggle(taken, passages[int(pressed) - 1])
            echo(f"taken: {_names(taken, passages)}")
        elif pressed == "/":
            queries.append(asked("search for"))
            passages = [*taken, *_without(_found(person, declaration, queries), taken)][
                :MOST
            ]
            _show(passages, console, layout)
        elif pressed in ("y", "e") and not passages:
            echo("there is no passage to take")
        elif pressed in ("y", "e"):
            chosen = taken or passages[:1]
            echo(f"{_KEYS[pressed]}: {_names(chosen, passages)}")
            done = "answered" if pressed == "y" else "edited"
            return Choice(done, tuple(chosen), tuple(queries))
        elif pressed in ("n", "s", "q"):
            echo(_KEYS[pressed])
            return Choice({"n": "rejected", "s": "skipped", "q": ""}[pressed])
        else:
            echo("that key has no meaning here")


def _found(
    person: Person, declaration: Declaration, queries: Sequence[str]
) -> list[Passage]:
    """The passages that are nearest to a question, the latest words first."""
    from mkdocs_cited.search.select import nearest  # `--help` need not wait for it

    site = person.site
    passages: list[Passage] = []
    for query in (*reversed(queries), ""):
        wanted = (
            replace(declaration, question=query, queries=()) if query else declaration
        )
        found = nearest(wanted, site.corpus, MOST)
        near = [source.passage for source in found if not source.passage.is_private]
        passages += _without(near, passages)
    return passages[:MOST]


def _without(passages: Sequence[Passage], known: Sequence[Passage]) -> list[Passage]:
    ids = {passage.id for passage in known}
    return [passage for passage in passages if passage.id not in ids]


def _toggle(taken: list[Passage], passage: Passage) -> None:
    if passage in taken:
        taken.remove(passage)
    else:
        taken.append(passage)


def _names(taken: Sequence[Passage], passages: Sequence[Passage]) -> str:
    return ", ".join(str(passages.index(passage) + 1) for passage in taken) or "none"


def _range(count: int) -> str:
    return "1" if count == 1 else f"1-{count}"


def _show(passages: Sequence[Passage], console: Console, layout: Layout) -> None:
    if not passages:
        echo("no passage of the docs is near to it")
    for number, passage in enumerate(passages, 1):
        for line in _lines(number, passage, layout):
            console.file.write(f"{line}\n")  # harmless, and coloured


def _lines(number: int, passage: Passage, layout: Layout) -> Iterator[str]:
    texts = [shorten(collapse(passage.text), _SHOWN)]
    if passage.cells:
        texts = [" | ".join(passage.cells)]
    elif passage.kind is PassageKind.CODE:
        texts = [line for line in passage.text.split("\n") if line.strip()][
            :_CODE_LINES
        ]
    for at, text in enumerate(texts):
        yield from layout.block("   " if at else f"{number}  ", text, indent=0)
    yield from layout.block("", passage.section.where, indent=3, style="dim")
