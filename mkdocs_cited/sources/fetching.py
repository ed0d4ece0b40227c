"""Fetches external pages that a maintainer names, within bounds, and stores their main text as snapshots. Only here is
`httpx2` imported.

Addresses begin with `https:`, but for hosts that the option `web.private_hosts` names. A redirect is followed on its
own host only. A reply's size and time are bounded. No cookies, proxies or credentials are taken from the environment.

The main text is plain HTML that people can compare, and that is read as pages are; headings keep their anchors. A
snapshot is only ever replaced by a newer text: whatever goes wrong, the old one stays.
"""

from __future__ import annotations

import datetime
import re
import time
from collections.abc import Mapping
from enum import StrEnum
from html import escape
from urllib.parse import urlsplit

import httpx2
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited import __version__
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import collapse, shorten, slugify, tag_of
from mkdocs_cited.model.options import ExtraSource, Web
from mkdocs_cited.sources.dom import HEADINGS, parse
from mkdocs_cited.sources.from_files import html_of
from mkdocs_cited.sources.from_html import read
from mkdocs_cited.sources.snapshots import (
    MOST_BYTES,
    Snapshot,
    Store,
    encode,
    is_in_the_clear,
    page_of,
)

MOST_FETCHED = 5_000_000
"""Bytes of one reply, unpacked."""
MOST_SECONDS = 30.0
"""One request may take, from the connection to the last byte."""
MOST_REDIRECTS = 5
_ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9"
_HTML = ("text/html", "application/xhtml+xml")
_MARKDOWN = ("text/markdown", "text/x-markdown")
_AROUND = "footer, aside, [role=banner], [role=contentinfo], [role=complementary]"
"""What is around the main text of a page that does not mark it."""
_KEPT = ("id", "class")
"""Attributes: anchors, and what says that a box is an admonition or a code block."""
_BLOCK_END = re.compile(r"(</(?:p|h[1-6]|li|tr|dd|dl|ol|ul|table)>)(?!\n)")
_UNSEEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\U000dffff\U000e0100-\U0010fffd]"
)
"""Control characters, signs that turn the direction of text around, and tags: what a person does not see in a diff."""


class Reply(Struct, frozen=True):
    """What a server sent."""

    url: str
    """The address behind all redirects."""
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class RefusedError(Exception):
    """There is no reply, or none that can be used; says why."""


class Client:
    """One run's requests, one after the other."""

    def __init__(
        self, options: Web, project: str = "", seconds: float = MOST_SECONDS
    ) -> None:
        """Nothing is asked yet.

        Args:
            options: the block `web`.
            project: address of whose documentation this is, for the user agent; empty when it is not known.
            seconds: that one request may take.
        """
        self._own_hosts = options.private_hosts
        self._seconds = seconds
        agent = f"mkdocs-cited/{__version__}"
        if project:
            agent += f" (+{project})"
        self._http = httpx2.Client(
            headers={"User-Agent": agent, "Accept": _ACCEPT},
            timeout=seconds,
            trust_env=False,
            follow_redirects=True,
            max_redirects=MOST_REDIRECTS,
            event_hooks={"response": [_refuse_other_hosts]},
        )

    def close(self) -> None:
        """End all connections."""
        self._http.close()

    def get(self, url: str) -> Reply:
        """Return the reply for an address, behind the redirects of its host to itself.

        Raises:
            RefusedError: there is none within the bounds.
        """
        if is_in_the_clear(url, self._own_hosts):
            raise RefusedError(
                "its address begins with `http:`, and its host is not in the option `web.private_hosts`"
            )
        late = f"it took longer than {self._seconds:g} seconds"
        end = time.monotonic() + self._seconds
        body = bytearray()
        try:
            with self._http.stream("GET", url) as response:
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > MOST_FETCHED:
                        raise RefusedError(f"it is larger than {MOST_FETCHED:,} bytes")
                    if time.monotonic() > end:
                        raise RefusedError(late)
        except httpx2.TimeoutException:
            raise RefusedError(late) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = str(error) or type(error).__name__
            raise RefusedError(f"it cannot be fetched: {reason}") from None
        if response.history:
            url = str(response.url.copy_with(fragment=None))
        return Reply(url, response.status_code, dict(response.headers), bytes(body))


def _refuse_other_hosts(response: httpx2.Response) -> None:
    """Refuse a redirect to another host, or from `https:` to `http:`."""
    if response.has_redirect_location:
        here, there = response.url, response.url.join(response.headers["location"])
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise RefusedError(
                f"it redirects to another host; if it moved, name {there} in the options"
            )


class State(StrEnum):
    """What has become of an external page."""

    NEW = "new"
    """It had no snapshot yet."""
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    """Its text is another."""
    GONE = "gone"
    """It is not there any more."""
    FAILED = "failed"
    """There was no reply, or none that can be used."""


class Outcome(Struct, frozen=True):
    """What came of one page."""

    state: State
    detail: str = ""
    """In words: where it is now, why it was refused."""


def fetch(client: Client, store: Store, entry: ExtraSource) -> Outcome:
    """Fetch the page of an entry, and write its snapshot if the text has changed.

    Raises:
        CitedError: the snapshot cannot be written, or its folder is a link that leads out of the folder of all.
    """
    try:
        reply = client.get(entry.url)
        if reply.status in (404, 410):
            return Outcome(State.GONE, f"status {reply.status}")
        now = _snapshot_of(reply, entry.url)
    except RefusedError as error:
        return Outcome(State.FAILED, str(error))
    try:
        before = store.read(entry)
    except ValueError:  # it cannot be used, and another takes its place
        before = None
    detail = ""
    if reply.url != entry.url:
        detail = f"found at {reply.url}"
    state = State.CHANGED
    if before is None:
        state = State.NEW
    elif _texts(before) == _texts(now):
        return Outcome(State.UNCHANGED, detail)
    write_atomically(store.locate(entry), encode(now))
    return Outcome(state, detail)


def _texts(snapshot: Snapshot) -> list[tuple[str, ...]]:
    """The headings over each passage of a snapshot and its words, in order."""
    texts = []
    for passage in read(page_of(snapshot, "", ""), snapshot.body).passages:
        section = passage.section
        texts.append((*section.breadcrumb[1:], section.anchor, passage.text))
    return texts


def _snapshot_of(reply: Reply, url: str) -> Snapshot:
    """Return the main text of a reply for an address, and what the page states about itself.

    Raises:
        RefusedError: it has no main text that could be cited, or is of a type that is not read.
    """
    if reply.status != 200:
        raise RefusedError(f"status {reply.status}")
    today = datetime.date.today().isoformat()
    snapshot = replace(main_text(reply), url=url, fetched=today)
    if len(encode(snapshot)) > MOST_BYTES:
        raise RefusedError(f"its main text is larger than {MOST_BYTES:,} bytes")
    if not _texts(snapshot):
        raise RefusedError(
            "no text that could be cited is found in it: a script may have to draw it"
        )
    return snapshot


def main_text(reply: Reply) -> Snapshot:
    """Return the main text of a reply, by its type."""
    declared = reply.headers.get("content-type", "").lower()
    media = declared.partition(";")[0].strip()
    text = _decoded(reply.body, declared.partition("charset=")[2].strip("\"' ;"))
    if media in _HTML:
        return _of_html(text)
    # code hosts call it plain text
    is_markdown = urlsplit(reply.url).path.lower().endswith((".md", ".markdown"))
    if media in _MARKDOWN or (media == "text/plain" and is_markdown):
        return _of_html(f"<main>{html_of(text)}</main>", anchors=True)
    text = escape(text, quote=False)
    if media == "text/plain":
        return _of_html("<p>" + re.sub(r"\n\s*\n", "</p><p>", text))
    # `application/json`, `application/openapi+yaml`, `text/x-yaml`
    if media.endswith(("json", "yaml")):
        return _of_html(f"<pre><code>{text}</code></pre>")
    raise RefusedError(
        f"it is of the type `{media[:80]}`; HTML, Markdown, JSON, YAML and plain text are read"
    )


def _decoded(body: bytes, charset: str) -> str:
    """Return the text in the character set that the server states, else in UTF-8."""
    try:
        return body.decode(charset or "utf-8-sig")
    except (UnicodeError, LookupError):
        return body.decode("utf-8", "replace")


def _of_html(html: str, *, anchors: bool = False) -> Snapshot:
    """Return the main text of a page.

    Args:
        anchors: whether headings without an id get one that is made of their words.
    """
    main = parse(html)
    whole = main.parser.root or main
    named = whole.css_first("h1") or whole.css_first("head > title")
    title = ""
    if named is not None:
        title = named.text().strip().removesuffix("¶").removesuffix("#")
    if main.tag == "body":
        # inner ones first: dropping the outer frees them
        for node in reversed(main.css(_AROUND)):
            node.decompose()
    main.unwrap_tags(["span"])
    for node in main.traverse():
        for name in list(node.attributes):
            if name not in _KEPT:
                del node.attrs[name]
        if anchors and node.tag in HEADINGS:
            node.attrs["id"] = slugify(node.text(), fallback="section")
    lines = _BLOCK_END.sub(r"\1\n", (main.inner_html or "").strip())
    return Snapshot(
        url="",
        title=shorten(collapse(_visible(title)), 200),
        language=tag_of(whole.attributes.get("lang")),
        body=_visible(lines).rstrip("\n") + "\n",
    )


def _visible(text: str) -> str:
    """Return the text without invisible characters: they could hide words from who reads the diff."""
    return _UNSEEN.sub("", text)
