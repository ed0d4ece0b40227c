"""The main text of a page elsewhere, without what stands around it. Only here is `readability` imported.

readability-lxml, the Python port of what browsers' reading modes do, finds where the main text is; the whole of that
place is then read by `extract`, as a page of the site is: what readability drops of it (tables, boxes, code) is kept.
"""

from __future__ import annotations

import logging

from readability import Document as Readable
from readability.readability import Unparseable
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Page
from mkdocs_cited.sources import from_html
from mkdocs_cited.sources.dom import bounded
from mkdocs_cited.sources.from_files import passages_of as markdown_passages
from mkdocs_cited.sources.passages import Document, with_sentences
from mkdocs_cited.sources.swallowing import without_swallowing
from mkdocs_cited.sources.web.content import Content
from mkdocs_cited.sources.web.stated import Stated, stated

_AROUND = ", ".join(
    (
        "nav", "dialog", "script", "style", "noscript", "template", "svg", "iframe", "[hidden]",
        "[role=navigation]", "[role=banner]", "[role=contentinfo]", "[role=search]", "[role=dialog]",
        "[role=complementary]",
    )
)  # fmt: skip
"""What is never main text: navigation, and the landmarks around it (WAI-ARIA 1.2 §5.3.4)."""
_MAIN = "main, [role=main]"
_MARK = "data-cited-n"
_MOST = 0.9
"""Share of the text that readability kept which the place must hold: it may keep a line from elsewhere."""
_LEAST = 0.5
"""Share of a marked main part below which readability has missed it, and the whole part is taken."""

logging.getLogger("readability").setLevel(logging.CRITICAL)  # it logs what it drops


def cut(page: Page, content: Content) -> tuple[Document, Stated]:
    """The sections and passages of a page's main text, and what the page states of itself."""
    if content.kind != "html":
        suffix = ".md" if content.kind == "markdown" else ".txt"
        passages = markdown_passages(page, content.text, suffix)
        sections = {passage.section.position: passage.section for passage in passages}
        title = next((passages[0].section.title for _ in passages[:1] if passages[0].section.level), "")
        return _placed(Document(page, tuple(sections[n] for n in sorted(sections)), passages)), Stated(title)
    tree = LexborHTMLParser(bounded(without_swallowing(content.text)))
    said = stated(tree)
    document = from_html.read(page, main_html(tree))
    return replace(document, passages=tuple(map(with_sentences, document.passages))), said


def main_html(tree: LexborHTMLParser) -> str:
    """The HTML of the element that holds a page's main text, which may be the whole body. The tree is used up."""
    for node in reversed(tree.css(_AROUND)):  # inner ones first: dropping the outer frees them
        node.decompose()
    landmarks = tree.css(_MAIN)
    root = landmarks[0] if len(landmarks) == 1 else tree.body
    if root is None:
        return ""
    found = _place(root)
    if found is None or (landmarks and len(found.text()) < _LEAST * len(root.text())):
        found = root
    return found.html or ""


def _place(root: LexborNode) -> LexborNode | None:
    """The innermost element that holds nearly all the text that readability keeps."""
    nodes = [node for node in root.traverse(include_text=False) if node.tag and node.tag[0] not in "-!"]
    for number, node in enumerate(nodes):
        node.attrs[_MARK] = str(number)
    try:
        kept = LexborHTMLParser(Readable(root.html or "").summary(html_partial=True))
    except Unparseable:
        return None
    weights = dict.fromkeys(map(str, range(len(nodes))), 0)
    for node in kept.css(f"[{_MARK}]"):
        texts = (child.text_content or "" for child in node.iter(include_text=True) if child.tag == "-text")
        weights[_number(node)] += len("".join(texts).strip())
    for node in reversed(nodes[1:]):  # inner ones first: what stands in an element counts for all around it
        if node.parent is not None and _number(node.parent) in weights:
            weights[_number(node.parent)] += weights[_number(node)]
    node, least = root, _MOST * weights[_number(root)]
    while least:
        inner = next((n for n in node.iter() if weights.get(_number(n), 0) >= least), None)
        if inner is None:
            break
        node = inner
    return node if least else None


def _number(node: LexborNode) -> str:
    return node.attributes.get(_MARK) or ""


def _placed(document: Document) -> Document:
    """The document with its sections numbered as they stand in it: those without text are left out."""
    numbers = {section.position: number for number, section in enumerate(document.sections)}
    sections = tuple(replace(section, position=numbers[section.position]) for section in document.sections)
    passages = tuple(
        replace(passage, section=sections[numbers[passage.section.position]]) for passage in document.passages
    )
    return Document(document.page, sections, passages, document.links)
