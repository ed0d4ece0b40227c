"""The open set of claims keeps what its README promises."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks" / "claims-set"
ROWS = [json.loads(line) for line in (FOLDER / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_each_row_is_whole() -> None:
    """Every row has the fields of the README, an id of its own, and a claim that is not the passage itself."""
    assert all(list(row) == ["id", "claim", "evidence", "label", "kind", "set"] for row in ROWS)
    assert len({row["id"] for row in ROWS}) == len({row["claim"] for row in ROWS}) == len(ROWS)
    assert all(row["label"] in (0, 1) and row["set"] == "open_docs_claims" for row in ROWS)
    assert all(row["claim"] not in row["evidence"] or row["kind"] == "true-part" for row in ROWS)


def test_the_readme_counts_right() -> None:
    """How many there are, right and wrong, and of which kinds; a kind is either right or wrong."""
    right = sum(row["label"] for row in ROWS)
    assert README.splitlines()[2].startswith(f"{len(ROWS)} claims,")
    assert f"**Right claims** ({right})" in README
    assert f"**Wrong claims** ({len(ROWS) - right})" in README
    kinds = {row["kind"]: row["label"] for row in ROWS}
    assert all(kinds[row["kind"]] == row["label"] for row in ROWS)
    assert all(f"`{kind}`" in README for kind in kinds)


def test_every_passage_has_right_and_wrong_claims() -> None:
    """Nobody can tell the label from the passage."""
    labels = Counter((row["evidence"], row["label"]) for row in ROWS)
    assert all(labels[row["evidence"], 0] and labels[row["evidence"], 1] for row in ROWS)
