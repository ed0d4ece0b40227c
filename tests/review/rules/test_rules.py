"""Each rule finds what its golden file says, and nothing else: `<slug>.yml` beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.review.rules import RULES, audit
from mkdocs_cited.review.verdicts import conflicting, findings_of
from tests.review.site import audit_of, judged

GOLDEN = Path(__file__).parent


def cases() -> Iterator[Any]:
    for path in sorted(GOLDEN.glob("*.yml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize(("slug", "case"), list(cases()))
def test_rule(slug: str, case: dict[str, Any]) -> None:
    """`finds` lists line and message of each finding of the slug, maybe words of its tip; the audit may say more.

    Where the golden says what a reviewer said (passages are named by their number), verdicts and conflicts count, too.
    """
    whole = audit_of(case, **case.get("settings", {}))
    ids = [passage.id for passage in whole.corpus.passages]  # type: ignore[attr-defined]  # the test's own Site
    if "judgements" in case:
        said = []
        for item in case["judgements"]:
            suggested = ids[item["better"] - 1] if "better" in item else ""
            said.append(Judgement(Verdict(item["verdict"]), suggested=suggested))
        whole = judged(whole, *said)
    conflicts = tuple((ids[one - 1], ids[two - 1], matter) for one, two, matter in case.get("conflicts", ()))
    reported = [*audit(whole), *findings_of(whole), *conflicting(conflicts, whole)]
    findings = [finding for finding in reported if finding.slug == slug]
    assert [(finding.place.line - 9, finding.message) for finding in findings] == [
        (item["line"], item["message"]) for item in case["finds"]
    ]
    for finding, wanted in zip(findings, case["finds"], strict=True):
        assert wanted.get("tip", " ") in finding.tip
        assert finding.answer == "faq.md#q"
        assert slug not in RULES or finding in RULES[slug](whole)
