"""`add`: writes a question into a page's front matter."""

from __future__ import annotations

import os
import shlex
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import through_links, write_atomically
from mkdocs_cited.base.git import repository_of
from mkdocs_cited.base.text import did_you_mean, slugify
from mkdocs_cited.cli.group import config_option, docs_of, main, opened, unread_pages
from mkdocs_cited.cli.output import command, echo, file_diff, say
from mkdocs_cited.declarations.editing import with_entry
from mkdocs_cited.model.answer import Status
from mkdocs_cited.site_host.configuration import read

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

PAGE = "faq.md"
"""The page of the first questions, unless another is named."""


@main.command()
@click.argument("question")
@config_option
@click.option("--page", help=f"The page; by default the only one that asks, else `{PAGE}`, made if need be.")
@click.option("--id", "name", help="What the answer is called; made of the question's words by default.")
@click.option("--text", help="The answer itself, with its citations: `… [@keys.md#rotate]`.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
def add(
    question: str, config_file: Path | None, page: str | None, name: str | None, text: str | None, dry_run: bool
) -> None:
    """Write a question into a page's front matter, and say whether the docs answer it."""
    site = opened(config_file)
    declaration = site.question(question)
    src = _page(site, page)
    if any(item.key == f"{src}#{name or slugify(question)}" for item in site.declarations):
        tip = "give this one another `--id`"
        raise UsageError(f"{src} has an answer `{name or slugify(question)}` already", tip=tip)
    path = Path(site.config.docs_dir) / src
    old = path.read_bytes() if path.is_file() else b""
    before = old or f"# {path.stem.replace('-', ' ').capitalize()}\n".encode()
    file = site.config.path(path)
    after = with_entry(file, before, [("id", name or ""), ("question", declaration.question), ("text", text or "")])
    echo(file_diff(file, old.decode(), after.decode("utf-8-sig")))
    new = not path.is_file()
    if not dry_run:
        write_atomically(through_links(path, repository_of(site.root) or site.root), after)
    answer = None if text else site.readonly_pipeline().ask(declaration)
    if new:
        say(f"{src} is a new page", following="; ".join(unlisted(Path(site.config.config_file_path), src)))
    if answer is None:
        say("", following=command("check", src))
    elif answer.status is Status.ACCEPTED:
        pages = dict.fromkeys(source.passage.page.src for source in answer.sources)
        say(f"the docs answer it, from {', '.join(pages)}", following="mkdocs serve")
    else:
        say(f"the docs do not answer it yet: {answer.reason}", following=command("find", question))


def _page(site: Site, page: str | None) -> str:
    """The page that a question goes into, as a path below the docs.

    Raises:
        UsageError: none is named where several might be meant, or what is named is no Markdown file of the docs.
    """
    asking = {item.page for item in site.declarations}
    asking |= {item.place.file.removeprefix(docs_of(site)) for item in unread_pages(site)}  # it may be meant
    asking_pages = sorted(asking - {site.settings.questions})
    if page is None:
        if len(asking_pages) < 2:
            return asking_pages[0] if asking_pages else PAGE
        known = ", ".join(f"`--page {shlex.quote(src)}`" for src in asking_pages[:5])
        raise UsageError("no page is named", tip=f"name the page that asks it: {known}")
    docs = Path(site.config.docs_dir)
    plain = os.path.normpath(page).replace(os.sep, "/").removeprefix(docs_of(site))
    if PurePosixPath(plain).suffix != ".md" or plain.startswith("../") or PurePosixPath(plain).is_absolute():
        tip = did_you_mean(Path(plain).with_suffix(".md").as_posix(), [item.src for item in site.corpus.pages()])
        raise UsageError(f"`{page}` is no Markdown file of {docs.name}/", tip=tip)
    return plain


def unlisted(config: Path, name: str) -> list[str]:
    """The step that is left for a new page of a site whose navigation is a list of pages; empty for other sites."""
    listed = read(config, config.parent).keys.get("nav")
    return [f"write `- {name}` into `nav`, where readers find it"] if listed else []
