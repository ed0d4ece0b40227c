"""What lists prove: steps in another order than a numbered list has, and what the list says of another flag."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.review.lexical.evidence import CitedTexts, Text
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText, parse
from mkdocs_cited.review.lexical.proofs import Proof, ProofKind
from mkdocs_cited.review.lexical.sequence import in_sequence

LEAST = 2
"""Words that only the other flag's item has, and the claim says of this one, before they prove a mix-up."""
MOST_OF = 0.6
"""Share of what the list says of the other flag that the claim must have, too."""
_TERM = re.compile(r"\s*(.{1,60}?)(?::\s|\s[–—-]\s)")
_ORDERED = re.compile(r"\b(?:order|precedence|priority|sequence|steps?|stages?|phases?)\b", re.IGNORECASE)


def out_of_order(claim: ParsedText, cited: CitedTexts) -> Iterator[Proof]:
    """The proof that the claim puts one step before another which comes first in a numbered list about their order."""
    parts = in_sequence(claim.text) if claim.language == "en" else []
    for steps in _numbered(cited) if len(parts) > 1 else ():
        named = [(part, _named(parse(part, cited.language), steps, cited.language)) for part in parts]
        known = [(part, step) for part, step in named if step is not None]
        for (one, first), (_, second) in itertools.pairwise(known):
            if first.step > second.step:
                start = claim.text.index(one)
                message = f"the claim puts “{_opening(first)}” before “{_opening(second)}”, the list has it behind that"
                yield Proof(ProofKind.CELL, (start, start + len(one)), second.text, message, second.text)
                return


def mislabelled(claim: ParsedText, cited: CitedTexts) -> Iterator[Proof]:
    """The proof that the claim says of one flag what a list says of another flag, and not of this one."""
    flags = [(flag, text) for text in cited.texts if text.table and (flag := _flag(text, cited.language)) is not None]
    mine = [(flag, text) for flag, text in flags if flag.key in claim.key_set]
    if len(mine) != 1:
        return
    (flag, own), told = mine[0], _words(claim)
    said, apart = _words(parse(own.text, cited.language)), _words(parse(own.context, cited.language))
    for other, text in flags:
        words = _words(parse(text.text, cited.language)) - {other.key}
        if other.key == flag.key or told & (said - words - apart - {flag.key}):
            continue
        if len(told & (words - said - apart)) >= LEAST and len(told & words) >= MOST_OF * len(words):
            item = next(each for each in claim.items if each.key == flag.key)
            message = f"the claim says of `{flag.text}` what the list says of `{other.text}`"
            yield Proof(ProofKind.IDENTIFIER, (item.start, item.end), other.text, message, text.text)
            return


def _numbered(cited: CitedTexts) -> list[list[Text]]:
    """The numbered lists about an order of which two items or more are cited."""
    found: dict[str, list[Text]] = {}
    for text in cited.texts:
        if text.step and _ORDERED.search(text.context):
            found.setdefault(text.table, []).append(text)
    return [steps for steps in found.values() if len(steps) > 1]


def _named(part: ParsedText, steps: Sequence[Text], language: str) -> Text | None:
    """The step that a part of a sentence names by words that open no other step; None if there are several or none.

    Words of what leads into the list count only where no other word tells.
    """
    keys = [_words(parse(_opening(step), language)) for step in steps]
    about = _words(parse(steps[0].context, language))
    for words in (_words(part) - about, _words(part)):
        hits = []
        for at, step in enumerate(steps):
            own = keys[at].difference(*keys[:at], *keys[at + 1 :])
            if any(_within(key, own) for key in words):
                hits.append(step)
        if hits:
            return hits[0] if len(hits) == 1 else None
    return None


def _within(key: str, keys: frozenset[str]) -> bool:
    """Whether a word is among others, or is the folder of one."""
    return key in keys or ("/" in key and any(other.startswith(f"{key}/") for other in keys))


def _opening(text: Text) -> str:
    """The term of an item, or its first sentence."""
    match = _TERM.match(text.text)
    return match[1] if match else text.text[slice(*text.spans[0])] if text.spans else text.text


def _flag(text: Text, language: str) -> Item | None:
    """The flag or option with which an item opens, if nothing else stands before its colon."""
    match = _TERM.match(text.text)
    items = parse(match[1], language).items if match else ()
    return items[0] if len(items) == 1 and items[0].kind is ItemKind.IDENTIFIER else None


def _words(text: ParsedText) -> frozenset[str]:
    return frozenset(item.key for item in text.words())
