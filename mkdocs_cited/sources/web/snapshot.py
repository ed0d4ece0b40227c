"""The snapshot of a page elsewhere as a value and as a file: what the page says of itself, and its main text.

The text is written and read in `blocks`; nothing is fetched here.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from mkdocs_cited.base.text import digest
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.passages import Builder
from mkdocs_cited.sources.web import blocks
from mkdocs_cited.sources.web.addresses import normal

FORMAT = 1
"""Version of the file's format."""
MOST_BYTES = 2_000_000
"""Size of a file from which it is not read or written."""
_MATTER = re.compile(r"---\n((?:[^\n]*\n)*?)---\n\n?")


class Snapshot(Struct, frozen=True):
    """A page elsewhere as it was on one day. The order of the fields is that of the file."""

    url: str
    """The normal address that the options name."""
    final_url: str = ""
    """The address that it was found under, where redirects led elsewhere."""
    title: str = ""
    language: str = ""
    """BCP 47, as the page states it."""
    author: str = ""
    fetched: str = ""
    """ISO 8601 date on which this text was first found."""
    published: str = ""
    """ISO 8601 date, where the page states one."""
    modified: str = ""
    """ISO 8601 date, where the page states one."""
    license: str = ""
    """The line in which the page states one."""
    etag: str = ""
    """Of the reply, for the next question."""
    last_modified: str = ""
    """Of the reply, as an HTTP date."""
    body: str = ""
    """The main text: see `blocks`."""

    @property
    def found_at(self) -> str:
        """Where the page is."""
        return self.final_url or self.url

    @property
    def hash(self) -> str:
        """Digest of the text, by which an edit is noticed."""
        return digest("snapshot-1", self.body)


def encode(snapshot: Snapshot) -> bytes:
    """The snapshot as a file."""
    values = {item.name: getattr(snapshot, item.name) for item in fields(snapshot) if item.name != "body"}
    matter = {"format": FORMAT, **{key: value for key, value in values.items() if value}, "hash": snapshot.hash}
    lines = "".join(f"{key}: {msgspec.json.encode(value).decode()}\n" for key, value in matter.items())
    return f"---\n{lines}---\n\n{snapshot.body}".encode()


def decode(data: bytes) -> tuple[Snapshot, int]:
    """A file as a snapshot, and the line that its text begins on.

    Raises:
        ValueError: it is none, or its text is not the one that was fetched; says why.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte 0x{data[error.start]:02x} is not UTF-8") from None
    match = _MATTER.match(text)
    if match is None:
        raise ValueError("it has no front matter")
    values = _values(match[1])
    if values.pop("format", None) != FORMAT:
        raise ValueError(f"its format is not {FORMAT}: another version of mkdocs-cited wrote it")
    hashed = values.pop("hash", "")
    known = {item.name for item in fields(Snapshot)} - {"body"}
    kept = {key: value for key, value in values.items() if key in known and isinstance(value, str)}
    if "url" not in kept:
        raise ValueError("it does not say of what address it is")
    snapshot = Snapshot(**{**kept, "body": text[match.end() :]})
    if snapshot.hash != hashed:
        raise ValueError("its text was changed since it was fetched")
    for url in (snapshot.url, snapshot.found_at):
        if normal(url) != url:
            raise ValueError("its address is not in its normal spelling")
    return snapshot, text[: match.end()].count("\n") + 1


def page_of(snapshot: Snapshot, src: str, file: str) -> Page:
    """What answers know of the page.

    Args:
        src: the path under which they know it, `web:NAME/…`.
        file: the snapshot's path for findings.
    """
    return Page(
        src=src,
        url=snapshot.found_at,
        title=snapshot.title or snapshot.found_at,
        locale=snapshot.language,
        type=SourceType.WEB,
        author=snapshot.author,
        published=snapshot.published,
        modified=snapshot.modified,
        file=file,
        fetched=snapshot.fetched,
    )


def passages_of(page: Page, body: str, first: int = 1) -> tuple[Passage, ...]:
    """The passages of a snapshot's text, which begins on the line `first` of its file; without their sentences."""
    builder = Builder(page)
    blocks.read(builder, body, first)
    return builder.document().passages


def _values(matter: str) -> dict[str, object]:
    """The front matter's keys and values: YAML of which every value is JSON, one a line, as `encode` writes it.

    Raises:
        ValueError: it is something else.
    """
    found = {}
    for line in matter.splitlines():
        key, _, value = line.partition(": ")
        try:
            found[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ValueError(f"its front matter was changed by hand: `{line[:80]}`") from None
    return found
