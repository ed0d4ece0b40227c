"""Which record without a declaration belongs to a question that was only put in other words, and so has another id.

The record keeps its text, its verdicts and what people decided; whether it still holds is asked afterwards, as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.language.words import tokenize
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.providers.authored import Authored
from mkdocs_cited.providers.extractive import Extractive
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.records import Absent, Record, Store
from mkdocs_cited.search.select_passages import select
from mkdocs_cited.search.stop_words import STOP_WORDS
from mkdocs_cited.settings import Settings

ALIKE = 0.3
"""Share of the telling words of two questions, 0…1, below which nobody asks whether they are one: what answers two may
be one passage that tells both."""


def reworded(
    declarations: Iterable[Declaration], standing: Collection[str], store: Store, corpus: Corpus, settings: Settings
) -> Iterator[tuple[str, str]]:
    """(Key of the record, key of the declaration) of each question that was put in other words.

    They stand on one page and share telling words, both ids are made of the question's words, and one text with one set
    of citations answers both: the author's own, with the claims that people decided, or what the offline writer makes
    of either question, whoever wrote the record. Those most alike come first, and each is taken once.

    Args:
        declarations: what is asked.
        standing: keys of records that are no orphans.
        store: the records.
        corpus: the passages of today.
        settings: the options.
    """
    new = [item for item in declarations if isinstance(store.read(item.key), Absent) and _made(item.id, item.question)]
    pages = {item.page for item in new}
    free = [key for key in store.orphan_keys(standing) if key.rpartition("#")[0] in pages] if new else []
    pairs = []
    for key in free:
        record = store.read(key)
        if (
            isinstance(record, Record)
            and (record.citations or record.verdicts)
            and _made(key.rpartition("#")[2], record.question)
        ):
            same_page = (item for item in new if item.page == key.rpartition("#")[0])
            pairs += [(_alike(record, item), key, record, item) for item in same_page]
    taken: set[str] = set()
    for alike, key, kept, item in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[3].key)):
        if alike >= ALIKE and not taken & {key, item.key} and _same(kept, item, corpus, settings):
            taken |= {key, item.key}
            yield key, item.key


def _made(name: str, question: str) -> bool:
    """Whether an id is made of a question's words: one that a person gave is changed by a person."""
    return name == slugify(question)


def _alike(record: Record, declaration: Declaration) -> float:
    """Shared words ÷ all words of two questions, by their stems, without those that any question has (Jaccard 1912)."""
    common = STOP_WORDS.get(language_of(declaration.locale), frozenset())
    first, second = (
        {
            token.key
            for token in tokenize(text, declaration.locale)
            if token.kind != "mark" and token.text.lower() not in common
        }
        for text in (record.question, declaration.question)
    )
    return len(first & second) / len(first | second) if first | second else 0.0


def _same(record: Record, declaration: Declaration, corpus: Corpus, settings: Settings) -> bool:
    """Whether the question of a record and a declared one have one answer."""
    if bool(declaration.text) != (record.provider == AUTHORED):
        return False
    if declaration.text:  # whose record holds what people decided of its claims, and no text
        draft = Authored(settings).write(Request(declaration, (), corpus))
        decided = {item.claim for item in record.verdicts}
        return isinstance(draft, Draft) and decided <= {claim.text for claim in claims_of(draft, declaration)}
    today = _said(declaration, corpus, settings)
    return today is not None and today == _said(replace(declaration, question=record.question), corpus, settings)


def _said(declaration: Declaration, corpus: Corpus, settings: Settings) -> tuple[object, ...] | None:
    """What the docs answer, word by word with every citation; nothing where they do not."""
    sources = select(declaration, corpus, settings).sources
    outcome = Extractive(settings).write(Request(declaration, sources, corpus))
    return (outcome.content, outcome.citations) if isinstance(outcome, Draft) else None
