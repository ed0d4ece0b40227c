"""The values that a sentence or a cell states, parsed."""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.code.interface import Computed, Entries, Items, Value
from mkdocs_cited.code.literals import quantity, scalar
from mkdocs_cited.facts.phrases import Phrases

_SPAN = re.compile(r"`([^`]+)`")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|“([^”\n]*)”|'([^'\n]*)'")
_BRACKETED = re.compile(r"\[[^\[\]\n]*\]|\{[^{}\n]*\}")
_BARE = re.compile(r"[^\s`,;()\[\]]+(?:\[\]|\(\))?")
_UNIT = re.compile(r"[ -]?([a-zA-Zµ]+)\b")
_NOTE = re.compile(r"\s*\([^()]*\)")
_END = re.compile(r"\s*(?:[.;)\]!]|\Z|\n|,\s*(?:which|so|unless|and|but)\b|[-–—]\s)")
_MORE = re.compile(r"\s*(?:,|and|\bor\b|/|\|)\s*`")
_NO_VALUE = ("n/a", "required", "-", "varies", "optional")
"""What a cell of defaults says instead of one."""
_SUBJECT = re.compile(
    r"(?:\A\W*|`[^`]+`\W*|\b(?:it|option|setting|feature|flag)\s+)(?:is |are )?\Z",
    re.IGNORECASE,
)
"""What may be enabled or disabled by default: a name, or what the block is about."""
_IN_BRACKETS = re.compile(r"\A[\[({](.*)[\])}]\Z", re.DOTALL)


class Stated(Struct, frozen=True):
    """A value in a sentence."""

    value: Value
    text: str
    start: int
    end: int
    is_sure: bool = True
    """Whether it is stated without a condition."""


def stated(sentence: str, at: int, language: Phrases) -> Stated | None:
    """The value that begins at a place of a sentence; nothing where no value does."""
    start = len(sentence) - len(sentence[at:].lstrip())
    span = _SPAN.match(sentence, start)
    if span:
        return _of_span(span, sentence, language)
    whole = _QUOTED.match(sentence, start) or _BRACKETED.match(sentence, start)
    if whole:
        text = whole[0].strip("\"'“”")
        return _made(
            value_of(whole[0], language), text, start, whole.end(), sentence, language
        )
    nothing = language.no_value.match(sentence, start)
    if nothing:
        return _made(None, nothing[0], start, nothing.end(), sentence, language)
    return _of_word(start, sentence, language)


def _of_span(span: re.Match[str], sentence: str, language: Phrases) -> Stated:
    """The value that code states, with the unit behind it."""
    measured = _with_unit(span[1], sentence, span.end())
    if measured:
        value, end = measured
        return _made(
            value,
            sentence[span.start() : end].replace("`", ""),
            span.start(),
            end,
            sentence,
            language,
        )
    made = _made(
        value_of(span[1], language),
        span[1],
        span.start(),
        span.end(),
        sentence,
        language,
    )
    return replace(made, is_sure=made.is_sure and not _MORE.match(sentence, span.end()))


def _of_word(start: int, sentence: str, language: Phrases) -> Stated | None:
    """The value that a word states, with the unit behind it; nothing for a word of a sentence."""
    bare = _BARE.match(sentence, start)
    text = bare[0].rstrip(".:!?*_") if bare else ""
    end = start + len(text)
    if not text or text.lower() in _NO_VALUE:
        return None
    measured = _with_unit(text, sentence, end)
    if measured:
        return _made(
            measured[0],
            sentence[start : measured[1]],
            start,
            measured[1],
            sentence,
            language,
        )
    value = value_of(text, language)
    if (
        isinstance(value, str)
        and not re.search(r"[\d/_.:-]", text)
        and not _END.match(sentence, end)
    ):
        return None
    return _made(value, text, start, end, sentence, language)


def stated_before(
    sentence: str, at: int, after: int, language: Phrases
) -> Stated | None:
    """The value that ends where a phrase such as `is the default` begins.

    Args:
        at: where the phrase begins.
        after: where it ends.
    """
    before = sentence[:at]
    span = re.search(r"`([^`]+)`(?:[ -]?([a-zA-Zµ]+))?\s*\Z", before)
    if span:
        measured = quantity(f"{span[1]} {span[2]}") if span[2] else None
        if span[2] and measured is None:
            return None
        value = value_of(span[1], language) if measured is None else measured
        is_end = _END.match(sentence, after) is not None
        return Stated(value, span[0].replace("`", "").strip(), span.start(), at, is_end)
    word = re.search(r"\b(\w+)\s*\Z", before)
    if word and word[1].lower() in language.on | language.off - {"no", "true", "false"}:
        if not _SUBJECT.search(before[: word.start()]):
            return None
        is_end = _END.match(sentence, after) is not None
        return Stated(word[1].lower() in language.on, word[1], word.start(), at, is_end)
    return None


def whole_cell(cell: str, language: Phrases) -> Stated | None:
    """The value that a cell is; nothing for an empty one, and for a dash."""
    text = cell.strip()
    if not re.search(r"[\w\"'`\[{*]", text) or text.lower() in _NO_VALUE:
        return None
    spans = _SPAN.findall(text)
    outside = _NOTE.sub("", re.sub(r"`[^`]*`", "", text)).strip(" .,*\n")
    if len(spans) == 1 and not outside:
        return Stated(value_of(spans[0], language), spans[0], 0, len(cell))
    if len(spans) > 1 and not re.sub(r"\b(?:and|or)\b|[\s,\[\]]", "", outside):
        values = tuple(value_of(span, language) for span in spans)
        return Stated(Items(values), text.replace("`", ""), 0, len(cell))
    if spans:
        measured = (
            _with_unit(spans[0], text, text.index("`", 1) + 1)
            if text.startswith("`")
            else None
        )
        if measured and measured[1] == len(text):
            return Stated(measured[0], text.replace("`", ""), 0, len(cell))
        return Stated(
            value_of(spans[0], language), spans[0], 0, len(cell), is_sure=False
        )
    value = value_of(text, language)
    is_prose = isinstance(value, str) and " " in text
    return Stated(value, text, 0, len(cell), is_sure=not is_prose)


def value_of(text: str, language: Phrases) -> Value:
    """The value that a piece of docs writes."""
    plain = text.strip()
    quoted = _QUOTED.fullmatch(plain)
    if quoted:
        inner = next(group for group in quoted.groups() if group is not None)
        return inner.replace("\\n", "\n")
    if plain.lower() in language.nothing:
        return None
    if plain.lower() in language.on | language.off:
        return plain.lower() in language.on
    if _IN_BRACKETS.match(plain):
        return _collection(plain, language)
    return scalar(plain)


def _collection(text: str, language: Phrases) -> Value:
    """A list or mapping as Python, JSON, or a shell writes it."""
    plain = re.sub(
        r"\btrue\b",
        "True",
        re.sub(r"\bfalse\b", "False", re.sub(r"\bnull\b", "None", text)),
    )
    try:
        return _literal(ast.literal_eval(plain))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    inner = text[1:-1].strip()
    if not inner:
        return Items(())
    if text.startswith("[") and ":" not in inner and not re.search(r"[\[\]{}]", inner):
        return Items(
            tuple(value_of(part, language) for part in inner.split(",") if part.strip())
        )
    return Computed()


def _literal(value: object) -> Value:
    """A value of Python's own types; they nest, so this calls itself."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return Items(tuple(_literal(item) for item in value))
    if isinstance(value, dict):
        return Entries(
            tuple((str(name), _literal(item)) for name, item in value.items())
        )
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return Computed()


def _with_unit(figure: str, sentence: str, at: int) -> tuple[Value, int] | None:
    """A figure with the unit behind it, and where that ends."""
    unit = _UNIT.match(sentence, at)
    if not unit or not re.fullmatch(r"-?[\d.,_]+", figure):
        return None
    if sentence[at : at + 1].isalpha() and sentence[at - 1 : at] != "`":
        return None
    value = quantity(f"{figure} {unit[1]}")
    if value is None:
        return None
    return (value, unit.end())


def _made(
    value: Value, text: str, start: int, end: int, sentence: str, language: Phrases
) -> Stated:
    """A value, which is sure where the sentence ends behind it, or goes on without a condition."""
    after = end
    note = _NOTE.match(sentence, end)
    if note:
        after = note.end()
    rest = sentence[after:].lstrip(" ,")
    is_sure = _END.match(sentence, after) is not None and not language.condition.match(
        rest
    )
    return Stated(value, text, start, end, is_sure)
