"""Answers are split into claims as `claims/*.yml` says: what counts as one, and which numbers it cites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.answer_text.claims import split

GOLDEN = Path(__file__).parent / "claims"


def cases() -> Iterator[Any]:
    for path in sorted(GOLDEN.glob("*.yml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(case, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize("case", list(cases()))
def test_split(case: dict[str, Any]) -> None:
    """`claims` lists numbers and text of each; `at`, where given, what it covers of the answer."""
    claims = split(case["answer"], case.get("locale", "en"))
    wanted = [next(iter(item.items())) for item in case["claims"]]
    assert [(" ".join(map(str, claim.sids)) or "none", claim.text) for claim in claims] == [
        (str(sids), text) for sids, text in wanted
    ]
    for claim, at in zip(claims, case.get("at", ()), strict=False):
        assert case["answer"][claim.start : claim.end] == at
