"""Reads the answers that a page declares in its front matter, and files of questions that belong to a built site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import yaml
from msgspec import Struct

from mkdocs_cited.base.text import closest
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.entries import Entries
from mkdocs_cited.declarations.front_matter import (
    FrontMatter,
    SourceText,
    decode,
    items,
    parse,
    read_front_matter,
    source_text,
)
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, Severity, found

KEY = "answers"
"""The key of the front matter that holds the declarations."""
MOST_CHARACTERS = 2_000_000
"""Longest file of questions."""


class PageDeclarations(Struct, frozen=True):
    """What one page says about answers."""

    source: SourceText
    """The text of its file; empty where that is not UTF-8."""
    declarations: tuple[Declaration, ...] = ()
    """Those that can be used, in the order of the page."""
    ids: tuple[str, ...] = ()
    """Every id that the page declares, those of entries that cannot be used included."""
    findings: tuple[Finding, ...] = ()
    """Sorted by place."""


def read_page(
    src: str,
    file: str,
    data: bytes,
    *,
    locale: str = "en",
    meta: Mapping[str, Any] | None = None,
    known_providers: Collection[str] = (),
) -> PageDeclarations:
    """Read the declarations of a page. Never raises, whatever the bytes.

    Args:
        src: path of the page under `docs_dir`.
        file: path of its file relative to the project, for places.
        data: the file's bytes.
        meta: the page's front matter as MkDocs has it: what other plugins put under `answers` is not read, and told.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(source_text(file, ""), findings=(source,))
    given = (meta or {}).get(KEY)
    if not given and not re.search("answers|question", source.text):
        return PageDeclarations(source)
    matter = read_front_matter(source)
    entries = Entries(src, locale, known_providers, matter)
    entries.findings += _misspelt(matter)
    node = _value(matter.root, KEY)
    tip = f"write `{KEY}:` and below it `  - question: How do I …?`"
    if node is not None and not _is_ours(node):
        message = f"`{KEY}` in this front matter asks nothing and is left alone: it is somebody else's"
        finding = matter.invalid(node, message, tip)
        entries.findings.append(replace(finding, severity=Severity.INFO))
        return _declarations(source, entries)
    entries.read(node, tip)
    written = 0
    if isinstance(node, yaml.SequenceNode):
        written = len(node.value)
    if isinstance(given, list) and len(given) > written:
        message = f"`{KEY}` that another plugin adds to a page are not read"
        tip = "write them in the page's front matter"
        finding = found("invalid-declaration", Place(file), message, tip=tip)
        entries.findings.append(finding)
    return _declarations(source, entries)


def read_questions(
    file: str, data: bytes, *, locale: str = "en", known_providers: Collection[str] = ()
) -> PageDeclarations:
    """The questions of a file, which is a list of what `answers` holds on a page. Never raises, whatever the bytes.

    Args:
        file: path relative to the project; the key of a question is `questions.yml#id`.
        locale: language of questions and answers.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(source_text(file, ""), findings=(source,))
    matter = parse(source, "the file", most_characters=MOST_CHARACTERS)
    tip = "write a list, one question an entry: `- question: How do I …?`"
    entries = Entries(file, locale, known_providers, matter)
    entries.read(matter.root, tip)
    return _declarations(source, entries)


def _value(root: yaml.Node | None, name: str) -> yaml.Node | None:
    """The value of a key of a mapping; nothing where it has none."""
    values = {key: value for key, _, value in items(root)}
    return values.get(name)


def _declarations(source: SourceText, entries: Entries) -> PageDeclarations:
    return PageDeclarations(
        source,
        tuple(entries.declarations),
        tuple(entries.ids),
        tuple(sorted(entries.findings, key=lambda finding: finding.sort_key)),
    )


def _is_ours(node: yaml.Node) -> bool:
    """True if `answers` asks something: themes and quizzes have lists and mappings under that name, too."""
    if isinstance(node, yaml.SequenceNode):
        return not node.value or any(map(_asks, node.value))
    return _asks(node) or not node.value


def _asks(entry: yaml.Node) -> bool:
    """True if an entry has a question, however it is misspelt; a question alone is one that lacks its key."""
    if isinstance(entry, yaml.ScalarNode):
        return str(entry.value).rstrip().endswith(("?", "？"))
    return any(closest(key.lower(), ("question",)) for key, _, _ in items(entry))


def _misspelt(matter: FrontMatter) -> Iterator[Finding]:
    """A finding for a key that lists questions and is all but called `answers`."""
    for key, node, value in items(matter.root):
        is_close = key != KEY and closest(key.lower(), (KEY,))
        if is_close and isinstance(value, yaml.SequenceNode) and _is_ours(value):
            message = f"`{key}` lists questions, but is not a key of cited"
            tip = f"did you mean `{KEY}`?"
            yield found("unknown-option", matter.place(node), message, tip=tip)
