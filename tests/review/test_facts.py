"""A claim that changes one fact of a sentence it repeats is found, in whatever form the fact is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.review.rules.altered_identifier import AlteredIdentifier
from mkdocs_cited.review.rules.altered_number import AlteredNumber
from tests.review.site import audit_of

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
    case = audit_of({"passages": [{"at": "a.md#a", "text": said, "locale": locale}], "answer": f"{claim}[^1]"})
    return any(True for rule in (AlteredNumber(), AlteredIdentifier()) for _ in rule.check(case))


@pytest.mark.parametrize(("locale", "made"), list(pairs(right=True)))
def test_the_same_fact_in_another_form(locale: str, made: list[tuple[str, str]]) -> None:
    """No form of a fact is altered beside another form of it, whichever the passage has."""
    assert [(said, claim) for said, claim in made if found(locale, said, claim)] == []


@pytest.mark.parametrize(("locale", "made"), list(pairs(right=False)))
def test_another_fact(locale: str, made: list[tuple[str, str]]) -> None:
    """Every other fact is, in any of its forms."""
    assert [(said, claim) for said, claim in made if not found(locale, said, claim)] == []
