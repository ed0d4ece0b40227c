"""What a model may decide, measured on labelled claims: a cut above which it confirms, and one below which it fails.

A model earns its powers: without a calibration it only hints.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import write_atomically

FILE = "calibration.json"
MOST_WRONG = 0.05
"""Greatest share of wrong claims that may lie at or above the cut that confirms."""
MOST_RIGHT = 0.02
"""Greatest share of right claims that may lie at or below the cut that fails."""
WORTH = 0.02
"""A cut that decides a smaller share than this of the claims it is for is worth nothing."""
FEWEST = 40
"""Right claims, and wrong ones, that a calibration needs at least."""


class Calibration(Struct, frozen=True):
    """The powers of one model."""

    confirms: float | None
    """Least score 0…1 with which it confirms; `None`: it never does."""
    fails: float | None
    """Greatest score 0…1 with which it fails; `None`: it never does."""
    right: int
    """Right claims that it was measured on."""
    wrong: int
    auc: float
    """Chance that a right claim scores above a wrong one."""
    confirmed: float
    """Share of right claims at or above the cut that confirms."""
    failed: float
    """Share of wrong claims at or below the cut that fails."""


def calibrated(labels: Sequence[bool], scores: Sequence[float], auc: float) -> Calibration:
    """The powers that these scores earn.

    Raises:
        CitedError: there are too few claims to tell.
    """
    right = sorted(score for label, score in zip(labels, scores, strict=True) if label)
    wrong = sorted(score for label, score in zip(labels, scores, strict=True) if not label)
    if len(right) < FEWEST or len(wrong) < FEWEST:
        raise CitedError(
            f"{len(right)} right and {len(wrong)} wrong claims are too few", tip=f"{FEWEST} of each are needed"
        )
    allowed = int(MOST_WRONG * len(wrong))
    above = wrong[len(wrong) - allowed - 1]  # the greatest score of a wrong claim that must not be confirmed
    confirms = next((score for score in right if score > above), None)
    below = right[int(MOST_RIGHT * len(right))]  # the least score of a right claim that must not be failed
    fails = next((score for score in reversed(wrong) if score < below), None)
    confirmed = sum(score >= confirms for score in right) / len(right) if confirms is not None else 0.0
    failed = sum(score <= fails for score in wrong) / len(wrong) if fails is not None else 0.0
    return Calibration(
        confirms if confirmed >= WORTH else None,
        fails if failed >= WORTH else None,
        len(right), len(wrong), round(auc, 4), round(confirmed, 4), round(failed, 4),
    )  # fmt: skip


def read_calibration(folder: Path) -> Calibration | None:
    """What is stored with a model; nothing for one that was never measured.

    Raises:
        CitedError: the file cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cuts = [None if data[name] is None else float(data[name]) for name in ("confirms", "fails")]
        rest = float(data["auc"]), float(data["confirmed"]), float(data["failed"])
        return Calibration(cuts[0], cuts[1], int(data["right"]), int(data["wrong"]), *rest)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        tip = f"delete it, or run `mkdocs-cited models calibrate {folder.name}`"
        raise CitedError(f"{path}: no calibration: {error}", tip=tip) from error


def write_calibration(folder: Path, calibration: Calibration) -> None:
    """Store a calibration with its model."""
    write_atomically(folder / FILE, (json.dumps({"version": 1} | asdict(calibration), indent=2) + "\n").encode())
