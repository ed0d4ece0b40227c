"""The citations of a page's marked claims: put behind the page's own words, with their footnotes at its end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.answer_text.numbering import renumber
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Draft, ReviewedClaim

PROSE = "prose"
"""The target of the answer that a page's marked claims are."""
_SLOT = re.compile(r'<span data-cited-mark="(\d+)"></span>')


def without_quiet(answer: Answer) -> Answer:
    """The claims whose citations readers see, numbered by themselves."""
    if not answer.quiet or not answer.content:
        return answer
    blocks = answer.content.split("\n\n")
    content = "\n\n".join(block for number, block in enumerate(blocks) if number not in answer.quiet)
    draft = renumber(Draft(content, answer.citations, answer.sources, answer.provider), markers(content))
    number_of = {source.passage.id: source.sid for source in draft.sources}
    sids = {source.sid: number_of[source.passage.id] for source in answer.sources if source.passage.id in number_of}
    claims = tuple(
        replace(item, claim=replace(item.claim, sids=tuple(sids[sid] for sid in item.claim.sids)))
        for number, item in _numbered(answer)
        if number not in answer.quiet and all(sid in sids for sid in item.claim.sids)
    )
    return replace(answer, content=draft.content, sources=draft.sources, citations=draft.citations, claims=claims)


def _numbered(answer: Answer) -> Iterator[tuple[int, ReviewedClaim]]:
    """The claims with the numbers of their blocks."""
    return ((answer.content.count("\n\n", 0, item.claim.start), item) for item in answer.claims)


def fill(html: str, marks: Sequence[str]) -> str:
    """A page with the citations of its own claims."""
    if "data-cited-mark" not in html:
        return html
    return _SLOT.sub(lambda match: marks[int(match[1])] if int(match[1]) < len(marks) else "", html)
