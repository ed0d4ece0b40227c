"""The command `answer`: a person, a script or an assistant takes passages as the answer to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mkdocs_cited.answer_text.citing import best_quotes
from mkdocs_cited.answer_text.markdown import MARKER
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean, language_of
from mkdocs_cited.cli.group import Where, chosen, main, site_options
from mkdocs_cited.cli.output import say
from mkdocs_cited.cli.person import Person
from mkdocs_cited.cli.review import by_option
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.reporters.interface import counted

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration
    from mkdocs_cited.model.source import Passage


@main.command()
@click.argument("name")
@site_options
@click.option(
    "--take",
    "addresses",
    multiple=True,
    required=True,
    metavar="ADDRESS",
    help="A section (`guide/keys.md#rotate`), or a passage that `find --json` lists. You can repeat it.",
)
@click.option(
    "--text",
    metavar="FILE",
    help="A file with your own words, or `-` for standard input. `[^1]` cites the first ADDRESS.",
)
@by_option
def answer(
    name: str,
    where: Where,
    addresses: tuple[str, ...],
    text: str | None,
    by: str | None,
) -> None:
    """Answer a question with passages of the docs.

    The answer has the words of the passages, or your own with `--text`.

    NAME is a key or id. The answer is stored with your approval, and `mkdocs-cited check` checks it from then on.
    """
    site = where()
    keys = chosen(site, (name,))
    if len(keys) != 1:
        raise UsageError(
            f"`{name}` names {len(keys)} answers", tip="name one of them by its key"
        )
    declaration = next(item for item in site.declarations if item.key == keys[0])
    passages: list[Passage] = []
    for address in addresses:
        passages += _passages(site, declaration, address)
    person = Person.of(site, by)
    record = person.takes(
        declaration, passages, _own_words(text, declaration, len(passages))
    )
    told = f"{declaration.key}: answered by {person.name} with {counted(len(passages), 'passage')}"
    say(told, following="mkdocs-cited check")
    for item in record.citations:
        say(f"  [{item.sid}] {item.at}: {item.quote}")


def _passages(site: Site, declaration: Declaration, address: str) -> Sequence[Passage]:
    """The passages that an address means: of a section, the one that is nearest to the question, with all of its list.

    Raises:
        UsageError: there is none.
    """
    corpus = site.corpus
    named = corpus.passage(address)
    if named is not None:
        return (named,)
    page, _, anchor = address.removeprefix("/").partition("#")
    section = corpus.section(page, anchor)
    if not section:
        pages = {item.src for item in corpus.pages()}
        known = (
            [f"{page}#{each}" for each in corpus.anchors(page)]
            if page in pages
            else sorted(pages)
        )
        raise UsageError(
            f"`{address}` is not a passage of the docs",
            tip=did_you_mean(address, known),
        )
    nearest = best_quotes(
        declaration.question, section, language_of(declaration.locale)
    )[0].passage
    from mkdocs_cited.providers.quote import with_its_list  # `--help` reads no search

    return with_its_list(nearest, corpus)


def _own_words(file: str | None, declaration: Declaration, count: int) -> str:
    """The text of a file or of standard input; without a number in it, each sentence cites all that is taken."""
    if file is None:
        return ""
    with click.open_file(file, encoding="utf-8") as stream:
        text = str(stream.read()).strip()
    if not text:
        raise UsageError(
            "there is no text", tip="write it to standard input, or leave `--text` out"
        )
    if MARKER.search(text):
        return text
    marks = "".join(f"[^{number}]" for number in range(1, count + 1))
    return "\n\n".join(
        _marked(part, marks, declaration.locale) for part in text.split("\n\n")
    )


def _marked(paragraph: str, marks: str, locale: str) -> str:
    return " ".join(
        f"{paragraph[start:end]}{marks}"
        for start, end in sentences(paragraph, language_of(locale))
    )
