"""Brings snapshots up to date, or says what has changed since: the order of the steps for each address.

A snapshot is only ever replaced by a newer text: whatever goes wrong, the old one stays.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.client import Client, Refused
from mkdocs_cited.sources.web.main_text import main_text
from mkdocs_cited.sources.web.snapshot import (
    MOST_BYTES,
    Snapshot,
    Store,
    encode,
    page_of,
)


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
    reply = client.get(page.url)
    if isinstance(reply, Refused):
        return Outcome(page.url, State.FAILED, reply.reason)
    if reply.status in (404, 410):
        return Outcome(page.url, State.GONE, f"status {reply.status}")
    if reply.status != 200:
        return Outcome(page.url, State.FAILED, f"status {reply.status}")
    text = main_text(reply)
    if isinstance(text, Refused):
        return Outcome(page.url, State.FAILED, text.reason)
    snapshot = Snapshot(
        url=page.url,
        final_url=reply.url if reply.url != page.url else "",
        title=text.title,
        language=text.language,
        fetched=datetime.date.today().isoformat(),
        body=text.html,
    )
    data = encode(snapshot)
    if len(data) > MOST_BYTES:
        return Outcome(
            page.url, State.FAILED, f"its main text is larger than {MOST_BYTES:,} bytes"
        )
    outcome = _compared(_before(store, page), snapshot)
    if not check and outcome.state in (State.NEW, State.CHANGED):
        write_atomically(store.locate(page.path), data)
    return outcome


def _before(store: Store, page: Wanted) -> Snapshot | None:
    """Return the snapshot that is stored; None where it cannot be used, so that another takes its place."""
    try:
        return store.read(page.path)
    except ValueError:
        return None


def _compared(before: Snapshot | None, now: Snapshot) -> Outcome:
    """Return what a snapshot has that the one before had not, and the other way round."""
    new = _texts(now)
    if not new:
        reason = (
            "no text that could be cited is found in it: a script may have to draw it"
        )
        return Outcome(now.url, State.FAILED, reason)
    if before is None:
        return Outcome(
            now.url, State.NEW, f"{len(new)} passages" if len(new) > 1 else "1 passage"
        )
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
    return Outcome(
        now.url, State.CHANGED if details else State.UNCHANGED, "; ".join(details)
    )


def _texts(snapshot: Snapshot) -> list[tuple[str, ...]]:
    """Return the headings over each passage of a snapshot and its words, in order."""
    passages = extract(page_of(snapshot, "", ""), snapshot.body)
    return [
        (*passage.section.breadcrumb[1:], passage.section.anchor, passage.text)
        for passage in passages
    ]
