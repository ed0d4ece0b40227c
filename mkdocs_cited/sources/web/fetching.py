"""Brings snapshots up to date, or says what has changed since: fetches each address and finds its main text.

The main text is plain HTML that people can compare, and that is read as pages are; headings keep their anchors. A
snapshot is only ever replaced by a newer text: whatever goes wrong, the old one stays.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from enum import StrEnum
from html import escape
from urllib.parse import urlsplit

from msgspec import Struct
from selectolax.lexbor import LexborNode

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import collapse, shorten, slugify
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.sources.dom import parse
from mkdocs_cited.sources.from_files import html_of
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.client import Client, RefusedError, Reply
from mkdocs_cited.sources.web.snapshot import (
    MOST_BYTES,
    Snapshot,
    Store,
    encode,
    page_of,
)

_HTML = ("text/html", "application/xhtml+xml")
_MARKDOWN = ("text/markdown", "text/x-markdown")
_AROUND = "footer, aside, [role=banner], [role=contentinfo], [role=complementary]"
"""What is around the main text of a page that does not mark it."""
_KEPT = ("id", "class")
"""Attributes: anchors, and what says that a box is an admonition or a code block."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_BLOCK_END = re.compile(r"(</(?:p|h[1-6]|li|tr|dd|dl|ol|ul|table)>)(?!\n)")
_UNSEEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]"
)
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""


class State(StrEnum):
    """What has become of an external page."""

    NEW = "new"
    """It has no snapshot yet."""
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    """Its text or its address is another."""
    GONE = "gone"
    """It is not there any more."""
    FAILED = "failed"
    """There was no reply, or none that can be used."""


class Wanted(Struct, frozen=True):
    """A page that an entry of `extra_sources` names."""

    url: str
    """Its normal address."""
    path: str
    """Of its snapshot."""
    stored: bool
    """Whether there is a file at that path."""


class Outcome(Struct, frozen=True):
    """What came of one page."""

    url: str
    state: State
    detail: str = ""
    """In words: what changed, where it is now, why it was refused."""


def wanted(store: Store, entries: Sequence[ExtraSource]) -> list[Wanted]:
    """Return the pages that the entries name, each once.

    Raises:
        CitedError: the folder of a snapshot is a link that leads out of the folder of all.
    """
    pages: dict[str, Wanted] = {}
    for entry in entries:
        for url in addresses.pages_named(entry):
            path = addresses.snapshot_path(url)
            pages[path] = Wanted(url, path, store.locate(path).is_file())
    return list(pages.values())


def fetch(client: Client, store: Store, page: Wanted, *, check: bool) -> Outcome:
    """Fetch a page and write its snapshot, unless it is only a check.

    Raises:
        CitedError: the snapshot cannot be written.
    """
    try:
        reply = client.get(page.url)
        if reply.status in (404, 410):
            return Outcome(page.url, State.GONE, f"status {reply.status}")
        if reply.status != 200:
            raise RefusedError(f"status {reply.status}")
        text = main_text(reply)
        final_url = ""
        if reply.url != page.url:
            final_url = reply.url
        snapshot = Snapshot(
            url=page.url,
            final_url=final_url,
            title=text.title,
            language=text.language,
            fetched=datetime.date.today().isoformat(),
            body=text.html,
        )
        data = encode(snapshot)
        if len(data) > MOST_BYTES:
            raise RefusedError(f"its main text is larger than {MOST_BYTES:,} bytes")
        outcome = _compared(_before(store, page), snapshot)
    except RefusedError as error:
        return Outcome(page.url, State.FAILED, str(error))
    if not check and outcome.state is not State.UNCHANGED:
        write_atomically(store.locate(page.path), data)
    return outcome


def _before(store: Store, page: Wanted) -> Snapshot | None:
    """Return the snapshot that is stored; None where it cannot be used, so that another takes its place."""
    try:
        return store.read(page.path)
    except ValueError:
        return None


def _compared(before: Snapshot | None, now: Snapshot) -> Outcome:
    """Return what a snapshot has that the one before had not, and the other way round.

    Raises:
        RefusedError: it has no text.
    """
    new = _texts(now)
    if not new:
        raise RefusedError(
            "no text that could be cited is found in it: a script may have to draw it"
        )
    if before is None:
        return Outcome(now.url, State.NEW, f"passages: {len(new)}")
    details = []
    if now.final_url != before.final_url:
        details.append(f"found at {now.found_at}")
    old = _texts(before)
    if new != old:
        old_words = {words for *_, words in old}
        new_words = {words for *_, words in new}
        details.append(
            f"{len(old_words - new_words)} dropped, {len(new_words - old_words)} added"
        )
    if details:
        return Outcome(now.url, State.CHANGED, "; ".join(details))
    return Outcome(now.url, State.UNCHANGED)


def _texts(snapshot: Snapshot) -> list[tuple[str, ...]]:
    """Return the headings over each passage of a snapshot and its words, in order."""
    passages = extract(page_of(snapshot, "", ""), snapshot.body)
    return [
        (*passage.section.breadcrumb[1:], passage.section.anchor, passage.text)
        for passage in passages
    ]


class MainText(Struct, frozen=True):
    """The main text of a page, and what the page states about itself; empty where it does not."""

    html: str
    title: str = ""
    language: str = ""
    """BCP 47."""


def main_text(reply: Reply) -> MainText:
    """Return the main text of a reply.

    Raises:
        RefusedError: it is of a type that is not read.
    """
    declared = reply.headers.get("content-type", "").lower()
    media = declared.partition(";")[0].strip()
    text = _decoded(reply.body, declared.partition("charset=")[2].strip("\"' ;"))
    if media in _HTML:
        return _of_html(text)
    # code hosts call it plain text
    is_markdown = urlsplit(reply.url).path.lower().endswith((".md", ".markdown"))
    if media in _MARKDOWN or (media == "text/plain" and is_markdown):
        return _of_html(f"<main>{html_of(text)}</main>", anchors=True)
    if media == "text/plain":
        paragraphs = re.split(r"\n\s*\n", escape(text, quote=False))
        return _of_html("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))
    # `application/json`, `application/openapi+yaml`, `text/x-yaml`
    if media.endswith(("json", "yaml")):
        return _of_html(f"<pre><code>{escape(text, quote=False)}</code></pre>")
    raise RefusedError(
        f"it is of the type `{media[:80]}`; HTML, Markdown, JSON, YAML and plain text are read"
    )


def _visible(text: str) -> str:
    """Return the text without invisible characters: they could hide words from who reads the diff."""
    return _UNSEEN.sub("", text)


def _decoded(body: bytes, charset: str) -> str:
    """Return the text in the character set that the server states, else in UTF-8."""
    try:
        return body.decode(charset or "utf-8-sig")
    except (UnicodeError, LookupError):
        return body.decode("utf-8", "replace")


def _of_html(html: str, *, anchors: bool = False) -> MainText:
    """Return the main text of a page.

    Args:
        anchors: whether headings without an id get one that is made of their words.
    """
    main = parse(html)
    if main is None:
        return MainText("")
    title, language = _stated(main)
    if main.tag == "body":
        # inner ones first: dropping the outer frees them
        for node in reversed(main.css(_AROUND)):
            node.decompose()
    main.unwrap_tags(["span"])
    for node in main.traverse():
        for name in list(node.attributes):
            if name not in _KEPT:
                del node.attrs[name]
        if anchors and re.fullmatch("h[1-6]", node.tag or ""):
            node.attrs["id"] = slugify(node.text(), fallback="section")
    lines = _BLOCK_END.sub(r"\1\n", (main.inner_html or "").strip())
    return MainText(_visible(lines).rstrip("\n") + "\n", title, language)


def _stated(main: LexborNode) -> tuple[str, str]:
    """Return the title and the language that a page states."""
    whole = main
    while whole.tag != "html" and whole.parent is not None:
        whole = whole.parent
    title = whole.css_first("h1") or whole.css_first("head > title")
    named = ""
    if title is not None:
        named = title.text().strip().removesuffix("¶").removesuffix("#")
    language = (whole.attributes.get("lang") or "").strip()
    if not _LANGUAGE.fullmatch(language):
        language = ""
    return shorten(collapse(_visible(named)), 200), language
