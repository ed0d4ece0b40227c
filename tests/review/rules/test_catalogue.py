"""One slug, one rule, one file, one golden: what is reported and what is tested cannot drift apart."""

from __future__ import annotations

from pathlib import Path

from mkdocs_cited.model.finding import CATALOGUE
from mkdocs_cited.review import rules
from mkdocs_cited.review.audit import all_rules

FOLDER = Path(rules.__file__).parent
GOLDEN = Path(__file__).parent
RULED = {"citations", "coverage"}
ELSEWHERE = {
    "inexact-link", "not-documented", "not-found", "better-evidence", "unmet-expectation", "off-question",
    "partly-answered",
}  # fmt: skip
"""What other stages find: rendering, and the pipeline itself."""


def test_each_file_is_a_rule_that_the_catalogue_knows() -> None:
    """The rules found by walking the package are its files, each under a slug of the catalogue."""
    slugs = [rule.slug for rule in all_rules()]
    assert slugs == sorted(slugs)
    assert {slug.replace("-", "_") + ".py" for slug in slugs} == {path.name for path in FOLDER.glob("[!_]*.py")}
    assert set(slugs) <= CATALOGUE.keys()


def test_each_rule_has_its_golden() -> None:
    """A rule without cases would be a rule that nobody has seen at work."""
    ours = {rule.slug for rule in all_rules() if CATALOGUE[rule.slug].group != "altered"}
    assert {path.stem for path in GOLDEN.glob("*.yml")} >= ours


def test_each_text_slug_has_its_rule() -> None:
    """Every slug of the groups that are about text is found by a rule, and so is `wrong-citation`."""
    wanted = {slug for slug, kind in CATALOGUE.items() if kind.group in RULED} - ELSEWHERE | {"wrong-citation"}
    assert {rule.slug for rule in all_rules()} >= {slug for slug in wanted if CATALOGUE[slug].group != "altered"}
