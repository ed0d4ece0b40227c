"""From the bytes of a reply to text: of a type that can be read, in the character set that it is written in."""

from __future__ import annotations

import codecs
import re
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from mkdocs_cited.sources.web.client import Refused, Reply

Kind = Literal["html", "markdown", "text"]
_KINDS: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
}
_CHARSET = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
MOST_TAGS = 150_000
"""Tags of a page: finding its main text takes up to 50 µs for each, seven seconds in all."""
MOST_MARKDOWN = 1_000_000
"""Characters of Markdown or plain text: reading the worst of it takes 10 µs for each, ten seconds in all."""
_MOST_BAD = 0.01
"""Share of characters that may be unreadable, as browsers show them: `�`."""
_CODECS = re.compile(r"utf-?(?:8|16)|iso-?8859-\d+|windows-\d+|cp\d+|koi8-[ru]|big5|gb\w+|euc-\w+|shift_jis|ascii")


class Content(Struct, frozen=True):
    """The text of a page."""

    kind: Kind
    text: str


def content_of(reply: Reply) -> Content | Refused:
    """The text of a reply, or why it cannot be read."""
    declared = reply.headers.get("content-type", "").lower()
    media = declared.partition(";")[0].strip()
    if media not in _KINDS:
        named = f"`{media[:80]}`" if media else "of no stated type"
        return Refused(f"it is {named}; HTML, Markdown and plain text are read")
    kind = _KINDS[media]
    if kind == "text" and urlsplit(reply.url).path.lower().endswith((".md", ".markdown")):
        kind = "markdown"  # as code hosts serve it
    text = _decoded(reply.body, declared.partition("charset=")[2])
    if "\0" in text or text.count("\ufffd") > _MOST_BAD * len(text):
        return Refused("its bytes are not text in the character set that it states")
    if kind == "html" and text.count("<") > MOST_TAGS:
        return Refused(f"it has more than {MOST_TAGS:,} tags")
    if kind != "html" and len(text) > MOST_MARKDOWN:
        return Refused(f"it has more than {MOST_MARKDOWN:,} characters")
    return Content(kind, text)


def _decoded(body: bytes, declared: str) -> str:
    """The text in the first character set that explains every byte; else as a browser shows it.

    A byte order mark beats the header, the header beats the page (HTML §13.2.3.2).
    """
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    stated = _CHARSET.search(body[:4096])
    names = (declared.strip("\"' ;"), stated[1].decode("ascii", "replace") if stated else "", "utf-8")
    for name in names:
        if _CODECS.fullmatch(name.lower()):
            try:
                # Whoever says Latin-1 means windows-1252 (Encoding Standard §4.2).
                latin = re.fullmatch(r"iso-?8859-1|ascii", name.lower())
                return body.removeprefix(codecs.BOM_UTF8).decode("cp1252" if latin else name)
            except (UnicodeError, LookupError):
                continue
    return body.decode("utf-8", "replace")
