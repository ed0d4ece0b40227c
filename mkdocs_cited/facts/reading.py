"""The statements of a page: what its headings, rows, terms, items and sentences say the default of a name is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.facts.blocks import Block, blocks
from mkdocs_cited.facts.inline import code_spans, is_shaped, names_in
from mkdocs_cited.facts.phrases import Phrases, phrases
from mkdocs_cited.facts.rules import phrases_of
from mkdocs_cited.facts.stated import Stated, stated, stated_before, whole_cell
from mkdocs_cited.facts.statement import Statement
from mkdocs_cited.model.options import FactRule

_SENTENCE = re.compile(r"(?<=[.!?])[)\"]?\s+(?=[\"(`]?[A-Z`(])|\n\n")
_LEAD = re.compile(r"\A[\s\[\]x]*(?:`[^`]+`)(?:\s*(?:,|/|\||or|and)?\s*\(?`[^`]+`\)?)*")
_AFTER_LEAD = re.compile(
    r"\s*(?:[-:–—(=.,]|\Z|\n|\[|<|[A-Z]|(?:is|are|defaults?|sets?)\b)"
)
_WORD_LEAD = re.compile(r"\A([\w.-]+)\s*(?::| [-–—]) ")


class _Subject(Struct, frozen=True):
    """What a statement is about."""

    names: tuple[str, ...]
    is_sure: bool = True


def statements(
    markdown: str, file: str, rule: FactRule | None = None
) -> Iterator[Statement]:
    """What a page says of defaults, in its order.

    Args:
        file: its path, with `/`.
        rule: how the page says it; in English otherwise.
    """
    language = phrases_of(rule) if rule else phrases()
    code = ""
    if rule:
        code = rule.code
    naming = "any"
    if rule:
        naming = rule.name
    goes_on = rule is not None and not rule.value.endswith("{value}")
    path = PurePosixPath(file)
    page = path.parent.name if path.stem.lower() in ("index", "readme") else path.stem
    for _, section in groupby(blocks(markdown), key=lambda block: block.section):
        found = list(section)
        named = _section_names(found, language)
        if naming == "heading":
            named = _whole_heading(found[0]) or named
        for block in found:
            if not _is_named_by(block, naming):
                continue
            if naming == "heading":
                block = replace(block, leads=())
            for names, value in _of_block(block, named, language):
                yield Statement(
                    names=names.names,
                    value=value.value,
                    text=value.text,
                    file=file,
                    line=block.line,
                    end_line=block.end_line,
                    page=page,
                    headings=block.headings,
                    code=code,
                    is_sure=names.is_sure and (value.is_sure or goes_on),
                )


def _of_block(
    block: Block, named: tuple[str, ...], language: Phrases
) -> Iterator[tuple[_Subject, Stated]]:
    if block.cells:
        yield from _of_row(block, language)
        return
    lead = lead_names(block.leads)
    inherited = _Subject(lead or named)
    for sentence in sentences(block.text):
        for start, value, given in _values(sentence, language):
            subject = _subject(sentence, start, inherited)
            if value.text in lead and not start:  # a choice of what the item lies in
                subject = _Subject(lead_names(block.leads[:-1]) or named)
            if given:
                subject = _Subject(names_in(given))
            if language.past.search(sentence):
                subject = replace(subject, is_sure=False)
            if subject.names:
                yield subject, value


def _of_row(block: Block, language: Phrases) -> Iterator[tuple[_Subject, Stated]]:
    """A cell under a header of defaults; else what the cells of the row say."""
    columns = [
        place
        for place, text in enumerate(block.header)
        if language.column.fullmatch(text.strip("` "))
    ]
    names: list[str] = []
    for place, cell in enumerate(block.cells):
        if place not in columns and (
            not names or place == 0 or is_flag_column(block.header, place)
        ):
            names += _cell_names(cell, is_first=place == 0)
    subject = _Subject(tuple(dict.fromkeys(names)))
    if not names:
        return
    if columns and columns[0] < len(block.cells):
        value = whole_cell(block.cells[columns[0]], language)
        if value is not None:
            yield replace(subject, is_sure=len(columns) == 1), value
            return
    for cell in block.cells[1:]:
        for sentence in sentences(cell):
            for start, value, given in _values(sentence, language):
                about = _subject(sentence, start, subject)
                if about.names and not given:
                    yield about, value


def is_flag_column(header: tuple[str, ...], place: int) -> bool:
    """True if a column holds other names of what its rows are about."""
    return (
        place < len(header)
        and phrases().label.fullmatch(f"{header[place]}:") is not None
    )


def _cell_names(cell: str, *, is_first: bool) -> list[str]:
    """The names that a cell is; a plain word names something in the first cell of a row only."""
    spans = [match[1] for match in code_spans(cell)]
    outside = re.sub(r"`[^`]*`", "", cell)
    if spans and len(re.findall(r"\w+", outside)) <= 3:
        return [name for span in spans for name in names_in(span)]
    if not spans and (is_first or is_shaped(cell)):
        return list(names_in(cell))
    return []


def _values(sentence: str, language: Phrases) -> Iterator[tuple[int, Stated, str]]:
    """Where each statement begins, its value, and the name that its phrase holds."""
    taken = 0
    for match in language.before.finditer(sentence):
        if sentence.count("`", 0, match.start()) % 2:  # inside code
            continue
        value = stated(sentence, match.end(), language)
        if value is not None and match.start() >= taken:
            taken = value.end
            yield match.start(), value, match["name"] or ""
    if taken:
        return
    for match in language.after.finditer(sentence):
        value = stated_before(sentence, match.start(), match.end(), language)
        if value is not None:
            yield value.start, value, ""


def _subject(sentence: str, start: int, inherited: _Subject) -> _Subject:
    """What a sentence's statement is about: the code in front of the phrase, else what the block is about."""
    before: list[tuple[str, ...]] = []
    for match in code_spans(sentence[:start]):
        names = names_in(match[1])
        if inherited.names:  # a plain word is a type, or a value
            names = tuple(name for name in names if is_shaped(name))
        if names and set(names) != set(inherited.names):
            before.append(names)
    if not before:
        return inherited
    is_only = len(set(before)) == 1
    if inherited.names:
        lead_first = (
            sentence.lstrip(" []x").startswith("`") and before[0][0] in inherited.names
        )
        return replace(inherited, is_sure=lead_first and is_only)
    return _Subject(before[-1], is_sure=is_only)


def lead_names(leads: tuple[str, ...]) -> tuple[str, ...]:
    """The names that the innermost item begins with that begins with names."""
    for lead in reversed(leads):
        match = _LEAD.match(lead)
        if match and _AFTER_LEAD.match(lead, match.end()):
            names: list[str] = []
            for span in code_spans(match[0]):  # a plain word behind a name is its type
                names += [
                    name for name in names_in(span[1]) if not names or is_shaped(name)
                ]
            if names:
                return tuple(dict.fromkeys(names))
        word = _WORD_LEAD.match(lead)
        if word and is_shaped(word[1]):
            return names_in(word[1])
    return ()


def _section_names(section: list[Block], language: Phrases) -> tuple[str, ...]:
    """The names of the section's thing: its heading, where that is a name, and what items such as `Flag: ` add."""
    headings = section[0].headings
    if not headings:
        return ()
    names = list(heading_names(headings[-1], is_nested=len(headings) > 1))
    for block in section:
        label = language.label.match(block.text)
        if label:
            written = [span[1] for span in code_spans(block.text)] or [
                block.text[label.end() :].strip()
            ]
            for text in written:
                names += [name for name in names_in(text) if is_shaped(name)]
    return tuple(dict.fromkeys(names))


def heading_names(heading: str, *, is_nested: bool = False) -> list[str]:
    """The names that a heading is.

    Args:
        is_nested: whether another one is over it: then a word in small letters is a name, too.
    """
    heading = heading.strip().rstrip(":")
    spans = [match[1] for match in code_spans(heading)]
    outside = re.sub(r"`[^`]*`", "", heading)
    names: list[str] = []
    if spans and len(re.findall(r"\w+", outside)) <= 2:
        for span in spans:
            names += names_in(span)
        return names
    word = re.sub(r"\s*\(.*\)$", "", heading)
    if (
        not spans
        and " " not in word
        and (is_shaped(word) or (word.islower() and is_nested))
    ):
        return list(names_in(word))
    return []


def _whole_heading(block: Block) -> tuple[str, ...]:
    """The names that the heading over a block is, if only a word."""
    if block.headings:
        return names_in(block.headings[-1].strip("`: "))
    return ()


def _is_named_by(block: Block, naming: str) -> bool:
    """True if a rule means a block: one below a heading, in an item, or a row."""
    if naming == "heading":
        return not block.cells
    if naming == "item":
        return bool(block.leads)
    return naming == "any" or bool(block.cells)


def sentences(text: str) -> list[str]:
    """The sentences of a text, split at no point that is inside code."""
    found = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if text.count("`", 0, match.start()) % 2 == 0:
            found.append(text[start : match.start()])
            start = match.end()
    found.append(text[start:])
    return [sentence for sentence in found if sentence.strip()]
