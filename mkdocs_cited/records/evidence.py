"""What a decision depends on, as text: which words are kept with it, and what has become of them since.

Nothing here judges meaning. Words are the same or they are not; a value that has gone is named with the one in its
place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from mkdocs_cited.language.quantities import Likeness, compare
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.language.stems import stems
from mkdocs_cited.language.tokens import Kind, Token, matcher, same, tokens
from mkdocs_cited.model.answer import Change, Claim, Evidence, Excerpt
from mkdocs_cited.model.source import Passage, PassageKind

_NEAR = 0.5
"""Share of equal words from which a sentence is what another one has become, 0…1."""
_LEAST_LETTERS = 5
"""Letters of a word in which one wrong letter is a matter of spelling."""
_CODE = re.compile(r"`([^`]+)`")
_KIND = re.compile(r"([a-z][\w-]*): ?.*", re.DOTALL)
_CELLS = " | "
_ENDS = frozenset(".;:!?…。；：！？|·\n")
"""Punctuation that ends a sentence, a clause, or a cell."""


def excerpts(
    claim: Claim, evidence: Sequence[Evidence], quotes: Sequence[str] = ()
) -> tuple[Excerpt, ...]:
    """What a decision on a claim depends on: what its footnotes quote, and the sentences, rows and lines of the cited
    sections with values, and names in code, of the claim that those lack.

    Args:
        claim: what is decided.
        evidence: the passages that it cites.
        quotes: what a reviewer quoted of them, in place of what footnotes quote.
    """
    chosen = list(_quoted(claim, evidence, quotes))
    pieces = list(_pieces(evidence))
    missing = _values(claim.text, _code_names(evidence))
    for _, text in chosen:
        missing = _without(missing, text)
    while missing and pieces:
        best = min(pieces, key=lambda piece: len(_without(missing, piece[1])))
        rest = _without(missing, best[1])
        if len(rest) == len(missing):
            break
        chosen.append(best)
        missing = rest
    found: dict[Excerpt, None] = {}
    for passage, text in chosen:
        excerpt = Excerpt(at=passage.section.where, under=context(passage), text=text)
        found[excerpt] = None
    return tuple(found)


def _without(values: Sequence[Token], text: str) -> list[Token]:
    """The values that a text does not have."""
    has = tokens(text)
    return [value for value in values if not any(same(value, token) for token in has)]


def context(passage: Passage) -> str:
    """What stands over a passage and counts: the nearest heading below the page's title, column headers, and the kind
    of an admonition."""
    section = passage.section
    parts = [section.title if section.level > 1 else "", ", ".join(passage.header)]
    for label in passage.labels:
        kind = _KIND.fullmatch(label)
        if kind and kind[1] != "footnote":
            parts.append(kind[1])
    return " · ".join(filter(None, parts))


def _quoted(
    claim: Claim, evidence: Sequence[Evidence], quotes: Sequence[str]
) -> Iterator[tuple[Passage, str]]:
    """The passages and words that a model quotes, else those of what footnotes show that bear the claim."""
    chosen: list[tuple[Passage, str]] = []
    for quote in quotes:
        for item in evidence:
            if quote and quote in item.passage.text:
                chosen += _pieces_of(item.passage, quote)
                break
    if chosen:
        yield from chosen
        return
    for item in evidence:
        if item.shown:
            chosen += _pieces_of(item.passage, item.quote)
    among = [text for _, text in _pieces(evidence)]
    bearing = _bearing(claim.text, [text for _, text in chosen], among, evidence)
    for passage, text in chosen:
        if text in bearing:
            yield passage, text


def quoted_words(
    claim: str, quote: str, evidence: Sequence[Evidence]
) -> Collection[str]:
    """The sentences of a recorded quotation that bear a claim; code is one."""
    texts = [quote]
    if evidence and "\n" not in quote:
        spans = sentences(quote, evidence[0].passage.page.language)
        texts = [quote[start:end] for start, end in spans]
    return _bearing(claim, texts, texts, evidence)


def _bearing(
    claim: str, texts: Sequence[str], among: Sequence[str], evidence: Sequence[Evidence]
) -> Collection[str]:
    """The sentences, rows or lines that bear a claim: the one that shares most words with it, and each other that has a
    word of it which neither another one nor the headings have. All of them, where none has any word of it.

    Args:
        claim: plain text.
        texts: what is quoted.
        among: all sentences, rows and lines of what is cited.
        evidence: what is cited.
    """
    if len(texts) < 2:
        return texts
    section = evidence[0].passage.section
    language = section.page.language
    subject = stems(" ".join(section.breadcrumb), language)
    wanted = set(stems(claim, language))
    counts = Counter(stem for text in among for stem in set(stems(text, language)))
    chosen: dict[str, None] = {}
    for _ in texts:
        best = max(
            texts, key=lambda text: len(wanted.intersection(stems(text, language)))
        )
        new = wanted.intersection(stems(best, language))
        if not new:
            break
        chosen[best] = None
        wanted = {
            stem for stem in wanted - new if counts[stem] == 1 and stem not in subject
        }
    return chosen or texts


def _with_code(passage: Passage, start: int, end: int) -> str:
    """A part of a passage's text, with backticks around its code."""
    parts = []
    at = start
    for first, last in passage.code_spans:
        if start <= first and last <= end:
            parts += [passage.text[at:first], "`", passage.text[first:last], "`"]
            at = last
    parts.append(passage.text[at:end])
    return "".join(parts)


def _values(text: str, names: Collection[str]) -> list[Token]:
    return [
        token
        for token in tokens(text)
        if token.kind in (Kind.QUANTITY, Kind.NAME) or token.key in names
    ]


def _code_names(evidence: Iterable[Evidence]) -> set[str]:
    """The words that passages set in code, each by itself."""
    names: set[str] = set()
    for _, text in _pieces(evidence):
        for match in _CODE.finditer(text):
            words = tokens(match[1])
            if len(words) == 1:
                names.add(words[0].key)
    return names


def _pieces(evidence: Iterable[Evidence]) -> Iterator[tuple[Passage, str]]:
    """The sentences, rows and lines of passages."""
    for item in evidence:
        yield from _pieces_of(item.passage, "")


def _pieces_of(passage: Passage, quote: str) -> Iterator[tuple[Passage, str]]:
    """The sentences, the row or the lines of a passage that a quotation of it touches; all, where it is empty."""
    if passage.cells:
        yield passage, _CELLS.join(passage.cells)
        return
    if quote not in passage.text:
        quote = ""
    start = passage.text.find(quote)
    end = start + len(quote) if quote else len(passage.text)
    if passage.kind is PassageKind.CODE:
        for line in passage.text[start:end].split("\n"):
            if line.strip():
                yield passage, line.rstrip()
        return
    for _, _, first, last in passage.pieces():
        if first < end and start < last:
            yield passage, _with_code(passage, first, last)


def changed(
    claim: str, kept: Sequence[Excerpt], evidence: Sequence[Evidence]
) -> Change | None:
    """What has changed of the words that a decision depends on; `None` while they are the same.

    White space, punctuation, markup, emphasis, and one wrong letter of a longer word do not count; nor does anything
    else in the cited sections. Of several changes, one that took a value of the claim away comes first.

    Args:
        claim: plain text.
        kept: what the decision depends on.
        evidence: the passages that the claim cites today.
    """
    first: Change | None = None
    for excerpt in kept:
        change = _changed(claim, excerpt, evidence)
        if change and change.values:
            return change
        first = first or change
    return first


def _changed(
    claim: str, excerpt: Excerpt, evidence: Sequence[Evidence]
) -> Change | None:
    holding = [item.passage for item in evidence if _holds(item.passage, excerpt.text)]
    for passage in holding:
        if _context_is(excerpt, passage):
            return None
    if holding:
        return Change(
            was=excerpt,
            now=excerpt.text,
            under=context(holding[0]),
            passage=holding[0].id,
        )
    nearest, now = _become(excerpt, evidence)
    if nearest is None:
        values = []
        for token in _claimed(claim, excerpt.text):
            word = _written(excerpt.text, token)
            if not _stated_in(token, evidence) and not _is_acronym(word):
                values.append((word, ""))
        return Change(was=excerpt, values=tuple(values))
    lost = tuple(_lost(claim, excerpt.text, now))
    return Change(
        was=excerpt, now=now, under=context(nearest), passage=nearest.id, values=lost
    )


def _holds(passage: Passage, text: str) -> bool:
    """True if a passage has words as they were: whole sentences and lines, since what they gain may change it all."""
    if passage.kind is not PassageKind.CODE:
        old = tokens(text.replace("`", ""))  # set in code or not
        # In the bare text, “48” and the word of the next cell may be one quantity.
        return contains(_CELLS.join(passage.cells), old) or contains(passage.text, old)
    old = tokens(text)
    for line in (passage.text, *passage.text.split("\n")):
        if len(tokens(line)) == len(old) and contains(line, old):
            return True
    return False


def _context_is(excerpt: Excerpt, passage: Passage) -> bool:
    if not excerpt.under:
        return True
    language = passage.page.language
    return sorted(stems(excerpt.under, language)) == sorted(
        stems(context(passage), language)
    )


def contains(text: str, part: Sequence[Token]) -> bool:
    """True if tokens stand in a text as a sentence, clause or item of their own, but for spelling."""
    whole = tokens(text)
    if not part:
        return True
    for start in range(len(whole) - len(part) + 1):
        end = start + len(part)
        alike = all(
            _spelled_alike(one, other)
            for one, other in zip(whole[start:end], part, strict=True)
        )
        if alike and _ends_at(start, whole, text) and _ends_at(end, whole, text):
            return True
    return False


def _ends_at(number: int, whole: Sequence[Token], text: str) -> bool:
    """True if a sentence or clause ends before this token."""
    if number in (0, len(whole)):
        return True
    between = text[whole[number - 1].end : whole[number].start]
    return not _ENDS.isdisjoint(between)


def _spelled_alike(one: Token, other: Token) -> bool:
    if one.key == other.key:
        return True
    if one.kind is not Kind.WORD or other.kind is not Kind.WORD:
        return same(one, other)
    left, right = one.key, other.key
    if min(len(left), len(right)) < _LEAST_LETTERS or left[0] != right[0]:
        return False
    return _one_letter_apart(left, right)


def _one_letter_apart(left: str, right: str) -> bool:
    """True if one letter more, less, other or in another place makes one word of the other."""
    return not _without_a_letter(left).isdisjoint(_without_a_letter(right))


def _without_a_letter(word: str) -> set[str]:
    """A word, and what is left of it without one of its letters."""
    return {word} | {word[:at] + word[at + 1 :] for at in range(len(word))}


def _become(
    excerpt: Excerpt, evidence: Sequence[Evidence]
) -> tuple[Passage | None, str]:
    """What an excerpt has become: the row with its first cell, else the nearest sentence, row or line."""
    first_cell, bar, _ = excerpt.text.partition(_CELLS)
    pieces = list(_pieces(evidence))
    for passage, text in pieces:
        if bar and passage.cells and passage.cells[0] == first_cell:
            return passage, text
    return nearest(excerpt.text, pieces)


def nearest(
    text: str, pieces: Iterable[tuple[Passage, str]]
) -> tuple[Passage | None, str]:
    """The piece of a passage that shares most words with a text; nothing, where none shares a share of `_NEAR`."""
    wanted = tokens(text)
    best: tuple[float, Passage | None, str] = (0.0, None, "")
    for passage, piece in pieces:
        ratio = matcher(wanted, tokens(piece)).ratio()
        if ratio > best[0]:
            best = (ratio, passage, piece)
    if best[0] >= _NEAR:
        return best[1:]
    return (None, "")


def _claimed(claim: str, text: str) -> Iterator[Token]:
    """The values of an excerpt, its words in code and its acronyms, that the claim states."""
    said = tokens(claim)
    code = {token.key for match in _CODE.finditer(text) for token in tokens(match[1])}
    for token in tokens(text):
        is_value = token.kind in (Kind.QUANTITY, Kind.NAME) or token.key in code
        if (is_value or _is_acronym(_written(text, token))) and any(
            _means(token, other) for other in said
        ):
            yield token


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper()


def _written(text: str, token: Token) -> str:
    return text[token.start : token.end]


def _means(token: Token, other: Token) -> bool:
    """True if two tokens can be the same value."""
    if token.quantity and other.quantity:
        return compare(token.quantity, other.quantity) is not Likeness.DIFFERENT
    return token.key == other.key


def _stated_in(token: Token, evidence: Sequence[Evidence]) -> bool:
    return any(
        _means(token, other) for item in evidence for other in tokens(item.passage.text)
    )


def _lost(claim: str, was: str, now: str) -> Iterator[tuple[str, str]]:
    """Each value of the claim that a sentence has lost, with what stands in its place."""
    old, new = tokens(was), tokens(now)
    for token in _claimed(claim, was):
        if any(_means(token, other) for other in new):
            continue
        before, after = (
            _written(was, token),
            _in_place_of(old.index(token), old, new, now),
        )
        if _is_acronym(before) and not _is_acronym(after):
            continue  # another word may say the same
        yield before, after


def _in_place_of(
    number: int, old: Sequence[Token], new: Sequence[Token], now: str
) -> str:
    """What stands where a token stood, of its own kind if there is such; empty for nothing."""
    for kind, start, end, first, last in matcher(old, new).get_opcodes():
        if kind == "equal" or not start <= number < end:
            continue
        others = new[first:last]
        alike = [token for token in others if token.kind is old[number].kind] or list(
            others
        )
        if not alike:
            return ""
        at = min(number - start, len(alike) - 1)
        return now[alike[at].start : alike[at].end]
    return ""
