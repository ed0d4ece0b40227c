"""What the cited passages state, sentence by sentence, and what limits a sentence from outside it.

A sentence that asks, is struck out, or is taken back by the next one states nothing. What stands over a passage
(headings, a list's lead-in, an admonition, a tab) states nothing either, but it may limit what stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mkdocs_cited.base.text import collapse
from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.review.lexical.items import Item, ItemKind, items_of

LONGEST = 5
"""Sentences in a row that one claim may repeat."""
MOST = 400
"""Items of a text that is compared; a longer one is left to a person."""


class Statement(Struct, frozen=True):
    """Some sentences of a passage in a row, or the whole of a row, a definition or a block of code."""

    passage: Passage
    text: str
    items: tuple[Item, ...]
    before: str = ""
    """The sentence right before it, in its passage or the one before."""
    after: str = ""
    """The sentence right behind it, in its passage or the next one."""

    @property
    def over(self) -> tuple[str, ...]:
        """What a reader has read over it, outermost first: headings, then what leads into it."""
        passage = self.passage
        lead = () if passage.header or not passage.lead or passage.lead in passage.labels else (passage.lead,)
        return (*passage.section.breadcrumb, *passage.labels, *lead)


def statements(
    evidence: Sequence[Evidence], around: Mapping[str, tuple[str, str]], language: str
) -> Iterator[Statement]:
    """Everything that the cited passages state.

    Args:
        around: id of a passage → the sentence before it and the one behind it, in its section.
    """
    for item in evidence:
        passage = item.passage
        if passage.kind in (PassageKind.CODE, PassageKind.ROW):
            yield Statement(passage, passage.text, items_of(passage.text, language))
            continue
        spans = passage.sentences or ((0, len(passage.text)),)
        texts = [passage.text[start:end] for start, end in spans]
        earlier, later = around.get(passage.id, ("", ""))
        after = [*texts[1:], later]
        for first in range(len(spans)):
            for last in range(first, min(first + LONGEST, len(spans))):
                start, end = spans[first][0], spans[last][1]
                if any(begin < end and start < stop for begin, stop in passage.struck):
                    break
                text, before = passage.text[start:end], texts[first - 1] if first else earlier
                if not asks(texts[last]) and not (first == last and asks(before) and _is_reply(text)):
                    yield Statement(passage, text, items_of(text, language), before, after[last])
        if passage.kind is PassageKind.DEFINITION and passage.lead:
            text = f"{passage.lead}: {passage.text}"
            yield Statement(passage, text, items_of(text, language))


def asks(text: str) -> bool:
    """Whether a sentence is a question."""
    return text.rstrip(" )\"'”’*").endswith(("?", "？", "؟"))


def _is_reply(text: str) -> bool:
    """Whether a sentence only says yes or no."""
    return len(re.findall(r"\w+", text)) < 3


def plain(text: str) -> str:
    """A text without the signs of Markdown, runs of white space collapsed: how texts are looked up in an answer."""
    return collapse(text.translate(_SIGNS))


_SIGNS = str.maketrans("", "", "`*_\\")


def is_open(claim: str, statement: Statement, answer: str) -> bool:
    """Whether only the sentence before a statement says what it is about, and the answer leaves that out."""
    first = re.match(r"\W*([^\W\d_]+)", claim)
    if first is None or first[1].lower() not in word_class("anaphor"):
        return False
    return not statement.before or plain(statement.before) not in answer


def taken_back(statement: Statement, answer: str) -> bool:
    """Whether the next sentence may limit or deny it, and the answer leaves that out."""
    after = plain(statement.after)
    words = [word.lower() for word in re.findall(r"[^\W\d_]+(?:['’]t)?", after)[:30]]
    if not words or after.rstrip(".") in answer:
        return False
    refers = words[0] in word_class("anaphor") or words[0] in word_class("contrast") or after.startswith("(")
    denies = any(_is_in(word, "negation", "edition", "changed") for word in words) or _has_version(after)
    if not _RECANTS.isdisjoint(words):
        return True
    return refers and (denies or words[0] in word_class("contrast"))


def limited_by(statement: Statement, said: str, answer: str, language: str, *, denials: bool = False) -> str:
    """What is over a statement and limits it, and is in none of the texts; empty where nothing does.

    Args:
        said: the claim and its question.
        answer: the text that the claim is in, plain.
        denials: ask only what denies the statement or leaves it to an edition, not what scopes it.
    """
    keys = {item.key for item in items_of(said, language)}
    headings = len(statement.passage.section.breadcrumb)
    for number, over in enumerate(statement.over):
        named = number >= headings
        if plain(over).rstrip(":") in answer:
            continue
        words = [word.lower() for word in re.findall(r"[^\W\d_]+(?:['’]t)?", over)]
        if not named and len(words) == 1 and words[0] in _HEADS:
            continue
        if denials and not any(_is_in(word, "negation", "edition") for word in words):
            continue
        opens = word_class("scope") if named else word_class("scope-of-heading")
        scoped = bool(words) and words[0] in opens and " ".join(words[:2]) not in _IDLE
        if not (scoped or _has_version(over) or any(map(_limits, words)) or (named and _is_label(over))):
            continue
        content = [i for i in items_of(over, language) if i.kind is not ItemKind.STOP and not _is_light(i)]
        if any(item.key not in keys for item in content):
            return collapse(over)
    return ""


_RECANTS = frozenset("exception exceptions outdated obsolete untrue kidding over ausnahme ausnahmen veraltet".split())
"""Words of a sentence that takes back the one before, however it begins."""
_IDLE = frozenset({"for example", "for instance", "in short", "in general", "in addition", "in detail", "in practice",
                   "zum beispiel"})  # fmt: skip
_HEADS = frozenset({"plans", "editions", "tiers", "licences", "licenses", "pläne", "lizenzen"})
"""Headings that only say what the section is about."""
_NAME = 3
"""Words of a label that is a name."""
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+|\bv\d+\b|\b(?:version|release)\s+\d", re.IGNORECASE)


def _has_version(text: str) -> bool:
    return _VERSION.search(text) is not None


def _limits(word: str) -> bool:
    return _is_in(word, "negation", "condition", "edition")


def _is_in(word: str, *names: str) -> bool:
    return any(word in word_class(name) for name in names) or ("negation" in names and word.endswith("n't"))


def _is_label(over: str) -> bool:
    """Whether it is the name of a tab or box, and not a sentence: `Linux`, `failure: Wrong`, not `note`."""
    words = over.lower().rstrip(":").split()
    return 0 < len(words) <= _NAME and not over.endswith(":") and words[0].rstrip(":") not in word_class("box")


def _is_light(item: Item) -> bool:
    return item.kind is ItemKind.WORD and item.text.lower() in word_class("function")
