"""Which definition a statement is about, and whether it has the value that is stated.

The name is equal and whole. Of several definitions with one name, those that declare a default come first, then those
whose scope the page names. A difference is reported where the page is known to be about the code: most of its other
statements agree with the same file, or nothing else in the code has that name. Where more than one definition may be
meant, or the value is known at run time only, nothing is decided.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache, cached_property
from operator import attrgetter
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import glob_matches, letters
from mkdocs_cited.code.interface import (
    Computed,
    Definition,
    Duration,
    Entries,
    Items,
    Kind,
    Reference,
    Value,
)
from mkdocs_cited.facts.blocks import is_shaped
from mkdocs_cited.facts.comparing import is_empty, is_same
from mkdocs_cited.facts.files import DOCS
from mkdocs_cited.facts.reading import Statement

NOT_FOUND = "the code has no value with this name"
_AMBIGUOUS = "several names in the code match, with different values"
_AT_RUN_TIME = "its value is known only at run time"
_CONDITION = "the docs state it with a condition, or for more than one name"
_NOT_COMPARABLE = "the two values cannot be compared"
_WEAK = "the code may mean another thing, or not the default"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DATA = frozenset(
    ".config .yml .yaml .json .jsonc .json5 .toml .ini .cfg .conf .env .properties".split()
)
_GUARDING = (".rs", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
"""Extensions of languages in which `options.size || 0` may be a guard and no default."""
_VAGUE = frozenset(
    "docs doc default defaults option options setting settings configuration config index readme".split()
)
_DECLARED, _PLACED, _SET, _UNSET = 3, 2, 1, 0
"""How surely a definition is a default: it declares one, has one in a place for them, has a value, has none."""
_OWN = frozenset(("self", "cl", "thi"))
"""`self`, `cls` and `this`, as `words_of` returns them."""
_OPEN = (0, -1, Duration(0))
"""Values of an option that may say that it is not given."""
_MOST_HOPS = 5
_MOST = 500
"""Constants of one name that are looked at."""
_FEWEST = 3
"""Statements of a page that agree with a file, so that the page is about it."""
_RATIO = 3
"""Statements that must agree for each that differs, or the page is about something else."""
_CHART = "values"
"""Name of the file with the defaults of a chart, which lies beside its README."""
_EXAMPLE = frozenset(("example", "sample"))
"""Words in the names of files that are copied and changed, as `.env` is: they may confirm a default, not refute one."""


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
    is_outdated: bool = False
    """Whether the code had the stated value before."""


class Index:
    """Definitions by their names."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._by_letters: dict[str, list[Definition]] = defaultdict(list)
        self._constants: dict[str, list[Definition]] = defaultdict(list)
        definitions = list(definitions)
        for item in definitions:
            if item.kind not in (Kind.PARAMETER, Kind.UNSET):
                self._constants[item.name].append(item)
        for item in definitions:
            known = self._with_names(item)
            for written in {letters(name) for name in (known.name, *known.also)}:
                self._by_letters[written].append(known)

    def _with_names(self, item: Definition) -> Definition:
        """A look-up by a constant's name has the text of the constant for a name, too."""
        texts = set()
        if item.kind is Kind.LOOKUP:
            for constant in self._constants.get(item.name, ()):
                is_name = constant.kind is Kind.CONSTANT
                if is_name and isinstance(constant.value, str):
                    texts.add(constant.value)
        if len(texts) == 1:
            return replace(item, also=(*item.also, *texts))
        return item

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is this one, in any writing: `--cache-ttl`, `CACHE_TTL`, `cacheTtl`."""
        return self._by_letters.get(letters(name), ())

    def has(self, path: str) -> bool:
        """True if a dotted text is the name of something in code, with what it lies in: `client.timeout`, and
        `chart.appVersion` of `Chart.yaml`."""
        for item in self.named(parts_of(path)[-1]):
            file = PurePosixPath(item.file).stem
            if _is_end_of(path, (file, *item.path)):
                return True
        return False

    def source_of(self, definition: Definition) -> Definition:
        """What gives the definition its value: the constant which it names, where one is meant; else itself."""
        for _ in range(_MOST_HOPS):
            if not isinstance(definition.value, Reference):
                break
            *outer, name = definition.value.parts
            owner = words_of(tuple(outer[-1:])) - _OWN
            meant = []
            for item in self._constants.get(name, [])[:_MOST]:
                if owner <= _place_words(item):
                    meant.append(item)
            here = [item for item in meant if item.file == definition.file]
            values = {repr(item.value): item for item in here or meant}
            if len(values) != 1:
                break
            (definition,) = values.values()
        return definition


class _Candidate(Struct, frozen=True, dict=True):
    """A definition that a statement may be about."""

    statement: Statement
    definition: Definition
    source: Definition
    """What gives it its value: itself, or the constant that it names."""
    is_same: bool | None
    """Whether that is the value which is stated; None where that is not sure."""

    @property
    def value(self) -> Value:
        """Of the definition, with what a constant's name leads to."""
        return self.source.value

    @property
    def names(self) -> set[str]:
        """The names that code has for it."""
        return {self.definition.name, *self.definition.also}

    @property
    def is_other(self) -> bool:
        """Whether it has a value, and not the one that is stated; a number may count another unit, and a text may be
        another spelling of yes."""
        texts = (str, Items, Entries)
        is_text = isinstance(self.value, texts) and not is_empty(self.value)
        is_stated = isinstance(self.statement.value, texts)
        is_unsure = self.is_same is None and is_text and is_stated
        return self.is_same is False or is_unsure

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its scope and file."""
        return _place_words(self.definition)

    @property
    def is_known(self) -> bool:
        """Whether its value is known without a run."""
        return not isinstance(self.value, (Computed, Reference))

    @property
    def is_data(self) -> bool:
        """Whether it lies in a file of configuration, also in `config.yaml.example`."""
        return not _DATA.isdisjoint(PurePosixPath(self.definition.file).suffixes)

    @property
    def is_named(self) -> bool:
        """Whether the docs write its name, in any spelling, and it looks like no word; a flag names an option only."""
        names = set(map(letters, self.names))
        for name in filter(is_shaped, self.statement.names):
            is_flag = name.startswith("-")
            if letters(name) in names and (
                not is_flag or self.definition.kind is Kind.OPTION
            ):
                return True
        return False

    @cached_property
    def is_whole(self) -> int:
        """Whether the docs write the name with its scope, `server.port`: 2 with all of the scope, 1 with its end."""
        path, found = self.definition.path, 0
        for name in self.statement.names:
            if _is_end_of(name, path):
                is_all = len(parts_of(name)) == len(path)
                found = max(found, 1 + is_all)
        if found == 1 and PurePosixPath(self.definition.file).stem == _CHART:
            return 0  # the README of a chart writes whole paths
        return found

    @property
    def is_of_readme(self) -> bool | None:
        """Whether it lies in the folder that the page is the README of; None where the page is no such README."""
        return _is_of_readme(self.statement.file, self.definition.file)

    @property
    def is_partial(self) -> bool:
        """Whether the docs name a key of a file of configuration, and it has only the end of that name."""
        has_prefix = bool(_prefix_words(self.statement))
        return self.is_data and not self.is_whole and has_prefix

    @property
    def is_use(self) -> bool:
        """Whether it is an entry that sets a value, and declares no default."""
        return self.strength < _PLACED and self.definition.kind is Kind.KEY

    @property
    def is_stated(self) -> bool:
        """Whether the docs state a value, and not that there is none."""
        return self.statement.value not in (None, "")

    @property
    def is_specific(self) -> bool:
        """Whether the docs write a name that only settings have: a flag, a variable in capitals that code asks for."""
        if self.definition.kind not in (Kind.LOOKUP, Kind.OPTION):
            return False
        written = self.names.intersection(self.statement.names)
        return any(name.isupper() or name.startswith("-") for name in written)

    @cached_property
    def nearness(self) -> int:
        """How many words its scope and file share with the name's prefix and the headings; a word of
        the prefix counts ten times."""
        statement, words = self.statement, self.words
        around = words_of(statement.headings) - _VAGUE
        return 10 * len(_prefix_words(statement) & words) + len(around & words)

    @cached_property
    def strength(self) -> int:
        """How surely it is a default: `_DECLARED`, `_PLACED`, `_SET` or `_UNSET`."""
        kind, file = self.definition.kind, PurePosixPath(self.definition.file)
        is_default = "default" in self.words
        is_constant = self.definition.name.isupper()
        is_example = not _EXAMPLE.isdisjoint(words_of((file.name,)))
        is_copied = is_example or "env" in file.name.split(".")[1:]
        if kind is Kind.UNSET or is_copied:
            return _UNSET
        if kind is Kind.OPTION:  # it may stand for what code fills in
            is_open = self.value in _OPEN and self.value is not False
            return _UNSET if is_open else _DECLARED
        if file.stem == _CHART:
            return _DECLARED
        if kind is Kind.LOOKUP:
            is_guard = file.suffix in _GUARDING and not is_constant
            return _SET if is_guard or self.value is None else _DECLARED
        if kind is Kind.FIELD:
            is_set = file.suffix in (".go", ".rs") and not self.definition.also
            return _SET if is_set and not is_default else _DECLARED
        if kind is Kind.KEY and is_default and not self.is_data:
            return _DECLARED
        is_placed = kind is Kind.CONSTANT and is_constant
        return _PLACED if is_placed or (self.is_data and is_default) else _SET

    @cached_property
    def rank(self) -> tuple[int, int, int]:
        """The higher, the sooner it is meant."""
        return self.is_whole, self.strength, self.nearness

    @property
    def has_section(self) -> bool:
        """Whether the heading over the statement is its name."""
        statement = self.statement
        return letters("".join(statement.headings[-1:])) in map(
            letters, statement.names
        )

    @property
    def of_page(self) -> Pairing:
        """The page, and the file of code."""
        return self.statement.file, self.definition.file

    @property
    def of_section(self) -> Pairing:
        """The page, headings and prefix of the statement, and the file and scope of the definition."""
        statement, definition = self.statement, self.definition
        prefix = tuple(parts_of(statement.names[0])[:-1])
        headings = statement.headings
        if self.has_section:
            headings = headings[:-1]
        return statement.file, headings, prefix, definition.file, definition.scope


Former = Callable[[Definition], Iterable[Definition]]
"""Returns what a definition was before each of its changes, the latest first."""
Pairing = tuple[object, ...]
"""A page or a section of it, and the code that it may be about."""


class _Neighbours:
    """How many statements of each page and section agree with the same code, and how many differ."""

    def __init__(self, found: Iterable[Sequence[_Candidate]]) -> None:
        self._agreeing = Counter[Pairing]()
        self._differing = Counter[Pairing]()
        self._agreed = set[tuple[str, Definition]]()
        """Each page with the definitions that one of its statements agrees with."""
        for candidates in found:
            chosen = _chosen(candidates)
            for item in chosen:
                if item.is_same:
                    self._agreed.add((item.statement.file, item.definition))
            self._agreeing.update(_pairings(chosen, is_same=True))
            self._differing.update(_pairings(chosen, is_same=False))

    def agree(self, pairing: Pairing, *, one_more: bool = False) -> bool:
        """True if at least `_FEWEST` statements agree: the section is about that code.

        Args:
            one_more: whether another one agreed before.
        """
        return self._agreeing[pairing] + one_more >= _FEWEST

    def mostly_agree(self, pairing: Pairing, *, one_more: bool = False) -> bool:
        """True if they agree, and few differ."""
        agreeing = self._agreeing[pairing] + one_more
        is_most = agreeing >= _RATIO * self._differing[pairing]
        return is_most and agreeing >= _FEWEST

    def are_most(self, of_page: Pairing) -> bool:
        """True if at least half of the statements of a page that agree with anything agree with one file."""
        page, _ = of_page
        return 2 * self._agreeing[of_page] >= self._agreeing[page,]

    def nearness(self, item: _Candidate) -> tuple[int, bool, bool, int]:
        """Whether the docs write the whole name, whether section and page are about the definition's code, and how
        surely it is a default."""
        return (
            item.is_whole,
            self.agree(item.of_section),
            self.mostly_agree(item.of_page),
            item.strength,
        )

    def state(self, item: _Candidate) -> bool:
        """True if another statement of the page has the definition's value: then this one is about a special case,
        unless its section is about this definition alone."""
        is_right = (item.statement.file, item.definition) in self._agreed
        return is_right and not item.has_section

    def mostly_differ(self, page: str) -> bool:
        """True if more of a page's other statements differ than agree."""
        return self._agreeing[page,] < self._differing[page,] - 1


def decided(
    statements: Sequence[Statement], index: Index, former: Former
) -> list[Fact]:
    """What the code says of each statement; the other statements of its page help to choose the definition.

    Args:
        former: what definitions were before.
    """
    found = [_candidates(statement, index) for statement in statements]
    neighbours = _Neighbours(found)
    facts = []
    for statement, candidates in zip(statements, found, strict=True):
        fact = _matched(statement, candidates, neighbours)
        if fact.status is Status.UNKNOWN:
            fact = _outdated(candidates, neighbours, former) or fact
        facts.append(fact)
    return facts


def _outdated(
    candidates: Sequence[_Candidate], neighbours: _Neighbours, former: Former
) -> Fact | None:
    """The difference to a definition that had the stated value before, and would agree if it still had it."""
    ranked = sorted(candidates, key=attrgetter("rank"), reverse=True)
    for item in ranked:
        is_other = item.is_whole < ranked[0].is_whole
        if is_other or not _would_agree(item, candidates, neighbours):
            continue
        statement = item.statement
        for old in former(item.source):
            if is_same(statement.value, old.value, statement.text):
                return Fact(
                    statement,
                    Status.DIFFERS,
                    item.definition,
                    item.value,
                    is_outdated=True,
                )
    return None


def _would_agree(
    item: _Candidate, candidates: Sequence[_Candidate], neighbours: _Neighbours
) -> bool:
    """True if the statement would agree with a definition that had the stated value, and has another one."""
    statement = item.statement
    least = _PLACED if is_empty(statement.value) else _SET  # nothing is told of much
    is_open = statement.is_past or item.is_of_readme is False or item.is_partial
    if is_open or item.strength < least or not item.is_other:
        return False
    is_meant = not item.is_use and _is_meant(
        item, candidates, neighbours, was_right=True
    )
    if not is_meant and not neighbours.agree(item.of_section, one_more=True):
        return False
    return not _has_rival(item, candidates, neighbours)


def _has_rival(
    item: _Candidate, candidates: Sequence[_Candidate], neighbours: _Neighbours
) -> bool:
    """True if another definition has the stated value, and the docs are as surely about it."""
    surely = neighbours.nearness(item)
    return any(
        other.is_same and neighbours.nearness(other) >= surely for other in candidates
    )


def _chosen(candidates: Sequence[_Candidate]) -> Sequence[_Candidate]:
    """The best candidates that have the value which is stated, else the best that are known."""
    agreeing = _agreeing(candidates)
    if agreeing:
        return agreeing
    known = [item for item in candidates if item.is_known and item.statement.is_sure]
    return _best(known)


def _pairings(chosen: Sequence[_Candidate], *, is_same: bool) -> set[Pairing]:
    """The pages and sections of the candidates that have the stated value, or have another one."""
    pairings = set[Pairing]()
    for item in chosen:
        if item.is_same is is_same:
            pairings |= {item.of_section, item.of_page, (item.statement.file,)}
    return pairings


def _matched(
    statement: Statement, candidates: Sequence[_Candidate], neighbours: _Neighbours
) -> Fact:
    """What the code says of a statement."""
    if not candidates:
        return Fact(statement, Status.UNKNOWN, reason=NOT_FOUND)
    meant = _of_section(candidates, neighbours)
    agreeing = _agreeing(candidates)
    reason = ""
    if agreeing and not (meant and meant.is_same):
        meant = agreeing[0]
        if not _is_meant(meant, candidates, neighbours):
            reason = _WEAK
    elif not meant:
        best = _best(candidates)
        meant = best[0]
        reason = _doubt(best, candidates, neighbours)
    status = Status.DIFFERS
    if reason:
        status = Status.UNKNOWN
    elif meant.is_same:
        status = Status.AGREES
    return Fact(statement, status, meant.definition, meant.value, reason)


def _of_section(
    candidates: Sequence[_Candidate], neighbours: _Neighbours
) -> _Candidate | None:
    """The candidate in the code that the section is about: with the stated value, else one that surely has another."""
    differing = None
    for item in sorted(candidates, key=neighbours.nearness, reverse=True):
        is_about = neighbours.agree(item.of_section) and item.is_of_readme is not False
        if not is_about or not item.statement.is_sure:
            continue
        if item.is_same:
            return item
        is_exact = item.is_named or not item.names.isdisjoint(item.statement.names)
        is_other = is_exact and item.is_stated and item.is_same is False
        is_weak = item.is_use or item.strength == _UNSET or neighbours.state(item)
        is_open = is_weak or _is_disputed(item, candidates)
        if is_other and not is_open and neighbours.mostly_agree(item.of_section):
            differing = differing or item
    return differing


def _is_disputed(item: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """True if another definition of its file has the stated value, or a default elsewhere whose name is no word."""
    for other in candidates:
        is_default = item.is_named and other.strength >= _PLACED
        is_here = other.definition.file == item.definition.file
        if other.is_same and (is_default or is_here):
            return True
    return False


def _candidates(statement: Statement, index: Index) -> list[_Candidate]:
    """The definitions that have one of the statement's names, in any spelling; for a README of a folder those of this
    folder, if it has any."""
    found: dict[int, Definition] = {}
    for name in statement.names:
        last = parts_of(name)[-1]
        for item in index.named(last):
            is_meant = not statement.code or is_named_by(item.file, statement.code)
            names = (item.name, *item.also)
            if is_meant and any(_is_same_name(last, other) for other in names):
                found[id(item)] = item
    page = statement.file
    own = [item for item in found.values() if _is_of_readme(page, item.file)]
    candidates = []
    is_name = index.has(statement.text)
    for item in own or found.values():
        source = index.source_of(item)
        same = is_same(statement.value, source.value, statement.text)
        if is_name and same is False:  # as much as that is
            same = None
        candidates.append(_Candidate(statement, item, source, same))
    return candidates


def is_named_by(file: str, pattern: str) -> bool:
    """True if a glob names a file, from the root of the repository or from any folder of it."""
    return glob_matches(file, (pattern, f"**/{pattern}"))


def _is_same_name(one: str, other: str) -> bool:
    """True if two names of the same letters are one name: a constant is written in capitals, and a field is not."""
    if one.lstrip("-").replace("-", "_") == other.lstrip("-").replace("-", "_"):
        return True
    return not one.isupper() and not other.isupper()


def _agreeing(candidates: Sequence[_Candidate]) -> Sequence[_Candidate]:
    """The candidates with the stated value among the best."""
    known = [item for item in candidates if item.is_known or item.is_same]
    return [item for item in _best(known) if item.is_same]


def _best(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The candidates of the best rank: in the order of their ranks."""
    ranked = defaultdict(list)
    for item in candidates:
        ranked[item.rank].append(item)
    return ranked[max(ranked)] if ranked else []


def _have_one_value(candidates: Sequence[_Candidate]) -> bool:
    """True if all have one value."""
    return len({repr(item.value) for item in candidates}) == 1


def _doubt(
    best: Sequence[_Candidate],
    candidates: Sequence[_Candidate],
    neighbours: _Neighbours,
) -> str:
    """Why it is not sure that the docs' value is wrong; empty where the definition declares a default and is surely
    meant."""
    first = best[0]
    statement = first.statement
    is_elsewhere = any(item.is_same for item in candidates)
    if not statement.is_sure or neighbours.state(first):
        return _CONDITION
    if not all(item.is_known for item in best):
        return _AT_RUN_TIME
    if not _have_one_value(best) or (is_elsewhere and not first.is_specific):
        return _AMBIGUOUS
    if first.is_same is None:
        return _NOT_COMPARABLE
    if statement.code:
        return ""
    # "none" may also mean that users need not care
    is_weak = first.strength < _PLACED or not first.is_stated
    if is_weak or first.is_partial or not _is_meant(first, candidates, neighbours):
        return _WEAK
    return ""


def _is_meant(
    item: _Candidate,
    candidates: Sequence[_Candidate],
    neighbours: _Neighbours,
    *,
    was_right: bool = False,
) -> bool:
    """True if the page is about the definition's file, or nothing else with its name has another value. Of one thing
    alone, an equal value is enough.

    Args:
        was_right: whether it is asked as if it had the stated value, which it had before: then a page may be outdated
            as a whole.
    """
    if item.is_of_readme is False:
        return False
    is_about = neighbours.mostly_agree(item.of_page, one_more=was_right)
    is_sure = item.is_same or item.is_specific or neighbours.are_most(item.of_page)
    if is_about and is_sure and (item.is_named or item.is_whole):
        return True
    if neighbours.mostly_differ(item.statement.file) and not was_right:
        return False
    if item.is_of_readme:
        return True
    is_telling = item.is_specific or item.is_whole
    if item.is_same or was_right:
        is_telling = is_telling or item.is_named or len(candidates) == 1
    if not is_telling:
        return False
    alike = []
    for other in candidates:
        if other.value is not None and other.is_whole >= item.is_whole:
            alike.append(other)
    return _have_one_value(alike)


@cache  # many names are in two files
def _is_of_readme(page: str, file: str) -> bool | None:
    """Whether a file lies in the folder of code that a page is the README of; None where the page is no README of a
    folder. The values of a chart lie beside its README."""
    readme, code = PurePosixPath(page), PurePosixPath(file)
    if readme.stem.lower() != "readme":
        return None
    if code.stem == _CHART and code.parent == readme.parent:
        return True
    if len(readme.parts) == 1 or not DOCS.isdisjoint(words_of(readme.parts[:-1])):
        return None
    return code.is_relative_to(readme.parent) and code.stem != _CHART


def _prefix_words(statement: Statement) -> frozenset[str]:
    """The words in front of the last part of a dotted name: `app` and `server` of `app.server.port`."""
    prefixes: list[str] = []
    for name in statement.names:
        prefixes += parts_of(name)[:-1]
    return words_of(tuple(prefixes))


def parts_of(name: str) -> list[str]:
    """The parts of a dotted name; a flag is one part."""
    if name.startswith("-"):
        return [name]
    return re.split(r"[./]", name)


def _is_end_of(name: str, path: Sequence[str]) -> bool:
    """True if a name has several parts, and a path ends with them."""
    parts = list(map(letters, parts_of(name)))
    whole = list(map(letters, path))
    return len(parts) > 1 and whole[-len(parts) :] == parts


def _place_words(definition: Definition) -> frozenset[str]:
    """The words of a definition's scope and file."""
    path = PurePosixPath(definition.file).with_suffix("").parts
    return words_of((*definition.scope, *path))


@cache  # many definitions lie in one scope
def words_of(parts: tuple[str, ...]) -> frozenset[str]:
    """The words of some names, in small letters, without a plural's s."""
    words = _WORDS.findall(" ".join(parts))
    return frozenset(word.lower().removesuffix("s") for word in words)
