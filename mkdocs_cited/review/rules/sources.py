"""Passages of a site that disagree: one states a default, a limit or a version that the other one states otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Scope, SourceType
from mkdocs_cited.review.interface import Audit, Rule, label, related
from mkdocs_cited.review.lexical.reviewer import differing


class ConflictingSources(Rule):
    """Names both passages, so that the docs get fixed; an answer cannot be better than they are.

    A passage is compared by its quote, for that is what the answer rests on; a reviewer may have seen more.
    """

    slug = "conflicting-sources"

    def check(self, audit: Audit) -> Iterator[Finding]:
        seen: set[frozenset[str]] = set()
        for first, second, matter in (*self._in_words(audit), *audit.conflicts):
            passages = audit.corpus.passage(first), audit.corpus.passage(second)
            if passages[0] and passages[1] and frozenset((first, second)) not in seen:
                seen.add(frozenset((first, second)))
                yield self._found(audit, passages[0], passages[1], matter)

    def _in_words(self, audit: Audit) -> Iterator[tuple[str, str, str]]:
        for citation in audit.citations:
            passage = audit.corpus.passage(citation.passage)
            if passage is None or passage.kind is PassageKind.CODE or passage.page.type is SourceType.NOTE:
                continue
            if passage.value:  # a file is right about itself: who states another value is named where it changes
                continue
            quoted = [text for text in passage.sentence_texts() if text in citation.quote]
            for other, matter in conflicts(passage, quoted, audit.corpus):
                yield passage.id, other.id, matter

    def _found(self, audit: Audit, first: Passage, second: Passage, matter: str) -> Finding:
        key = audit.declaration.key
        claim = next((c for c in audit.claims if any(e.passage.id == first.id for e in audit.evidence(c))), None)
        return found(
            self.slug,
            audit.place(claim.start if claim else 0),
            f"{label(first)} and {label(second)} disagree, and `{key}` rests on the first: {shorten(matter, 300)}",
            tip="correct the page that is wrong",
            answer=key,
            claim=claim.text if claim else "",
            related=(related("one passage", first), related("the other passage", second)),
        )


_HITS = 8
_TERMS = 4
_TELLING = 40
"""Characters from which a sentence says by itself what it is about; a shorter one must stand under a like heading."""
_WORD = re.compile(r"\w[\w.-]*\w")
_HISTORY = re.compile(
    r"(?:^|[/_.-])(?:changelog|changes|releases?|release-notes|whats-new|history|news|blog|posts?|upgrad\w*|migrat\w*"
    r"|versions?|v?\d+[.\d]*)(?=[/_.-])",
    re.IGNORECASE,
)
"""Pages that state what was true once."""
_CONTEXT = re.compile(
    r"\b(?:this|these|it|they|such|above|below|following|here|example|instance|e\.g|chapter|section|step|figure"
    r"|dies\w*|sie|beispiel\w*|folgend\w*)\b|^(?:please |see |refer )",
    re.IGNORECASE,
)


def conflicts(passage: Passage, sentences: list[str], corpus: Corpus) -> Iterator[tuple[Passage, str]]:
    """Passages of the site that disagree with one of the `sentences` of a passage, with both sentences as one text."""
    locale = passage.page.locale
    for sentence in sentences:
        if _needs_context(sentence):
            continue
        for hit in corpus.search(_query(sentence), scope=Scope(locale=language_of(locale)), limit=_HITS):
            other = hit.passage
            if other.id == passage.id or other.hash == passage.hash or not _is_current(other):
                continue
            alike = _headings_meet(passage, other)
            rival = next(
                (
                    text
                    for text in other.sentence_texts()
                    if (alike or len(text) > _TELLING) and disagree(sentence, text, locale)
                ),
                "",
            )
            if rival:
                yield other, f"“{collapse(sentence)}” and “{collapse(rival)}”"


def disagree(first: str, second: str, locale: str = "en") -> bool:
    """Whether two sentences say the same, but for one figure or switch."""
    if _needs_context(first) or _needs_context(second):
        return False
    return differing(first, second, language_of(locale)) in ("altered-number", "flipped-polarity")


def _query(sentence: str) -> str:
    """The few longest words of a sentence without digits, in its order."""
    words = [word for word in dict.fromkeys(_WORD.findall(sentence)) if not any(map(str.isdigit, word))]
    longest = sorted(words, key=len, reverse=True)[:_TERMS]
    return " ".join(word for word in words if word in longest)


def _needs_context(sentence: str) -> bool:
    """Whether only what stands around a sentence says what it is about: `This needs version 2.`, `For example: 3`."""
    return sentence.rstrip().endswith((":", "：", "?")) or _CONTEXT.search(sentence) is not None


def _is_current(passage: Passage) -> bool:
    page = passage.page
    kinds = (SourceType.PAGE, SourceType.DEFINITION, SourceType.FILE)
    return page.type in kinds and not _HISTORY.search(f"/{page.src}")


def _headings_meet(first: Passage, second: Passage) -> bool:
    """Whether the sections' titles share a word: `Retries` and `How retries work`."""
    words = [set(stems(item.section.title, language_of(item.page.locale))) for item in (first, second)]
    return not words[0].isdisjoint(words[1])
