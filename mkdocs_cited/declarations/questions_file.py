"""Reads questions that no page shows: the same entries, bounds and messages as in front matter."""

from __future__ import annotations

from collections.abc import Collection

import yaml

from mkdocs_cited.base.bounded_yaml import TooMuchError, compose, where
from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.entries import TYPES, Context, read_entry
from mkdocs_cited.declarations.front_matter import FrontMatter, explained, items, unusable
from mkdocs_cited.declarations.page import PageDeclarations, refuse_doubled
from mkdocs_cited.declarations.source_text import SourceText, decode
from mkdocs_cited.model.declaration import Expectation, Expected
from mkdocs_cited.model.finding import Finding, found

KEY = "questions"
"""The key that may hold the list; the list may be the whole file too."""
MOST_CHARACTERS = 2_000_000
"""Longest file."""
MOST_QUESTIONS = 10_000
"""Most questions of one file."""
KEYS = tuple(key for key in TYPES if key not in ("text", "cite", "target", "schema"))
"""The keys of a question that no page shows."""

_TIP = "write a list, one question an entry: `- question: How do I …?`"


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
    matter, problems = _parsed(source)
    nodes, more = _entries(matter)
    context = Context(file, locale, known_providers, matter, KEYS)
    entries = [read_entry(_as_mapping(node), context) for node in nodes]
    refuse_doubled(file, entries, inherited_count=0)
    findings = [*problems, *more, *(finding for entry in entries for finding in entry.findings)]
    return PageDeclarations(
        tuple(
            replace(item, published=False, expect=item.expect or (Expectation(Expected.ANSWER, "", item.place),))
            for item in (entry.declaration for entry in entries)
            if item
        ),
        findings=tuple(sorted(findings, key=lambda finding: finding.sort_key)),
    )


def _parsed(source: SourceText) -> tuple[FrontMatter, list[Finding]]:
    """The file as YAML nodes that know where they stand."""
    blank = FrontMatter(source, 0, len(source.text), None)
    try:
        root = compose(source.text, most_characters=MOST_CHARACTERS)
    except TooMuchError as error:
        tip = "share the questions out over several files, flat and without aliases"
        return blank, [found("invalid-declaration", source.place(0), f"the questions cannot be read: {error}", tip=tip)]
    except yaml.YAMLError as error:
        at, problem = where(source.text, error)
        message, tip = explained(source.text, at, problem)
        message = f"the questions are not valid YAML: {message}"
        return blank, [found("invalid-declaration", source.place(at), message, tip=tip)]
    if root is None:
        return blank, []
    if unread := unusable(source, 0, root, "the questions are"):
        return blank, [unread]
    return FrontMatter(source, 0, len(source.text), root), []


def _entries(matter: FrontMatter) -> tuple[list[yaml.Node], list[Finding]]:
    """The entries of the list, which is the whole file or stands under `questions`."""
    node = matter.root
    if node is None:
        return [], []
    findings = []
    if isinstance(node, yaml.MappingNode):
        keys = {key: (key_node, value) for key, key_node, value in items(node)}
        if set(keys) != {KEY}:
            wrong = next((key_node for key, (key_node, _) in keys.items() if key != KEY), node)
            message = f"a file of questions is a list, or a mapping with the one key `{KEY}`"
            findings.append(found("invalid-declaration", matter.place(wrong), message, tip=_TIP))
        node = keys[KEY][1] if KEY in keys else yaml.SequenceNode("", [], node.start_mark, node.end_mark)
    if not isinstance(node, yaml.SequenceNode):
        findings.append(found("invalid-declaration", matter.place(node), "the questions are not a list", tip=_TIP))
        return [], findings
    if len(node.value) > MOST_QUESTIONS:
        message = f"the file holds {len(node.value):,} questions; {MOST_QUESTIONS:,} are read"
        findings.append(found("invalid-declaration", matter.place(node), message, tip="share them out"))
    return node.value[:MOST_QUESTIONS], findings


def _as_mapping(node: yaml.Node) -> yaml.Node:
    """An entry that is a question and nothing else, written out."""
    if not isinstance(node, yaml.ScalarNode):
        return node
    key = yaml.ScalarNode("tag:yaml.org,2002:str", "question", node.start_mark, node.end_mark)
    return yaml.MappingNode("tag:yaml.org,2002:map", [(key, node)], node.start_mark, node.end_mark)
