"""What a decision depends on, as text: which words are kept with it, and what has become of them since.

Nothing here judges meaning. Words are the same or they are not; a value that has gone is named with the one in its
place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from mkdocs_cited.language import (
    NEAR,
    Kind,
    Token,
    contains,
    idle_stems,
    matcher,
    nearest,
    stems,
    tokens,
)
from mkdocs_cited.language.quantities import may_equal
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.model.answer import Change, Claim, Evidence, Excerpt
from mkdocs_cited.model.source import Passage, PassageKind

_CODE = re.compile(r"`([^`]+)`")
_CELLS = " | "
_FIGURE = re.compile(r"\b(\d[\d.]*)-(?=[a-z])", re.IGNORECASE)

Piece = tuple[Passage, str]
"""A sentence (with backticks around its code), row or line, and the passage that it is of."""
Value = Sequence[Token]
"""A figure, version or name, or all words of a piece of code."""
_Alike = Callable[[Token, Token], bool]


def excerpts(
    claim: Claim, evidence: Sequence[Evidence], quotes: Sequence[str] = ()
) -> tuple[Excerpt, ...]:
    """What a decision on a claim depends on: what its footnotes quote, and the sentences, rows and lines of the cited
    sections with values of the claim that those lack.

    Args:
        claim: what is decided.
        evidence: the passages that it cites.
        quotes: what a reviewer quoted of them, in place of what footnotes quote.
    """
    pieces = pieces_of(evidence)
    chosen = _by_reviewer(evidence, quotes) or _by_footnotes(claim, evidence, pieces)
    said = tokens(claim.text)
    missing = []
    for _, text in pieces:
        missing += [value for value in _values(text) if _has(said, value, _is)]
    for _, text in chosen:
        missing = _without(missing, text)
    while missing:
        best = min(pieces, key=lambda piece: len(_without(missing, piece[1])))
        chosen.append(best)
        missing = _without(missing, best[1])
    found = []
    for passage, text in chosen:
        found.append(Excerpt(at=passage.section.where, under=passage.under, text=text))
    return tuple(dict.fromkeys(found))


def _without(values: Iterable[Value], text: str) -> list[Value]:
    """The values that a text does not have."""
    said = tokens(text)
    return [value for value in values if not _has(said, value, _is)]


def _by_reviewer(evidence: Sequence[Evidence], quotes: Sequence[str]) -> list[Piece]:
    """What a model quotes, or a person picks, as pieces of the passages."""
    chosen: list[Piece] = []
    for quote in quotes:
        picked = [piece for piece in pieces_of(evidence) if piece[1] == quote]
        for item in evidence:
            if not picked and quote and quote in item.passage.text:
                picked = list(_pieces_of(item.passage, quote))
        chosen += picked
    return chosen


def _by_footnotes(
    claim: Claim, evidence: Sequence[Evidence], pieces: Sequence[Piece]
) -> list[Piece]:
    """What footnotes show that bears the claim, as pieces of the passages."""
    chosen: list[Piece] = []
    for item in evidence:
        if item.shown:
            chosen += _pieces_of(item.passage, item.quote)
    texts = [text for _, text in chosen]
    bearing = _bearing(claim.text, texts, [text for _, text in pieces], evidence)
    return [piece for piece in chosen if piece[1] in bearing]


def quoted_words(
    claim: str, quote: str, evidence: Sequence[Evidence]
) -> Collection[str]:
    """The sentences of a recorded quotation that bear a claim; code is one."""
    texts = [quote]
    if "\n" not in quote:
        spans = sentences(quote, evidence[0].passage.page.language)
        texts = [quote[start:end] for start, end in spans]
    return _bearing(claim, texts, texts, evidence)


def _bearing(
    claim: str, texts: Sequence[str], among: Sequence[str], evidence: Sequence[Evidence]
) -> Collection[str]:
    """The sentences, rows or lines that bear a claim: the one that shares most words with it, and each other that has a
    word of it which neither another one nor the headings have; “the” and “gets” do not count there. All of them, where
    none has any word of it.

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
    counts: Counter[str] = Counter()
    for text in (*among, " ".join(section.breadcrumb)):
        counts.update(set(stems(text, language)))
    words = {text: set(stems(text, language)) for text in texts}
    wanted = set(stems(claim, language))
    unshared = {word for word in wanted - idle_stems(language) if counts[word] == 1}
    chosen = []
    for _ in texts:
        best = max(texts, key=lambda text: len(wanted & words[text]))
        if wanted.isdisjoint(words[best]):
            break
        chosen.append(best)
        wanted = (wanted & unshared) - words[best]
    return chosen or texts


def _values(text: str) -> list[Value]:
    """The figures, versions and names of a text, and each piece of code as a whole."""
    values: list[Value] = []
    for token in tokens(text):
        if token.kind in (Kind.QUANTITY, Kind.NAME):
            values.append((token,))
    return values + _code_of(text)


def _code_of(text: str) -> list[Value]:
    """The words of each piece of code in a text."""
    pieces: list[Value] = []
    for match in _CODE.finditer(text):
        start, end = match.span()
        words = [word for word in tokens(text) if start < word.start < end]
        if words:
            pieces.append(words)
    return pieces


def _has(said: Sequence[Token], value: Value, alike: _Alike) -> bool:
    """True if the tokens of a value stand in a text in a row."""
    for start in range(len(said) - len(value) + 1):
        pairs = zip(said[start : start + len(value)], value, strict=True)
        if all(alike(one, other) for one, other in pairs):
            return True
    return False


def _is(one: Token, other: Token) -> bool:
    return one.key == other.key


def _may_be(one: Token, other: Token) -> bool:
    """True if two tokens are the same, or quantities that may mean the same."""
    if one.quantity and other.quantity:
        return may_equal(one.quantity, other.quantity)
    return one.key == other.key


def pieces_of(evidence: Iterable[Evidence]) -> list[Piece]:
    """The sentences, rows and lines of passages, which a decision may depend on."""
    pieces: list[Piece] = []
    for item in evidence:
        pieces += _pieces_of(item.passage, "")
    return pieces


def _pieces_of(passage: Passage, quote: str) -> Iterator[Piece]:
    """The sentences, the row or the lines of a passage that a quotation of it touches; all, where it is empty."""
    if passage.cells:
        yield passage, _CELLS.join(passage.stated_cells)
        return
    start = 0
    end = len(passage.text)
    if quote and quote in passage.text:
        start = passage.text.find(quote)
        end = start + len(quote)
    if passage.kind is PassageKind.CODE:
        for line in passage.stated[start:end].split("\n"):
            if line.strip():
                yield passage, line.rstrip()
        return
    for _, _, first, last in passage.pieces():
        if first < end and start < last:
            yield passage, _with_code(passage, first, last)


def _with_code(passage: Passage, start: int, end: int) -> str:
    """A part of what a passage states, with backticks around its code."""
    stated = passage.stated
    text = ""
    at = start
    for first, last in passage.code_spans:
        if start <= first and last <= end:
            text += f"{stated[at:first]}`{stated[first:last]}`"
            at = last
    return text + stated[at:end]


def changed(
    claim: str, kept: Sequence[Excerpt], evidence: Sequence[Evidence]
) -> Change | None:
    """What has changed of the words that a decision depends on; `None` while they are the same.

    White space, punctuation, emphasis, links, and one wrong letter of a longer word do not count; nor does anything
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
    """What has changed of one excerpt: its words, or what stands over them; `None` while both are the same."""
    holding = [item.passage for item in evidence if _holds(item.passage, excerpt.text)]
    for passage in holding:
        if same_heading(claim, excerpt.under, passage.under, passage.page.language):
            return None
    successor = _successor(excerpt.text, evidence)
    if holding:
        successor = holding[0], excerpt.text
    if successor is None:
        said = "\n".join(item.passage.text for item in evidence)
        return Change(was=excerpt, values=tuple(_lost(claim, excerpt.text, "", said)))
    passage, now = successor
    return Change(
        was=excerpt,
        now=now,
        under=passage.under,
        passage=passage.id,
        values=tuple(_lost(claim, excerpt.text, now, f"{passage.under}\n{now}")),
    )


def _holds(passage: Passage, text: str) -> bool:
    """True if a passage has words as they were: whole sentences, rows and lines, since what they gain may change it
    all."""
    stated = passage.stated
    if passage.kind is PassageKind.CODE:
        lines = [_bare(line) for line in (stated, *stated.split("\n"))]
        return bool(text) and _bare(text) in lines
    if passage.cells and _CELLS in text:
        was = text.split(_CELLS)
        now = _CELLS.join(passage.stated_cells).split(_CELLS)
        return len(was) == len(now) and all(map(_same_cell, now, was))
    return contains(stated, text)


def _bare(code: str) -> str:
    """Code without white space and quotes."""
    return re.sub(r"[\s'\"`]", "", code)


def _same_cell(now: str, was: str) -> bool:
    return len(tokens(now)) == len(tokens(was)) and (
        not tokens(was) or contains(now, was)
    )


def same_heading(claim: str, was: str, now: str, language: str) -> bool:
    """True if what stood over something is not known, or has the same words, in whatever form; a heading without commas
    also in whatever order, but not the names of columns. A number in the heading counts where the claim has it:
    otherwise it numbers steps and chapters."""
    stated = stems(claim, language)
    sides = []
    for text in (was, now):
        heading, _, rest = text.partition(" · ")
        words = []
        for word in stems(heading, language):
            if word in stated or not word.isdigit():
                words.append(word)
        if "," not in heading:
            words.sort()
        sides.append(words + stems(rest, language))
    return not was or sides[0] == sides[1]


def _successor(text: str, evidence: Sequence[Evidence]) -> Piece | None:
    """What stands in the place of an excerpt: the row with its first cell, else the nearest sentence, row or line."""
    first_cell, bar, _ = text.partition(_CELLS)
    pieces = pieces_of(evidence)
    for piece in pieces:
        if bar and piece[0].cells[:1] == (first_cell,):
            return piece
    number = nearest(text, [piece for _, piece in pieces], NEAR)
    if number < 0:
        return None
    return pieces[number]


def _lost(claim: str, was: str, now: str, said: str) -> Iterator[tuple[str, str]]:
    """Each value of the claim that a sentence has lost, with what stands in its place.

    Args:
        claim: plain text.
        was: the sentence.
        now: the sentence in its place; empty for none.
        said: what has the value if it is not lost.
    """
    ours = tokens(claim)
    theirs = [*tokens(said), *tokens(_parted(said))]
    whole = tokens(was)
    parts = tokens(_parted(was))
    values: list[Value] = []
    for token in (*whole, *parts):
        is_code = was.count("`", 0, token.start) % 2 == 1
        is_value = is_code or token.kind in (Kind.QUANTITY, Kind.NAME)
        if is_value or _is_acronym(was[token.start : token.end]):
            values.append((token,))
    told: set[Token] = set()
    for value in (*values, *_code_of(was)):
        is_lost = _has(ours, value, _may_be) and not _has(theirs, value, _may_be)
        if not is_lost or not told.isdisjoint(value):
            continue
        before = was[value[0].start : value[-1].end]
        after = ""
        old, new = whole, tokens(now)
        if value[0] not in whole:
            old, new = parts, tokens(_parted(now))
        other = _in_place_of(old.index(value[0]), old, new)
        if other and len(value) == 1:
            after = now[other.start : other.end]
        if _is_acronym(before) and not _is_acronym(after):
            continue  # words in the place of an acronym may say the same
        told.update(value)
        yield before, after


def _parted(text: str) -> str:
    """A text in which names that begin with a figure are two words: `20 alpine`. Offsets stay."""
    return _FIGURE.sub(r"\1 ", text)


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper()


def _in_place_of(
    number: int, old: Sequence[Token], new: Sequence[Token]
) -> Token | None:
    """What stands where a token stood, of its own kind if there is such."""
    for kind, start, end, first, last in matcher(old, new).get_opcodes():
        if kind == "equal" or not start <= number < end:
            continue
        others = new[first:last]
        alike = [token for token in others if token.kind is old[number].kind] or others
        if alike:
            return alike[min(number - start, len(alike) - 1)]
    return None
