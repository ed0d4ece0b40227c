"""The pages of a built site: which files they are, their main content, the answers that they show, where others go in
them, and what they load for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from pathspec.gitignore import GitIgnoreSpec
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.html import (
    added,
    end_of,
    instead,
    offset,
    original,
    parsed,
    placed,
    restored,
    with_code,
)
from mkdocs_cited.base.text import collapse, tag_of
from mkdocs_cited.model.declaration import ATTRIBUTE, CLAIMS, MARKDOWN, MARKER, SLOT
from mkdocs_cited.sources.marks import marks_in, with_marks

MAIN = (
    "article.md-content__inner", "[role=main]", "main article:has(h1)", ".vp-doc", "main .markdown",
    ".main-wrapper:has(> header h1)", "main", "article", "body",
)  # fmt: skip
"""Where themes put a page's content, most telling first; an article without its heading may be a card."""
LISTINGS = frozenset(
    (
        "404.html",
        "search.html",
        "genindex.html",
        "py-modindex.html",
        "search/index.html",
    )
)
"""Pages that generators add to those of authors."""
_ANSWER = "[data-cited-answer]"
_EXTRAS = "sup, script, style, .cited-abstained, .cited-state, .cited-foot, .cited-foot ~ .cited-aside, .cited-notice"
"""What an answer shows besides its text; where there is none, hosts without an index point to nothing."""
_NOT_AUTHORS = (
    ".toctree-wrapper, .theme-doc-toc-mobile, .theme-doc-footer, .pagination-nav, .breadcrumbs, .VPDocFooter, "
    "[class*=language-] > .lang, [role=tablist], .sd-tab-label"
)
"""Lists of other pages, ways to them, names of a code block's language and labels of tabs, within the content of
Sphinx, Docusaurus and VitePress."""
_CLASSES = {
    ".vp-code-group > .tabs": "tabbed-labels",
    ".vp-code-group > .blocks": "tabbed-content",
    ".vp-code-group > .blocks > *": "tabbed-block",
    ".sd-tab-content ~ .sd-tab-content": "tabbed-block",
    "[role=tabpanel]": "tabbed-block",
    ".starlight-aside, .theme-admonition": "admonition",
    ".starlight-aside__title": "admonition-title",
}
"""Content tabs and boxes of VitePress, sphinx-design, Starlight and Docusaurus, and the classes by which those of
Markdown are known."""


_WRITTEN = r"(?P<open><p\b[^<>]{0,500}>)\s{0,20}\[answer:\s{0,20}(?P<written>[^\s<>\[\]]{1,200})\s{0,20}\]\s{0,20}</p>"
_SHOWN = re.compile(
    r'<div\b[^<>]*\bdata-cited-answer="[^"<>]*#(?P<id>[^"#<>]+)"[^<>]*>'
)
"""How an answer begins that the plugin shows."""
_PLACE = re.compile(f"{SLOT.pattern}|{_WRITTEN}")
"""Where an answer goes: a comment, or a paragraph that says `[answer: ID]`, which every generator leaves as it is."""


class BuiltPage(Struct, frozen=True):
    """A page as its file shows it."""

    title: str
    locale: str
    """BCP 47, or empty where the page does not say."""
    html: str
    """Its main content, with the marker of each answer in its answer's place. Elements know their offset in `whole`
    (`base.html`)."""
    whole: str
    """All that its generator wrote, with the same markers (`with_places`)."""
    answers: Mapping[str, str]
    """Key of each answer that it shows → its words (`words_of`)."""
    outside: tuple[str, ...]
    """What the marks say that are not in its main content."""


def sources(docs: Path, *, folders: bool, excluded: str = "") -> dict[str, str]:
    """Path of each page under the folder of the docs → path of its file in the site, as MkDocs and Zensical have it.

    Args:
        docs: the folder.
        folders: whether each page gets a folder of its own (`use_directory_urls`).
        excluded: what `exclude_docs` says, a pattern of `.gitignore` a line.
    """
    left_out = GitIgnoreSpec.from_lines((".*", "/templates/", *excluded.splitlines()))
    found: dict[str, str] = {}
    for file in sorted(docs.rglob("*")):
        src = file.relative_to(docs)
        is_readme = src.stem == "README" and not file.with_stem("index").is_file()
        if file.suffix not in MARKDOWN or left_out.match_file(src):
            continue
        if src.stem == "index" or is_readme:
            built = src.with_name("index.html")
        elif src.stem == "README":
            continue
        elif folders:
            built = src.with_suffix("") / "index.html"
        else:
            built = src.with_suffix(".html")
        found[src.as_posix()] = built.as_posix()
    return found


def url_of(path: str) -> str:
    """The address of a file of a site, relative to its root: that of the folder for an `index.html`."""
    folder, _, name = path.rpartition("/")
    if name != "index.html":
        return path
    if folder:
        return f"{folder}/"
    return ""


def page_files(site: Path) -> Iterator[str]:
    """Path in the site of each file that may be an author's page, sorted."""
    for file in sorted(site.rglob("*.html")):
        path = file.relative_to(site).as_posix()
        is_hidden = any(part.startswith(("_", ".")) for part in path.split("/"))
        if path not in LISTINGS and not is_hidden and file.is_file():
            yield path


def read_page(
    file: Path,
    main: str = "",
    asked: Mapping[str, str] = MappingProxyType({}),
    *,
    level: int = 2,
) -> BuiltPage | None:
    """One page; nothing for what is no page of an author's: it only leads on, or asks search engines not to list it.

    Args:
        file: the page.
        main: CSS selector of the main content, where none of `MAIN` is right.
        asked: id and question of each answer that the page declares.
        level: of the heading over an answer that has no place yet.

    Raises:
        UsageError: the selector cannot be read.
    """
    text = file.read_bytes().decode("utf-8", "replace")
    whole = with_places(original(text), asked)
    tree = parsed(placed(whole))
    leads_on_or_hides = tree.css_first(
        'meta[http-equiv="refresh" i], meta[name="robots" i][content*="noindex" i], '
        'meta[name="robots" i][content="none" i]'
    )
    content = _main_of(tree, main)
    if leads_on_or_hides is not None or content is None:
        return None
    start = max(0, offset(content))
    end = end_of(whole, start)
    inside = whole[start:end]
    marked = inside
    if "[@" in whole or ATTRIBUTE in whole:
        marked = with_marks(inside, _element)
    if marked != inside:
        whole = whole[:start] + marked + whole[end:]
        end = start + len(marked)
        tree = parsed(placed(whole))
        content = _main_of(tree, main) or content
    for node in content.css(_NOT_AUTHORS):
        node.decompose()
    _name_blocks(content)
    root = tree.css_first("html")
    locale = ""
    if root is not None:
        locale = tag_of(root.attributes.get("lang"))
    marks = chain(marks_in(whole[:start]), marks_in(whole[end:]))
    below = _missing(whole, asked, level)
    if marked != inside:
        below += added(f"<!-- answer: {CLAIMS} -->")
    return BuiltPage(
        _title_of(tree, content),
        locale,
        html=content.html or "",
        whole=whole[:end] + below + whole[end:],
        answers=answers_in(text),
        outside=tuple(mark.target for mark in marks),
    )


def answers_in(html: str) -> dict[str, str]:
    """Key of each answer in a piece of HTML → its words."""
    if "data-cited-answer" not in html:
        return {}
    nodes = LexborHTMLParser(html).css(_ANSWER)
    return {
        node.attributes.get("data-cited-answer") or "": words_of(node) for node in nodes
    }


def words_of(node: LexborNode) -> str:
    """The letters and digits that an answer shows, its sources aside. They are taken out of the node."""
    for extra in node.css(_EXTRAS):
        extra.decompose()
    return "".join(filter(str.isalnum, node.text()))


def _name_blocks(content: LexborNode) -> None:
    """Write headings, tabs and boxes as they are known: a heading has the id of the section that it opens, which Sphinx
    gives to that; what is in a closed tab is read, and a text fragment does not find it."""
    for heading in content.css(
        ":is(section, div.section)[id] > :is(h1, h2, h3, h4, h5, h6)"
    ):
        section = heading.parent
        if section is not None and "id" not in heading.attributes:
            heading.attrs["id"] = section.attributes["id"] or ""
            del section.attrs["id"]
    for selector, name in _CLASSES.items():
        for node in content.css(selector):
            node.attrs["class"] = f"{node.attributes.get('class') or ''} {name}".strip()
            if "hidden" in node.attributes:
                del node.attrs["hidden"]
    if content.tag == "div":  # the home page of Docusaurus
        for node in list(content.iter()):
            if node.tag in ("header", "main"):
                node.unwrap()
    for node in content.css("[class*=admonitionHeading]"):
        title = LexborHTMLParser(
            f'<p class="admonition-title">{escape(collapse(node.text()))}</p>'
        ).css_first("p")
        if title is not None:
            node.replace_with(title)


def _main_of(tree: LexborHTMLParser, main: str) -> LexborNode | None:
    if not main:
        return next(
            (node for node in map(tree.css_first, MAIN) if node is not None), None
        )
    try:
        return tree.css_first(main)
    except SelectolaxError as error:
        raise UsageError(
            f"`main: {main}` is not a CSS selector",
            tip="write one such as `main: article.docs`",
        ) from error


def _title_of(tree: LexborHTMLParser, content: LexborNode) -> str:
    """The first heading of the content, without the sign of its permanent link; else the document's title."""
    heading = content.css_first("h1")
    if heading is not None:
        for link in heading.css(
            ".headerlink, .header-anchor, .hash-link, [aria-hidden=true]"
        ):
            link.decompose()
        title = collapse(heading.text())
        if title:
            return title
    title_node = tree.css_first("title")
    if title_node is not None:
        return collapse(title_node.text())
    return ""


def with_places(html: str, known: Collection[str]) -> str:
    """A page, as its generator wrote it, in which each place of an answer is `<!-- answer: ID -->`, and tells what it
    replaces. Where the plugin has built the page, answers with a known id are in their places already."""
    pieces, last = [], 0
    for shown in _SHOWN.finditer(html):
        if shown.start() >= last and shown["id"] in known:
            end = html.find(">", end_of(html, shown.start())) + 1
            pieces += [html[last : shown.start()], f"<!-- answer: {shown['id']} -->"]
            last = end or len(html)
    return _PLACE.sub(_place, "".join([*pieces, html[last:]]))


def _place(match: re.Match[str]) -> str:
    marker = f"<!-- answer: {match['written'] or match['id']} -->"
    if match["written"]:
        return instead(marker, was=match[0])
    return added(marker, was=match[0])


def _element(said: str, was: str) -> str:
    return added(f'<span {ATTRIBUTE}="{escape(said)}"></span>', was=was)


def _missing(html: str, asked: Mapping[str, str], level: int) -> str:
    """A place for each answer that has none in a page, below its question as a heading of this level."""
    there = MARKER.findall(html)
    missing = ""
    for name, question in asked.items():
        if name not in there:
            text = with_code(question)
            missing += f'<h{level} id="{escape(name)}">{text}</h{level}>\n<!-- answer: {name} -->\n'
    if missing:
        return added(missing)
    return ""


def without_empty(html: str) -> str:
    """A page without the places that no answer or citation came to: with what was there."""
    return restored(
        html,
        rf'(?:<!-- answer: [^<>]{{1,200}} -->|<span {ATTRIBUTE}="[^"<>]*"></span>)',
    )


def with_assets(html: str, addresses: Iterable[str]) -> str:
    """A whole page that loads these style sheets and scripts."""
    tags = []
    for address in addresses:
        if address.endswith(".css"):
            tags.append(f'<link rel="stylesheet" href="{address}">')
        else:
            tags.append(f'<script src="{address}" defer></script>')
    head = next(re.finditer("</head>|<body|$", html, re.IGNORECASE))
    at = head.start()
    return html[:at] + added("".join(tags)) + html[at:]
