"""How well an answer's citations carry it: citation recall and precision after Gao et al. 2023.

Tianyu Gao, Howard Yen, Jiatong Yu, Danqi Chen: Enabling Large Language Models to Generate Text with Citations
(ALCE), EMNLP 2023, section 3.3. Their entailment model is whatever reviewer judges here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Evidence, Judgement, Verdict
from mkdocs_cited.review.interface import Case


class Attribution(Struct, frozen=True):
    """Citation recall and precision of one or more answers."""

    claims: int
    supported: int
    """Claims that their citations support together."""
    citations: int
    needed: int
    """Citations of supported claims that support alone, or without which the others would not."""

    @property
    def recall(self) -> float:
        """Supported claims ÷ claims, 0…1; 1 when nothing is claimed."""
        return self.supported / self.claims if self.claims else 1.0

    @property
    def precision(self) -> float:
        """Needed citations ÷ citations, 0…1; 1 when nothing is cited."""
        return self.needed / self.citations if self.citations else 1.0

    def __add__(self, other: Attribution) -> Attribution:
        return Attribution(
            self.claims + other.claims,
            self.supported + other.supported,
            self.citations + other.citations,
            self.needed + other.needed,
        )


def attribution(answers: Sequence[Answer], judge: Callable[[Case], Judgement]) -> Attribution:
    """Measure answers. Every claim counts, uncited ones as unsupported; a claim's citations are judged again."""
    total = Attribution(0, 0, 0, 0)
    for answer in answers:
        for item in answer.claims:
            locale = item.evidence[0].passage.page.locale if item.evidence else "en"
            total += _of_claim(Case(item.claim, item.evidence, answer.question, locale), judge)
    return total


def _of_claim(case: Case, judge: Callable[[Case], Judgement]) -> Attribution:
    def supports(evidence: tuple[Evidence, ...]) -> bool:
        return bool(evidence) and judge(replace(case, evidence=evidence)).verdict is Verdict.SUPPORTED

    cited = [item for item in case.evidence if item.shown]
    around = [item for item in case.evidence if not item.shown]
    count = len(cited)
    if not supports(case.evidence):
        return Attribution(1, 0, count, 0)
    if count == 1:
        return Attribution(1, 1, 1, 1)
    alone = [supports((item, *around)) for item in cited]
    needed = [carries or not supports((*cited[:at], *cited[at + 1 :], *around)) for at, carries in enumerate(alone)]
    return Attribution(1, 1, count, sum(needed))
