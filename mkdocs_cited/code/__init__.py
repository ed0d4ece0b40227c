"""What code and configuration define: `definitions()` reads the names of a file with their values and places.

One file a language or format. Other packages of ours use this door and `interface`, and no reader by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePosixPath

from mkdocs_cited.code.interface import MOST_CHARACTERS, Definition, Reader

_SUFFIXES = {
    "python:Python": ".py .pyi",
    "data:Yaml": ".yml .yaml",
    "data:Json": ".json .jsonc .json5",
    "data:Toml": ".toml",
    "data:Ini": ".ini .cfg .conf",
    "data:Env": ".env",
    "shell:Shell": ".sh .bash",
    "go:Go": ".go",
    "rust:Rust": ".rs",
    "javascript:TypeScript": ".ts .mts .cts",
    "javascript:JavaScript": ".tsx .js .mjs .cjs .jsx",
}
"""`module:class` of a reader → suffixes of the names of its files."""
_READERS: dict[str, str] = {}
"""The other way round."""
for _kind, _suffixes in _SUFFIXES.items():
    _READERS.update(dict.fromkeys(_suffixes.split(), f"{__name__}.{_kind}"))
_NAMES: Mapping[str, str] = {"Dockerfile": "mkdocs_cited.code.shell:Dockerfile"}
"""Beginning of a file's name, where no suffix says what it is → its reader."""
_LIBRARIES: Mapping[str, str] = {
    "mkdocs_cited.code.go": "tree_sitter_go",
    "mkdocs_cited.code.rust": "tree_sitter_rust",
    "mkdocs_cited.code.javascript": "tree_sitter_typescript",
}
"""Module of a reader → the library of the extra `code` that it needs."""


def definitions(text: str, file: str) -> tuple[Definition, ...]:
    """The definitions of a file, in its order; none where no reader knows it, or it does not parse.

    Args:
        file: its path, with `/`; its name says which language it is in.
    """
    name = _reader_name(file)
    if not name or len(text) > MOST_CHARACTERS or not _is_installed(name):
        return ()
    return tuple(_reader(name).read(text, file))


def is_read(file: str) -> bool:
    """True if there is a reader for a file of this name, and what it needs is installed."""
    name = _reader_name(file)
    return bool(name) and _is_installed(name)


def needs_extra(file: str) -> bool:
    """True if a file of this name would be read if the extra `code` were installed."""
    name = _reader_name(file)
    return bool(name) and not _is_installed(name)


@cache  # the disk is asked once
def _is_installed(name: str) -> bool:
    library = _LIBRARIES.get(name.partition(":")[0])
    return library is None or find_spec(library) is not None


def _reader_name(file: str) -> str:
    path = PurePosixPath(file)
    if path.name.startswith(".env"):  # `.env.example`, `.env.sample`
        return _READERS[".env"]
    for suffix in reversed(path.suffixes):  # `settings.ini.sample`
        if suffix in _READERS:
            return _READERS[suffix]
    for start, name in _NAMES.items():
        if path.name.startswith(start):
            return name
    return ""


@cache  # a reader prepares its parser once
def _reader(name: str) -> Reader:
    module, _, kind = name.partition(":")
    reader: type[Reader] = getattr(import_module(module), kind)
    return reader()
