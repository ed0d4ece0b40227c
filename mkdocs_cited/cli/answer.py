"""`add` writes a question into a page; `answer` takes passages as the answer to one, for a person, a script or an
assistant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.cli.group import (
    Where,
    chosen,
    config_option,
    main,
    site_options,
)
from mkdocs_cited.cli.output import Change, say, write_changes
from mkdocs_cited.cli.person import Person
from mkdocs_cited.cli.review import by_option
from mkdocs_cited.declarations import with_entry
from mkdocs_cited.mkdocs_host.configuration import Configuration, configured, read
from mkdocs_cited.reporters.interface import counted

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration
    from mkdocs_cited.model.source import Passage

PAGE = "faq.md"
"""The page of the first questions, unless another is named."""


@main.command()
@click.argument("question")
@config_option
@click.option("--page", default=PAGE, show_default=True, help="The page.")
@click.option(
    "--id",
    "name",
    default="",
    help="The name of the answer. By default it is made of the question's words.",
)
@click.option(
    "--text",
    default="",
    help="Your own answer, with citations: `… [@keys.md#rotate]`.",
)
def add(
    question: str, config_file: Path | None, *, page: str, name: str, text: str
) -> None:
    """Write a question into a page.

    It goes into the front matter. With `--text`, the answer is written there, too.
    """
    # `--help` reads no search
    from mkdocs_cited.pipeline import declared

    known = read(configured(config_file), Path.cwd())
    declared(question, "")  # refuses one that is empty or too long
    path = _file(known, page)
    before = path.read_bytes() if path.is_file() else b""
    title = path.stem.replace("-", " ").capitalize()
    fields = [("id", name), ("question", question), ("text", text)]
    file = os.path.relpath(path, known.root)
    after = with_entry(file, before or f"# {title}\n".encode(), fields)
    write_changes(known.root, [Change(path, before, after)], yes=True)
    if known.file.suffix == ".toml":
        say("the site does not have it yet", following="zensical build")
    src = path.relative_to(known.docs_dir).as_posix()
    say("", following=command("check" if text else "review", src))


def _file(known: Configuration, page: str) -> Path:
    """The file of a page, which is named below the project or below its docs.

    Raises:
        UsageError: it is not a Markdown file of the docs.
    """
    docs = known.docs_dir
    path = Path(os.path.normpath(known.root / page))
    if not path.is_relative_to(docs):
        path = Path(os.path.normpath(docs / page))
    if path.suffix != ".md" or not path.is_relative_to(docs):
        pages = [file.relative_to(docs).as_posix() for file in docs.rglob("*.md")]
        raise UsageError(
            f"`{page}` is not a Markdown file of {docs.name}/",
            tip=did_you_mean(f"{path.stem}.md", pages),
        )
    return path


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
    keys = chosen(site, [name])
    if len(keys) != 1:
        tip = "name one of them by its key"
        raise UsageError(f"`{name}` names {len(keys)} answers", tip=tip)
    declaration = site.declaration(keys[0])
    if declaration.text:
        raise UsageError(
            f"{declaration.text_place or declaration.place}: the page itself holds the text of {declaration.key}",
            tip="change it there, or delete it from the page to have passages in its place",
        )
    passages: list[Passage] = []
    for address in addresses:
        passages += _passages(site, declaration, address)
    words = None
    if text is not None:
        with click.open_file(text, encoding="utf-8") as stream:
            words = str(stream.read()).strip()
    person = Person.of(site, by)
    record = person.takes(declaration, passages, words)
    count = counted(len(passages), "passage")
    told = f"{declaration.key}: answered by {person.name} with {count}"
    say(told, following=command("check"))
    for item in record.citations:
        say(f"  [{item.sid}] {item.at}: {item.quote}")


def _passages(site: Site, declaration: Declaration, address: str) -> Sequence[Passage]:
    """The passages that an address means: of a section, the one that is nearest to the question, with all of its list.

    Raises:
        UsageError: there is none.
    """
    from mkdocs_cited.providers.quote import of_section  # `--help` reads no search

    named = site.corpus.passage(address)
    if named is not None:
        return (named,)
    page, _, anchor = address.removeprefix("/").partition("#")
    section = site.corpus.section(page, anchor)
    if not section:
        raise no_section(site, address)
    return of_section(section, declaration, site.corpus)


def no_section(site: Site, address: str) -> UsageError:
    """That an address means nothing, with the sections or pages that may be meant."""
    page = address.removeprefix("/").partition("#")[0]
    known = sorted({item.src for item in site.corpus.pages()})
    if page in known:
        known = [f"{page}#{anchor}" for anchor in site.corpus.anchors(page)]
    message = f"the docs have no section `{address}`"
    return UsageError(message, tip=did_you_mean(address, known))
