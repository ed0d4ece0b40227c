"""The files of a project that facts are read from: its pages, and its code and configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Set
from pathlib import Path, PurePosixPath

from msgspec import Struct

from mkdocs_cited import code
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import Refusal, listed, read_bounded, repository_of
from mkdocs_cited.base.text import with_plain_ends

DOCS = frozenset(
    "docs doc documentation website book guide guides manual wiki site content".split()
)
"""Names of folders of pages."""
_OTHER = re.compile(
    r"(?:^|/)(?:\.[^/]+|node_modules|vendor|third_party|(?:[\w-]+[-_.])?(?:tests?|specs?|fixtures?|mocks?|snapshots?|testdata|"
    r"examples?|samples?|demos?|scripts?|tools?|hack|playgrounds?|benchmarks?|migrations?|locales?|i18n|e2e|ci)(?:[-_.]\w+)?|__\w+__|dist)/",
    re.IGNORECASE,
)
"""Folders whose code is not the product."""
_OTHER_FILE = re.compile(
    r"(?:^|[-_./])(?:tests?|spec|stories|mock|conftest|bundle)(?:[-_.][^/]*)?\.\w+$|(?:^|/)test_|[-_.]bench\.\w+$|\.min\.js$|\.d\.ts$|"
    r"(?:^|/)(?:package-lock|pnpm-lock|composer)\b|\.lock$|(?:^|/)\.(?!env)[^/]+$|"
    r"(?:^|/)(?:docs?|documentation|website)/(?:.*/)?[^/]*\.(?:ya?ml|json\w?|toml|ini|cfg|conf|env)$",
    re.IGNORECASE,
)
_NOT_CURRENT = re.compile(
    r"(?:^|/)(?:\.[^/]+|node_modules|vendor|(?:versioned|version)[-_][^/]*|v?\d+(?:\.(?:\d+|x))+[^/]*|blog|posts?|news|"
    r"change-?logs?|releases?|release[-_]notes|migrat\w*|upgrad\w*|adrs?|rfcs?|proposals?|(?:\w+[-_.])?tests?|testdata|fixtures?|"
    r"examples?|tutorials?|samples?)/",
    re.IGNORECASE,
)
_NOT_CURRENT_PAGE = re.compile(
    r"(?:^|/)[^/]*(?:change-?log|release|history|migrat|upgrad|whats-?new|roadmap)[^/]*$",
    re.IGNORECASE,
)
_TRANSLATION = re.compile(
    r"(?:^|/)([a-z]{2}|[a-z]{2,3}[-_](?:[A-Z][a-z]{3}|[A-Z]{2}))/"
)
_LANGUAGE = "en"


class ProjectFiles(Struct, frozen=True):
    """Paths relative to the root, with `/`."""

    pages: tuple[str, ...]
    sources: tuple[str, ...]
    unread: tuple[str, ...]
    """Sources that the extra `code` would read."""


def project_files(root: Path, ours: Iterable[Path] = ()) -> ProjectFiles:
    """The files of a folder: pages that git does not ignore, and sources that it tracks, as others may hold secrets.
    Without a repository, all.

    Args:
        ours: folders whose files are none of the project: those of a built site and of records.

    Raises:
        CitedError: git does not say which files it tracks.
    """
    everything = listed(root, "--cached", "--others", "--exclude-standard")
    if not isinstance(everything, Refusal):
        names = sources = sorted(everything)
        tracked = listed(root)
        if tracked and not isinstance(tracked, Refusal):
            sources = sorted(tracked)
    elif repository_of(root.resolve()):
        message = f"git does not say which files it tracks, so none is read: {everything.reason}"
        raise CitedError(message, tip="let git answer here: see `git status`")
    else:
        names = sources = list(_walked(root))
    made = tuple(f"{Path(os.path.relpath(path, root)).as_posix()}/" for path in ours)
    known = frozenset(names)
    pages = []
    for name in names:
        if not name.startswith(made) and _is_page(name, known):
            pages.append(name)
    product = []
    for name in sources:
        if name.startswith(made) or _OTHER.search(name) or _OTHER_FILE.search(name):
            continue
        product.append(name)
    return ProjectFiles(
        pages=tuple(pages),
        sources=tuple(filter(code.is_read, product)),
        unread=tuple(filter(code.needs_extra, product)),
    )


def text_of(path: Path) -> str:
    """The text of a file; empty for one that is not there, or that might never end."""
    try:
        data = read_bounded(path)
    except OSError:
        return ""
    return with_plain_ends(data.decode("utf-8-sig", "replace"))


def _is_page(name: str, names: Set[str]) -> bool:
    """True if a file is a page of today's docs in English."""
    path = PurePosixPath(name)
    if path.suffix not in (".md", ".markdown", ".mdx") or _is_translated(name, names):
        return False
    if _NOT_CURRENT.search(name) or _NOT_CURRENT_PAGE.search(name):
        return False
    folders = {part.lower() for part in path.parts[:-1]}
    return not DOCS.isdisjoint(folders) or not _OTHER.search(name)


def _is_translated(name: str, names: Set[str]) -> bool:
    """True if a page lies in the folder of a language, and is there in English too: `docs/de/x.md` of `docs/x.md`."""
    for folder in _TRANSLATION.finditer(name):
        before, after = name[: folder.start(1)], name[folder.end() :]
        if not folder[1].startswith(_LANGUAGE) and not names.isdisjoint(
            (before + after, f"{before}{_LANGUAGE}/{after}")
        ):
            return True
    return False


def _walked(root: Path) -> Iterable[str]:
    """The files of a folder without those in hidden folders, in a fixed order."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            yield (Path(folder) / name).relative_to(root).as_posix()
