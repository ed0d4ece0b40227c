"""Answers are split into claims as `claims/*.yml` says: what counts as one, and which numbers it cites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.finding import Place

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


@pytest.mark.parametrize(
    ("target", "content", "claims"),
    [
        (Target.JSON, '{"60 a day": {"free": true}}', ["60 a day: free: true"]),
        (Target.JSON, '{"60 a day": {}, "never": null, "plan": null}', ["60 a day", "never"]),
        (Target.YAML, "plans:\n  pro, 60 a day:\n  - export\n", ["pro, 60 a day: export"]),
        (Target.YAML, "plan: pro\nlimit: 60\n", ["plan: pro", "limit: 60"]),
    ],
)
def test_what_data_states(target: Target, content: str, claims: list[str]) -> None:
    """Values, and names that hold a figure or a negation."""
    declaration = Declaration("a.md", "a", "A?", Place("a.md"), "en", target=target)
    assert [claim.text for claim in claims_of(Draft(content, (), (), "authored"), declaration)] == claims
