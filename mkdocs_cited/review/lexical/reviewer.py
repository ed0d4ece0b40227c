"""The reviewer that needs no model and no network. It says only what is certain.

- `supported`: some sentences of a cited passage have the claim's items one by one, and nothing limits them from
  outside (`statements`). A row must have the heads that the claim's table has, code must have the claim's lines.
- `contradicted`: one such sentence differs in one item alone, and both cannot hold (`items.at_odds`), or in a negation.
- `unchecked`: everything else, with one hint that is true of claim and passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import ClassVar

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import collapse, digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.lexicon import LANGUAGES, word_class
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Claim, Evidence, Fault, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.review.interface import Case, Review, Reviewer
from mkdocs_cited.review.lexical import VERSION
from mkdocs_cited.review.lexical.items import Item, ItemKind, alike, at_odds, items_of, same, telling
from mkdocs_cited.review.lexical.limits import (
    arounds,
    code_differs,
    is_open,
    is_whole,
    limited_by,
    misordered,
    own_limit,
    presumed,
    spoken_to,
    taken_back,
)
from mkdocs_cited.review.lexical.statements import (
    LONGEST,
    MOST,
    Around,
    Compared,
    Statement,
    asks,
    compare,
    own_row,
    plain,
    statements,
)

_LONG = re.compile(r"\w{5,}")
"""Words by whose beginnings a sentence is known that cannot repeat a claim: it lacks more than half of them."""
COMMON = 3
"""Items that a claim and a sentence must share for a difference between them to prove anything."""
NEAR = 0.6
"""Share of its items from which a sentence is told as the one that is nearest to a claim, 0…1."""
NAMED = 4
"""Words that a hint names."""
SAYS = {
    "altered-number": "the claim says “{claim}”, its passage says “{passage}”",
    "altered-identifier": "the claim says `{claim}`, its passage says `{passage}`",
    "flipped-polarity": "“{claim}” is the opposite of “{passage}”",
}


class Lexical(Reviewer):
    """The embedded reviewer."""

    id: ClassVar[str] = "lexical"
    version: ClassVar[str] = VERSION

    def review(self, cases: Sequence[Case], corpus: Corpus) -> Review | Fault:
        """Judge each claim by the passages that it cites."""
        cited = {item.passage.id: item.passage for case in cases for item in case.evidence}
        around = arounds(cited.values(), corpus)
        for answer in {case.answer or case.around for case in cases}:
            for key in misordered(answer, cited.values()):
                around[key] = replace(around[key], misplaced=True)
        return Review(tuple(self._judge(case, around) for case in cases))

    def _judge(self, case: Case, around: Mapping[str, Around]) -> Judgement:
        if not case.evidence:
            return Judgement(Verdict.UNSUPPORTED, 0.0, "the claim cites no passage", self.id)
        found = assess(case, {item.passage.id: around[item.passage.id] for item in case.evidence})
        quoted = any(found.evidence_quote in item.passage.text for item in case.evidence)
        return found if quoted else replace(found, evidence_quote=case.evidence[0].passage.text)


def judge(
    claim: str, passages: Sequence[str], contexts: Sequence[str] = (), language: str = "en", question: str = ""
) -> Judgement:
    """Judge one claim by plain texts.

    Args:
        contexts: headings and the like that are over them.
        question: what the claim answers.
    """
    section = Section(Page("", "", "", language), "", "", 0, ())
    evidence = tuple(
        Evidence(
            Passage(
                str(number), section, PassageKind.PARAGRAPH, text, SourceType.PAGE, digest(text),
                sentences=tuple(sentences(text, language)), labels=tuple(contexts),
            ), "",
        )
        for number, text in enumerate(passages)
    )  # fmt: skip
    return assess(Case(Claim(claim, ()), evidence, question, language, claim), {})


def assess(case: Case, around: Mapping[str, Around]) -> Judgement:
    """Judge one claim.

    Args:
        around: id of a cited passage → what is around it.
    """
    return _assess(case, tuple(sorted(around.items())))


@lru_cache(maxsize=512)
def _assess(case: Case, around: tuple[tuple[str, Around], ...]) -> Judgement:
    language = language_of(case.locale)
    claim = items_of(case.claim.text, language)
    if not claim or len(case.claim.text) > MOST or asks(case.claim.text):
        return Judgement(Verdict.UNCHECKED, 0.0, "the claim is too long, asks, or holds nothing to compare", Lexical.id)
    most = min(LONGEST, len(sentences(case.claim.text, language)) + 1)  # the two may be cut otherwise
    stated = [s for s in statements(case.evidence, dict(around), language, most) if len(s.text) <= MOST]
    row, roots = own_row(case.answer, case.claim.text), {word[:4] for word in _LONG.findall(case.claim.text.casefold())}
    near = [s for s in stated if row or 2 * sum(root in s.text.casefold() for root in roots) >= len(roots)]
    tables = [compare(row, statement.passage, language) for statement in near]
    hints = []
    for statement, table in zip(near, tables, strict=True):
        if table.agrees if table else _repeats(case, statement, language):
            hint = "" if language in LANGUAGES else "what is around it is in a language without a list of words"
            hint = hint or _presumed(case, stated, language) or _withheld(case, statement, language)
            if not hint:
                whole = ((0, len(case.claim.text)),)
                return Judgement(Verdict.SUPPORTED, 1.0, "", Lexical.id, evidence_quote=statement.text, matched=whole)
            hints.append(hint)
    for statement, table in zip(near, tables, strict=True) if not hints else ():
        found = _other_value(case, table) if row else _contradiction(claim, statement)
        if found and not _withheld(case, statement, language, denials=True):
            slug, span, reason = found
            return Judgement(
                Verdict.CONTRADICTED, 0.0, reason, Lexical.id,
                evidence_quote=statement.text, missing=(span,), proof=slug,
            )  # fmt: skip
    return _waits(claim, stated, hints)


def _repeats(case: Case, statement: Statement, language: str) -> bool:
    """Whether a statement has the claim's items one by one, and its code sign by sign; of code, its lines."""
    passage, claim = statement.passage, case.claim.text
    if passage.kind is PassageKind.CODE:
        return _has_lines(passage.text, claim)
    if not all(plain(head) in plain(case.answer) for head in passage.header):
        return False  # a table of one's own may have other heads over the same cells
    return alike(claim, statement.text, language) and not code_differs(case, statement)


def _has_lines(code: str, claim: str) -> bool:
    """Whether two blocks of code have the same lines."""
    whole, part = ([line.rstrip() for line in text.strip("\n").split("\n")] for text in (code, claim))
    return whole == part


def _presumed(case: Case, stated: Sequence[Statement], language: str) -> str:
    """Why a claim answers a question that no passage does, though one has its words; empty where one may."""
    return "no cited passage has what its question takes for granted" if presumed(case, stated, language) else ""


def _withheld(case: Case, statement: Statement, language: str, *, denials: bool = False) -> str:
    """Why a statement decides nothing by itself; empty where it does."""
    answer = plain(case.answer or case.around)
    if not denials and statement.around.misplaced:
        return "the answer has the list in another order"
    whole = denials or is_whole(statement, answer)
    if not whole and is_open(case.claim.text, statement, answer):
        return "only the sentence before it says what the claim is about"
    if not whole and (asked := spoken_to(case, statement, language)):
        return f"its passage says it to “{collapse(asked)}”"
    if taken_back(statement, answer):
        return f"its passage goes on: “{collapse(statement.around.after)}”"
    if over := limited_by(statement, f"{case.claim.text} {case.question}", answer, language, denials=denials):
        return f"its passage is under “{over}”"
    own = own_limit(case, statement, language)
    return f"your text has “{collapse(own)}” next to it, which its passage does not" if own else ""


def _other_value(case: Case, table: Compared | None) -> tuple[str, tuple[int, int], str] | None:
    """What proves a row of one's own wrong by a cited row: slug, the range of the value, and both values."""
    if table is None or not table.slug:
        return None
    at = max(0, case.claim.text.rfind(table.claimed))
    reason = f"under “{table.head}” the claim says “{table.claimed}”, its passage says “{table.stated}”"
    return table.slug, (at, at + len(table.claimed)), reason


def _contradiction(claim: Sequence[Item], statement: Statement) -> tuple[str, tuple[int, int], str] | None:
    """What proves a claim wrong that repeats a sentence but for one item: slug, the item's range and both sides."""
    found = None if statement.passage.kind is PassageKind.CODE else _odds(claim, statement.items)
    return (found[0], (found[1].start, found[1].end), found[2]) if found else None


def _odds(claim: Sequence[Item], stated: Sequence[Item]) -> tuple[str, Item, str] | None:
    mine, theirs = telling(claim), telling(stated)
    pairs = list(_differences(mine, theirs))
    figures = len(pairs) == 1 and all(item and item.figure for item in pairs[0])
    if len(pairs) != 1 or len(mine) <= COMMON - figures:
        return None
    one, other = pairs[0]
    if one and other:
        slug = at_odds(one, other)
        return (slug, one, SAYS[slug].format(claim=one.text, passage=other.text)) if slug else None
    item = one or other
    if item is None or item.kind is not ItemKind.NEGATION:
        return None
    if one:
        return "flipped-polarity", one, f"the claim says “{item.text}”, the same words of its passage do not"
    return "flipped-polarity", mine[-1], f"its passage says “{item.text}”, the same words of the claim do not"


def _differences(mine: Sequence[Item], theirs: Sequence[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """The items of two texts that do not stand for each other, inflections aside; a pair for each place."""
    at = 0
    while at < min(len(mine), len(theirs)) and _alike(mine[at], theirs[at]):
        at += 1
    behind = 0
    while behind < min(len(mine), len(theirs)) - at and _alike(mine[-1 - behind], theirs[-1 - behind]):
        behind += 1
    left, right = mine[at : len(mine) - behind], theirs[at : len(theirs) - behind]
    for number in range(max(len(left), len(right))):
        yield left[number] if number < len(left) else None, right[number] if number < len(right) else None


def _alike(one: Item, other: Item) -> bool:
    return same(one, other) or (one.kind is other.kind is ItemKind.WORD and one.key == other.key)


def _waits(claim: Sequence[Item], stated: Sequence[Statement], hints: Sequence[str]) -> Judgement:
    """What is told of a claim that waits: what its passages lack of it, or what keeps it from passing."""
    stated_items = {(item.key, item.text): item for statement in stated for item in statement.items}
    keys = {key for key, _ in stated_items}
    known = [item for item in claim if item.kind is not ItemKind.STOP]
    has = [any(same(item, i) for i in stated_items.values()) if item.figure else item.key in keys for item in known]
    lost = [item for item, there in zip(known, has, strict=True) if not there]
    matched = tuple((item.start, item.end) for item, there in zip(known, has, strict=True) if there)
    reason = hints[0] if hints else _hint(claim, lost, stated)
    score = round(0.9 * sum(has) / max(1, len(known)), 4)
    return Judgement(
        Verdict.UNCHECKED, score, reason, Lexical.id, evidence_quote=_nearest(claim, stated)[1], matched=matched,
        missing=tuple((item.start, item.end) for item in lost),
    )  # fmt: skip


def _hint(claim: Sequence[Item], lost: Sequence[Item], stated: Sequence[Statement]) -> str:
    telling = [
        i for i in lost if i.figure or i.kind is not ItemKind.WORD or i.text.lower() not in word_class("function")
    ]
    over = " ".join(text for one in stated for text in (*one.over, *one.passage.header)).casefold()
    lacked = [item for item in telling if item.text.casefold() not in over]
    if telling:
        texts = dict.fromkeys(item.text for item in lacked or telling)
        named = ", ".join(f"“{text}”" for text in list(texts)[:NAMED]) + " and more" * (len(texts) > NAMED)
        has = f"no cited passage has {named}" if lacked else f"only what is over the cited passage has {named}"
        return f"{has} in these words"
    ratio, text = _nearest(claim, stated)
    return f"the nearest sentence says it otherwise: “{collapse(text)}”" if ratio >= NEAR else ""


def _nearest(claim: Sequence[Item], stated: Sequence[Statement]) -> tuple[float, str]:
    """The statement most like a claim, with the share of items that both have, 0…1."""
    keys = [item.key for item in claim]
    rated = ((SequenceMatcher(None, keys, [i.key for i in s.items], autojunk=False).ratio(), s.text) for s in stated)
    return max(rated, key=lambda pair: pair[0], default=(0.0, ""))
