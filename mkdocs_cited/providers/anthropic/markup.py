"""What is taken out of an answer's Markdown before it is published: links, images, HTML, markup of the machinery.

Everything here is linear in the length of the text. Which HTML a page lets through is the renderer's business.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable

import markdown
import nh3

from mkdocs_cited.answer_text.markdown import code_in
from mkdocs_cited.model.source import Passage, SourceType

_LINK = re.compile(r"!?\[(?P<text>[^\[\]\n]{0,500})\]\((?:[^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?)\)")
_REFERENCE = re.compile(r"(\[(?!\^)[^\[\]\n]{1,200}\]):")
_AUTOLINK = re.compile(r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,30}:[^<>\s]{1,2000}|[^<>\s@]{1,200}@[^<>\s@]{1,200})>")
_BARE = re.compile(r"\b(?:(?:https?|ftp)://|www\.)[^\s<>\"'`\[\])]{1,2000}", re.IGNORECASE)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]{0,500}\}")
_INCLUDE = re.compile(r"-{1,}8<-{1,}")
_LEAKED = re.compile(
    r"</?(?:cite|antml|search_result)\b|\[\^\d{1,9}\]|\[\[(?:S|NOT-DOCUMENTED|NEAREST)\b", re.IGNORECASE
)
REMOVED = "(link removed)"
"""What is in place of an address that no cited passage names."""
_TAGS = frozenset(
    (
        *("a", "blockquote", "br", "code", "em", "li", "ol", "p", "pre", "strong"),
        *("table", "tbody", "td", "th", "thead", "tr", "ul"),
    )
)


def leaked(text: str) -> str:
    """Markup of the machinery that the model wrote into its prose itself, or nothing.

    Such a marker would be read as one of ours: `<cite index=…>` is a known leak of the API, and a page may ask the
    model to write `[^1]`.
    """
    found: list[str] = []

    def look(prose: str) -> str:
        found.extend(match[0] for match in _LEAKED.finditer(html.unescape(prose)))
        return prose

    _outside_code(text, look)
    return found[0] if found else ""


def addresses_of(passages: Iterable[Passage]) -> frozenset[str]:
    """The addresses that passages name, for comparing. A note's may not reach the site."""
    public = (passage for passage in passages if passage.page.type is not SourceType.NOTE)
    texts = (f"{passage.text} {passage.links}" for passage in public)
    return frozenset(_bare(match[0].rstrip(".,;:!?")) for text in texts for match in _BARE.finditer(text))


def cleaned(text: str, named: frozenset[str] = frozenset()) -> str:
    """The Markdown without links, images, raw HTML, attribute lists, and addresses other than those named; code is left
    alone."""

    def clean(prose: str) -> str:
        prose = _REFERENCE.sub(r"\1 :", prose)  # no longer the definition of a link
        prose = _AUTOLINK.sub(lambda match: _address(match["url"], named), _LINK.sub(r"\g<text>", prose))
        prose = _BARE.sub(lambda match: _address(match[0], named), prose)
        prose = _ATTRIBUTES.sub("", prose)
        return _INCLUDE.sub("--8--", _TAG.sub("&lt;", prose))

    return _outside_code(text, clean)


def plain(text: str, named: frozenset[str]) -> str:
    """A string of data without tags and strange addresses: a template may put it anywhere, so code is no exception."""
    text = _BARE.sub(lambda match: _address(match[0], named), _LINK.sub(r"\g<text>", text))
    return _TAG.sub("&lt;", text)


def as_html(text: str) -> str:
    """Markdown that was cleaned as an HTML fragment, its `[^n]` as they are: what programs see there is theirs."""
    made = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists"])
    return nh3.clean(made, tags=set(_TAGS), attributes={"code": {"class"}}, link_rel=None).strip()


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` made to what is between its pieces of code."""
    out, at = [], 0
    for code in code_in(text):
        out += [change(text[at : code.start]), text[code.start : code.end]]
        at = code.end
    return "".join([*out, change(text[at:])])


def _address(url: str, named: frozenset[str]) -> str:
    """An address in the text: as it is if it is named, otherwise a note that it was taken out."""
    kept = url.rstrip(".,;:!?")
    return url if _bare(kept) in named else REMOVED + url[len(kept) :]


def _bare(url: str) -> str:
    """An address for comparing: scheme and host in small letters, as they count (RFC 3986 §6.2.2.1)."""
    head, mark, rest = url.strip().rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    return f"{head.lower()}{mark}{host.lower()}{slash}{path}" if mark else head
