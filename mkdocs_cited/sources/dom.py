"""HTML made ready for reading: parsed as a browser does, with everything gone that no reader sees or may cite.

What a text *is* (paragraph, row, code block) is decided in `extract`. The other reader of HTML, `render.pagereader`,
has a reason of its own: links need the offset of each element in the HTML as it stands, which no parser tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.base.text import collapse
from mkdocs_cited.base.values import replace
from mkdocs_cited.sources.unclosed_tags import HEADINGS, NAMES, may_have_unclosed, without_unclosed

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
BLOCKS = HEADINGS | frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "li", "main", "menu",
        "ol", "p", "pre", "search", "section", "summary", "table", "caption", "colgroup", "tbody", "td", "tfoot", "th",
        "thead", "tr", "ul",
    )
)  # fmt: skip
"""Elements that a browser starts on a new line; everything else flows with the text around it."""

_BLOCK = ", ".join(sorted(BLOCKS))
_UNSEEN = (
    # Never shown.
    "script", "style", "template", "noscript", "title", "svg", "iframe", "object", "audio", "video", "canvas",
    "annotation", "[hidden]", ".sr-only", ".visually-hidden",
    # Controls and gutters.
    "button", "select", "input", "textarea", ".md-clipboard", ".linenos", ".linenodiv", ".lineno",
    # Signposts: they repeat what stands elsewhere.
    "nav", "div.toc", ".headerlink", ".footnote-backref", ".footnote-ref", "article.md-post--excerpt",
    # Not meant to be found, or not the authors' words.
    "[data-search-exclude]", "[data-cited-answer]",
)  # fmt: skip
_UNSEEN_ANYWHERE = ", ".join(_UNSEEN)
_UNSEEN_IN_PLAIN = ", ".join(selector for selector in _UNSEEN if selector not in NAMES)
"""On a page that has none of the elements that may swallow: it is searched in half the time."""
_NOT_SHOWN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0*)?%?\s*(?:;|$|!)"
    r"|font-size\s*:\s*0*(?:\.0*)?(?:[a-z]{2,4}|%)?\s*(?:;|$|!))",
    re.IGNORECASE,
)
_TO_MARK = (
    "br, code:not(pre code), a[href]:not(pre a), img[src]:not(pre img), del, s, strike, "
    "strong:not(pre strong), b:not(pre b), em:not(pre em), sup, sub"
)
"""However deep within a code block: highlighters put elements between."""
_CONTENT = "article.md-content__inner, [role=main], main"
"""Where themes keep the content of a whole document."""

_CODE_START, _CODE_END = "\ufdd0", "\ufdd1"
"""Noncharacters that mark inline code while its text is collected; Unicode keeps them for such internal use."""
_LINK_START, _LINK_END, _IMAGE, _NUMBERED = "\ufdd2", "\ufdd3", "\ufdd4", "\ufdd5"
"""The same for links and images, whose number stands between the first sign and the last: `\ufdd2 12 \ufdd5`."""
_STRUCK_START, _STRUCK_END = "\ufdd6", "\ufdd7"
"""The same for text that is struck out."""
_STRESS_START, _STRESS_END = "\ufdd8", "\ufdd9"
"""The same for emphasis."""
HIGHLIGHTED = "\ufdda"
"""The same for a highlighted line of code."""
_MARKS = re.compile(f"[{_LINK_START}{_IMAGE}][0-9]*{_NUMBERED}|[{_CODE_START}-{_STRESS_END}]")
_MARKED = re.compile(
    f"([{_LINK_START}{_IMAGE}][0-9]+{_NUMBERED}|[{_CODE_START}{_CODE_END}{_LINK_END}{_STRUCK_START}-{_STRESS_END}])"
)
_SIGNS = tuple(map(chr, range(ord(_CODE_START), ord(HIGHLIGHTED) + 1)))
_COLOURED = re.compile(r'<span class="[abd-gi-z][a-z0-9]{0,2}">((?!\n)[^<]*+)</span>')
"""A word that a highlighter colours, by the short names that Pygments gives its tokens: half of a site's elements. What
`codeblocks` asks for, comments (`c1`) and marked lines (`hll`), is none of them."""
_UNLIKE_CODE = re.compile(r"&(?!#?\w+;)|<table", re.IGNORECASE)
"""Where text may mean another thing without the tags around it: a character reference that it would complete, a cell
that is not there."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)[^<>]*+>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)([^<>]{4096,}+)>")
_LONG_TAG_PART = 2048
_VALUE = re.compile(r""""[^"]*+"|'[^']*+'""")
_MOST_ATTRIBUTES = 1000
"""Of one tag; HTML5 parsing looks at each pair of them. Beyond, a tag keeps none."""
_DEEPEST = 1000
"""Levels of nesting that are kept. HTML5 parsing takes quadratic time in the depth: 200,000 levels take minutes."""
_BLOCK_LENGTH = 4096
"""Characters of HTML that are looked at together before anything is parsed."""


class Shown(NamedTuple):
    """Text as a reader sees it, with the ranges that are shown as inline code or links, and the images between."""

    text: str
    code_spans: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, int, int], ...] = ()
    """Start, end, and number of what it leads to in `Tree.targets`."""
    images: tuple[tuple[int, int], ...] = ()
    """Offset, and number in `Tree.targets`."""
    struck: tuple[tuple[int, int], ...] = ()
    stressed: tuple[tuple[int, int], ...] = ()


class Tree(Struct, frozen=True):
    """A page's content, with what had to be looked up before the unseen parts were dropped."""

    root: LexborNode
    footnotes: dict[str, int] = field(default_factory=dict)
    """Id of a footnote → identity of the heading over its first mark; 0 above the first heading."""
    abbreviations: dict[tuple[str, str], int] = field(default_factory=dict)
    """(short form, long form) → identity of the heading over its first use."""
    targets: tuple[tuple[str, str], ...] = ()
    """Address and, of an image, name of each link and image in running text, by number."""


def parse(html: str) -> Tree | None:
    """The content of a page as a tree without its unseen parts; None when nothing is left."""
    if any(sign in html for sign in _SIGNS):
        html = re.sub(f"[{_CODE_START}-{HIGHLIGHTED}]", "", html)
    plain = not may_have_unclosed(html)
    html = _without_colours(html) if plain else without_unclosed(html)
    parsed = LexborHTMLParser(bounded(html))
    root = parsed.css_first(_CONTENT) or parsed.body
    if root is None:
        return None
    tree = _with_references(root) if "footnote-ref" in html or "<abbr" in html else Tree(root)
    _drop_unseen(root, _UNSEEN_IN_PLAIN if plain else _UNSEEN_ANYWHERE)
    return replace(tree, targets=tuple(_marked(root)))


def shown(raw: str) -> Shown:
    """Raw text of the tree with white space collapsed, and its inline code found again."""
    text = collapse(raw)
    if text.isascii():
        return Shown(text)
    if any(sign in text for sign in (_LINK_START, _IMAGE, _STRUCK_START, _STRESS_START)):
        return _shown_with_marks(text)
    if _CODE_START not in text:
        return Shown(collapse(_MARKS.sub("", text)) if _MARKS.search(text) else text)
    if f"{_CODE_START} " in text or f" {_CODE_END}" in text:
        return _shown_with_marks(text)
    before, *rest = text.replace(_LINK_END, "").split(_CODE_START)
    done, spans = before.replace(_CODE_END, ""), []
    for part in rest:
        code, _, after = part.partition(_CODE_END)
        spans.append((len(done), len(done) + len(code.rstrip())))
        done += code + after.replace(_CODE_END, "")
    if "  " in done or done != done.strip():
        return _shown_with_marks(text)
    return Shown(done, tuple([span for span in spans if span[0] < span[1]]))


def _changes_a_figure(node: LexborNode) -> bool:
    """Whether raised or lowered digits stand right behind a digit: `10<sup>6</sup>` is not 106."""
    before = node.prev.text() if node.prev is not None and node.prev.text() else ""
    return before[-1:].isdigit() and node.text().strip(" -+−").isdigit()


def joined(parts: Iterable[Shown]) -> Shown:
    """Texts behind each other, with a space between them."""
    texts: list[str] = []
    code_spans: list[tuple[int, int]] = []
    links: list[tuple[int, int, int]] = []
    images: list[tuple[int, int]] = []
    struck: list[tuple[int, int]] = []
    stressed: list[tuple[int, int]] = []
    by = 0
    for part in parts:
        texts.append(part.text)
        code_spans += [(start + by, end + by) for start, end in part.code_spans]
        links += [(start + by, end + by, number) for start, end, number in part.links]
        images += [(at + by, number) for at, number in part.images]
        struck += [(start + by, end + by) for start, end in part.struck]
        stressed += [(start + by, end + by) for start, end in part.stressed]
        by += len(part.text) + 1
    return Shown(" ".join(texts), tuple(code_spans), tuple(links), tuple(images), tuple(struck), tuple(stressed))


def raw_text(node: LexborNode) -> str:
    """The text of a node and all below it, with a line break around each block in it."""
    if holds_block(node):
        for inner in node.css(_BLOCK):
            inner.insert_before("\n")
            inner.insert_after("\n")
    return node.text()


def holds_block(node: LexborNode) -> bool:
    """Whether any element below a node starts on a new line."""
    if holds_text_only(node):
        return False
    return any(inner.tag in BLOCKS and inner.mem_id != node.mem_id for inner in node.traverse(include_text=False))


def holds_text_only(node: LexborNode) -> bool:
    """Whether nothing stands in a node but a piece of text, as in most: to select in it costs much more."""
    child = node.first_child
    return child is None or (child.next is None and child.tag == "-text")


def classes(node: LexborNode) -> tuple[str, ...]:
    """The classes of an element, in order."""
    return tuple((node.attributes.get("class") or "").split())


def _shown_with_marks(text: str) -> Shown:
    """The same, of collapsed text, with links and images, and where code is empty, or begins or ends with white space,
    which belongs to the text around it."""
    out: list[str] = []
    spans: list[tuple[int, int]] = []
    links: list[tuple[int, int, int]] = []
    images: list[tuple[int, int]] = []
    struck: list[tuple[int, int]] = []
    stressed: list[tuple[int, int]] = []
    length, opened, linked, number, striking, stressing = 0, -1, -1, 0, -1, -1
    spaced = True  # nothing begins with a space, and none follows another
    for piece in _MARKED.split(text):
        sign = piece[:1]
        if sign == _LINK_START:
            linked, number = length, int(piece[1:-1])
        elif sign == _LINK_END:
            links += [(linked, length, number)] if linked >= 0 else []
            linked = -1
        elif sign == _IMAGE:
            images.append((length, int(piece[1:-1])))
        elif sign == _STRUCK_START:
            striking = length if striking < 0 else striking
        elif sign == _STRUCK_END:
            struck += [(striking, length)] if striking >= 0 else []
            striking = -1
        elif sign == _STRESS_START:
            stressing = length if stressing < 0 else stressing
        elif sign == _STRESS_END:
            stressed += [(stressing, length)] if stressing >= 0 else []
            stressing = -1
        elif sign == _CODE_START:
            opened = length
        elif sign == _CODE_END:
            spans += [(opened, length)] if opened >= 0 else []  # code in code ends twice
            opened = -1
        elif words := piece[1:] if spaced and sign == " " else piece:
            if opened >= 0 and out and (spaced or sign == " ") and words != " ":
                opened = length + (words[0] == " ")
            out.append(words)
            length += len(words)
            spaced = words[-1] == " "
    shown_text = "".join(out).rstrip()
    trimmed = [(*_trim(shown_text, start, end), to) for start, end, to in links]

    def within(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        return tuple([span for span in [_trim(shown_text, *span) for span in ranges] if span[0] < span[1]])

    return Shown(
        shown_text,
        within(spans),
        tuple([link for link in trimmed if link[0] < link[1]]),
        tuple([(min(at, len(shown_text)), to) for at, to in images]),
        within(struck),
        within(stressed),
    )


def _marked(root: LexborNode) -> Iterator[tuple[str, str]]:
    """The addresses of links and images in running text, in order, while signs are put around them and around inline
    code, and line breaks behind `br`."""
    number = 0
    for node in root.css(_TO_MARK):  # all in one: what costs is to go through the tree
        tag = node.tag
        if tag == "br":
            node.insert_after("\n")
        elif tag == "code":
            node.insert_before(_CODE_START)
            node.insert_after(_CODE_END)
        elif tag in ("del", "s", "strike") or (tag in ("sup", "sub") and _changes_a_figure(node)):
            node.insert_before(_STRUCK_START)
            node.insert_after(_STRUCK_END)
        elif tag in ("strong", "b", "em"):
            node.insert_before(_STRESS_START)
            node.insert_after(_STRESS_END)
        elif tag in ("sup", "sub"):
            continue
        elif tag == "img":
            attributes = node.attributes
            node.insert_before(f"{_IMAGE}{number}{_NUMBERED}")
            yield attributes.get("src") or "", collapse(attributes.get("alt") or "")
            number += 1
        else:
            node.insert_before(f"{_LINK_START}{number}{_NUMBERED}")
            node.insert_after(_LINK_END)
            yield node.attributes.get("href") or "", ""
            number += 1


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    end = min(end, len(text))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _with_references(root: LexborNode) -> Tree:
    tree, heading = Tree(root), 0
    for node in root.css("h1, h2, h3, h4, h5, h6, a.footnote-ref, abbr[title]"):
        if node.tag == "a":
            tree.footnotes.setdefault((node.attributes.get("href") or "").lstrip("#"), heading)
        elif node.tag == "abbr":
            key = (collapse(node.text()), collapse(node.attributes.get("title") or ""))
            tree.abbreviations.setdefault(key, heading)
        else:
            heading = node.mem_id
    return tree


def _drop_unseen(root: LexborNode, unseen: str) -> None:
    """Remove what no reader sees. Descendants go before their ancestors, whose removal would free them."""
    nodes = {node.mem_id: node for node in root.css(unseen)}
    styled = {node.mem_id: node for node in root.css("[style]") if _NOT_SHOWN.search(node.attributes["style"] or "")}
    if styled.keys() - nodes.keys():  # in document order again
        nodes = {node.mem_id: node for node in root.traverse() if node.mem_id in nodes or node.mem_id in styled}
    for node in reversed(nodes.values()):
        # A heading that is kept from the search takes its section along: `extract` sees to that.
        if node.tag not in HEADINGS or "data-cited-answer" in node.attributes:
            node.decompose()


def _without_colours(html: str) -> str:
    """The same HTML with the coloured words of code as plain text, which a parser reads in half the time."""
    blocks = html.split("</pre")
    for number, block in enumerate(blocks):
        before, start, code = block.partition("<pre")
        if not _UNLIKE_CODE.search(code):
            blocks[number] = f"{before}{start}{''.join(_COLOURED.split(code))}"
    return "</pre".join(blocks)


def _with_few_attributes(tag: re.Match[str]) -> str:
    """A long tag as it is, or alone when it has more attributes than anything that a person or a tool writes."""
    separators = re.findall(r"""["'\s/]""", _VALUE.sub('"', tag[2]))
    return f"<{tag[1]}>" if len(separators) > _MOST_ATTRIBUTES else tag[0]


def _may_be_deep(html: str) -> bool:
    """Whether elements could be nested beyond the deepest level: counted too high by what opens within a block of
    text, by each void element and each `<` that is no tag."""
    depth = 0
    for at in range(0, len(html), _BLOCK_LENGTH):
        ends = html.count("</", at, at + _BLOCK_LENGTH)
        depth += html.count("<", at, at + _BLOCK_LENGTH) - ends
        if depth > _DEEPEST:
            return True
        depth -= ends
    return False


def _may_have_long_tags(html: str) -> bool:
    """Whether somewhere half as many characters as make a tag long hold no sign of a tag: in every long one they do."""
    return any(
        html.find("<", at, at + _LONG_TAG_PART) < 0 and html.find(">", at, at + _LONG_TAG_PART) < 0
        for at in range(0, len(html) - _LONG_TAG_PART + 1, _LONG_TAG_PART)
    )


def bounded(html: str) -> str:
    """The same HTML as parsers read it in time of its length: tags with attributes without number keep none, and those
    beyond the deepest level are left out; all text is kept."""
    if _may_have_long_tags(html):
        html = _LONG_TAG.sub(_with_few_attributes, html)
    return _flattened(html) if html.count("<") > _DEEPEST and _may_be_deep(html) else html


def _flattened(html: str) -> str:
    level, dropped = 0, 0

    def keep(tag: re.Match[str]) -> str:
        nonlocal level, dropped
        if tag[2].lower() in VOID:
            return tag[0]
        if tag[1]:
            if dropped:
                dropped -= 1
                return ""
            level = max(0, level - 1)
        elif level >= _DEEPEST:
            dropped += 1
            return ""
        else:
            level += 1
        return tag[0]

    return _TAG.sub(keep, html)
