"""HTML made ready for extraction: parsed as a browser does, with everything gone that no reader sees or may cite.

What a text *is* (paragraph, row, code block) is decided in `from_html`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from mkdocs_cited.base.html import parsed, placed
from mkdocs_cited.base.text import Spans
from mkdocs_cited.model.declaration import ATTRIBUTE, MARKER

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
BLOCKS = HEADINGS | frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form "
    "header hgroup hr legend li main menu ol p pre search section summary table caption colgroup tbody td tfoot th "
    "thead tr ul".split()
)
"""Elements that a browser starts on a new line; everything else flows with the text around it."""
_NEVER_SHOWN = (
    "script, style, template, noscript, title, svg, iframe, object, audio, video, canvas, annotation, [hidden], "
    "[popover], dialog:not([open]), datalist, noembed, noframes, rp, .sr-only, .visually-hidden"
)
_CONTROLS = (
    "button:not(:has(p, h1, h2, h3, h4, h5, h6)), select, input, textarea, .md-clipboard, .linenos, .linenodiv, "
    ".lineno"
)
"""And gutters. A button that nobody closed holds the rest of the page."""
_SIGNPOSTS = "nav, div.toc, .headerlink, .footnote-backref, article.md-post--excerpt"
"""They repeat what is elsewhere."""
_REMARKS = ".critic.comment, .jp-Prompt, .jp-InputPrompt, .jp-OutputPrompt, .clipboard-copy-txt"
"""Of those who write, shown by pymdownx.critic; prompts and copies of cells, by mkdocs-jupyter."""
_KEPT_OUT = "[data-search-exclude], [data-cited-answer]"
"""Not meant to be found, or not the authors' words."""
_UNSEEN = f"{_NEVER_SHOWN}, {_CONTROLS}, {_SIGNPOSTS}, {_REMARKS}, {_KEPT_OUT}"
_HIDES = re.compile(
    r"""
    (?:^|;)\s*
    (?: display\s*:\s*none\b | (?:content-)?visibility\s*:\s*hidden\b
      | (?:opacity|font-size)\s*:\s*(?:0+\.?0*|\.0+)(?:[a-z]+|%)?\s*(?:!important\s*)?(?:;|$)
      | text-decoration(?:-line)?\s*:[^;]*line-through
    )""",
    re.VERBOSE,
)
"""An inline style that takes a text out of sight, by no size or no opacity too, or strikes it out. Colour hides
nothing, and what a style sheet does is not known."""
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
    "em": "stressed", "img": "seam", "kbd": "seam", "label": "seam", "math": "seam", "button": "seam", "ruby": "seam",
    "br": "gap", **dict.fromkeys(BLOCKS, "gap"),
}  # fmt: skip
"""What the text of elements is: see `Span.kind`. A gap is a seam with a space around it."""
_DRAWN_CLASSES = frozenset(
    ("arithmatex", "keys", "twemoji", "md-annotation", "task-list-control")
)
"""Elements that themes draw otherwise than their text is written."""
_LANGUAGE = re.compile(r"(?:language|lang)-([\w+#.-]+)")
_ANNOTATION = re.compile(r"\(\d{1,3}\)(!?)\s*$")
_COMMENTS = "span.c, span.c1, span.cm, span.ch, span.cp"
_BOXES = frozenset(("highlight", "codehilite", "highlighttable", "codehilitetable"))


class Span(NamedTuple):
    """A part of a text that is more than words."""

    kind: str
    """`code`, `struck`, `power`, `stressed`, `link`, `footnote`, `cited` (an author's mark) or `answer`
    (the place of one); `seam`
    for what a browser shows otherwise than as words that follow each other: a line break, a picture, an element drawn
    by the theme, the end of a cell."""
    start: int
    end: int
    to: str = ""
    """The address of a link or footnote, the number of a mark, the id of an answer."""


class Text(NamedTuple):
    """Text as a reader sees it, white space collapsed, with its spans in order of their ends."""

    text: str
    spans: tuple[Span, ...] = ()

    def ranges(self, *kinds: str) -> Spans:
        """The parts of some kinds that have text, in order of their ends."""
        found = []
        for span in self.spans:
            if span.kind in kinds and span.start < span.end:
                found.append((span.start, span.end))
        return tuple(found)


def parse(html: str, *, whole: bool = False) -> LexborNode:
    """The content of a page as a tree without its unseen parts."""
    tree = parsed(placed(html))
    root = tree.body or tree.root  # frames have no body
    if not whole:
        root = tree.css_first(_CONTENT) or root
    assert root is not None  # noqa: S101 # for the type checker: a parser makes a root of anything
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
        if _HIDES.search(_COMMENT.sub("", node.attributes["style"] or "").lower()):
            node.decompose()
    return root


def _sign(icon: LexborNode) -> str:
    """What an icon says in place of a word, `❌`, `✅`, `☐` or `☑`; empty for all that says neither yes nor no."""
    attributes = icon.attributes
    if icon.tag == "input":
        return "☑" if "checked" in attributes else "☐"
    # a picture of something
    if icon.tag == "img" and len((attributes["alt"] or "").split()) != 1:
        return ""
    names = [attributes.get(name) for name in ("alt", "aria-label", "class")]
    if icon.parent is not None and icon.parent.tag == "span":
        names.append(icon.parent.attributes.get("title"))
    for part in icon.css("title, path"):
        names.append(part.text())
        drawn = (part.attributes.get("d") or "")[:18]
        names.append(_DRAWN.get(drawn))
    words = re.findall(r"[a-z]+|[❌✖✗✘❎✅✔✓☑]", " ".join(filter(None, names)).lower())
    if not _NO.isdisjoint(words):
        return "❌"
    if not _YES.isdisjoint(words):
        return "✅"
    return ""


def text_of(*nodes: LexborNode) -> Text:
    """What a reader sees of nodes that are behind each other; blocks within are set apart by a space."""
    writer = _Writer()
    # a span is behind what it covers
    todo: list[LexborNode | Span] = list(reversed(nodes))
    while todo:
        node = todo.pop()
        if isinstance(node, Span):
            writer.close(node)
            continue
        tag = node.tag or ""
        if tag == "-text":
            writer.put(node.text_content or "")
            continue
        if tag == "-comment":
            writer.comment(node.html or "")
        if tag[:1] in "-!":
            continue
        span = writer.open(node, tag)
        todo.append(span)
        if span.kind != "footnote":  # its number is no text
            todo += reversed(list(node.iter(include_text=True)))
    return writer.written()


def joined(*parts: Text) -> Text:
    """Texts behind each other, with a space between them; empty ones are left out."""
    spans = []
    text = ""
    for part in parts:
        if not part.text:
            continue
        if text:
            spans.append(Span("seam", len(text), len(text)))
            text += " "
        at = len(text)
        for kind, start, end, to in part.spans:
            spans.append(Span(kind, start + at, end + at, to))
        text += part.text
    return Text(text, tuple(spans))


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


class _Writer:
    """Writes a text piece by piece, with its spans."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def put(self, text: str) -> None:
        """Write a piece of HTML's text: white space as one space, none at the start and none behind another."""
        spaced = not self.pieces or self.pieces[-1][-1] == " "
        words = " ".join(text.split())
        if text[:1].isspace() and not spaced:
            words = f" {words}"
        if words not in ("", " ") and text[-1].isspace():
            words += " "
        if words:
            self.pieces.append(words)
            self.length += len(words)

    def comment(self, html: str) -> None:
        """Note the place of an answer."""
        marker = MARKER.fullmatch(html)
        if marker:
            self.spans.append(Span("answer", self.length, self.length, marker[1]))

    def gap(self) -> None:
        """Write a space, unless there is one."""
        if self.pieces and self.pieces[-1][-1] != " ":
            self.pieces.append(" ")
            self.length += 1

    def open(self, node: LexborNode, tag: str) -> Span:
        """The span of an element that begins; of no kind where it has none."""
        kind, to = _KINDS.get(tag, ""), ""
        if kind == "gap":
            self.gap()
        elif not kind:
            kind, to = self._meaning(node, tag)
        return Span(kind, self.length, self.length, to)

    def _meaning(self, node: LexborNode, tag: str) -> tuple[str, str]:
        """Kind and address of the span of an element whose tag alone does not tell it."""
        attributes = node.attributes
        if tag == "a" and "footnote-ref" in classes(node):
            return "footnote", attributes.get("href") or ""
        if tag == "a" and attributes.get("href"):
            return "link", attributes["href"] or ""
        if tag in ("sup", "sub") and self.pieces and self.pieces[-1][-1].isdigit():
            # `10<sup>6</sup>` is not 106.
            if node.text().strip(" -+−").isdigit():
                return "power", ""
        elif tag == "span" and ATTRIBUTE in attributes:
            return "cited", attributes[ATTRIBUTE] or ""
        elif not _DRAWN_CLASSES.isdisjoint(classes(node)):
            return "seam", ""
        return "", ""

    def close(self, span: Span) -> None:
        """End a span here."""
        kind, start, _, to = span
        if kind == "gap":
            self.gap()
            kind = "seam"
        if kind:
            self.spans.append(Span(kind, start, self.length, to))

    def written(self) -> Text:
        """The text, its spans without the white space at their ends."""
        text = "".join(self.pieces).rstrip()
        spans = []
        for kind, start, end, to in self.spans:
            part = text[start:end].lstrip(" ")
            start = min(end, len(text)) - len(part)
            spans.append(Span(kind, start, start + len(part.rstrip(" ")), to))
        return Text(text, tuple(spans))


def is_code_box(names: tuple[str, ...]) -> bool:
    """True if an element of these classes only frames a code block."""
    return not _BOXES.isdisjoint(names)


def code_text(pre: LexborNode) -> str:
    """The lines of a code block, as they are; blank lines around it are left out. The marks of annotations leave the
    tree: `# (1)!` with its comment."""
    for comment in pre.css(_COMMENTS):
        mark = _ANNOTATION.search(comment.text())
        if not mark:
            continue
        rest = comment.text()[: mark.start()].rstrip()
        if not any(map(str.isalnum, rest)):
            comment.replace_with("")
        elif mark[1]:
            comment.replace_with(rest)
    lines = [line.rstrip() for line in pre.text().replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def code_language(pre: LexborNode) -> str:
    """The language that a code block, its `code` or a box around it names; `mermaid` for a diagram's source."""
    node = pre.css_first("code") or pre
    for _ in range(5):
        for name in classes(node):
            match = _LANGUAGE.fullmatch(name)
            if name == "mermaid":
                return name
            if match and match[1] not in ("text", "none"):
                return match[1]
        if node.parent is None:
            break
        node = node.parent
    return ""
