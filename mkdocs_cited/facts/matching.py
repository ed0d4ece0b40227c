"""Which definition a statement is about, and whether it has the value that is stated.

The name is equal and whole. Of several definitions the ones that declare a default come before those that merely have
the name, and those whose scope the page speaks of before others. Where more than one thing may be meant, or the value
is known at run time only, nothing is decided.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cache
from pathlib import PurePosixPath

from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import Computed, Definition, Kind, Reference, Value
from mkdocs_cited.facts.comparing import Verdict, compared
from mkdocs_cited.facts.files import DOCS
from mkdocs_cited.facts.inline import is_shaped
from mkdocs_cited.facts.rules import is_named
from mkdocs_cited.facts.statement import Fact, Statement, Status

NOT_FOUND = "the code has no value with this name"
_AMBIGUOUS = "several names in the code match, with different values"
_AT_RUN_TIME = "its value is known only at run time"
_CONDITION = "the docs state it with a condition, or for more than one name"
_NOT_COMPARABLE = "the two values cannot be compared"
_WEAK = "the value in the code may not be the default"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DECLARING = frozenset("default setting config configuration option".split())
"""Words, without a plural's s, of a scope or a file that holds defaults."""
_DATA = frozenset(
    (
        ".config",
        ".yml",
        ".yaml",
        ".json",
        ".jsonc",
        ".json5",
        ".toml",
        ".ini",
        ".cfg",
        ".conf",
        ".env",
    )
)
_SCRIPTS = (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
_VAGUE = frozenset(
    "docs doc default defaults option options setting settings configuration config index readme".split()
)
_PLACED = 2
"""The rank of a definition in a place for defaults."""
_MOST_HOPS = 5
_MOST = 500
"""Definitions of one name; with more, it is no name of one thing."""


def key(name: str) -> str:
    """What names of one setting have in common in every writing: `--cache-ttl`, `CACHE_TTL`, `cacheTtl`."""
    return re.sub(r"[\W_]", "", name).casefold()


class Index:
    """Definitions by their names."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._by_key: dict[str, list[Definition]] = defaultdict(list)
        self._constants: dict[str, list[Definition]] = defaultdict(list)
        self.folders = set[str]()
        """Words of the folders that code lies in."""
        everything = list(definitions)
        for definition in everything:
            if definition.kind not in (Kind.PARAMETER, Kind.UNSET):
                self._constants[definition.name].append(definition)
        for file in {definition.file for definition in everything}:
            self.folders |= folder_words(file)
        for definition in everything:
            if self._is_any_call(definition):
                continue
            known = self._with_names(definition)
            for written in {key(name) for name in (known.name, *known.also)}:
                self._by_key[written].append(known)

    def _is_any_call(self, definition: Definition) -> bool:
        """True if it is a call with a name, of a function that has no default of its own."""
        value = definition.value
        is_call = isinstance(value, Reference) and value.name.endswith("()")
        return is_call and isinstance(self.resolved(definition), Reference)

    def _with_names(self, definition: Definition) -> Definition:
        """A look-up by a constant's name has the text of the constant for a name, too."""
        if definition.kind is not Kind.LOOKUP:
            return definition
        texts = {
            item.value
            for item in self._constants.get(definition.name, [])
            if isinstance(item.value, str)
        }
        return (
            replace(definition, also=(*definition.also, *texts))
            if len(texts) == 1
            else definition
        )

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is this one, in any writing."""
        return self._by_key.get(key(name), ())

    def resolved(self, definition: Definition) -> Value:
        """The definition's value; that of the constant which it names, where one is meant."""
        value = definition.value
        hops = 0
        while isinstance(value, Reference) and hops < _MOST_HOPS:
            hops += 1
            found = self._constants.get(last_name(value), [])[:_MOST]
            here = [item for item in found if item.file == definition.file]
            values = {repr(item.value): item.value for item in here or found}
            if len(values) != 1:
                break
            value = next(iter(values.values()))
        return value


def last_name(reference: Reference) -> str:
    """`PORT` of `defaults.PORT`, of `Config::PORT` and of `PORT()`."""
    return re.split(r"\.|::", reference.name.removesuffix("()"))[-1]


def matched(statement: Statement, index: Index) -> Fact:
    """What the code says of a statement."""
    named = named_in(statement, index)
    if not named:
        return Fact(statement, Status.UNKNOWN, reason=NOT_FOUND)
    if len(named) > _MOST:
        return Fact(statement, Status.UNKNOWN, named[0], reason=_AMBIGUOUS)
    given = [item for item in named if item.kind is not Kind.UNSET]
    given = [
        item for item in given if item.kind is not Kind.LOOKUP or item.value is not None
    ] or given
    fact = Fact(statement, Status.UNKNOWN, named[0], reason=_AT_RUN_TIME)
    if given:
        fact = _of_several(statement, given, index)
    if fact.status is Status.UNKNOWN:
        known = [
            item
            for item in given
            if not isinstance(index.resolved(item), (Computed, Reference))
        ]
        return _agreeing(statement, known, index) or _unset(statement, named) or fact
    return fact


def _agreeing(
    statement: Statement, named: Sequence[Definition], index: Index
) -> Fact | None:
    """The fact that one of the best definitions has the value which is stated."""
    if not named:
        return None
    found = _best(statement, named)
    is_only = len({repr(index.resolved(item)) for item in named}) == 1
    if not (
        is_only
        or _strength(found[0]) == 3
        or _is_near(statement, found[0])
        or _is_whole(statement, found[0])
    ):
        return None
    for item in found:
        value = index.resolved(item)
        if compared(statement.value, value, statement.text) is Verdict.SAME:
            return Fact(statement, Status.AGREES, item, value)
    return None


def _unset(statement: Statement, named: Sequence[Definition]) -> Fact | None:
    """The fact that the member which is meant has no value, as is stated; something near it may set another one."""
    if any(item.kind is not Kind.UNSET and _is_near(statement, item) for item in named):
        return None
    for item in named:
        is_meant = item.kind is Kind.UNSET and (
            len(named) == 1 or _is_near(statement, item)
        )
        if (
            is_meant
            and compared(statement.value, item.value, statement.text) is Verdict.SAME
        ):
            return Fact(statement, Status.AGREES, item, item.value)
    return None


def _of_several(
    statement: Statement, named: Sequence[Definition], index: Index
) -> Fact:
    """What comparing with the best of some definitions gives."""
    agreeing = _agreeing(statement, named, index)
    if agreeing:
        return agreeing
    found = _best(statement, named)
    values = [index.resolved(item) for item in found]
    verdicts = [compared(statement.value, value, statement.text) for value in values]
    everywhere = {repr(index.resolved(item)): index.resolved(item) for item in named}
    is_only = len(everywhere) == 1
    is_elsewhere = Verdict.SAME in [
        compared(statement.value, value, statement.text)
        for value in everywhere.values()
    ]
    is_contested = _is_declared_otherwise(statement, named, index)
    if is_elsewhere and not _is_declared(statement, found[0]):
        is_contested = True
    reason = ""
    if not statement.is_sure:
        reason = _CONDITION
    elif any(isinstance(value, (Computed, Reference)) for value in values):
        reason = _AT_RUN_TIME
    elif len({repr(value) for value in values}) > 1:
        reason = _AMBIGUOUS
    elif Verdict.UNSURE in verdicts:
        reason = _NOT_COMPARABLE
    elif is_contested:
        reason = _AMBIGUOUS
    elif not _proves(statement, found[0], index, is_only=is_only):
        reason = _WEAK
    if reason:
        return Fact(statement, Status.UNKNOWN, found[0], values[0], reason)
    return Fact(statement, Status.DIFFERS, found[0], values[0])


def agrees(fact: Fact) -> bool:
    """True if code says the same."""
    return fact.status is Status.AGREES


Part = tuple[str, tuple[str, ...], str, tuple[str, ...]]
"""Page and outer headings of a statement, file and scope of a definition."""


def part_of(statement: Statement, definition: Definition) -> Part:
    """What a statement and its neighbours are about, if they agree."""
    return statement.file, statement.headings[:-1], definition.file, definition.scope


def doubted(fact: Fact, documented: Set[Part]) -> Fact:
    """The fact; unknown in place of different, where nothing shows that its page is about the class, function or
    mapping that the definition lies in.

    Args:
        documented: parts of pages with what they are about, as other statements show.
    """
    definition = fact.definition
    if fact.status is not Status.DIFFERS or definition is None:
        return fact
    statement = fact.statement
    if (
        statement.code
        or _is_declared(statement, definition)
        or _is_near(statement, definition)
    ):
        return fact
    if part_of(statement, definition) in documented:
        return fact
    return replace(fact, status=Status.UNKNOWN, reason=_WEAK)


def named_in(statement: Statement, index: Index) -> list[Definition]:
    """The definitions that have one of the statement's names, as a name of code may be written."""
    found: dict[int, Definition] = {}
    for name in statement.names:
        for item in index.named(_last(name)):
            if statement.code and not is_named(item.file, statement.code):
                continue
            if any(
                _is_same_name(_last(name), other) for other in (item.name, *item.also)
            ):
                found[id(item)] = item
    return list(found.values())


def _last(name: str) -> str:
    """The last part of a dotted name."""
    return parts_of(name)[-1]


def _is_same_name(one: str, other: str) -> bool:
    """True if two names of one key are one name: a constant is written in capitals, and a field is not."""
    if one.lstrip("-").replace("-", "_") == other.lstrip("-").replace("-", "_"):
        return True
    return not one.isupper() and not other.isupper()


def _best(statement: Statement, named: Sequence[Definition]) -> list[Definition]:
    """The definitions of the best rank, and of these the ones nearest to the statement: below the folder of a README
    before all others."""
    below = [item for item in named if _is_below_readme(statement, item)]
    named = below or named
    whole = [item for item in named if _is_whole(statement, item)]
    named = whole or named
    strongest = max(_strength(item) for item in named)
    found = [item for item in named if _strength(item) == strongest]
    nearest = max(_nearness(statement, item) for item in found)
    return [item for item in found if _nearness(statement, item) == nearest]


def _strength(definition: Definition) -> int:
    """How surely a definition is a default: 3 declares one, 2 has one in a place for them, 1 has a value."""
    kind = definition.kind
    words = _scope_words(definition)
    is_data = _is_data(definition)
    is_guard = (
        definition.file.endswith((".rs", *_SCRIPTS)) and not definition.name.isupper()
    )
    # of a chart
    if kind is Kind.OPTION or PurePosixPath(definition.file).stem == "values":
        return 3
    if kind is Kind.LOOKUP:  # `options.size || 0` may only guard against nothing
        return 1 if is_guard else 3
    is_default = "default" in words
    if kind is Kind.FIELD and definition.file.endswith((".go", ".rs")):
        return 3 if is_default or definition.also else 1
    if kind is Kind.FIELD or (kind is Kind.KEY and is_default and not is_data):
        return 3
    if kind is Kind.CONSTANT and not definition.scope and definition.name.isupper():
        return 2
    if is_data:
        return 2 if is_default else 1
    if kind is Kind.KEY and words & _DECLARING:
        return 2
    return 1


def _is_whole(statement: Statement, definition: Definition) -> bool:
    """True if the docs write the name with all that it lies in: `server.port`."""
    path = [key(part) for part in definition.path]
    for name in statement.names:
        parts = [key(part) for part in parts_of(name)]
        if len(parts) > 1 and path[-len(parts) :] == parts:
            return True
    return False


def _is_data(definition: Definition) -> bool:
    """True if it lies in a file of configuration, also in `config.yaml.example`."""
    return any(suffix in _DATA for suffix in PurePosixPath(definition.file).suffixes)


def _nearness(statement: Statement, definition: Definition) -> int:
    """How many words of the statement's surroundings its scope and file have; its very name counts too."""
    words = _scope_words(definition)
    score = 10 * len(_prefix_words(statement) & words)
    if is_exact(statement, definition):
        score += 5
    score += 3 * len((_words(statement.heading) - _VAGUE) & words)
    for part in (statement.page, *statement.headings[:-1]):
        score += len((_words(part) - _VAGUE) & words)
    return score


def _is_near(statement: Statement, definition: Definition) -> bool:
    """True if the page speaks of what the definition lies in: of all that the name's own prefix says, else of all that
    the heading says, and of something that the page is called after."""
    words = _scope_words(definition)
    prefix = _prefix_words(statement) - _VAGUE
    if prefix:
        return prefix <= words
    own = {word for name in statement.names for word in _words(name)}
    heading = _words(statement.heading) - _VAGUE - own
    page = _words(statement.page) - _VAGUE - own
    return (heading or page) <= words and bool((page or heading) & words)


def _prefix_words(statement: Statement) -> set[str]:
    """The words of the part right in front of a dotted name: `server` of `app.server.port`."""
    found = set[str]()
    for name in statement.names:
        for part in parts_of(name)[-2:-1]:
            found |= _words(part)
    return found


def parts_of(name: str) -> list[str]:
    """The parts of a dotted name; a flag is one part."""
    return [name] if name.startswith("-") else re.split(r"[./]", name)


def _proves(
    statement: Statement, definition: Definition, index: Index, *, is_only: bool
) -> bool:
    """Whether a difference from a definition is an error of the docs: it declares a default, and either the page speaks
    of what it lies in, or the name is like no word and all code has one value for it.

    Args:
        is_only: whether all code has one value for it.
    """
    if statement.code:
        return True
    if _strength(definition) < _PLACED:
        return False
    is_alone = is_only and _is_declared(statement, definition)
    if not is_alone and is_of_another_part(statement, definition, index):
        return False
    # "none" may also mean that users need not care
    if statement.value is None or statement.value == "":
        return False
    before = [part for name in statement.names for part in parts_of(name)[:-1]]
    if before and _is_data(definition):
        return _is_whole(statement, definition)
    if not _words_of(tuple(before)) <= _scope_words(definition):
        return False
    if _is_near(statement, definition):
        return True
    if _prefix_words(statement):
        return False
    has_shape = any(is_shaped(name) for name in statement.names)
    return has_shape and (is_only or _is_declared(statement, definition))


def _is_declared(statement: Statement, definition: Definition) -> bool:
    """True if code asks for the very name, or offers it as an option; a plain word may be the name of anything, and a
    flag need not have the default of the setting that is called like it."""
    names = set(statement.names)
    if definition.kind is Kind.OPTION and definition.name.startswith("-"):
        of_flags = {name for name in names if name.startswith("-") or name.isupper()}
        # in a file of configuration
        named_like = {f"--{name}" for name in names if "-" in name}
        names = of_flags | named_like
    elif definition.kind is Kind.LOOKUP:
        names = {name for name in names if is_shaped(name)}
    elif definition.kind is not Kind.OPTION:
        return False
    return _strength(definition) == 3 and bool(
        {definition.name, *definition.also} & names
    )


def _is_declared_otherwise(
    statement: Statement, named: Sequence[Definition], index: Index
) -> bool:
    """Whether an option of the very name may have the value that is stated: several commands have it."""
    for item in named:
        if item.kind is not Kind.OPTION or item.value is None:
            continue
        verdict = compared(statement.value, index.resolved(item), statement.text)
        if verdict is not Verdict.DIFFERENT and _is_declared(statement, item):
            return True
    return False


def is_exact(statement: Statement, definition: Definition) -> bool:
    """True if the docs and the code write the name alike."""
    return bool({definition.name, *definition.also} & set(statement.names))


def is_of_another_part(
    statement: Statement, definition: Definition, index: Index
) -> bool:
    """True if the page is called after a part of the code in which the definition does not lie."""
    if statement.code:
        return False
    if _part(statement.file) and not _is_below_readme(statement, definition):
        return True
    about = (_words(statement.page) - _VAGUE) & index.folders
    return bool(about) and not about & _scope_words(definition)


def _part(page: str) -> str:
    """The folder of the code that a page is the README of; empty for any other page."""
    path = PurePosixPath(page)
    folder = path.parent.as_posix()
    is_readme = path.stem.lower() == "readme" and len(path.parts) > 1
    if is_readme and not _words_of(path.parts[:-1]) & DOCS:
        return f"{folder}/"
    return ""


def _is_below_readme(statement: Statement, definition: Definition) -> bool:
    """True if the definition lies below the folder that the page is the README of."""
    part = _part(statement.file)
    return bool(part) and definition.file.startswith(part)


def _scope_words(definition: Definition) -> frozenset[str]:
    return _words_of(
        (*definition.scope, *PurePosixPath(definition.file).with_suffix("").parts)
    )


@cache  # many definitions lie in one scope
def _words_of(parts: tuple[str, ...]) -> frozenset[str]:
    found = set[str]()
    for part in parts:
        found |= _words(part)
    return frozenset(found)


def folder_words(file: str) -> frozenset[str]:
    """The words of the folders that a file lies in."""
    return _words_of(PurePosixPath(file).parts[:-1])


def _words(text: str) -> set[str]:
    return {word.lower().removesuffix("s") for word in _WORDS.findall(text)}
