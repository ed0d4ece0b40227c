"""What code and configuration define: `definitions()` reads the names of a file with their values and places.

`PythonText` is what a file of Python says besides. One file a language or format. Other packages of ours use this door
and `interface`, and no reader by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath

from mkdocs_cited.code import data, python, variables
from mkdocs_cited.code.interface import MOST_CHARACTERS, Definition
from mkdocs_cited.code.python_text import PythonText
from mkdocs_cited.code.trees import LANGUAGES, TreeReader

__all__ = ["PythonText", "definitions", "fault", "is_read", "needs_extra"]

_READERS: Mapping[str, Callable[[str, str], Iterator[Definition]]] = {
    ".py": python.definitions,
    ".pyi": python.definitions,
    ".yml": data.yaml_keys,
    ".yaml": data.yaml_keys,
    ".json": data.json_keys,
    ".jsonc": data.json_keys,
    ".json5": data.json_keys,
    ".toml": data.toml_keys,
    ".ini": variables.settings,
    ".cfg": variables.settings,
    ".conf": variables.settings,
    ".env": variables.settings,
    ".properties": variables.properties,
    ".sh": variables.script,
    ".bash": variables.script,
    "Dockerfile": variables.dockerfile,
}
"""Suffix of a file's name → what reads it, and raises an error that says why it does not parse, with the line."""
_GRAMMARS: Mapping[str, str] = {
    ".go": "go",
    ".rs": "rust",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".js": "tsx",
    ".mjs": "tsx",
    ".cjs": "tsx",
    ".jsx": "tsx",
    ".java": "java",
    ".cs": "csharp",
}
"""Suffix of a file's name → the grammar that it is read with; JavaScript is a part of TSX."""


def definitions(text: str, file: str) -> tuple[Definition, ...]:
    """The definitions of a file, in its order; none where no reader knows it, or it does not parse.

    Args:
        file: its path, with `/`; its name says which language it is in.
    """
    found: list[Definition] = []
    with suppress(*python.UNPARSABLE):
        found.extend(_read(text, file))  # what comes before an error stays
    return tuple(found)


def fault(text: str, file: str) -> str:
    """Why a file does not parse, with the line; empty where it does, and where its reader cannot tell."""
    try:
        tuple(_read(text, file))
    except python.UNPARSABLE as error:
        return str(error).replace("<unknown>, ", "")
    return ""


def _read(text: str, file: str) -> Iterable[Definition]:
    """The definitions of a file; an error, where it does not parse, once those before are read."""
    suffix = _suffix(file)
    if len(text) > MOST_CHARACTERS or not is_read(file):
        return ()
    if suffix in _READERS:
        return _READERS[suffix](text, file)
    return _tree_reader(_GRAMMARS[suffix]).read(text, file)


def is_read(file: str) -> bool:
    """True if there is a reader for a file of this name, and what it needs is installed."""
    suffix = _suffix(file)
    return suffix in _READERS or (suffix in _GRAMMARS and _has_grammar(suffix))


def needs_extra(file: str) -> bool:
    """True if a file of this name would be read if the extra `code` were installed."""
    return _suffix(file) in _GRAMMARS and not is_read(file)


def _suffix(file: str) -> str:
    """What the name of a file says of its format; empty where it says nothing."""
    path = PurePosixPath(file)
    if path.name.startswith(".env"):  # `.env.example`, `.env.sample`
        return ".env"
    for suffix in reversed(path.suffixes):  # `settings.ini.sample`
        if suffix in _READERS or suffix in _GRAMMARS:
            return suffix
    return path.name.partition(".")[0]


@cache  # the disk is asked once
def _has_grammar(suffix: str) -> bool:
    return find_spec(LANGUAGES[_GRAMMARS[suffix]][0]) is not None


_tree_reader = cache(TreeReader)
"""A reader prepares its parser once."""
