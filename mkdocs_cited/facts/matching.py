"""Which definition a statement is about, and whether it has the value that is stated.

The name is equal and whole. Of several definitions the ones that declare a default come before those that merely have
the name, and those whose scope the page speaks of before others. Where more than one thing may be meant, or the value
is known at run time only, nothing is decided, unless the other statements of its section tell what it is about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.text import glob_matches, letters
from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import Computed, Definition, Kind, Reference, Value
from mkdocs_cited.facts.blocks import is_shaped
from mkdocs_cited.facts.comparing import Verdict, compared
from mkdocs_cited.facts.files import DOCS
from mkdocs_cited.facts.reading import Statement

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
    ".config .yml .yaml .json .jsonc .json5 .toml .ini .cfg .conf .env".split()
)
_TYPED = (".rs", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
"""Languages in which `options.size || 0` may only guard against nothing."""
_VAGUE = frozenset(
    "docs doc default defaults option options setting settings configuration config index readme".split()
)
_DECLARED, _PLACED, _SET = 3, 2, 1
"""How surely a definition is a default: it declares one, has one in a place for them, has a value."""
_MOST_HOPS = 5
_MOST = 500
"""Definitions of one name; with more, it is no name of one thing."""
_FEW, _MANY, _TO_ONE = 2, 4, 4
"""Statements of a section that agree with what lies in one mapping, class or function, so that a difference there is
believed, so that what could not be decided alone is decided there, and for each that is so decided to differ."""
_EXAMPLE = frozenset(("env", "example", "sample"))
"""Parts of the name of a file that need not have the defaults."""


class Status(StrEnum):
    """What came of a statement."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    """It was not decided: nothing has that name, or more than one thing has it, or its value is known at run time."""


class Fact(Struct, frozen=True):
    """A statement, and what code says of it."""

    statement: Statement
    status: Status
    definition: Definition | None = None
    """What was compared; the nearest one where nothing was decided."""
    value: Value = None
    """Of the definition, with what a constant's name leads to."""
    reason: str = ""
    """Why it is unknown."""


class Index:
    """Definitions by their names."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._by_letters: dict[str, list[Definition]] = defaultdict(list)
        self._constants: dict[str, list[Definition]] = defaultdict(list)
        self.folders = set[str]()
        """Words of the folders that code lies in."""
        definitions = list(definitions)
        for item in definitions:
            if item.kind not in (Kind.PARAMETER, Kind.UNSET):
                self._constants[item.name].append(item)
        for file in {item.file for item in definitions}:
            self.folders |= words_of(PurePosixPath(file).parts[:-1])
        for item in definitions:
            known = self._with_names(item)
            for written in {letters(name) for name in (known.name, *known.also)}:
                self._by_letters[written].append(known)

    def _with_names(self, item: Definition) -> Definition:
        """A look-up by a constant's name has the text of the constant for a name, too."""
        texts = set()
        if item.kind is Kind.LOOKUP:
            for constant in self._constants.get(item.name, ()):
                if isinstance(constant.value, str):
                    texts.add(constant.value)
        if len(texts) == 1:
            return replace(item, also=(*item.also, *texts))
        return item

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is this one, in any writing: `--cache-ttl`, `CACHE_TTL`, `cacheTtl`."""
        return self._by_letters.get(letters(name), ())

    def resolved(self, definition: Definition) -> Value:
        """The definition's value; that of the constant which it names, where one is meant."""
        value = definition.value
        for _ in range(_MOST_HOPS):
            if not isinstance(value, Reference):
                break
            constants = self._constants.get(last_name(value), [])[:_MOST]
            here = [item for item in constants if item.file == definition.file]
            values = {repr(item.value): item.value for item in here or constants}
            if len(values) != 1:
                break
            (value,) = values.values()
        return value


def last_name(reference: Reference) -> str:
    """`PORT` of `defaults.PORT`, of `Config::PORT` and of `PORT()`."""
    return re.split(r"\.|::", reference.name.removesuffix("()"))[-1]


class _Candidate(Struct, frozen=True):
    """A definition that a statement may be about."""

    definition: Definition
    value: Value
    verdict: Verdict
    """Of comparing the two values."""

    @property
    def is_known(self) -> bool:
        """Whether its value is known without a run."""
        return not isinstance(self.value, (Computed, Reference))


Part = tuple[str, tuple[str, ...], tuple[str, ...], str, tuple[str, ...]]
"""Page, headings and prefix of statements, file and scope of definitions."""


def decided(statements: Sequence[Statement], index: Index) -> list[Fact]:
    """What the code says of each statement, with what the others in its section tell of it."""
    alone = [_matched(statement, index) for statement in statements]
    agreeing = Counter(_part(fact) for fact in alone if fact.status is Status.AGREES)
    believed = [_doubted(fact, agreeing) for fact in alone]
    together = [_with_neighbours(fact, agreeing, index) for fact in believed]
    differing = Counter[Part | None]()
    for fact, before in zip(together, believed, strict=True):
        if fact is not before and fact.status is Status.DIFFERS:
            differing[_part(fact)] += 1
    facts = []
    for fact, before in zip(together, believed, strict=True):
        part = _part(fact)
        is_about_other = differing[part] * _TO_ONE > agreeing[part]
        if is_about_other and fact.status is Status.DIFFERS:
            fact = before
        facts.append(fact)
    return facts


def _part(fact: Fact) -> Part | None:
    """What a statement and its neighbours are about, if they agree."""
    if fact.definition is None:
        return None
    return _part_of(fact.statement, fact.definition)


def _part_of(statement: Statement, definition: Definition) -> Part:
    prefix = tuple(_parts(statement.names[0])[:-1])
    headings = statement.headings
    if letters(statement.heading) in map(letters, statement.names):  # of its own
        headings = headings[:-1]
    return statement.file, headings, prefix, definition.file, definition.scope


def _doubted(fact: Fact, agreeing: Counter[Part | None]) -> Fact:
    """The fact; unknown in place of different, where nothing shows that its page is about what the definition lies in.

    Args:
        agreeing: how many statements agree in each part.
    """
    statement, definition = fact.statement, fact.definition
    if fact.status is not Status.DIFFERS or definition is None or statement.code:
        return fact
    is_meant = _is_declared(statement, definition) or _is_near(statement, definition)
    if is_meant or agreeing[_part(fact)] >= _FEW:
        return fact
    return replace(fact, status=Status.UNKNOWN, reason=_WEAK)


def _with_neighbours(fact: Fact, agreeing: Counter[Part | None], index: Index) -> Fact:
    """The fact, decided where its name has one value in what its section is about."""
    statement = fact.statement
    if fact.status is not Status.UNKNOWN or not statement.is_sure:
        return fact
    for item in _candidates(statement, index):
        definition = item.definition
        is_few = agreeing[_part_of(statement, definition)] < _MANY
        if is_few or definition.kind is Kind.UNSET or _is_example(definition):
            continue
        if item.verdict is Verdict.SAME:
            return Fact(statement, Status.AGREES, definition, item.value)
        is_meant = _is_exact(statement, definition) and not _is_of_another_part(
            statement, definition, index
        )
        is_stated = statement.value not in (None, "")
        if item.verdict is Verdict.DIFFERENT and is_stated and is_meant:
            fact = Fact(statement, Status.DIFFERS, definition, item.value)
    return fact


def _matched(statement: Statement, index: Index) -> Fact:
    """What the code says of a statement alone."""
    candidates = _candidates(statement, index)
    if not candidates:
        return Fact(statement, Status.UNKNOWN, reason=NOT_FOUND)
    set_ones = [item for item in candidates if item.definition.kind is not Kind.UNSET]
    agreeing = _agreeing(statement, set_ones) or _unset(statement, candidates)
    if agreeing:
        return Fact(statement, Status.AGREES, agreeing.definition, agreeing.value)
    best = _best(statement, set_ones or candidates)
    reason = _doubt(statement, best, set_ones, index)
    status = Status.UNKNOWN if reason else Status.DIFFERS
    return Fact(statement, status, best[0].definition, best[0].value, reason)


def _candidates(statement: Statement, index: Index) -> list[_Candidate]:
    """The definitions that have one of the statement's names, as a name of code may be written; none of too many."""
    found: dict[int, Definition] = {}
    for name in statement.names:
        last = _parts(name)[-1]
        for item in index.named(last):
            is_named = any(_is_same_name(last, other) for other in _names(item))
            if is_named and (
                not statement.code or is_named_by(item.file, statement.code)
            ):
                found[id(item)] = item
    candidates = []
    for item in found.values():
        value = index.resolved(item)
        verdict = compared(statement.value, value, statement.text)
        candidates.append(_Candidate(item, value, verdict))
    return candidates


def _names(definition: Definition) -> tuple[str, ...]:
    return definition.name, *definition.also


def is_named_by(file: str, pattern: str) -> bool:
    """True if a glob names a file, from the root of the repository or from any folder of it."""
    return glob_matches(file, (pattern, f"**/{pattern}"))


def _is_same_name(one: str, other: str) -> bool:
    """True if two names of the same letters are one name: a constant is written in capitals, and a field is not."""
    if one.lstrip("-").replace("-", "_") == other.lstrip("-").replace("-", "_"):
        return True
    return not one.isupper() and not other.isupper()


def _agreeing(
    statement: Statement, candidates: Sequence[_Candidate]
) -> _Candidate | None:
    """One of the best candidates that has the value which is stated."""
    known = []
    for item in candidates:
        if item.is_known or item.verdict is Verdict.SAME:
            known.append(item)
    best = _best(statement, known)
    if not best:
        return None
    is_only = len({repr(item.value) for item in known}) == 1
    first = best[0].definition
    if is_only or _strength(first) == _DECLARED or _is_near(statement, first):
        for item in best:
            if item.verdict is Verdict.SAME:
                return item
    return None


def _unset(statement: Statement, candidates: Sequence[_Candidate]) -> _Candidate | None:
    """The member that is meant and has no value, as is stated; something near it may set another one."""
    near = [item for item in candidates if _is_near(statement, item.definition)]
    if len(candidates) == 1:
        near = list(candidates)
    if any(item.definition.kind is not Kind.UNSET for item in near):
        return None
    for item in near:
        if item.verdict is Verdict.SAME:
            return item
    return None


def _best(statement: Statement, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The candidates of the best rank: below the folder of a README, under the whole name, declared, and near."""
    ranks = []
    for item in candidates:
        definition = item.definition
        ranks.append(
            (
                _is_below_readme(statement, definition),
                _is_whole(statement, definition),
                _strength(definition),
                _nearness(statement, definition),
            )
        )
    highest = max(ranks, default=None)
    best = []
    for item, rank in zip(candidates, ranks, strict=True):
        if rank == highest:
            best.append(item)
    return best


def _doubt(
    statement: Statement,
    best: Sequence[_Candidate],
    candidates: Sequence[_Candidate],
    index: Index,
) -> str:
    """Why it is not sure that the docs' value is wrong; empty where it is.

    Args:
        candidates: all that have a value.
    """
    definition = best[0].definition
    is_declared = _is_declared(statement, definition)
    values = {repr(item.value) for item in best}
    is_elsewhere = Verdict.SAME in [item.verdict for item in candidates]
    if not statement.is_sure:
        return _CONDITION
    if not candidates or not all(item.is_known for item in best):
        return _AT_RUN_TIME
    if len(values) > 1 or (is_elsewhere and not is_declared):
        return _AMBIGUOUS
    if Verdict.UNSURE in [item.verdict for item in best]:
        return _NOT_COMPARABLE
    is_only = len({repr(item.value) for item in candidates}) == 1
    if _proves(statement, definition, index, is_only=is_only):
        return ""
    return _WEAK


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
    is_declared = _is_declared(statement, definition)
    is_alone = is_only and is_declared
    # "none" may also mean that users need not care
    if _strength(definition) < _PLACED or statement.value in (None, ""):
        return False
    if not is_alone and _is_of_another_part(statement, definition, index):
        return False
    before = []
    for name in statement.names:
        before += _parts(name)[:-1]
    if before and _is_data(definition):
        return _is_whole(statement, definition)
    if not words_of(tuple(before)) <= _scope_words(definition):
        return False
    if _is_near(statement, definition):
        return True
    has_shape = any(map(is_shaped, statement.names))
    return not before and has_shape and (is_only or is_declared)


def _is_declared(statement: Statement, definition: Definition) -> bool:
    """True if code asks for the very name, or offers it as an option; a plain word may be the name of anything, and a
    flag need not have the default of the setting that is called like it."""
    names = set(statement.names)
    if definition.kind is Kind.LOOKUP:
        names = set(filter(is_shaped, names))
    elif definition.name.startswith("-"):
        # in a file of configuration
        named_like = {f"--{name}" for name in names if "-" in name}
        names = named_like.union(
            name for name in names if name[0] == "-" or name.isupper()
        )
    is_asked_for = definition.kind in (Kind.OPTION, Kind.LOOKUP)
    is_named = not names.isdisjoint(_names(definition))
    return is_asked_for and is_named and _strength(definition) == _DECLARED


def _strength(definition: Definition) -> int:
    """How surely a definition is a default."""
    kind = definition.kind
    words = _scope_words(definition)
    is_data = _is_data(definition)
    is_default = "default" in words
    is_constant = kind is Kind.CONSTANT and not definition.scope
    is_guard = definition.file.endswith(_TYPED) and not definition.name.isupper()
    # of a chart
    if kind is Kind.OPTION or PurePosixPath(definition.file).stem == "values":
        return _DECLARED
    if kind is Kind.LOOKUP and (is_guard or definition.value is None):
        return _SET
    if kind is Kind.FIELD and definition.file.endswith((".go", ".rs")):
        return _DECLARED if is_default or definition.also else _SET
    if kind in (Kind.LOOKUP, Kind.FIELD):
        return _DECLARED
    if kind is Kind.KEY and is_default and not is_data:
        return _DECLARED
    if is_default and is_data:
        return _PLACED
    if kind is Kind.KEY and words & _DECLARING and not is_data:
        return _PLACED
    if is_constant and definition.name.isupper():
        return _PLACED
    return _SET


def _is_whole(statement: Statement, definition: Definition) -> bool:
    """True if the docs write the name with all that it lies in: `server.port`."""
    path = list(map(letters, definition.path))
    for name in statement.names:
        parts = list(map(letters, _parts(name)))
        if len(parts) > 1 and path[-len(parts) :] == parts:
            return True
    return False


def _is_data(definition: Definition) -> bool:
    """True if it lies in a file of configuration, also in `config.yaml.example`."""
    return not _DATA.isdisjoint(PurePosixPath(definition.file).suffixes)


def _is_example(definition: Definition) -> bool:
    """True if its file need not have the defaults."""
    return not _EXAMPLE.isdisjoint(PurePosixPath(definition.file).name.split("."))


def _nearness(statement: Statement, definition: Definition) -> int:
    """How many words of the statement's surroundings its scope and file have; its very name counts too."""
    words = _scope_words(definition)
    score = 10 * len(_prefix_words(statement) & words)
    if _is_exact(statement, definition):
        score += 5
    score += 3 * len((words_of((statement.heading,)) - _VAGUE) & words)
    for part in (statement.page, *statement.headings[:-1]):
        score += len((words_of((part,)) - _VAGUE) & words)
    return score


def _is_near(statement: Statement, definition: Definition) -> bool:
    """True if the page speaks of what the definition lies in: of all that the name's own prefix says, else of all that
    the heading says, and of something that the page is called after."""
    words = _scope_words(definition)
    prefix = _prefix_words(statement) - _VAGUE
    if prefix:
        return prefix <= words
    known = _VAGUE | words_of(statement.names)
    heading = words_of((statement.heading,)) - known
    page = words_of((statement.page,)) - known
    return (heading or page) <= words and not words.isdisjoint(page or heading)


def _prefix_words(statement: Statement) -> set[str]:
    """The words of the part right in front of a dotted name: `server` of `app.server.port`."""
    words = set[str]()
    for name in statement.names:
        words |= words_of(tuple(_parts(name)[-2:-1]))
    return words


def _parts(name: str) -> list[str]:
    """The parts of a dotted name; a flag is one part."""
    if name.startswith("-"):
        return [name]
    return re.split(r"[./]", name)


def _is_exact(statement: Statement, definition: Definition) -> bool:
    """True if the docs and the code write the name alike."""
    return not set(statement.names).isdisjoint(_names(definition))


def _is_of_another_part(
    statement: Statement, definition: Definition, index: Index
) -> bool:
    """True if the page is called after a part of the code in which the definition does not lie."""
    if statement.code:
        return False
    if _readme_of(statement.file) and not _is_below_readme(statement, definition):
        return True
    about = (words_of((statement.page,)) - _VAGUE) & index.folders
    return bool(about) and about.isdisjoint(_scope_words(definition))


def _readme_of(page: str) -> str:
    """The folder of the code that a page is the README of; empty for any other page."""
    path = PurePosixPath(page)
    is_docs = not DOCS.isdisjoint(words_of(path.parts[:-1]))
    if path.stem.lower() == "readme" and len(path.parts) > 1 and not is_docs:
        return f"{path.parent}/"
    return ""


def _is_below_readme(statement: Statement, definition: Definition) -> bool:
    """True if the definition lies below the folder that the page is the README of."""
    folder = _readme_of(statement.file)
    return bool(folder) and definition.file.startswith(folder)


def _scope_words(definition: Definition) -> frozenset[str]:
    path = PurePosixPath(definition.file).with_suffix("").parts
    return words_of((*definition.scope, *path))


@cache  # many definitions lie in one scope
def words_of(parts: tuple[str, ...]) -> frozenset[str]:
    """The words of some names, in small letters, without a plural's s."""
    words = _WORDS.findall(" ".join(parts))
    return frozenset(word.lower().removesuffix("s") for word in words)
