"""A claim that changes one fact of a sentence it repeats is found, in whatever form the fact is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.labelled import judge

GOLDEN = yaml.safe_load((Path(__file__).parent / "facts.yml").read_text(encoding="utf-8"))


def pairs(right: bool) -> Iterator[Any]:
    """A case for each row: its locale, and the passages with the claims that are right, or wrong, beside them."""
    for row in GOLDEN:
        made = [
            (row["claim"].format(said), row["claim"].format(form))
            for number, forms in enumerate(row["forms"])
            for said in forms[: None if right else 1]
            for other, others in enumerate(row["forms"])
            for form in others
            if (number == other) is right
        ]
        yield pytest.param(row.get("locale", "en"), made, id=f"{row['claim']} {row['forms'][0][0]}")


def found(locale: str, said: str, claim: str) -> bool:
    return judge(claim, [said], language=locale).proof in ("altered-number", "altered-identifier")


@pytest.mark.parametrize(("locale", "made"), list(pairs(right=True)))
def test_the_same_fact_in_another_form(locale: str, made: list[tuple[str, str]]) -> None:
    """No form of a fact is altered beside another form of it, whichever the passage has."""
    assert [(said, claim) for said, claim in made if found(locale, said, claim)] == []


def test_another_fact() -> None:
    """None passes in any of its forms; most are proven wrong."""
    made = [(locale, *pair) for param in pairs(right=False) for locale, found in [param.values] for pair in found]
    verdicts = Counter(str(judge(claim, [said], language=locale).verdict) for locale, said, claim in made)
    assert verdicts["supported"] == 0
    assert verdicts["contradicted"] > 0.4 * verdicts.total(), verdicts
