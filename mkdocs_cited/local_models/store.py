"""The encoders on this machine, a folder each in the user's cache, and the table of those that can be fetched by name.

`recommended.toml` holds that table: where each comes from, and what is known of it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import platformdirs
from msgspec import Struct

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean, digest
from mkdocs_cited.local_models.layout import Layout, network_of, parts_of

HOME = "MKDOCS_CITED_MODELS"
"""Variable that names another folder for models."""


class Origin(Struct, frozen=True):
    """Where a model comes from, and what is known of it."""

    repository: str
    """On the model hub: `organisation/name`."""
    revision: str
    """Commit of the repository, 40 hexadecimal digits."""
    licence: str = ""
    """SPDX identifier, as its card states it."""
    megabytes: int = 0
    """Size of the network's file."""
    languages: str = ""
    network: str = ""
    """Path of the ONNX file in the repository; empty for the first of `ONNX_FILES`."""
    published: str = ""
    """What others report of it."""
    measured: str = ""
    """What was run with this project."""
    sha256: Mapping[str, str] = {}
    """Path → hash, for the files that are pinned one by one."""


@cache
def recommended() -> Mapping[str, Origin]:
    """Every recommended model by its name here."""
    text = resources.files(__package__).joinpath("recommended.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Origin])


def home() -> Path:
    """The folder of all models."""
    given = os.environ.get(HOME)
    return Path(given) if given else platformdirs.user_cache_path("mkdocs-cited") / "models"


def installed() -> Iterator[tuple[str, Path]]:
    """Name and folder of every model that is here."""
    for path in sorted(home().iterdir()) if home().is_dir() else ():
        if not path.name.startswith(".") and network_of(path):
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
    here = dict(installed())
    if name in here:
        return here[name]
    tip = did_you_mean(name, (*here, *recommended()))
    tip = f"run `mkdocs-cited models get {name}`" if name in recommended() else tip
    raise UsageError(f"the model `{name}` is not on this machine", tip=tip)


def identity(layout: Layout) -> str:
    """A model's key in caches: its name and the hash of its network, with its weights."""
    return f"{layout.folder.name}@{digest(*map(sha256_of, parts_of(layout.network)), length=16)}"


def sha256_of(path: Path) -> str:
    """The hash of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
