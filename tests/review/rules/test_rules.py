"""Each rule finds what its golden file says, and nothing else: `<slug>.yml` beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.review.interface import Audit
from mkdocs_cited.review.rules import RULES, audit
from tests.review.site import audit_of

GOLDEN = Path(__file__).parent


def cases() -> Iterator[Any]:
    for path in sorted(GOLDEN.glob("*.yml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")


def with_review(whole: Audit, case: dict[str, Any]) -> Audit:
    """The audit with what a reviewer said, where the golden says so; passages are named by their number."""
    ids = [passage.id for passage in whole.corpus.passages]  # type: ignore[attr-defined]  # the test's own Site
    judged = tuple(
        Judgement(Verdict(item["verdict"]), suggested=ids[item["better"] - 1] if "better" in item else "")
        for item in case.get("judgements", ())
    )
    conflicts = tuple((ids[one - 1], ids[two - 1], matter) for one, two, matter in case.get("conflicts", ()))
    return replace(whole, judgements=judged, conflicts=conflicts)


@pytest.mark.parametrize(("slug", "case"), list(cases()))
def test_rule(slug: str, case: dict[str, Any]) -> None:
    """`finds` lists line and message of each finding of the slug, maybe words of its tip; the audit may say more."""
    whole = with_review(audit_of(case, **case.get("settings", {})), case)
    findings = [finding for finding in audit(whole) if finding.slug == slug]
    assert [(finding.place.line - 9, finding.message) for finding in findings] == [
        (item["line"], item["message"]) for item in case["finds"]
    ]
    for finding, wanted in zip(findings, case["finds"], strict=True):
        assert wanted.get("tip", " ") in finding.tip
        assert finding.answer == "faq.md#q"
        assert finding in next(rule for rule in RULES if rule.slug == slug).check(whole)
