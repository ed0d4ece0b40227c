"""What stands in an answer's Markdown besides prose: code, links, tags; and the removal of what may not stand there.

Everything here is linear in the length of the text. Which HTML a page lets through is the renderer's business.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from urllib.parse import unquote, urlsplit

from mkdocs_cited.answer_text.markdown import code_in
from mkdocs_cited.model.source import Page, Passage

_LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>[^\[\]\n]{0,500})\]\((?P<inner>[^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?)\)"
)
_REFERENCE = re.compile(r"(\[(?!\^)[^\[\]\n]{1,200}\]):")
_AUTOLINK = re.compile(r"<(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,30}:[^<>\s]{1,2000}|[^<>\s@]{1,200}@[^<>\s@]{1,200})>")
_BARE = re.compile(r"\b(?:(?:https?|ftp)://|www\.)[^\s<>\"'`\[\])]{1,2000}", re.IGNORECASE)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]{0,500}\}")
_INCLUDE = re.compile(r"-{1,}8<-{1,}")
_LEAKED = re.compile(
    r"</?(?:cite|antml|search_result)\b|\[\^\d{1,9}\]|\[\[(?:S|USAGE|NOT-DOCUMENTED|NEAREST)\b", re.IGNORECASE
)
REMOVED = "(link removed)"
"""What stands where an address stood that no cited passage names."""


def closed(text: str) -> str:
    """The text with the closing fence that its last code block may lack."""
    last = code_in(text)[-1:]
    return f"{text.rstrip()}\n{last[0].open}" if last and last[0].open else text


def leaked(text: str) -> str:
    """Markup of the machinery that the model wrote into its prose itself, or nothing.

    Such a marker would be read as one of ours: `<cite index=…>` is a known leak of the API, and a page may ask the
    model to write `[^1]`.
    """
    found: list[str] = []

    def look(prose: str) -> str:
        found.extend(match[0] for match in _LEAKED.finditer(html.unescape(prose)))
        return prose

    outside_code(text, look)
    return found[0] if found else ""


class Links:
    """Where an answer's links may lead: to the site's own pages, and to addresses that the cited passages name."""

    def __init__(self, pages: Callable[[], Iterable[Page]], cited: Iterable[Passage]) -> None:
        """`pages` is asked at the first link: most answers have none, and a site may have 20,000 pages."""
        self._pages = pages
        self._cited = tuple(cited)

    @cached_property
    def pages(self) -> frozenset[str]:
        """Paths and addresses of the site's pages."""
        return frozenset(name for page in self._pages() for name in (page.src, page.url.strip("/")) if name)

    @cached_property
    def named(self) -> frozenset[str]:
        """Addresses that the cited passages name."""
        texts = (f"{passage.text} {passage.links}" for passage in self._cited)
        return frozenset(found for text in texts for found in _addresses(text))

    def allow(self, url: str) -> bool:
        """Whether a link may lead there."""
        url = url.strip()
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if parts.scheme or parts.netloc or "\\" in url or any(char < " " for char in url):
            return _bare(url) in self.named
        path = posixpath.normpath(unquote(parts.path)).strip("/").removeprefix("../") if parts.path else ""
        while path.startswith("../"):
            path = path[3:]
        return path in ("", ".") or path in self.pages or path.removesuffix("/index.html") in self.pages


def without_strange_links(text: str, links: Links) -> str:
    """The Markdown with images, raw HTML, attribute lists and links to elsewhere made plain text, code left alone."""

    def clean(prose: str) -> str:
        prose = _REFERENCE.sub(r"\1 :", prose)  # no longer the definition of a link
        prose = _LINK.sub(lambda match: _link(match, links), prose)
        prose = _AUTOLINK.sub(lambda match: _address(match["url"], links), prose)
        prose = _BARE.sub(lambda match: _address(match[0], links, bare=True), prose)
        prose = _ATTRIBUTES.sub("", prose)
        return _INCLUDE.sub("--8--", _TAG.sub("&lt;", prose))

    return outside_code(text, clean)


def plain(text: str, links: Links) -> str:
    """A string of data without tags and strange addresses: a template may put it anywhere, so code is no exception."""
    text = _LINK.sub(lambda match: _link(match, links), text)
    text = _BARE.sub(lambda match: _address(match[0], links, bare=True), text)
    return _TAG.sub("&lt;", text)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` made to what stands between its pieces of code."""
    out, at = [], 0
    for code in code_in(text):
        out += [change(text[at : code.start]), text[code.start : code.end]]
        at = code.end
    return "".join([*out, change(text[at:])])


def _link(match: re.Match[str], links: Links) -> str:
    inner = match["inner"].strip()
    url = inner.split()[0].strip("<>") if inner else ""
    if match["image"] or not links.allow(url):
        return match["text"]
    return f"[{match['text']}]({url})"


def _address(url: str, links: Links, *, bare: bool = False) -> str:
    """An address in the text: as it is if it may be a link, otherwise a note that it was taken out."""
    kept = url.rstrip(".,;:!?") if bare else url
    return url if links.allow(kept) else REMOVED + url[len(kept) :]


def _addresses(text: str) -> set[str]:
    """The addresses that stand in a text."""
    found = {_bare(match[0].rstrip(".,;:!?")) for match in _BARE.finditer(text)}
    return found | {_bare(word) for word in text.split() if word.startswith("mailto:")}


def _bare(url: str) -> str:
    """An address for comparing: scheme and host in small letters, as they count (RFC 3986 §6.2.2.1)."""
    head, mark, rest = url.strip().rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    return f"{head.lower()}{mark}{host.lower()}{slash}{path}" if mark else head
