"""Whether an answer still holds: stale only when its declaration or a passage that it cites changed."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.text import collapse, glob_matches, shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Corpus, Passage, SourceType
from mkdocs_cited.records.record import Record, RecordedCitation, split_id

_DATE = re.compile(r"-[0-9]{8}")


class Fresh(Struct, frozen=True):
    """The record holds: question and cited passages are what they were, in the same places."""


class Moved(Struct, frozen=True):
    """The record holds, but a cited passage has moved: `record` has the new places."""

    record: Record


class Stale(Struct, frozen=True):
    """The record no longer holds: the question, or a passage that it cites, changed or is gone."""

    reasons: tuple[str, ...]
    """In words, the declaration first."""


def freshness(record: Record, declaration: Declaration, corpus: Corpus) -> Fresh | Moved | Stale:
    """Compare a record with the declaration and the passages of today. Reviews and advice are not asked."""
    reasons = []
    if record.declaration != declaration.hash:
        reasons.append("its declaration changed")
    citations, named = [], declaration.sources
    for citation in record.citations:
        passage = locate(citation, corpus)
        if passage is None:
            reasons.append(f"the cited passage {_named(citation, corpus)} changed or is gone")
        elif passage.type is SourceType.ARCHIVE and not (named and glob_matches(passage.page.src, named)):
            reasons.append(f"{passage.page.src}, which it cites, is superseded now")
        else:
            citations.append(replace(citation, passage=passage.id))
    if reasons:
        return Stale(tuple(dict.fromkeys(reasons)))
    moved = replace(record, citations=tuple(citations))
    return Fresh() if moved == record else Moved(moved)


def locate(citation: RecordedCitation, corpus: Corpus) -> Passage | None:
    """The cited passage, wherever it is now: in its place, else on its page, else under its heading on another
    page, else anywhere. Equal passages are taken in the order of their ids."""
    passage = corpus.passage(citation.passage)
    if passage is not None and passage.hash == citation.hash:
        return passage
    page, anchor, _ = split_id(citation.passage)

    def strangeness(candidate: Passage) -> tuple[bool, bool, bool, str]:
        archived = candidate.type is SourceType.ARCHIVE
        return archived, candidate.page.src != page, candidate.section.anchor != anchor, candidate.id

    return min(corpus.with_hash(citation.hash), key=strangeness, default=None)


def forged_links(record: Record, corpus: Corpus) -> tuple[Finding, ...]:
    """The finding that a footnote of the record leads to another page than that of its passage, or none: hosts without
    an index show the link as it is recorded."""
    linked = (
        (item.sid, item.link.partition("#")[0], corpus.passage(item.passage)) for item in record.citations if item.link
    )
    strange = [f"[{sid}]" for sid, url, passage in linked if passage is not None and url != passage.page.url]
    if not strange:
        return ()
    message = f"the record's link {', '.join(strange)} is not the one to its passage"
    tip = "delete `link:` there, or run `mkdocs-cited update --site DIR`"
    return (found("broken-record", record.place, message, tip=tip, answer=record.key),)


def advice(
    record: Record, *, provider: str = "", model: str = "", prompt_version: str = "", encoder: str = ""
) -> tuple[str, ...]:
    """What an author may want to know of a fresh answer: who would write it today, and with which encoder its sections
    would be found (its name or path). Empty names are not compared.

    A record holds the model that replied, which is the dated name (`…-20261001`) of the one that was asked.
    """
    dated = bool(model) and _DATE.fullmatch(record.model.removeprefix(model)) is not None
    pairs = (
        ("the provider", record.provider, provider),
        ("the model", record.model, record.model if dated else model),
        ("the prompt", record.prompt_version, prompt_version),
        ("the encoder", record.encoder or "none", PurePosixPath(encoder).name),
    )
    return tuple(
        f"{what} was `{before}` and is `{now}` now" for what, before, now in pairs if before and now and before != now
    )


def _named(citation: RecordedCitation, corpus: Corpus) -> str:
    """A passage that is gone, by its words; where it may have been a note's, without them."""
    page, anchor, _ = split_id(citation.passage)
    public = any(known.src == page and known.type is not SourceType.NOTE for known in corpus.pages())
    if citation.type is SourceType.NOTE or not public:
        return f"of {PurePosixPath(page).name}"
    return f"“{shorten(collapse(citation.quote), 80)}” of {f'{page}#{anchor}' if anchor else page}"
