"""Reads everything one page says about answers: its declarations, its markers, and what is wrong with either."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import node_of, value_of
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.entries import MOST_ENTRIES, Context, Entry, read_entry
from mkdocs_cited.declarations.front_matter import FrontMatter, items, read_front_matter
from mkdocs_cited.declarations.markers import Marker, check_markers
from mkdocs_cited.declarations.prose import ID, read_prose
from mkdocs_cited.declarations.source_text import SourceText, decode
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, found

KEY = "answers"
"""The key of the front matter that holds the declarations."""


class PageDeclarations(Struct, frozen=True):
    """What one page says about answers."""

    declarations: tuple[Declaration, ...] = ()
    """Those that can be used, in the order of the page; defaults from elsewhere come first."""
    markers: tuple[Marker, ...] = ()
    """Markers of these declarations, in the order of the page."""
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
    """Read the declarations and markers of a page. Never raises, whatever the bytes.

    Args:
        src: path of the page under `docs_dir`.
        file: path of its file relative to the project, for places.
        data: the file's bytes.
        meta: the page's front matter as MkDocs has it, what other plugins add merged in; entries that are not the
            page's own are placed on the page's first line.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(findings=(source,))
    if KEY not in source.text and "answer:" not in source.text and KEY not in (meta or {}) and meta:
        return PageDeclarations()  # nothing of ours, and MkDocs could read the front matter
    matter = read_front_matter(source)
    own, problems = _entries(matter)
    inherited, more = _inherited(source, own, meta)
    entries = [read_entry(node, Context(src, locale, known_providers, where)) for where, node in (*inherited, *own)]
    refuse_doubled(src, entries, inherited_count=len(inherited))
    declarations = [entry.declaration for entry in entries if entry.declaration]
    ids = [entry.id for entry in entries if entry.id]
    markers, wrong = check_markers(source, matter.body, src, ids)
    marked = {marker.id for marker in markers}
    findings = [*matter.findings, *problems, *more, *wrong, *(f for entry in entries for f in entry.findings)]
    return PageDeclarations(
        tuple(replace(item, marked=item.id in marked) for item in declarations),
        tuple(marker for marker in markers if marker.id in {item.id for item in declarations}),
        tuple(sorted(findings, key=lambda finding: finding.sort_key)),
    )


def with_prose(
    declared: PageDeclarations, file: str, data: bytes, markdown: str, *, src: str, locale: str, quiet: bool
) -> tuple[PageDeclarations, str]:
    """What a page says about answers with its marked claims, and its Markdown with slots for their citations.

    Args:
        declared: what `read_page` found.
        markdown: the page's text, without front matter.
        quiet: whether readers see nothing of the citations.
        file: as for `read_page`, as are the others.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return declared, markdown
    marked = read_prose(source, markdown, page=src, locale=locale, quiet=quiet)
    if marked is None:
        return declared, markdown
    declared = replace(declared, findings=(*declared.findings, *marked.findings))
    if marked.declaration is None:
        return declared, markdown
    taken = next((item for item in declared.declarations if item.id.lower() == ID), None)
    if taken:
        message = f"the id `{taken.id}` names the marked claims of this page"
        tip = "give the answer another `id:`"
        wrong = found("invalid-declaration", taken.place, message, tip=tip, answer=taken.key)
        return replace(declared, findings=(*declared.findings, wrong)), markdown
    return replace(declared, declarations=(*declared.declarations, marked.declaration)), marked.markdown


Located = tuple[FrontMatter, yaml.Node]


def _entries(matter: FrontMatter) -> tuple[list[Located], list[Finding]]:
    """The entries of a front matter's `answers`."""
    if matter.root is None:
        return [], []
    values = {key: value for key, _, value in items(matter.root)}
    misspelt = _misspelt(matter)
    if KEY not in values:
        return [], misspelt
    node = values[KEY]
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null":
        return [], misspelt
    if not isinstance(node, yaml.SequenceNode):
        message = f"`{KEY}` is not a list"
        return [], [
            *misspelt,
            _invalid(matter, node, message, f"write `{KEY}:` and below it `  - question: How do I …?`"),
        ]
    problems = misspelt
    if len(node.value) > MOST_ENTRIES:
        message = f"`{KEY}` has {len(node.value):,} entries; {MOST_ENTRIES:,} are read"
        problems = [*misspelt, _invalid(matter, node, message, "share them out over several pages")]
    return [(matter, item) for item in node.value[:MOST_ENTRIES]], problems


def _misspelt(matter: FrontMatter) -> list[Finding]:
    """A key that holds questions and is all but called `answers`."""
    findings = []
    for key, node, value in items(matter.root) if matter.root else ():
        inner = value.value if isinstance(value, yaml.SequenceNode) else ()
        asks = any(name == "question" for item in inner for name, _, _ in items(item))
        tip = did_you_mean(key.lower(), (KEY,))
        if asks and key != KEY and tip.startswith("did you mean"):
            place = matter.place(node)
            findings.append(
                found("unknown-option", place, f"`{key}` holds questions, and cited does not know it", tip=tip)
            )
    return findings


def _inherited(
    source: SourceText, own: list[Located], meta: Mapping[str, Any] | None
) -> tuple[list[Located], list[Finding]]:
    """The entries that MkDocs has for the page and that the page does not hold itself."""
    merged = (meta or {}).get(KEY)
    rest = list(merged) if isinstance(merged, list) else []
    for value in [value_of(node) for _, node in own]:
        if value in rest:
            rest.remove(value)
    blank = FrontMatter(source, 0, 0, None)
    entries: list[Located] = []
    findings = []
    for value in rest[:MOST_ENTRIES]:
        try:
            entries.append((blank, node_of(value)))
        except ValueError:
            message = f"an entry of `{KEY}` that another plugin added cannot be read: {type(value).__name__}"
            findings.append(_invalid(blank, yaml.ScalarNode("", ""), message, "write it in the page's front matter"))
    return entries, findings


def refuse_doubled(src: str, entries: list[Entry], *, inherited_count: int) -> None:
    """Keep one entry for each id: the page's own over an inherited one, otherwise the first."""
    seen: dict[str, Entry] = {}
    for position, entry in sorted(enumerate(entries), key=lambda pair: (pair[0] < inherited_count, pair[0])):
        # Ids become file names, and many file systems do not tell `Limits` from `limits`.
        first = seen.setdefault(entry.id.lower(), entry) if entry.id else entry
        if first is entry:
            continue
        entry.declaration = None
        if position >= inherited_count:
            message = f"the id `{entry.id}` is taken by the answer on line {first.place.line}"
            tip = "give one of the two another `id:`"
            answer = f"{src}#{entry.id}"
            entry.findings.append(found("invalid-declaration", entry.place, message, tip=tip, answer=answer))


def _invalid(matter: FrontMatter, node: yaml.Node, message: str, tip: str) -> Finding:
    return found("invalid-declaration", matter.place(node), message, tip=tip)
