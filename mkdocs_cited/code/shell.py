"""The definitions of shell scripts and Dockerfiles: variables, `${PORT:-80}`, `ENV`, `ARG` and `FROM`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Kind,
    Reader,
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
_IMAGE = re.compile(r"(?:--platform=\S+[ \t]+)?(?:\S*/)?([\w.-]+):([\w.-]+)")


class Shell(Reader):
    """Variables, and the defaults of those that a script takes from outside."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        for match in _VARIABLE.finditer(text):
            default = _DEFAULT.fullmatch(match[2] or match[4] or "")
            if not default:
                yield _definition(match, match.start(1), Kind.CONSTANT, text, file)
        for match in _DEFAULT.finditer(text):
            yield _made(
                match[1], _value(match[2]), match.start(), Kind.LOOKUP, text, file
            )


class Dockerfile(Reader):
    """Variables, arguments, and the versions of the images that a build begins with."""

    def read(self, text: str, file: str) -> Iterator[Definition]:
        """The definitions of a file."""
        for match in _INSTRUCTION.finditer(text):
            instruction, rest = match[1].upper(), match[2]
            if instruction == "FROM":
                image = _IMAGE.match(rest)
                if image:
                    made = _made(
                        image[1], image[2], match.start(1), Kind.KEY, text, file
                    )
                    yield replace(made, scope=("FROM",))
                continue
            for pair in _PAIR.finditer(rest):
                kind = Kind.LOOKUP if instruction == "ARG" else Kind.CONSTANT
                yield _definition(pair, match.start(2) + pair.start(), kind, text, file)


def _definition(
    match: re.Match[str], at: int, kind: Kind, text: str, file: str
) -> Definition:
    """What a match of a name and a word defines."""
    name, double, single, bare = match.groups()
    if double is not None or single is not None:
        written: Value = double or single or ""
        value = written
        if "$" in (double or "") or "`" in (double or ""):
            value = Computed()
    else:
        value = _value(bare or "")
    return _made(name, value, at, kind, text, file)


def _value(written: str) -> Value:
    if re.search(r"[$`\\]", written):
        return Computed()
    return scalar(written.strip("\"'"))


def _made(
    name: str, value: Value, at: int, kind: Kind, text: str, file: str
) -> Definition:
    line = text.count("\n", 0, at) + 1
    end = text.find("\n", at)
    written = one_line(text[at : end if end >= 0 else len(text)])
    return Definition(name, (), value, kind, file, line, line, written)
