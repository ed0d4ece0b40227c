"""An answer's words as the pages that they are quoted from show them: with keys, emphasis, pictures, colours, boxes.

Only words that stand in a cited passage, sentence by sentence, get what that passage's page gives them. What an answer
says in words of its own stays as it was written. Nothing is trusted for that: all of it passes the sanitiser.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Sequence
from itertools import product

from markdown_it.token import Token
from msgspec import Struct

from mkdocs_cited.render.originals import Box, Original, Piece, name_of, squashed

RAW = "cited_raw"
"""Type of the tokens that are put in; their content is HTML."""
_TEXT = ("text", "text_special", "code_inline")


def embellished(tokens: Sequence[Token], originals: Sequence[Original], unseen: str = "") -> list[Token]:
    """The tokens of an answer, with what the originals of its passages add to their words.

    Args:
        tokens: of `answer_text.dialect`; they are changed.
        originals: of the passages that the answer cites.
        unseen: characters that stand in the text and are no part of it.
    """
    own = [child for token in tokens for child in token.children or () if child.type == "image"]
    images = {name_of(str(image.attrGet("src"))) for image in own} - {""}
    for image, size in product(own, (size for original in originals for size in original.sizes)):
        if size.file == name_of(str(image.attrGet("src"))):
            image.attrSet(size.key, size.value)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _inline(token.children, originals, unseen, images)
        elif token.type == "fence":
            token.meta = {**token.meta, RAW: _coloured(token.content, originals)}
    return list(_boxed(tokens, originals, unseen))


class _Run(Struct, frozen=True):
    """Where the text of an answer's paragraph stands in an element: offsets of its text without white space."""

    start: int
    end: int
    piece: Piece


def _inline(children: list[Token], originals: Sequence[Original], unseen: str, images: Collection[str]) -> list[Token]:
    """The tokens of a paragraph with elements around what stands in them on its page; images of these names, which the
    answer has itself, are left out."""
    texts = [_shown(child, unseen) for child in children]
    whole = "".join(texts)
    runs: list[_Run] = []
    for original in originals:
        for run in _runs(original, whole):
            if run.piece.image not in images and all(
                run.end <= other.start or other.end <= run.start or _nests(run, other) for other in runs
            ):
                runs.append(run)
    if not runs:
        return children
    return _with_elements(children, texts, [run for run in runs if _may_stand(run, children, texts)], unseen)


def _runs(original: Original, whole: str) -> Iterator[_Run]:
    """The elements of a passage's sentences that the text repeats; what holds another comes before it."""
    for start, end in original.sentences:
        inside = [piece for piece in original.pieces if start <= piece.start and piece.end <= end]
        at = whole.find(original.text[start:end]) - start if inside else -1 - start
        if at + start >= 0:
            yield from (_Run(piece.start + at, piece.end + at, piece) for piece in inside)


def _nests(run: _Run, other: _Run) -> bool:
    """Whether a run stands within an earlier one, of another element."""
    return other.start <= run.start and run.end <= other.end and run.piece.opening != other.piece.opening


def _may_stand(run: _Run, children: Sequence[Token], texts: Sequence[str]) -> bool:
    """Whether an element can be put around a run: no other of the answer's own begins or ends in it, and no code is cut
    in two."""
    at = 0
    for child, text in zip(children, texts, strict=True):
        if child.nesting and run.start < at < run.end:
            return False
        first, last = at, at + len(text)
        if child.type == "code_inline" and (first < run.start < last or first < run.end < last):
            return False
        at = last
    return True


def _with_elements(children: Sequence[Token], texts: Sequence[str], runs: Sequence[_Run], unseen: str) -> list[Token]:
    """The tokens with start and end tags between them, and texts cut where these stand."""
    ends = sorted((run for run in runs if run.start < run.end), key=lambda run: (run.end, -run.start))
    starts = sorted((run for run in runs if run.start < run.end), key=lambda run: (run.start, -run.end))
    images = sorted((run for run in runs if run.start == run.end), key=lambda run: run.start)
    out: list[Token] = []
    at = 0

    def close(offset: int) -> None:
        while ends and ends[0].end <= offset:
            out.append(_raw(ends.pop(0).piece.closing))

    def open_(offset: int) -> None:
        while starts and starts[0].start <= offset:
            out.append(_raw(starts.pop(0).piece.opening))

    for child, text in zip(children, texts, strict=True):
        if text:
            edges = {run.start for run in runs} | {run.end for run in runs}
            cuts = sorted(edge - at for edge in edges if at < edge < at + len(text))
            for part in _parts(child, cuts, unseen):
                close(at)
                length = len(_shown(part, unseen))
                if not length:  # white space stands outside of elements
                    out.append(part)
                    continue
                while images and images[0].start <= at:
                    out.append(_raw(images.pop(0).piece.opening))
                open_(at)
                out.append(part)
                at += length
            close(at)
        else:
            out.append(child)
    close(at)
    return [*out, *(_raw(image.piece.opening) for image in images)]


def _parts(child: Token, cuts: Sequence[int], unseen: str) -> Iterator[Token]:
    """A text cut at offsets that do not count white space, and its white space at either end of each part apart."""
    if child.type != "text":
        yield child
        return
    content, done, counted = child.content, 0, 0
    for cut in (*cuts, len(content)):
        at = done
        while at < len(content) and counted < cut:
            counted += not content[at].isspace() and content[at] not in unseen
            at += 1
        part = content[done:at]
        core = part.strip()
        lead = len(part) - len(part.lstrip())
        for piece in (part[:lead], core, part[lead + len(core) :]):
            if piece:
                yield Token("text", "", 0, content=piece)
        done = at


def _shown(token: Token, unseen: str) -> str:
    """What of a token counts when texts are compared."""
    if token.type not in _TEXT:
        return ""
    return "".join(char for char in squashed(token.content) if char not in unseen)


def _raw(html_: str) -> Token:
    return Token(RAW, "", 0, content=html_)


def _coloured(code: str, originals: Sequence[Original]) -> str:
    """A code block with its page's colours, where it repeats one whole."""
    return next((item.code for item in originals if item.code and item.source == code.rstrip("\n")), "")


def _boxed(tokens: Sequence[Token], originals: Sequence[Original], unseen: str) -> Iterator[Token]:
    """The blocks of an answer, those that stand in an admonition of their page in one again."""
    inside: Box | None = None
    for block in _blocks(tokens):
        box = _box(block, originals, unseen)
        if inside is not None and (box is None or box.key != inside.key):
            yield _raw("</div>\n")
            inside = None
        if box is not None and inside is None:
            title = f'<p class="admonition-title">{html.escape(box.title)}</p>\n' if box.title else ""
            yield _raw(f'<div class="{html.escape(box.classes)}">\n{title}')
            inside = box
        yield from block
    if inside is not None:
        yield _raw("</div>\n")


def _blocks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The blocks at the top level, each with all its tokens."""
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def _box(block: Sequence[Token], originals: Sequence[Original], unseen: str) -> Box | None:
    """The admonition that all words of a block stand in."""
    code = [squashed(token.content) for token in block if token.type in ("fence", "code_block")]
    prose = ["".join(_shown(child, unseen) for child in token.children or ()) for token in block]
    texts = [text for text in (*code, *prose) if text]
    said: dict[str, str] = {}
    for original in originals:
        if original.box is not None:
            said[original.box.key] = said.get(original.box.key, "") + original.text
            if texts and all(text in said[original.box.key] for text in texts):
                return original.box
    return None
