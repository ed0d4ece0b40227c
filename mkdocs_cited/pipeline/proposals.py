"""Marks that a page could carry: sentences with a figure, version, flag or name for which a proof is found.

Words propose what the docs say in the same words, or a value that the sentence names. For the other sentences a model
may be asked, which is the caller's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.declarations.prose import Statement, statements
from mkdocs_cited.language.quantities import quantities
from mkdocs_cited.model.answer import Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Page, Passage, Scope, SourceType
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.values import judged_by_value

Judge = Callable[[Case], Judgement]
"""The offline reviewer on one case."""
_CANDIDATES = 5
_LEAST = 3
"""Characters of a value that is looked for as a word."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NAMES = re.compile(r"`[^`\n]+`|(?<!\w)--?[a-z][\w-]+|\b[a-z]+_[a-z_]+\b|\b[A-Z][A-Z_]{2,}\b")
"""Code, flags and identifiers."""


class Proposal(Struct, frozen=True):
    """A mark for one sentence."""

    statement: Statement
    target: str
    """What the mark names: `../deploy/values.yaml#cache.ttl`."""
    passage: Passage
    verdict: Verdict
    """`supported`, or `unchecked` where a person has to confirm it."""

    @property
    def mark(self) -> str:
        """What is written at `statement.stop`."""
        return f" [@{self.target}]"


def proposals(page: Page, markdown: str, corpus: Corpus, values: Iterable[Passage], judge: Judge) -> Iterator[Proposal]:
    """The marks for the sentences of a page that have none, in order.

    Args:
        page: the page.
        markdown: its text, without front matter.
        corpus: the site's passages.
        values: the values of the files that may be cited (`Addressed.values`).
        judge: says whether a passage proves a claim.
    """
    known, seen = _Values(values), set[int]()
    for statement in statements(markdown, page.locale):
        if statement.start not in seen and states_fact(statement.text):
            seen.add(statement.start)
            found = known.proof(statement, page) or _page_that_says(statement, page, corpus, judge)
            if found:
                yield found


def unproposed(page: Page, markdown: str, corpus: Corpus, taken: Collection[int]) -> Iterator[tuple[Statement, Case]]:
    """The sentences that state a fact and for which words found no proof, each with the nearest passages of other
    pages, for a model to read.

    Args:
        taken: `start` of the statements that have a proposal.
    """
    for statement in statements(markdown, page.locale):
        if statement.start not in taken and states_fact(statement.text):
            claim = Claim(statement.text, (1,))
            near = [Evidence(passage, passage.text) for passage in _near(claim, page, corpus)]
            if near:
                yield statement, Case(claim, tuple(near), locale=page.locale)


def confirmed(statement: Statement, case: Case, judgement: Judgement) -> Proposal | None:
    """The mark for a sentence that a model has found supported: by the passage that it quotes."""
    if judgement.verdict is not Verdict.SUPPORTED:
        return None
    passages = [evidence.passage for evidence in case.evidence]
    quoted = [passage for passage in passages if judgement.evidence_quote and judgement.evidence_quote in passage.text]
    passage = (quoted or passages)[0]
    return Proposal(statement, passage.section.where, passage, Verdict.SUPPORTED)


def states_fact(text: str) -> bool:
    """Whether a sentence states a figure, a version, a flag or a name, which may go stale."""
    return states_figure(text) or _NAMES.search(text) is not None


def states_figure(text: str, locale: str = "en") -> bool:
    """Whether a sentence states a figure."""
    return any(True for _ in quantities(text, language_of(locale)))


class _Values:
    """Values to look up by what a sentence may say of them."""

    def __init__(self, values: Iterable[Passage]) -> None:
        self._by_number: dict[str, list[Passage]] = {}
        self._by_word: dict[str, list[Passage]] = {}
        for passage in values:
            value = passage.value.partition(" (")[0].strip()
            for key in _keys(value, "en"):
                self._by_number.setdefault(key, []).append(passage)
            if len(value) >= _LEAST:
                self._by_word.setdefault(value.lower(), []).append(passage)

    def proof(self, statement: Statement, page: Page) -> Proposal | None:
        """The value that a sentence states, where its name is in the sentence and no other fits as well."""
        text = statement.text
        near: dict[str, Passage] = {}
        for key in _keys(text, page.locale):
            near.update((item.id, item) for item in self._by_number.get(key, ()))
        lowered = text.lower()
        for word in {*re.findall(r"[\w./@:<>=~^-]{3,}", lowered), *re.findall(r"`([^`]+)`", lowered)}:
            near.update((item.id, item) for item in self._by_word.get(word.rstrip(".,:"), ()))
        ranked = sorted(
            (rank, passage.id, passage, verdict)
            for passage in near.values()
            for rank, verdict in (_fitting(text, passage, page.locale),)
            if verdict is not None
        )
        if not ranked:
            return None
        _, _, passage, verdict = ranked[0]
        return Proposal(statement, f"../{passage.page.file}#{passage.section.anchor}", passage, verdict)


def _keys(text: str, locale: str) -> set[str]:
    """Each figure of a text as a number, and in the base unit of its kind."""
    keys = set()
    for figure in quantities(text, language_of(locale)):
        keys |= {f"{figure.value:g}", f"{figure.base:g}"}
    return keys


def _fitting(text: str, passage: Passage, locale: str) -> tuple[tuple[int, int, int, int], Verdict | None]:
    """How well a value fits a sentence, least first; no verdict where the sentence does not name it."""
    anchor = passage.section.anchor
    said = {word.lower() for word in _WORDS.findall(text)}
    name = [word.lower() for word in _WORDS.findall(anchor)]
    last = {word.lower() for word in _WORDS.findall(re.split(r"[./]", anchor)[-1])}
    judged = judged_by_value(Case(Claim(text, (1,)), (Evidence(passage, passage.text),), locale=locale))
    own = last.intersection(word.lower() for word in _WORDS.findall(passage.value))
    named = any(map(str.isalpha, last)) and last <= said and not own
    if not named or judged is None or judged.verdict is Verdict.CONTRADICTED:
        return (0, 0, 0, 0), None
    flag = passage.text.partition(" ")[0]
    shown = flag.startswith("--") and flag in text
    if passage.value.isalpha() and not (shown or "default" in text.lower()):  # a word like any other
        return (0, 0, 0, 0), None
    supported = judged.verdict is Verdict.SUPPORTED
    return (-supported, -shown, -len(said.intersection(name)), len(anchor)), judged.verdict


def _page_that_says(statement: Statement, page: Page, corpus: Corpus, judge: Judge) -> Proposal | None:
    """Another page whose passage says the same."""
    claim = Claim(statement.text, (1,))
    for passage in _near(claim, page, corpus):
        judged = judge(Case(claim, (Evidence(passage, passage.text),), locale=page.locale))
        if judged.verdict is Verdict.SUPPORTED:
            return Proposal(statement, passage.section.where, passage, Verdict.SUPPORTED)
    return None


def _near(claim: Claim, page: Page, corpus: Corpus) -> Iterator[Passage]:
    """The passages of other pages that are nearest to a claim."""
    for hit in corpus.search(claim.text, scope=Scope(locale=page.locale, exclude_page=page.src), limit=_CANDIDATES):
        passage = hit.passage
        if passage.page.src != page.src and passage.page.type in (SourceType.PAGE, SourceType.DEFINITION):
            yield passage
