"""From an answer's Markdown to HTML that is safe to put into a page. What stands around it lives in `answer`.

The text may come from a model, so nothing in it is trusted: what is shown is the tree that was reviewed
(`answer_text.dialect`) and nothing besides, and the result passes an allow-list (nh3, the Python binding of ammonia).
Nothing is evaluated: `{{ x }}`, `{% x %}`, `--8<--` and tags are shown as they were written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import nh3
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from msgspec import Struct

from mkdocs_cited.answer_text.addresses import SCHEME, passable, seen_by_browsers
from mkdocs_cited.answer_text.dialect import MARK, PARSER, tokens, words

Resolve = Callable[[str], str | None]
"""From a link's target as written to the one in the page, or `None` where it leads nowhere safe."""

_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,40}")
_CODE_TITLE = re.compile(r'\stitle="([\w.@/\\~+-]{1,100})"')
"""A code block's title, if it is a file's name or path: nobody has reviewed other words."""
_CODE_LINES = re.compile(r'\shl_lines="([0-9]{1,5}(?: [0-9]{1,5}){0,200})"')
_TAGS = frozenset(
    (
        "p br hr em strong b i s del mark sub code kbd pre div span sup a ul ol li blockquote table thead tbody tr th "
        "td h3 h4 h5 h6 img"
    ).split()
)
_ATTRIBUTES = {
    "a": {"class", "href", "title", "role", "aria-label", "id", "data-words"},
    "code": {"class"},
    "div": {"class"},
    "img": {"src", "alt", "title", "width", "height"},
    "kbd": {"class"},
    "ol": {"start"},
    "p": {"class"},
    "span": {"class"},
    "sup": {"id"},
    "td": {"style"},
    "th": {"style"},
}


class Mark(Struct, frozen=True):
    """What stands in the text for one number."""

    note: int
    """Number of its footnote. Of numbers with one footnote that stand side by side, the first is shown."""
    text: str
    """What is shown: `[1]`."""
    label: str
    """Its accessible name: `Source 1: Install › With pip`."""
    again: str = ""
    """Its name from the second use on: `Source 1`; empty for the same."""
    href: str = ""
    """Where it leads; empty for the footnote of this number."""
    words: tuple[str, ...] = ()
    """For each use, the ranges of the footnote's quotes that carry its claim (`marks.words_of_uses`), which the script
    marks while the footnote is shown for it."""


class Body(Struct, frozen=True):
    """An answer's text as HTML."""

    html: str
    uses: tuple[tuple[int, int], ...]
    """How often each footnote is used, in order of first use: (number, count)."""


@dataclass(slots=True)
class _Env:
    """What the renderer needs to know of one answer, besides its tokens."""

    prefix: str
    marks: Mapping[int, Mark]
    resolve: Resolve
    coloured: Mapping[str, str]
    uses: dict[int, int]


def note_id(prefix: str, number: int) -> str:
    """Id of a footnote: `fn:cited-limits-1`."""
    return f"fn:{prefix}-{number}"


def use_id(prefix: str, number: int, use: int) -> str:
    """Id of a number's use in the text, counted from 1: `fnref:cited-limits-1`, then `fnref2:cited-limits-1`.

    The numbering of repeated uses is Python-Markdown's own.
    """
    return f"fnref{use if use > 1 else ''}:{prefix}-{number}"


def to_html(
    content: str,
    *,
    prefix: str,
    marks: Mapping[int, Mark],
    resolve: Resolve | None = None,
    coloured: Mapping[str, str] = MappingProxyType({}),
) -> Body:
    """Render an answer's Markdown, its `[^n]` markers as footnote references.

    Args:
        content: Markdown; a marker whose number is not in `marks`, and any inside code, is shown as written.
        prefix: what the ids of this answer start with, ASCII and unique on the page: `cited-limits`.
        marks: what to show for each number.
        resolve: maps the targets of links and images; by default `http`, `https` and `mailto` addresses, anchors
            and relative addresses pass.
        coloured: code → its HTML with all highlighting.
    """
    env = _Env(prefix, marks, resolve or passable, coloured, {})
    shown = [_lowered(token) for token in tokens(content)]
    rendered = _RENDERER.render(shown, PARSER.options, {"cited": env})
    return Body(clean(rendered), tuple(env.uses.items()))


def clean(fragment: str) -> str:
    """HTML with everything taken out that an answer may not hold."""
    return nh3.clean(
        fragment,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        filter_style_properties={"text-align"},
        link_rel=None,
    ).strip()


def _attribute(tag: str, name: str, value: str) -> str | None:
    """An attribute that may stay: links lead where they may, images come from this site, whose readers they tell of."""
    if (tag, name) == ("a", "href"):
        return passable(value)
    if (tag, name) == ("img", "src"):
        return None if SCHEME.match(seen_by_browsers(value)) else passable(value)
    return value


def mark_html(prefix: str, use: int, mark: Mark) -> str:
    """A number in the text, as a footnote reference in the markup that themes know (and DPUB-ARIA 1.1 names)."""
    kind, href = ("cited-ref", mark.href) if mark.href else ("footnote-ref", f"#{note_id(prefix, mark.note)}")
    words = f' data-words="{mark.words[use - 1]}"' if any(mark.words[use - 1 : use]) else ""
    name = mark.again if use > 1 and mark.again else mark.label
    return (
        f'<sup id="{html.escape(use_id(prefix, mark.note, use))}"><a class="{kind}" href="{html.escape(href)}"'
        f' role="doc-noteref" aria-label="{html.escape(name)}"{words}>{html.escape(mark.text)}</a></sup>'
    )


def code_block(
    code: str, language: str = "", title: str = "", marked: Set[int] = frozenset(), coloured: str = ""
) -> str:
    """A code block in the markup that themes style, and that their copy buttons and highlighters look for.

    Args:
        code: its text.
        language: what it is written in, where that is known.
        title: what stands over it, such as the name of a file.
        marked: its highlighted lines, numbered from 1.
        coloured: its HTML with all highlighting, where a page has it.
    """
    name = language if _LANGUAGE.fullmatch(language) else ""
    outer = f"language-{name} highlight" if name else "highlight"
    inner = f' class="language-{html.escape(name)}"' if name else ""
    over = f'<span class="filename">{html.escape(title)}</span>' if title else ""
    lines = html.escape(code, quote=False).split("\n")
    text = coloured or "\n".join(
        f'<span class="hll">{line}</span>' if number in marked else line for number, line in enumerate(lines, 1)
    )
    return f'<div class="{html.escape(outer)}">{over}<pre><code{inner}>{text}</code></pre></div>\n'


def _lowered(token: Token) -> Token:
    """The token, at the third level or deeper if it is a heading's: an answer stands under a heading of its page."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{max(3, int(token.tag[1:]))}"
    return token


class _Renderer(RendererHTML):
    """CommonMark's HTML, with code blocks, links and images in this site's ways. Methods are token types."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Words; no space stands before a citation's number."""
        shown = tokens[idx].content
        after = tokens[idx + 1] if idx + 1 < len(tokens) else None
        if after is not None and after.type == MARK and int(after.content) in env["cited"].marks:
            shown = shown.rstrip(" \t")
        return _escape(shown)

    def text_special(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return _escape(tokens[idx].content)

    def html_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return _escape(tokens[idx].content)

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        words, title, lines = (
            token.info.split(maxsplit=1),
            _CODE_TITLE.search(token.info),
            _CODE_LINES.search(token.info),
        )
        marked = frozenset(map(int, lines[1].split())) if lines else frozenset[int]()
        coloured = env["cited"].coloured.get(token.content.rstrip("\n"), "")
        return code_block(token.content, words[0] if words else "", title[1] if title else "", marked, coloured)

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return code_block(tokens[idx].content)

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        """A link without the title that it may have: words that nobody has reviewed."""
        target = env["cited"].resolve(normalizeLink(str(tokens[idx].attrGet("href") or "")))
        return "<a>" if target is None else f'<a href="{_escape(target)}">'

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        """An image of this site; of one from elsewhere, which would tell others who reads, only its words."""
        token = tokens[idx]
        called = _escape(words(token.children or ()))
        target = env["cited"].resolve(normalizeLink(str(token.attrGet("src") or "")))
        if target is None or SCHEME.match(seen_by_browsers(target)):
            return called
        size = "".join(
            f' {key}="{_escape(str(token.attrs[key]))}"' for key in ("width", "height") if key in token.attrs
        )
        return f'<img src="{_escape(target)}" alt="{called}"{size}>'

    def cited_mark(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        shared: _Env = env["cited"]
        number = int(tokens[idx].content)
        if number not in shared.marks:
            return _escape(tokens[idx].markup)
        mark, before = shared.marks[number], shared.marks.get(_mark_before(tokens, idx))
        if before and before.note == mark.note:
            return ""
        use = shared.uses[mark.note] = shared.uses.get(mark.note, 0) + 1
        return mark_html(shared.prefix, use, mark)


def _mark_before(tokens: Sequence[Token], idx: int) -> int:
    """The number that a mark stands directly behind; 0 for none."""
    at = idx - 1
    if at > 0 and tokens[at].type == "text" and not tokens[at].content.strip():
        at -= 1
    return int(tokens[at].content) if at >= 0 and tokens[at].type == MARK else 0


def _escape(text: str) -> str:
    return html.escape(text, quote=True)


_RENDERER = _Renderer(PARSER)
