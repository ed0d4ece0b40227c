"""Whether another passage of the site supports a claim clearly better than those that it cites."""

from __future__ import annotations

from collections.abc import Callable

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Evidence, Judgement, Verdict
from mkdocs_cited.model.source import Corpus, Scope, SourceType
from mkdocs_cited.review.interface import Case

MARGIN = 0.5
"""By how much the other passage's support must be higher, 0…1: the cited one has not half of the claim's words."""
_CANDIDATES = 6
_NEVER = (SourceType.NOTE, SourceType.ARCHIVE)


def suggest(
    case: Case, judgement: Judgement, corpus: Corpus, judge: Callable[[Case], Judgement], scope: Scope
) -> Judgement:
    """The judgement, with `suggested` set where one other passage alone earns `supported` by a clear margin.

    `judge` reads one claim beside one passage, as the reviewer did. A claim that its passage contradicts is left
    alone: if another one says what it says, then the site disagrees with itself.
    """
    if judgement.suggested or judgement.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED) or not case.evidence:
        return judgement
    cited = {evidence.passage.hash for evidence in case.evidence}
    best: tuple[float, str] = (judgement.score + MARGIN, "")
    for hit in corpus.search(case.claim.text, scope=scope, limit=_CANDIDATES):
        if hit.passage.hash in cited or hit.passage.page.type in _NEVER:
            continue
        verdict = judge(replace(case, evidence=(Evidence(hit.passage, hit.passage.text),)))
        if verdict.verdict is Verdict.SUPPORTED and verdict.score > best[0]:
            best = (verdict.score, hit.passage.id)
    return replace(judgement, suggested=best[1])
