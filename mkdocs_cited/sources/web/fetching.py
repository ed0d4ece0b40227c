"""Brings snapshots up to date, or says what has changed since: the order of the steps for each address.

How an address is asked is `client`'s, how a page is cut is `cut`'s. A snapshot is only ever replaced by a newer text:
whatever goes wrong, the old one stays.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.model.options import ExtraSource
from mkdocs_cited.sources.from_html import extract
from mkdocs_cited.sources.web import addresses
from mkdocs_cited.sources.web.client import Client, Refused, Reply
from mkdocs_cited.sources.web.cut import body_of, content_of, cut, visible
from mkdocs_cited.sources.web.snapshot import MOST_BYTES, Snapshot, Store, encode, page_of


class State(StrEnum):
    """What has become of an external page."""

    NEW = "new"
    """It has no snapshot yet."""
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    """Its text or its address is another."""
    GONE = "gone"
    """It is not there any more."""
    REFUSED = "refused"
    """It may not be fetched, or cannot be read."""
    FAILED = "failed"
    """There was no reply this time."""


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

    page: Wanted
    state: State
    detail: str = ""
    """In words: what changed, where it is now, why it was refused."""


def wanted(store: Store, entries: Sequence[ExtraSource], *, again: bool) -> list[Wanted]:
    """The pages that the entries name, each once; without those that have a snapshot, unless they are asked again."""
    pages: dict[str, Wanted] = {}
    for entry in entries:
        for url in addresses.pages_named(entry):
            path = addresses.snapshot_path(url)
            try:
                stored = store.locate(path).is_file()
            except ValueError:
                stored = False
            pages.setdefault(path, Wanted(url, path, stored))
    return [page for page in pages.values() if again or not page.stored]


def fetch(
    client: Client, store: Store, pages: Sequence[Wanted], *, check: bool, progress: Callable[[Outcome], None]
) -> list[Outcome]:
    """Fetch the pages, one after the other, and write their snapshots, unless it is only a check.

    Raises:
        CitedError: a snapshot cannot be written.
    """
    outcomes = []
    for page in pages:
        outcomes.append(_fetched(client, store, page, check))
        progress(outcomes[-1])
    return outcomes


def _fetched(client: Client, store: Store, page: Wanted, check: bool) -> Outcome:
    before: Snapshot | None = None
    try:
        file = store.locate(page.path)
    except ValueError as error:
        return Outcome(page, State.REFUSED, f"its snapshot cannot be stored: {error}")
    try:
        before = store.read(page.path)
    except ValueError as error:
        if check:
            return Outcome(page, State.REFUSED, f"its snapshot cannot be used: {error}")
    reply = client.get(page.url)
    if isinstance(reply, Reply) and reply.status in (404, 410):
        return Outcome(page, State.GONE, f"status {reply.status}")
    snapshot = reply if isinstance(reply, Refused) else _snapshot(page, reply)
    if isinstance(snapshot, Refused):
        return Outcome(page, State.FAILED if snapshot.passing else State.REFUSED, snapshot.reason)
    outcome = _compared(page, before, snapshot)
    if not check and outcome.state is not State.UNCHANGED:
        write_atomically(file, encode(snapshot))
    return outcome


def _snapshot(page: Wanted, reply: Reply) -> Snapshot | Refused:
    """The snapshot of a reply."""
    final = reply.url if reply.url != page.url else ""
    if reply.status != 200:
        return Refused(f"status {reply.status}", passing=reply.status == 429 or reply.status >= 500)
    content = content_of(reply)
    if isinstance(content, Refused):
        return content
    document, title, language = cut(page_of(Snapshot(page.url, final), "", ""), content)
    snapshot = Snapshot(page.url, final, title, language, datetime.date.today().isoformat(), body_of(document))
    if len(encode(snapshot)) > MOST_BYTES:
        return Refused(f"its main text is larger than {MOST_BYTES:,} bytes")
    if not any(visible(passage.text).strip() for passage in document.passages):
        return Refused("no text that could be cited is found in it: a script may have to draw it")
    return snapshot


def _compared(page: Wanted, before: Snapshot | None, now: Snapshot) -> Outcome:
    """What a snapshot has that the one before had not, and the other way round."""
    new = _hashes(now)
    if before is None:
        return Outcome(page, State.NEW, f"{len(new)} {'passage' if len(new) == 1 else 'passages'}")
    details = [f"found at {now.found_at}"] if now.final_url != before.final_url else []
    if now.body != before.body:
        old = _hashes(before)
        counts = ((len(old - new), "dropped"), (len(new - old), "added"))
        details.append(", ".join(f"{count} {what}" for count, what in counts if count) or "order or headings only")
    return Outcome(page, State.CHANGED if details else State.UNCHANGED, "; ".join(details))


def _hashes(snapshot: Snapshot) -> set[str]:
    return {passage.hash for passage in extract(page_of(snapshot, "", ""), snapshot.body)}
