"""HTML made ready for extraction: parsed as a browser does, with everything gone that no reader sees or may cite.

What a text *is* (paragraph, row, code block) is decided in `from_html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from mkdocs_cited.base.html import parsed, placed
from mkdocs_cited.model.address import ATTRIBUTE

MARK = ATTRIBUTE
"""The attribute of the element that stands for a mark, with its number on the page."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
BLOCKS = HEADINGS | frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "li", "main", "menu",
        "ol", "p", "pre", "search", "section", "summary", "table", "caption", "colgroup", "tbody", "td", "tfoot", "th",
        "thead", "tr", "ul",
    )
)  # fmt: skip
"""Elements that a browser starts on a new line; everything else flows with the text around it."""
_UNSEEN = ", ".join((
    # Never shown.
    "script", "style", "template", "noscript", "title", "svg", "iframe", "object", "audio", "video", "canvas",
    "annotation", "[hidden]", "[popover]", "dialog:not([open])", "datalist", "noembed", "noframes", "rp", ".sr-only",
    ".visually-hidden",
    # Controls and gutters. A button that nobody closed holds the rest of the page.
    "button:not(:has(p, h1, h2, h3, h4, h5, h6))", "select", "input", "textarea", ".md-clipboard", ".linenos",
    ".linenodiv", ".lineno",
    # Signposts: they repeat what is elsewhere.
    "nav", "div.toc", ".headerlink", ".footnote-backref", "article.md-post--excerpt",
    # Remarks of those who write, shown by pymdownx.critic; prompts and copies of cells, by mkdocs-jupyter.
    ".critic.comment", ".jp-Prompt", ".jp-InputPrompt", ".jp-OutputPrompt", ".clipboard-copy-txt",
    # Not meant to be found, or not the authors' words.
    "[data-search-exclude]", "[data-cited-answer]",
))  # fmt: skip
_HIDING = {"display": "none", "visibility": "hidden", "content-visibility": "hidden"}
"""Declarations of an inline style that take a text out of sight, as do no size and no opacity. Colour hides nothing,
and what a style sheet does is not known."""
_ZERO = re.compile(r"0*(?:\.0*)?(?:[a-z]{2,4}|%)?")
_COMMENT = re.compile(r"/\*.*?\*/")
_ICONS = ", ".join(
    f"{tag} svg, {tag} img[alt], {tag} input[type=checkbox]"
    for tag in ("p", "li", "td", "th", "dd")
)
_NO = frozenset("x close cross xmark times cancel no false ❌ ✖ ✗ ✘ ❎".split())
_YES = frozenset("check checkmark checked tick yes true ✅ ✔ ✓ ☑".split())
_DRAWN = {
    "M19 6.41 17.59 5 1": "❌", "M20 6.91 17.09 4 1": "❌", "M12 2c5.53 0 10 4.": "❌", "M3.72 3.72a.75.75 ": "❌",
    "M5.72 5.72a.75.75 ": "❌", "M55.1 73.4c-12.5-1": "❌", "M21 7 9 19l-5.5-5.": "✅", "m9 20.42-6.21-6.21": "✅",
    "M13.78 4.22a.75.75": "✅", "M21.03 5.72a.75.75": "✅", "M434.8 70.1c14.3 1": "✅",
}  # fmt: skip
"""How the paths of icons begin that Material for MkDocs writes without a name: crosses and ticks of its sets."""
_CONTENT = "article.md-content__inner, [role=main], main"
"""Where themes keep the content of a whole document."""
_KINDS = {
    "code": "code", "del": "struck", "s": "struck", "strike": "struck", "strong": "stressed", "b": "stressed",
    "em": "stressed",
}  # fmt: skip
_DRAWN_TAGS = frozenset(("kbd", "label", "math", "button", "ruby"))
_DRAWN_CLASSES = frozenset(
    ("arithmatex", "keys", "twemoji", "md-annotation", "task-list-control")
)
"""Elements that themes draw otherwise than their text is written."""
_SPACE = re.compile(r"\s+")
_LANGUAGE = re.compile(r"(?:language|lang)-([\w+#.-]+)")
_ANNOTATION = re.compile(r"\(\d{1,3}\)(!?)\s*$")
_COMMENTS = "span.c, span.c1, span.cm, span.ch, span.cp"
_BOXES = frozenset(("highlight", "codehilite", "highlighttable", "codehilitetable"))


class Mark(NamedTuple):
    """What a part of a text is, besides words."""

    kind: str
    """`code`, `struck`, `power`, `stressed`, `link`, `image`, `footnote`, `abbreviation` or `cited` (an author's mark);
    `seam` for what a browser shows otherwise than as words that follow each other: a line break, an element drawn by
    the theme, the end of a cell."""
    start: int
    end: int
    to: str = ""
    """The address of a link, image or footnote; the number of a mark."""
    name: str = ""
    """The title of a link or abbreviation, the alternative text of an image."""


class Shown(NamedTuple):
    """Text as a reader sees it, white space collapsed, with its marks in order of their ends."""

    text: str
    marks: tuple[Mark, ...] = ()

    def ranges(self, kind: str) -> tuple[tuple[int, int], ...]:
        """The parts of one kind that hold text."""
        return tuple(
            (mark.start, mark.end)
            for mark in self.marks
            if mark.kind == kind and mark.start < mark.end
        )


def parse(html: str, *, whole: bool = False) -> LexborNode | None:
    """The content of a page as a tree without its unseen parts; None when nothing is left."""
    tree = parsed(placed(html))
    root = (None if whole else tree.css_first(_CONTENT)) or tree.body
    if root is None:
        return None
    for node in reversed(root.css(_ICONS)):
        sign = _sign(node)
        if sign:
            node.replace_with(sign)
    # descendants before their ancestors, whose removal would free them
    for node in reversed(root.css(_UNSEEN)):
        # A heading that is left out of the search takes its section along: `from_html` sees to that.
        if node.tag not in HEADINGS or "data-cited-answer" in node.attributes:
            node.decompose()
    for node in reversed(root.css("[style]")):
        if _hides(node.attributes["style"] or ""):
            node.decompose()
    return root


def _hides(style: str) -> bool:
    """True if an inline style hides its element, or strikes its text out."""
    for declaration in _COMMENT.sub("", style).lower().split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        value = value.removesuffix("!important").strip()
        if _HIDING.get(name) == value or (
            name.startswith("text-decoration") and "line-through" in value
        ):
            return True
        if name in ("opacity", "font-size") and value and _ZERO.fullmatch(value):
            return True
    return False


def _sign(icon: LexborNode) -> str:
    """What an icon says in place of a word, `❌`, `✅`, `☐` or `☑`; empty for all that says neither yes nor no."""
    attributes, path, title = (
        icon.attributes,
        icon.css_first("path"),
        icon.css_first("title"),
    )
    if icon.tag == "input":
        if "checked" in attributes:
            return "☑"
        return "☐"
    # a picture of something
    if icon.tag == "img" and len((attributes["alt"] or "").split()) != 1:
        return ""
    parent = (
        icon.parent.attributes
        if icon.parent is not None and icon.parent.tag == "span"
        else {}
    )
    names = (attributes.get(name) or "" for name in ("alt", "aria-label", "class"))
    named = f"{' '.join(names)} {parent.get('title') or ''} {title.text() if title is not None else ''}"
    words = set(re.findall(r"[a-z]+|[❌✖✗✘❎✅✔✓☑]", named.lower()))
    drawn = ""
    if path is not None:
        drawn = _DRAWN.get((path.attributes.get("d") or "")[:18], "")
    return drawn or ("❌" if words & _NO else "✅" if words & _YES else "")


def shown(*nodes: LexborNode) -> Shown:
    """What a reader sees of nodes that are behind each other; blocks within are set apart by a space."""
    text = _Text()
    # a mark is behind what it holds
    todo: list[LexborNode | Mark] = list(reversed(nodes))
    while todo:
        node = todo.pop()
        if isinstance(node, Mark):
            text.close(node)
            continue
        tag = node.tag or ""
        if tag == "-text":
            text.put(node.text_content or "")
            continue
        if tag[:1] in "-!":
            continue
        mark = _opened(node, tag, text)
        todo.append(mark)
        if mark.kind != "footnote":  # its number is no text
            todo += reversed(list(node.iter(include_text=True)))
    return text.shown()


def joined(parts: Iterable[Shown]) -> Shown:
    """Texts behind each other, with a space between them; empty ones are left out."""
    marks: list[Mark] = []
    texts: list[str] = []
    by = 0
    for part in filter(lambda part: part.text, parts):
        if by:
            marks.append(Mark("seam", by, by))
        marks += [
            mark._replace(start=mark.start + by, end=mark.end + by)
            for mark in part.marks
        ]
        texts.append(part.text)
        by += len(part.text) + 1
    return Shown(" ".join(texts), tuple(marks))


def holds_block(node: LexborNode) -> bool:
    """True if any element below a node starts on a new line."""
    child = node.first_child
    # most hold a piece of text alone
    if child is None or (child.next is None and child.tag == "-text"):
        return False
    return any(
        inner.tag in BLOCKS and inner.mem_id != node.mem_id
        for inner in node.traverse(include_text=False)
    )


def classes(node: LexborNode) -> tuple[str, ...]:
    """The classes of an element, in order."""
    return tuple((node.attributes.get("class") or "").split())


class _Text:
    """Text that is gathered piece by piece, with its marks."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.spaced = True  # nothing begins with a space, and none follows another
        self.marks: list[Mark] = []

    def put(self, text: str) -> None:
        if not text:
            return
        words = " ".join(text.split())
        if text[0].isspace() and not self.spaced:
            words = f" {words}"
        if words not in ("", " ") and text[-1].isspace():
            words += " "
        if words:
            self.pieces.append(words)
            self.length += len(words)
            self.spaced = words[-1] == " "

    def close(self, mark: Mark) -> None:
        if mark.kind == "space":
            self.put(" ")
            mark = mark._replace(kind="seam")
        if mark.kind:
            self.marks.append(mark._replace(end=self.length))

    def shown(self) -> Shown:
        text = "".join(self.pieces).rstrip()
        return Shown(text, tuple(_trimmed(mark, text) for mark in self.marks))


def _opened(node: LexborNode, tag: str, text: _Text) -> Mark:
    """The mark of an element that begins; of no kind where it has none."""
    at, kind = text.length, _KINDS.get(tag, "")
    if kind:
        return Mark(kind, at, at)
    if tag in BLOCKS or tag == "br":
        text.put(" ")
        return Mark("space", at, at)
    attributes = node.attributes if tag in ("a", "img", "abbr") else {}
    title = _SPACE.sub(" ", attributes.get("title") or "").strip()
    if tag == "a" and "footnote-ref" in classes(node):
        return Mark("footnote", at, at, attributes.get("href") or "")
    if tag == "a" and attributes.get("href"):
        return Mark("link", at, at, attributes["href"] or "", title)
    if tag == "img":
        name = _SPACE.sub(" ", attributes.get("alt") or "").strip()
        return Mark("image", at, at, attributes.get("src") or "", name)
    if tag == "abbr" and title:
        return Mark("abbreviation", at, at, name=title)
    if tag in _DRAWN_TAGS or not _DRAWN_CLASSES.isdisjoint(classes(node)):
        return Mark("seam", at, at)
    if tag in ("sup", "sub") and text.pieces and text.pieces[-1][-1].isdigit():
        # `10<sup>6</sup>` is not 106.
        return Mark("power" if node.text().strip(" -+−").isdigit() else "", at, at)
    if tag == "span" and MARK in node.attributes:
        return Mark("cited", at, at, node.attributes[MARK] or "")
    return Mark("", at, at)


def _trimmed(mark: Mark, text: str) -> Mark:
    """The mark without the white space at the ends of its part."""
    part = text[mark.start : mark.end]
    start = min(mark.start, len(text)) + len(part) - len(part.lstrip(" "))
    return mark._replace(start=start, end=start + len(part.strip(" ")))


def is_code_box(names: tuple[str, ...]) -> bool:
    """True if an element of these classes only frames a code block."""
    return not _BOXES.isdisjoint(names)


def code_text(pre: LexborNode) -> str:
    """The lines of a code block, as they are; blank lines around it are left out. The marks of annotations leave the
    tree: `# (1)!` with its comment."""
    for comment in pre.css(_COMMENTS):
        mark = _ANNOTATION.search(comment.text())
        if mark:
            rest = comment.text()[: mark.start()].rstrip()
            if mark[1] or not any(map(str.isalnum, rest)):
                comment.replace_with(rest if any(map(str.isalnum, rest)) else "")
    raw = "".join(
        node.text_content or ""
        for node in pre.traverse(include_text=True)
        if node.tag == "-text"
    )
    lines = [line.rstrip() for line in raw.replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def code_language(pre: LexborNode) -> str:
    """The language that a code block, its `code` or a box around it names; `mermaid` for a diagram's source."""
    nodes: list[LexborNode | None] = [pre.css_first("code"), pre]
    for _ in range(3):
        nodes.append(nodes[-1].parent if nodes[-1] is not None else None)
    for name in (name for node in nodes if node is not None for name in classes(node)):
        if name == "mermaid":
            return name
        match = _LANGUAGE.fullmatch(name)
        if match and match[1] not in ("text", "none"):
            return match[1]
    return ""


def code_blocks(box: LexborNode) -> tuple[str, list[LexborNode]]:
    """The file name or title over code, and the code under it."""
    title = box.css_first(".filename")
    return shown(title).text if title is not None else "", box.css("pre")
