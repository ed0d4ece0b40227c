"""The site that a command works on: opening and checking it, the answers that are named, and git."""

from __future__ import annotations

import difflib
import subprocess
from collections.abc import Callable, Sequence
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from mkdocs_cited.base.errors import UsageError, gathered
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.cli.group import F, config_option, site_option
from mkdocs_cited.cli.output import command, progress
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.records.format import key_of

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.finding import Finding
    from mkdocs_cited.model.report import Report

CLOSE = 3
"""Names that may have been meant, at most."""


def names_argument(*, required: bool = False) -> Callable[[F], F]:
    """NAMES: what people call answers."""
    return click.argument("names", nargs=-1, required=required)


def opened(config_file: Path | None, *, folder: Path | None = None) -> Site:
    """The site with its pages read: those of the last build where nothing has changed since.

    Args:
        config_file: as MkDocs' own `--config-file`.
        folder: a built site, whose pages are read instead of rendering them.

    Raises:
        UsageError: the configuration is wrong, the plugin is not in it, or the folder does not hold this site.
        CitedError: another part of MkDocs could not build the site.
    """
    with progress(what="reading the pages") as bar:
        from mkdocs_cited.mkdocs_host.site import load  # what takes long is said before it is imported

        site = load(config_file, site=folder, progress=bar.pages)
        _ = site.corpus  # which reads what there is apart from the pages: here, where it is said
        return site


class Where(NamedTuple):
    """Which site a command is about."""

    config_file: Path | None
    folder: Path | None

    def opened(self) -> Site:
        """`opened()` of what the command line says."""
        return opened(self.config_file, folder=self.folder)


def site_options(command: F) -> F:
    """`--config-file` and `--site`, given to a command as `where`."""

    def called(*arguments: Any, config_file: Path | None, folder: Path | None, **options: Any) -> Any:
        return command(*arguments, where=Where(config_file, folder), **options)

    return cast("F", config_option(site_option(update_wrapper(called, command))))


def checked(site: Site) -> Report:
    """What is wrong with the answers, found offline and without writing anything."""
    with progress(what="checking the answers") as bar:
        return site.check(bar.answers)


def chosen(site: Site, names: Sequence[str], *, with_faults: bool = False) -> list[str]:
    """The keys of the answers that are named, as a reader meets them; all of them for no name.

    A name is a key (`faq.md#limits`), an id (`limits`), a page (`faq.md`, `docs/faq.md`), the file of a record, or a
    glob of pages or keys.

    Args:
        with_faults: a page whose declarations cannot be read may be named, too; it has no keys.

    Raises:
        UsageError: names name nothing; says of each which one is close.
    """
    keys = site.keys
    if not names:
        return keys
    out: set[str] = set()
    wrong: list[UsageError] = []
    for name in names:
        plain = plain_name(site, name)
        named = [key for key in keys if _names(plain, key)]
        unread = [] if named else unread_pages(site, [name])
        if unread and not with_faults:
            wrong.append(UsageError(f"{unread[0].place}: {unread[0].message}", tip=unread[0].tip))
        elif not named and not unread:
            wrong.append(UsageError(f"no page declares an answer `{name}`", tip=_tip(site, plain, keys)))
        out.update(named)
    if wrong:
        raise gathered(wrong)
    return [key for key in keys if key in out]


def unread_pages(site: Site, names: Sequence[str] = ()) -> list[Finding]:
    """Why declarations of the named pages, by default of all, cannot be read: answers listed nowhere."""
    docs, plain = docs_of(site), [plain_name(site, name) for name in names]
    wrong = [item for item in site.build.findings if item.slug == "invalid-declaration" and not item.answer]
    return [
        item
        for item in wrong
        if item.severity is Severity.ERROR
        and (not names or any(_names(name, f"{item.place.file.removeprefix(docs)}#") for name in plain))
    ]


def docs_of(site: Site) -> str:
    """The folder of the pages with a slash at its end, as places have it."""
    return f"{site.config.path(site.config.docs_dir)}/"


def plain_name(site: Site, name: str) -> str:
    """A name as keys have it: a path below the docs, or the key of the record whose file is named."""
    root, path = site.root.resolve(), Path(name)
    if path.is_absolute() and path.is_relative_to(root):
        name = path.relative_to(root).as_posix()
    name = name.removeprefix("./")
    record = name.removeprefix(f"{site.settings.records_dir}/")
    return (key_of(record) if record != name else "") or name.removeprefix(docs_of(site))


def _names(name: str, key: str) -> bool:
    page, _, short = key.rpartition("#")
    if name in (key, short, page):
        return True
    is_glob = any(sign in name for sign in "*?") or name.endswith("/")
    return is_glob and (glob_matches(page, (name,)) or glob_matches(key, (name,)))


def _tip(site: Site, name: str, keys: Sequence[str]) -> str:
    """What may have been meant: the closest names, a few of them, or where they are all listed."""
    if not keys:
        return 'no page declares any: `mkdocs-cited add "How do I …?" --page faq.md` writes one'
    if any(page.src == name for page in site.corpus.pages()):
        return f"the page is there, and asks nothing: `{command('add', 'How do I …?', '--page', name)}`"
    words = [word for word in dict.fromkeys(part for key in keys for part in (*key.split("#"), key)) if word]
    close = [word for word in words if name.casefold() in word.casefold()]
    close += difflib.get_close_matches(name.casefold(), words, n=CLOSE, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(f'`{word}`' for word in dict.fromkeys(close[:CLOSE]))}?"
    return f"`mkdocs-cited status` lists the {len(keys)} answers"


def git(root: Path, *arguments: str) -> str:
    """What git prints; empty when it fails, or is not there."""
    try:
        found = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)  # noqa: S603, S607 -- no shell
    except OSError:
        return ""
    return found.stdout.decode("utf-8", "replace") if found.returncode == 0 else ""
