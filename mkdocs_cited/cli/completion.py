"""What the shell offers when TAB is pressed, and `completion`, which teaches it to a shell.

Words come from files alone: no page is rendered for them, and a fault is no word.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.cli.group import main
from mkdocs_cited.cli.output import emit_text, say
from mkdocs_cited.model.finding import CATALOGUE

PROGRAM = "mkdocs-cited"
SHELLS = ("bash", "zsh", "fish")
_FILES = {
    "bash": ".local/share/bash-completion/completions/mkdocs-cited",
    "zsh": ".zfunc/_mkdocs-cited",
    "fish": ".config/fish/completions/mkdocs-cited.fish",
}
"""Shell → where in the home folder it, or the package bash-completion, looks for completions."""

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _among(words: Callable[[click.Context], Iterable[str]]) -> Complete:
    """Offers those of some words that go on as the text before the cursor does."""

    def complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            return [CompletionItem(word) for word in words(context) if word.startswith(incomplete)]
        except (CitedError, OSError):
            return []

    return complete


def keys_of(config_file: Path | None) -> list[str]:
    """The keys that pages and the file of the option `questions` declare, read from these files."""
    from mkdocs_cited.declarations.page import read_page
    from mkdocs_cited.declarations.questions_file import read_questions
    from mkdocs_cited.site_host.configuration import read

    site = read(config_file, Path.cwd())
    docs, found = site.root / str(site.keys.get("docs_dir") or "docs"), []
    for path in sorted(docs.rglob("*.md")):
        data = path.read_bytes()
        if b"answers" in data:
            src = path.relative_to(docs).as_posix()
            found += [item.key for item in read_page(src, src, data).declarations]
    questions = site.options.get("questions")
    if isinstance(questions, str) and (site.root / questions).is_file():
        found += [item.key for item in read_questions(questions, (site.root / questions).read_bytes()).declarations]
    return found


def _names(context: click.Context) -> Iterator[str]:
    """Pages, ids and keys, in the order in which people type them."""
    keys = keys_of(context.params.get("config_file"))
    yield from dict.fromkeys(key.partition("#")[0] for key in keys)
    yield from dict.fromkeys(key.rpartition("#")[2] for key in keys)
    yield from keys


answer_names = _among(_names)
"""For arguments that name answers."""


def _recorded_names(context: click.Context) -> Iterator[str]:
    """Pages that have records, those that are gone among them; then what names answers."""
    from mkdocs_cited.records import Store
    from mkdocs_cited.site_host.configuration import read

    site = read(context.params.get("config_file"), Path.cwd())
    kept = Store(site.root, str(site.options.get("records_dir") or "answers")).keys()
    yield from dict.fromkeys([*(key.rpartition("#")[0] for key in kept), *_names(context)])


def _pages(context: click.Context) -> Iterator[str]:
    """Pages that declare answers."""
    yield from dict.fromkeys(key.rpartition("#")[0] for key in keys_of(context.params.get("config_file")))


recorded_names, declaring_pages = _among(_recorded_names), _among(_pages)
"""For what `rename` takes."""
slugs = _among(lambda _: CATALOGUE)
format_names = _among(lambda _: reporters.FAMILY.names())


def _models(_: click.Context) -> list[str]:
    from mkdocs_cited.local_models import store

    return sorted({*store.recommended(), *(name for name, _ in store.installed())})


model_names = _among(_models)


@main.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Write it where the shell looks for it.")
def completion(shell: str | None, install: bool) -> None:
    """Print what makes a shell complete commands, options, pages and ids, or install it.

    SHELL is `bash`, `zsh` or `fish`; that of `$SHELL` by default.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise UsageError("no shell is named", tip=f"name one: {', '.join(f'`completion {name}`' for name in SHELLS)}")
    script = kind(main, {}, PROGRAM, "_MKDOCS_CITED_COMPLETE").source()
    if not install:
        emit_text(script + "\n")
        return
    path = Path.home() / _FILES[shell]
    write_atomically(path, f"{script}\n".encode())
    zsh = "write `fpath+=~/.zfunc; autoload -Uz compinit; compinit` into ~/.zshrc, and open a new shell"
    say(f"wrote {path}", following=zsh if shell == "zsh" else "open a new shell")
