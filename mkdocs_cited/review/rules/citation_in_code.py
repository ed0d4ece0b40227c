"""`citation-in-code`: a citation stands inside code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import BlockKind, RunKind, blocks
from mkdocs_cited.answer_text.marks import LISTED, MARKER
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule

_CITATION = re.compile(f"{MARKER.pattern}|{LISTED}")


class CitationInCode(Rule):
    """Numbers stand behind code, never in it, where they would be shown as code and copied with it.

    Code that a cited passage shows letter by letter may hold them: documentation of Markdown does.
    """

    slug = "citation-in-code"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if audit.declaration.target != "markdown":
            return
        sources = [collapse(source.passage.text) for source in audit.sources]
        for start, code in _code(audit.content):
            match = _CITATION.search(code)
            if match and not any(collapse(code) in source for source in sources):
                yield found(
                    self.slug,
                    audit.place(start),
                    f"`{match[0]}` is inside the code “{shorten(collapse(code))}”",
                    tip="put it behind the code, or behind the sentence that leads to it",
                    answer=audit.declaration.key,
                )


def _code(content: str) -> Iterator[tuple[int, str]]:
    """Every code block and stretch of inline code, with its offset."""
    for block in blocks(content):
        if block.kind is BlockKind.CODE:
            yield block.start, block.code
        yield from ((run.start, run.text) for run in block.runs if run.kind is RunKind.CODE)
