"""Which definition a statement is about, and whether it has the value that is stated.

The name is equal and whole. Of several definitions the ones that declare a default come before those that merely have
the name, and those whose scope the page speaks of before others. Where more than one thing may be meant, or the value
is known at run time only, nothing is decided.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from mkdocs_cited.code.interface import Computed, Definition, Kind, Reference, Value
from mkdocs_cited.facts.comparing import Verdict, compared
from mkdocs_cited.facts.inline import is_shaped
from mkdocs_cited.facts.statement import Fact, Statement, Status

NOT_FOUND = "nothing in the code has this name with a value"
_AMBIGUOUS = "several things have this name, with several values"
_AT_RUN_TIME = "its value is known at run time only"
_CONDITION = "it is stated with a condition, or of more than one thing"
_NOT_COMPARABLE = "the two values cannot be compared"
_WEAK = "what has this name need not be its default"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DECLARING = frozenset("default defaults settings setting config configuration options".split())
"""Words of a scope or a file that holds defaults."""
_DATA = (".yml", ".yaml", ".json", ".jsonc", ".json5", ".toml", ".ini", ".cfg", ".conf", ".env")
_SCRIPTS = (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
_VAGUE = frozenset(
    "docs doc default defaults option options setting settings configuration config index readme".split()
)
_MOST_HOPS = 5


def key(name: str) -> str:
    """What names of one setting have in common in every writing: `--cache-ttl`, `CACHE_TTL`, `cacheTtl`."""
    return re.sub(r"[\W_]", "", name).casefold()


class Index:
    """Definitions by their names."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._by_key: dict[str, list[Definition]] = defaultdict(list)
        for definition in definitions:
            for name in dict.fromkeys((definition.name, *definition.also)):
                self._by_key[key(name)].append(definition)

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is this one, in any writing."""
        return self._by_key.get(key(name), ())

    def resolved(self, definition: Definition) -> Value:
        """The definition's value; that of the constant which it names, where one is meant."""
        value = definition.value
        seen = 0
        while isinstance(value, Reference) and seen < _MOST_HOPS:
            seen += 1
            last = re.split(r"\.|::", value.name)[-1]
            found = [item for item in self.named(last) if item.name == last and item.kind is not Kind.PARAMETER]
            here = [item for item in found if item.file == definition.file]
            values = {repr(item.value): item.value for item in here or found}
            if len(values) != 1:
                break
            value = next(iter(values.values()))
        return value


def matched(statement: Statement, index: Index) -> Fact:
    """What the code says of a statement."""
    named = _named(statement, index)
    if not named:
        return Fact(statement, Status.UNKNOWN, reason=NOT_FOUND)
    found = _best(statement, named)
    values = [index.resolved(item) for item in found]
    verdicts = [compared(statement.value, value, statement.text) for value in values]
    everywhere = {repr(index.resolved(item)): index.resolved(item) for item in named}
    is_only = len(everywhere) == 1
    is_elsewhere = Verdict.SAME in [compared(statement.value, value, statement.text) for value in everywhere.values()]
    is_meant = is_only or _strength(found[0]) == 3 or _is_near(statement, found[0])
    for item, value, verdict in zip(found, values, verdicts, strict=True):
        if verdict is Verdict.SAME and is_meant:
            return Fact(statement, Status.AGREES, item, value)
    reason = ""
    if not statement.is_sure:
        reason = _CONDITION
    elif any(isinstance(value, (Computed, Reference)) for value in values):
        reason = _AT_RUN_TIME
    elif len({repr(value) for value in values}) > 1:
        reason = _AMBIGUOUS
    elif Verdict.UNSURE in verdicts:
        reason = _NOT_COMPARABLE
    elif is_elsewhere and not _is_declared(statement, found[0]):
        reason = _AMBIGUOUS
    elif not _proves(statement, found[0], is_only):
        reason = _WEAK
    if reason:
        return Fact(statement, Status.UNKNOWN, found[0], values[0], reason)
    return Fact(statement, Status.DIFFERS, found[0], values[0])


def _named(statement: Statement, index: Index) -> list[Definition]:
    """The definitions that have one of the statement's names, as a name of code may be written."""
    found: list[Definition] = []
    for name in statement.names:
        for item in index.named(_last(name)):
            written = (item.name, *item.also)
            if item not in found and any(_is_same_name(_last(name), other) for other in written):
                found.append(item)
    return found


def _last(name: str) -> str:
    """The last part of a dotted name."""
    return name if name.startswith("-") else re.split(r"[./]", name)[-1]


def _is_same_name(one: str, other: str) -> bool:
    """Whether two names of one key are one name: a constant is written in capitals, and a field is not."""
    if one.lstrip("-").replace("-", "_") == other.lstrip("-").replace("-", "_"):
        return True
    return not one.isupper() and not other.isupper()


def _best(statement: Statement, named: Sequence[Definition]) -> list[Definition]:
    """The definitions of the best rank, and of these the ones nearest to the statement."""
    strongest = max(_strength(item) for item in named)
    found = [item for item in named if _strength(item) == strongest]
    nearest = max(_nearness(statement, item) for item in found)
    return [item for item in found if _nearness(statement, item) == nearest]


def _strength(definition: Definition) -> int:
    """How surely a definition is a default: 3 declares one, 2 has one in a place for them, 1 has a value."""
    kind = definition.kind
    words = _scope_words(definition)
    is_data = definition.file.endswith(_DATA)
    is_guard = definition.file.endswith((".rs", *_SCRIPTS)) and not definition.name.isupper()
    if kind is Kind.OPTION:
        return 3
    if kind is Kind.LOOKUP:  # `options.size || 0` may only guard against nothing
        return 1 if is_guard else 3
    if kind is Kind.FIELD and definition.file.endswith((".go", ".rs", *_DATA)):
        return 3 if "default" in words or is_data or definition.also else 1
    if kind is Kind.FIELD:
        return 3
    if kind is Kind.CONSTANT and not definition.scope and definition.name.isupper():
        return 2
    if is_data:
        return 2 if words & {"default", "defaults"} else 1
    if kind is Kind.KEY and words & _DECLARING:
        return 2
    return 1


def _nearness(statement: Statement, definition: Definition) -> int:
    """How many words of the statement's surroundings its scope and file have; its very name counts too."""
    words = _scope_words(definition)
    score = 10 * len(_prefix_words(statement) & words)
    if {definition.name, *definition.also} & set(statement.names):
        score += 5
    score += 3 * len((_words(statement.heading) - _VAGUE) & words)
    for part in (statement.page, *statement.headings[:-1]):
        score += len((_words(part) - _VAGUE) & words)
    return score


def _is_near(statement: Statement, definition: Definition) -> bool:
    """Whether the page speaks of what the definition lies in: of all that the name's own prefix says, else of all that
    the heading says, and of something that the page is called after."""
    words = _scope_words(definition)
    prefix = _prefix_words(statement)
    if prefix:
        return prefix <= words
    own = {word for name in statement.names for word in _words(name)}
    above = [_words(part) - _VAGUE - own for part in (statement.heading, statement.page)]
    about = [part for part in above if part]
    return bool(about) and about[0] <= words and bool(about[-1] & words)


def _prefix_words(statement: Statement) -> set[str]:
    """The words of the part in front of a dotted name: `server` of `server.port`."""
    found = set[str]()
    for name in statement.names:
        parts = [] if name.startswith("-") else re.split(r"[./]", name)[:-1]
        found |= _words(parts[-1]) if parts else set()
    return found


def _proves(statement: Statement, definition: Definition, is_only: bool) -> bool:
    """Whether a difference from a definition is an error of the docs: it declares a default, and either the page speaks
    of what it lies in, or the name is like no word and all code has one value for it.

    Args:
        is_only: whether all code has one value for it.
    """
    strength = _strength(definition)
    if strength < 2:
        return False
    if _is_near(statement, definition):
        return True
    if _prefix_words(statement):
        return False
    has_shape = any(is_shaped(name) for name in statement.names)
    return has_shape and (is_only or _is_declared(statement, definition))


def _is_declared(statement: Statement, definition: Definition) -> bool:
    """Whether code asks for the very name, or offers it as an option."""
    is_exact = bool({definition.name, *definition.also} & set(statement.names))
    return definition.kind in (Kind.OPTION, Kind.LOOKUP) and is_exact and _strength(definition) == 3


def _scope_words(definition: Definition) -> set[str]:
    found = set[str]()
    for part in (*definition.scope, *PurePosixPath(definition.file).with_suffix("").parts):
        found |= _words(part)
    return found


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(text)}
