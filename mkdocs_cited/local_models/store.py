"""The models on this machine: a folder each in the user's cache, with a manifest that says what must be in it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import platformdirs
from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.local_models.cache import Cache
from mkdocs_cited.local_models.layout import ONNX_FILES
from mkdocs_cited.local_models.recommended import recommended

HOME = "MKDOCS_CITED_MODELS"
"""Variable that names another folder for models."""
MANIFEST = "manifest.json"
MOST_MANIFEST_BYTES = 1_000_000
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")


class Manifest(Struct, frozen=True):
    """What a model's folder was when it came."""

    name: str
    repository: str
    """Where it came from: a repository of the hub, or the folder that it was copied from."""
    revision: str
    """Commit of the repository; empty for a folder."""
    files: tuple[tuple[str, str, int], ...]
    """(path, SHA-256, bytes) of each file, sorted."""

    def as_json(self) -> bytes:
        """The text of its file."""
        files = {path: {"sha256": sha256, "size": size} for path, sha256, size in self.files}
        data = {"version": 1, "name": self.name, "repository": self.repository, "revision": self.revision}
        return (json.dumps(data | {"files": files}, indent=2) + "\n").encode()


def home() -> Path:
    """The folder of all models."""
    given = os.environ.get(HOME)
    return Path(given) if given else platformdirs.user_cache_path("mkdocs-cited") / "models"


def installed() -> Iterator[tuple[str, Path]]:
    """Name and folder of every model that is here."""
    folder = home()
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.is_dir() and (path / MANIFEST).is_file():
                yield path.name, path


def find(name: str, root: Path | None = None) -> Path:
    """The folder of a model, by its name or as a path (relative to `root`).

    Raises:
        UsageError: it is not on this machine; with the command that fetches it.
    """
    if "/" in name or os.sep in name:
        folder = (root or Path.cwd()) / name
        if not folder.is_dir():
            raise UsageError(f"{folder}: there is no such folder", tip="name a folder with a model, or a model's name")
        return folder
    if _NAME.fullmatch(name) and (home() / name).is_dir():
        return home() / name
    here = tuple(known for known, _ in installed())
    tip = (
        f"run `mkdocs-cited models get {name}`"
        if name in recommended()
        else did_you_mean(name, (*here, *recommended()))
    )
    raise UsageError(f"the model `{name}` is not on this machine", tip=tip)


def new_folder(name: str) -> Path:
    """Where a model of this name goes.

    Raises:
        UsageError: the name is no plain word.
    """
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise UsageError(f"`{name}` is no name for a model", tip="letters, digits, `-`, `_` and `.`, at most 100")
    return home() / name


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a model's folder; nothing for a folder that was never fetched.

    Raises:
        CitedError: it cannot be read.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > MOST_MANIFEST_BYTES:
            raise ValueError("too large")
        data = json.loads(path.read_text(encoding="utf-8"))
        files = tuple(
            sorted((str(name), str(item["sha256"]), int(item["size"])) for name, item in data["files"].items())
        )
        return Manifest(str(data["name"]), str(data["repository"]), str(data["revision"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CitedError(f"{path}: no manifest: {error}", tip="remove the model and fetch it again") from error


def seal(folder: Path, name: str, repository: str, revision: str) -> Manifest:
    """Write down what is in a folder now."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    manifest = Manifest(
        name,
        repository,
        revision,
        tuple((path.relative_to(folder).as_posix(), sha256_of(path), path.stat().st_size) for path in files),
    )
    write_atomically(folder / MANIFEST, manifest.as_json())
    return manifest


def faults(folder: Path) -> tuple[str, ...]:
    """What of a model is not as its manifest says; empty when it is whole.

    Raises:
        CitedError: there is no manifest that can be read.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise CitedError(f"{folder}: no {MANIFEST}", tip=f"run `mkdocs-cited models get NAME --from {folder}`")
    return tuple(_faults(folder, manifest.files))


def _faults(folder: Path, files: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    for name, sha256, size in files:
        path = folder / PurePosixPath(name)
        if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
            yield f"{name}: a path that leads out of the folder"
        elif not path.is_file():
            yield f"{name}: missing"
        elif path.stat().st_size != size:
            yield f"{name}: {path.stat().st_size:,} bytes in place of {size:,}"
        elif sha256_of(path) != sha256:
            yield f"{name}: its content has changed"


def remove(name: str) -> Path:
    """Delete a model.

    Raises:
        UsageError: it is not here.
    """
    folder = new_folder(name)
    if not folder.is_dir():
        raise UsageError(
            f"the model `{name}` is not on this machine", tip="`mkdocs-cited models list` shows those that are"
        )
    shutil.rmtree(folder)
    return folder


def identity(folder: Path) -> str:
    """What stands for a model in caches and stored verdicts: its name and the hash of its network."""
    network = next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)
    return f"{folder.name}@{sha256_of(network)[:16] if network else 'none'}"


def cache() -> Cache:
    """Where scores and vectors are kept: beside the models, for every project of this user."""
    return Cache(home().parent / "vectors-and-scores.sqlite")


def sha256_of(path: Path) -> str:
    """The hash of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
