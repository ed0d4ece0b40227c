"""The definitions of files that set one variable a line: INI, `.env`, shell scripts and Dockerfiles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Kind,
    Value,
    one_line,
    scalar,
)

_SETTING = re.compile(
    r"[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(.*?)[ \t]*"
)
_SECTION = re.compile(r"[ \t]*\[([^\]\n]+)\][ \t]*")
_COMMENT = re.compile(r"(?:^|\s)[#;].*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")
_FILLED_IN = re.compile(r"\$[{(]|\{[{%]|<%|^(?!').*[$`]", re.DOTALL)
"""Placeholders of shells and templates, whose values stand elsewhere."""
_WORD = r"(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s;&|]*)"
_VARIABLE = re.compile(
    r"(^[ \t]*|(?:;|&&|\|\||\b(?:then|else|do))[ \t]+)"
    r"(?:(?:export|readonly|local|declare)(?:[ \t]+-\w+)?[ \t]+)?([A-Za-z_]\w*)="
    + _WORD,
    re.MULTILINE,
)
_DEFAULT = re.compile(r"\$\{([A-Za-z_]\w*):?[-=]([^{}]*)\}")
_INSTRUCTION = re.compile(
    r"^[ \t]*(ENV|ARG|FROM)[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE | re.IGNORECASE
)
_PAIR = re.compile(r"([A-Za-z_]\w*)(?:=|[ \t]+)" + _WORD)
_IMAGE = re.compile(r"(?:--platform=\S+[ \t]+)?(?:\S*/)?([\w.-]+):([\w.-]+)")


def settings(text: str, file: str) -> Iterator[Definition]:
    """The settings of an INI file under their sections; the variables of a `.env` file.

    Raises:
        ValueError: a section is not closed; the settings are read all the same.
    """
    fault = None
    scope: tuple[str, ...] = ()
    quote = ""
    for line, written in enumerate(text.split("\n"), 1):
        section, setting = _SECTION.fullmatch(written), _SETTING.fullmatch(written)
        if quote:  # within a text of several lines
            if quote in written:
                quote = ""
        elif section:
            scope = (section[1],)
        elif written.startswith("[") and "]" not in written:
            fault = ValueError(f"there is no `]` behind the section (line {line})")
        elif setting:
            name, stated = setting.groups()
            if stated.startswith(("'", '"')) and stated.count(stated[0]) == 1:
                quote = stated[0]
            else:
                yield _made(file, line, (*scope, name), stated)
    if fault:
        raise fault


def properties(text: str, file: str) -> Iterator[Definition]:
    """The settings of a file of Java's properties, under the parts of their names: `server.port=80`."""
    for item in settings(text, file):
        *scope, name = item.name.split(".")
        yield replace(item, name=name, scope=tuple(scope))


def script(text: str, file: str) -> Iterator[Definition]:
    """The variables of a shell script, and the defaults of those that it takes from outside."""
    for match in _VARIABLE.finditer(text):
        before, name, value = match.groups()
        if not _DEFAULT.fullmatch(value.strip('"')):
            line = text.count("\n", 0, match.start(2)) + 1
            # within a block, and behind `&&`, it is set on a condition
            kind = Kind.KEY if before else Kind.CONSTANT
            yield _made(file, line, (name,), value, kind)
    for match in _DEFAULT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield _made(file, line, (match[1],), match[2], Kind.LOOKUP)


def dockerfile(text: str, file: str) -> Iterator[Definition]:
    """Variables, arguments, and the versions of the images that a build begins with."""
    for match in _INSTRUCTION.finditer(text):
        instruction, rest = match[1].upper(), match[2]
        line = text.count("\n", 0, match.start(1)) + 1
        image = _IMAGE.match(rest)
        if instruction == "FROM" and image:
            made = _made(file, line, ("FROM", image[1]), image[2])
            yield replace(made, value=image[2])
        if instruction == "FROM":
            continue
        kind = Kind.LOOKUP if instruction == "ARG" else Kind.CONSTANT
        for pair in _PAIR.finditer(rest):
            below = rest.count("\n", 0, pair.start())
            yield _made(file, line + below, (pair[1],), pair[2], kind)


def _made(
    file: str,
    line: int,
    path: tuple[str, ...],
    written: str,
    kind: Kind = Kind.KEY,
) -> Definition:
    """A definition on a line."""
    name, scope = path[-1], path[:-1]
    text = one_line(written)
    return Definition(name, scope, _value(written), kind, file, line, line, text)


def _value(written: str) -> Value:
    """The value of a variable, without the comment behind it."""
    if _FILLED_IN.search(written):
        return Computed()
    quoted = _QUOTED.match(written)
    if quoted:
        return quoted[1] or quoted[2] or ""
    return scalar(_COMMENT.sub("", written))
