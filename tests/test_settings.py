"""The options are read as people write them in YAML."""

from __future__ import annotations

import pytest
import yaml

from mkdocs_cited.errors import UsageError
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.settings import parse


def options(text: str) -> dict[str, object]:
    return dict(yaml.safe_load(text))


def test_a_bare_off_and_a_bare_date_mean_what_was_written() -> None:
    """YAML 1.1 reads `off` as false and `2027-01-31` as a date; neither is the author's fault."""
    settings = parse(
        options(
            """
            severity: {better-evidence: off, partial-claim: error}
            suppress: [{slug: partial-claim, reason: Rounded., expires: 2027-01-31}]
            """
        ),
        {},
    )
    assert settings.severity == {"better-evidence": Severity.OFF, "partial-claim": Severity.ERROR}
    assert settings.suppress[0].expires == "2027-01-31"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cite_treshold: 0.5", "`cite_treshold` is not an option of cited\n  → did you mean `cite_threshold`?"),
        ("render: {panel: true}", "`render.panel` is not an option of cited"),
        ("cite_threshold: 3", "option `cite_threshold`: Expected `float` <= 1.0"),
        (
            "severity: {partial-clam: off}",
            "`partial-clam` is not a finding of cited\n  → did you mean `partial-claim`?",
        ),
        ("severity: {partial-claim: true}", "option `severity[...]`: Expected `str`, got `bool`"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """A misspelt option, finding or value names itself and the closest thing that exists."""
    with pytest.raises(UsageError) as caught:
        parse(options(text), {})
    assert str(caught.value).startswith(message)


def test_the_environment_overrides() -> None:
    """`MKDOCS_CITED_<OPTION>` beats the file; `0`, `no` and `false` are off; lists are cut at commas."""
    environ = {
        "MKDOCS_CITED_CITE_THRESHOLD": "0.5",
        "MKDOCS_CITED_REVIEW": "no",
        "MKDOCS_CITED_EXCLUDE": "drafts/, old.md",
        "UNRELATED": "1",
    }
    settings = parse({"cite_threshold": 0.1}, environ)
    assert (settings.cite_threshold, settings.review, settings.exclude) == (0.5, False, ("drafts/", "old.md"))


def test_an_override_of_nothing_is_named() -> None:
    """A variable with our prefix that is no option is refused, with the closest one."""
    with pytest.raises(UsageError, match="MKDOCS_CITED_REVEIW is not an option"):
        parse({}, {"MKDOCS_CITED_REVEIW": "0"})
