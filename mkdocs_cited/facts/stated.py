"""How pages state a value: the phrases that lead to one, and the value that stands in a sentence or a cell, parsed."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited import code
from mkdocs_cited.code.interface import Computed, Items, Value, quantity, scalar
from mkdocs_cited.model.options import FactRule

_NO_NAME = r"(?P<name>(?!))"
"""Matches no text."""
_VALUE = re.compile(
    r"`[^`]+`|\"[^\"\n]*\"|“[^”\n]*”|'[^'\n]*'|\[[^\[\]\n]*\]|\{[^{}\n]*\}"
    r"|\d{1,3}(?:,\d{3})+(?![\d,])|[^\s`,;()\[\]]+(?:\[\]|\(\))?"
)
_ENDS_BEFORE = re.compile(r"(?:`[^`]+`(?:[ -]?[a-zA-Zµ]+)?|\b\w+)\Z")
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|'[^'\n]*'")
_IN_BRACKETS = re.compile(r"\[.*\]|\{.*\}|\(.*\)", re.DOTALL)
_UNIT = re.compile(r"[ -]?([a-zA-Zµ]+)\b")
_NOTE = re.compile(r"\s*\([^()]*\)")
_END = re.compile(r"\s*(?:[.;)\]!]|\Z|\n|,\s*(?:which|so|unless|and|but)\b|[-–—]\s)")
_MORE = re.compile(r"\s*(?:,|and|\bor\b|/|\|)\s*`")
_NO_VALUE = ("n/a", "required", "-", "varies", "optional")
"""Texts of cells that state no value, in a column of defaults."""
_SUBJECT = re.compile(
    r"(?:\A\W*|`[^`]+`\W*|\b(?:it|option|setting|feature|flag)\s+)(?:is |are )?\Z",
    re.IGNORECASE,
)
"""What stands before `enabled by default`: nothing, a name, or a word for the subject of the block."""


class Phrases(Struct, frozen=True):
    """How a language says that a value is the default."""

    column: re.Pattern[str]
    label: re.Pattern[str]
    before: re.Pattern[str]
    """Ends where the value begins; group `name` where the phrase names the thing itself."""
    after: re.Pattern[str]
    condition: re.Pattern[str]
    past: re.Pattern[str]
    """Says that a sentence is about another version."""
    no_value: re.Pattern[str]
    """Says that there is no value."""
    on: frozenset[str]
    off: frozenset[str]


@cache  # compiled once
def phrases() -> Phrases:
    """The phrases of English, from the table `phrases.toml`."""
    text = files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)["en"]
    patterns = {}
    for name in ("column", "label", "before", "after", "condition", "past", "no_value"):
        patterns[name] = re.compile("|".join(table[name]), re.IGNORECASE)
    return Phrases(**patterns, on=frozenset(table["on"]), off=frozenset(table["off"]))


def phrases_of(rule: FactRule) -> Phrases:
    """The phrases of a project's rule: what is before `{value}`, or behind it; a column's header is before it."""
    before, _, after = rule.value.partition("{value}")
    if before.strip():
        after = ""
    return replace(
        phrases(),
        before=_compiled(before),
        after=_compiled(after),
        column=_compiled(before.strip(" :")),
    )


def _compiled(text: str) -> re.Pattern[str]:
    """What finds a part of `Default of {name}: {value}` in a sentence."""
    if not text.strip():
        return re.compile(_NO_NAME)
    written = re.escape(text.strip()).replace(r"\ ", r"\s+")
    if "{name}" in text:
        written = written.replace(r"\{name\}", "`?(?P<name>[^`\n]+?)`?")
    else:
        written += f"(?:{_NO_NAME})?"
    return re.compile(rf"(?<!\w){written}\s*", re.IGNORECASE)


class Stated(Struct, frozen=True):
    """A value in a sentence."""

    value: Value
    text: str
    start: int
    end: int
    is_sure: bool = True
    """Whether it is stated without a condition."""
    is_past: bool = False
    """Whether it is that of another version."""


def stated(sentence: str, at: int, language: Phrases) -> Stated | None:
    """The value that begins at an offset of a sentence, with its unit; `None` where no value begins there."""
    at += len(sentence[at:]) - len(sentence[at:].lstrip())
    match = language.no_value.match(sentence, at) or _VALUE.match(sentence, at)
    if not match:
        return None
    written = match[0]
    is_code = written.startswith("`")
    is_word = written[0] not in "`\"“'[{"
    if is_word:
        written = written.rstrip(".:!?*_")
    text = written.strip("`\"“”'")
    if is_code:
        text = written.strip("`")
    if is_word and (not text or text.lower() in _NO_VALUE):
        return None
    end = at + len(written)
    value = _value_of(written.strip("`"), language)
    unit = _UNIT.match(sentence, end)
    if unit and re.fullmatch(r"-?[\d.,_]+", text):
        measured = quantity(f"{text} {unit[1]}")
        if measured is not None:
            value, end = measured, unit.end()
            text = sentence[at:end].replace("`", "")
    is_end = _END.match(sentence, end) is not None
    is_text = isinstance(value, str) and not re.search(r"[\d/_.:-]", text)
    is_prose = is_word and is_text  # `info`, and "the default is used"
    if is_prose and not is_end:
        return None
    note = _NOTE.match(sentence, end)
    after = note.end() if note else end
    is_sure = (
        not is_prose
        and _END.match(sentence, after) is not None
        and not language.condition.match(sentence[after:].lstrip(" ,"))
        and not (is_code and _MORE.match(sentence, end))
    )
    return Stated(value, text, at, end, is_sure)


def stated_before(
    sentence: str, at: int, after: int, language: Phrases
) -> Stated | None:
    """The value that ends where a phrase such as `is the default` begins.

    Args:
        at: where the phrase begins.
        after: where it ends.
    """
    before = sentence[:at].rstrip()
    written = _ENDS_BEFORE.search(before)
    if not written:
        return None
    value = stated(before, written.start(), language)
    if value is None or value.end != len(before):
        return None
    is_of_subject = isinstance(value.value, bool) and _SUBJECT.search(
        before[: value.start]
    )
    if not written[0].startswith("`") and not is_of_subject:
        return None
    return replace(value, is_sure=_END.match(sentence, after) is not None)


def whole_cell(cell: str, language: Phrases) -> Stated | None:
    """The value that a cell is; nothing for an empty one, and for a dash."""
    text = cell.strip(" .,*\n")
    if not re.search(r"[\w\"'`\[{*]", text) or text.lower() in _NO_VALUE:
        return None
    if "`" not in text:
        value = _value_of(text, language)
        is_prose = isinstance(value, str) and " " in text
        return Stated(value, text, 0, len(cell), is_sure=not is_prose)
    spans = re.findall(r"`([^`]*)`", text)
    between = re.sub(r"`[^`]*`|\b(?:and|or)\b|[\s,\[\]]", "", text)
    if len(spans) > 1 and not between:
        values = tuple(_value_of(span, language) for span in spans)
        return Stated(Items(values), text.replace("`", ""), 0, len(cell))
    first = stated(text, text.index("`"), language)
    if first is None:
        return None
    rest = _NOTE.sub("", text[first.end :])
    return replace(first, is_sure=text.startswith("`") and not rest)


def _value_of(text: str, language: Phrases) -> Value:
    """The value that a piece of docs writes."""
    plain = text.strip()
    quoted = _QUOTED.fullmatch(plain)
    if quoted:
        return plain[1:-1].replace("\\\\", "\\").replace("\\n", "\n")
    if language.no_value.fullmatch(plain):
        return None
    if plain.lower() in language.on | language.off:
        return plain.lower() in language.on
    if _IN_BRACKETS.fullmatch(plain):
        return _collection(plain)
    return scalar(plain)


def _collection(text: str) -> Value:
    """A list or mapping as Python and JSON write it: YAML has both, and words without quotes."""
    if text.startswith("("):
        text = f"[{text[1:-1]}]"
    for found in code.definitions(f"value: {text}", "value.yaml")[:1]:
        return found.value
    return Computed()
