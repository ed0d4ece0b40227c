"""Finds the markers that say where on a page an answer goes, and appends those that have none.

Works on the lines of a page's Markdown, with eyes of its own for code: a page is written in Python-Markdown with
whatever extensions the site has, whose admonitions and tabs the parser of answers would take for code. What a marker
turns into is decided in `render`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from mkdocs_cited.base.text import code_apart, did_you_mean
from mkdocs_cited.declarations.front_matter import SourceText
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, found

MARKER = re.compile(r"<!--[ \t]{0,20}answer:[ \t]{0,20}([^\s<>]{1,200}?)[ \t]{0,20}-->")
"""Where an answer goes, in Markdown and in the HTML that it becomes; the group is the answer's id."""
SLOT = re.compile(rf"<p>\s{{0,20}}{MARKER.pattern}\s{{0,20}}</p>|{MARKER.pattern}")
"""Where it goes in HTML: the comment, with the paragraph that holds nothing else; the id is in one of two groups. Code
cannot match, since there `<` is escaped."""
_ANY = re.compile(r"<!--[ \t]{0,20}(answers?[ \t]{0,20}[:=]?)[ \t]{0,20}([^\s<>]{1,200}?)[ \t]{0,20}-->")
"""A marker, right or misspelt."""
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_LIST_ITEM = re.compile(r"[-*+][ \t]|\d{1,9}[.)][ \t]")
_CONTAINER = re.compile(r"[-*+][ \t]|\d{1,9}[.)][ \t]|!!! |\?\?\?|===|:[ \t]|\[\^[^\]\s]{1,100}\]:")
"""What opens a block whose content is indented: list items, admonitions, details, tabs, definitions, footnotes."""
_PUNCTUATION = re.compile(r"""[!"#$%&()*+\-.:<=>@\[\\\]^_`{|}~]""")
_OPENING = re.compile(r"<!--|<pre[\s>]")
_HEADING_ABOVE = re.compile(r"(?:\A|\n)#{1,6} [^\n]*\n\s*\Z")
_SECTION_ENDS = re.compile(r"\s*(?:#|\Z)")
_LONGEST_FENCE = 12
"""Fences are distinguished up to this length, so that a page can be searched for few kinds of closing lines only."""
_INDENT = 4
_LOOK_BACK = 20_000
"""Characters above an indented line in which the block that holds it is looked for."""


class _Hit(Struct, frozen=True):
    """Something that looks like a marker."""

    id: str
    start: int
    end: int
    written: str
    flaw: str = ""
    """Why it does not count: what it is inside of, or how it is misspelt."""
    hidden: bool = False
    """Whether it is in code or a comment, as documentation of this plugin does on purpose."""


def find_markers(markdown: str) -> tuple[str, ...]:
    """The ids of the markers that count, in order."""
    return tuple(hit.id for hit in _hits(markdown, 0) if not hit.flaw)


def without_answers(markdown: str) -> str:
    """The Markdown as it reads where no answers are shown, as in a feed: without markers, and without the headings of
    sections that hold nothing else."""
    for hit in reversed([hit for hit in _hits(markdown, 0) if not hit.flaw]):
        before, after = markdown[: hit.start], markdown[hit.end :]
        markdown = (_HEADING_ABOVE.sub("\n", before) if _SECTION_ENDS.match(after) else before) + after.lstrip("\n")
    return markdown


def place_markers(
    markdown: str, declarations: Sequence[Declaration], *, heading: int = 2, attr_list: bool = True
) -> str:
    """The Markdown with a heading and a marker at its end for each answer that has no marker in it.

    Args:
        markdown: the page's text as the plugins before us have left it, without front matter.
        heading: level of the headings, 1…6.
        attr_list: whether the extension is on, so that the heading can be given the answer's id; it is not where the
            page has that anchor already, whose links would then lead here.
    """
    placed = set(find_markers(markdown))
    blocks = []
    for item in declarations:
        if item.id not in placed:
            own = attr_list and not _has_anchor(markdown, item.id)
            attributes = f" {{ #{item.id} }}" if own else ""
            blocks.append(f"{'#' * heading} {as_heading(item.question)}{attributes}\n\n<!-- answer: {item.id} -->\n")
    return "\n\n".join([markdown.rstrip("\n"), *blocks]) if blocks else markdown


def as_heading(question: str) -> str:
    """A question as the text of a heading in Markdown: as it is, with what is between backticks as code."""
    pieces = code_apart(" ".join(question.split()))
    return "".join(f"<code>{_escaped(piece)}</code>" if code else _escaped(piece) for piece, code in pieces)


def _escaped(text: str) -> str:
    """Text that Markdown, its extensions, HTML and template engines show as it is: references for the ASCII punctuation
    that any of them gives a meaning."""
    return _PUNCTUATION.sub(lambda match: f"&#{ord(match[0])};", text)


def check_markers(source: SourceText, body: int, page: str, ids: Collection[str]) -> list[Finding]:
    """What is wrong with the markers of a page.

    Args:
        body: offset at which the page's Markdown starts.
        page: path of the page, for the answers' keys.
        ids: every id that the page declares, those of unusable entries included.
    """
    hits = list(_hits(source.text, body))
    good = {hit.id for hit in hits if not hit.flaw}
    seen: dict[str, Place] = {}
    findings = []
    for hit in hits:
        place = source.place(hit.start, hit.end)
        answer = f"{page}#{hit.id}"
        write = f"`<!-- answer: {hit.id} -->` on a line of its own"
        if hit.hidden:
            if hit.id in ids and hit.id not in good:
                message = f"the marker of `{hit.id}` stands in {hit.flaw}, so it places nothing"
                findings.append(_invalid(place, message, f"write {write}, outside of it", answer))
        elif hit.flaw:
            if ids or hit.written == "answer:":
                findings.append(_invalid(place, f"this marker {hit.flaw}", f"write {write}", answer))
        elif hit.id not in ids:
            tip = did_you_mean(hit.id, tuple(ids)) if ids else "declare it: `answers: [{question: …}]`"
            findings.append(_invalid(place, f"no answer of this page has the id `{hit.id}`", tip))
        elif hit.id in seen:
            message = f"the answer `{hit.id}` has a marker already, on line {seen[hit.id].line}"
            findings.append(_invalid(place, message, "delete one of the two", answer))
        else:
            seen[hit.id] = place
    return findings


def _has_anchor(markdown: str, name: str) -> bool:
    """Whether a page has an anchor by this name: written out, or made of a heading as Python-Markdown makes it."""
    if re.search(rf"""(?:#|\b(?:id|name)=["']?){re.escape(name)}(?=[\s"'}}>])""", markdown):
        return True
    from markdown.extensions.toc import slugify  # commands that read no page need not load it

    lines = markdown.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        ruled = below[:1] in ("=", "-") and not below.strip("=- \t")
        if (ruled or line.lstrip(" ").startswith("#")) and slugify(line, "-") == name:
            return True
    return False


def _hits(text: str, body: int) -> Iterator[_Hit]:
    """Everything that looks like a marker, in order, with what keeps it from being one."""
    if not re.search("<!--[ \t]{0,20}answer", text[body:]):
        return
    ranges = hidden_ranges(text, body)
    for match in _ANY.finditer(text, body):
        at = bisect_left(ranges, (match.start(),)) - 1  # the last that begins before it
        around = ranges[at][2] if at >= 0 and ranges[at][1] > match.start() else ""
        flaw, hidden = (around, True) if around else _flaw(text, body, match)
        yield _Hit(match[2], *match.span(), match[1], flaw, hidden)


def _flaw(text: str, body: int, match: re.Match[str]) -> tuple[str, bool]:
    """What is wrong with a marker outside of fences and comments, and whether it is in code."""
    line_start = text.rfind("\n", body, match.start()) + 1 or body
    before, after = text[line_start : match.start()], text[match.end() : _line_end(text, match.end())]
    if before.count("`") % 2 and "`" in after:
        return "inline code", True
    if not MARKER.fullmatch(match[0]):
        return "is misspelt", False
    indent = before[: len(before) - len(before.lstrip(" \t>"))]
    rest = before[len(indent) :]
    if after.strip() or (rest and not _LIST_ITEM.fullmatch(f"{rest.rstrip()} ")):
        return "shares its line with other text", False
    if not rest and is_indented_code(text, body, line_start):
        return "an indented code block", True
    return "", False


def is_indented_code(text: str, body: int, start: int) -> bool:
    """Whether the line that starts at an offset is code: indented by four columns more than what holds it."""
    line = text[start : _line_end(text, start)]
    width = _width(line)
    if width < _INDENT or line.lstrip(" \t").startswith(">"):
        return False
    blank = False
    for line in reversed(text[max(body, start - _LOOK_BACK) : start].split("\n")[:-1]):
        content = line.lstrip(" \t")
        if not content:
            blank = True
            continue
        outer = _width(line)
        if outer >= width:
            continue
        if _CONTAINER.match(content):
            return width >= outer + 2 * _INDENT
        if outer >= _INDENT:  # a line of the same container, less deep
            continue
        return blank
    return True


def _width(line: str) -> int:
    """Columns of a line's indentation; tab stops every four."""
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(_INDENT))


def hidden_ranges(text: str, body: int) -> list[tuple[int, int, str]]:
    """Ranges of fenced code blocks, `<pre>` blocks and comments, in order: (start, end, what)."""
    ranges: list[tuple[int, int, str]] = []
    unclosed: set[str] = set()
    at = body
    while at < len(text):
        end_of_line = _line_end(text, at)
        for offset, closing, what in _openings(text[at:end_of_line]):
            if closing in unclosed:
                continue
            match = re.compile(closing).search(text, at + offset)
            if match:
                ranges.append((at + offset, match.end(), what))
                end_of_line = _line_end(text, match.end())
                break
            unclosed.add(closing)  # what is never closed is text, and so is every later one
        at = end_of_line + 1
    return ranges


def _openings(line: str) -> Iterator[tuple[int, str, str]]:
    """What a line opens that may hide a marker: offset in the line, pattern of what closes it, its name."""
    fence = _FENCE.match(line)
    if fence and not (fence[1][0] == "`" and "`" in line[fence.end() :]):
        count = min(len(fence[1]), _LONGEST_FENCE)
        yield 0, rf"\n[ \t>]*{fence[1][0]}{{{count},}}[ \t]*(?=\n|\Z)", "a fenced code block"
    opening = _OPENING.search(line)
    if opening and not _ANY.match(line, opening.start()):
        comment = opening[0] == "<!--"
        yield ((opening.start(), "-->", "a comment") if comment else (opening.start(), "</pre>", "a `<pre>` block"))


def _line_end(text: str, at: int) -> int:
    """Offset of the line break at or behind `at`, or of the text's end."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _invalid(place: Place, message: str, tip: str, answer: str = "") -> Finding:
    return found("invalid-declaration", place, message, tip=tip, answer=answer)
