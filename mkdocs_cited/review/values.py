"""What is certain of a claim that cites one value of a file: whether it states that value under that name.

The author named the address, so that no reader has to find out whether the value is the one that is meant.
"""

from __future__ import annotations

import re

from msgspec.structs import replace
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from mkdocs_cited.base.text import language_of
from mkdocs_cited.language import Range, is_name, negates, stems, tokens
from mkdocs_cited.language.quantities import Quantity, may_equal, quantities
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Passage
from mkdocs_cited.review import OFFLINE
from mkdocs_cited.review.interface import Case

_FRAME = (
    "the a an of in is are has have value default defaults to by set "
    "der die das des ein eine von in ist sind hat wert standard standardwert auf"
)
"""The words of a sentence that says that a name has a value, and no more: of any other word, somebody decides."""
_LEAST = (
    "or newer later higher up at least version needs requires required minimum "
    "oder neuer höher mindestens ab version braucht benötigt erforderlich"
)
"""Those of a sentence about a range of versions."""
_TRUTH = {"true": "yes on enabled", "false": "no off disabled"}
"""Each with what docs write for it."""
_NOTHING = ("none", "null")
_LEAST_VERSION = re.compile(
    r"(?:>=|~=|\^|~)\s*(\d[\w.]*)(?:\s*,\s*[<!~>=]+\s*[\w.*]+)*$"
)
"""A range of versions, of which prose tells the least: `>=3.11,<4`, `^3.11`."""
_THAN = re.compile(r"\b(?:than|als)\s+$")
"""What makes the figure behind it something that the value is compared with."""
_STATEMENT = re.compile(
    r"(?:(?:the|der|die|das)\s)?(?P<name>[^;]+?)\s(?:is|ist|defaults to)\s(?P<value>`[^`]+`|[^\s`]+)",
    re.IGNORECASE,
)
"""A sentence that begins with a name, and says what that is."""
_WORD = re.compile(r"[\w./:@+-]+")
"""A value that is one word: all that a sentence can have another one in place of."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def judged_by_value(case: Case) -> Judgement | None:
    """The judgement of a claim that cites one value; `None` for any other claim."""
    values = [item.passage for item in case.evidence if item.passage.value]
    sections = {item.passage.section.where for item in case.evidence}
    if len(values) != 1 or len(sections) != 1:
        return None
    passage = values[0]
    claim = case.claim.text
    language = language_of(case.locale)
    value = passage.value.partition(" (")[0].strip()
    least = _LEAST_VERSION.match(value)
    number = least[1] if least else value
    figures = list(quantities(number, language))
    another: Range | None = None
    if len(figures) == 1 and figures[0].text == number:
        has_value, another = _figure(case, figures[0], value)
    elif value.lower() in _TRUTH:
        has_value, another = _truth(case, passage, value.lower())
    else:
        whole = rf"(?<!\w){re.escape(value)}(?!\w)"
        has_value = bool(value and re.search(whole, claim))
        if not has_value and _WORD.fullmatch(value):
            another = _other_word(case, passage, value)
    name = passage.section.anchor
    if another:
        said = claim[another[0] : another[1]]
        return Judgement(
            Verdict.CONTRADICTED,
            reason=f"it states “{said}”, and `{name}` is `{passage.value}`",
            reviewer=OFFLINE,
            evidence_quote=passage.text,
            missing=(another,),
        )
    verdict = Verdict.UNCHECKED
    reason = f"the value is `{passage.value}`"
    said = f"{case.claim.under}\n{claim}"  # a heading may have the name
    more = _other_words(case, passage, value)
    if has_value and more:
        reason += f", which does not say “{max(more, key=len)}”"
    elif has_value and not negates(claim) and _has_name(said, name, language):
        verdict = Verdict.SUPPORTED
        reason = ""
    return Judgement(verdict, reason, OFFLINE, evidence_quote=passage.text)


def _other_words(case: Case, passage: Passage, value: str) -> list[str]:
    """The words of a claim that say more than that a name has a value. Those of a help text beside the value say what
    else is true, and not of the value."""
    claim = case.claim.text
    language = language_of(case.locale)
    texts = [_FRAME, value, _TRUTH.get(value.lower(), "")]
    texts += [passage.text, passage.section.where]
    if _LEAST_VERSION.match(value):
        texts.append(_LEAST)
    said = " ".join(texts)
    known = {*_words(said, language), *stems(said, language)}
    more = []
    for token in tokens(claim, language):
        word = claim[token.start : token.end]
        is_known = known.issuperset(stems(word, language))
        if token.quantity is None and not is_known:
            more.append(word)
    return more


def _figure(case: Case, figure: Quantity, value: str) -> tuple[bool, Range | None]:
    """Whether a claim states a figure and no other, and the range of another figure that it states in its place."""
    claim = case.claim.text
    stated = []
    for token in tokens(claim, language_of(case.locale)):
        if token.quantity:
            stated.append(token.quantity)
    if any(_THAN.search(claim[: quantity.start]) for quantity in stated):
        return False, None
    if stated and all(quantity.key == figure.key for quantity in stated):
        return True, None
    if any(may_equal(quantity, figure) for quantity in stated):
        return False, None
    kinds = {figure.dimension, ""}  # it may be stated in the value's place
    alike = stated
    if figure.dimension:
        alike = [quantity for quantity in stated if quantity.dimension in kinds]
    if len(alike) != 1:
        return False, None
    other = alike[0]
    has_word_for_sign = replace(other, sign=figure.sign).key == figure.key
    if has_word_for_sign or _is_within(other, value) or _has_other_figure(other, case):
        return False, None
    return False, (other.start, other.end)


def _truth(case: Case, passage: Passage, value: str) -> tuple[bool, Range | None]:
    """Whether a claim says `true` or `false` as the file does, or a word for that, and the range of the other one. A
    word for it counts as the other one where the claim says nothing else."""
    claim = case.claim.text
    language = language_of(case.locale)
    named = _words(passage.section.anchor, language)
    (opposite,) = _TRUTH.keys() - {value}
    said = [token for token in tokens(claim) if token.key.lower() in _TRUTH]
    if not said:
        for token in tokens(claim):
            word = token.key.lower()
            if not set(named).isdisjoint(stems(word, language)):
                continue  # “disabled” of `disable_cache` names it
            if word in _TRUTH[value].split():
                return True, None
            if word in _TRUTH[opposite].split():
                said.append(token)
        if _other_words(case, passage, opposite):
            return False, None
    if len(said) != 1:
        return False, None
    if said[0].key.lower() == value:
        return True, None
    if negates(claim):
        return False, None
    return False, (said[0].start, said[0].end)


def _other_word(case: Case, passage: Passage, value: str) -> Range | None:
    """The range of a word, set as code or shaped like a name, that a claim states in place of a value: “`MODE` is
    `safe`”. One that the cited lines have, too, or that may be the same, is none."""
    statement = _STATEMENT.match(case.written)
    if statement is None or value.lower() in _NOTHING:
        return None
    language = language_of(case.locale)
    named = _words(statement["name"], language)
    anchor = passage.section.anchor
    has_more = not set(named).issubset(_words(f"{_FRAME} {anchor}", language))
    if has_more or not _has_name(statement["name"], anchor, language):
        return None
    stated = statement["value"].strip("`").rstrip(".,;:!")
    is_code = statement["value"].startswith("`")
    has_two = "`" in case.written[statement.end() :]
    if has_two or not (is_code or is_name(stated)):
        return None
    said = " ".join(item.passage.text for item in case.evidence).lower()
    if stated.lower() in said or value.lower() in stated.lower():
        return None
    start = case.claim.text.rfind(stated)
    return (start, start + len(stated))


def _words(name: str, language: str) -> list[str]:
    """The words that a name is made of, stemmed."""
    return stems(" ".join(_PARTS.findall(name)), language)


def _has_name(claim: str, name: str, language: str) -> bool:
    """True if a claim has every word of the name that an address ends with, inflections aside."""
    wanted = _words(re.split(r"[./]", name)[-1], language)
    return bool(wanted) and set(_words(claim, language)).issuperset(wanted)


def _is_within(quantity: Quantity, value: str) -> bool:
    """True if a value is a range with two ends, and a version lies in it: 3.12 in `>=3.9,<3.13`."""
    try:
        return "," in value and Version(quantity.digits) in SpecifierSet(value)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _has_other_figure(quantity: Quantity, case: Case) -> bool:
    """True if what is cited has a figure besides its value: `Field(3, le=10)`."""
    for item in case.evidence:
        if item.passage.value:
            continue
        text = item.passage.text.replace("=", " ")
        for figure in quantities(text, language_of(case.locale)):
            if may_equal(quantity, figure):
                return True
    return False
