"""Reads the answers that a page declares in its front matter, and files of questions that no page shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import value_of
from mkdocs_cited.base.text import closest, did_you_mean
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.entries import MOST_ENTRIES, TYPES, Context, Entry
from mkdocs_cited.declarations.front_matter import (
    FrontMatter,
    decode,
    items,
    parse,
    read_front_matter,
)
from mkdocs_cited.model.declaration import Declaration, Expectation, Expected
from mkdocs_cited.model.finding import Finding, Place, Severity, found

KEY = "answers"
"""The key of the front matter that holds the declarations."""
QUESTIONS = "questions"
"""The key of a file of questions that may hold the list; the list may be the whole file too."""
MOST_CHARACTERS = 2_000_000
"""Longest file of questions."""
MOST_QUESTIONS = 10_000
"""Most questions of one file."""


class PageDeclarations(Struct, frozen=True):
    """What one page says about answers."""

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
        return PageDeclarations(findings=(source,))
    asks = KEY in source.text or "question" in source.text
    if not asks and KEY not in (meta or {}) and meta:
        # nothing of ours, and MkDocs could read the front matter
        return PageDeclarations()
    matter = read_front_matter(source)
    findings = [*matter.findings, *_misspelt(matter)]
    node = (
        {key: value for key, _, value in items(matter.root)}.get(KEY)
        if matter.root
        else None
    )
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null":
        node = None
    tip = f"write `{KEY}:` and below it `  - question: How do I …?`"
    if node is not None and not _is_ours(node):
        message = f"`{KEY}` in this front matter asks nothing and is left alone: it is somebody else's"
        findings.append(
            replace(matter.invalid(node, message, tip), severity=Severity.INFO)
        )
        return PageDeclarations(findings=_sorted(findings))
    nodes = _listed(matter, node, KEY, "entries", MOST_ENTRIES, tip, findings)
    given, own = (meta or {}).get(KEY), [value_of(item) for item in nodes]
    if isinstance(given, list) and any(value not in own for value in given):
        message = f"`{KEY}` that another plugin adds to a page are not read"
        findings.append(
            found(
                "invalid-declaration",
                Place(file),
                message,
                tip="write them in the page's front matter",
            )
        )
    entries = _entries(nodes, Context(src, locale, known_providers, matter), findings)
    declarations = [entry.declaration for entry in entries if entry.declaration]
    ids = tuple(entry.id for entry in entries if entry.id)
    return PageDeclarations(tuple(declarations), ids, _sorted(findings))


def read_questions(
    file: str, data: bytes, *, locale: str = "en", known_providers: Collection[str] = ()
) -> PageDeclarations:
    """The questions of a file, and what is wrong with it. Never raises, whatever the bytes.

    A question that names no `expect` expects an answer. Its key is `questions.yml#id`.

    Args:
        file: path relative to the project.
        locale: language of questions and answers.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(findings=(source,))
    matter = parse(source, "the file", most_characters=MOST_CHARACTERS)
    findings, node = [*matter.findings], matter.root
    tip = "write a list, one question an entry: `- question: How do I …?`"
    if isinstance(node, yaml.MappingNode):
        wrong = next(
            (key_node for key, key_node, _ in items(node) if key != QUESTIONS), None
        )
        if wrong or not node.value:
            message = f"a file of questions is a list, or a mapping with the one key `{QUESTIONS}`"
            findings.append(matter.invalid(wrong or node, message, tip))
        node = {key: value for key, _, value in items(node)}.get(QUESTIONS)
    nodes = _listed(matter, node, QUESTIONS, "questions", MOST_QUESTIONS, tip, findings)
    keys = tuple(key for key in TYPES if key not in ("cite", "target", "schema"))
    entries = _entries(
        map(_as_mapping, nodes),
        Context(file, locale, known_providers, matter, keys),
        findings,
    )
    asked = (entry.declaration for entry in entries)
    return PageDeclarations(
        tuple(
            replace(
                item,
                published=False,
                expect=item.expect or (Expectation(Expected.ANSWER, "", item.place),),
            )
            for item in asked
            if item
        ),
        (),
        _sorted(findings),
    )


def _listed(
    matter: FrontMatter,
    node: yaml.Node | None,
    key: str,
    what: str,
    most: int,
    tip: str,
    findings: list[Finding],
) -> list[yaml.Node]:
    """The entries of a list, as many as are read."""
    if node is None:
        return []
    if not isinstance(node, yaml.SequenceNode):
        findings.append(matter.invalid(node, f"`{key}` is not a list", tip))
        return []
    if len(node.value) > most:
        message = f"`{key}` has {len(node.value):,} {what}; {most:,} are read"
        findings.append(matter.invalid(node, message, "split them over several files"))
    return list(node.value[:most])


def _entries(
    nodes: Iterable[yaml.Node], context: Context, findings: list[Finding]
) -> list[Entry]:
    """What the entries say; of those with one id, the first."""
    entries = [Entry(node, context) for node in nodes]
    seen: dict[str, Entry] = {}
    for entry in entries:
        # Ids become file names, and many file systems do not tell `Limits` from `limits`.
        first = entry
        if entry.id:
            first = seen.setdefault(entry.id.lower(), entry)
        if first is not entry:
            entry.declaration = None
            message = f"the id `{entry.id}` is already used by the answer on line {first.place.line}"
            tip, answer = (
                "give one of the two another `id:`",
                f"{context.page}#{entry.id}",
            )
            entry.findings.append(
                found(
                    "invalid-declaration", entry.place, message, tip=tip, answer=answer
                )
            )
        findings += entry.findings
    return entries


def _is_ours(node: yaml.Node) -> bool:
    """True if `answers` asks something: themes and quizzes have lists and mappings under that name, too."""
    entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return not entries or any(map(_asks, entries))


def _asks(entry: yaml.Node) -> bool:
    """True if an entry has a question, however it is misspelt; a question alone is one that lacks its key."""
    if isinstance(entry, yaml.ScalarNode):
        return str(entry.value).rstrip().endswith(("?", "？"))
    keys = [key for key, _, _ in items(entry)]
    return any(closest(key.lower(), ("question",)) for key in keys)


def _misspelt(matter: FrontMatter) -> list[Finding]:
    """A key that holds questions and is all but called `answers`."""
    findings = []
    for key, node, value in items(matter.root) if matter.root else ():
        inner = value.value if isinstance(value, yaml.SequenceNode) else ()
        asks = any(name == "question" for item in inner for name, _, _ in items(item))
        tip = did_you_mean(key.lower(), (KEY,))
        if asks and key != KEY and tip.startswith("did you mean"):
            message = f"`{key}` lists questions, but is not a key of cited"
            findings.append(
                found("unknown-option", matter.place(node), message, tip=tip)
            )
    return findings


def _as_mapping(node: yaml.Node) -> yaml.Node:
    """An entry that is a question and nothing else, written out."""
    if not isinstance(node, yaml.ScalarNode):
        return node
    key = yaml.ScalarNode(
        "tag:yaml.org,2002:str", "question", node.start_mark, node.end_mark
    )
    return yaml.MappingNode(
        "tag:yaml.org,2002:map", [(key, node)], node.start_mark, node.end_mark
    )


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.sort_key))
