"""The definitions of shell scripts and Dockerfiles: variables, `${PORT:-80}`, `ENV`, `ARG` and `FROM`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Kind,
    Value,
    one_line,
)
from mkdocs_cited.code.literals import scalar

_WORD = r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s;&|]*)"
_VARIABLE = re.compile(
    r"^[ \t]*(?:(?:export|readonly|local|declare)(?:[ \t]+-\w+)?[ \t]+)?([A-Za-z_]\w*)=(?:"
    + _WORD
    + ")",
    re.MULTILINE,
)
_DEFAULT = re.compile(r"\$\{([A-Za-z_]\w*):?[-=]([^{}]*)\}")
_INSTRUCTION = re.compile(
    r"^[ \t]*(ENV|ARG|FROM)[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE | re.IGNORECASE
)
_PAIR = re.compile(r"([A-Za-z_]\w*)(?:=|[ \t]+)(?:" + _WORD + ")")
_SHOWN = 400
"""Characters of a line that are looked at to show it."""
_IMAGE = re.compile(r"(?:--platform=\S+[ \t]+)?(?:\S*/)?([\w.-]+):([\w.-]+)")


def script(text: str, file: str) -> Iterator[Definition]:
    """The variables of a script, and the defaults of those that it takes from outside."""
    made = partial(_made, text, file)
    for match in _VARIABLE.finditer(text):
        if not _DEFAULT.fullmatch(match[2] or match[4] or ""):
            yield made(match.start(1), match[1], _word(match), Kind.CONSTANT)
    for match in _DEFAULT.finditer(text):
        yield made(match.start(), match[1], _bare(match[2]), Kind.LOOKUP)


def dockerfile(text: str, file: str) -> Iterator[Definition]:
    """Variables, arguments, and the versions of the images that a build begins with."""
    made = partial(_made, text, file)
    for match in _INSTRUCTION.finditer(text):
        instruction, rest = match[1].upper(), match[2]
        if instruction == "FROM":
            image = _IMAGE.match(rest)
            if image:
                made_of = made(match.start(), image[1], image[2], Kind.KEY)
                yield replace(made_of, scope=("FROM",))
            continue
        kind = Kind.LOOKUP if instruction == "ARG" else Kind.CONSTANT
        for pair in _PAIR.finditer(rest):
            yield made(match.start(2) + pair.start(), pair[1], _word(pair), kind)


def _word(match: re.Match[str]) -> Value:
    """The value of a word behind a name."""
    _, double, single, bare = match.groups()
    if double is None and single is None:
        return _bare(bare or "")
    if re.search(r"[$`]", double or ""):
        return Computed()
    return double or single or ""


def _bare(written: str) -> Value:
    """The value of a word without quotes."""
    if re.search(r"[$`\\]", written):
        return Computed()
    return scalar(written.strip("\"'"))


def _made(
    text: str, file: str, at: int, name: str, value: Value, kind: Kind
) -> Definition:
    """A definition at an offset of a file's text."""
    line = text.count("\n", 0, at) + 1
    written = one_line(text[at : at + _SHOWN].partition("\n")[0])
    return Definition(name, (), value, kind, file, line, line, written)
