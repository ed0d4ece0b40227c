"""`conflicting-sources`: two passages of the site disagree on a fact that an answer needs."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.text import shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Passage, PassageKind, SourceType
from mkdocs_cited.review.conflicts import conflicts
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.passages import label, related


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
