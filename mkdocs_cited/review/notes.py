"""The words of maintainers' notes, and where a text repeats them: of a note, only its name is published.

What becomes of a text that repeats one is decided by the rule `leaked-note` and in the pipeline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Scope, SourceType

RUN = 8
"""Words in a row that are nobody's by chance."""
LEAST = 4
"""Words of a whole sentence, or line of code, that is not common property."""
_NEAREST = 8
"""Public passages that are looked at for the same words."""

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\s`'\"<>()\[\]{},;|*]{12,200}")
_TELLING = re.compile(r"(?=.*\d)(?=.*[A-Za-z])|.@.|://", re.DOTALL)
"""What makes a long word a key, an address or a name of something: letters with digits, or the signs of an address."""


class Repeat(Struct, frozen=True):
    """A piece of a text that is in a note, and on no public page."""

    start: int
    end: int
    note: str
    """The note's name."""


class Notes(Struct, frozen=True):
    """What all notes of a site say, ready to be found again."""

    corpus: Corpus
    runs: dict[int, str] = field(default_factory=dict)
    """Hash of words in a row → name of the note."""
    lengths: tuple[int, ...] = ()
    """How many words the runs have."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Key, address or the like → name of the note."""

    @classmethod
    def of(cls, corpus: Corpus) -> Notes:
        """The notes of a corpus; in time of their length."""
        runs: dict[int, str] = {}
        tokens: dict[str, str] = {}
        lengths: set[int] = set()
        for page in corpus.pages():
            if page.type is not SourceType.NOTE:
                continue
            for passage in corpus.section(page.src, ""):
                for token in _tokens(passage.text):
                    tokens.setdefault(token[0], page.title)
                for sentence in _sentences(passage):
                    words = [match[0].casefold() for match in _WORD.finditer(sentence)]
                    size = min(len(words), RUN)
                    if size >= LEAST:
                        lengths.add(size)
                        runs.update((hash(run), page.title) for run in _windows(words, size))
        return cls(corpus, runs, tuple(sorted(lengths, reverse=True)), tokens)

    def repeated(self, text: str) -> tuple[Repeat, ...]:
        """Where a text says what only notes say, in order, without overlaps."""
        if not self.runs and not self.tokens:
            return ()
        found = sorted((*self._in_words(text), *self._in_tokens(text)), key=lambda item: (item.start, -item.end))
        out: list[Repeat] = []
        for item in found:
            if out and item.start <= out[-1].end:
                out[-1] = replace(out[-1], end=max(out[-1].end, item.end))
            elif not self._public(text[item.start : item.end]):
                out.append(item)
        return tuple(out)

    def hidden(self, text: str) -> str:
        """The text with `…` in place of what only notes say."""
        for item in reversed(self.repeated(text)):
            text = f"{text[: item.start]}…{text[item.end :]}"
        return text

    def without(self, finding: Finding) -> Finding:
        """The finding as reports may show it, which are passed around and published."""
        if not self.runs and not self.tokens:
            return finding
        claim = self.hidden(finding.claim)
        return replace(
            finding,
            message=self.hidden(finding.message),
            tip=self.hidden(finding.tip),
            claim=claim,
            marks=finding.marks if claim == finding.claim else (),
            related=tuple(
                replace(item, message=self.hidden(item.message), text=self.hidden(item.text))
                for item in finding.related
            ),
        )

    def _in_words(self, text: str) -> Iterator[Repeat]:
        places = list(_WORD.finditer(text))
        words = [match[0].casefold() for match in places]
        for size in self.lengths:
            for at, run in enumerate(_windows(words, size)):
                if note := self.runs.get(hash(run)):
                    yield Repeat(places[at].start(), places[at + size - 1].end(), note)

    def _in_tokens(self, text: str) -> Iterator[Repeat]:
        for token, start in _tokens(text):
            if note := self.tokens.get(token):
                yield Repeat(start, start + len(token), note)

    def _public(self, piece: str) -> bool:
        """Whether a public page says so too."""
        words = _said(piece)
        hits = self.corpus.search(piece[:500], scope=Scope(), limit=_NEAREST)
        return any(words in _said(hit.passage.text) for hit in hits if hit.passage.page.type is not SourceType.NOTE)


def _said(text: str) -> str:
    """The words of a text, for comparing."""
    return f" {' '.join(match[0].casefold() for match in _WORD.finditer(text))} "


def _windows(words: list[str], size: int) -> Iterator[str]:
    return (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))


def _sentences(passage: Passage) -> Iterable[str]:
    return passage.text.splitlines() if passage.kind is PassageKind.CODE else passage.sentence_texts()


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Words that tell what nobody would guess, with their offsets."""
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:!?")
        if len(token) >= 12 and _TELLING.search(token):
            yield token, match.start()
