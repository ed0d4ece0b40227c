"""Which record without a declaration belongs to a question that was only put in other words, and so has another id.

The record keeps its text, its verdicts and what people decided; whether it still holds is asked afterwards, as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mkdocs_cited.language.words import tokenize
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.records import Absent, Record, Store
from mkdocs_cited.search.select import select
from mkdocs_cited.settings import Settings

ALIKE = 0.3
"""Share of the words of two questions, 0…1, from which on they may be one."""


def reworded(
    declarations: Iterable[Declaration], standing: Collection[str], store: Store, corpus: Corpus, settings: Settings
) -> Iterator[tuple[str, str]]:
    """(Key of the record, key of the declaration) of each question that was put in other words.

    They stand on one page, share words, and the new wording finds a passage that the record cites. Those most alike
    come first, and each is taken once.

    Args:
        declarations: what is asked.
        standing: keys of records that are no orphans.
        store: the records.
        corpus: the passages of today.
        settings: the options.
    """
    new = [item for item in declarations if isinstance(store.read(item.key), Absent)]
    pages = {item.page for item in new}
    free = [key for key in store.orphan_keys(standing) if key.rpartition("#")[0] in pages] if new else []
    pairs = []
    for key in free:
        record = store.read(key)
        if isinstance(record, Record) and record.citations:
            same_page = (item for item in new if item.page == key.rpartition("#")[0])
            pairs += [(_alike(record, item), key, item) for item in same_page]
    taken: set[str] = set()
    for alike, key, item in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2].key)):
        if alike >= ALIKE and not taken & {key, item.key} and _still_found(store.read(key), item, corpus, settings):
            taken |= {key, item.key}
            yield key, item.key


def _alike(record: Record, declaration: Declaration) -> float:
    """Shared words ÷ all words of two questions, by their stems (Jaccard 1912)."""
    first, second = (
        {token.key for token in tokenize(text, declaration.locale) if token.kind != "mark"}
        for text in (record.question, declaration.question)
    )
    return len(first & second) / len(first | second) if first | second else 0.0


def _still_found(record: object, declaration: Declaration, corpus: Corpus, settings: Settings) -> bool:
    """Whether the new wording finds a passage that the record cites."""
    cited = {item.hash for item in record.citations} if isinstance(record, Record) else set()
    return any(source.passage.hash in cited for source in select(declaration, corpus, settings).sources)
