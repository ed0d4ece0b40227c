"""What is certain of a claim that cites one value of a file: whether it states that value, and nothing else.

The author named the address, so that no reader has to find out whether the value is the one that is meant. `supported`
is a claim that says no more than name and value; `contradicted`, one with another figure of that kind in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.lexicon import LANGUAGES
from mkdocs_cited.language.quantities import Quantity, close, counts, equal, quantities
from mkdocs_cited.language.quantities import same as same_quantity
from mkdocs_cited.language.quantities.quantity import NAMED
from mkdocs_cited.language.words import is_negation, tokenize
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Passage, Scope, SourceType
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical.limits import is_limiting, own_limit
from mkdocs_cited.review.lexical.statements import Statement

REVIEWER = "lexical"
MOST_ELSEWHERE = 100
"""Passages that are looked through for an old value."""
_FILLERS = frozenset(
    "the a an is are of in for its to by default defaults set value it this option setting key constant parameter "
    "environment variable flag field be at as per currently always der die das ist sind von für im in standardmäßig "
    "beträgt standard wert option auf den dem des".split()
)
"""Words that add nothing to a name and its value."""
_TRUTH = {"true": "false", "false": "true"}
_FACTORS = {
    "time": (1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0, 86400.0, 604800.0),
    "data": (0.125, 1.0, 1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0**2, 1024.0**3, 1024.0**4),
    "ratio": (0.01, 1.0),
}
"""Units that a bare number in a file may be meant in, as multiples of the base unit."""
_LEAST = re.compile(r"(?:>=|~=|\^|~)\s*(\d[\w.]*)(?:\s*,\s*[<!~>=]+\s*[\w.*]+)*$")
"""A range of versions, of which prose tells the least: `>=3.11,<4`, `^3.11`."""
_EXACT = 2**53
"""Up to which a number is read digit by digit."""
_TURNING = frozenset(
    "no not never dis disable disabled skip without deny exclude ignore hide min max minimum maximum old test tests "
    "example examples deprecated legacy".split()
)
"""Parts of a name without which it says something else: `disable_cache`, `min_replicas`."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def judged_by_value(case: Case) -> Judgement | None:
    """The judgement of a claim that cites one value; None for any other claim."""
    found = _judged(case)
    if found and found.verdict is Verdict.SUPPORTED:
        if language_of(case.locale) not in LANGUAGES:
            return replace(found, verdict=Verdict.UNCHECKED, reason="what is around it is in a language unknown here")
        passage = next(item.passage for item in case.evidence if item.passage.value)
        if said := next(filter(is_limiting, passage.labels), ""):
            return _waits(case.claim.text, passage, f"the file says “{shorten(said)}” of it")
        if own := own_limit(case, Statement(passage, passage.text, language_of(case.locale)), language_of(case.locale)):
            return _waits(case.claim.text, passage, f"your text has “{collapse(own)}” next to it")
    return found


def _judged(case: Case) -> Judgement | None:
    values = [item.passage for item in case.evidence if item.passage.value]
    if len(values) != 1 or any(item.passage.section != values[0].section for item in case.evidence):
        return None
    passage, claim, language = values[0], case.claim.text, language_of(case.locale)
    value = passage.value.partition(" (")[0].strip()
    least = _LEAST.match(value)
    value = f">={least[1]}" if least else value
    figures = quantities(value, language)
    if value.lower() in _TRUTH:
        return _of_truth(claim, value.lower(), passage, language)
    if len(figures) == 1 and not _WORDS.findall(value.replace(figures[0].text, "")):
        return _of_figure(claim, figures[0], passage, language)
    at = claim.find(value)
    if value and at >= 0:
        return _stated(claim, passage, [(at, at + len(value))], language)
    return _waits(claim, passage, f"the value, `{value}`, is not in the claim")


def values_in(text: str, locale: str = "en") -> Iterator[tuple[str, str]]:
    """Each figure of a text as it is written and in the base unit of its kind: what figures of a file are looked up
    by."""
    return ((f"{figure.value:g}", f"{figure.base:g}") for figure in quantities(text, language_of(locale)))


def also_stating(said: Sequence[str], value: Passage, corpus: Corpus) -> Iterator[Passage]:
    """The passages of the site's pages with a sentence that states one of these figures of the same name: found by
    words, and no proof.

    Args:
        said: figures and words that a claim states in place of a value.
        value: the value's passage.
    """
    name = [word.lower() for word in _WORDS.findall(re.split(r"[./]", value.section.anchor)[-1]) if len(word) > 1]
    old = [figure for text in said for figure in quantities(text)]
    query = f"{' '.join(name)} {' '.join(said)}"
    for hit in corpus.search(query, scope=Scope(), limit=MOST_ELSEWHERE) if name else ():
        passage = hit.passage
        if passage.page.type not in (SourceType.PAGE, SourceType.DEFINITION):
            continue
        for sentence in passage.sentence_texts():
            words = {word.lower() for word in _WORDS.findall(sentence)}
            stated = quantities(sentence, language_of(passage.page.locale))
            if words.intersection(name) and any(equal(one, other) for one in stated for other in old):
                yield passage
                break


def _of_figure(claim: str, figure: Quantity, passage: Passage, language: str) -> Judgement:
    stated = (*quantities(claim, language), *counts(claim, language))
    fitting = [item for item in stated if _is(item, figure)]
    if fitting and not any(_may_be(item, figure) for item in fitting):
        spans = [item.span if item.span != (0, 0) else (item.start, item.end) for item in fitting]
        if all(same_quantity(item, figure) for item in fitting) and abs(figure.value) < _EXACT:
            return _stated(claim, passage, spans, language)
        return _waits(claim, passage, f"the figure has other digits, bounds or another unit than `{passage.value}`")
    if any(_may_be(item, figure) for item in stated):
        return _waits(claim, passage, f"`{passage.value}` has no unit: a person has to say what it is")
    if (figure.value in (0, 1) and not figure.dimension) or _is_in(stated, passage.value):
        return _waits(claim, passage, f"the value, `{passage.value}`, is not in the claim")
    others = [item for item in stated if (item.dimension or not item.spelled) and _comparable(item, figure)]
    if not others:
        return _waits(claim, passage, f"the value, `{passage.value}`, is not in the claim")
    said = ", ".join(f"“{item.text}”" for item in others)
    name = passage.section.anchor
    reason = f"it states {said}, and `{name}` is `{passage.value}` now"
    spans = [(item.start, item.end) for item in others]
    return Judgement(Verdict.CONTRADICTED, 0.0, reason, REVIEWER, evidence_quote=passage.text, missing=tuple(spans))


def _is_in(stated: Sequence[Quantity], value: str) -> bool:
    """Whether a claim names a version that a range of versions does not leave out: 3.11 of `>=3.10,<4`."""
    least = _LEAST.match(value.partition(" (")[0].strip())
    parts = [
        [int(part) for part in re.findall(r"\d+", text)]
        for text in (least[1] if least else "", *(i.text for i in stated))
    ]
    return bool(least) and any(part >= parts[0] for part in parts[1:])


def _is(stated: Quantity, figure: Quantity) -> bool:
    """Whether a claim's figure is the value as it is written, or an equal one with a unit of the same kind."""
    if figure.dimension or stated.dimension in NAMED:
        return equal(stated, figure)
    return close(stated.value, figure.value) and not (stated.spelled and stated.dimension)


def _may_be(stated: Quantity, figure: Quantity) -> bool:
    """Whether a figure with a unit may be what a bare number of a file means."""
    if figure.dimension or not figure.value:
        return False
    return any(close(stated.base, figure.value * factor) for factor in _FACTORS.get(stated.dimension, ()))


def _comparable(stated: Quantity, figure: Quantity) -> bool:
    if figure.dimension:
        return stated.dimension in (figure.dimension, "")
    return stated.dimension not in NAMED or (stated.dimension == "version" and bool(figure.bound))


def _of_truth(claim: str, value: str, passage: Passage, language: str) -> Judgement:
    said = [token for token in tokenize(claim, language) if token.text.lower() in _TRUTH]
    denied = any(map(is_negation, tokenize(claim, language)))
    if not said or denied:
        return _waits(claim, passage, f"`{passage.section.anchor}` is `{passage.value}`: does the claim say so?")
    if any(token.text.lower() != value for token in said):
        spans = tuple((token.start, token.end) for token in said if token.text.lower() != value)
        reason = f"it states “{_TRUTH[value]}”, and `{passage.section.anchor}` is `{passage.value}` now"
        return Judgement(Verdict.CONTRADICTED, 0.0, reason, REVIEWER, evidence_quote=passage.text, missing=spans)
    return _stated(claim, passage, [(token.start, token.end) for token in said], language)


def _stated(claim: str, passage: Passage, spans: list[tuple[int, int]], language: str) -> Judgement:
    """A claim that holds the value: proven where it says nothing besides name and value."""
    for start, end in spans:
        claim = claim[:start] + " " * (end - start) + claim[end:]
    known = {word.lower() for word in _WORDS.findall(passage.section.anchor)}
    words = [word.lower() for word in _WORDS.findall(claim)]
    named = [word for word in words if word in known or (word.endswith("s") and word[:-1] in known)]
    denied = any(map(is_negation, tokenize(claim, language))) or not (known & _TURNING) <= set(words)
    if named and not denied and all(word in _FILLERS or word in named for word in words):
        return Judgement(Verdict.SUPPORTED, 1.0, "", REVIEWER, evidence_quote=passage.text, matched=tuple(spans))
    return _waits(claim, passage, "the value is the claim's; what else the claim says is not in the file")


def _waits(claim: str, passage: Passage, reason: str) -> Judgement:
    return Judgement(Verdict.UNCHECKED, 0.5, reason, REVIEWER, evidence_quote=passage.text)
