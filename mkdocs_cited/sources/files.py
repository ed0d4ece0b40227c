"""Which files of the repository may be cited: those that git tracks, and those that `extra_sources` names.

`Repository.page` decides for a mark. Of what a glob names, no hidden file is read, none that git ignores and nothing
that looks like a key. Nothing outside of the repository is ever read, and nothing that the plugin wrote. `from_files`
cuts each format into passages; `snapshots` reads those of external pages.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import quote

from msgspec.structs import replace
from pathspec.gitignore import GitIgnoreSpec

from mkdocs_cited.base.files import Refusal, listed, real_path, repository_of, text_of
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.model.declaration import MARKDOWN
from mkdocs_cited.model.finding import Finding, Place, Severity, found, place_of
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.model.source import Page, Refused, SourceType
from mkdocs_cited.sources import Document
from mkdocs_cited.sources.from_files import PYTHON, document_of

MOST_BYTES = 2_000_000
"""Size of a file from which it is not read."""
LEFT_OUT = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))
"""Folders that a glob does not enter unless it names them; nor those whose name begins with a dot."""
_WORDS = (*MARKDOWN, *PYTHON, ".rst", ".html")
"""Endings of files that may be about keys, by name."""
MOST_SEARCHED = 100_000
"""How much of a file is searched for keys."""
_KEY_FILE = re.compile(
    r"(?:.*\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|age|tfstate|tfvars|ovpn|mobileprovision)(?:\..*)?"
    r"|(?:.*\.)?env(?:rc|\..*)?|[._](?:netrc|npmrc|pypirc|htpasswd|git-credentials|pgpass|my\.cnf)(?:\..*)?"
    r"|(?:.*[._-])?kubeconfig(?:[._-].*)?|id_(?:rsa|dsa|ecdsa|ed25519).*|service[_-]account.*\.json"
    r"|.*(?:secret|credential|password|passwd)s?(?:[._-].*)?|(?:.*\.)?env~|.*(?:private|api)[_-]?key.*|key\.json"
    r"|.*firebase-adminsdk.*\.json|.*vault[_-]pass.*)",
    re.IGNORECASE | re.DOTALL,
)
_KEY = re.compile(
    rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30}|\bgithub_pat_\w{20}"
    rb"|\bglpat-[\w-]{18}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20}|\bxox[abpsr]-[\w-]{10}|\bAIza[\w-]{30}|\bnpm_[A-Za-z0-9]{30}"
    rb"|\bpypi-[\w-]{50}"
)
"""Keys of which a few characters tell what they are."""


class Repository:
    """Which files may be sources. Paths are relative to the project; those beside it begin with `../`."""

    def __init__(
        self,
        root: Path,
        *,
        docs_dir: str = "docs",
        link: str = "",
        written: Collection[str] = (),
        held: Mapping[str, str] = MappingProxyType({}),
        taken: Collection[str] = (),
        excluded: Sequence[str] = (),
    ) -> None:
        """Nothing is asked of git before a file is.

        Args:
            root: the folder of `mkdocs.yml`.
            docs_dir: the folder of the pages, relative to it or absolute.
            link: address of a file on the repository's host, with `{path}` for its path in the project.
            written: absolute paths, without links, of the files and folders that the plugin writes to.
            held: path below `docs_dir` of each page that readers do not see → why.
            taken: paths of the site's pages; see `file`.
            excluded: globs of pages that are no sources (`exclude`).
        """
        self.root = root.resolve()
        docs = os.path.relpath(self.root / docs_dir, self.root)
        self.docs_dir = Path(docs).as_posix()
        self.link, self._written, self._held = link, written, held
        self._taken, self._excluded = taken, excluded

    @cached_property
    def top(self) -> Path | None:
        """The root of the repository; nothing outside of one."""
        return repository_of(self.root)

    @cached_property
    def tracked(self) -> frozenset[str] | Refusal:
        """Paths from the root of the repository of what git tracks."""
        if self.top is None:
            return frozenset()
        return listed(self.top)

    def may_be_read(self, path: str) -> bool:
        """True if readers see a file and the plugin does not write it."""
        is_held = posixpath.relpath(path, self.docs_dir) in self._held
        return not is_held and not is_in(self.root / path, self._written)

    def is_outside(self, path: str) -> bool:
        """True if a path leads out of the repository, or of the project where there is none, or to git's own files."""
        top = self.top or self.root
        real = real_path(self.root / path)
        return not real.is_relative_to(top) or real.is_relative_to(top / ".git")

    def page(self, path: str) -> Page | Refused:
        """A tracked file as a document without text.

        Args:
            path: relative to the project; `./README.md` of the file that has the path of a page.
        """
        path = posixpath.normpath(path)
        why, tip = self._refused(path)
        if why:
            return Refused(f"`{path}` {why}", tip)
        return self.file(path)

    def file(self, path: str) -> Page:
        """A file as a document without text, which may be cited: under its path, behind a `./` where a page has the
        same."""
        src = path
        if path in self._taken:
            src = f"./{path}"
        return Page(
            src,
            link_to(self.link, path),
            path,
            locale="",
            type=SourceType.FILE,
            file=path,
        )

    def known(self) -> Iterator[str]:
        """The tracked files, relative to the project."""
        if self.top is None or isinstance(self.tracked, Refusal):
            return
        inside = self.root.relative_to(self.top).as_posix()
        for path in sorted(self.tracked):
            yield posixpath.relpath(path, inside)

    def _refused(self, path: str) -> tuple[str, str]:
        """Why a file may not be cited, behind its name, and what to do; empty where it may."""
        by_name = f"name it in the option `extra_sources`: `- glob: {path}`"
        real = real_path(self.root / path)
        below = posixpath.relpath(path, self.docs_dir)
        if below in self._held:
            tip = "cite a page that every reader of the site can see"
            return self._held[below], tip
        if self.is_outside(path):
            return "is outside of the repository", "copy the file into the repository"
        if not os.path.isfile(real):  # noqa: PTH113 -- no name is too long for it
            return "does not exist", ""
        if not below.startswith("../"):
            if self._excluded and glob_matches(below, self._excluded):
                why = "is no page that may be cited: the option `exclude` names it"
                return why, "cite another page, or take it out of `exclude`"
            if path.lower().endswith(MARKDOWN):
                why = "is no page that may be cited: the site has it not, or hides it"
                return (
                    why,
                    "see `search: {exclude: true}` in it, and the option `include`",
                )
        if self.top is None:
            why = "is no file that may be cited: there is no git repository here"
            return why, by_name
        if not self.may_be_read(path):
            why = "is written by this plugin, and proves nothing"
            return why, "cite what it was written from"
        if isinstance(self.tracked, Refusal):
            why = f"may not be cited, since git does not say whether it tracks it: {self.tracked.reason}"
            return why, f"see `git status`, or {by_name}"
        if real.relative_to(self.top).as_posix() not in self.tracked:
            why = "is a file that git does not track"
            return why, f"if every reader may see it, `git add {path}`, or {by_name}"
        return "", ""


def is_in(path: str | Path, places: Iterable[str]) -> bool:
    """True if a file, behind its links, is one of some absolute paths without links, or in one of them."""
    real = os.path.realpath(path)
    return any(real == place or real.startswith(place + os.sep) for place in places)


def link_to(link: str, path: str) -> str:
    """The address of a file on its host; a path beside the project leaves the project's folder in it."""
    head, named, tail = link.partition("{path}")
    if not named:
        return ""
    while path.startswith("../"):
        path = path.removeprefix("../")
        head = head.rstrip("/").rpartition("/")[0] + "/"
    return f"{head}{quote(path)}{tail}"


def read_files(
    repository: Repository,
    entries: Sequence[ExtraSource],
    *,
    config_file: str = "mkdocs.yml",
) -> Iterator[tuple[Page, Document] | Finding]:
    """Yield the files of `extra_sources`, each once, and why one or a glob cannot be read. Never raises for what is in
    the project.

    Args:
        repository: which files may be sources. Globs are relative to its project.
        entries: the entries of the option.
        config_file: path of the configuration, for findings about the globs themselves.
    """
    root = repository.root
    read: set[str] = set()
    for entry in entries:
        if entry.type == "web":
            continue
        kept, problem = _chosen(root, entry.glob)
        if problem:
            step = ("glob", entry.glob)
            place = place_of(root / config_file, config_file, "extra_sources", step)
            yield replace(problem, place=place)
        for path in kept:
            if path in read or not repository.may_be_read(path):
                continue
            read.add(path)
            text = _read(repository, path)
            if isinstance(text, Finding):
                yield text
                continue
            page = _page(entry, path, repository, several=len(kept) > 1)
            suffix = PurePosixPath(path).suffix.lower()
            yield page, document_of(page, text, suffix)


def _chosen(root: Path, glob: str) -> tuple[list[str], Finding | None]:
    """Return the paths that are read of those that a glob names, and what is wrong with it. What nobody means by `*`
    must be named one by one."""
    named = files_named(root, glob)
    if not named:
        problem = f"the glob `{glob}` names no file of the project"
        tip = "globs are relative to mkdocs.yml, and stay within the git repository"
        return [], _finding(problem, tip)
    if named == (glob.strip().removeprefix("./"),):
        return list(named), None
    ignored = _ignored(root, named)
    if isinstance(ignored, Refusal):
        problem = f"the glob `{glob}`: git does not say what it ignores, so nothing is read: {ignored.reason}"
        tip = "let git answer here: see `git status`; or name the files one by one"
        return [], _finding(problem, tip)
    kept = []
    left_out = []
    for path in named:
        if path in ignored or _is_hidden(path, glob) or _is_key(root / path):
            left_out.append(f"`{path}`")
        else:
            kept.append(path)
    if not left_out:
        return kept, None
    shown = ", ".join(left_out[:5])
    problem = f"{len(left_out)} of the files that `{glob}` names are left out: {shown}"
    tip = "hidden and ignored files, and what looks like a key, are read where an entry names just that file"
    return kept, replace(_finding(problem, tip), severity=Severity.INFO)


def _finding(problem: str, tip: str) -> Finding:
    """Return what is wrong with an entry, whose place is not known yet."""
    message = f"`extra_sources`: {problem}"
    return found("unreadable-source", Place(""), message, tip=tip)


def _read(repository: Repository, path: str) -> str | Finding:
    """Return the text of a file, or why there is none."""
    place, tip = Place(path), "name a smaller part of it"
    try:
        if not repository.is_outside(path):
            return text_of(repository.root / path, MOST_BYTES)
        problem = "it is a link to a place outside the project"
        tip = "copy the file into the project"
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace").split("\n")
        place = Place(path, len(before), len(before[-1]) + 1)
        problem = f"byte 0x{error.object[error.start]:02x} is not UTF-8"
        tip = "save the file as UTF-8"
    except OSError as error:
        problem = error.strerror or type(error).__name__
    message = f"`{path}` of `extra_sources` is left out: {problem}"
    return found("unreadable-source", place, message, tip=tip)


def _page(
    entry: ExtraSource, path: str, repository: Repository, *, several: bool
) -> Page:
    """Return a file or a note as a page; of a note, no address is told."""
    page, name = repository.file(path), PurePosixPath(path)
    title = entry.name
    if several:
        title = f"{entry.name} ({name.name})"
    if entry.type == "note":
        page = replace(page, url="", title=name.stem, type=SourceType.NOTE)
    if entry.name:
        page = replace(page, title=title)
    return page


def files_named(root: Path, glob: str) -> tuple[str, ...]:
    """Return the paths relative to the root that a glob names, with `/`, sorted; none for a glob that leads out of the
    root, and out of the git repository around it."""
    written = glob.strip().replace("\\", "/")
    pattern = posixpath.normpath(written)
    if written.endswith("/"):
        pattern += "/**"
    up = "../" * pattern.split("/").count("..")
    below = pattern.removeprefix(up)
    root = root.resolve()
    start = (root / up).resolve()
    is_whole = below.startswith(("/", "~")) or ":" in below[:2]
    is_inside = start.is_relative_to(repository_of(root) or root)
    if not written or is_whole or not is_inside:
        return ()
    paths = [up + path for path in _walk(start, below) if glob_matches(path, (below,))]
    return tuple(sorted(paths))


def _walk(root: Path, pattern: str) -> Iterator[str]:
    """Yield every file that a pattern could name, without entering folders that it does not ask for."""
    *above, _ = pattern.split("/")
    start = root
    for part in above:
        if "*" in part or "?" in part:
            break
        start /= part
    for folder, folders, files in os.walk(start):  # links to folders are not followed
        inside = Path(folder).relative_to(root)
        if "**" not in pattern and len(inside.parts) >= len(above):
            folders.clear()
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and name not in LEFT_OUT
        ]
        for name in files:
            yield (inside / name).as_posix()


def _is_hidden(path: str, glob: str) -> bool:
    """True if a part of a path is hidden. A hidden folder that the glob spells out (`.github/*.md`) is meant."""
    spelled = glob.replace("\\", "/").split("/")
    return any(part.startswith(".") and part not in spelled for part in path.split("/"))


def _is_key(file: Path) -> bool:
    """True if a file is called as keys are, or holds one. Code and docs about passwords are neither."""
    if _KEY_FILE.fullmatch(file.name) and file.suffix.lower() not in _WORDS:
        return True
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return _KEY.search(opened.read(MOST_SEARCHED)) is not None
    except OSError:
        return False


def _ignored(root: Path, paths: Sequence[str]) -> set[str] | Refusal:
    """Return the paths that git ignores, each by the repository that it is in, which may be another one, as of a
    submodule. Outside of all, as in an image of a container, those that a `.gitignore` names."""
    by_repository: defaultdict[Path, dict[str, str]] = defaultdict(dict)
    outside = []
    for path in paths:
        real = real_path(root / path)
        top = repository_of(real.parent)
        if top is None:
            outside.append(path)
        else:
            by_repository[top][real.relative_to(top).as_posix()] = path
    ignored = _named_in_gitignore(root, outside)
    for top, names in by_repository.items():
        known = listed(top, "--cached", "--others", "--exclude-standard")
        if isinstance(known, Refusal):
            return known
        ignored.update(path for name, path in names.items() if name not in known)
    return ignored


def _named_in_gitignore(root: Path, paths: Sequence[str]) -> set[str]:
    """Return the paths that a `.gitignore` in a folder around them names, without asking git."""
    rules_in = cache(_rules)  # each file is read once
    ignored: set[str] = set()
    for path in map(PurePosixPath, paths):
        for folder in path.parents:
            if rules_in(root / folder).match_file(path.relative_to(folder)):
                ignored.add(str(path))
    return ignored


def _rules(folder: Path) -> GitIgnoreSpec:
    """Return what the `.gitignore` of a folder names."""
    lines = []
    with suppress(OSError):
        lines = (folder / ".gitignore").read_text("utf-8", "replace").splitlines()
    return GitIgnoreSpec.from_lines(lines)
