"""What is certain of a claim that cites one value of a file: whether it states that value under that name.

The author named the address, so that no reader has to find out whether the value is the one that is meant.
"""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from mkdocs_cited.base.text import language_of
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.quantities import Likeness, Quantity, compare, quantities
from mkdocs_cited.language.stems import stems
from mkdocs_cited.language.tokens import negates, tokens
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Passage
from mkdocs_cited.review.interface import Case

REVIEWER = "lexical"
_TRUTH = ("true", "false")
_LEAST_VERSION = re.compile(
    r"(?:>=|~=|\^|~)\s*(\d[\w.]*)(?:\s*,\s*[<!~>=]+\s*[\w.*]+)*$"
)
"""A range of versions, of which prose tells the least: `>=3.11,<4`, `^3.11`."""
_THAN = re.compile(r"\b(?:than|als)\s+$")
"""What makes the figure behind it something that the value is compared with."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def judged_by_value(case: Case) -> Judgement | None:
    """The judgement of a claim that cites one value; `None` for any other claim."""
    values = [item.passage for item in case.evidence if item.passage.value]
    sections = {item.passage.section.where for item in case.evidence}
    if len(values) != 1 or len(sections) != 1:
        return None
    passage = values[0]
    language = language_of(case.locale)
    value = passage.value.partition(" (")[0].strip()
    least = _LEAST_VERSION.match(value)
    number = least[1] if least else value
    figures = list(quantities(number, language))
    if len(figures) == 1 and figures[0].text == number:
        return _judged_figure(case, figures[0], passage)
    if value.lower() in _TRUTH:
        return _judged_truth(case, value.lower(), passage)
    if value and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", case.claim.text):
        return _stated(case, passage)
    return _waits(passage, f"the value, `{value}`, is not in the claim")


def _judged_figure(case: Case, figure: Quantity, passage: Passage) -> Judgement:
    claim, value = case.claim.text, passage.value
    stated = []
    for token in tokens(claim, language_of(case.locale)):
        if token.quantity:
            stated.append(token.quantity)
    if any(_THAN.search(claim[: quantity.start]) for quantity in stated):
        return _waits(passage, f"it compares something with the value, `{value}`")
    likeness = {compare(quantity, figure) for quantity in stated}
    if likeness == {Likeness.SAME}:
        return _stated(case, passage)
    if likeness - {Likeness.DIFFERENT}:
        return _waits(
            passage,
            f"it may state the value, `{value}`, in another form, or another value too",
        )
    alike = [quantity for quantity in stated if _is_of_kind(quantity, figure)]
    if len(alike) != 1 or _is_within(alike[0], value):
        return _waits(passage, f"the value, `{value}`, is not in the claim")
    if _has_other_figure(alike[0], case):
        return _waits(passage, f"it may be a bound: the value is `{value}`")
    if compare(replace(alike[0], sign=figure.sign), figure) is Likeness.SAME:
        return _waits(passage, f"the value is `{value}`: does a word say its sign?")
    return _another(case, (alike[0].start, alike[0].end), passage)


def _is_of_kind(quantity: Quantity, figure: Quantity) -> bool:
    """True if a figure is of the value's kind, so that it is stated in the value's place."""
    dimensions = {quantity.dimension, figure.dimension}
    return len(dimensions) == 1 or "" in dimensions


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
            if compare(quantity, figure) is not Likeness.DIFFERENT:
                return True
    return False


def _judged_truth(case: Case, value: str, passage: Passage) -> Judgement:
    said = [token for token in tokens(case.claim.text) if token.key.lower() in _TRUTH]
    if len(said) == 1 and said[0].key.lower() == value:
        return _stated(case, passage)
    if len(said) == 1 and not negates(case.claim.text):
        return _another(case, (said[0].start, said[0].end), passage)
    name = passage.section.anchor
    return _waits(passage, f"`{name}` is `{passage.value}`: does the claim say so?")


def _stated(case: Case, passage: Passage) -> Judgement:
    """A claim that has the value: supported where it has the name as well, and denies nothing."""
    claim, name = case.claim.text, passage.section.anchor
    if negates(claim):
        return _waits(
            passage, f"the value is `{passage.value}`, and the claim has a negation"
        )
    # every word of the name that the address ends with, inflections aside
    language = language_of(case.locale)
    words = set(stems(" ".join(_PARTS.findall(claim)), language))
    wanted = stems(" ".join(_PARTS.findall(re.split(r"[./]", name)[-1])), language)
    if not wanted or not words.issuperset(wanted):
        return _waits(
            passage,
            f"the claim has the value; its name, `{name}`, is not in the claim",
        )
    return Judgement(Verdict.SUPPORTED, reviewer=REVIEWER, evidence_quote=passage.text)


def _another(case: Case, span: tuple[int, int], passage: Passage) -> Judgement:
    said = case.claim.text[span[0] : span[1]]
    return Judgement(
        Verdict.CONTRADICTED,
        reason=f"it states “{said}”, and `{passage.section.anchor}` is `{passage.value}` now",
        reviewer=REVIEWER,
        evidence_quote=passage.text,
        missing=(span,),
    )


def _waits(passage: Passage, reason: str) -> Judgement:
    return Judgement(Verdict.UNCHECKED, reason, REVIEWER, evidence_quote=passage.text)
