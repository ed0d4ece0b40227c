"""Brings snapshots up to date, or says what has changed since: the order of the steps for each address.

How an address is asked is `client`'s, how a page is cut is `cut`'s. A snapshot is only ever replaced by a newer text:
whatever goes wrong, what was there stays.
"""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.source import Passage
from mkdocs_cited.settings import ExtraSource
from mkdocs_cited.sources.web import addresses, blocks
from mkdocs_cited.sources.web.client import Client
from mkdocs_cited.sources.web.content import content_of
from mkdocs_cited.sources.web.cut import cut
from mkdocs_cited.sources.web.reading import Kept, named
from mkdocs_cited.sources.web.replies import Refused, Reply
from mkdocs_cited.sources.web.sitemaps import addresses_of
from mkdocs_cited.sources.web.snapshot import MOST_BYTES, Snapshot, encode, page_of, passages_of

_GONE = (404, 410)


class State(StrEnum):
    """What has become of a page elsewhere."""

    NEW = "new"
    """It has no snapshot yet."""
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    """Its text is another."""
    MOVED = "moved"
    """It is found under another address for good; its text may have changed as well."""
    GONE = "gone"
    """It is not there any more, or its sitemap does not list it any more."""
    REFUSED = "refused"
    """It may not be fetched, or cannot be read."""
    FAILED = "failed"
    """It could not be had this time."""


class Wanted(Struct, frozen=True):
    """A page that an entry of `extra_sources` names."""

    name: str
    url: str
    """Its normal address."""

    @property
    def path(self) -> str:
        """Where its snapshot is kept."""
        return addresses.snapshot_path(self.url)


class Outcome(Struct, frozen=True):
    """What came of one page, or of one sitemap."""

    name: str
    url: str
    path: str
    """Empty for a sitemap."""
    state: State
    detail: str = ""
    """In words: what changed, where it is now, why it was refused."""
    dropped: frozenset[str] = frozenset()
    """Hashes of the passages that the snapshot had and the page has no more."""


class Plan(Struct, frozen=True):
    """What one run does."""

    check: bool = False
    """Only say what has changed: write nothing."""
    again: bool = False
    """Fetch pages that have a snapshot too."""


Progress = Callable[[Outcome], None]


def wanted(kept: Kept, entries: Sequence[ExtraSource]) -> list[Wanted]:
    """The pages that the entries name, and those of their sitemaps that have a snapshot; no request is made."""
    pages = [Wanted(addresses.name_of(entry), url) for entry in entries for _, url in named(kept, entry)]
    return list({page.path: page for page in reversed(pages)}.values())[::-1]


async def fetch(
    client: Client, kept: Kept, entries: Sequence[ExtraSource], plan: Plan, *, progress: Progress = lambda _: None
) -> list[Outcome]:
    """Fetch the pages that the entries name, and write their snapshots as the plan says. In the order of the entries.

    Raises:
        CitedError: a snapshot cannot be written.
    """
    outcomes: list[Outcome] = []
    todo = wanted(kept, entries)
    for entry in entries:
        if entry.sitemap:
            listed = await _listed(client, entry)
            if isinstance(listed, Outcome):
                outcomes.append(listed)
                continue
            todo, unlisted = _merged(todo, kept, entry, listed)
            outcomes += unlisted
    if not (plan.check or plan.again):
        todo = [page for page in todo if not kept.has(page.path)]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_one(client, kept, page, plan, progress)) for page in todo]
    except* CitedError as errors:
        raise errors.exceptions[0] from None
    return [*outcomes, *(task.result() for task in tasks)]


async def _listed(client: Client, entry: ExtraSource) -> tuple[str, ...] | Outcome:
    """The addresses that an entry takes from its sitemap."""
    url = addresses.normal(entry.sitemap)

    async def get(address: str) -> Reply | Refused:
        return await client.get(address, {"Accept": "application/xml, text/xml, application/gzip"})

    found = await addresses_of(url, get)
    if isinstance(found, Refused):
        return Outcome(addresses.name_of(entry), url, "", _state_of(found), found.reason)
    taken = tuple(page for page in found if addresses.of_sitemap(entry, page))
    if taken:
        return taken
    reason = f"its sitemap lists {len(found)} pages, and none of them is taken: look at `glob`"
    return Outcome(addresses.name_of(entry), url, "", State.REFUSED, reason)


def _merged(
    todo: list[Wanted], kept: Kept, entry: ExtraSource, listed: Collection[str]
) -> tuple[list[Wanted], list[Outcome]]:
    """The pages to ask for once a sitemap is read, and what became of those that it lists no more.

    Those that have a snapshot come first, so that one more at the top of the sitemap does not push out what is cited.
    """
    name = addresses.name_of(entry)
    known = {page.url for page in todo}
    by_name = set(addresses.pages_named(entry))
    unlisted = [url for _, url in named(kept, replace(entry, url="")) if url not in listed and url not in by_name]
    outcomes = [
        Outcome(name, url, addresses.snapshot_path(url), State.GONE, "its sitemap does not list it any more")
        for url in unlisted
    ]
    pages = [page for page in todo if page.url not in unlisted]
    new = [Wanted(name, url) for url in listed if url not in known]
    held = sum(url not in by_name for _, url in named(kept, replace(entry, url=""))) - len(unlisted)
    return [*pages, *new[: max(0, entry.limit - held)]], outcomes


async def _one(client: Client, kept: Kept, page: Wanted, plan: Plan, progress: Progress) -> Outcome:
    outcome = await _fetched(client, kept, page, plan)
    progress(outcome)
    return outcome


async def _fetched(client: Client, kept: Kept, page: Wanted, plan: Plan) -> Outcome:
    try:
        file, held = kept.locate(page.path), None
    except ValueError as error:
        return Outcome(page.name, page.url, page.path, State.REFUSED, f"its snapshot cannot be kept: {error}")
    try:
        held = kept.read(page.path)
    except ValueError as error:
        if plan.check:
            return Outcome(page.name, page.url, page.path, State.REFUSED, f"its snapshot cannot be used: {error}")
    before = held[0] if held is not None else None
    reply = await client.get(page.url, _conditions(before))
    made = reply if isinstance(reply, Refused) else _snapshot(page, reply, before)
    match made:
        case Refused(reason=reason):
            return Outcome(page.name, page.url, page.path, _state_of(made), reason)
        case State():
            return Outcome(
                page.name, page.url, page.path, made, f"status {reply.status}" if isinstance(reply, Reply) else ""
            )
        case snapshot:
            outcome = _compared(page, before, snapshot)
            if snapshot.final_url and isinstance(reply, Reply) and reply.permanent:
                lasting = f"it has moved for good: name {snapshot.final_url} in the options"
                outcome = replace(outcome, detail="; ".join(filter(None, (outcome.detail, lasting))))
            if not plan.check and outcome.state is not State.UNCHANGED:
                write_atomically(file, encode(snapshot))
            return outcome


def _conditions(before: Snapshot | None) -> dict[str, str]:
    """The headers by which a server can say that nothing has changed (RFC 9110 §13.1)."""
    if before is None:
        return {}
    headers = {"If-None-Match": before.etag, "If-Modified-Since": before.last_modified}
    return {name: value for name, value in headers.items() if value}


def _snapshot(page: Wanted, reply: Reply, before: Snapshot | None) -> Snapshot | Refused | State:
    """The snapshot of a reply; the one before, where the server says that nothing has changed."""
    final = reply.url if reply.url != page.url else ""
    if reply.status == 304 and before is not None:
        return replace(before, final_url=final)
    if reply.status in _GONE:
        return State.GONE
    if reply.status != 200:
        return Refused(f"status {reply.status}", passing=reply.status >= 500)
    content = content_of(reply)
    if isinstance(content, Refused):
        return content
    document, said = cut(page_of(Snapshot(page.url, final), "", ""), content)
    body = blocks.write(document)
    if not body.strip():
        return Refused("no text that could be cited is found in it: a script may have to draw it")
    snapshot = Snapshot(
        page.url, final, said.title, said.language, said.author, datetime.date.today().isoformat(), said.published,
        said.modified, said.license, _header(reply, "etag"), _header(reply, "last-modified"), body,
    )  # fmt: skip
    if len(encode(snapshot)) > MOST_BYTES:
        return Refused(f"its main text is larger than {MOST_BYTES:,} bytes")
    return snapshot


def _compared(page: Wanted, before: Snapshot | None, now: Snapshot) -> Outcome:
    """What a snapshot has that the one before had not, and the other way round."""
    if before is None:
        found = len(_passages(now))
        return Outcome(page.name, page.url, page.path, State.NEW, f"{found} {'passage' if found == 1 else 'passages'}")
    details, state = [], State.UNCHANGED
    dropped: frozenset[str] = frozenset()
    if now.body != before.body:
        state = State.CHANGED
        old, new = _passages(before), _passages(now)
        dropped = frozenset(old.keys() - new.keys())
        moved = sum(old[name] != new[name] for name in old.keys() & new.keys())
        counts = (("dropped", len(dropped)), ("added", len(new.keys() - old.keys())), ("moved", moved))
        details.append(", ".join(f"{count} {what}" for what, count in counts if count) or "order or headings only")
    if now.final_url != before.final_url:
        state = State.MOVED
        details.insert(0, f"found at {now.found_at}")
    return Outcome(page.name, page.url, page.path, state, "; ".join(details), dropped)


def _passages(snapshot: Snapshot) -> dict[str, Counter[str]]:
    """Hash of each passage → the anchors of the headings that it stands under."""
    found: dict[str, Counter[str]] = {}
    passages: tuple[Passage, ...] = passages_of(page_of(snapshot, "", ""), snapshot.body)
    for passage in passages:
        found.setdefault(passage.hash, Counter())[passage.section.anchor] += 1
    return found


def _header(reply: Reply, name: str) -> str:
    """A header that is sent back one day; one that no server sends is left out."""
    value = reply.headers.get(name, "")
    return value if len(value) <= 200 and value.isprintable() and value.isascii() else ""


def _state_of(refused: Refused) -> State:
    return State.FAILED if refused.passing else State.REFUSED
