"""When a place plainly says what a claim says. What to tell of one that does not is for `hints`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.lexicon import interchangeable, verb_of, word_class
from mkdocs_cited.review.lexical.alignment import Alignment, Difference, align
from mkdocs_cited.review.lexical.evidence import Text
from mkdocs_cited.review.lexical.parsed import Item, ItemKind, ParsedText

FROM_CONTEXT = 4
"""Words of a claim that what stands above a passage may explain: a name for its pronoun."""
DROPPED = 8
"""For as many words that both have, a claim may leave out one of the passage's."""
AT_ONCE = 3
"""Words in a row that may each have moved by itself."""
_ENDS = re.compile(r"[,;:()–—.]|\b(?:and|but|or|which|while|whereas|because|since|so|und|aber|oder|während|weil|da)\b")
_AND = re.compile(r"\s*(?:,|,?\s(?:and|or|und|oder)\s|/)\s*(?:(?:the|an?|der|die|das)\s)?")
"""What joins two names of a list."""
_SEVERAL = re.compile(r"(?<!default)[,;:]\s|\b(?:and|or|but|while|whereas|und|oder|aber)\b", re.IGNORECASE)
_ORDERED = re.compile(r"\b(?:order|precedence|priority|sequence|first|then|respectively|steps?)\b", re.IGNORECASE)
_OPENS = re.compile(r"(?:^|[.:!?,])\W*$")
_BY = re.compile(r"\b(?:by(?! default)|von|durch)\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?|wird|werden|wurden?|worden)(?:n['’]t)?\s+"
    r"(?:(?!(?:an?|the|ein\w*|d\w\w)\s)\w+\s+){0,3}$",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"(?:^|\W)(?:during|as|of|if|when|once|unless|before|after|until|wenn|falls|vor|nach)"
    r"(?:\W+(?:the|a|an|its|your|each|every|der|die|das|dem|den|ein\w*))?\W*$",
    re.IGNORECASE,
)
_UNCHANGED = frozenset("read set put cut run split shut let hit left".split())
"""Participles that are the verb's own form."""
_OF = re.compile(r"\s+(?:of|for|to)\s+(?:(?:the|a|an|your|its)\s+)?", re.IGNORECASE)
_ADVERB = "ly"
_LETTERS = re.compile(r"[\s_/-]+")
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


def says(alignment: Alignment, asked: ParsedText) -> bool:
    """Whether a place says all that the claim says, with every limit and negation, in the same or close words.

    Args:
        asked: the question, which says what a claim's `it` is.
    """
    others = (align(other, alignment.place) for other in _renamed(alignment))
    return any(_says(each, asked) for each in (alignment, *others))


def _says(alignment: Alignment, asked: ParsedText) -> bool:
    claim, body = alignment.claim, alignment.place.body
    if not alignment.pairs or not claim.language:
        return False
    pairs = [(claim.items[mine], body.items[theirs]) for mine, theirs in alignment.pairs]
    if any(
        one[1].sentence != two[1].sentence and not _ENDS.search(claim.text[one[0].end : two[0].start])
        for one, two in itertools.pairwise(pairs)
    ):
        return False  # where a sentence ends, the claim goes on with the words of the next
    turned = _turned(alignment)
    if _other_parts([(one.role, other.role) for one, other in pairs], turned):
        return False
    used: set[int] = set()
    lost: list[Item] = []
    dropped: list[Item] = []
    for each in alignment.inner:
        if not _one_word(each, alignment):
            lost += _unmatched(each, alignment, used, turned)
            dropped += each.place
    both = len(alignment.pairs) + len(used)
    moved = {body.items[at].start for at in used}
    dropped = [item for item in dropped if item.start not in moved and not _aside(item, alignment)]
    around = [item for item in (*alignment.head, *alignment.tail) if item.start not in moved]
    if turned and not 0 < len(used) <= max(AT_ONCE - 1, len(alignment.pairs) // 2):
        return False  # `calls the server` is not `is called by the server`
    if used and len({other.sentence for _, other in pairs} | {body.items[at].sentence for at in used}) > 1:
        return False  # what moved comes from another sentence
    explained = [item for item in lost if _explained(item, alignment)]
    if both < 2 or len(explained) < len(lost) or len(lost) > FROM_CONTEXT or (lost and len(lost) >= both):
        return False
    if any(item.kind is not ItemKind.WORD for item in dropped) or len(dropped) > both // DROPPED:
        return False
    if any(item.key in ("[condition]", "[exception]", "[only]", "not") for item in around):
        return False
    return _ends_cleanly(alignment, [item for item in around if not _named_before(item, alignment, asked)])


def _unmatched(each: Difference, alignment: Alignment, used: set[int], turned: bool) -> list[Item]:
    """What the claim says in one place and its passage nowhere, light words aside; adds what moved to `used`."""
    telling = [item for item in each.claim if not _adds_nothing(item, alignment)]
    run = _moved(telling, alignment, used, turned) if telling else set()
    if run is None and 1 < len(telling) <= AT_ONCE:  # each by itself
        runs = [_moved([item], alignment, used, turned) for item in telling]
        used |= set().union(*(found for found in runs if found))
        return [item for item, found in zip(telling, runs, strict=True) if not found]
    used |= run or set()
    return telling if run is None else []


def _explained(item: Item, alignment: Alignment) -> bool:
    """Whether what stands above a place names a thing of the claim: a name for its pronoun."""
    names = (ItemKind.WORD, ItemKind.NAME, *((ItemKind.IDENTIFIER,) if alignment.place.body.pronouns else ()))
    return item.kind in names and item.key in alignment.place.context.key_set


def _named_before(item: Item, alignment: Alignment, asked: ParsedText) -> bool:
    """Whether a word before what both say is one that the claim has for granted: what its `it` stands for."""
    if item.text.lower() in word_class("yes") or _aside(item, alignment):
        return True
    first = alignment.claim.text.split(maxsplit=1)[0].lower()
    return first in word_class("pronoun") and item in alignment.head and item.key in asked.key_set


def _adds_nothing(item: Item, alignment: Alignment) -> bool:
    """Whether a claim may say an item more than its place: that something can be that is, `should` before what is
    told to do, `use` before what it is done with."""
    claim, body = alignment.claim, alignment.place.body
    if item.key in body.key_set:
        return False
    if item.key == "[permission]":
        return "not" not in claim.key_set | body.key_set
    if item.key == "[advice]":
        return any(
            claim.items[mine - 1] is item and _OPENS.search(body.text[: body.items[theirs].start])
            and body.items[theirs].text.lower() in (claim.items[mine].text.lower(), "don't", "not")
            for mine, theirs in alignment.pairs if mine
        )  # fmt: skip
    return item.text.lower() in word_class("aside") or _is_means(item, claim, alignment)


def _is_means(item: Item, text: ParsedText, alignment: Alignment) -> bool:
    """Whether a verb only opens what something is done with: use `--force` to, where the other text has `with`."""
    at = text.items.index(item) + 1
    if item.text.lower() not in word_class("means") or at == len(text.items):
        return False
    mine, theirs = alignment.claim, alignment.place.body
    partners = [theirs.items[b] if text is mine else mine.items[a] for a, b in alignment.pairs
                if (a if text is mine else b) == at]  # fmt: skip
    named = text.items[at].kind in (ItemKind.IDENTIFIER, ItemKind.NAME)
    return named or any(partner.role in ("with", "by") for partner in partners)


def _renamed(alignment: Alignment) -> Iterator[ParsedText]:
    """The claim with `repository password` read as its place has it: the password of, for or to the repository; and
    with `default` and two names of a list in its place's order."""
    claim, body = alignment.claim, alignment.place.body
    alone = not any(_SEVERAL.search(text.text) for text in (claim, body))
    if alone and claim.keys.count("default") == body.keys.count("default") == 1:
        rest, there = [item for item in claim.items if item.key != "default"], body.keys.index("default")
        own = claim.items[claim.keys.index("default")]
        at = next((at + 1 for at, item in enumerate(rest) if there and item.key == body.keys[there - 1]), 0)
        yield replace(claim, items=(*rest[:at], own, *rest[at:]))
    for at, (first, second) in enumerate(itertools.pairwise(claim.items)):
        if (
            (_side_by_side(claim, first, second) and _joined_by_of(body, second, first))
            or (_joined_by_of(claim, first, second) and _side_by_side(body, second, first))
            or (_listed(claim, first, second) and _listed(body, second, first))
        ):
            one, other = replace(second, role=first.role), replace(first, role=second.role)
            yield replace(claim, items=(*claim.items[:at], one, other, *claim.items[at + 2 :]))


def _listed(text: ParsedText, first: Item, second: Item) -> bool:
    """Whether two names end a list whose order says nothing."""
    return _ORDERED.search(text.text) is None and any(
        _AND.fullmatch(text.text[one.end : other.start])
        and (after is None or re.search(r"[,;:.()]", text.text[other.end : after.start]))
        for one, other, after in zip(text.items, text.items[1:], (*text.items[2:], None), strict=False)
        if (one.key, other.key) == (first.key, second.key)
    )


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
    """Whether claim and place differ in one synonym, or in nothing but spaces and hyphens: `disk path`, Diskpath."""
    if len(each.claim) == len(each.place) == 1 and each.claim[0].kind is each.place[0].kind is ItemKind.WORD:
        return interchangeable(each.claim[0].key, each.place[0].key)
    mine, theirs = (
        _LETTERS.sub("", text[items[0].start : items[-1].end]).casefold() if items else ""
        for items, text in ((each.claim, alignment.claim.text), (each.place, alignment.place.body.text))
    )
    kinds = {item.kind for item in (*each.claim, *each.place)}
    return bool(mine) and mine == theirs and (kinds <= {ItemKind.WORD, ItemKind.NAME} or mine.isalpha())


def _aside(item: Item, alignment: Alignment) -> bool:
    """Whether a claim may leave out an item of its place: an aside that limits nothing, a word that says little."""
    body = alignment.place.body
    if item.kind is ItemKind.WORD and item.text.lower() in word_class("aside") and "not" not in body.key_set:
        return True
    if _is_means(item, body, alignment):
        return True
    if item.key == "[permission]" and alignment.claim.items[0].text.lower() in word_class("means"):
        return "not" not in body.key_set  # what can be done is told to do
    if item.text.lower() in word_class("permitting"):
        return "[permission]" in alignment.claim.key_set and "not" not in body.key_set
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
    keys = {item.key: item for item in theirs.items}
    paired = {mine.items[a]: theirs.items[b] for a, b in alignment.pairs}
    pairs = [(item, paired.get(item) or keys.get(item.key)) for item in mine.items if item.kind is ItemKind.WORD]
    return any(
        other is not None and _is_passive(mine.text, one) != _is_passive(theirs.text, other)
        and not all(item.text.endswith(("ed", "en")) for item in (one, other))
        for one, other in pairs
    )  # fmt: skip


def _is_passive(text: str, item: Item) -> bool:
    word = item.text.lower()
    participle = word.endswith(("ed", "en", "wn")) or word in _UNCHANGED or verb_of(word, "en") != word
    return participle and _PASSIVE.search(text[: item.start]) is not None


def _moved(claimed: Sequence[Item], alignment: Alignment, used: set[int], turned: bool) -> set[int] | None:
    """Where the place has what the claim has here, in one piece that may stand anywhere: `if it fails`."""
    claim, body, keys = alignment.claim, alignment.place.body, tuple(item.key for item in claimed)
    paired, first, opening = {at for _, at in alignment.pairs}, claimed[0], alignment.pairs[0]
    for start in range(len(body.keys) - len(keys) + 1):
        run, there = set(range(start, start + len(keys))), body.items[start]
        if body.keys[start : start + len(keys)] != keys or run & (paired | used):
            continue
        if _both_may_move(alignment, first, there):
            return run
        if len(run) == 1 and _may_stand_anywhere(first, start, paired, alignment, turned, there):
            return run
        at_edge = first is claim.items[0] or (claimed[-1] is claim.items[-1] and opening[0] == 0)
        if (
            at_edge
            and max(paired) - min(paired) < len(paired)
            and _both_may_move(alignment, claim.items[opening[0]], body.items[opening[1]])
        ):
            return run  # what the other stands beside moved
    return None


def _may_stand_anywhere(item: Item, at: int, paired: set[int], alignment: Alignment, turned: bool, there: Item) -> bool:
    """Whether one word may stand elsewhere: an adverb beside its verb, a name beside a verb turned round."""
    if item.kind in (ItemKind.LIMIT, ItemKind.NEGATION):
        return False
    if item.text.endswith(_ADVERB) and {at - 1, at + 1} & paired:
        return True  # `explicitly specified`, `specified explicitly`
    contained = any(each.text.lower() in word_class("containing") for each in alignment.claim.items)
    return turned and {item.role, there.role} <= ({"", "by", "in"} if contained else {"", "by"})


def _both_may_move(alignment: Alignment, mine: Item, theirs: Item) -> bool:
    return (
        mine.role == theirs.role
        and _may_move(alignment.claim.text, mine)
        and _may_move(alignment.place.body.text, theirs)
    )


def _other_parts(roles: Sequence[tuple[str, str]], turned: bool) -> bool:
    """Whether things have other parts in the claim than in its place: `to the server`, `from the server`."""
    differing = {(mine, theirs) for mine, theirs in roles if mine != theirs}
    ways = {"from", "to"}
    opposed = any({*pair} <= {*ways, "by"} or (turned and not ways.isdisjoint(pair)) for pair in differing)
    return opposed or any((theirs, mine) in differing for mine, theirs in differing if mine and theirs)


def _may_move(text: str, first: Item) -> bool:
    return (
        bool(first.role)
        or first.key in ("[condition]", "[before]", "[after]")
        or _MOVES.search(text[: first.start]) is not None
    )
