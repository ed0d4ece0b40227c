"""What words prove wrong, as findings: `proofs/<slug>.yml` says what is found in an answer, and where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.model.options import Settings
from mkdocs_cited.review.interface import Case
from mkdocs_cited.review.lexical import Lexical
from mkdocs_cited.review.verdicts import findings_of
from tests.review.site import audit_of, judged


def cases() -> Iterator[Any]:
    for path in sorted((Path(__file__).parent / "proofs").glob("*.yml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize(("slug", "case"), list(cases()))
def test_proof(slug: str, case: dict[str, Any]) -> None:
    """`finds` lists line and message of each finding of the slug."""
    whole = audit_of(case)
    read = [Case(item.claim, item.evidence, answer=whole.content) for item in whole.reviewed]
    whole = judged(whole, *Lexical(Settings()).review(read, whole.corpus).judgements)
    found = [finding for finding in findings_of(whole) if finding.slug == slug]
    assert [(item.place.line - 9, item.message) for item in found] == [(i["line"], i["message"]) for i in case["finds"]]
    assert all("overrules" in finding.tip and finding.answer == "faq.md#q" for finding in found)
