"""When a place plainly says what a claim says. What to tell of one that does not is for `hints`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mkdocs_cited.base.text import collapse
from mkdocs_cited.language.lexicon import word_class
from mkdocs_cited.review.lexical.alignment import Alignment, Difference, align
from mkdocs_cited.review.lexical.evidence import Text
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText

FROM_CONTEXT = 4
"""Words of a claim that what stands above a passage may explain: a name for its pronoun."""
DROPPED = 8
"""For as many words that both have, a claim may leave out one of the passage's."""
_ENDS = re.compile(r"[,;:()–—.]|\b(?:and|but|or|which|while|whereas|because|since|so|und|aber|oder|während|weil|da)\b")
_BY = re.compile(r"\b(?:by|von|durch)\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?|wird|werden|wurden?|worden)\s+(?:(?!(?:an?|the|ein\w*|d\w\w)\s)\w+\s+)?$",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"(?:^|\W)(?:in|on|at|by|for|with|from|to|under|during|as|of|if|when|once|unless|before|after|until|bei|mit|von|im"
    r"|in|auf|für|wenn|falls|vor|nach|durch)(?:\W+(?:the|a|an|its|your|each|every|der|die|das|dem|den|ein\w*))?\W*$",
    re.IGNORECASE,
)
_OF = re.compile(r"\s+(?:of|for|to)\s+(?:(?:the|a|an|your|its)\s+)?", re.IGNORECASE)
_ADVERB = "ly"
_LETTERS = re.compile(r"[\s_-]+")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
"""What stands between brackets."""


def is_verbatim(claim: str, texts: Sequence[Text]) -> bool:
    """Whether a claim is made of whole sentences of a text, or is the whole of it."""
    plain = _plain(claim)
    for text in texts:
        spans = text.spans or ((0, len(text.text)),)
        for first in range(len(spans)):
            for last in range(first, min(first + 5, len(spans))):
                if _plain(text.text[spans[first][0] : spans[last][1]]) == plain:
                    return bool(plain)
    return bool(plain) and any(_plain(text.text) == plain for text in texts)


def _plain(text: str) -> str:
    """A sentence without its full stop, in whatever case it opens: `-n` is not `-N`."""
    bare = collapse(text).rstrip(".!。:")
    return bare[:1].casefold() + bare[1:]


def says(alignment: Alignment) -> bool:
    """Whether a place says all that the claim says, with every limit and negation, in the same or close words."""
    return _says(alignment) or any(_says(align(other, alignment.place)) for other in _renamed(alignment))


def _says(alignment: Alignment) -> bool:
    claim, place = alignment.claim, alignment.place
    if len(alignment.pairs) < 2 or not claim.language:
        return False
    body = place.body
    turned = _turned(alignment)
    used: set[int] = set()
    explained = 0
    lost: list[Item] = []
    dropped: list[Item] = []
    for each in alignment.inner:
        if _one_word(each, alignment):
            continue
        if each.claim and (run := _moved(each, alignment, used, turned)) is not None:
            used |= run
            dropped += each.place
            continue
        for item in each.claim:
            names = (ItemKind.WORD, ItemKind.NAME, *((ItemKind.IDENTIFIER,) if body.pronouns else ()))
            if item.kind in names and item.key in place.context.key_set:
                explained += 1
            else:
                lost.append(item)
        dropped += each.place
    moved = {(body.items[at].start, body.items[at].end) for at in used}
    dropped = [item for item in dropped if (item.start, item.end) not in moved and not _aside(item, alignment)]
    around = [item for item in (*alignment.head, *alignment.tail) if (item.start, item.end) not in moved]
    if turned and not used:
        return False  # `calls the server` is not `is called by the server`
    if lost or explained > FROM_CONTEXT or (explained and explained >= len(alignment.pairs)):
        return False
    if any(item.kind is not ItemKind.WORD for item in dropped) or len(dropped) > len(alignment.pairs) // DROPPED:
        return False
    if any(item.key in ("[condition]", "[exception]", "[only]", "not") for item in around):
        return False
    return _ends_cleanly(alignment, around)


def _renamed(alignment: Alignment) -> Iterator[ParsedText]:
    """The claim with `repository password` read as its place has it: the password of, for or to the repository."""
    claim, body = alignment.claim, alignment.place.body
    for at, (first, second) in enumerate(itertools.pairwise(claim.items)):
        if (_side_by_side(claim, first, second) and _joined_by_of(body, second, first)) or (
            _joined_by_of(claim, first, second) and _side_by_side(body, second, first)
        ):
            yield replace(claim, items=(*claim.items[:at], second, first, *claim.items[at + 2 :]))


def _side_by_side(text: ParsedText, first: Item, second: Item) -> bool:
    return any(not between.strip() for between in _between(text, first, second))


def _joined_by_of(text: ParsedText, first: Item, second: Item) -> bool:
    return any(_OF.fullmatch(between) for between in _between(text, first, second))


def _between(text: ParsedText, first: Item, second: Item) -> Iterator[str]:
    """What stands between two words of a text, wherever one follows the other."""
    for one, other in itertools.pairwise(text.items):
        if (one.key, other.key) == (first.key, second.key) and one.kind is other.kind is ItemKind.WORD:
            yield text.text[one.end : other.start]


def _one_word(each: Difference, alignment: Alignment) -> bool:
    """Whether claim and place differ in nothing but spaces and hyphens: `disk path`, Diskpath."""
    mine, theirs = (
        _LETTERS.sub("", text[items[0].start : items[-1].end]).casefold() if items else ""
        for items, text in ((each.claim, alignment.claim.text), (each.place, alignment.place.body.text))
    )
    kinds = {item.kind for item in (*each.claim, *each.place)}
    return bool(mine) and mine == theirs and kinds <= {ItemKind.WORD, ItemKind.NAME}


def _aside(item: Item, alignment: Alignment) -> bool:
    """Whether a claim may leave out an item of its place: an aside that limits nothing, a word that says little."""
    body = alignment.place.body
    if item.kind is ItemKind.WORD and item.text.lower() in word_class("aside") and "not" not in body.key_set:
        return True
    for match in _ASIDE.finditer(body.text):
        if match.start() <= item.start < match.end():
            inside = [other for other in body.items if match.start() <= other.start < match.end()]
            shared = {body.items[at].start for _, at in alignment.pairs}
            limits = (ItemKind.LIMIT, ItemKind.NEGATION)
            plain = not any(other.kind in limits or other.key == "default" for other in inside)
            return plain and not any(other.start in shared for other in inside)
    return False


def _ends_cleanly(alignment: Alignment, around: Sequence[Item]) -> bool:
    """Whether what the claim leaves out of its sentence, before and behind, is a clause of its own."""
    items, text = alignment.place.body.items, alignment.place.body.text
    before = [item for item in around if item in alignment.head]
    behind = [item for item in around if item in alignment.tail]
    if before and not re.search(r"[;:()–—]\s*\W*$", text[before[-1].end : items[alignment.pairs[0][1]].start]):
        return False
    return not behind or _ENDS.search(text[items[alignment.pairs[-1][1]].end : behind[0].start]) is not None


def _turned(alignment: Alignment) -> bool:
    """Whether a verb is passive in one of two sentences and not in the other."""
    mine, theirs = alignment.claim, alignment.place.body
    if len(_BY.findall(mine.text)) != len(_BY.findall(theirs.text)):
        return True
    keys = {item.key: item for item in theirs.items if item.kind is ItemKind.WORD}
    pairs = [(item, keys[item.key]) for item in mine.items if item.kind is ItemKind.WORD and item.key in keys]
    return any(
        _is_passive(mine.text, one) != _is_passive(theirs.text, other)
        and not all(item.text.endswith(("ed", "en")) for item in (one, other))
        for one, other in pairs
    )


def _is_passive(text: str, item: Item) -> bool:
    return _PASSIVE.search(text[: item.start]) is not None and item.text.endswith(("ed", "en", "t", "wn", "ne"))


def _moved(each: Difference, alignment: Alignment, used: set[int], turned: bool) -> set[int] | None:
    """Where the place has what the claim has here, in one piece that may stand anywhere: `if it fails`."""
    body, keys = alignment.place.body, tuple(item.key for item in each.claim)
    paired = {at for _, at in alignment.pairs}
    for start in range(len(body.keys) - len(keys) + 1):
        run = set(range(start, start + len(keys)))
        if body.keys[start : start + len(keys)] != keys or run & (paired | used):
            continue
        if _both_may_move(alignment, each.claim[0], body.items[start]):
            return run
        if len(run) == 1 and keys[0] and each.claim[0].text.endswith(_ADVERB) and {start - 1, start + 1} & paired:
            return run  # `explicitly specified`, `specified explicitly`
        if turned and len(run) == 1:
            return run
        first = alignment.pairs[0]
        if each.claim[0] is alignment.claim.items[0] and _both_may_move(
            alignment, alignment.claim.items[first[0]], body.items[first[1]]
        ):
            return run  # what stands behind it in the claim came first
    return None


def _both_may_move(alignment: Alignment, mine: Item, theirs: Item) -> bool:
    return _may_move(alignment.claim.text, mine) and _may_move(alignment.place.body.text, theirs)


def _may_move(text: str, first: Item) -> bool:
    return first.key in ("[condition]", "[before]", "[after]") or _MOVES.search(text[: first.start]) is not None
