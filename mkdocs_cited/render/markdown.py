"""From an answer's text to HTML that is safe to put into a page. What is around it lives in `answer`.

The text may come from a model, so nothing in it is trusted: what is shown is the tree that was reviewed
(`answer_text.markdown`) and nothing besides, and the result passes an allow-list (nh3, the Python binding of ammonia).
Nothing is evaluated: `{{ x }}`, `{% x %}`, `--8<--` and tags are shown as they were written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import nh3
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from msgspec import Struct
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_by_name
from pygments.util import ClassNotFound

from mkdocs_cited.answer_text.markdown import (
    MARK,
    MARKER,
    PARSER,
    SCHEME,
    passable,
    seen_by_browsers,
    tokens,
    words,
)

Resolve = Callable[[str], str | None]
"""From a link's target as written to the one in the page, or `None` where it leads nowhere safe."""

_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,40}")
_CODE_TITLE = re.compile(r'\stitle="([\w.@/\\~+-]{1,100})"')
"""A code block's title, if it is a file's name or path: nobody has reviewed other words."""
_TAGS = frozenset(
    "p br hr em strong code pre div span sup a ul ol li blockquote table thead tbody tr th td h3 h4 h5 h6 img".split()
)
_ATTRIBUTES = {
    "a": {"class", "href", "role", "aria-label", "data-at", "data-doubt"},
    "code": {"class"},
    "div": {"class"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "span": {"class"},
    "sup": {"id", "data-search-exclude"},
    "td": {"style"},
    "th": {"style"},
}
_REFERENCE = Markup(
    '<sup id="{id}" data-search-exclude=""><a class="cited-ref" href="#{note_id}" data-at="{at}" role="doc-noteref"'
    ' aria-label="{name}">[{note}]</a></sup>'
)
_UNSURE = Markup(
    '<sup id="{id}" data-search-exclude=""><a class="cited-ref cited-unsure" href="#{note_id}" data-at="{at}"'
    ' data-doubt="{doubt}" role="doc-noteref" aria-label="{name} ({doubt})">[{note}?]</a></sup>'
)
_SPACE_BEFORE_NUMBER = re.compile(r"[ \t]+(?=<sup id=)")
_LINK = Markup('<a href="{}">')
_IMAGE = Markup('<img src="{}" alt="{}">')
_CODE = Markup('<div class="{}highlight">{}<pre><code{}>{}</code></pre></div>\n')
_FILE_NAME = Markup('<span class="filename">{}</span>')


class Mark(Struct, frozen=True):
    """What is shown in the text for one number."""

    note: int
    """Number of its footnote, which is what is shown."""
    label: str
    """Its accessible name: `Source 1: Install › With pip`."""
    at: int = 0
    """Which quotation of the footnote its card shows, from 1; 0 for all."""


class Numbers:
    """Shows the numbers of one answer, one after the other."""

    def __init__(
        self,
        prefix: str,
        marks: Mapping[int, Mark],
        doubts: Mapping[int, str] = MappingProxyType({}),
        *,
        is_quotation: bool = False,
    ) -> None:
        """Begin with the first number.

        Args:
            prefix: what the ids of this answer start with, ASCII and unique on the page: `cited-limits`.
            marks: what to show for each number; any other is shown as it is written.
            doubts: which number of the text, counted from 0 → what keeps its sentence from being proven.
            is_quotation: whether the text is a passage as it is, of which the last sentence alone shows the number.
        """
        self.is_quotation = is_quotation
        self.prefix, self.marks, self.doubts = prefix, marks, doubts
        self.used: Counter[int] = Counter()
        """Footnote → how many of its numbers are in the text."""
        self._met = 0
        self._beside: set[int] = set()
        """Footnotes of the numbers right before."""

    def html(self, sid: int, *, is_beside: bool, is_repeated: bool = False) -> Markup:
        """The next number of the text, as a reference to a note (DPUB-ARIA 1.1). One that proves nothing yet looks so,
        and has a question mark.

        Args:
            is_beside: whether it is right behind another number: of those side by side, each footnote's is shown once.
            is_repeated: whether a later sentence of the same quotation shows it.
        """
        doubt = self.doubts.get(self._met, "")
        self._met += 1
        if is_repeated:
            return Markup()
        mark = self.marks.get(sid)
        if mark is None:
            return escape(f"[^{sid}]")
        if not is_beside:
            self._beside.clear()
        if mark.note in self._beside:
            return Markup()
        self._beside.add(mark.note)
        self.used[mark.note] += 1
        template = _REFERENCE
        if doubt:
            template = _UNSURE
        return template.format(
            id=use_id(self.prefix, mark.note, self.used[mark.note]),
            note_id=note_id(self.prefix, mark.note),
            name=mark.label,
            note=mark.note,
            doubt=doubt,
            at=mark.at,
        )

    def of_block(self, block: str) -> Markup:
        """The numbers of a block of text side by side, without its words."""
        shown = Markup()
        for at, sid in enumerate(MARKER.findall(block)):
            shown += self.html(int(sid), is_beside=at > 0)
        return shown


def note_id(prefix: str, number: int) -> str:
    """Id of a footnote: `fn:cited-limits-1`."""
    return f"fn:{prefix}-{number}"


def use_id(prefix: str, number: int, use: int) -> str:
    """Id of a number in the text: `fnref:cited-limits-1`, of its second use `fnref:cited-limits-1-2`."""
    name = f"fnref:{prefix}-{number}"
    if use > 1:
        name += f"-{use}"
    return name


def to_html(
    content: str,
    numbers: Numbers,
    resolve: Resolve = passable,
) -> str:
    """Render an answer's content as safe HTML, its `[^n]` markers as footnote references.

    Args:
        content: its text; a marker inside code is shown as written.
        numbers: what to show for markers.
        resolve: maps the targets of links and images; by default `http`, `https` and `mailto` addresses, anchors
            and relative addresses pass.
    """
    shown = tokens(content)
    for token in shown:
        if token.type in ("heading_open", "heading_close"):
            # an answer is under a heading of its page
            token.tag = f"h{max(3, int(token.tag[1:]))}"
    env = {"numbers": numbers, "resolve": resolve}
    html = _RENDERER.render(shown, PARSER.options, env)
    return clean(_SPACE_BEFORE_NUMBER.sub("", html))


def clean(fragment: str) -> str:
    """HTML with everything taken out that an answer may not hold."""
    return nh3.clean(
        fragment,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        filter_style_properties={"text-align"},
        link_rel=None,
    ).strip()


def code_block(code: str, language: str = "", title: str = "") -> Markup:
    """A code block in the markup that themes style, and that their copy buttons look for, highlighted.

    Args:
        code: its text.
        language: what it is written in, where that is known.
        title: what is over it, such as the name of a file.
    """
    outer = inner = over = Markup()
    if _LANGUAGE.fullmatch(language):
        outer = Markup("language-{} ").format(language)
        inner = Markup(' class="language-{}"').format(language)
    if title:
        over = _FILE_NAME.format(title)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False, ensurenl=False)
    text = Markup(highlight(code, lexer, HtmlFormatter(nowrap=True)))  # noqa: S704 -- it escapes
    return _CODE.format(outer, over, inner, text)


class _Renderer(RendererHTML):
    """CommonMark's HTML, with code blocks, links and images in this site's ways. Methods are token types.

    They return plain text: `Markup` would escape what the renderer has put together before it.
    """

    def text_special(
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        return str(escape(tokens[idx].content))

    html_inline = text_special

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        language, *_ = token.info.split() or [""]
        title = _CODE_TITLE.search(token.info)
        name = ""
        if title:
            name = title[1]
        return str(code_block(token.content, language, name))

    code_block = fence

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        """A link without the title that it may have: words that nobody has reviewed."""
        target = env["resolve"](normalizeLink(str(tokens[idx].attrGet("href"))))
        if target is None:
            return "<a>"
        return str(_LINK.format(target))

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """An image of this site; of one from elsewhere, which would tell others who reads, only its words."""
        token = tokens[idx]
        called = words(token.children or ())
        target = env["resolve"](normalizeLink(str(token.attrGet("src"))))
        if target is None or SCHEME.match(seen_by_browsers(target)):
            return str(escape(called))
        return str(_IMAGE.format(target, called))

    def cited_mark(
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        before = idx - 1
        if before > 0 and not tokens[before].content.strip():
            before -= 1  # white space
        is_beside = before >= 0 and tokens[before].type == MARK
        numbers: Numbers = env["numbers"]
        number = tokens[idx].meta["number"]
        is_repeated = False
        if numbers.is_quotation:
            later = [
                item.meta["number"] for item in tokens[idx + 1 :] if item.type == MARK
            ]
            is_repeated = number in later
        html = numbers.html(number, is_beside=is_beside, is_repeated=is_repeated)
        return str(html)


_RENDERER = _Renderer(PARSER)
