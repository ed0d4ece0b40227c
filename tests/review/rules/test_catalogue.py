"""One slug, one rule, one golden: what is reported and what is tested cannot drift apart."""

from __future__ import annotations

from pathlib import Path

from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.review.rules import RULES

GOLDEN = Path(__file__).parent
RULED = {"citations", "coverage"}
ELSEWHERE = {
    "circular-proof", "conflicting-sources", "moved-source", "undocumented-name", "unknown-name", "not-documented",
    "not-found", "off-question", "partly-answered",
}  # fmt: skip
"""What other stages find: rendering, and the pipeline itself."""


def test_each_rule_is_in_the_catalogue() -> None:
    """The catalogue explains it."""
    assert RULES.keys() <= CATALOGUE.keys()


def test_each_rule_has_its_golden() -> None:
    """A rule without cases would be a rule that nobody has seen at work."""
    ours = {slug for slug in RULES if CATALOGUE[slug].group != "altered"}
    assert {path.stem for path in GOLDEN.glob("*.yml")} >= ours


def test_each_text_slug_has_its_rule() -> None:
    """Every slug of the groups that are about text is found by a rule."""
    wanted = {slug for slug, kind in CATALOGUE.items() if kind.group in RULED} - ELSEWHERE
    assert RULES.keys() >= {slug for slug in wanted if CATALOGUE[slug].group != "altered"}
