"""The files and notes that `extra_sources` names: read with care, and cut into passages.

How each format is cut lives in `from_files`; snapshots of external pages are read in `web`. Nothing outside the project
is ever read, and of what a glob names, no hidden file, none that git ignores and nothing that looks like a key.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath

from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.git import Refusal, git, repository_of
from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding, Place, Severity, found
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.settings.places import place_of
from mkdocs_cited.sources.from_files import MARKDOWN, PYTHON, document_of
from mkdocs_cited.sources.reach import link_to

MOST_BYTES = 2_000_000
"""Size of a file from which it is not read."""
MOST_LINES = 50_000
"""Lines of a file from which it is not read: each may become a passage."""
MOST_FILES = 1_000
"""Files of one glob from which the rest is not read."""
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
    findings: list[Finding],
    *,
    config_file: str = "mkdocs.yml",
    link: str = "",
    taken: Collection[str] = (),
    may_be_read: Callable[[str], bool] = lambda path: True,
) -> list[tuple[Page, tuple[Passage, ...]]]:
    """The files of `extra_sources` in order of their paths, each once. Never raises for what is in the project.

    Args:
        root: folder of the configuration file, which globs are relative to and which nothing may leave.
        findings: takes what could not be read, and why.
        config_file: its path for findings about the globs themselves.
        link: address of a file in the repository, with `{path}` for its quoted path; empty for none.
        taken: paths of the site's pages; a file of the same path is told from the page by a leading `./`.
        may_be_read: whether a file, by its path, may be a source at all.
    """
    documents: dict[str, tuple[Page, tuple[Passage, ...]]] = {}
    for entry in entries:
        paths = _named(root, entry, config_file, findings, may_be_read) if entry.type != "web" else []
        for path in paths:
            text = _read(root, path, findings) if path not in documents else None
            if text is not None:
                page = _page(entry, path, len(paths) > 1, link, taken)
                documents[path] = (page, document_of(page, text, PurePosixPath(path).suffix.lower()).passages)
    return [documents[path] for path in sorted(documents)]


def _named(
    root: Path, entry: ExtraSource, config_file: str, findings: list[Finding], may_be_read: Callable[[str], bool]
) -> list[str]:
    """Paths below the root that an entry names, sorted. What nobody means by `*` must be named one by one."""

    def noted(message: str, tip: str) -> Finding:
        place = place_of(root / config_file, config_file, "extra_sources", ("glob", entry.glob))
        return found("unreadable-source", place, f"`extra_sources`: {message}", tip=tip)

    matched, glob = files_named(root, entry.glob), f"the glob `{entry.glob}`"
    if matched is None:
        tip = "write a path relative to mkdocs.yml that stays within the git repository"
        findings.append(noted(f"{glob} does not stay within the project", tip))
    elif not matched:
        findings.append(noted(f"{glob} names no file", "globs are relative to mkdocs.yml"))
    elif len(matched) > MOST_FILES:
        message = f"{glob} names {len(matched)} files; only {MOST_FILES} are read"
        findings.append(noted(message, "name the files that answers need"))
    named = (matched or ())[:MOST_FILES]
    alone = named == (entry.glob.strip().removeprefix("./"),)
    if alone:
        return [path for path in named if may_be_read(path)]
    ignored, refusal = _ignored(root, named)
    if refusal:
        message = f"{glob}: git does not say what it ignores, so nothing is read: {refusal}"
        findings.append(noted(message, "let git answer here: see `git status`; or name the files one by one"))
    left_out = [path for path in named if path in ignored or _is_hidden(path, entry.glob) or _is_key(root / path)]
    if left_out and not refusal:
        few = ", ".join(f"`{path}`" for path in left_out[:5]) + (", …" if len(left_out) > 5 else "")
        message = f"{len(left_out)} of the files that `{entry.glob}` names are left out: {few}"
        tip = "hidden and ignored files, and what looks like a key, are read where an entry names just that file"
        findings.append(replace(noted(message, tip), severity=Severity.INFO))
    return [path for path in named if path not in left_out and may_be_read(path)]


def _read(root: Path, path: str, findings: list[Finding]) -> str | None:
    """The text of a file, or None after noting why there is none."""
    line, column, tip = 1, 1, "name a smaller part of it"
    try:
        if not (root / path).resolve().is_relative_to(repository_of(root.resolve()) or root.resolve()):
            problem, tip = "it is a link to a place outside the project", "copy the file into the project"
        else:
            data = read_bounded(root / path, MOST_BYTES)
            text = data.decode("utf-8-sig")
            if text.count("\n") <= MOST_LINES:
                return text
            problem = f"it has more than {MOST_LINES:,} lines"
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        problem, tip = f"byte 0x{data[error.start]:02x} is not UTF-8", "save the file as UTF-8"
    except OSError as error:
        problem = error.strerror or type(error).__name__
    message = f"`{path}` of `extra_sources` is left out: {problem}"
    findings.append(found("unreadable-source", Place(path, line, column), message, tip=tip))
    return None


def _page(entry: ExtraSource, path: str, several: bool, link: str, taken: Collection[str]) -> Page:
    name = PurePosixPath(path).name
    title = entry.name or (path if entry.type == "file" else PurePosixPath(path).stem)
    if entry.name and several:
        title = f"{entry.name} ({name})"
    return Page(
        src=f"./{path}" if path in taken else path,
        url=link_to(link, path) if entry.type == "file" else "",
        title=title,
        locale="",
        type=SourceType(entry.type),
        file=path,
    )


def files_named(root: Path, glob: str) -> tuple[str, ...] | None:
    """Paths relative to the root that a glob names, with `/`, sorted; `None` for a glob that leads out of the root, and
    out of the git repository around it."""
    written = glob.strip().replace("\\", "/")
    pattern = posixpath.normpath(written)
    if written.endswith("/"):
        pattern += "/**"
    if not written or pattern.startswith(("/", "~")) or ":" in pattern[:2]:
        return None
    up = pattern.split("/").count("..")
    start = root
    if up:
        start = root.joinpath(*[".."] * up).resolve()
    if up and not start.is_relative_to(repository_of(root.resolve()) or root.resolve()):
        return None
    below = pattern.removeprefix("../" * up)
    found = sorted(path for path in _walk(start, below) if glob_matches(path, (below,)))
    return tuple("../" * up + path for path in found)


def _walk(root: Path, pattern: str) -> Iterator[str]:
    """Every file that a pattern could name, without entering folders that it does not ask for."""
    parts = pattern.split("/")
    fixed = next((n for n, part in enumerate(parts[:-1]) if set(part) & set("*?")), len(parts) - 1)
    start = root.joinpath(*parts[:fixed])
    for folder, folders, files in os.walk(start):  # links to folders are not followed
        inside = Path(folder).relative_to(root).as_posix()
        depth = 0
        if inside != ".":
            depth = inside.count("/") + 1
        deeper = "**" in pattern or depth < len(parts) - 1
        folders[:] = sorted(n for n in folders if deeper and not n.startswith(".") and n not in LEFT_OUT)
        for name in files:
            if inside == ".":
                yield name
            else:
                yield f"{inside}/{name}"


def _is_hidden(path: str, glob: str) -> bool:
    """Whether a part of a path is hidden. A hidden folder that the glob spells out (`.github/*.md`) is meant."""
    spelled = glob.replace("\\", "/").split("/")
    return any(part.startswith(".") and part not in spelled for part in path.split("/"))


def _is_key(file: Path) -> bool:
    """Whether a file is called as keys are, or holds one. Code and docs about passwords are neither."""
    if _KEY_FILE.fullmatch(file.name) and file.suffix.lower() not in MARKDOWN | PYTHON | {".rst", ".html"}:
        return True
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return _KEY.search(opened.read(MOST_SEARCHED)) is not None
    except OSError:
        return False


def _ignored(root: Path, paths: Sequence[str]) -> tuple[frozenset[str], str]:
    """Paths that git ignores, with those of which it does not say so, and why it does not; none outside of a
    repository."""
    if not paths:
        return frozenset(), ""
    if repository_of(root) is None:
        return _ignored_in_copy(root, paths)
    said = git(root, "check-ignore", "--stdin", "-z", sent="\0".join(paths))
    if isinstance(said, str):
        return frozenset(said.split("\0")), ""
    # One path in a submodule or behind a link is enough for git to refuse; in the path's own folder it answers.
    ignored, refusal = set[str](), ""
    for path in paths:
        own = (root / path).resolve()
        said = git(own.parent, "check-ignore", own.name)
        if said:
            ignored.add(path)
        if isinstance(said, Refusal):
            refusal = said.reason
    return frozenset(ignored), refusal


def _ignored_in_copy(root: Path, paths: Sequence[str]) -> tuple[frozenset[str], str]:
    """The same of a copy without its repository, as images of containers have it, by its `.gitignore` files."""
    folders = {parent for path in paths for parent in PurePosixPath(path).parents}
    if not any((root / folder / ".gitignore").is_file() for folder in folders):
        return frozenset(), ""
    with tempfile.TemporaryDirectory(prefix="mkdocs-cited-") as repository:
        said = git(root, "init", "-q", "--bare", repository)
        if isinstance(said, str):
            where = ("--git-dir", repository, "--work-tree", str(root))
            said = git(root, *where, "check-ignore", "--no-index", "--stdin", "-z", sent="\0".join(paths))
    if isinstance(said, Refusal):
        return frozenset(paths), said.reason
    return frozenset(said.split("\0")), ""
