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
from mkdocs_cited.base.text import did_you_mean, shorten, slugify
from mkdocs_cited.cli.group import config_option, docs_of, main, opened, unread_pages
from mkdocs_cited.cli.output import command, echo, file_diff, say
from mkdocs_cited.declarations.editing import with_entry
from mkdocs_cited.site_host.configuration import read

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

PAGE = "faq.md"
"""The page of the first questions, unless another is named."""


@main.command()
@click.argument("question")
@config_option
@click.option(
    "--page",
    help=f"The page. By default the only page that asks questions, else `{PAGE}`.",
)
@click.option(
    "--id",
    "name",
    help="The name of the answer. By default it is made of the question's words.",
)
@click.option("--text", help="Your own answer, with citations: `… [@keys.md#rotate]`.")
@click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")
def add(
    question: str,
    config_file: Path | None,
    *,
    page: str | None,
    name: str | None,
    text: str | None,
    dry_run: bool,
) -> None:
    """Write a question into a page, and show the nearest passage.

    It goes into the front matter. With `--text`, the answer is written there, too.
    """
    site = opened(config_file)
    declaration = site.question(question)
    src = path_of(site, page or _asking_page(site))
    name_of_answer = name or slugify(question)
    if f"{src}#{name_of_answer}" in site.keys:
        raise UsageError(
            f"{src} has an answer `{name_of_answer}` already",
            tip="give this one another `--id`",
        )
    path = Path(site.config.docs_dir) / src
    is_new = not path.is_file()
    old = b""
    if not is_new:
        old = path.read_bytes()
    before = old or f"# {path.stem.replace('-', ' ').capitalize()}\n".encode()
    file = site.config.path(path)
    after = with_entry(
        file,
        before,
        [("id", name or ""), ("question", declaration.question), ("text", text or "")],
    )
    echo(file_diff(file, old.decode(), after.decode("utf-8-sig")))
    if not dry_run:
        write_atomically(
            through_links(path, repository_of(site.root) or site.root), after
        )
    if is_new:
        say(
            f"{src} is a new page",
            following="; ".join(unlisted(Path(site.config.config_file_path), src)),
        )
    if text:
        say("", following=command("check", src))
        return
    answer = site.readonly_pipeline().ask(declaration)
    if answer.sources:
        nearest = answer.sources[0].passage
        say(
            f"nearest, in {nearest.section.where}: “{shorten(nearest.text)}”",
            following=command("review", src),
        )
    else:
        say(answer.reason, following=command("find", question))


def _asking_page(site: Site) -> str:
    """The page for a question where none is named: the only one that asks, or the default.

    Raises:
        UsageError: several pages ask questions.
    """
    asking = {item.page for item in site.declarations}
    # it may be meant
    asking |= {
        item.place.file.removeprefix(docs_of(site)) for item in unread_pages(site)
    }
    asking.discard(site.settings.questions)
    if len(asking) > 1:
        known = ", ".join(f"`--page {shlex.quote(src)}`" for src in sorted(asking)[:5])
        raise UsageError(
            "several pages ask questions, and none is named", tip=f"name one: {known}"
        )
    if asking:
        return asking.pop()
    return PAGE


def path_of(site: Site, page: str) -> str:
    """A page as a path below the docs.

    Raises:
        UsageError: it is not a Markdown file of the docs.
    """
    docs = Path(site.config.docs_dir)
    plain = os.path.normpath(page).replace(os.sep, "/").removeprefix(docs_of(site))
    if (
        PurePosixPath(plain).suffix != ".md"
        or plain.startswith("../")
        or PurePosixPath(plain).is_absolute()
    ):
        tip = did_you_mean(
            Path(plain).with_suffix(".md").as_posix(),
            [item.src for item in site.corpus.pages()],
        )
        raise UsageError(f"`{page}` is not a Markdown file of {docs.name}/", tip=tip)
    return plain


def unlisted(config: Path, name: str) -> list[str]:
    """The step that is left for a new page of a site whose navigation is a list of pages; empty for other sites."""
    listed = read(config, config.parent).keys.get("nav")
    if listed:
        return [f"write `- {name}` into `nav`, where readers find it"]
    return []
