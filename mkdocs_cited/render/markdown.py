"""From an answer's text to HTML that is safe to put into a page. What is around it lives in `answer`.

The text may come from a model, so nothing in it is trusted: what is shown is the tree that was reviewed
(`answer_text.dialect`) and nothing besides, and the result passes an allow-list (nh3, the Python binding of ammonia).
Nothing is evaluated: `{{ x }}`, `{% x %}`, `--8<--` and tags are shown as they were written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import nh3
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from msgspec import Struct

from mkdocs_cited.answer_text.dialect import MARK, MARKER, PARSER, SCHEME, passable, seen_by_browsers, tokens, words

Resolve = Callable[[str], str | None]
"""From a link's target as written to the one in the page, or `None` where it leads nowhere safe."""

_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,40}")
_CODE_TITLE = re.compile(r'\stitle="([\w.@/\\~+-]{1,100})"')
"""A code block's title, if it is a file's name or path: nobody has reviewed other words."""
_CODE_LINES = re.compile(r'\shl_lines="([0-9]{1,5}(?: [0-9]{1,5}){0,200})"')
_ANY_TAG = re.compile(r"(<[^<>]*>)")
_MARKERS = re.compile(rf"(?:{MARKER.pattern}[ \t]?)*{MARKER.pattern}")
_CODE = re.compile(r"</?(?:pre|code)\b")
_LED_TO = ("bullet_list_open", "ordered_list_open", "table_open")
_TAGS = frozenset(
    "p br hr em strong b i s del mark sub code kbd pre div span sup a ul ol li blockquote table thead tbody tr th td "
    "h3 h4 h5 h6 img".split()
)
_ATTRIBUTES = {
    "a": {"class", "href", "title", "role", "aria-label", "id", "target"},
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
    """Number of its footnote."""
    text: str
    """What is shown: `[1]`."""
    label: str
    """Its accessible name where it is used first: `Source 1: Install › With pip`."""
    href: str = ""
    """Where it leads; empty for the footnote of this number."""


class Body(Struct, frozen=True):
    """An answer's text as HTML."""

    html: str
    used: tuple[int, ...]
    """The footnotes that its numbers lead to, in order of first use."""


@dataclass(slots=True)
class _Env:
    """What the renderer needs to know of one answer, besides its tokens."""

    prefix: str
    marks: Mapping[int, Mark]
    resolve: Resolve
    coloured: Mapping[str, str]
    used: dict[int, None]


def note_id(prefix: str, number: int) -> str:
    """Id of a footnote: `fn:cited-limits-1`."""
    return f"fn:{prefix}-{number}"


def use_id(prefix: str, number: int) -> str:
    """Id of a number's first use in the text: `fnref:cited-limits-1`."""
    return f"fnref:{prefix}-{number}"


def to_html(
    content: str,
    target: str = "markdown",
    *,
    prefix: str,
    marks: Mapping[int, Mark],
    resolve: Resolve | None = None,
    coloured: Mapping[str, str] = MappingProxyType({}),
) -> Body:
    """Render an answer's content as safe HTML, its `[^n]` markers as footnote references.

    Args:
        content: its text; a marker whose number is not in `marks`, and any inside code, is shown as written.
        target: what it is (`model.declaration.Target`).
        prefix: what the ids of this answer start with, ASCII and unique on the page: `cited-limits`.
        marks: what to show for each number.
        resolve: maps the targets of links and images; by default `http`, `https` and `mailto` addresses, anchors
            and relative addresses pass.
        coloured: code → its HTML with all highlighting.
    """
    env = _Env(prefix, marks, resolve or passable, coloured, {})
    match target:
        case "html":
            html_ = _from_html(content, env)
        case "json" | "yaml":
            html_ = code_block(content, target).strip()
        case _:
            shown = tokens(content)
            _thin_out(shown, marks)
            _lower(shown)
            html_ = clean(_RENDERER.render(shown, PARSER.options, {"cited": env}))
    return Body(html_, tuple(env.used))


def numbers_of_blocks(content: str, *, prefix: str, marks: Mapping[int, Mark]) -> list[str]:
    """The numbers of each block of a text, without its words."""
    env = _Env(prefix, marks, passable, {}, {})
    return [_numbers((int(n) for n in MARKER.findall(block)), env) for block in content.split("\n\n")]


def _from_html(content: str, env: _Env) -> str:
    """HTML that passed the allow-list, its markers outside code replaced."""
    parts, depth = [], 0
    for part in _ANY_TAG.split(clean(content)):
        if part.startswith("<"):
            depth += (-1 if part.startswith("</") else 1) if _CODE.match(part) else 0
        elif not depth:
            part = _MARKERS.sub(lambda run: _numbers((int(n) for n in MARKER.findall(run[0])), env), part)
        parts.append(part)
    return "".join(parts)


def _numbers(sids: Iterable[int], env: _Env) -> str:
    """Numbers side by side; that of each footnote once, and what has none as it is written."""
    shown: dict[int, str] = {}
    for sid in sids:
        mark = env.marks.get(sid)
        if mark is None:
            shown[-sid] = f"[^{sid}]"
        elif mark.note not in shown:
            shown[mark.note] = _mark_html(mark, env)
    return "".join(shown.values())


def _thin_out(tokens: Sequence[Token], marks: Mapping[int, Mark]) -> None:
    """Hide the numbers that the next ones repeat: of a run of sentences from one place, the last one has them. A run
    ends with its paragraph, list or table; a sentence that leads in to a list or table belongs to it."""
    block, above, last = 0, None, _Run(0, frozenset(), ())
    for token in tokens:
        if token.level == 0 and token.nesting >= 0:
            block += not (above == "lead-in" and token.type in _LED_TO)
            above = token.type
        for run in _runs(token.children or (), marks, block):
            if run.block == last.block and run.notes == last.notes:
                for child in last.tokens:
                    child.hidden = True
            last = run
        if token.type == "inline" and token.level == 1 and above == "paragraph_open":
            text = "".join(child.content for child in token.children or () if child.type != MARK)
            above = "lead-in" if text.rstrip().endswith((":", "：")) else above


class _Run(Struct, frozen=True):
    """Numbers side by side."""

    block: int
    notes: frozenset[int]
    tokens: tuple[Token, ...]


def _runs(children: Sequence[Token], marks: Mapping[int, Mark], block: int) -> Iterator[_Run]:
    """The numbers of a line of text; of those side by side, each footnote's is shown once."""
    together: dict[int, Token] = {}
    for child in children:
        if child.type == MARK and int(child.content) in marks:
            note = marks[int(child.content)].note
            child.hidden = note in together
            together.setdefault(note, child)
        elif together and child.content.strip():
            yield _Run(block, frozenset(together), tuple(together.values()))
            together = {}
    if together:
        yield _Run(block, frozenset(together), tuple(together.values()))


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
    if name == "target":
        return "_self"
    if (tag, name) == ("img", "src"):
        return None if SCHEME.match(seen_by_browsers(value)) else passable(value)
    return value


def _mark_html(mark: Mark, env: _Env) -> str:
    """A number in the text, as a footnote reference in the markup that themes know (and DPUB-ARIA 1.1 names)."""
    href, more = (mark.href, ' target="_self"') if mark.href else (f"#{note_id(env.prefix, mark.note)}", "")
    id_ = name = ""
    if mark.note not in env.used:
        id_, name = f' id="{use_id(env.prefix, mark.note)}"', f' aria-label="{_escape(mark.label)}"'
    env.used[mark.note] = None
    kind = "cited-ref" if mark.href else "footnote-ref"
    link = f'<a class="{kind}" href="{_escape(href)}"{more} role="doc-noteref"{name}>{_escape(mark.text)}</a>'
    return f'<sup{id_} data-search-exclude="">{link}</sup>'


def code_block(
    code: str, language: str = "", title: str = "", marked: Set[int] = frozenset(), coloured: str = ""
) -> str:
    """A code block in the markup that themes style, and that their copy buttons and highlighters look for.

    Args:
        code: its text.
        language: what it is written in, where that is known.
        title: what is over it, such as the name of a file.
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
        if after is not None and after.type == MARK and int(after.content) in env["cited"].marks:
            shown = shown.rstrip(" \t")
        return _escape(shown)

    def text_special(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return _escape(tokens[idx].content)

    html_inline = text_special

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        words, title, lines = token.info.split(), _CODE_TITLE.search(token.info), _CODE_LINES.search(token.info)
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
        return f'<img src="{_escape(target)}" alt="{called}">'

    def cited_mark(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        shared: _Env = env["cited"]
        mark = shared.marks.get(int(tokens[idx].content))
        if mark is None:
            return _escape(tokens[idx].markup)
        return "" if tokens[idx].hidden else _mark_html(mark, shared)


def _escape(text: str) -> str:
    return html.escape(text, quote=True)


_RENDERER = _Renderer(PARSER)
