"""Documents as the store has them: by the hash of what they were made from, encoded, and cut for full-text search; and
the words that they are cut into, the same for pages and for questions.

Full-text search gets text that is already cut and stemmed, so that identifiers, CJK and every language with a Snowball
stemmer are found alike; SQLite's own tokenizer only splits at spaces.

Words are cut by a pattern of their own, not by `language.tokens`: an index wants `max` and `sources` of `max_sources`
where a comparison wants the name whole, and it needs neither sentences nor phrases.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import repeat
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from mkdocs_cited.base.text import digest
from mkdocs_cited.language import STOP_PHRASES, STOP_WORDS, stemmer, stems
from mkdocs_cited.model.source import Page, Passage, Section
from mkdocs_cited.sources import Document, from_html

WORD = re.compile(r"[^\W_]+")
"""A word, as the index cuts it."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|^[vV](?=\d)")
"""Where a name of several words is cut: `mapStateToProps`, and `v3`, which others write as 3."""
_LONGEST_WORD = 64
_MOST_WORDS = 50_000
"""Words that are remembered: code on a large site holds names and numbers without end."""


@lru_cache(maxsize=_MOST_WORDS)
def _terms(word: str, language: str) -> str:
    """The terms of a word as it is written, joined by spaces; a name of several words has theirs, too."""
    parts = _HUMP.split(word[:_LONGEST_WORD])
    if len(parts) > 1:  # it is found by its parts, too
        parts = [word[:_LONGEST_WORD], *parts]
    terms = []
    for part in parts:
        terms += stems(part, language)
    return " ".join(filter(None, map(_ascii, terms)))


def joined_terms(text: str, language: str) -> str:
    """The terms of `text` in order, joined by spaces: what the index stores."""
    return " ".join(filter(None, map(_terms, WORD.findall(text), repeat(language))))


@lru_cache(maxsize=2048)
def terms_of(text: str, language: str) -> frozenset[str]:
    """The terms of a text, each once."""
    return frozenset(joined_terms(text, language).split())


def question_terms(question: str, language: str) -> dict[str, str]:
    """Term → the word it comes from, of a question's words that say what it is about; of all when none does."""
    text = question
    for phrase in STOP_PHRASES.get(language, ()):
        text = text.replace(phrase, " ")
    stop_words = STOP_WORDS.get(language, frozenset())
    found = _terms_and_words(text, language, stop_words)
    return found or _terms_and_words(question, language, frozenset())


def _terms_and_words(
    text: str, language: str, without: frozenset[str]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in WORD.findall(text):
        if word.lower() in without:
            continue
        first, *others = _terms(word, language).split() or [""]
        found.setdefault(first, word)
        for other in others:
            if other not in without:
                found.setdefault(other, word)
    found.pop("", None)
    return found


def _ascii(stem: str) -> str:
    """The term without diacritics: readers leave them out in questions."""
    if stem.isascii():
        return stem
    plain = ""
    for char in unicodedata.normalize("NFKD", stem):
        if not unicodedata.combining(char):
            plain += char
    return plain


def related(term: str, language: str) -> tuple[str, ...]:
    """The terms that documentation may use where a question says `term`, for looking up, never for judging what is
    said; English only. Both are stems."""
    if language == "en":
        return _related().get(term, ())
    return ()


@cache
def _related() -> dict[str, tuple[str, ...]]:
    stem = stemmer("en")
    found: dict[str, dict[str, None]] = defaultdict(dict)
    text = resources.files(__package__).joinpath("everyday.txt").read_text("utf-8")
    for line in text.splitlines():
        said, _, called = line.partition("#")[0].partition(":")
        for key in map(stem, said.split()):
            for name in map(stem, called.split()):
                if name != key:
                    found[key][name] = None
    return {key: tuple(names) for key, names in found.items()}


Content = str | Document
"""The HTML of a page or snapshot, or a file or note that is read already."""

_CHUNK = 1500
"""Characters of text after which a section goes on in another chunk, so that length does not drown what is short."""


def key_of(page: Page, content: Content | None) -> str:
    """The hash of everything that a stored document depends on."""
    if content is None:
        return ""
    said = content
    if isinstance(said, Document):
        said = encode(said).hex()
    return digest(from_html.VERSION, repr(page), said, length=24)


def _row(kind: type[Struct], **other: Any) -> Any:
    """The type of the fields of a struct in a row, some of which have another type."""
    types = get_type_hints(kind) | other
    return tuple.__class_getitem__(tuple(types.values()))


_SECTION: Any = _row(Section, page=None)
"""A section without its page, which is given again."""
_PASSAGE: Any = _row(Passage, section=int)
"""A passage with the number of its section."""
_encode = msgspec.msgpack.Encoder().encode
_DOCUMENT: Any = msgspec.msgpack.Decoder(tuple[list[_SECTION], list[_PASSAGE]])


def encode(document: Document) -> bytes:
    """A document without its page, for `decode`."""
    sections = []
    for section in document.sections:
        _, *fields = msgspec.structs.astuple(section)
        sections.append((None, *fields))
    passages = []
    for passage in document.passages:
        name, _, *fields = msgspec.structs.astuple(passage)
        passages.append((name, passage.section.position, *fields))
    return _encode((sections, passages))


def decode(page: Page, data: bytes) -> Document:
    """A document as it was given."""
    stored_sections, stored_passages = _DOCUMENT.decode(data)
    sections = [Section(page, *fields) for _, *fields in stored_sections]
    passages = []
    for name, position, *fields in stored_passages:
        passages.append(Passage(name, sections[position], *fields))
    return Document(page, tuple(sections), tuple(passages))


def chunks_of(document: Document) -> list[list[Passage]]:
    """The passages of each section, those of long ones in parts."""
    chunks: list[list[Passage]] = []
    section, size = -1, 0
    for passage in document.passages:
        if size > _CHUNK or passage.section.position != section:
            chunks.append([])
            section, size = passage.section.position, 0
        chunks[-1].append(passage)
        size += len(passage.text)
    return chunks


def terms_of_chunk(chunk: Sequence[Passage]) -> tuple[str, str, str]:
    """The terms of a chunk's page title, of its headings and of its text, each joined by spaces."""
    page, section = chunk[0].page, chunk[0].section
    crumbs = section.breadcrumb
    if section.level:
        crumbs = crumbs[1:]
    texts = "\n".join(own_text(passage) for passage in chunk)
    return (
        joined_terms(f"{page.title} {place_of(page)}", page.language),
        joined_terms(" ".join(crumbs), page.language),
        joined_terms(texts, page.language),
    )


def place_of(page: Page) -> str:
    """The words of a page's path: it may name a version, a product or a provider."""
    return page.src.rpartition(".")[0].removesuffix("index").replace("/", " ")


def own_text(passage: Passage) -> str:
    """What of a passage is searched: its text and its lead."""
    return f"{passage.text}\n{passage.lead}"
