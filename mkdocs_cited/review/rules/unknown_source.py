"""`unknown-source`: a citation leads to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule


class UnknownSource(Rule):
    """Each number of the text has a source, and the passage of each citation stands on the site."""

    slug = "unknown-source"

    def check(self, audit: Audit) -> Iterator[Finding]:
        cited = {citation.sid for citation in audit.citations} & {source.sid for source in audit.sources}
        first: dict[int, int] = {}
        for sid, start, _ in markers(audit.content):
            first.setdefault(sid, start)
        for claim in audit.claims:  # data cites by pointers, not by numbers in the text
            for sid in claim.sids:
                first.setdefault(sid, claim.start)
        known = f"its sources are {', '.join(map(str, sorted(cited)))}" if cited else "it has no sources"
        for sid, start in first.items():
            if sid not in cited:
                message = (
                    f"`[^{sid}]` leads to nothing: the answer `{audit.declaration.key}` has no source {sid}; {known}"
                )
                yield self._found(audit, start, message, "cite a source that the answer has, or take the number out")
        for citation in audit.citations:
            if citation.sid in cited and audit.corpus.passage(citation.passage) is None:
                message = f"source {citation.sid} is the passage `{citation.passage}`, which the site does not have"
                tip = "cite a passage that is there, or run `mkdocs-cited update` to have the answer written again"
                yield self._found(audit, first.get(citation.sid, 0), message, tip)

    def _found(self, audit: Audit, offset: int, message: str, tip: str) -> Finding:
        claim = next((claim.text for claim in audit.claims if claim.start <= offset < claim.end), "")
        return found(self.slug, audit.place(offset), message, tip=tip, answer=audit.declaration.key, claim=claim)
