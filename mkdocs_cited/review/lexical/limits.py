"""What limits a sentence of a passage from outside it, and what limits a claim in its answer.

Headings, a list's lead-in, an admonition or a tab state nothing, but limit what is below them; so do a sentence next to
it and a remark on its whole section. Nothing here proves anything: a claim waits, unless the answer has the limit too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from mkdocs_cited.answer_text.connectives import states
from mkdocs_cited.answer_text.markdown import BlockKind, blocks, code_in
from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.source import NOTED, Corpus, Passage, PassageKind, Section, SourceType
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical.items import DENYING, Item, ItemKind, items_of, same
from mkdocs_cited.review.lexical.statements import Around, Statement, asks, plain

_RECANTS = frozenset(
    "ignore exception exceptions outdated obsolete untrue joke over contrary ausnahme ausnahmen veraltet".split()
)
"""Words of a sentence that takes back the one before, however it begins."""
_LABEL, _SHORT, _LONG = 2, 6, 14
"""Words of a sentence that acts as a label (`Myth.`), of a remark without a verb, and of one that has its verb."""
_BEHIND = (PassageKind.PARAGRAPH, PassageKind.ITEM)
_SOON = 12
"""Words within which a sentence that goes on from another one denies it."""
_NAME = 3
"""Words of a label that is a name."""
_LINE = 10
"""Words of a line that acts as a heading."""
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+|\bv\d+\b|\b(?:version|release)\s+\d", re.IGNORECASE)
_APART = re.compile(r"(?:on|for|in|under|with|outside|inside|auf|für|bei|im|unter)\s([^.,;:]{1,30}), ", re.IGNORECASE)
"""How a sentence begins that says what holds elsewhere: `On Free, …`"""
_IDLE = re.compile(
    r"(?:for (?:example|instance|more|general|now|details|security|simplicity|convenience)|as|of|after (?:that|this)"
    r"|in (?:short|general|addition|detail|practice|order|this|that case|fact|turn|particular|contrast|other words)"
    r"|under the hood|with (?:this|that)|on the other hand|zum beispiel|in der regel)\b",
    re.IGNORECASE,
)
"""Beginnings that scope nothing."""
_OUT = re.compile(r"~~|out of scope|end[ -]of[ -]life|\bone of\b|\beither\b|\bany of\b", re.IGNORECASE)
"""What turns what is below it into something else: gone, or one of several."""
_WHOLE = re.compile(
    r"\b(?:everything|all of (?:this|these|the above)|rules?) (?:\w+ )?(?:in|above|below|on|here)\b"
    r"|\bthe above (?:is|are|was|were|holds?)\b|\b(?:all|none|nothing|every|each)\b.{0,30}\b(?:in|of) this\b",
    re.IGNORECASE,
)
"""How a sentence begins that is about all of its section."""
_TITLE = re.compile(r"\]\([^()\s]*\s+[\"'(]([^\"'()]+)")
"""The title of a link, which is read where a pointer rests on it."""
_LEVEL = 7
"""Of a line in bold that acts as a heading."""
_EXCEPTS = re.compile(r"exceptions?|limitations?|caveats?|ausnahmen?|einschränkungen", re.IGNORECASE)
"""The heading of a part that limits the section it belongs to."""
_WORD = re.compile(r"\w\w+")
_SECTION = 4_000
"""Characters of a section that an answer may quote whole."""


class _Reach(Enum):
    """How far a remark reaches."""

    NOWHERE = 0
    NEXT = 1
    """The sentence right behind it: `This is planned.`"""
    BEHIND = 2
    """What is behind it in its section: `This feature is planned.`"""
    SECTION = 3
    """All of its section, as a footnote does: `Enterprise only.`"""


_Remark = tuple[Passage, str, _Reach]
_Over = tuple[str, ...]
"""A page's source, and its titles down to a heading."""


def arounds(passages: Iterable[Passage], corpus: Corpus) -> dict[str, Around]:
    """Id of each passage → what a reader has next to it."""
    found = {passage.id: passage for passage in passages}
    pages = {src: corpus.section(src, "") for src in dict.fromkeys(item.page.src for item in found.values())}
    remarks = {src: tuple(_remarks(page)) for src, page in pages.items()}
    at = {src: {passage.position: passage for passage in page} for src, page in pages.items()}
    apart = _apart({item.section for item in found.values()}, pages.values())
    return {key: _around(one, at[one.page.src], remarks[one.page.src], apart) for key, one in found.items()}


def _remarks(page: Iterable[Passage]) -> Iterator[_Remark]:
    """Each sentence of a page that may limit others, and each line that acts as a heading."""
    for passage in page:
        if _is_line(passage):
            yield passage, passage.text, _Reach.NOWHERE
        elif _EXCEPTS.fullmatch(passage.section.title):
            yield passage, passage.section.title, _Reach.SECTION
        elif passage.kind is not PassageKind.CODE:
            texts = (passage.title, *passage.sentence_texts())
            yield from ((passage, text, _reach(text)) for text in texts if _reaches_far(text))


def _around(passage: Passage, at: dict[int, Passage], remarks: Sequence[_Remark], apart: Collection[_Over]) -> Around:
    before, after = (
        other if (other := at.get(passage.position + step)) and other.section == passage.section else None
        for step in (-1, 1)
    )
    goes_on = passage.kind is PassageKind.PARAGRAPH and after is not None and after.kind in _BEHIND
    section = [
        text for other in at.values() if other.section == passage.section for text in other.cells or (other.text,)
    ]
    said, line = [], ""
    for other, text, reach in remarks:
        if other.section == passage.section and reach is _Reach.NOWHERE:
            line = text if other.position < passage.position else line
        elif other.section == passage.section:
            said += [text] if reach is _Reach.SECTION or other.position <= passage.position else []
        elif _EXCEPTS.fullmatch(other.section.title) and other.section.breadcrumb[:-1] == passage.section.breadcrumb:
            said.append(other.section.title)
        elif other.section.level <= 1 and reach is _Reach.BEHIND and not word_class("page").isdisjoint(_words(text)):
            said.append(text)
    unspoken = [line] if _is_apart(line, (text for text in section if text != line)) else []
    return Around(
        (before.sentence_texts() or (before.text,))[-1] if before else "",
        next(iter(after.sentence_texts()), after.text) if after and goes_on else "",
        tuple(section) if sum(map(len, section)) <= _SECTION else (),
        tuple(said) + ((line,) if line and _denies(line) else ()),
        (*(over[-1] for over in _over_section(passage.section) if over in apart), *unspoken),
    )


def _apart(sections: Collection[Section], pages: Iterable[Iterable[Passage]]) -> Collection[_Over]:
    """Each heading over these sections of which nothing below it speaks."""
    wanted = {over for section in sections for over in _over_section(section)}
    below = defaultdict[_Over, list[str]](list)
    for item in (item for page in pages for item in page):
        for over in wanted.intersection(_over_section(item.section)):
            below[over] += (*item.labels, item.lead, *item.header, item.text)
    return {over for over in wanted if _is_apart(over[-1], below[over])}


def _over_section(section: Section) -> list[_Over]:
    """The headings over a section below its page's title, each with what is above it."""
    crumbs = section.breadcrumb
    return [(section.page.src, *crumbs[:depth]) for depth in range(2, len(crumbs) + 1)]


def _is_apart(label: str, texts: Iterable[str]) -> bool:
    """Whether these texts have no word of a label: it says something of them, as `Rumours` and `Japan` do."""
    words = [word for word in _WORD.findall(label.casefold()) if not _is_any([word], "function")]
    if all(_is_any([word], "heading", "box") for word in words):
        return False
    said = " ".join(texts).casefold()
    roots = (word.rstrip("s")[: max(4, len(word) - 3)] if len(word) > _NAME else word for word in words)
    return not any(re.search(rf"\b{re.escape(root)}", said) for root in roots)


def _is_line(passage: Passage) -> bool:
    """Whether a paragraph is a heading in all but name: a few words without a full stop."""
    words = len(passage.text.split())
    if passage.kind is not PassageKind.PARAGRAPH or words > _LINE or passage.text[-1:] in (".", "!", "?", ":", "。"):
        return False
    return words <= _NAME or (0, len(passage.text)) in passage.emphasis


def _reaches_far(text: str) -> bool:
    return _reach(text) in (_Reach.BEHIND, _Reach.SECTION)


@lru_cache(maxsize=8192)
def _reach(text: str) -> _Reach:
    """How far a sentence limits what is around it."""
    words = _words(text)
    if not 0 < len(words) <= _LONG or text.endswith(":") or _IDLE.match(text):
        return _Reach.NOWHERE
    if _WHOLE.search(text):
        return _Reach.SECTION
    pointing, faulty = _is_any(words, "pointing"), _is_any(words[-1:], "fault")
    if _is_any(words[:1], "supposing") or _is_any(words[-1:], "reporting") or (pointing and faulty):
        return _Reach.NEXT
    denies = _is_any(words, "negation") and _is_any(words, "real")
    label = len(words) <= _LABEL and text[:-1].replace(" ", "").isalpha()
    limits = denies or _is_any(words, "edition", "changed", "restriction") or _has_version(text)
    if not limits and not (label and _is_any(words, "fault")):
        return _Reach.NOWHERE
    opens, then = words[0], words[1:2]
    if len(words) <= _SHORT and (words[-1] == "only" or (_is_any([opens], "fragment") and _is_any(then, "scope"))):
        return _Reach.SECTION
    if label or (pointing and _is_any(words, "scoping")):
        return _Reach.BEHIND
    refers = _is_any(words if denies else words[:3], "pointing")
    return _Reach.NEXT if refers or _is_any([opens], "scope") else _Reach.NOWHERE


def is_whole(statement: Statement, answer: str) -> bool:
    """Whether the answer has all of a statement's section, and its heading: nothing around it is left out."""
    section = statement.around.section
    title = statement.passage.section.title.rstrip("?？ ")
    return bool(section) and all(plain(text) in answer for text in (title, *section))


def is_open(claim: str, statement: Statement, answer: str) -> bool:
    """Whether only the sentence before a statement says what it is about, and the answer leaves that out."""
    words = _words(claim)
    two = " ".join(words[:2])
    pair = _is_any(words[:1], "pair") and (len(words) <= _LABEL or _is_any(words[1:2], "function"))
    if not (pair or _is_any(words[:1], "anaphor") or two in ("the former", "the latter")):
        return False
    before = statement.around.before
    said, own = plain(before), plain(claim)
    return not said or f"{said} {own}".rstrip(".") not in answer


def spoken_to(case: Case, statement: Statement, language: str) -> str:
    """The question over a passage, or what leads in or heads one without a verb, where the answer has another one."""
    passage, claim = statement.passage, case.claim.text
    words = _words(claim)
    whole = not _is_any(words[:1], "yes", "no") and (len(words) > _SHORT or states(claim, language))
    if passage.kind in (PassageKind.CODE, PassageKind.ROW):
        return ""
    known = items_of(f"{case.question} {claim} {plain(case.answer or case.around)}", language)
    asked = next((text for text in (statement.around.before, passage.section.title) if asks(text)), "")
    if asked and _adds(case.question, items_of(f"{asked} {passage.text}", language), language):
        return asked
    if whole and not (asked and case.question):
        return ""
    title = passage.section.title if passage.kind is PassageKind.ITEM or statement.text[-1:].isalnum() else ""
    lead = asked or next((text for text in statement.labels[-1:] if text.endswith(":")), title)
    return lead if _adds(lead, known, language) else ""


def taken_back(statement: Statement, answer: str) -> bool:
    """Whether the next sentence may limit or deny it, and the answer leaves that out."""
    after = plain(statement.around.after)
    words = _words(after)[:30]
    if not words or after.rstrip(".") in answer:
        return bool(after) and not after.strip("?!？！ ")
    if after.startswith(("—", "–", "― ")):  # who says so
        return True
    apart = _APART.match(after)
    denied = _is_any(words[:_SOON], "negation")
    short = denied and len(words) <= _SHORT and (words[-1] == "not" or _is_any(words[-1:], "anaphor"))
    past = words[0] in word_class("anaphor") and words[1:2] in (["was"], ["were"], ["war"], ["waren"])
    if short or past or not _RECANTS.isdisjoint(words):  # Small ones are not. That was then. We no longer do this.
        return True
    if apart and not _IDLE.match(after) and not _is_any(_words(apart[1]), "function"):
        return True
    contrasts = words[0] in word_class("contrast") or words[:2] == ["as", "of"]
    refers = words[0] in word_class("anaphor") or after.startswith("(")
    denies = denied or _is_any(words, "edition", "changed") or _has_version(after)
    return contrasts or (refers and denies)


def limited_by(statement: Statement, said: str, answer: str, language: str, *, denials: bool = False) -> str:
    """What limits a statement, and is in none of the texts; empty where nothing does.

    Args:
        said: the claim and its question.
        answer: the text that the claim is in, plain.
        denials: ask only what denies the statement or leaves it to an edition, not what scopes it.
    """
    known = items_of(said, language)
    for over in _over(statement, denials=denials):
        if plain(over).rstrip(":") not in answer and _adds(over, known, language, word_class("box")):
            return collapse(over)
    return ""


def _over(statement: Statement, *, denials: bool) -> Iterator[str]:
    """What limits a statement: of the headings and labels over it, and of what is said around it."""
    passage, before = statement.passage, statement.around.before
    yield from filter(_denies if denials else is_limiting, passage.section.breadcrumb)
    for text in statement.labels:
        leads = text.startswith(NOTED) or text.endswith(":") or is_limiting(text) or _is_apart(text, (passage.text,))
        if _denies(text) if denials else leads:
            yield text
    yield from () if denials else statement.around.unspoken
    yield from ["a page that is superseded"] if passage.type is SourceType.ARCHIVE and not denials else ()
    label = len(before.split()) <= _NAME and _is_apart(before, (statement.text,)) and not denials
    if (label or _reach(before) is not _Reach.NOWHERE) and (before in passage.text or not passage.block):
        yield before
    own = passage.text.find(statement.text)
    for text in statement.around.remarks:
        if text not in statement.text and (passage.text.find(text) < own or _reach(text) is _Reach.SECTION):
            yield text


def is_limiting(over: str) -> bool:
    """Whether a heading limits what is below it, or a comment its value."""
    words = _words(over)
    if (not asks(over) and _is_any(words, "fault")) or _denies(over) or _is_any(words, "condition"):
        return True
    return _has_version(over) or (_is_any(words[:1], "scope-of-heading") and not _IDLE.match(over))


def _denies(over: str) -> bool:
    words = _words(over)
    platform = len(words) == 1 and _is_any(words, "platform")
    return (
        platform
        or _is_any(words, "negation", "edition")
        or not DENYING.isdisjoint(over)
        or "~~" in over
        or bool(_OUT.search(over))
    )


def _adds(text: str, known: Sequence[Item], language: str, idle: frozenset[str] = frozenset()) -> bool:
    """Whether a text has a word of weight or a figure that is not known; `idle` are words that add nothing."""
    keys, items = idle.union(item.key for item in known), items_of(text, language)
    return any(not (_is_light(i) or _is_among(i, known, keys)) for i in items)


def _is_among(item: Item, known: Iterable[Item], keys: Collection[str]) -> bool:
    """Whether an item is one of these, figures by their value; `keys` are those of the others."""
    return any(same(item, other) for other in known) if item.figure else item.key in keys


def own_limit(case: Case, statement: Statement, language: str) -> str:
    """What the answer or page itself says over or around a claim, and is not over the statement; empty for nothing.

    A heading may have words of one's own, next to one of the question or the passage. A lead-in says what the list or
    code is, so that the passages or the question must have its words; so must a question and a link's title. An
    answer's own sentences are claims, a page's are not: those next to a claim must not take it back.
    """
    stated = (case.question, statement.text, *statement.over, " ".join(statement.passage.header))
    known = [item for text in stated for item in items_of(plain(text), language)]
    claim, section = (
        plain(case.claim.text),
        plain("\n".join((" – ".join(dict.fromkeys(statement.over)), *statement.around.section))),
    )
    for over, strict in own_over(case.answer or case.around, claim):
        limits = strict or is_limiting(over) or states(over, language) or (case.answer and _is_apart(over, stated))
        if limits and over not in section and _adds(over, known, language, word_class("leading")):
            return over
    return _turned(case.around, claim, statement)


def _turned(around: str, claim: str, statement: Statement) -> str:
    """The sentence next to a claim on its page that limits it or takes it back, and is not in the passage."""
    text = " ".join(plain(block.text) for block in blocks(around) if block.kind is not BlockKind.HEADING)
    before, found, behind = text.partition(claim.rstrip("."))
    if not found:
        return ""
    passage = plain(statement.passage.text)
    last = next((before[a:b] for a, b in sentences(before)[-1:]), "")
    if _reach(last) is not _Reach.NOWHERE and last not in passage:
        return last
    after = next((text for a, b in sentences(behind) if (text := behind[a:b].strip(" .)"))), "")
    turns = taken_back(replace(statement, around=Around(after=after)), passage)
    return after if turns else ""


def own_over(answer: str, claim: str) -> Iterator[tuple[str, bool]]:
    """Each text over a claim in its answer, wherever it is there, and whether its words must be in the passages."""
    headings, before, leads = list[tuple[int, str]](), "", list[str]()
    yield from ((title, True) for title in _TITLE.findall(answer))
    for block in blocks(answer):
        text = plain(block.text)
        if block.kind is BlockKind.PARAGRAPH and not block.container and not before.endswith((":", "：")):
            leads = []
        before = text
        if claim in text or text in claim:
            yield from ((over, False) for _, over in headings if over != claim)
            yield from ((over, True) for over in leads if over != claim)
        if "?" in text and block.kind is not BlockKind.CODE:
            yield from ((text[a:b], True) for a, b in sentences(text) if asks(text[a:b]))
        bold = block.kind is BlockKind.PARAGRAPH and all(run.strong for run in block.runs if run.text.strip())
        if block.kind is BlockKind.HEADING or (bold and text and not text.endswith(":")):
            level = _LEVEL if bold else len(answer[block.start :]) - len(answer[block.start :].lstrip("#"))
            headings, leads = [*(item for item in headings if item[0] < level), (level, text)], []
        elif text.endswith((":", "：")) or block.kind is BlockKind.HEADER:
            leads += [text[a:b] for a, b in sentences(text)[-1:]]


def code_differs(case: Case, statement: Statement) -> bool:
    """Whether claim or statement has inline code that the other does not have sign by sign."""
    passage, claim = statement.passage, case.claim.text
    first = max(0, passage.text.find(statement.text))
    stated = [
        passage.text[start:end] for start, end in passage.code_spans if first <= start < first + len(statement.text)
    ]
    own = [case.answer[piece.start : piece.end].strip("`") for piece in code_in(case.answer) if not piece.block]
    claimed = [text for text in own if _has_code(claim, text)]
    there = [_has_code(claim, text) or not _has_code(statement.text, text) for text in stated]
    return not all(there) or not all(_has_code(statement.text, text) for text in claimed)


def _has_code(text: str, code: str) -> bool:
    """Whether a text has a piece of code, and not as a part of a longer one."""
    return re.search(rf"(?<![^\s(\[\"“'/]){re.escape(code)}(?![^\s.,;:!?)\]\"”'’/s])", text) is not None


def misordered(answer: str, passages: Iterable[Passage]) -> frozenset[str]:
    """The ids of the steps and items that an answer has before or behind another one of their list, and their page
    the other way round, and of the steps of a list of which it leaves one out.
    """
    texts = [plain(block.text) for block in blocks(answer)]
    listed = [item for item in passages if item.kind in (PassageKind.STEP, PassageKind.ITEM) and item.text]
    found = [(item, at) for item in listed if (at := _place_in(texts, plain(item.text).rstrip(".;,"))) is not None]
    steps: dict[tuple[str, int], dict[int, str]] = {}
    for item, _ in found:
        if item.number:
            steps.setdefault((item.page.src, item.block), {})[item.number] = item.id
    last = {key: max(i.number for i in listed if (i.page.src, i.block) == key) for key in steps}
    return frozenset(id_ for key, own in steps.items() if 1 < len(own) < last[key] for id_ in own.values()) | frozenset(
        id_
        for one, first in found
        for two, second in found
        if one.block == two.block and one.page.src == two.page.src and one.position < two.position and first > second
        for id_ in (one.id, two.id)
    )


def _place_in(texts: Sequence[str], item: str) -> tuple[int, int] | None:
    """Block and offset at which an item is in an answer; blocks of its own are found first."""
    starts = ((number, 0) for number, text in enumerate(texts) if text.startswith(item))
    return next(starts, None) or next(((n, text.find(item)) for n, text in enumerate(texts) if item in text), None)


def presumed(case: Case, stated: Sequence[Statement], language: str) -> bool:
    """Whether no sentence of the cited passages has all that a question takes for granted which asks why, or the
    platform that it names."""
    named = (word_class("platform") | word_class("edition")).intersection(_words(case.question))
    texts = [text for one in stated for text in (one.passage.text, *one.over, *one.passage.header)]
    if not named <= {word for text in texts for word in _words(text)}:
        return True
    figures = [item for item in items_of(case.question, language) if item.figure and not item.figure.spelled]
    known = [item for text in texts for item in items_of(text, language)] if figures else []
    if not all(_is_among(item, known, ()) for item in figures):
        return True
    if not re.match(r"(?:why|since when|how come|warum|wieso|weshalb|seit wann)\b", case.question, re.IGNORECASE):
        return False
    asked = [item for item in items_of(case.question, language) if not _is_light(item)]
    return not any(_has_all(statement, asked) for statement in stated)


def _has_all(statement: Statement, asked: Sequence[Item]) -> bool:
    """Whether a statement has these items, and denies as often."""
    mine, theirs = ([i for i in items if i.kind is ItemKind.NEGATION] for items in (asked, statement.items))
    keys = {item.key for over in statement.over for item in items_of(over, "en")} | {i.key for i in statement.items}
    return len(mine) == len(theirs) and all(_is_among(item, statement.items, keys) for item in asked)


def _is_light(item: Item) -> bool:
    return item.kind is ItemKind.STOP or (item.kind is ItemKind.WORD and item.text.lower() in word_class("function"))


def _words(text: str) -> list[str]:
    found = re.findall(r"[^\W\d_]+(?:['’]\w+)?", text)
    return [word.lower() for word in found if word[0].isalpha()]


def _is_any(words: Sequence[str], *names: str) -> bool:
    """Whether one of these words is in one of these classes."""
    return any(word in word_class(name) for name in names for word in words) or (
        "negation" in names and any(word.endswith(("n't", "n’t")) for word in words)
    )


def _has_version(text: str) -> bool:
    return _VERSION.search(text) is not None
