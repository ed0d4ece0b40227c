"""From the bytes of a reply to text: of a type that can be read, in the character set that it is written in."""

from __future__ import annotations

import codecs
import re
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from mkdocs_cited.sources.web.replies import Refused, Reply

Kind = Literal["html", "markdown", "text"]
_KINDS: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_PROLOGUE = 4096
"""Bytes in which a page may state its character set."""
MOST_TAGS = 150_000
"""Tags of a page: finding its main text takes up to 50 µs for each, seven seconds in all."""
MOST_MARKDOWN = 1_000_000
"""Characters of Markdown or plain text: reading the worst of it takes 10 µs for each, ten seconds in all."""
_MOST_BAD = 0.01
"""Share of signs that may be unreadable, as browsers show them: `�`."""
_LATIN = frozenset(("iso8859-1", "ascii"))
"""What the Encoding Standard takes for windows-1252."""
_NONE = frozenset(("utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"))
"""Python's own, which no browser reads."""


class Content(Struct, frozen=True):
    """The text of a page."""

    kind: Kind
    text: str
    bad: int = 0
    """Bytes that no character set explains, each shown as `�`."""


def content_of(reply: Reply) -> Content | Refused:
    """The text of a reply, or why it cannot be read."""
    declared = reply.headers.get("content-type", "")
    media = declared.partition(";")[0].strip().lower()
    if media not in _KINDS:
        named = f"`{media[:80]}`" if media else "of no stated type"
        return Refused(f"it is {named}; HTML, Markdown and plain text are read")
    kind = _KINDS[media]
    if kind == "text" and urlsplit(reply.url).path.lower().endswith((".md", ".markdown")):
        kind = "markdown"  # as code hosts serve it
    text = _decoded(reply.body, _charsets(declared, reply.body if kind == "html" else b""))
    bad = text.count("\ufffd")
    if "\0" in text or bad > _MOST_BAD * len(text):
        return Refused("its bytes are not text in the character set that it states")
    if kind == "html" and text.count("<") > MOST_TAGS:
        return Refused(f"it has more than {MOST_TAGS:,} tags")
    if kind != "html" and len(text) > MOST_MARKDOWN:
        return Refused(f"it has more than {MOST_MARKDOWN:,} characters")
    return Content(kind, text, bad)


def _charsets(declared: str, html: bytes) -> list[str]:
    """The character sets that a page may be in, likeliest first (HTML §13.2.3.2)."""
    found = _CHARSET.search(declared)
    stated = _META.search(html[:_PROLOGUE])
    names = [found[1] if found else "", stated[1].decode("ascii", "replace") if stated else "", "utf-8"]
    known = []
    for name in filter(None, names):
        try:
            codec = codecs.lookup(name).name
        except LookupError:
            continue
        if codec not in _NONE:
            known.append("cp1252" if codec in _LATIN else codec)
    return list(dict.fromkeys(known))


def _decoded(body: bytes, charsets: list[str]) -> str:
    """The text in the first character set that explains every byte; else as a browser shows it."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace")
    for charset in charsets:
        try:
            return body.decode(charset)
        except (UnicodeError, LookupError):  # a codec that gives no text is none
            continue
    return body.decode("utf-8", "replace")
