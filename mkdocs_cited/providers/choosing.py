"""Which parts of a section answer a question: its telling sentences, its steps, its code. It writes no Markdown."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.base.languages import language_of
from mkdocs_cited.model.declaration import AnswerFormat, Declaration
from mkdocs_cited.model.source import Passage, PassageKind, Section, Source
from mkdocs_cited.search.terms import joined_terms, question_terms

MOST_CHARACTERS = 900
"""Of prose and items in one answer; what is begun is finished."""
MOST_ITEMS = 10
MOST_CODE = 2
MOST_CODE_LINES = 20
BEARS = 0.25
"""Least share of the question's weight in a sentence that is taken unasked for."""
BESIDES = 0.12
"""Least share of the question's weight that a further sentence must add."""
ALIKE = 0.7
"""Share of their words (Jaccard) from which two sentences say the same, as sibling pages do."""

_HOW = re.compile(r"(?:how (?:do|can|to|does|should|would|could)\b|wie\b|comment\b|cómo\b|steps? )", re.IGNORECASE)
_WHAT = re.compile(r"(?:what(?:'s| is| are)|was (?:ist|sind)|qu'est|qué es)\b", re.IGNORECASE)
_LEANS = re.compile(
    r"(?:it|this|that|these|those|they|he|she|such|however|therefore|thus|otherwise|instead|also|then|but|and|or|so|"
    r"for example|for instance|in this case|as a result|finally|dies|diese[rsmn]?|sie|es|jedoch|aber|dann|außerdem)\b",
    re.IGNORECASE,
)
"""How a sentence starts that needs the one before it."""
_COPULA = re.compile(r"\s(?:is|are|means|refers to|ist|sind)\s")
MOST_SUBJECT = 5
"""Words before the verb in a sentence that defines something."""
_LISTS = (PassageKind.STEP, PassageKind.ITEM, PassageKind.ROW)


@dataclass(frozen=True, slots=True)
class Part:
    """Quotes that belong together: one run of prose, one list, one table, one code block."""

    quotes: tuple[Quote, ...]

    @property
    def position(self) -> int:
        """Where it stands on its page."""
        return self.quotes[0].passage.position

    @property
    def kind(self) -> PassageKind:
        return self.quotes[0].passage.kind


@dataclass
class Budget:
    """What an answer may still hold."""

    characters: int = MOST_CHARACTERS
    code: int = MOST_CODE
    said: set[str] = field(default_factory=set)
    """Words of the question that the answer has already dealt with."""
    texts: list[frozenset[str]] = field(default_factory=list)
    """The words of each quote so far."""

    @property
    def spent(self) -> bool:
        return self.characters <= 0

    def repeats(self, words: frozenset[str]) -> bool:
        """Whether a text of these words would say again what was said."""
        return any(len(words & other) >= ALIKE * len(words | other) for other in self.texts)


@dataclass(frozen=True)
class Question:
    """A question as this room sees it: its words with their weights, and what kind of answer it asks for."""

    language: str
    weights: dict[str, float]
    """Word → share of the question's weight; they add up to 1. A word that all passages have weighs little
    (inverse document frequency over the passages on offer)."""
    how: bool
    """Whether it asks how something is done."""
    what: bool
    """Whether it asks what something is."""
    format: AnswerFormat

    @classmethod
    def of(cls, declaration: Declaration, sources: Sequence[Source]) -> Question:
        """The question of a declaration, weighed against the passages that may answer it."""
        language = language_of(declaration.locale)
        pool = {passage.id: passage for source in sources for passage in (*source.context, source.passage)}
        seen = Counter(word for passage in pool.values() for word in set(joined_terms(passage.text, language).split()))
        words = {word for text in declaration.phrasings for word in question_terms(text, language)}
        weights = {word: math.log(1 + len(pool) / seen[word]) for word in words if seen[word]}
        total = sum(weights.values()) or 1.0
        question = declaration.question.strip()
        return cls(
            language,
            {word: weight / total for word, weight in weights.items()},
            bool(_HOW.match(question)) or declaration.format is AnswerFormat.STEPS,
            bool(_WHAT.match(question)),
            declaration.format,
        )

    def words_in(self, text: str) -> set[str]:
        """Which of its words a text holds."""
        return self.weights.keys() & set(joined_terms(text, self.language).split())

    def gain(self, text: str, said: set[str]) -> float:
        """Share of its weight in a text, 0…1; what was said already counts a third. Definitions count more when
        it asks what something is."""
        share = sum(self.weights[word] / (3 if word in said else 1) for word in self.words_in(text))
        return share * (1.5 if self.what and self._defines(text) else 1)

    def _defines(self, text: str) -> bool:
        """Whether a sentence says what its first words are: `A policy is a set of …`."""
        match = _COPULA.search(text[:120])
        head = text[: match.start()] if match else ""
        return 0 < len(head.split()) <= MOST_SUBJECT and bool(self.words_in(head))


def choose(
    question: Question, section: Section, sources: Sequence[Source], budget: Budget, *, opening: bool
) -> list[Part]:
    """What one section contributes, in page order; takes what it uses from the budget."""
    return _Section(question, section, sources, budget, opening).parts()


class _Section:
    """One section under one question."""

    def __init__(
        self, question: Question, section: Section, sources: Sequence[Source], budget: Budget, opening: bool
    ) -> None:
        self.question = question
        self.budget = budget
        self.opening = opening
        """Whether the answer starts here, so that the best there is is taken."""
        self.named = {source.passage.id for source in sources}
        context = {p.id: p for source in sources for p in (*source.context, source.passage)}
        mine = (passage for passage in context.values() if passage.section.position == section.position)
        self.passages = sorted(mine, key=lambda passage: passage.position)
        self.taken: dict[int, Part] = {}

    def parts(self) -> list[Part]:
        for passage in sorted(self.passages, key=lambda passage: (-self._merit(passage), passage.position)):
            if self.budget.spent:
                break
            if not any(quote.passage is passage for part in self.taken.values() for quote in part.quotes):
                for part in self._from(passage):
                    self._take(part)
        return [self.taken[position] for position in sorted(self.taken)]

    def _take(self, part: Part) -> None:
        if part.position in self.taken:
            return
        self.taken[part.position] = part
        for quote in part.quotes:
            self.budget.said |= self.question.words_in(quote.text)
            self.budget.texts.append(self._words(quote))
            if part.kind is not PassageKind.CODE:
                self.budget.characters -= len(quote.text)

    def _merit(self, passage: Passage) -> float:
        """How much a passage promises: its words, with those that lead into it, and its being what search found."""
        share = self.question.gain(f"{passage.lead} {passage.text}", set())
        steps = self.question.how and passage.kind is PassageKind.STEP
        return share + 0.3 * (passage.id in self.named) + 0.2 * steps

    def _news(self, passage: Passage) -> float:
        """Share of the question's weight that a passage brings and the answer has not dealt with yet."""
        words = self.question.words_in(f"{passage.lead} {passage.text}")
        return sum(self.question.weights[word] for word in words - self.budget.said)

    def _words(self, quote: Quote) -> frozenset[str]:
        return frozenset(joined_terms(quote.text, self.question.language).split())

    def _from(self, passage: Passage) -> list[Part]:
        """What a passage stands for: some of its sentences, its whole list, its code with what leads into it."""
        wanted = passage.id in self.named
        if not self.opening and self._news(passage) < BESIDES:
            return []
        bears = self.question.gain(f"{passage.lead} {passage.text}", set()) >= BEARS or not self.taken
        if passage.kind is PassageKind.CODE:
            return self._code(passage) if self.question.how or (wanted and bears) else []
        if passage.kind in _LISTS and passage.block:
            return self._list(passage) if wanted and bears else []
        quote = self._run(passage, must=self.opening and not self.taken)
        if quote is None or self.budget.repeats(self._words(quote)):
            return []
        if not quote.text.rstrip().endswith((":", "：")):
            return [Part((quote,))]
        if announced := self._announced(passage):
            return [Part((quote,)), *announced]
        return [Part((replace(quote, last=quote.last - 1),))] if quote.last > quote.first else []

    def _run(self, passage: Passage, *, must: bool) -> Quote | None:
        """The sentences of a passage that bear on the question, whole: with the one before where they lean on it."""
        texts = passage.sentence_texts() or (passage.text,)
        gains = [self.question.gain(text, self.budget.said) for text in texts]
        top = max(range(len(texts)), key=lambda i: (gains[i], -i))
        if not must and gains[top] < (BESIDES if self.taken else BEARS):
            return None
        first = last = top
        while first > 0 and _LEANS.match(texts[first]) and last - first < 2:
            first -= 1
        while last + 1 < len(texts) and last - first < 2 and gains[last + 1] >= max(0.6 * gains[top], BESIDES):
            last += 1
        if _LEANS.match(texts[first]) and not must:
            return None
        return Quote(passage, first, last)

    def _announced(self, passage: Passage) -> list[Part]:
        """The list or code that a passage ending in a colon announces."""
        later = next((other for other in self.passages if other.position > passage.position), None)
        if later is None:
            return []
        if later.kind is PassageKind.CODE:
            return self._code(later, led=True)
        return self._list(later, led=True) if later.block else []

    def _code(self, passage: Passage, *, led: bool = False) -> list[Part]:
        """A code block, behind the sentence that says what it is; alone it would say nothing."""
        if self.budget.code <= 0 or passage.text.count("\n") >= MOST_CODE_LINES:
            return []
        lead = [] if led else list(self._lead(passage))
        if not led and not lead:
            return []
        self.budget.code -= 1
        return [*lead, Part((Quote(passage, 0, 0),))]

    def _list(self, passage: Passage, *, led: bool = False) -> list[Part]:
        """The list or table that a passage belongs to: all of it when it is short or in steps, else what bears."""
        members = [item for item in self.passages if item.block == passage.block and item.kind is passage.kind]
        if len(members) > MOST_ITEMS:
            if passage.kind is PassageKind.STEP:
                members = members[:MOST_ITEMS]
            else:
                order = sorted(members, key=lambda item: (-self.question.gain(item.text, set()), item.position))
                members = sorted(order[: MOST_ITEMS // 2], key=lambda item: item.position)
        lead = [] if led else list(self._lead(members[0]))
        return [*lead, Part(tuple(Quote(item, 0, max(len(item.sentences) - 1, 0)) for item in members))]

    def _lead(self, passage: Passage) -> Iterator[Part]:
        """The last sentence before a list or code block."""
        before = [item for item in self.passages if item.position < passage.position]
        if before and before[-1].kind is PassageKind.PARAGRAPH:
            last = max(len(before[-1].sentences) - 1, 0)
            yield Part((Quote(before[-1], last, last),))
