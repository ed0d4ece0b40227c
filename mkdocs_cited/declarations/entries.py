"""Turns entries of `answers:` into declarations, and everything that is wrong with them into findings.

A good entry next to a bad one still works; an unknown key is reported and otherwise ignored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, NamedTuple

import msgspec
import yaml
from msgspec import Struct, structs
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import value_of
from mkdocs_cited.base.errors import in_words
from mkdocs_cited.base.text import collapse, did_you_mean, shorten, slugify
from mkdocs_cited.declarations.front_matter import FrontMatter, items
from mkdocs_cited.model.declaration import (
    AUTHORED,
    AnswerFormat,
    Declaration,
    Length,
)
from mkdocs_cited.model.finding import Place, found

MOST_QUESTION = 2_000
"""Longest question or phrasing, in characters."""
MOST_TEXT = 100_000
"""Longest authored text, in characters."""

# Not blank. Markdown renderers use control characters as placeholders, and neither YAML nor JSON can carry half a pair.
_USABLE = r"\A(?=[\s\S]*\S)[^\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]*\Z"
_BLOCK_START = re.compile(r"[^\n]*\n(?: *\n)*( *)")
"""What is before the first character of a text that is indented below its key; the group is its indentation."""
Usable = Annotated[str, msgspec.Meta(pattern=_USABLE, max_length=MOST_QUESTION)]


class Problem(NamedTuple):
    """What is wrong with an entry."""

    node: yaml.Node
    message: str
    tip: str
    slug: str = "invalid-declaration"


class _Written(Struct, frozen=True):
    """An entry as it is written."""

    question: Usable = ""
    id: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,99}\Z")] = ""
    queries: Annotated[tuple[Usable, ...], msgspec.Meta(max_length=50)] = ()
    sources: Annotated[tuple[Usable, ...], msgspec.Meta(max_length=200)] = ()
    provider: Usable = ""
    text: Annotated[str, msgspec.Meta(pattern=_USABLE, max_length=MOST_TEXT)] = ""
    format: AnswerFormat = AnswerFormat.ANY
    length: Length | None = None


_TYPES = {field.name: field.type for field in structs.fields(_Written)}
TIPS = {
    "question": "write `question: How do I …?`",
    "id": "write a word such as `id: rate-limits`: ASCII letters, digits, `-` and `_`, at most 100",
    "queries": "write a list: `queries: [requests per minute, throttling]`",
    "sources": 'write a list of globs: `sources: [api/*.md, "!api/legacy.md"]`',
    "provider": "write the name of a provider: `provider: quote`",
    "text": "write `text: >` and the text indented below",
    "format": "write one of `prose`, `steps`, `list`, `table`",
    "length": "write one of `short`, `normal`, `full`",
}
"""Every key of an entry, and what to write."""


_ELSEWHERE = {
    "answer": "write `text` for an answer of your own",
    "cite": "write each citation into `text`: `[@guide/keys.md#rotate]`",
    "schema": "delete it: answers are Markdown",
    "suppress": "write it under the option `suppress` in mkdocs.yml",
    "target": "delete it: answers are Markdown",
}
"""Keys that are none, though they look like it → what to write instead."""


class Entries:
    """Reads the entries of one page or file, one after the other."""

    def __init__(
        self, page: str, locale: str, providers: Collection[str], matter: FrontMatter
    ) -> None:
        """Begin with no entry.

        Args:
            page: path of the page under `docs_dir`.
            locale: its language.
            providers: names of the providers that are installed; empty when they are not known.
            matter: where the entries are.
        """
        self.page, self.locale = page, locale
        self._providers, self._matter = providers, matter
        self.declarations: list[Declaration] = []
        """Those that can be used."""
        self.ids: list[str] = []
        """Every id, those of entries that cannot be used included."""
        self.findings = [*matter.findings]
        self._first: dict[str, Place] = {}
        """Each id in lower case, since many file systems do not tell `Limits` from `limits` → its first entry."""

    def read(self, node: yaml.Node | None, tip: str) -> None:
        """Read a list of entries; `tip` says what to write where it is none."""
        if node is None or node.tag == "tag:yaml.org,2002:null":
            return
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(Problem(node, "this is not a list", tip))
            return
        for item in node.value:
            self._entry(item)

    def _entry(self, node: yaml.Node) -> None:
        """Read one entry."""
        nodes = {key: value for key, _, value in items(node) if key in TIPS}
        written, problems = _converted(nodes)
        problems += _misnamed(node)
        problems += _contradictions(written, nodes, self._providers)
        question = collapse(written.question)
        name = written.id
        if question and "id" not in nodes:
            name = slugify(question)
        place = self._matter.place(node)
        first = place
        if name:
            self.ids.append(name)
            first = self._first.setdefault(name.lower(), place)
        if first is not place:
            message = (
                f"the id `{name}` is already used by the answer on line {first.line}"
            )
            tip = "give one of the two another `id:`"
            problems.append(Problem(node, message, tip))
        for problem in problems:
            self._wrong(problem, name)
        if all(problem.slug == "unknown-option" for problem in problems):
            declaration = Declaration(
                self.page,
                name,
                question,
                place,
                self.locale,
                queries=tuple(dict.fromkeys(map(collapse, written.queries))),
                sources=written.sources,
                provider=written.provider,
                format=written.format,
                length=written.length,
            )
            if written.text:
                at, is_verbatim = _text_place(nodes["text"], self._matter)
                declaration = replace(
                    declaration,
                    provider=AUTHORED,
                    text=written.text.strip("\n").rstrip(),
                    text_place=at,
                    text_verbatim=is_verbatim,
                )
            self.declarations.append(declaration)

    def _wrong(self, problem: Problem, name: str = "") -> None:
        """Note what is wrong with the entry of this id."""
        finding = found(
            problem.slug,
            self._matter.place(problem.node),
            problem.message,
            tip=problem.tip,
            answer=f"{self.page}#{name}" if name else "",
        )
        self.findings.append(finding)


def _misnamed(node: yaml.Node) -> Iterator[Problem]:
    """What is wrong with the keys of an entry."""
    if not isinstance(node, yaml.MappingNode):
        message = "an entry of `answers` is not a mapping"
        yield Problem(node, message, "write `- question: How do I …?`")
        return
    seen = set[str]()
    for key, key_node, _ in items(node):
        message = f"`{key[:80]}` is not a key of an answer"
        if key in seen:
            message = f"`{key}` appears twice in this answer"
            yield Problem(key_node, message, "delete one of them")
        elif key in _ELSEWHERE:
            yield Problem(key_node, message, _ELSEWHERE[key])
        elif key not in TIPS:
            tip = did_you_mean(key, TIPS)
            yield Problem(key_node, message, tip, "unknown-option")
        seen.add(key)
    if "question" not in seen:
        message = "an answer has no `question`"
        yield Problem(node, message, TIPS["question"])


def _converted(nodes: Mapping[str, yaml.Node]) -> tuple[_Written, list[Problem]]:
    """The values of an entry that have their types, and what is wrong with the others."""
    values = {}
    problems = []
    for key, node in nodes.items():
        value = msgspec.to_builtins(value_of(node))
        try:
            values[key] = msgspec.convert(value, _TYPES[key])
        except msgspec.ValidationError as error:
            said = str(error).partition(" - at ")[0]
            problem = in_words(said.replace(" | null", ""))
            message = f"`{key}`: {shorten(problem, 200)}"
            if "matching regex" in said:
                message = f"`{key}` has an empty text"
                if key == "id" and value:
                    message = f"`id` cannot be `{shorten(value, 80)}`"
            problems.append(Problem(node, message, TIPS[key]))
    return _Written(**values), problems


def _contradictions(
    written: _Written, nodes: Mapping[str, yaml.Node], providers: Collection[str]
) -> Iterator[Problem]:
    """What is wrong with values that have their types: they name nothing, or contradict each other."""
    provider = written.provider
    if provider and providers and provider not in providers:
        message = f"`{provider[:80]}` is not an installed provider"
        tip = did_you_mean(provider, sorted(providers))
        yield Problem(nodes["provider"], message, tip)
    elif provider == AUTHORED and "text" not in nodes:
        message = "`provider: authored` needs the author's `text`"
        yield Problem(nodes["provider"], message, TIPS["text"])
    elif provider not in ("", AUTHORED) and "text" in nodes:
        message = (
            f"`text` is your own answer, so `{provider[:80]}` has nothing to write"
        )
        yield Problem(nodes["provider"], message, "delete one of the two")


def _text_place(node: yaml.Node, matter: FrontMatter) -> tuple[Place, bool]:
    """Where the first line of a text is, and whether its lines are lines of the file."""
    place = matter.place(node)
    written = matter.text_of(node)
    block = _BLOCK_START.match(written)
    style = node.style if isinstance(node, yaml.ScalarNode) else ""
    if block is None or style not in ("|", ">"):
        return Place(place.file, place.line, place.column), False
    first = Place(place.file, place.line + block[0].count("\n"), len(block[1]) + 1)
    # YAML ends lines at NEL, LS and PS as well; a file does not.
    is_verbatim = style == "|" and not re.search("[\x85\u2028\u2029]", written)
    return first, is_verbatim
