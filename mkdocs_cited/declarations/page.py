"""Reads the answers that a page declares in its front matter, and files of questions that belong to a built site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import yaml
from msgspec import Struct

from mkdocs_cited.base.text import closest
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.entries import Context, Entry, read_entry
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
MOST_ENTRIES = 1_000
"""Most answers of one page or file."""


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
    findings = [*matter.findings, *_misspelt(matter)]
    node = _value(matter.root, KEY)
    tip = f"write `{KEY}:` and below it `  - question: How do I …?`"
    if node is not None and not _is_ours(node):
        message = f"`{KEY}` in this front matter asks nothing and is left alone: it is somebody else's"
        finding = matter.invalid(node, message, tip)
        findings.append(replace(finding, severity=Severity.INFO))
        return _declarations(source, (), findings)
    context = Context(src, locale, known_providers, matter)
    entries = _entries(node, context, tip)
    if isinstance(given, list) and len(given) > len(entries) < MOST_ENTRIES:
        message = f"`{KEY}` that another plugin adds to a page are not read"
        tip = "write them in the page's front matter"
        findings.append(found("invalid-declaration", Place(file), message, tip=tip))
    return _declarations(source, entries, findings)


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
    context = Context(file, locale, known_providers, matter)
    entries = _entries(matter.root, context, tip)
    return _declarations(source, entries, matter.findings)


def _value(root: yaml.Node | None, name: str) -> yaml.Node | None:
    """The value of a key of a mapping; nothing where it has none."""
    found_last = None
    for key, _, value in items(root) if root else ():
        if key == name:
            found_last = value
    return found_last


def _entries(node: yaml.Node | None, context: Context, tip: str) -> list[Entry]:
    """The entries of a list; of those with one id, the first can be used."""
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return []
    if not isinstance(node, yaml.SequenceNode):
        finding = context.matter.invalid(node, "this is not a list", tip)
        return [Entry(finding.place, findings=(finding,))]
    entries = []
    if len(node.value) > MOST_ENTRIES:
        message = f"there are {len(node.value):,} entries; {MOST_ENTRIES:,} are read"
        finding = context.matter.invalid(node, message, "split them over several files")
        entries.append(Entry(finding.place, findings=(finding,)))
    seen: dict[str, Entry] = {}
    for item in node.value[:MOST_ENTRIES]:
        entry = read_entry(item, context)
        # Ids become file names, and many file systems do not tell `Limits` from `limits`.
        first = seen.setdefault(entry.id.lower(), entry) if entry.id else entry
        if first is not entry:
            message = f"the id `{entry.id}` is already used by the answer on line {first.place.line}"
            finding = found(
                "invalid-declaration",
                entry.place,
                message,
                tip="give one of the two another `id:`",
                answer=f"{context.page}#{entry.id}",
            )
            findings = (*entry.findings, finding)
            entry = replace(entry, declaration=None, findings=findings)
        entries.append(entry)
    return entries


def _declarations(
    source: SourceText, entries: Iterable[Entry], findings: Iterable[Finding]
) -> PageDeclarations:
    """What entries say, with what else is wrong."""
    declarations, ids, wrong = [], [], [*findings]
    for entry in entries:
        wrong += entry.findings
        if entry.id:
            ids.append(entry.id)
        if entry.declaration:
            declarations.append(entry.declaration)
    wrong.sort(key=lambda finding: finding.sort_key)
    return PageDeclarations(source, tuple(declarations), tuple(ids), tuple(wrong))


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
    for key, node, value in items(matter.root) if matter.root else ():
        is_close = key != KEY and closest(key.lower(), (KEY,))
        if is_close and isinstance(value, yaml.SequenceNode) and _is_ours(value):
            message = f"`{key}` lists questions, but is not a key of cited"
            tip = f"did you mean `{KEY}`?"
            yield found("unknown-option", matter.place(node), message, tip=tip)
