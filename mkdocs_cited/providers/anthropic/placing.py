"""What becomes of a reply's text: where a citation's number goes, and what is taken out before it is published.

A number goes behind the sentence or table row that the cited words are in, and never into code; code that an answer
copies from the docs is cited by us: to the passage that holds it, character by character. Links, images, HTML and
markup of the machinery are taken out, in time linear in the length of the text. Which HTML a page lets through is the
renderer's business.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence

from mkdocs_cited.answer_text.claims import statements
from mkdocs_cited.answer_text.markdown import BlockKind, blocks, parts
from mkdocs_cited.model.source import Passage, PassageKind, SourceType

Piece = tuple[str, tuple[int, ...]]
"""A part of an answer's text, and the numbers of what it cites."""


def placed(
    pieces: Sequence[Piece],
    of_code: Callable[[str], tuple[int, ...]] = lambda code: (),
    locale: str = "en",
) -> str:
    """The text of all pieces with `[^n]` behind each sentence and row that a cited piece has a part of, and for each
    code block that was copied: behind the sentence that leads to it, else below it. A piece that has a part of none
    belongs to the sentence before it.

    Args:
        of_code: the numbers of the passage that holds a code; none where no passage does.
        locale: language of the answer, which says where its sentences end.
    """
    text = _closed("".join(piece for piece, _ in pieces))
    said = statements(text, locale)
    numbers: dict[int, set[int]] = defaultdict(set)
    """Offset → the numbers that go there."""
    end = 0
    for piece, sids in pieces:
        start = end + len(piece) - len(piece.lstrip())
        last = end + len(piece.rstrip())
        end += len(piece)
        if not sids:
            continue
        places = [stop for begin, stop in said if begin < last and start < stop]
        if not places:
            before = [stop for begin, stop in said if begin < end]
            places = before[-1:] or [stop for _, stop in said[:1]] or [len(text)]
        for place in places:
            numbers[place].update(sids)
    below = set()
    for block in blocks(text):
        if block.kind is not BlockKind.CODE:
            continue
        below.add(block.end)
        sids = of_code(block.text)
        place = block.end
        for _, stop in said:
            if stop <= block.start and not text[stop : block.start].strip(" \t\n>"):
                place = stop
        if sids:
            numbers[place].update(sids)
    for place in sorted(numbers, reverse=True):
        marks = "".join(f"[^{sid}]" for sid in sorted(numbers[place]))
        if place in below:
            marks = f"\n\n{marks}"
        text = text[:place] + marks + text[place:]
    return text.strip()


def holder(
    code: str, shown: Sequence[Passage], cited: Container[str]
) -> Passage | None:
    """The passage that holds all lines of a code in a row, however they are indented: one that is cited already, else
    a code block, else any other."""
    wanted = _lines(code)
    holding = [item for item in shown if code.strip() and wanted in _held(item)]
    holding.sort(key=lambda item: item.kind is not PassageKind.CODE)
    return min(holding, key=lambda item: item.id not in cited, default=None)


def _held(passage: Passage) -> str:
    """The lines of a passage that are code."""
    if passage.kind is PassageKind.CODE:
        return _lines(passage.text)
    spans = [passage.text[start:end] for start, end in passage.code_spans]
    return "\n".join(map(_lines, spans))


def _lines(code: str) -> str:
    """Lines of code without what indents them, each between two line breaks."""
    lines = [line.strip() for line in code.strip().split("\n")]
    return "\n".join(["", *lines, ""])


_FENCE = re.compile("`{3,}|~{3,}")


def _closed(text: str) -> str:
    """The text with the closing fence that its last code block may lack. In a list or quotation, it ends with that."""
    for block in blocks(text)[-1:]:
        opening, *lines = text[block.start :].rstrip().split("\n")
        fence = _FENCE.match(opening)
        if fence is None or block.container or "".join(lines[-1:]).startswith(fence[0]):
            break
        return f"{text.rstrip()}\n{fence[0]}"
    return text


_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,500})\]\((?:[^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?)\)"
)
_BARE = re.compile(
    r"\b(?:(?:https?|ftp)://|www\.)[^\s<>\"'`\[\])]{1,2000}", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,30}:[^<>\s]{1,2000}|[^<>\s@]{1,200}@[^<>\s@]{1,200})>"
    rf"|{_BARE.pattern}",
    re.IGNORECASE,
)
"""An address, with the angle brackets that make a link of it."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
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
    """The Markdown without links, images, raw HTML, and addresses other than those named; code is left alone."""

    def known(match: re.Match[str]) -> str:
        """An address as it is if it is named, otherwise a note that it was taken out."""
        url = match["url"] or match[0]
        address = url.rstrip(".,;:!?")
        if _bare(address) in named:
            return url
        return REMOVED + url[len(address) :]

    changed = ""
    for piece, is_code in parts(text):
        if not is_code:
            piece = _ADDRESS.sub(known, _LINK.sub(r"\g<text>", piece))
            piece = _TAG.sub("&lt;", piece)
        changed += piece
    return changed


def _bare(url: str) -> str:
    """An address for comparing: scheme and host in small letters, as they count (RFC 3986 §6.2.2.1)."""
    head, mark, rest = url.strip().rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    if mark:
        return f"{head.lower()}{mark}{host.lower()}{slash}{path}"
    return head
