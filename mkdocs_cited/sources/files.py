"""The files and notes that `extra_sources` names: read with care, and cut into passages.

How each format is cut lives in `from_files`; snapshots of external pages are read in `web`. Nothing outside the project
is ever read, and of what a glob names, no hidden file, none that git ignores and nothing that looks like a key.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.git import Refusal, git, repository_of
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.model.places import place_of
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.from_files import MARKDOWN, PYTHON, document_of
from mkdocs_cited.sources.reach import link_to

MOST_BYTES = 2_000_000
"""Size of a file from which it is not read."""
LEFT_OUT = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))
"""Folders that a glob does not enter unless it names them; nor those whose name begins with a dot."""
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


def read_files(
    root: Path,
    entries: Sequence[ExtraSource],
    *,
    config_file: str = "mkdocs.yml",
    link: str = "",
    taken: Collection[str] = (),
    may_be_read: Callable[[str], bool] = lambda path: True,
) -> Iterator[tuple[Page, tuple[Passage, ...]] | Finding]:
    """Yield the files of `extra_sources`, each once, and why one or a glob cannot be read. Never raises for what is in
    the project.

    Args:
        root: folder of the configuration file, which globs are relative to and which nothing may leave.
        config_file: its path for findings about the globs themselves.
        link: address of a file in the repository, with `{path}` for its quoted path; empty for none.
        taken: paths of the site's pages; a file of the same path is told from the page by a leading `./`.
        may_be_read: whether a file, by its path, may be a source at all.
    """
    read: set[str] = set()
    for entry in entries:
        if entry.type == "web":
            continue
        paths, problems = _named(root, entry, root / config_file, config_file)
        yield from problems
        for path in paths:
            if path in read or not may_be_read(path):
                continue
            read.add(path)
            text = _read(root, path)
            if isinstance(text, Finding):
                yield text
                continue
            page = _page(entry, path, len(paths) > 1, link, taken)
            yield (
                page,
                document_of(page, text, PurePosixPath(path).suffix.lower()).passages,
            )


def _named(
    root: Path, entry: ExtraSource, config: Path, config_file: str
) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the paths below the root that an entry names, sorted, and what is wrong with it. What nobody means by `*`
    must be named one by one."""
    problems: list[Finding] = []

    def problem(message: str, tip: str) -> None:
        place = place_of(config, config_file, "extra_sources", ("glob", entry.glob))
        problems.append(
            found("unreadable-source", place, f"`extra_sources`: {message}", tip=tip)
        )

    glob = f"the glob `{entry.glob}`"
    named = files_named(root, entry.glob)
    if named is None:
        tip = "write a path relative to mkdocs.yml that stays within the git repository"
        problem(f"{glob} does not stay within the project", tip)
        return (), problems
    if not named:
        problem(f"{glob} names no file", "globs are relative to mkdocs.yml")
    if named == (entry.glob.strip().removeprefix("./"),):
        return named, problems
    ignored = _ignored(root, named)
    if isinstance(ignored, Refusal):
        message = f"{glob}: git does not say what it ignores, so nothing is read: {ignored.reason}"
        problem(
            message,
            "let git answer here: see `git status`; or name the files one by one",
        )
        return (), problems
    kept: list[str] = []
    left_out: list[str] = []
    for path in named:
        if path in ignored or _is_hidden(path, entry.glob) or _is_key(root / path):
            left_out.append(f"`{path}`")
        else:
            kept.append(path)
    if left_out:
        message = f"{len(left_out)} of the files that `{entry.glob}` names are left out: {', '.join(left_out[:5])}"
        tip = "hidden and ignored files, and what looks like a key, are read where an entry names just that file"
        problem(message, tip)
        problems[-1] = replace(problems[-1], severity=Severity.INFO)
    return tuple(kept), problems


def _read(root: Path, path: str) -> str | Finding:
    """Return the text of a file, or why there is none."""
    line, column, tip = 1, 1, "name a smaller part of it"
    try:
        if (
            not (root / path)
            .resolve()
            .is_relative_to(repository_of(root.resolve()) or root.resolve())
        ):
            problem, tip = (
                "it is a link to a place outside the project",
                "copy the file into the project",
            )
        else:
            data = read_bounded(root / path, MOST_BYTES)
            return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        problem, tip = (
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "save the file as UTF-8",
        )
    except OSError as error:
        problem = error.strerror or type(error).__name__
    message = f"`{path}` of `extra_sources` is left out: {problem}"
    return found("unreadable-source", Place(path, line, column), message, tip=tip)


def _page(
    entry: ExtraSource, path: str, several: bool, link: str, taken: Collection[str]
) -> Page:
    """Return a file or a note as a page; of a note, no address is told."""
    file = PurePosixPath(path)
    url, title = link_to(link, path), path
    if entry.type == "note":
        url, title = "", file.stem
    if entry.name:
        title = entry.name
        if several:
            title += f" ({file.name})"
    src = path
    if path in taken:
        src = f"./{path}"
    return Page(
        src=src, url=url, title=title, locale="", type=SourceType(entry.type), file=path
    )


def files_named(root: Path, glob: str) -> tuple[str, ...] | None:
    """Return the paths relative to the root that a glob names, with `/`, sorted; `None` for a glob that leads out of
    the root, and out of the git repository around it."""
    written = glob.strip().replace("\\", "/")
    pattern = posixpath.normpath(written)
    if written.endswith("/"):
        pattern += "/**"
    if not written or pattern.startswith(("/", "~")) or ":" in pattern[:2]:
        return None
    up = "../" * pattern.split("/").count("..")
    start = root
    if up:
        start = (root / up).resolve()
        if not start.is_relative_to(repository_of(root.resolve()) or root.resolve()):
            return None
    below = pattern.removeprefix(up)
    paths: list[str] = []
    for path in _walk(start, below):
        if glob_matches(path, (below,)):
            paths.append(up + path)
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


_CHECK = ("check-ignore", "--verbose", "--non-matching", "--stdin", "-z")


def _is_key(file: Path) -> bool:
    """True if a file is called as keys are, or holds one. Code and docs about passwords are neither."""
    if _KEY_FILE.fullmatch(
        file.name
    ) and file.suffix.lower() not in MARKDOWN | PYTHON | {".rst", ".html"}:
        return True
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return _KEY.search(opened.read(MOST_SEARCHED)) is not None
    except OSError:
        return False


def _ignored(root: Path, paths: Sequence[str]) -> frozenset[str] | Refusal:
    """Return the paths that git ignores. Outside of a repository, as in an image of a container, those that a
    `.gitignore` of the project names."""
    if repository_of(root) is not None:
        return _ignored_by(root, paths, ())
    folders: set[PurePosixPath] = set()
    for path in paths:
        folders.update(PurePosixPath(path).parents)
    if not any((root / folder / ".gitignore").is_file() for folder in folders):
        return frozenset()
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as repository:
        said = git(root, "init", "-q", "--bare", repository)
        if isinstance(said, Refusal):
            return said
        return _ignored_by(
            root, paths, ("--git-dir", repository, "--work-tree", str(root))
        )


def _ignored_by(
    root: Path, paths: Sequence[str], where: Sequence[str]
) -> frozenset[str] | Refusal:
    """Return the paths that git ignores, each asked for in its own folder: one in a submodule or behind a link is
    enough for git to refuse elsewhere."""
    in_folder: defaultdict[Path, dict[str, str]] = defaultdict(dict)
    for path in paths:
        real = (root / path).resolve()
        in_folder[real.parent][real.name] = path
    ignored: set[str] = set()
    for folder, names in in_folder.items():
        said = git(folder, *where, *_CHECK, sent="\0".join(names))
        if isinstance(said, Refusal):
            return said
        # of each name: file, line and pattern of a rule, and the name
        fields = said.split("\0")
        rules = dict(zip(fields[3::4], fields[2::4], strict=False))
        if not rules.keys() >= names.keys():
            return Refusal("git does not answer for each file")
        for name, path in names.items():
            if rules[name] and not rules[name].startswith("!"):
                ignored.add(path)
    return frozenset(ignored)
