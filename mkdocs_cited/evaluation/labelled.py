"""How good a reviewer is on labelled claims: rows in, predictions and figures out. No file format but JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.model.answer import Verdict
from mkdocs_cited.review.lexical.reviewer import LexicalResult, judge


class Row(Struct, frozen=True):
    """One claim with its evidence."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    label: bool | None = None
    """Whether the evidence supports the claim in full; `None` if nobody said."""
    kind: str = ""


class Prediction(Struct, frozen=True):
    """What the reviewer said of one row."""

    id: str
    verdict: str
    score: float
    """Support 0…1; 0.5 is the boundary."""

    def as_json(self) -> str:
        """Return the row of a predictions file."""
        return json.dumps({"id": self.id, "verdict": self.verdict, "score": self.score}, ensure_ascii=False)


class Fates(Struct, frozen=True):
    """What a team sees of some claims, all right or all wrong."""

    claims: int
    passed: int
    waiting: int
    """Neither passed nor failed: a person or a model decides."""
    failed: int
    """Errors, which stop a build."""

    def shares(self) -> dict[str, float]:
        """Each as a share of the claims, 0…1; empty where there are none."""
        counts = {"passed": self.passed, "waiting": self.waiting, "failed": self.failed}
        return {name: count / self.claims for name, count in counts.items()} if self.claims else {}


class Figures(Struct, frozen=True):
    """What becomes of labelled claims."""

    right: Fates
    wrong: Fates


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a JSON Lines file: `id`, `claim`, `evidence` (text or list), optional `label` and `kind`.

    Raises `CitedError` with file and line for a row that is not one.
    """
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _row(line, f"{path}:{number}", number)


def open_claims() -> Iterator[Row]:
    """The open set of claims about software documentation that comes with this package (CC0)."""
    with resources.as_file(resources.files(__package__).joinpath("claims.jsonl")) as path:
        yield from read_rows(path)


def evaluate(rows: Iterable[Row], judge: Callable[[str, Sequence[str]], LexicalResult] = judge) -> Iterator[Prediction]:
    """Yield a prediction for each row, in order."""
    for row in rows:
        result = judge(row.claim, row.evidence)
        yield Prediction(row.id, str(result.verdict), result.score)


def figures(rows: Sequence[Row], predictions: Sequence[Prediction]) -> Figures:
    """What becomes of those rows that have a label."""
    pairs = list(zip(rows, predictions, strict=True))
    return Figures(
        _fates([guess for row, guess in pairs if row.label is True]),
        _fates([guess for row, guess in pairs if row.label is False]),
    )


def _fates(predictions: Sequence[Prediction]) -> Fates:
    passed = sum(guess.verdict == Verdict.SUPPORTED for guess in predictions)
    failed = sum(guess.verdict in (Verdict.UNSUPPORTED, Verdict.CONTRADICTED) for guess in predictions)
    return Fates(len(predictions), passed, len(predictions) - passed - failed, failed)


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
    pairs = positives * negatives
    return (ranks - positives * (positives + 1) / 2) / pairs if pairs else float("nan")


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
