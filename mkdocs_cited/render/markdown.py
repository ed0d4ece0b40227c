"""From an answer's text to HTML that is safe to put into a page. What is around it lives in `answer`.

The text may come from a model, so nothing in it is trusted: what is shown is the tree that was reviewed
(`answer_text.dialect`) and nothing besides, and the result passes an allow-list (nh3, the Python binding of ammonia).
Nothing is evaluated: `{{ x }}`, `{% x %}`, `--8<--` and tags are shown as they were written.
"""

from __future__ import annotations

import html
import re
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
    Set,
)
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import nh3
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from msgspec import Struct

from mkdocs_cited.answer_text.dialect import (
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
_CODE_LINES = re.compile(r'\shl_lines="([0-9]{1,5}(?: [0-9]{1,5}){0,200})"')
_TAGS = frozenset(
    "p br hr em strong b i s del mark sub code kbd pre div span sup a ul ol li blockquote table thead tbody tr th td "
    "h3 h4 h5 h6 img".split()
)
_ATTRIBUTES = {
    "a": {"class", "href", "title", "role", "aria-label", "id", "data-doubt"},
    "code": {"class"},
    "div": {"class"},
    "img": {"src", "alt", "title", "width", "height"},
    "kbd": {"class"},
    "ol": {"start"},
    "p": {"class"},
    "span": {"class"},
    "sup": {"id", "data-search-exclude"},
    "td": {"style"},
    "th": {"style"},
}


class Mark(Struct, frozen=True):
    """What is shown in the text for one number."""

    note: int
    """Number of its footnote, which is what is shown."""
    label: str
    """Its accessible name: `Source 1: Install › With pip`."""
    href: str = ""
    """Where it leads; empty for the footnote of this number."""


class Body(Struct, frozen=True):
    """An answer's text as HTML."""

    html: str
    used: Mapping[int, int]
    """Footnote → how many of its numbers are in the text, in order of first use."""


@dataclass(slots=True)
class _Env:
    """What the renderer needs to know of one answer, besides its tokens."""

    prefix: str
    marks: Mapping[int, Mark]
    doubts: Mapping[int, str]
    resolve: Resolve = passable
    coloured: Mapping[str, str] = field(default_factory=dict)
    used: dict[int, int] = field(default_factory=dict)
    """Footnote → how many of its numbers were put out."""
    met: int = 0
    """How many numbers of the text were met, those that are not put out included."""


def note_id(prefix: str, number: int) -> str:
    """Id of a footnote: `fn:cited-limits-1`."""
    return f"fn:{prefix}-{number}"


def use_id(prefix: str, number: int, use: int = 1) -> str:
    """Id of a number in the text: `fnref:cited-limits-1`, of its second use `fnref:cited-limits-1-2`."""
    if use > 1:
        return f"fnref:{prefix}-{number}-{use}"
    return f"fnref:{prefix}-{number}"


def to_html(
    content: str,
    target: str = "markdown",
    *,
    prefix: str,
    marks: Mapping[int, Mark],
    doubts: Mapping[int, str] = MappingProxyType({}),
    resolve: Resolve | None = None,
    coloured: Mapping[str, str] = MappingProxyType({}),
) -> Body:
    """Render an answer's content as safe HTML, its `[^n]` markers as footnote references.

    Args:
        content: its text; a marker whose number is not in `marks`, and any inside code, is shown as written.
        target: what it is (`model.declaration.Target`).
        prefix: what the ids of this answer start with, ASCII and unique on the page: `cited-limits`.
        marks: what to show for each number.
        doubts: which number of the text, counted from 0 → what keeps its sentence from being proven.
        resolve: maps the targets of links and images; by default `http`, `https` and `mailto` addresses, anchors
            and relative addresses pass.
        coloured: code → its HTML with all highlighting.
    """
    env = _Env(prefix, marks, doubts, resolve or passable, coloured)
    match target:
        case "json" | "yaml":
            html_ = code_block(content, target).strip()
        case _:
            shown = tokens(content)
            _note_doubts(shown, doubts)
            _thin_out(shown, marks)
            _lower(shown)
            html_ = clean(_RENDERER.render(shown, PARSER.options, {"cited": env}))
    return Body(html_, env.used)


def numbers_of_blocks(
    content: str,
    *,
    prefix: str,
    marks: Mapping[int, Mark],
    doubts: Mapping[int, str] = MappingProxyType({}),
) -> list[str]:
    """The numbers of each block of a text, without its words."""
    env = _Env(prefix, marks, doubts)
    return [
        _numbers((int(n) for n in MARKER.findall(block)), env)
        for block in content.split("\n\n")
    ]


def _numbers(sids: Iterable[int], env: _Env) -> str:
    """Numbers side by side; that of each footnote once, and what has none as it is written."""
    shown: dict[int, str] = {}
    for sid in sids:
        mark = env.marks.get(sid)
        doubt = env.doubts.get(env.met, "")
        env.met += 1
        if mark is None:
            shown[-sid] = f"[^{sid}]"
        elif mark.note not in shown:
            shown[mark.note] = _mark_html(mark, env, doubt)
    return "".join(shown.values())


def _note_doubts(tokens: Sequence[Token], doubts: Mapping[int, str]) -> None:
    """Keep with each number what keeps its sentence from being proven."""
    numbers = (
        child
        for token in tokens
        for child in token.children or ()
        if child.type == MARK
    )
    for at, token in enumerate(numbers):
        token.meta["doubt"] = doubts.get(at, "")


def _thin_out(tokens: Sequence[Token], marks: Mapping[int, Mark]) -> None:
    """Hide the numbers that the next ones of their paragraph, item or cell repeat: of a run of sentences from one
    place, the last one has them. What is not proven has numbers of its own."""
    for token in tokens:
        last = _Run(frozenset(), "", ())
        for run in _runs(token.children or (), marks):
            if (run.notes, run.doubt) == (last.notes, last.doubt) and not run.doubt:
                for child in last.tokens:
                    child.hidden = True
            last = run


class _Run(Struct, frozen=True):
    """Numbers side by side."""

    notes: frozenset[int]
    doubt: str
    tokens: tuple[Token, ...]


def _runs(children: Sequence[Token], marks: Mapping[int, Mark]) -> Iterator[_Run]:
    """The numbers of a line of text; of those side by side, each footnote's is shown once."""
    together: dict[int, Token] = {}
    doubt = ""
    for child in children:
        if child.type == MARK and int(child.content) in marks:
            note = marks[int(child.content)].note
            child.hidden = note in together
            together.setdefault(note, child)
            doubt = child.meta["doubt"]
        elif together and child.content.strip():
            yield _Run(frozenset(together), doubt, tuple(together.values()))
            together = {}
    if together:
        yield _Run(frozenset(together), doubt, tuple(together.values()))


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
        if SCHEME.match(seen_by_browsers(value)):
            return None
        return passable(value)
    return value


def _mark_html(mark: Mark, env: _Env, doubt: str) -> str:
    """A number in the text, as a reference to a note (DPUB-ARIA 1.1). One that proves nothing yet looks so, and has a
    question mark."""
    href, more = mark.href or f"#{note_id(env.prefix, mark.note)}", ""
    env.used[mark.note] = env.used.get(mark.note, 0) + 1
    id_ = use_id(env.prefix, mark.note, env.used[mark.note])
    kind, text, name = "cited-ref", f"[{mark.note}]", mark.label
    if doubt:
        kind, text, name = (
            "cited-ref cited-unsure",
            f"[{mark.note}?]",
            f"{mark.label} ({doubt})",
        )
        more = f' data-doubt="{_escape(doubt)}"'
    link = f'<a class="{kind}" href="{_escape(href)}"{more} role="doc-noteref" aria-label="{_escape(name)}">{text}</a>'
    return f'<sup id="{id_}" data-search-exclude="">{link}</sup>'


def code_block(
    code: str,
    language: str = "",
    title: str = "",
    marked: Set[int] = frozenset(),
    coloured: str = "",
) -> str:
    """A code block in the markup that themes style, and that their copy buttons and highlighters look for.

    Args:
        code: its text.
        language: what it is written in, where that is known.
        title: what is over it, such as the name of a file.
        marked: its highlighted lines, numbered from 1.
        coloured: its HTML with all highlighting, where a page has it.
    """
    name = ""
    if _LANGUAGE.fullmatch(language):
        name = language
    outer = "highlight"
    if name:
        outer = f"language-{name} highlight"
    inner = ""
    if name:
        inner = f' class="language-{html.escape(name)}"'
    over = ""
    if title:
        over = f'<span class="filename">{html.escape(title)}</span>'
    lines = html.escape(code, quote=False).split("\n")
    text = coloured or "\n".join(
        f'<span class="hll">{line}</span>' if number in marked else line
        for number, line in enumerate(lines, 1)
    )
    return f'<div class="{html.escape(outer)}">{over}<pre><code{inner}>{text}</code></pre></div>\n'


def _lower(tokens: Sequence[Token]) -> None:
    """Put headings at the third level or deeper: an answer is under a heading of its page."""
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{max(3, int(token.tag[1:]))}"


class _Renderer(RendererHTML):
    """CommonMark's HTML, with code blocks, links and images in this site's ways. Methods are token types."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Words; no space is before a citation's number."""
        shown = tokens[idx].content
        after = tokens[idx + 1] if idx + 1 < len(tokens) else None
        if (
            after is not None
            and after.type == MARK
            and int(after.content) in env["cited"].marks
        ):
            shown = shown.rstrip(" \t")
        return _escape(shown)

    def text_special(
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        return _escape(tokens[idx].content)

    html_inline = text_special

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        words, title, lines = (
            token.info.split(),
            _CODE_TITLE.search(token.info),
            _CODE_LINES.search(token.info),
        )
        marked = frozenset(map(int, lines[1].split())) if lines else frozenset[int]()
        coloured = env["cited"].coloured.get(token.content.rstrip("\n"), "")
        return code_block(
            token.content,
            words[0] if words else "",
            title[1] if title else "",
            marked,
            coloured,
        )

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: Any, env: Any
    ) -> str:
        return code_block(tokens[idx].content)

    def link_open(
        self,
        tokens: Sequence[Token],
        idx: int,
        options: Any,
        env: MutableMapping[str, Any],
    ) -> str:
        """A link without the title that it may have: words that nobody has reviewed."""
        target = env["cited"].resolve(
            normalizeLink(str(tokens[idx].attrGet("href") or ""))
        )
        if target is None:
            return "<a>"
        return f'<a href="{_escape(target)}">'

    def image(
        self,
        tokens: Sequence[Token],
        idx: int,
        options: Any,
        env: MutableMapping[str, Any],
    ) -> str:
        """An image of this site; of one from elsewhere, which would tell others who reads, only its words."""
        token = tokens[idx]
        called = _escape(words(token.children or ()))
        target = env["cited"].resolve(normalizeLink(str(token.attrGet("src") or "")))
        if target is None or SCHEME.match(seen_by_browsers(target)):
            return called
        return f'<img src="{_escape(target)}" alt="{called}">'

    def cited_mark(
        self,
        tokens: Sequence[Token],
        idx: int,
        options: Any,
        env: MutableMapping[str, Any],
    ) -> str:
        shared: _Env = env["cited"]
        mark = shared.marks.get(int(tokens[idx].content))
        if mark is None:
            return _escape(tokens[idx].markup)
        if tokens[idx].hidden:
            return ""
        return _mark_html(mark, shared, tokens[idx].meta["doubt"])


def _escape(text: str) -> str:
    return html.escape(text, quote=True)


_RENDERER = _Renderer(PARSER)
