"""`init` and `add`: what makes a site ask its first question, and every one after it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import did_you_mean, slugify
from mkdocs_cited.cli.group import config_option, docs_of, main, opened, unread_pages
from mkdocs_cited.cli.init_proposals import (
    ASKED,
    Change,
    first_questions,
    opened_with,
    questions_of_model,
    with_extension,
    with_plugin,
    workflow,
)
from mkdocs_cited.cli.output import agreed, command, echo, file_diff, say, summary
from mkdocs_cited.cli.review import review
from mkdocs_cited.cli.update import priced, update
from mkdocs_cited.declarations.editing import with_entry
from mkdocs_cited.local_models.store import find as find_model
from mkdocs_cited.model.answer import Status
from mkdocs_cited.site_host.configuration import TIP, gate, read, runs_zensical

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration

CONFIGURATIONS = ("mkdocs.yml", "zensical.toml")
PAGE = "faq.md"
"""The page of the first questions, unless another is named."""


@main.command()
@config_option
@click.option("--page", default=PAGE, show_default=True, help="The page for the first questions.")
@click.option(
    "--provider", type=click.Choice(["anthropic"]), help="Let a model write and review: five answers at once."
)
@click.option("--encoder", help="Let a model on this machine find by meaning; `models get minilm` fetches one.")
@click.option("--yes", "-y", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, write and ask nothing.")
@click.pass_context
def init(
    context: click.Context,
    config_file: Path | None,
    page: str,
    provider: str | None,
    encoder: str | None,
    yes: bool,
    dry_run: bool,
) -> None:
    """Set a site up: plugin, a page with two questions of its own, and a workflow for CI. On Zensical, the Markdown
    extension in place of the plugin.

    Every change is shown, then written when you agree. What is there already stays as it is. With `--provider`, the
    model proposes five questions, the cost of their answers is shown, they are written, and reviewed with you.
    """
    config = config_file or next(filter(Path.is_file, map(Path, CONFIGURATIONS)), Path(CONFIGURATIONS[0]))
    if not config.is_file():
        raise UsageError(f"there is no `{config}` here", tip="go to the folder of your site, or name it with `-f FILE`")
    if config.suffix == ".toml":
        _init_zensical(config, page, yes=yes, dry_run=dry_run)
        return
    if encoder:
        find_model(encoder, config.parent)
    options = [f"provider: {provider}, reviewer: {provider}"] if provider else []
    plugin = with_plugin(
        config, ", ".join([*options, f"local: {{encoder: {json.dumps(encoder)}}}"] if encoder else options)
    )
    if runs_zensical(config.resolve().parent):
        plugin = with_extension(config, plugin)
    site, asks = opened_with(config, plugin), bool(provider) and not dry_run
    settings, declared_already = site.settings, len(site.declarations)
    if provider:
        _check_option("provider", settings.provider, provider, f"provider: {provider}` and `reviewer: {provider}")
    if encoder:
        _check_option("encoder", settings.local.encoder, encoder, f"local: {{encoder: {encoder}}}")
    if asks and (fault := site.readonly_pipeline().access.check()):
        raise CitedError(fault.reason, tip=fault.tip)
    is_left_alone, first = _is_left_alone(site, page), _first_page(site, config, page, asks=asks)
    changes = list(filter(None, (plugin, first, workflow(site.root, config, site.config.theme))))
    if provider and dry_run and not declared_already:
        price = _price(site, [site.question(f"Question {number}?") for number in range(ASKED)])
        say(f"{price} A model proposes the questions, too; those below are made of headings.")
    if not changes:
        known = summary(("with {} answer{s}", declared_already)) or "without an answer yet"
        say(f"{config} is set up already, {known}", following="mkdocs-cited status" if declared_already else "")
    _write(changes, yes=yes, dry_run=dry_run)
    if is_left_alone:
        _say_left_alone(page)
    elif asks and not declared_already:
        _write_answers(context, config, page, yes=yes)
    elif changes and not dry_run:
        say("", following="`mkdocs serve` shows the answers as you edit; `mkdocs-cited update` records them")
        if not (settings.local.encoder or settings.provider == "anthropic"):
            say("an encoder on this machine finds more answers, without a key", following=_encoder_steps(site.locale))


def _is_left_alone(site: Site, page: str) -> bool:
    """Whether nothing asks anything, and the page that would is there."""
    return not site.declarations and (Path(site.config.docs_dir) / page).exists()


def _say_left_alone(page: str) -> None:
    """Say that a page without a question was there before, and how it gets one."""
    first = f"`{command('add', 'How do I …?', '--page', page)}` writes its first question"
    say(f"{page} was there already: it is as it was, and asks nothing", following=first)


def _encoder_steps(locale: str) -> str:
    """What turns an encoder on that knows a language."""
    name = "minilm" if language_of(locale) == "en" else "multilingual-minilm"
    install = 'pip install "mkdocs-cited[local]"'
    return f"`{install}`, `{command('models', 'get', name)}`, and `local: {{encoder: {name}}}` among the options"


def _init_zensical(config: Path, page: str, *, yes: bool, dry_run: bool) -> None:
    """Set up a site of `zensical.toml`, whose pages are read as they were built."""
    known = read(config, config.parent)
    root, built = known.root, str(known.keys.get("site_dir") or "site")
    site = opened(config, folder=root / built) if (root / built).is_dir() else None
    checks = None if gate(root) else workflow(root, config, "zensical", built)
    changes = list(filter(None, (with_extension(config), _first_page(site, config, page) if site else None, checks)))
    if site and _is_left_alone(site, page):
        _say_left_alone(page)
    if not changes:
        say(f"{config} is set up already", following=command("status", "--site", built))
        return
    _write(changes, yes=yes, dry_run=dry_run)
    if not dry_run:
        update = f"`zensical build`, then `{command('update', '--site', built)}` records the answers"
        say("", following=update if site else "`zensical build`, then `mkdocs-cited init` again for a first page")
        if gate(root) is None:
            say("nothing in CI checks the answers", following=TIP)


def _check_option(name: str, present: str, wanted: str, options: str) -> None:
    """Make sure that a site which was set up before has an option that `init` would write, and not another."""
    if present != wanted:
        message = f"`cited` is set up already, with {f'the {name} `{present}`' if present else f'no {name}'}"
        raise UsageError(message, tip=f"write `{options}` among the options of `cited`")


def _price(site: Site, declarations: Sequence[Declaration]) -> str:
    """What it would cost to answer these questions, in a line."""
    return priced(site.readonly_pipeline().estimate(declarations))


def _write_answers(context: click.Context, config: Path, page: str, *, yes: bool) -> None:
    """Say what the answers of the first page will cost, write them, and review them with a person at the terminal."""
    site = opened(config)
    asked = [item for item in site.declarations if item.page == page]
    say(_price(site, asked))
    if not yes and not agreed("write these answers?"):
        say("", following=command("update", page))
        return
    code = 0
    try:
        context.invoke(update, names=(page,), config_file=config, mode="missing")
    except SystemExit as ended:  # an answer failed, and what is wrong is reported
        code = int(ended.code or 0)
    if sys.stdin.isatty():
        context.invoke(review, names=(page,), config_file=config)
    sys.exit(code)


def _first_page(site: Site, config: Path, name: str, *, asks: bool = False) -> Change | None:
    """A page with questions that the site answers, two where it can; with `asks`, five that a model proposes. Nothing
    where a page asks already, or this one is there."""
    docs, text = Path(site.config.docs_dir).resolve(), b"# FAQ\n"
    path = (docs / name).resolve()
    if not path.is_relative_to(docs):
        raise UsageError(f"`{name}` is no page of {docs.name}/", tip=f"name one below that folder: `--page {PAGE}`")
    name = path.relative_to(docs).as_posix()
    if site.declarations or path.exists():
        return None
    questions = questions_of_model(site) if asks else first_questions(site)
    for question in questions:
        text = with_entry(path.name, text, [("question", question)])
    left = [] if questions else [f"write its first question: `{command('add', 'How do I …?', '--page', name)}`"]
    left += _unlisted(config, name)
    return Change(path, "", text.decode(), "; ".join(left))


def _unlisted(config: Path, name: str) -> list[str]:
    """What to do about a new page where the navigation is a list of pages."""
    listed = read(config, config.parent).keys.get("nav")
    return [f"write `- {name}` into `nav`, where readers find it"] if listed else []


def _write(changes: Sequence[Change], *, yes: bool, dry_run: bool) -> None:
    """Show the changes, and write them once somebody agrees; an error where nobody is there to agree."""
    for change in changes:
        echo(file_diff(os.path.relpath(change.path), change.before, change.after))
    if dry_run or not changes:
        return
    if not yes and not sys.stdin.isatty():
        raise UsageError("nobody is there to agree", tip="run it at a terminal, or with `--yes`")
    if not yes and not agreed("write this?"):
        sys.exit(0)
    for change in changes:
        write_atomically(change.path, change.after.encode())
        say(f"wrote {os.path.relpath(change.path)}", following=change.following)


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
        write_atomically(path, after)
    answer = None if text else site.readonly_pipeline().ask(declaration)
    if new:
        say(f"{src} is a new page", following="; ".join(_unlisted(Path(site.config.config_file_path), src)))
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
    docs = Path(site.config.docs_dir).resolve()
    plain = page.removeprefix("./").removeprefix(f"{site.config.path(docs)}/")
    target = (docs / plain).resolve()
    if target.suffix != ".md" or not target.is_relative_to(docs):
        tip = did_you_mean(Path(plain).with_suffix(".md").as_posix(), [item.src for item in site.corpus.pages()])
        raise UsageError(f"`{page}` is no Markdown file of {docs.name}/", tip=tip)
    return target.relative_to(docs).as_posix()
