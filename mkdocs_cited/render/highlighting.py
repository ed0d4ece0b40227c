"""The colours of a code block that an answer repeats: those of its page, whatever highlighter made them."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.render.links import TAGS, Links
from mkdocs_cited.sources.codeblocks import code_text

ColoursOf = Callable[[Passage], str]
"""From a code block to its HTML, as its page highlights it; empty where it does not."""
_LONGEST = 100_000
"""Characters of HTML that are read of one block."""
_DEEPEST = 10
_UNSEEN = "script, style, template, svg, button, .linenos, .lineno"
_CLASS = re.compile(r"[A-Za-z][\w-]{0,40}")


def no_colours(passage: Passage) -> str:
    """For hosts that do not have the pages."""
    return ""


def colours_of(links: Links) -> ColoursOf:
    """The colours of the pages that links are found on."""

    def colours(passage: Passage) -> str:
        if passage.kind is not PassageKind.CODE or passage.page.type not in (SourceType.PAGE, SourceType.ARCHIVE):
            return ""
        html, text = links.html_of(passage.page.url), links.page_text(passage.page.url)
        tag = TAGS[passage.kind]
        place = text.find_block(passage.text, passage.section.anchor, tag) if text else None
        element = text.owner(place[0]) if text and place else None
        while element is not None and element.tag != tag:
            element = element.parent
        return _coloured(html[element.start : element.start + _LONGEST], passage.text) if html and element else ""

    return colours


def _coloured(html: str, code: str) -> str:
    """The first code block of a piece of HTML that may end anywhere, if it holds this code."""
    pre = LexborHTMLParser(html).css_first("pre")
    if pre is None:
        return ""
    for node in pre.css(_UNSEEN):
        node.decompose()
    if code_text(pre)[0] != code:  # which also takes the marks of annotations out
        return ""
    spans = "".join(_spans(pre.css_first("code") or pre)).strip("\n")
    return spans if "<span" in spans else ""


def _spans(node: LexborNode, depth: int = 0) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text" or depth > _DEEPEST:
            yield entities.escape(child.text(), quote=False)
            continue
        names = " ".join(name for name in (child.attributes.get("class") or "").split() if _CLASS.fullmatch(name))
        inner = "".join(_spans(child, depth + 1))
        yield f'<span class="{names}">{inner}</span>' if names and inner else inner
