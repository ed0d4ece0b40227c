"""How good a reviewer is on labelled claims: rows in, predictions and figures out. No file format but JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.review.lexical.reviewer import Reading, judge

__all__ = ["Figures", "Prediction", "Row", "balanced_accuracy", "evaluate", "figures", "read_rows", "roc_auc"]


@dataclass(frozen=True, slots=True)
class Row:
    """One claim with its evidence."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    label: bool | None = None
    """Whether the evidence supports the claim in full; `None` if nobody said."""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the reviewer said of one row."""

    id: str
    verdict: str
    score: float
    """Support 0…1; 0.5 is the boundary."""

    def as_json(self) -> str:
        """Return the row of a predictions file."""
        return json.dumps({"id": self.id, "verdict": self.verdict, "score": self.score}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """How a reviewer did, all shares 0…1, `nan` where nothing could be counted."""

    rows: int
    auc: float
    """Chance that a right claim scores above a wrong one (Hanley and McNeil 1982)."""
    balanced_accuracy: float
    """Mean of the shares of right and wrong claims on their side of 0.5."""
    pass_precision: float
    """How often `supported` is right."""
    fail_precision: float
    """How often `unsupported`, `contradicted` and `partial` are right."""
    undecided: float
    """Share of `unchecked`."""


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a JSON Lines file: `id`, `claim`, `evidence` (text or list), optional `label` and `kind`.

    Raises `CitedError` with file and line for a row that is not one.
    """
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _row(line, f"{path}:{number}", number)


def evaluate(rows: Iterable[Row], judge: Callable[[str, Sequence[str]], Reading] = judge) -> Iterator[Prediction]:
    """Yield a prediction for each row, in order."""
    for row in rows:
        reading = judge(row.claim, row.evidence)
        yield Prediction(row.id, str(reading.verdict), reading.score)


def figures(rows: Sequence[Row], predictions: Sequence[Prediction]) -> Figures:
    """Return the figures over those rows that have a label."""
    pairs = [(row.label, guess) for row, guess in zip(rows, predictions, strict=True) if row.label is not None]
    labels = [bool(label) for label, _ in pairs]
    scores = [guess.score for _, guess in pairs]
    passed = [label for label, guess in pairs if guess.verdict == "supported"]
    failed = [label for label, guess in pairs if guess.verdict in ("unsupported", "contradicted", "partial")]
    return Figures(
        len(pairs),
        roc_auc(labels, scores),
        balanced_accuracy(labels, [score >= 0.5 for score in scores]),
        _share(sum(map(bool, passed)), len(passed)),
        _share(len(failed) - sum(map(bool, failed)), len(failed)),
        _share(len(pairs) - len(passed) - len(failed), len(pairs)),
    )


def roc_auc(labels: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve by ranks, ties counted half (Mann and Whitney's U)."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    positives = sum(labels)
    negatives = len(labels) - positives
    ranks = 0.0
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and scores[order[end + 1]] == scores[order[at]]:
            end += 1
        ranks += sum(labels[order[k]] for k in range(at, end + 1)) * ((at + end) / 2 + 1)
        at = end + 1
    return _share(ranks - positives * (positives + 1) / 2, positives * negatives)


def balanced_accuracy(labels: Sequence[bool], guesses: Sequence[bool]) -> float:
    """Return the mean of sensitivity and specificity."""
    positives = sum(labels)
    right = sum(label and guess for label, guess in zip(labels, guesses, strict=True))
    left = sum(not label and not guess for label, guess in zip(labels, guesses, strict=True))
    return (_share(right, positives) + _share(left, len(labels) - positives)) / 2


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _row(line: str, place: str, number: int) -> Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CitedError(f"{place}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise CitedError(f"{place}: a row is an object with `id`, `claim` and `evidence`")
    claim, evidence, label = data.get("claim"), data.get("evidence"), data.get("label")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(claim, str) or not claim.strip():
        raise CitedError(f"{place}: `claim` must be a text that is not empty")
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise CitedError(f"{place}: `evidence` must be a text or a list of texts")
    if label is not None and label not in (0, 1):
        raise CitedError(f"{place}: `label` must be 0 or 1, if it is there")
    return Row(
        str(data.get("id", number)),
        claim,
        tuple(texts),
        None if label is None else bool(label),
        str(data.get("kind", "")),
    )
