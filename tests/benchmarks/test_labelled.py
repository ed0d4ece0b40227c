"""Labelled claims in, predictions and figures out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.labelled import Prediction, Rate, Row, evaluate, rates, read_rows
from mkdocs_cited.base.errors import CitedError

ROWS = [
    {
        "id": "a",
        "claim": "The token is valid for 24 hours.",
        "evidence": "The token is valid for 24 hours.",
        "label": 1,
    },
    {
        "id": "b",
        "claim": "The token is valid for 12 hours.",
        "evidence": "The token is valid for 24 hours.",
        "label": 0,
    },
    {"id": "c", "claim": "Cats sleep.", "evidence": ["The token is valid.", "It expires."]},
]


def test_rows_to_predictions(tmp_path: Path) -> None:
    """A verbatim claim scores above the boundary, an altered figure below; a row without label is predicted too."""
    file = tmp_path / "claims.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)) + "\n\n", encoding="utf-8")
    rows = list(read_rows(file))
    guesses = list(evaluate(rows))
    assert [guess.id for guess in guesses] == ["a", "b", "c"]
    assert guesses[0].score > 0.5 > guesses[1].score
    assert json.loads(guesses[0].as_json())["verdict"] == "supported"
    assert rates(rows, guesses) == (Rate("right", 1, 0, 0, 1), Rate("wrong", 1, 1, 0, 0))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ('{"evidence": "x"}', "`claim`"),
        ('{"claim": " ", "evidence": "x"}', "claim"),
        ('{"claim": "x", "evidence": 3}', "evidence"),
        ('{"claim": "x", "evidence": []}', "evidence"),
        ('{"claim": "x", "evidence": "y", "label": "yes"}', "label"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, says: str) -> None:
    """The error names the file, the line and what is wrong."""
    file = tmp_path / "claims.jsonl"
    file.write_text(json.dumps(ROWS[0]) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(CitedError, match=says) as caught:
        list(read_rows(file))
    assert f"{file}:2" in str(caught.value)


def test_rows_without_a_label_are_not_counted() -> None:
    """They are predicted all the same."""
    found = rates([Row("Cats sleep.", ("Dogs bark.",))], [Prediction("c", "unchecked", 0.0)])
    assert [rate.claims for rate in found] == [0, 0]
