"""What becomes of a reply's text: where a citation's number goes, and what is taken out before it is published.

A number goes behind the cited words and their full stop, and never into code; code that an answer copies from the docs
is cited by us: to the passage that holds it, character by character. Links, images, HTML and markup of the machinery
are taken out, in time linear in the length of the text. Which HTML a page lets through is the renderer's business.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import pairwise
from textwrap import dedent

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import (
    BlockKind,
    RunKind,
    blocks,
    code_in,
    parts,
)
from mkdocs_cited.model.source import Passage, PassageKind, SourceType

Piece = tuple[str, tuple[int, ...]]
"""A part of an answer's text, and the numbers of what it cites."""

_CLOSERS = re.compile(
    r"[*_~\"')\]»”’]{0,4}(?:[.,;:!?…]{1,3}[*_~\"')\]»”’]{0,4})?(?=\s|$)|[。！？，；：、」』）]{1,3}"
)
_ENDS = re.compile(r"[.!?…。！？][*_~`\"')\]»”’]{0,4}\Z")


def placed(
    pieces: Sequence[Piece],
    of_code: Callable[[str], tuple[int, ...]] = lambda code: (),
    locale: str = "en",
) -> str:
    """The text of all pieces with `[^n]` behind each sentence of a cited one, and with each code block that was copied.

    Numbers that meet at one place become one group, each number once, in order.

    Args:
        of_code: the numbers of the passage that holds a code; none where no passage does.
        locale: language of the answer, which says where its sentences end.
    """
    text = _closed("".join(piece for piece, _ in pieces))
    code = [block for block in blocks(text) if block.kind is BlockKind.CODE]
    starts_of_code = {block.start for block in code}
    outside = [
        claim for claim in split(text, locale) if claim.start not in starts_of_code
    ]
    places: dict[int, set[int]] = defaultdict(set)
    end = 0
    for piece, sids in pieces:
        start = end
        end += len(piece)
        if not sids:
            continue
        places[_place(text, end)].update(sids)
        for claim in outside:
            if start <= claim.start and claim.end < end:
                places[_place(text, claim.end)].update(sids)
    for block in code:
        sids = of_code(block.code)
        if sids:
            places[_place(text, block.end)].update(sids)
    for earlier, later in list(pairwise(sorted(places))):
        if places[earlier] <= places[later] and _in_one_sentence(text, earlier, later):
            del places[earlier]
    out, at = [], 0
    below = [block.end for block in code]
    for place in sorted(places):
        out.append(text[at:place])
        if place in below:
            out.append("\n\n")
        out.append(_marks(places[place]))
        at = place
    content = "".join([*out, text[at:]]).strip()
    if _numbers_in_code(content) <= _numbers_in_code(text):
        return content
    # a number between unpaired backquotes can turn prose into code: then all numbers go below the text
    return f"{text.strip()}\n\n{_marks(set().union(*places.values()))}"


def _marks(sids: Iterable[int]) -> str:
    return "".join(f"[^{sid}]" for sid in sorted(sids))


def _in_one_sentence(text: str, earlier: int, later: int) -> bool:
    """True if one sentence is cited at both places: the API cuts a sentence where another passage begins."""
    line = text[text.rfind("\n", 0, earlier) + 1 : later]
    return (
        "\n" not in text[earlier:later]
        and "|" not in line
        and not _ENDS.search(text[max(0, earlier - 6) : earlier])
    )


def _place(text: str, end: int) -> int:
    """The offset for the number of a piece that ends at `end`: behind the last words of it, what closes them, and their
    full stop. Of a code block, behind the words that lead to it, or behind the block if there are none."""
    place = len(text[:end].rstrip())
    words = code = before = None
    for block in blocks(text):
        if block.kind is BlockKind.CODE and block.start < place:
            before = words
            code, words = block, None
        for run in block.runs:
            if run.kind is not RunKind.BREAK and run.start < place:
                code, words = None, run
    if code is not None:
        if before is None:
            return code.end
        return before.end + len(_closing(text, before.end))
    if words is None:
        return place
    if words.kind is RunKind.CODE or "](" not in text[words.end : place]:
        place = min(place, words.end)
    if words.kind is RunKind.CODE:
        place = words.end
    while 0 < place < len(text) and _is_cut(text[place - 1], text[place]):
        place += 1
    return place + len(_closing(text, place))


def _is_cut(before: str, behind: str) -> bool:
    """True if a place is inside a word, or inside a run of backquotes or tildes."""
    if before in "`~":
        return behind == before
    return before.isalnum() and behind.isalnum() and behind.isascii()


def _closing(text: str, place: int) -> str:
    """What closes the words before a place."""
    closing = _CLOSERS.match(text, place)
    return closing[0] if closing else ""


def holder(
    code: str, shown: Sequence[Passage], cited: Container[str]
) -> Passage | None:
    """The passage that holds all lines of a code in a row, however they are indented as a whole: one that is cited
    already, else a code block, else any other."""
    wanted = _lines(code)
    holding = [item for item in shown if wanted and _holds(item, wanted)]
    holding.sort(key=lambda item: item.kind is not PassageKind.CODE)
    return min(holding, key=lambda item: item.id not in cited, default=None)


def _holds(passage: Passage, wanted: list[str]) -> bool:
    if passage.kind is not PassageKind.CODE:
        spans = [passage.text[start:end] for start, end in passage.code_spans]
        return len(wanted) == 1 and wanted[0] in spans
    lines = [line.rstrip() for line in passage.text.split("\n")]
    for at, line in enumerate(lines):
        part = "\n".join(lines[at : at + len(wanted)])
        if line.strip() == wanted[0].strip() and _lines(part) == wanted:
            return True
    return False


def _lines(code: str) -> list[str]:
    """The lines of a code, without what indents all of them and without blank ones around it."""
    if code.strip():
        return [line.rstrip() for line in dedent(code).strip("\n").split("\n")]
    return []


def _closed(text: str) -> str:
    """The text with the closing fence that its last code block may lack."""
    for block in reversed(blocks(text)):
        if block.open:
            return f"{text.rstrip()}\n{block.open}"
        if block.code:
            break
    return text


def _numbers_in_code(text: str) -> int:
    return sum(text.count("[^", piece.start, piece.end) for piece in code_in(text))


_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,500})\]\((?:[^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?)\)"
)
_REFERENCE = re.compile(r"(\[(?!\^)[^\[\]\n]{1,200}\]):")
_AUTOLINK = re.compile(
    r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,30}:[^<>\s]{1,2000}|[^<>\s@]{1,200}@[^<>\s@]{1,200})>"
)
_BARE = re.compile(
    r"\b(?:(?:https?|ftp)://|www\.)[^\s<>\"'`\[\])]{1,2000}", re.IGNORECASE
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]{0,500}\}")
_INCLUDE = re.compile(r"-{1,}8<-{1,}")
_LEAKED = re.compile(
    r"</?(?:cite|antml|search_result)\b|\[\^\d{1,9}\]|\[\[(?:S|NOT-DOCUMENTED|NEAREST|LEFT-OPEN)\b",
    re.IGNORECASE,
)
REMOVED = "(link removed)"
"""What is in place of an address that no cited passage names."""


def leaked(text: str) -> str:
    """Markup of the machinery that the model wrote into its prose itself, or nothing.

    Such a marker would be read as one of ours: `<cite index=…>` is a known leak of the API, and a page may ask the
    model to write `[^1]`.
    """
    for piece, is_code in parts(text):
        marker = _LEAKED.search(html.unescape(piece))
        if marker and not is_code:
            return marker[0]
    return ""


def addresses_of(passages: Iterable[Passage]) -> frozenset[str]:
    """The addresses that passages name, for comparing. A note's may not reach the site."""
    found = set[str]()
    for passage in passages:
        if passage.page.type is SourceType.NOTE:
            continue
        linked = [address for _, _, address in passage.targets]
        for match in _BARE.finditer(" ".join((passage.text, *linked))):
            found.add(_bare(match[0].rstrip(".,;:!?")))
    return frozenset(found)


def cleaned(text: str, named: frozenset[str] = frozenset()) -> str:
    """The Markdown without links, images, raw HTML, attribute lists, and addresses other than those named; code is left
    alone."""

    def clean(prose: str) -> str:
        prose = _REFERENCE.sub(r"\1 :", prose)  # no longer the definition of a link
        prose = _AUTOLINK.sub(
            lambda match: _address(match["url"], named), _LINK.sub(r"\g<text>", prose)
        )
        prose = _BARE.sub(lambda match: _address(match[0], named), prose)
        prose = _ATTRIBUTES.sub("", prose)
        return _INCLUDE.sub("--8--", _TAG.sub("&lt;", prose))

    return _outside_code(text, clean)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` made to what is between its pieces of code."""
    changed = ""
    for piece, is_code in parts(text):
        if not is_code:
            piece = change(piece)
        changed += piece
    return changed


def _address(url: str, named: frozenset[str]) -> str:
    """An address in the text: as it is if it is named, otherwise a note that it was taken out."""
    address = url.rstrip(".,;:!?")
    if _bare(address) in named:
        return url
    return REMOVED + url[len(address) :]


def _bare(url: str) -> str:
    """An address for comparing: scheme and host in small letters, as they count (RFC 3986 §6.2.2.1)."""
    head, mark, rest = url.strip().rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    if mark:
        return f"{head.lower()}{mark}{host.lower()}{slash}{path}"
    return head
