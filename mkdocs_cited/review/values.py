"""What is certain of a claim that cites one value of a file: whether it states that value under that name.

The author named the address, so that no reader has to find out whether the value is the one that is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from mkdocs_cited.base.text import language_of
from mkdocs_cited.language.quantities import Likeness, Quantity, compare, quantities
from mkdocs_cited.language.stems import stems
from mkdocs_cited.language.tokens import Token, negates, tokens
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Passage, SourceType
from mkdocs_cited.review.interface import Case

REVIEWER = "lexical"
_TRUTH = {"true": "false", "false": "true"}
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
    if len(values) != 1 or any(
        item.passage.section != values[0].section for item in case.evidence
    ):
        return None
    passage = values[0]
    value = passage.value.partition(" (")[0].strip()
    least = _LEAST_VERSION.match(value)
    language = language_of(case.locale)
    figure = _only_figure(least[1] if least else value, language)
    if figure is not None:
        return _judged_figure(case, figure, passage)
    if value.lower() in _TRUTH:
        return _judged_truth(case, value.lower(), passage)
    if value and _stands_in(value, case.claim.text):
        return _stated(case, passage)
    return _waits(passage, f"the value, `{value}`, is not in the claim")


def _only_figure(value: str, language: str) -> Quantity | None:
    """The quantity that a value is, if it is one and nothing else."""
    figures = list(quantities(value, language))
    return figures[0] if len(figures) == 1 and figures[0].text == value else None


def _judged_figure(case: Case, figure: Quantity, passage: Passage) -> Judgement:
    language = language_of(case.locale)
    claimed = [token for token in tokens(case.claim.text, language) if token.quantity]
    likeness = {token: _compared(token, figure) for token in claimed}
    if claimed and all(each is Likeness.SAME for each in likeness.values()):
        return _stated(case, passage)
    if any(each is not Likeness.DIFFERENT for each in likeness.values()):
        return _waits(
            passage,
            f"it may state the value, `{passage.value}`, in another form, or another value too",
        )
    comparable = [token for token in claimed if _is_comparable(token, figure)]
    if len(comparable) != 1 or _is_within(comparable[0], passage.value):
        return _waits(passage, f"the value, `{passage.value}`, is not in the claim")
    if _has_other_figure(comparable[0], case, language):
        return _waits(passage, f"it may be a bound: the value is `{passage.value}`")
    if _THAN.search(case.claim.text[: comparable[0].start]):
        return _waits(
            passage, f"it compares something with the value, `{passage.value}`"
        )
    return _another(case, comparable[0], passage)


def _is_within(token: Token, value: str) -> bool:
    """Whether a value is a range with two ends, and a version lies in it: 3.12 in `>=3.9,<3.13`."""
    if token.quantity is None or "," not in value:
        return False
    try:
        return Version(token.quantity.digits) in SpecifierSet(value)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _has_other_figure(token: Token, case: Case, language: str) -> bool:
    """Whether what is cited has a figure besides its value: `Field(3, le=10)`."""
    for item in case.evidence:
        text = "" if item.passage.value else item.passage.text
        for figure in quantities(text.replace("=", " "), language):
            if _compared(token, figure) is not Likeness.DIFFERENT:
                return True
    return False


def _compared(token: Token, figure: Quantity) -> Likeness:
    return compare(token.quantity, figure) if token.quantity else Likeness.DIFFERENT


def _is_comparable(token: Token, figure: Quantity) -> bool:
    """Whether a figure is of the value's kind, so that it is stated in the value's place."""
    quantity = token.quantity
    if quantity is None:
        return False
    return figure.dimension == quantity.dimension or not (
        figure.dimension and quantity.dimension
    )


def _judged_truth(case: Case, value: str, passage: Passage) -> Judgement:
    said = [token for token in tokens(case.claim.text) if token.key.lower() in _TRUTH]
    if len(said) == 1 and said[0].key.lower() != value and not negates(case.claim.text):
        return _another(case, said[0], passage)
    if len(said) == 1 and said[0].key.lower() == value:
        return _stated(case, passage)
    return _waits(
        passage,
        f"`{passage.section.anchor}` is `{passage.value}`: does the claim say so?",
    )


def _stands_in(value: str, claim: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", claim) is not None


def _stated(case: Case, passage: Passage) -> Judgement:
    """A claim that has the value: supported where it has the name as well, and denies nothing."""
    if negates(case.claim.text):
        return _waits(
            passage, f"the value is `{passage.value}`, and the claim has a negation"
        )
    if not _named(case.claim.text, passage, language_of(case.locale)):
        return _waits(
            passage,
            f"the claim has the value; its name, `{passage.section.anchor}`, is not in the claim",
        )
    return Judgement(Verdict.SUPPORTED, reviewer=REVIEWER, evidence_quote=passage.text)


def _named(claim: str, passage: Passage, language: str) -> bool:
    """Whether a claim has every word of the name that the address ends with, inflections aside."""
    last = re.split(r"[./]", passage.section.anchor)[-1]
    name = {stem for part in _PARTS.findall(last) for stem in stems(part, language)}
    return bool(name) and name <= set(stems(" ".join(_PARTS.findall(claim)), language))


def _another(case: Case, token: Token, passage: Passage) -> Judgement:
    said = case.claim.text[token.start : token.end]
    return Judgement(
        Verdict.CONTRADICTED,
        reason=f"it states “{said}”, and `{passage.section.anchor}` is `{passage.value}` now",
        reviewer=REVIEWER,
        evidence_quote=passage.text,
        missing=((token.start, token.end),),
    )


def _waits(passage: Passage, reason: str) -> Judgement:
    return Judgement(Verdict.UNCHECKED, reason, REVIEWER, evidence_quote=passage.text)


def lacks_values(claim: str, passages: Sequence[Passage], locale: str) -> bool:
    """Whether a claim states figures, and the part of a file that it cites has none of them in any form."""
    language = language_of(locale)
    stated = list(quantities(claim, language))
    if not stated:
        return False
    for passage in passages:
        if passage.page.type is not SourceType.FILE or passage.value:
            return False
        for figure in quantities(passage.text, language):
            if any(compare(figure, one) is not Likeness.DIFFERENT for one in stated):
                return False
    return True
