"""The table of recommended models, `recommended.toml`: where each comes from, and what is known of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from msgspec import Struct

from mkdocs_cited.local_models.layout import Kind


class Recommended(Struct, frozen=True):
    """A model that can be fetched by name."""

    repository: str
    """On the model hub: `organisation/name`."""
    revision: str
    """Commit of the repository, 40 hexadecimal digits."""
    kind: Kind
    licence: str
    """SPDX identifier, as its card states it."""
    megabytes: int
    """Size of the network's file."""
    languages: str
    network: str
    """Path of the ONNX file in the repository."""
    files: tuple[str, ...]
    """Paths of the other files."""
    published: str
    """What others report of it."""
    measured: str
    """What was run with this project; empty for nothing."""
    sha256: Mapping[str, str]
    """Path → hash, for the files that are pinned one by one."""


@cache
def recommended() -> Mapping[str, Recommended]:
    """Every recommended model by its name here."""
    text = resources.files(__package__).joinpath("recommended.toml").read_text(encoding="utf-8")
    return {
        name: Recommended(**{**entry, "files": tuple(entry["files"])}) for name, entry in tomllib.loads(text).items()
    }
