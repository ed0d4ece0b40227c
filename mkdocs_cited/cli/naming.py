"""What people call things on the command line: answers by key, id, page, path or glob; themselves by name."""

from __future__ import annotations

import getpass
import subprocess
from collections.abc import Sequence
from pathlib import Path

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean, glob_matches
from mkdocs_cited.mkdocs_host import adapter
from mkdocs_cited.mkdocs_host.site import Site


def chosen(site: Site, names: Sequence[str]) -> list[str]:
    """The keys of the answers that are named, sorted; all of them for no name.

    A name is a key (`faq.md#limits`), an id (`limits`), a page (`faq.md`, `docs/faq.md`), or a glob of pages or keys.

    Raises:
        UsageError: a name stands for nothing; says which one is close.
    """
    keys = sorted(declaration.key for declaration in site.declarations)
    if not names:
        return keys
    docs = adapter.project_path(site.config.docs_dir, site.root)
    out: set[str] = set()
    for name in names:
        named = [key for key in keys if _stands_for(name.removeprefix("./").removeprefix(f"{docs}/"), key)]
        if not named:
            known = dict.fromkeys(word for key in keys for word in (*reversed(key.split("#")), key))
            raise UsageError(f"no page declares an answer `{name}`", tip=did_you_mean(name, known))
        out.update(named)
    return sorted(out)


def _stands_for(name: str, key: str) -> bool:
    page, _, short = key.rpartition("#")
    if name in (key, short, page):
        return True
    is_glob = any(sign in name for sign in "*?") or name.endswith("/")
    return is_glob and (glob_matches(page, (name,)) or glob_matches(key, (name,)))


def person(root: Path) -> str:
    """The name under which a decision is kept: the one that git knows its user by, else the login.

    Raises:
        UsageError: neither is known.
    """
    name = git(root, "config", "user.name").strip()
    try:
        return name or getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise UsageError("nobody's name is known", tip="give `--by NAME`, or set git's `user.name`") from error


def git(root: Path, *arguments: str) -> str:
    """What git prints; empty when it fails, or is not there."""
    try:
        found = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)  # noqa: S603, S607 -- no shell
    except OSError:
        return ""
    return found.stdout.decode("utf-8", "replace") if found.returncode == 0 else ""
