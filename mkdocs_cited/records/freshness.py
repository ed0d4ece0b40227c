"""Whether an answer still holds: stale only when its declaration or a passage that it cites changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.text import collapse, glob_matches
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Related, found
from mkdocs_cited.model.source import Corpus, Passage, Source, SourceType
from mkdocs_cited.records.record import Record, RecordedCitation, split_id

CLEARLY = 0.05
"""How much more relevant another passage must be than those cited, 0…1, to be worth a word."""

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
    gone: tuple[RecordedCitation, ...] = ()
    """What it cites and is there no more."""


def freshness(record: Record, declaration: Declaration, corpus: Corpus) -> Fresh | Moved | Stale:
    """Compare a record with the declaration and the passages of today. Reviews and advice are not asked."""
    reasons = []
    if record.declaration != declaration.hash:
        asked = collapse(record.question) == declaration.question
        reasons.append("its declaration changed" if asked else "its question changed")
    gone, citations = [], []
    for citation in record.citations:
        passage = locate(citation, corpus)
        if passage is None:
            gone.append(citation)
            reasons.append(f"the cited passage {_named(citation, corpus)} changed or is gone")
        elif _superseded(passage, declaration):
            gone.append(citation)
            reasons.append(f"{passage.page.src}, which it cites, is superseded now")
        else:
            citations.append(replace(citation, passage=passage.id))
    if reasons:
        return Stale(tuple(dict.fromkeys(reasons)), tuple(gone))
    moved = replace(record, citations=tuple(citations))
    return Fresh() if moved == record else Moved(moved)


def locate(citation: RecordedCitation, corpus: Corpus) -> Passage | None:
    """The cited passage, wherever it stands now: in its place, else on its page, else under its heading on another
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


def better_evidence(record: Record, selection: Sequence[Source]) -> tuple[Source, ...]:
    """Sources of today's selection that its writer did not have, ranked clearly above all that the answer cites. None
    for an answer that was found by meaning: builds search by words, which would always have found something else."""
    if record.encoder:
        return ()
    known = {part for passage in record.consulted for part in (split_id(passage)[:2], split_id(passage)[2])}
    cited = {citation.hash for citation in record.citations}

    def is_cited(source: Source) -> bool:
        return any(passage.hash in cited for passage in (source.passage, *source.context))

    best = max((source.relevance for source in selection if is_cited(source)), default=0.0)
    better = []
    for source in selection:
        if is_cited(source):
            break
        *section, short = split_id(source.passage.id)
        if not known & {tuple(section), short} and source.relevance >= best + CLEARLY:
            better.append(source)
    return tuple(better)


def with_known_sources(record: Record, before: Record | None, given: Sequence[Source]) -> Record:
    """The record of a text written again; with what its writer was given before, where the same words from the same
    passages came of it again: who reads the change learns nothing from another list. But better evidence is known now.
    """
    if before is None or not record.content or record.says != before.says:
        return record
    return record if better_evidence(before, given) else replace(record, consulted=before.consulted)


def evidence_finding(record: Record, declaration: Declaration, selection: Sequence[Source]) -> tuple[Finding, ...]:
    """The finding that better evidence has appeared since the answer was written, or none."""
    better = better_evidence(record, selection)
    if not better:
        return ()
    message = f"“{record.question}” may have a better answer by now: {better[0].label}"
    related = tuple(_unknown_then(source) for source in better)
    tip = f"read it, and if it is better run `mkdocs-cited update {record.key}`"
    return (found("better-evidence", declaration.place, message, tip=tip, answer=record.key, related=related),)


def _unknown_then(source: Source) -> Related:
    if source.passage.page.type is SourceType.NOTE:
        return Related(f"not known when the answer was written, a note: {source.label}")
    return Related("not known when the answer was written", passage=source.passage.id, text=source.passage.text)


def _named(citation: RecordedCitation, corpus: Corpus) -> str:
    """A passage that is gone, by its words; where it may have been a note's, without them."""
    page, anchor, _ = split_id(citation.passage)
    public = any(known.src == page and known.type is not SourceType.NOTE for known in corpus.pages())
    if citation.type is SourceType.NOTE or not public:
        return f"of {PurePosixPath(page).name}"
    return f"“{_short(citation.quote)}” of {f'{page}#{anchor}' if anchor else page}"


def _superseded(passage: Passage, declaration: Declaration) -> bool:
    named = bool(declaration.sources) and glob_matches(passage.page.src, declaration.sources)
    return passage.type is SourceType.ARCHIVE and not named


def _short(quote: str) -> str:
    text = collapse(quote)
    return text if len(text) <= 80 else f"{text[:79].rstrip()}…"
