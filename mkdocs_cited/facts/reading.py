"""The statements of a page: what its headings, rows, terms, items and sentences say the default of a name is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.text import letters
from mkdocs_cited.code.interface import Value
from mkdocs_cited.facts.blocks import (
    Block,
    blocks,
    code_spans,
    is_shaped,
    names_in,
    without_code,
)
from mkdocs_cited.facts.stated import (
    Phrases,
    Stated,
    phrases,
    phrases_of,
    stated,
    stated_before,
    whole_cell,
)
from mkdocs_cited.model.options import FactRule

_SENTENCE = re.compile(r"(?<=[.!?])[)\"]?\s+(?=[\"(`]?[A-Z`(])|\n\n")
_LEAD = re.compile(r"[\s\[\]x]*(?:`[^`]+`)(?:\s*(?:,|/|\||or|and)?\s*\(?`[^`]+`\)?)*")
_AFTER_LEAD = re.compile(
    r"\s*(?:[-:–—(=.,]|\Z|\n|\[|<|[A-Z]|(?:is|are|defaults?|sets?)\b)"
)
_WORD_LEAD = re.compile(r"([\w.-]+)\s*(?::| [-–—]) ")

Names = tuple[str, ...]


class Statement(Struct, frozen=True):
    """The docs say what the default of a name is."""

    names: Names
    """The names of what it is about, as the docs write them; the first is shown."""
    value: Value
    text: str
    """The value as the docs write it."""
    file: str
    line: int
    end_line: int
    headings: tuple[str, ...] = ()
    """The headings over it, outermost first."""
    code: str = ""
    """The files that a rule of the project names for it: a glob."""
    is_sure: bool = True
    """Whether one value of one thing is stated; what depends on a condition is not sure."""
    is_past: bool = False
    """Whether it is about another version."""


def statements(
    markdown: str, file: str, rule: FactRule | None = None
) -> Iterator[Statement]:
    """What a page says of defaults, in its order.

    Args:
        file: its path, with `/`.
        rule: how the page says it; in English otherwise.
    """
    language = phrases_of(rule) if rule else phrases()
    by_heading = rule is not None and rule.name == "heading"
    goes_on = rule is not None and not rule.value.endswith("{value}")
    for _, section in groupby(blocks(markdown), key=lambda block: block.section):
        found = list(section)
        heading = "".join(found[0].headings[-1:])
        named = _section_names(found, language)
        if by_heading:
            named = names_in(heading.strip("`: ")) or named
        for block in found:
            if by_heading:
                if block.cells:
                    continue
                block = replace(block, leads=())
            for names, value in _of_block(block, named, language):
                # a name in place of a value is no value
                is_itself = value.text != "" and names[0].endswith(value.text)
                yield Statement(
                    names=names,
                    value=value.value,
                    text=value.text,
                    file=file,
                    line=block.line,
                    end_line=block.end_line,
                    headings=block.headings,
                    code=rule.code if rule else "",
                    is_sure=(value.is_sure or goes_on) and not is_itself,
                    is_past=value.is_past,
                )


def _of_block(
    block: Block, named: Names, language: Phrases
) -> Iterator[tuple[Names, Stated]]:
    """What a block states, each with the names of what it is about.

    Args:
        named: what its section is about.
    """
    text, lead = block.text, lead_names(block.leads)
    if block.cells:
        text, lead = "\n\n".join(block.cells[1:]), _row_names(block, language)
        value = _default_cell(block, language)
        if value and lead:
            yield lead, value
        if value or not lead:
            return
    for sentence in _sentences(text):
        is_past = language.past.search(sentence) is not None
        for start, value, given in _values(sentence, language):
            names, is_only = _subject(sentence[:start], lead or named)
            if given:
                names, is_only = names_in(given), True
            elif value.text in lead and not start:  # a choice of what the item lies in
                names, is_only = lead_names(block.leads[:-1]) or named, True
            if names:
                is_sure = value.is_sure and is_only and not is_past
                yield names, replace(value, is_sure=is_sure, is_past=is_past)


def _default_cell(block: Block, language: Phrases) -> Stated | None:
    """The value in a row's column of defaults."""
    columns = []
    is_sure = True
    for header, cell, is_link in zip(
        block.header, block.cells, block.links, strict=False
    ):
        if language.column.fullmatch(header.strip("` ")):
            columns.append(cell)
            # a word that another cell has, too, is a type
            is_sure = is_sure and not is_link and block.cells.count(cell) == 1
    value = whole_cell(columns[0], language) if columns else None
    if value and (len(columns) > 1 or not is_sure):
        return replace(value, is_sure=False)
    return value


def _row_names(block: Block, language: Phrases) -> Names:
    """The names of what a row is about: in its first cell that has some, and in columns of other names."""
    names: list[str] = []
    for place, (header, cell) in enumerate(
        zip(block.header, block.cells, strict=False)
    ):
        if language.column.fullmatch(header.strip("` ")):
            continue
        if not names or language.label.fullmatch(f"{header}:"):
            names += _cell_names(cell, is_first=place == 0)
    return tuple(dict.fromkeys(names))


def _cell_names(cell: str, *, is_first: bool) -> Names:
    """The names that a cell is; a plain word names something in the first cell of a row only."""
    spans = code_spans(cell)
    if not spans and (is_first or is_shaped(cell)):
        return names_in(cell)
    if len(re.findall(r"\w+", without_code(cell))) <= 3:
        return names_of(spans)
    return ()


def names_of(spans: Iterable[str]) -> Names:
    """The names that some code has, each once."""
    names: list[str] = []
    for span in spans:
        names += names_in(span)
    return tuple(dict.fromkeys(names))


def _values(sentence: str, language: Phrases) -> Iterator[tuple[int, Stated, str]]:
    """Where each statement begins, its value, and the name that its phrase holds."""
    taken = 0
    for match in language.before.finditer(sentence):
        if _is_in_code(sentence, match.start()):
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


def _subject(before: str, inherited: Names) -> tuple[Names, bool]:
    """What a statement is about, and whether that is one thing: the code in front of it, else what its block is about.

    Args:
        before: what its sentence says before.
        inherited: what its block is about.
    """
    known = set(map(letters, inherited))
    others = []
    spans = code_spans(before)
    if inherited:
        spans += before.split()[-1:]  # `global_factor default is`
    for span in spans:
        names = names_in(span.partition("=")[0])  # `server.port=80`
        if inherited:  # a plain word is a type, or a value
            names = tuple(filter(is_shaped, names))
        if not set(map(letters, names)) <= known:
            others.append(names)
    if not others:
        return inherited, True
    if inherited:
        return inherited, False
    return others[-1], len(set(others)) == 1


def lead_names(leads: Sequence[str]) -> Names:
    """The names that the innermost item begins with that begins with names."""
    for lead in reversed(leads):
        match = _LEAD.match(lead)
        if match and _AFTER_LEAD.match(lead, match.end()):
            first, *others = code_spans(match[0])
            # a plain word behind a name is its type
            names = names_in(first) + tuple(filter(is_shaped, names_of(others)))
            if names:
                return tuple(dict.fromkeys(names))
        word = _WORD_LEAD.match(lead)
        if word and is_shaped(word[1]):
            return names_in(word[1])
    return ()


def _section_names(section: list[Block], language: Phrases) -> Names:
    """The names of the section's thing: its heading, where that is a name, and what items such as `Flag: ` add."""
    headings = section[0].headings
    if not headings:
        return ()
    names = [*heading_names(headings[-1], is_nested=len(headings) > 1)]
    for block in section:
        label = language.label.match(block.text)
        if label:
            written = code_spans(block.text) or [block.text[label.end() :].strip()]
            names += filter(is_shaped, names_of(written))
    return tuple(dict.fromkeys(names))


def heading_names(heading: str, *, is_nested: bool = False) -> Names:
    """The names that a heading is.

    Args:
        is_nested: whether another one is over it: then a word in small letters is a name, too.
    """
    spans = code_spans(heading)
    if spans and len(re.findall(r"\w+", without_code(heading))) <= 2:
        return names_of(spans)
    word = re.sub(r"\s*\(.*\)$", "", heading.strip().rstrip(":"))
    is_word = is_nested and word.islower() and word.isidentifier()
    if not spans and (is_shaped(word) or is_word):
        return names_in(word)
    return ()


def _sentences(text: str) -> list[str]:
    """The sentences of a text, split at no point that is inside code."""
    sentences = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if not _is_in_code(text, match.start()):
            sentences.append(text[start : match.start()])
            start = match.end()
    return [*sentences, text[start:]]


def _is_in_code(text: str, at: int) -> bool:
    return text.count("`", 0, at) % 2 == 1
