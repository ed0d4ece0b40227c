"""Links tried on the pages as they were built: what would highlight the wrong words loses its text fragment.

Links are made before themes put navigation, table of contents and banners around a page's content, and before there are
answers on it. A link without a text fragment leads to the id of its block alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import unquote

from mkdocs_cited.base.values import replace
from mkdocs_cited.render.page_text import PageText, fold, read
from mkdocs_cited.render.text_fragment import parse, search

_WORD = re.compile(r"[a-z0-9]{2,}")
_GAP = r"(?:<[^<>]*>|&#?\w{1,10};|[^a-z0-9<&]|(?<![a-z0-9])[a-z0-9](?![a-z0-9]))*"
"""What may be between two words of a text in its HTML: tags, signs, and words of one letter."""
_MARK = ":~:text="


def astray(html: str, fragments: Iterable[str]) -> frozenset[str]:
    """Those fragments (`#id:~:text=…`) whose words a browser would find above the element that their id names.

    Args:
        html: the whole page, as it is served.
        fragments: as they are in links to it.
    """
    html = html[max(0, html.find("<body")) :]
    lower, texts = html.lower(), dict[int, PageText]()

    def is_astray(fragment: str) -> bool:
        anchor, mark, text = fragment.removeprefix("#").partition(_MARK)
        end = _element(html, unquote(anchor))
        return any(is_above(mark + words, end) for words in text.split("&text="))

    def is_above(directive: str, end: int) -> bool:
        wanted = replace(parse(directive), end="")
        words = [word for word in _WORD.findall(wanted.start.lower()) if fold(word).isascii()]
        if not re.compile(_GAP.join(map(re.escape, words))).search(lower, 0, max(0, end)):
            return False  # nearly all: the words do not follow each other there, and nothing is parsed
        if end not in texts:
            texts[end] = read(html[:end])
        return search(texts[end], wanted) is not None

    return frozenset(filter(is_astray, fragments))


def without(text: str, fragments: Collection[str]) -> str:
    """A text with links (HTML, JSON, Markdown) without the words of these fragments; the ids stay."""
    if _MARK not in text:
        return text
    for fragment in fragments:
        words, end = "text=" + re.escape(fragment.partition(_MARK)[2]), r"(?=[\"'\s<>)\\]|$)"
        text = re.sub(rf":~:{words}{end}|&(?:amp;)?{words}(?=&|{end})|(?<=:~:){words}&(?:amp;)?", "", text)
    return text


def _element(html: str, anchor: str) -> int:
    """Offset of the tag with this id; -1 if there is none. Minifiers take the quotes away."""
    match = re.search(rf"""\sid=["']?{re.escape(anchor)}["'\s>]""", html)
    return html.rfind("<", 0, match.start()) if match else -1
